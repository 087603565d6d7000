import { describe, expect, it, onTestFinished } from "vitest";
import { createManagementClient, isHoldfastError } from "../../src/management.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { sendJson, startServer } from "../service/loopback.ts";

async function connect(url: string | URL) {
  const client = createManagementClient({ url, token: SANDBOX_API_KEY, retries: 1, wait: async () => {} });
  onTestFinished(() => client.close());
  return client;
}

async function start() {
  const submissions = Array.from({ length: 45 }, (_, index) => ({ id: `s${index}` }));
  const service = createSandboxService({
    management: {
      me: { id: "u1" },
      workspaces: [{ id: "w1", name: "Shop", plan: "pro", members: [{ id: "u1" }] }],
      sites: [
        { id: "site", name: "Site", domain: { domain: "shop.example" }, forms: [{ id: "f1", submissions }] },
      ],
    },
  });
  onTestFinished(() => service.close());
  return connect(await service.listen());
}

describe("createManagementClient", () => {
  it("reads records, and lists page by page", async () => {
    const client = await start();

    const all = await client.forms.submissions("site", "f1", { perPage: 20 }).all();
    const second = await client.forms.submissions("site", "f1", { page: 2, perPage: 20 }).page();

    expect(await client.me.get()).toEqual({ id: "u1" });
    expect(await client.workspaces.get("w1")).toMatchObject({ name: "Shop", plan: "pro" });
    expect(await client.sites.domain("site")).toEqual({ domain: "shop.example" });
    expect(all).toHaveLength(45);
    expect(second).toMatchObject({ page: 2, total: 45, totalPages: 3 });
    expect(second.entries[0]).toEqual({ id: "s20" });
  });

  it("manages webhooks: secret, test, deliveries and replay", async () => {
    const client = await start();
    const receiver = await startServer((response) => response.end());
    const made = (await client.webhooks.create({
      workspaceId: "w1",
      name: "Shop",
      url: receiver.url,
      events: ["test"],
    })) as { id: string };

    await client.webhooks.test(made.id);
    const before = await client.webhooks.secret(made.id);
    const after = await client.webhooks.rotateSecret(made.id);
    const [delivery] = await client.webhooks.deliveries(made.id).all();
    await client.webhooks.replay(made.id, String(delivery?.["id"]));
    await client.webhooks.delete(made.id);
    const gone = await client.webhooks.get(made.id).catch((error: unknown) => error);

    expect(receiver.seen.map(({ body }) => (JSON.parse(body) as { event: string }).event)).toEqual([
      "test",
      "test",
    ]);
    expect(after).not.toEqual(before);
    expect(JSON.stringify(made)).not.toContain("whsec_");
    expect(isHoldfastError(gone, "SERVICE_NOT_FOUND")).toBe(true);
  });

  it("sends nothing that can't be right, and names the field", async () => {
    const server = await startServer((response) => sendJson(response, 200, { ok: true, data: [], meta: {} }));
    const client = await connect(server.url);
    const webhook = { workspaceId: "", name: "n", url: "nowhere", events: [] };

    const refusal = { code: "INPUT_INVALID", metered: "no" };

    // A call rejects, also for one who handles its failure with `catch` alone. A list isn't read yet.
    await expect(client.sites.get("..")).rejects.toMatchObject({ ...refusal, fields: [{ path: "siteId" }] });
    await expect(client.webhooks.create(webhook)).rejects.toMatchObject(refusal);
    const options = { signal: {} as AbortSignal };
    const wrong = { code: "CONFIG_INVALID", message: expect.stringContaining('"signal"') };
    await expect(client.me.get(options)).rejects.toMatchObject(wrong);
    for (const given of [{ page: 0 }, { perPage: 1.5 }]) {
      expect(() => client.sites.list(given)).toThrow(expect.objectContaining(refusal) as Error);
    }
    expect(server.seen).toEqual([]);
  });

  it("uses the token as a bearer token alone, and repeats reads but no writes", async () => {
    const server = await startServer((response) => sendJson(response, 503, { ok: false }));
    const client = await connect(server.url);

    await expect(client.sites.list().page()).rejects.toMatchObject({ code: "SERVICE_FAILED" });
    await expect(client.webhooks.delete("w")).rejects.toMatchObject({ code: "SERVICE_FAILED" });

    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /api/v1/sites?page=1",
      "GET /api/v1/sites?page=1",
      "DELETE /api/v1/webhooks/w",
    ]);
    expect(server.seen[0]?.headers).toMatchObject({ authorization: `Bearer ${SANDBOX_API_KEY}` });
    expect(server.seen[0]?.headers["x-api-key"]).toBeUndefined();
  });

  it("ends a list whose meta it can't read, where the last page is shown again and again", async () => {
    const pages = [["a", "b"], ["c"]].map((ids) => ids.map((id) => ({ id })));
    const server = await startServer((response, { url = "" }) => {
      const page = Number(new URL(url, "http://localhost").searchParams.get("page"));
      sendJson(response, 200, { ok: true, data: pages[page - 1] ?? pages.at(-1), meta: { last_page: 2 } });
    });
    const client = await connect(server.url);

    const sites = await client.sites.list().all({ max: 20 });

    expect(sites.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(server.seen).toHaveLength(3);
  });

  it.each([{ ok: true }, { ok: true, data: null }])(
    "takes %j for a call that was carried out",
    async (body) => {
      const server = await startServer((response) => sendJson(response, 200, body));
      const client = await connect(server.url);

      await expect(client.webhooks.delete("w")).resolves.toBeNull();
      await expect(client.webhooks.replay("w", "d")).resolves.toBeNull();
      await expect(client.me.get()).rejects.toMatchObject({ code: "SERVICE_MALFORMED" });
    },
  );

  it("calls its option by its name", () => {
    expect(() => createManagementClient({ url: "https://example.com", token: "" })).toThrow("`token`");
  });

  it("gives what an answer without a method of its own has: its data, a list's meta too, or all of it", async () => {
    const answers = [
      { ok: true, data: { id: "x" } },
      { ok: true, data: [{ id: "x" }], meta: { page: 1, total: 7 } },
      { status: "fine" },
      [1, 2],
    ];
    const left = [...answers];
    const server = await startServer((response) => sendJson(response, 200, left.shift()));
    const client = await connect(server.url);
    const read = () => client.request("GET", "/anything");

    expect(await read()).toEqual({ id: "x" });
    expect(await read()).toEqual({ data: [{ id: "x" }], meta: { page: 1, total: 7 } });
    expect(await read()).toEqual({ status: "fine" });
    expect(await read()).toEqual([1, 2]);
  });

  it("doesn't take a page in place of an answer for a success, and sends nothing again", async () => {
    const server = await startServer((response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<!doctype html><title>Sign in</title>");
    });
    const client = await connect(server.url);

    const calls = [
      () => client.request("POST", "/anything", { body: {} }),
      () => client.webhooks.delete("w1"),
    ] as const;
    for (const call of calls)
      await expect(call()).rejects.toMatchObject({
        code: "SERVICE_MALFORMED",
        safeToRepeat: false,
        message: expect.stringContaining("not JSON"),
      });
    expect(server.seen).toHaveLength(2);
  });

  it("takes an empty answer for a success of a call that changes something", async () => {
    const server = await startServer((response) => response.writeHead(204).end());
    const client = await connect(server.url);

    expect(await client.request("POST", "/anything", { body: {} })).toBeNull();
  });
});
