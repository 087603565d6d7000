import { describe, expect, it } from "vitest";
import { DEFAULT_POLICY } from "../../../src/policy/policy.ts";
import { createTestStore } from "../../support/test-store.ts";
import { AS_OPERATOR, AS_SHOP_A, startConsole, type ConsoleApp } from "../console-app.ts";
import { connectRaw } from "../http/raw-client.ts";

const JSON_TYPE = { "content-type": "application/json" };

function put(app: ConsoleApp, document: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const body = typeof document === "string" ? document : JSON.stringify(document);
  return app.send("PUT", "/api/policy", { body, headers: { ...JSON_TYPE, ...AS_SHOP_A, ...headers } });
}

function namedRule(name: string): object {
  return { name, when: { minAmount: 1 }, then: { skip: true } };
}

describe("GET /api/policy", () => {
  it("shows the default policy as version 0", async () => {
    const app = await startConsole();

    const response = await app.get("/api/policy", AS_SHOP_A);

    expect(await response.json()).toEqual(DEFAULT_POLICY);
    expect(response.headers.get("etag")).toBe('"0"');
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("fills a stored document with the defaults of missing keys", async () => {
    const app = await startConsole();
    await app.store.policies.save("fake:a.example", { mode: "shadow" }, undefined, 1);

    const response = await app.get("/api/policy", AS_SHOP_A);

    expect(await response.json()).toEqual({ ...DEFAULT_POLICY, mode: "shadow" });
    expect(response.headers.get("etag")).toBe('"1"');
  });
});

describe("PUT /api/policy", () => {
  it("saves the document as the next version and responds with the defaults filled in", async () => {
    const app = await startConsole({ now: () => 77 });

    const first = await put(app, { mode: "shadow" });
    expect([first.status, first.headers.get("etag"), await first.json()]).toEqual([
      200,
      '"1"',
      { ...DEFAULT_POLICY, mode: "shadow" },
    ]);
    const second = await put(app, {});
    expect(second.headers.get("etag")).toBe('"2"');

    expect(await app.store.policies.load("fake:a.example")).toMatchObject({ version: 2, savedAtMs: 77 });
    expect(app.log()).toContain("person:7");
  });

  it("refuses a rule that can't match any order, and says what to write instead", async () => {
    const app = await startConsole();
    const rules = [
      { name: "Far", when: { minAmount: 1, country: ["Germany", "Atlantis"] }, then: { action: "hold" } },
    ];

    const response = await put(app, { rules });

    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      code: "POLICY_INVALID",
      errors: [
        {
          path: "rules[0].when.country[1]",
          message: "No such country. Use its English name or its two-letter code, for example SG.",
        },
      ],
    });
    expect(await app.store.policies.load("fake:a.example")).toBeNull();
  });

  it("understands a country's name, and lists what each version changed", async () => {
    const app = await startConsole();
    const rules = [{ name: "Far", when: { country: "Germany" }, then: { atLeast: "hold" } }];

    const response = await put(app, { rules });

    expect(await response.json()).toMatchObject({ rules: [{ when: { country: ["DE"] } }] });
    await put(app, { rules, hold: { deadlineHours: 5 } });
    const listed = await app.get("/api/policy/versions?limit=2", AS_SHOP_A);
    expect(await listed.json()).toMatchObject({
      versions: [
        { version: 2, current: true, changes: [{ kind: "setting", path: "hold.deadlineHours" }] },
        { version: 1, current: false, changes: [{ kind: "rule-added", rule: "Far" }] },
      ],
    });
    const last = await app.get("/api/policy/versions?cursor=1", AS_SHOP_A);
    expect(await last.json()).toMatchObject({ versions: [{ version: 0, changes: [] }] });
  });

  it("lists all versions when one of them can't be read", async () => {
    const app = await startConsole();
    const { policies } = app.store;
    await policies.save("fake:a.example", { mode: "of another release" }, 0, 1);
    await put(app, { mode: "shadow" });
    await put(app, { mode: "active" });

    const response = await app.get("/api/policy/versions", AS_SHOP_A);

    expect(response.status).toBe(200);
    const { versions } = (await response.json()) as { versions: { version: number; changes: unknown[] }[] };
    expect(versions.map(({ version, changes }) => [version, changes.length])).toEqual([
      [3, 1],
      [2, 0],
      [1, 0],
      [0, 0],
    ]);
  });

  it("accepts an existing rule unchanged while something else changes", async () => {
    const app = await startConsole();
    const rules = [{ name: "Far", when: { country: ["Atlantis"] }, then: { action: "hold" } }];
    await app.store.policies.save("fake:a.example", { rules }, undefined, 1);

    expect((await put(app, { rules, mode: "shadow" })).status).toBe(200);
    const changed = [{ ...rules[0], then: { action: "cancel" } }];
    expect((await put(app, { rules: changed, mode: "shadow" })).status).toBe(422);
  });

  it("changes only the caller's policy", async () => {
    const app = await startConsole();
    await put(app, { mode: "shadow" });
    const other = await app.get("/api/policy", AS_OPERATOR);
    expect([await other.json(), other.headers.get("etag")]).toEqual([DEFAULT_POLICY, '"0"']);
  });

  it.each([
    [{ mode: "off" }, "mode"],
    [{ levels: { high: { action: "explode" } } }, "levels.high.action"],
    [{ hold: { deadlineHours: -1 } }, "hold.deadlineHours"],
    [{ unheardOf: true }, "unheardOf"],
    [{ rules: [namedRule("big orders"), namedRule("block jane@example.com")] }, "rules[1].name"],
    [{ rules: [namedRule("+1 (303) 555-0142")] }, "rules[0].name"],
  ])("refuses %j field by field", async (document, path) => {
    const app = await startConsole();

    const response = await put(app, document);
    const problem = (await response.json()) as { errors: { path: string; message: string }[] };

    expect(response.status).toBe(422);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(problem).toMatchObject({ code: "POLICY_INVALID", title: "Unprocessable Entity" });
    expect(problem.errors.map((error) => error.path)).toEqual([path]);
    expect(await app.store.policies.load("fake:a.example")).toBeNull();
  });

  it.each([["null"], ["[]"], ['"active"'], ["1"]])("refuses %s, which isn't a document", async (body) => {
    const app = await startConsole();
    expect((await put(app, body)).status).toBe(422);
  });

  it.each([[""], ["{"], ["{'mode':1}"], ["undefined"], ['{"mode":"active"}}']])(
    "refuses %j, which isn't JSON",
    async (body) => {
      const app = await startConsole();
      const response = await put(app, body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ detail: "The body isn't valid JSON." });
    },
  );

  it("refuses bytes that aren't UTF-8", async () => {
    const app = await startConsole();
    const body = Buffer.concat([Buffer.from('{"mode":"'), Buffer.of(0xff, 0xfe), Buffer.from('"}')]);
    const response = await app.send("PUT", "/api/policy", { body, headers: { ...JSON_TYPE, ...AS_SHOP_A } });
    expect(response.status).toBe(400);
  });

  it("survives nesting as deep as its size allows", async () => {
    const app = await startConsole();
    expect((await put(app, "[".repeat(100_000))).status).toBe(400);
    expect((await put(app, `{"rules":${"[".repeat(40_000)}${"]".repeat(40_000)}}`)).status).toBe(422);
    expect((await put(app, '{"__proto__":{"mode":"shadow"}}')).status).toBe(422);
  });

  it.each([
    ["another type", { "content-type": "text/plain" }],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }],
    ["a longer type", { "content-type": "application/jsonp" }],
    ["a compressed body", { "content-encoding": "gzip" }],
  ])("refuses %s", async (_name, headers) => {
    const app = await startConsole();
    expect((await put(app, {}, headers as Record<string, string>)).status).toBe(415);
  });

  it("refuses a body without a type", async () => {
    const app = await startConsole();
    const body = Buffer.from("{}");
    expect((await app.send("PUT", "/api/policy", { body, headers: AS_SHOP_A })).status).toBe(415);
  });

  it("accepts a type with parameters and in capitals", async () => {
    const app = await startConsole();
    expect((await put(app, {}, { "content-type": "Application/JSON; charset=utf-8" })).status).toBe(200);
  });

  it("accepts exactly 1 MiB, and refuses a byte more", async () => {
    const app = await startConsole();
    expect((await put(app, `{}${" ".repeat(1024 * 1024 - 2)}`)).status).toBe(200);
    expect((await put(app, `{}${" ".repeat(1024 * 1024 - 1)}`)).status).toBe(413);
  });

  it("saves nothing from a document whose sender disconnected", async () => {
    const app = await startConsole();
    const client = await connectRaw(app.port);
    client.write(
      `PUT /api/policy HTTP/1.1\r\nHost: x\r\nAuthorization: ${AS_SHOP_A.authorization}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{}`,
    );

    client.abort();

    expect((await app.get("/healthz")).status).toBe(200);
    expect(await app.store.policies.load("fake:a.example")).toBeNull();
  });

  it("gives up on a document that never arrives", async () => {
    const app = await startConsole({ bodyTimeoutMs: 30 });
    const client = await connectRaw(app.port);

    client.write(
      `PUT /api/policy HTTP/1.1\r\nHost: x\r\nAuthorization: ${AS_SHOP_A.authorization}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{}`,
    );

    expect(await client.until("\r\n\r\n")).toContain("408 Request Timeout");
  });

  it.each(['"0"', "*", '"7", "0"'])("saves when If-Match is %s and nobody else saved", async (ifMatch) => {
    const app = await startConsole();
    expect((await put(app, {}, { "if-match": ifMatch })).status).toBe(200);
  });

  it.each(['"0"', 'W/"1"', "1", '"x"', '""'])(
    "answers 412 when If-Match is %s and version 1 is the newest",
    async (ifMatch) => {
      const app = await startConsole();
      await put(app, {});

      expect((await put(app, { mode: "shadow" }, { "if-match": ifMatch })).status).toBe(412);

      expect(await app.store.policies.load("fake:a.example")).toMatchObject({ version: 1 });
    },
  );

  it("lets one of two callers that read the same version save", async () => {
    const store = await createTestStore();
    const { promise: bothRead, resolve: release } = Promise.withResolvers<void>();
    let readers = 0;
    const app = await startConsole({
      store: {
        ...store,
        policies: {
          ...store.policies,
          async load(tenant) {
            const kept = await store.policies.load(tenant);
            readers += 1;
            if (readers === 2) release();
            await bothRead;
            return kept;
          },
        },
      },
    });

    const answers = await Promise.all([
      put(app, { mode: "shadow" }, { "if-match": '"0"' }),
      put(app, { mode: "active" }, { "if-match": '"0"' }),
    ]);

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
  });

  it("refuses other methods, and names the allowed ones", async () => {
    const app = await startConsole();
    const response = await app.send("DELETE", "/api/policy", { headers: AS_SHOP_A });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, PUT"]);
  });
});
