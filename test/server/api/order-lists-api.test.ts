import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { toTimelineEntry } from "../../../src/pipeline/timeline.ts";
import { AS_SHOP_A, createFakePlatform, keepOrder, startConsole, type ConsoleApp } from "../console-app.ts";

const TENANT = "fake:a.example";
/** A Tuesday, 22:15 UTC: already Wednesday in Tokyo. */
const NOW_MS = 1_700_000_100_000;
const DAY_MS = 86_400_000;

const inTokyo = createFakePlatform({
  readLocale: async () => ({ timeZone: "Asia/Tokyo", currency: "EUR" }),
});

async function startWithOrders(): Promise<ConsoleApp> {
  const app = await startConsole({ now: () => NOW_MS, platforms: [inTokyo] });
  const { store } = app;
  await keepOrder(store, "1", { decided: { level: "low", action: "allow" } });
  await keepOrder(store, "2", { decided: { level: "high", action: "hold" }, state: "review" });
  const cancel = { level: "critical", action: "cancel" } as const;
  await keepOrder(store, "3", { decided: cancel, endings: [{ kind: "cancel-done" }], name: "=HYPERLINK(1)" });
  await keepOrder(store, "1234567890123456789", {
    receivedAtMs: NOW_MS - 3 * DAY_MS,
    decided: { level: "low", action: "allow" },
  });
  await keepOrder(store, "other", { tenant: "fake:b.example" });
  const dispute = { disputeId: "1", orderId: "1", kind: "chargeback", status: "lost" } as const;
  const fraud = { reason: "fraudulent", isFraud: true, initiatedAtMs: NOW_MS };
  const entry = toTimelineEntry(NOW_MS, { kind: "dispute" }, "", "platform");
  await store.outcomes.recordDispute({ tenant: TENANT, orderId: "1" }, { ...dispute, ...fraud }, entry);
  return app;
}

async function find(app: ConsoleApp, query: string): Promise<readonly string[]> {
  const response = await app.get(`/api/orders?${query}`, AS_SHOP_A);
  expect(response.status).toBe(200);
  const { orders } = (await response.json()) as { orders: { orderId: string }[] };
  return orders.map(({ orderId }) => orderId).toSorted();
}

const OLD = "1234567890123456789";

describe("lists of orders", () => {
  it.each([
    ["outcome=charged-back", ["1"]],
    ["outcome=cancelled", ["3"]],
    ["outcome=open", ["2"]],
    ["outcome=unknown", [OLD]],
    ["outcome=shipped", []],
    ["dispute=lost", ["1"]],
    ["country=US", ["1", OLD, "2", "3"]],
    ["country=United%20States&level=low", ["1", OLD]],
    ["country=DE", []],
    ["until=2023-11-12T00:00:00Z", [OLD]],
    // Days are the shop's.
    ["since=2023-11-15", ["1", "2", "3"]],
    ["until=2023-11-14", [OLD]],
    ["since=2023-11-15&until=2023-11-15", ["1", "2", "3"]],
    ["since=2023-11-16", []],
    // By the shop's calendar. The others arrived on the 15th there.
    ["q=2023-11-15", ["1", "2", "3"]],
    ["q=15.11.2023", ["1", "2", "3"]],
    ["q=Nov%2012", [OLD]],
    ["q=12%20November%202023", [OLD]],
    ["q=2023-11", ["1", OLD, "2", "3"]],
    ["q=2023-10", []],
    ["q=2023-11-15&until=2023-11-14T00:00:00Z", []],
    ["q=59.90", ["1", OLD, "2", "3"]],
  ])("?%s", async (query, found) => {
    expect(await find(await startWithOrders(), query)).toEqual(found);
  });

  it.each(["outcome=lost", "dispute=yes", "country=Atlantis", "since=yesterday", "until=2023-11-32"])(
    "refuses ?%s",
    async (query) => {
      const app = await startConsole();
      for (const path of ["orders", "order-totals", "orders.csv"])
        expect((await app.get(`/api/${path}?${query}`, AS_SHOP_A)).status).toBe(400);
    },
  );

  it("sorts by value in the shop's currency, at the owner's rates", async () => {
    const app = await startWithOrders();
    const first = async () => {
      const { orders } = (await (await app.get("/api/orders?sort=amount&limit=1", AS_SHOP_A)).json()) as {
        orders: { orderId: string; value: number | null }[];
      };
      return [orders[0]?.orderId, orders[0]?.value];
    };
    // All amounts are the same and in a currency without a rate, so the ID decides.
    expect(await first()).toEqual(["1", null]);

    await app.store.orders.receive(
      {
        tenant: TENANT,
        orderId: "9",
        platform: "fake",
        name: "#9",
        customerId: undefined,
        receivedAtMs: NOW_MS,
        mapped: { outcome: "unscreenable", reason: "NO_EMAIL", known: {}, test: false, context: {} },
        amount: 1,
        currency: "EUR",
      },
      toTimelineEntry(NOW_MS, { kind: "received", topic: "x" }, "", "platform"),
    );
    expect(await first()).toEqual(["9", 1]);

    const headers = { ...AS_SHOP_A, "content-type": "application/json" };
    const rates = [{ currency: "USD", from: "2023-11-01", rate: 0.9 }];
    await app.send("PUT", "/api/settings", { headers, body: JSON.stringify({ money: { rates } }) });
    expect(await first()).toEqual(["1", 59.9 * 0.9]);
  });

  it("sorts by the bank's deadline as it is shown: one that has passed doesn't count", async () => {
    const app = await startWithOrders();
    const raise = (orderId: string, evidenceDueAtMs: number) => {
      const dispute = { disputeId: `of-${orderId}`, orderId, kind: "chargeback", status: "open" } as const;
      const about = { reason: "fraudulent", isFraud: true, initiatedAtMs: NOW_MS, evidenceDueAtMs };
      const entry = toTimelineEntry(NOW_MS, { kind: "dispute" }, "", "platform");
      return app.store.outcomes.recordDispute({ tenant: TENANT, orderId }, { ...dispute, ...about }, entry);
    };
    await raise("1", NOW_MS);
    await raise("2", NOW_MS + 2 * DAY_MS);
    await raise("3", NOW_MS + DAY_MS);
    const read = async (path: string) => app.get(`/api/${path}?dispute=any&sort=evidence`, AS_SHOP_A);

    const { orders } = (await (await read("orders")).json()) as { orders: object[] };
    expect(orders).toMatchObject([
      { orderId: "3", evidenceDueBy: new Date(NOW_MS + DAY_MS).toISOString() },
      { orderId: "2", evidenceDueBy: new Date(NOW_MS + 2 * DAY_MS).toISOString() },
      { orderId: "1", evidenceDueBy: null },
    ]);
    const file: string[][] = parse(await (await read("orders.csv")).text(), { bom: true });
    const column = file[0]?.indexOf("order_id") ?? -1;
    expect(file.slice(1).map((row) => row[column])).toEqual(['="3"', '="2"', '="1"']);
  });

  it("says when a search found more orders than it lists, and finds those of a day among them", async () => {
    const app = await startWithOrders();
    for (let index = 0; index < 500; index += 1) await keepOrder(app.store, `more${index}`);
    const read = async (path: string) => (await app.get(`/api/${path}`, AS_SHOP_A)).json();

    expect(await read("orders?q=59.90&limit=1")).toMatchObject({ cutAt: 500 });
    expect(await read("order-totals?q=59.90")).toMatchObject({ orders: 500, complete: false });
    expect(await read("order-totals?q=59.90&until=2023-11-14")).toMatchObject({ orders: 1, complete: true });
    expect(await find(app, "q=59.90&until=2023-11-14")).toEqual([OLD]);
  });

  it("adds up what a list shows", async () => {
    const app = await startWithOrders();
    const totals = async (query: string) => (await app.get(`/api/order-totals?${query}`, AS_SHOP_A)).json();

    expect(await totals("")).toEqual({ orders: 4, amount: { USD: 239.6 }, complete: true });
    expect(await totals("outcome=cancelled")).toEqual({ orders: 1, amount: { USD: 59.9 }, complete: true });
    expect(await totals("level=low&dispute=any")).toMatchObject({ orders: 1 });
    expect(await totals("view=queue")).toMatchObject({ orders: 1 });
  });

  it("exports a list with its sort, safe to open in a spreadsheet, and records that", async () => {
    const app = await startWithOrders();
    const headers = { ...AS_SHOP_A, "content-type": "application/json" };
    const money = { rates: [{ currency: "USD", from: "2023-11-01", rate: 0.5 }] };
    await app.send("PUT", "/api/settings", { headers, body: JSON.stringify({ money }) });
    await app.send("POST", "/api/orders/2/approve", { headers, body: "{}" });

    const response = await app.get("/api/orders.csv?sort=age", AS_SHOP_A);
    const text = Buffer.from(await response.arrayBuffer()).toString();
    const rows = parse(text, { bom: true, columns: true }) as Record<string, string>[];

    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="holdfast-orders-2023-11-15.csv"',
    );
    expect(rows.map((row) => row["order_id"])).toEqual([`="${OLD}"`, '="1"', '="2"', '="3"']);
    expect(rows[3]).toEqual({
      order_id: '="3"',
      name: "'=HYPERLINK(1)",
      received_at: "2023-11-15T07:13:20+09:00",
      amount: "59.9",
      currency: "USD",
      value: "29.95",
      value_currency: "EUR",
      country: "US",
      state: "settled",
      risk_level: "critical",
      risk_score: "93",
      action: "cancel",
      reasons: "level:critical",
      factors: expect.any(String) as string,
      decided_by: "service",
      decided_at: "2023-11-15T07:13:21+09:00",
      outcome: "cancelled",
      dispute: "",
      evidence_due_by: "",
    });
    expect(rows[1]).toMatchObject({ outcome: "charged-back", dispute: "chargeback" });
    const { entries } = await app.store.accessLog.list(TENANT, { limit: 1 });
    expect(entries[0]).toMatchObject({ actor: "person:7", what: "export", subject: "orders" });
  });
});

describe("GET /api/order-totals", () => {
  it("notes a search in the access log, because a count says whether somebody's data is there", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1");
    const listWhat = async () =>
      (await app.store.accessLog.list(TENANT, { limit: 10 })).entries.map(({ what }) => what);

    await app.get("/api/order-totals", AS_SHOP_A);
    expect(await listWhat()).toEqual([]);
    await app.get("/api/order-totals?q=jane", AS_SHOP_A);
    expect(await listWhat()).toEqual(["orders"]);
  });
});
