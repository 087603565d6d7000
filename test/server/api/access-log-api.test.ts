import { describe, expect, it } from "vitest";
import { createTestStore } from "../../support/test-store.ts";
import { HoldfastError } from "../../../src/base/errors.ts";
import { AS_OPERATOR, AS_SHOP_A, keepOrder, startConsole, type ConsoleApp } from "../console-app.ts";
import { toTimelineEntry } from "../../../src/pipeline/timeline.ts";

const SHOP_A = "fake:a.example";
const START_MS = Date.UTC(2026, 10, 20, 12);

interface Log {
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  readonly nextCursor: string | null;
}

async function readLog(app: ConsoleApp, query = "", as: Record<string, string> = AS_SHOP_A): Promise<Log> {
  const response = await app.get(`/api/access-log${query}`, as);
  expect(response.status).toBe(200);
  return (await response.json()) as Log;
}

const decided = { level: "high", action: "hold" } as const;

describe("GET /api/access-log", () => {
  it("names who saw an order's content, once in ten minutes", async () => {
    let nowMs = START_MS;
    const app = await startConsole({ now: () => nowMs });
    await keepOrder(app.store, "1", { decided });
    await app.get("/api/orders/1", AS_SHOP_A);
    nowMs += 9 * 60_000;
    await app.get("/api/orders/1", AS_SHOP_A);
    nowMs += 60_000;
    await app.get("/api/orders/1", AS_SHOP_A);

    expect(await readLog(app)).toEqual({
      entries: [
        { at: "2026-11-20T12:10:00.000Z", actor: "person:7", what: "order", subject: "1", orderName: "#1" },
        { at: "2026-11-20T12:00:00.000Z", actor: "person:7", what: "order", subject: "1", orderName: "#1" },
      ],
      nextCursor: null,
    });
  });

  it("says that an order was loaded ahead until somebody views it, and answers the same", async () => {
    const app = await startConsole({ now: () => START_MS });
    for (const id of ["1", "2"]) await keepOrder(app.store, id, { decided });
    const ahead = await app.get("/api/orders/1?ahead=true", AS_SHOP_A);
    await app.get("/api/orders/1/linked?ahead=true", AS_SHOP_A);

    expect((await readLog(app)).entries).toMatchObject([{ what: "ahead", subject: "1" }]);

    const viewed = await app.get("/api/orders/1", AS_SHOP_A);
    await app.get("/api/orders/1/linked", AS_SHOP_A);

    expect(viewed.headers.get("etag")).toBe(ahead.headers.get("etag"));
    expect((await readLog(app, "?what=order")).entries).toMatchObject([{ subject: "1" }]);
    expect((await readLog(app, "?what=linked")).entries).toMatchObject([{ subject: "1" }]);
    expect(await (await app.get("/api/orders/2", AS_SHOP_A)).json()).toEqual(
      await (await app.get("/api/orders/2?ahead=true", AS_SHOP_A)).json(),
    );
  });

  it("calls the holder of the console token the operator", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", { tenant: "default", decided });
    await app.get("/api/orders/1", AS_OPERATOR);

    expect((await readLog(app, "", AS_OPERATOR)).entries).toMatchObject([
      { actor: "operator", subject: "1" },
    ]);
    expect((await readLog(app)).entries).toEqual([]);
  });

  it("includes data requests that were listed and returned", async () => {
    const app = await startConsole({ now: () => START_MS });
    await app.store.reports.save(SHOP_A, "77", JSON.stringify({ requestId: "77", orders: [] }), 1_000);
    await app.get("/api/data-requests", AS_SHOP_A);
    await app.get("/api/data-requests/77", AS_SHOP_A);
    await app.get("/api/data-requests/78", AS_SHOP_A);

    expect((await readLog(app)).entries).toMatchObject([
      { what: "data-request", subject: "77" },
      { what: "data-requests", subject: null },
    ]);
  });

  it("has no entries for lists of orders, unknown orders, strangers, and orders without content", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", { decided });
    await app.store.retention.eraseOrders(
      { tenant: SHOP_A, orderIds: ["1"], customerId: undefined, email: undefined },
      toTimelineEntry(1, { kind: "erased" }, "", "platform"),
    );
    await app.get("/api/orders", AS_SHOP_A);
    await app.get("/api/orders/2", AS_SHOP_A);
    await app.get("/api/orders/1", { authorization: "Bearer wrong" });
    expect((await app.get("/api/orders/1", AS_SHOP_A)).status).toBe(200);

    expect((await readLog(app)).entries).toEqual([]);
  });

  it("pages from newest to oldest", async () => {
    const app = await startConsole();
    for (let index = 0; index < 5; index += 1) {
      await keepOrder(app.store, `o${index}`, { decided });
      await app.get(`/api/orders/o${index}`, AS_SHOP_A);
    }

    const first = await readLog(app, "?limit=3");
    const second = await readLog(app, `?limit=3&cursor=${first.nextCursor}`);

    const subjects = [...first.entries, ...second.entries].map(({ subject }) => subject);
    expect(subjects).toEqual(["o4", "o3", "o2", "o1", "o0"]);
    expect(second.nextCursor).toBeNull();
  });

  it.each(["?limit=0", "?limit=101", "?state=failed", "?actor=x", "?cursor=made-up"])(
    "refuses %s by name",
    async (query) => {
      const app = await startConsole();

      const response = await app.get(`/api/access-log${query}`, AS_SHOP_A);

      expect(response.status).toBe(400);
      const path = /\?(\w+)=/.exec(query)?.[1];
      expect(await response.json()).toMatchObject({ errors: [{ path }] });
    },
  );

  it("is only for its own shop's sessions", async () => {
    const app = await startConsole();

    expect((await app.get("/api/access-log")).status).toBe(401);
  });
});

describe("a read or change that can't be recorded", () => {
  it.each([
    ["the store is away", new HoldfastError("STORE_UNAVAILABLE", "away", { retryable: true })],
    ["something else is wrong", new TypeError("broken")],
  ])("isn't shown or made if %s", async (_, error) => {
    const store = await createTestStore();
    const app = await startConsole({
      store: { ...store, accessLog: { ...store.accessLog, record: () => Promise.reject(error) } },
    });
    await keepOrder(store, "1", { decided });
    await store.reports.save(SHOP_A, "77", JSON.stringify({ secretPart: true }), 1_000);

    for (const path of ["/api/orders/1", "/api/data-requests", "/api/data-requests/77"]) {
      const response = await app.get(path, AS_SHOP_A);
      expect([path, response.status]).toEqual([path, 503]);
      expect(response.headers.get("retry-after")).not.toBeNull();
      expect(await response.text()).not.toMatch(/reasoning|secretPart|preparedAt/);
    }
  });
});
