import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/store/store.ts";
import { AS_OPERATOR, AS_SHOP_A, keepOrder, startConsole, type ConsoleApp } from "../console-app.ts";

const NOW_MS = 1_700_000_100_000;
const DAY_MS = 86_400_000;

const replay = (app: ConsoleApp, body: unknown, headers: Record<string, string> = AS_SHOP_A) =>
  app.send("POST", "/api/policy/replay", {
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });

async function startWithOrders(changes: object = {}): Promise<ConsoleApp> {
  const app = await startConsole({ now: () => NOW_MS, ...changes });
  await keepOrder(app.store, "1", { decided: { level: "high", action: "hold" } });
  await keepOrder(app.store, "2", { decided: { level: "low", action: "allow" } });
  await keepOrder(app.store, "3", { tenant: "fake:b.example", decided: { level: "high", action: "hold" } });
  return app;
}

describe("POST /api/policy/replay", () => {
  it("shows what a policy would have decided for the caller's orders, without credits", async () => {
    const app = await startWithOrders();

    const response = await replay(app, { policy: { levels: { high: { action: "cancel" } } }, days: 30 });

    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      since: new Date(NOW_MS - 30 * DAY_MS).toISOString(),
      until: new Date(NOW_MS).toISOString(),
      orders: 2,
      replayed: 2,
      unknown: 0,
      unknownReason: null,
      before: { hold: { orders: 1, amount: { USD: 59.9 } }, allow: { orders: 1 } },
      after: { hold: { orders: 0, amount: {} }, cancel: { orders: 1, amount: { USD: 59.9 } } },
      changes: [{ from: "hold", to: "cancel", orders: 1, amount: { USD: 59.9 } }],
      examples: [{ orderId: "1", name: "#1", from: "hold", to: "cancel", rule: null, outcome: "unknown" }],
      outcomes: { unknown: 1 },
      credits: 0,
    });
  });

  it("looks back 90 days by default", async () => {
    const { since, until } = (await (await replay(await startWithOrders(), { policy: {} })).json()) as {
      since: string;
      until: string;
    };
    expect(Date.parse(until) - Date.parse(since)).toBe(90 * DAY_MS);
  });

  it.each<[body: unknown, paths: readonly string[]]>([
    [
      { policy: { levels: { high: { action: "explode" } }, unheardOf: 1 } },
      ["levels.high.action", "unheardOf"],
    ],
    [{ policy: [] }, [""]],
    [{}, ["policy"]],
    [{ policy: {}, days: 0 }, ["days"]],
    [{ policy: {}, days: 366 }, ["days"]],
    [{ policy: {}, days: 1.5 }, ["days"]],
    [{ policy: {}, day: 1 }, ["day"]],
  ])("refuses %j field by field", async (body, paths) => {
    const response = await replay(await startConsole(), body);
    const { errors } = (await response.json()) as { errors: { path: string }[] };

    expect(response.status).toBe(422);
    expect(errors.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
  });

  it("runs once at a time for a shop, and again afterwards, without making another shop wait", async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const slow =
      (store: Store): Store["figures"]["listDecided"] =>
      async (tenant, page) => {
        if (tenant === "fake:a.example") {
          reach();
          await opened;
        }
        return store.figures.listDecided(tenant, page);
      };
    const base = await startWithOrders();
    const app = await startConsole({
      now: () => NOW_MS,
      store: {
        ...base.store,
        figures: { ...base.store.figures, listDecided: slow(base.store) },
        close: async () => {},
      },
    });

    const first = replay(app, { policy: {} });
    await reached;
    const second = await replay(app, { policy: {} });
    const other = await replay(app, { policy: {} }, { authorization: "Bearer session.of.b" });
    open();

    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(other.status).toBe(200);
    expect((await first).status).toBe(200);
    expect((await replay(app, { policy: {} })).status).toBe(200);
  });

  it("stops when the caller disconnects", async () => {
    const gone = new AbortController();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const base = await startWithOrders();
    const app = await startConsole({
      store: {
        ...base.store,
        close: async () => {},
        figures: {
          ...base.store.figures,
          async listDecided(tenant, page) {
            gone.abort();
            // The server notices after a moment. Without an end, this would go on forever.
            await new Promise((resolve) => setTimeout(resolve, 5));
            const { orders } = await base.store.figures.listDecided(tenant, page);
            return { orders, next: { receivedAtMs: NOW_MS, orderId: "9" } };
          },
        },
        leases: {
          ...base.store.leases,
          async release(name, owner) {
            await base.store.leases.release(name, owner);
            end();
          },
        },
      },
    });

    const asking = app.send("POST", "/api/policy/replay", {
      body: '{"policy":{}}',
      headers: { "content-type": "application/json", ...AS_SHOP_A },
      signal: gone.signal,
    });
    await expect(asking).rejects.toThrow();
    await ended;
    expect(app.log()).not.toContain("a request failed");
  });
});

describe("GET /api/policy/versions", () => {
  const save = (app: ConsoleApp, document: object) =>
    app.store.policies.save("fake:a.example", document, undefined, NOW_MS, "person:7");
  const versionsOf = async (app: ConsoleApp, query = "") =>
    (await (await app.get(`/api/policy/versions${query}`, AS_SHOP_A)).json()) as {
      versions: { version: number; current: boolean }[];
      nextCursor: string | null;
    };

  it("lists saved versions, newest first, with the default at the end", async () => {
    const app = await startConsole();
    expect(await versionsOf(app)).toEqual({
      versions: [{ version: 0, savedAt: null, actor: null, current: true, changes: [] }],
      nextCursor: null,
    });
    await save(app, { mode: "shadow" });
    await save(app, {});

    const savedAt = new Date(NOW_MS).toISOString();
    const changes = [{ kind: "setting", path: "mode" }];
    expect(await versionsOf(app)).toEqual({
      versions: [
        { version: 2, savedAt, actor: "person:7", current: true, changes },
        { version: 1, savedAt, actor: "person:7", current: false, changes },
        { version: 0, savedAt: null, actor: null, current: false, changes: [] },
      ],
      nextCursor: null,
    });
  });

  it.each([1, 2, 3])("comes in pages of %i without gaps or repeats", async (limit) => {
    const app = await startConsole();
    for (let index = 0; index < 4; index += 1) await save(app, {});
    const listed: number[] = [];
    let cursor: string | null = null;
    do {
      const page = await versionsOf(app, `?limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`);
      expect(page.versions.length).toBeLessThanOrEqual(limit);
      listed.push(...page.versions.map(({ version }) => version));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(listed).toEqual([4, 3, 2, 1, 0]);
  });

  it.each(["limit=0", "limit=101", "limit=x", "limit=1&limit=2", "cursor=x", "page=1"])(
    "refuses ?%s",
    async (query) => {
      const app = await startConsole();
      const response = await app.get(`/api/policy/versions?${query}`, AS_SHOP_A);
      expect(response.status).toBe(400);
    },
  );

  it("shows one version as it was saved, only to its own shop", async () => {
    const app = await startConsole();
    await save(app, { mode: "shadow" });

    const show = async (version: string, headers: Record<string, string> = AS_SHOP_A) => {
      const response = await app.get(`/api/policy/versions/${version}`, headers);
      return [response.status, ((await response.json()) as { document?: { mode: string } }).document?.mode];
    };
    expect(await show("1")).toEqual([200, "shadow"]);
    expect(await show("0")).toEqual([200, "active"]);
    expect(await show("1", AS_OPERATOR)).toEqual([404, undefined]);
    for (const version of ["2", "01", "x", "-1", "9999999999", "99999999999"]) {
      expect(await show(version), version).toEqual([404, undefined]);
    }
  });
});
