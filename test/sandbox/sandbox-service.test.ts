import { once } from "node:events";
import { connect } from "node:net";
import { request as httpsRequest } from "node:https";
import { describe, expect, it } from "vitest";
import { isHoldfastError } from "../../src/base/errors.ts";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  type SandboxOrganization,
  type SandboxServiceOptions,
  type ServedRequest,
} from "../../src/sandbox/sandbox-service.ts";
import { verificationResultSchema } from "../../src/order/result.ts";
import { orderWith, PLAIN_ORDER } from "../engine/sample-order.ts";
import { createSelfSigned } from "./self-signed.ts";
import { KEY, start, verify, withEmail, type Sent } from "./service-stage.ts";
import { until } from "../support/until.ts";

describe("POST /api/{organization}/order-verification", () => {
  it("answers 200 with exactly the fields of a verification result", async () => {
    const { base } = await start();

    const response = await verify(base);
    const body = (await response.json()) as { success: unknown; data: Record<string, unknown> };

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(Object.keys(body)).toEqual(["success", "data"]);
    expect(body.success).toBe(true);
    expect(Object.keys(body.data)).toEqual([
      "riskScore",
      "riskLevel",
      "riskFactors",
      "reasoning",
      "recommendations",
    ]);
    expect(verificationResultSchema.parse(body.data)).toEqual(body.data);
  });

  it("judges with the sandbox's email addresses", async () => {
    const { base } = await start();

    const response = await verify(base, withEmail("score-61@risk.example"));

    await expect(response.json()).resolves.toMatchObject({ data: { riskScore: 61, riskLevel: "high" } });
  });

  it("judges with another engine if given one", async () => {
    const result = {
      riskScore: 7,
      riskLevel: "low" as const,
      riskFactors: [],
      reasoning: "Mine.",
      recommendations: [],
    };
    const assess = () => ({ ...result, confidence: 1 });
    const { base } = await start({ engine: { assess } });

    await expect((await verify(base)).json()).resolves.toEqual({ success: true, data: result });
  });

  it("answers 500 when the engine fails, and counts the call", async () => {
    const assess = (): never => {
      throw new Error("broken");
    };
    const { base, service } = await start({ engine: { assess }, credits: 5 });

    const response = await verify(base);

    expect(response.status).toBe(500);
    await expect(response.json()).resolves.toEqual({ success: false, message: "Internal Server Error" });
    expect(response.headers.get("x-ratelimit-limit")).toBe("100000");
    expect(service.calls).toMatchObject([{ status: 500, metered: true }]);
    expect(service.credits).toBe(4);
  });

  it.each([
    ["x-api-key", KEY],
    ["a bearer token", { authorization: `Bearer ${SANDBOX_API_KEY}` }],
    ["a bearer token in lower case", { authorization: `bearer ${SANDBOX_API_KEY}` }],
    ["both, of which x-api-key counts", { ...KEY, authorization: "Bearer other" }],
  ])("reads the key from %s", async (_where, headers) => {
    const { base } = await start();

    expect((await verify(base, { headers })).status).toBe(200);
  });

  it.each(["sandbox", "org_sandbox"])("accepts the organization as %s", async (organization) => {
    const { base } = await start();

    expect((await verify(base, { organization })).status).toBe(200);
  });

  it.each<[number, string, string, Sent]>([
    [401, "Missing API Key", "no key", { headers: {} }],
    [401, "Missing API Key", "an empty key", { headers: { "x-api-key": " " } }],
    [401, "Missing API Key", "another scheme", { headers: { authorization: "Basic c2FuZGJveC1rZXk=" } }],
    [403, "Invalid API Key", "an unknown key", { headers: { "x-api-key": "nope" } }],
    [403, "Invalid API Key", "a key named like the prototype", { headers: { "x-api-key": "__proto__" } }],
    [403, "Invalid API Key", "an unknown organization", { organization: "elsewhere" }],
    [403, "Invalid API Key", "an organization that is no text", { organization: "%E0%A4%A" }],
  ])("answers %d %s for %s, unmetered", async (status, message, _what, sent) => {
    const { base, service } = await start({ credits: 5 });

    const response = await verify(base, sent);

    expect(response.status).toBe(status);
    await expect(response.json()).resolves.toEqual({ success: false, message });
    expect(service.credits).toBe(5);
    expect(service.calls).toMatchObject([{ status, metered: false }]);
  });

  it("answers 403 for another key's organization", async () => {
    const of = (slug: string) => ({
      organizations: [{ id: `org_${slug}`, slug, name: slug, role: "member" as const }],
    });
    const { base } = await start({ apiKeys: { first: of("one"), second: of("two") } });

    const own = await verify(base, { headers: { "x-api-key": "first" }, organization: "one" });
    const other = await verify(base, { headers: { "x-api-key": "first" }, organization: "two" });

    expect([own.status, other.status]).toEqual([200, 403]);
  });

  it.each<[string, unknown, string]>([
    ["text that is no JSON", "{", "expected a JSON object"],
    ["an empty body", "", "expected a JSON object"],
    ["a list", [], "expected an object"],
    ["a missing field", { ...PLAIN_ORDER, customerEmail: undefined }, "customerEmail: "],
    ["an amount of zero", orderWith({ orderAmount: 0 }), "orderAmount: expected a positive amount"],
    [
      "a name that is too long",
      orderWith({ customerName: "x".repeat(256) }),
      "customerName: expected at most 255",
    ],
    ["half a piece", orderWith({ items: [{ name: "Mug", quantity: 0.5, price: 3 }] }), "items[0].quantity: "],
    ["an unknown field", { ...PLAIN_ORDER, note: "gift" }, "note"],
    [
      "an unknown field of an address",
      { ...PLAIN_ORDER, shippingAddress: { ...PLAIN_ORDER.shippingAddress, zip: "1" } },
      "shippingAddress.zip: unknown field",
    ],
    [
      "an unknown field of the payment",
      { ...PLAIN_ORDER, paymentInfo: { cvv: "1" } },
      "paymentInfo.cvv: unknown field",
    ],
    [
      "an unknown field of an item",
      { ...PLAIN_ORDER, items: [{ name: "Mug", quantity: 1, price: 3, weight: 2 }] },
      "items[0].weight: unknown field",
    ],
  ])("answers 400 for %s, naming the field, and counts the call", async (_what, body, detail) => {
    const { base, service } = await start({ credits: 5 });

    const response = await verify(base, { body });
    const answer = (await response.json()) as { success: boolean; message: string };

    expect(response.status).toBe(400);
    expect(answer.success).toBe(false);
    expect(answer.message).toMatch(/^Invalid request body: /);
    expect(answer.message).toContain(detail);
    expect(service.calls).toMatchObject([{ status: 400, metered: true }]);
    expect(service.credits).toBe(4);
  });

  it("answers 400 for a body not declared as JSON", async () => {
    const { base } = await start();

    const response = await verify(base, { headers: { ...KEY, "content-type": "text/plain" } });

    expect(response.status).toBe(400);
    await expect(response.json()).resolves.toMatchObject({
      message: expect.stringContaining("Content-Type"),
    });
  });

  it("accepts an order with any number of lines", async () => {
    const { base, service } = await start({ keepCalls: 0 });
    const line = { name: "n".repeat(255), quantity: 1, price: 1, sku: "s".repeat(20) };
    const items = Array.from({ length: 20_000 }, () => line);

    const response = await verify(base, { body: orderWith({ items }) });

    expect(response.status).toBe(200);
    expect(service.calls).toEqual([]);
  });

  it("answers 413 for a body of more than 32 megabytes", async () => {
    const { base, service } = await start();

    const response = await verify(base, { body: { ...PLAIN_ORDER, note: "x".repeat(32 * 1024 * 1024) } });

    expect(response.status).toBe(413);
    await expect(response.json()).resolves.toEqual({ success: false, message: "Payload Too Large" });
    expect(service.calls).toMatchObject([{ status: 413, customerEmail: undefined }]);
  });

  it("answers 402 once the credits are used up, until there are more", async () => {
    const { base, service } = await start({ credits: 1 });

    const statuses = [(await verify(base)).status, (await verify(base)).status];
    const refused = await verify(base);
    service.topUp(1);
    statuses.push((await verify(base)).status);

    expect(statuses).toEqual([200, 402, 200]);
    expect(((await refused.json()) as { message: string }).message).toMatch(
      /insufficient.*purchase credits/i,
    );
    expect(service.credits).toBe(0);
    expect(service.calls.map(({ metered }) => metered)).toEqual([true, false, false, true]);
  });

  it("gives every organization its own credits, shared by its keys", async () => {
    const [one, two] = ["one", "two"].map((slug) => {
      return { id: `org_${slug}`, slug, name: slug, role: "member" as const };
    }) as [SandboxOrganization, SandboxOrganization];
    const apiKeys = {
      first: { organizations: [one, { ...two, credits: 5 }] },
      second: { organizations: [one] },
    };
    const { base, service } = await start({ apiKeys, credits: 1 });
    const statusOf = async (key: string, organization: string) =>
      (await verify(base, { headers: { "x-api-key": key }, organization })).status;

    expect([await statusOf("first", "one"), await statusOf("second", "one")]).toEqual([200, 402]);
    expect(await statusOf("first", "two")).toBe(200);
    service.topUp(2, "one");
    expect(await statusOf("second", "org_one")).toBe(200);

    expect([service.creditsOf("one"), service.creditsOf("org_two"), service.credits]).toEqual([1, 4, 5]);
    service.topUp(1);
    expect(service.credits).toBe(7);
    expect(() => service.creditsOf("three")).toThrow("organization");
    const listed = await fetch(new URL("/api/organizations/get", base), {
      headers: { "x-api-key": "first" },
    });
    await expect(listed.json()).resolves.toEqual({ success: true, data: { organizations: [one, two] } });
  });

  it("never sells one credit twice", async () => {
    const { base, service } = await start({ credits: 3, latencyMs: 5 });

    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await verify(base)).status));

    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 402, 402, 402, 402, 402]);
    expect(service.credits).toBe(0);
  });

  it("records every call with its response", async () => {
    const { base, service } = await start({ now: () => 1_700_000_000_000 });

    await verify(base, { body: orderWith({ orderId: "7", customerEmail: "low@risk.example" }) });
    await verify(base, { body: "{" });

    expect(service.calls).toEqual([
      {
        at: 1_700_000_000_000,
        status: 200,
        metered: true,
        riskLevel: "low",
        rule: "low",
        orderId: "7",
        customerEmail: "low@risk.example",
        body: orderWith({ orderId: "7", customerEmail: "low@risk.example" }),
      },
      {
        at: 1_700_000_000_000,
        status: 400,
        metered: true,
        riskLevel: undefined,
        rule: undefined,
        orderId: undefined,
        customerEmail: undefined,
        body: "{",
      },
    ]);
  });
});

describe("rate limit", () => {
  const standing = (response: Response): readonly (string | null)[] =>
    ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"].map((name) =>
      response.headers.get(name),
    );

  it("answers 429 past the limit, and accepts calls again after the reset", async () => {
    let nowMs = 1_700_000_000_500;
    const { base, service } = await start({ rateLimit: { limit: 2, windowMs: 60_000 }, now: () => nowMs });

    const first = await verify(base);
    const second = await verify(base);
    const third = await verify(base);
    nowMs = Number(third.headers.get("x-ratelimit-reset")) * 1000;
    const later = await verify(base);

    expect([first, second, third, later].map(({ status }) => status)).toEqual([200, 200, 429, 200]);
    expect([first, second, third].map(standing)).toEqual([
      ["2", "1", "1700000061"],
      ["2", "0", "1700000061"],
      ["2", "0", "1700000061"],
    ]);
    await expect(third.json()).resolves.toEqual({ success: false, message: "Rate limit exceeded" });
    expect(service.calls.map(({ metered }) => metered)).toEqual([true, true, false, true]);
  });

  it("applies to each key separately, if the key has one", async () => {
    const organizations = [{ id: "org_1", slug: "sandbox", name: "One", role: "owner" as const }];
    const apiKeys = { a: { organizations, rateLimit: { limit: 1, windowMs: 5_000 } }, b: { organizations } };
    const rateLimit = { limit: 7, windowMs: 60_000 };
    let nowMs = 1_700_000_000_000;
    const { base } = await start({ apiKeys, rateLimit, now: () => nowMs });
    const send = (key: string) => verify(base, { headers: { "x-api-key": key } });

    const answers = [await send("a"), await send("a"), await send("b")];
    nowMs += 5_000;
    answers.push(await send("a"));

    expect(answers.map(({ status }) => status)).toEqual([200, 429, 200, 200]);
    expect(answers.map(standing)).toEqual([
      ["1", "0", "1700000005"],
      ["1", "0", "1700000005"],
      ["7", "6", "1700000060"],
      ["1", "0", "1700000010"],
    ]);
  });

  it.each<[number, (base: URL) => Promise<Response>]>([
    [403, (base) => verify(base, { organization: "elsewhere" })],
    [404, (base) => fetch(new URL("/api/products/get", base), { headers: KEY })],
    [405, (base) => fetch(new URL("/api/organizations/get", base), { headers: KEY, method: "POST" })],
  ])("counts a %d like any other request with the key, and reports the key's limit", async (status, send) => {
    const { base } = await start({ rateLimit: { limit: 2, windowMs: 60_000 } });
    await verify(base);

    const answers = [await send(base), await send(base)];

    expect(answers.map((answer) => answer.status)).toEqual([status, 429]);
    expect(answers.map((answer) => standing(answer).slice(0, 2))).toEqual([
      ["2", "0"],
      ["2", "0"],
    ]);
  });

  it("counts each key separately", async () => {
    const organizations = [{ id: "org_1", slug: "sandbox", name: "One", role: "owner" as const }];
    const rateLimit = { limit: 1, windowMs: 60_000 };
    const { base } = await start({ apiKeys: { a: { organizations }, b: { organizations } }, rateLimit });

    const statuses: number[] = [];
    for (const key of ["a", "b", "a"])
      statuses.push((await verify(base, { headers: { "x-api-key": key } })).status);

    expect(statuses).toEqual([200, 200, 429]);
  });

  it.each<[number, (base: URL) => Promise<Response>]>([
    [200, (base) => verify(base)],
    [200, (base) => fetch(new URL("/api/organizations/get", base), { headers: KEY })],
    [400, (base) => verify(base, { body: "{" })],
    [401, (base) => verify(base, { headers: {} })],
    [403, (base) => verify(base, { organization: "elsewhere" })],
    [404, (base) => fetch(new URL("/api/products/get", base))],
    [405, (base) => fetch(new URL("/api/organizations/get", base), { method: "POST" })],
    [429, (base) => verify(base, withEmail("error-429@risk.example"))],
    [500, (base) => verify(base, withEmail("error-500@risk.example"))],
  ])("is reported with every %d", async (status, send) => {
    const { base } = await start();

    const response = await send(base);

    expect(response.status).toBe(status);
    expect(standing(response)).toEqual([
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^\d{10}$/),
    ]);
  });
});

describe("GET /api/organizations/get", () => {
  it("lists the organizations that the key reaches, for free", async () => {
    const { base, service } = await start({ credits: 0 });

    const response = await fetch(new URL("/api/organizations/get", base), { headers: KEY });

    expect(response.status).toBe(200);
    await expect(response.json()).resolves.toEqual({
      success: true,
      data: { organizations: [{ id: "org_sandbox", slug: "sandbox", name: "Sandbox", role: "owner" }] },
    });
    expect(service.calls).toEqual([]);
  });

  it.each([
    [401, "Missing API Key", {}],
    [403, "Invalid API Key", { "x-api-key": "nope" }],
  ])("answers %d %s", async (status, message, headers) => {
    const { base } = await start();

    const response = await fetch(new URL("/api/organizations/get", base), { headers });

    expect(response.status).toBe(status);
    await expect(response.json()).resolves.toEqual({ success: false, message });
  });
});

describe("SandboxService", () => {
  it("ends calls without an answer when it closes", async () => {
    const { base, service } = await start({ credits: 5, latencyMs: 60_000 });
    const call = verify(base);
    const ended = expect(call).rejects.toThrow();
    await until(() => expect(service.credits).toBe(4));

    await service.close();

    await ended;
    expect(service.calls).toMatchObject([{ status: null, metered: true }]);
  });

  it("lets calls under way end when it closes with grace, and accepts no more", async () => {
    const { base, service } = await start({ latencyMs: 300 });
    const call = verify(base);
    await until(() => expect(service.calls.length).toBe(1));

    const closed = service.close({ graceMs: 60_000 });
    await expect(verify(base)).rejects.toThrow();

    const response = await call;
    expect(response.status).toBe(200);
    expect(response.headers.get("connection")).toBe("close");
    await closed;
  });

  it("ends the grace period when it is over, or when it is closed again", async () => {
    const { base, service } = await start({ latencyMs: 60_000 });
    for (const again of [false, true]) {
      const ended = expect(verify(base)).rejects.toThrow();
      await until(() => expect(service.calls.length).toBe(again ? 2 : 1));

      const closed = service.close({ graceMs: again ? 60_000 : 20 });
      if (again) await service.close();

      await Promise.all([closed, ended]);
      if (!again) await service.listen(Number(base.port));
    }
  });

  it("records as many calls as configured", async () => {
    const { base, service } = await start({ keepCalls: 1 });

    for (const orderId of ["1", "2"]) await verify(base, { body: orderWith({ orderId }) });

    expect(service.calls).toMatchObject([{ orderId: "2" }]);
  });

  it("reports how every request ended, without personal data", async () => {
    const heard: ServedRequest[] = [];
    const { base } = await start({ onRequest: (request) => heard.push(request), credits: 3 });

    await verify(base, withEmail("score-61@risk.example"));
    await verify(base, { headers: {} });
    await verify(base, withEmail("reset@risk.example")).catch(() => undefined);
    await fetch(new URL("/api/organizations/get", base), { headers: KEY });
    await fetch(new URL("/nowhere", base));

    expect(heard).toMatchObject([
      {
        kind: "verification",
        status: 200,
        riskLevel: "high",
        rule: "score-61",
        metered: true,
        creditsLeft: 2,
      },
      { kind: "verification", status: 401, riskLevel: undefined, rule: undefined, metered: false },
      { kind: "verification", status: null, ended: "reset", metered: true, creditsLeft: 1, orderId: "1001" },
      { kind: "organizations", method: "GET", status: 200, metered: false },
      { kind: "unknown", status: 404 },
    ]);
    expect(JSON.stringify(heard)).not.toMatch(/@|Jane|Harbour/);
  });

  it("reports a caller that disconnected before its answer", async () => {
    const heard: ServedRequest[] = [];
    const { base, service } = await start({ onRequest: (request) => heard.push(request), latencyMs: 60_000 });
    const caller = new AbortController();
    const ended = expect(verify(base, { signal: caller.signal })).rejects.toThrow();
    await until(() => expect(service.calls.length).toBe(1));

    caller.abort();

    await until(() => expect(heard).toMatchObject([{ ended: "caller-left", status: null, metered: true }]));
    await ended;
  });

  it("can listen again, on the same port, after it was closed", async () => {
    const { base, service } = await start();
    await service.close();
    await expect(verify(base)).rejects.toThrow();

    const again = await service.listen(Number(base.port));

    expect(again.href).toBe(base.href);
    expect((await verify(again)).status).toBe(200);
  });

  it("can be closed twice", async () => {
    const { service } = await start();

    await service.close();

    await expect(service.close()).resolves.toBeUndefined();
  });

  it("rejects with Node's own error when the port is taken", async () => {
    const { base } = await start();

    await expect(createSandboxService().listen(Number(base.port))).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
  });

  it("survives a caller that disconnects in the middle of its body", async () => {
    const { base, service } = await start();
    const socket = connect(Number(base.port), "127.0.0.1");
    await once(socket, "connect");
    socket.write(
      "POST /api/sandbox/order-verification HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{",
    );
    socket.destroy();

    expect((await verify(base)).status).toBe(200);
    expect(service.calls).toHaveLength(1);
  });

  it("serves HTTPS with a certificate", async () => {
    const tls = createSelfSigned();
    const { base } = await start({ tls });

    const request = httpsRequest(new URL("/api/organizations/get", base), { headers: KEY, ca: tls.cert });
    request.end();
    const [response] = (await once(request, "response")) as [{ statusCode: number; resume: () => void }];
    response.resume();

    expect(base.protocol).toBe("https:");
    expect(response.statusCode).toBe(200);
  });

  it.each<[string, SandboxServiceOptions]>([
    ["credits", { credits: -1 }],
    ["credits", { credits: Number.NaN }],
    ["latencyMs", { latencyMs: -5 }],
    ["keepCalls", { keepCalls: -1 }],
    ["rateLimit.limit", { rateLimit: { limit: 0, windowMs: 1_000 } }],
    ["rateLimit.windowMs", { rateLimit: { limit: 1, windowMs: 0 } }],
    ["rateLimit.limit", { apiKeys: { a: { organizations: [], rateLimit: { limit: 0, windowMs: 1 } } } }],
  ])("refuses invalid options: %s", (option, options) => {
    expect(() => createSandboxService(options)).toThrow(
      expect.toSatisfy(
        (error: unknown) => isHoldfastError(error, "CONFIG_INVALID") && error.message.startsWith(option),
      ),
    );
  });
});
