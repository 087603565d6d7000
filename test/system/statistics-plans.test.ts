import { sql, type CompiledQuery, type SqlBool } from "kysely";
import { describe, expect, it } from "vitest";
import { ROWS_PER_SLICE, toSlices } from "../../src/store/slices.ts";
import { listOrders, readOrders } from "../../src/store/orders/order-lists.ts";
import { totalOrders } from "../../src/store/orders/order-totals.ts";
import { createOrderReader } from "../../src/store/orders/order-reader.ts";
import { readCreditUse } from "../../src/store/credits/budget.ts";
import { createStatistics } from "../../src/store/figures/statistics.ts";
import { T0, TENANT } from "../store/samples.ts";
import { openPostgres, openSqlite, type Seed, type WatchedDatabase } from "./query-plans.ts";

const DAY_MS = 86_400_000;
const ORDERS = 100_000;
/** Ninety days of orders: one in a thousand held, one in ten thousand not done yet. */
const toSeed: Seed = (numbers, kind) => {
  const content = kind === "postgres" ? "decode(repeat('00', 800), 'hex')" : "zeroblob(800)";
  const at = `(${T0} - cast(n as bigint) * ${Math.floor((90 * DAY_MS) / ORDERS)})`;
  return [
    `insert into orders (tenant, order_id, platform, name, received_at, state, attempts, enriched, mapped, decision,
    risk_level, action, degraded, decided_at, first_decided_at, hold_deadline_at)
    select '${TENANT}', 'o' || n, 'shopify', '#' || n, ${at},
      case when n % 10000 = 0 then 'waiting' when n % 1000 = 0 then 'review' else 'settled' end, 0, 1, ${content}, '{}',
      'low', 'allow', 0, ${at} + n % 5000, ${at} + n % 5000, case when n % 1000 = 0 then ${at} end from ${numbers(ORDERS)}`,
  ];
};

/** By which index a query of a search should find its orders. */
function toWantedIndex(text: string): string {
  if (/ name (?:in|>=)/.test(text)) return "orders_name";
  if (text.includes("email_digest =")) return "orders_email";
  if (text.includes("amount >=")) return "orders_amount";
  return /order_id"? (?:=|in)/.test(text)
    ? "(?:orders_key|sqlite_autoindex_orders)"
    : "orders_(?:newest|of_state|country)";
}

/** Every query of the statistics, once. */
async function ask({ db, context, takeQueries }: WatchedDatabase) {
  const statistics = createStatistics(context);
  const window = { sinceMs: T0 - 30 * DAY_MS, untilMs: T0 + DAY_MS };
  const tallies = await statistics.tallyDays(TENANT, window);
  expect(tallies.reduce((sum, { orders }) => sum + orders, 0)).toBeGreaterThan(ORDERS / 4);
  expect(await statistics.decisionTimes(TENANT, window)).toMatchObject({ orders: 10_000 });
  expect(await statistics.queueFigures(TENANT, { nowMs: T0, soonMs: T0 })).toMatchObject({ held: 90 });
  expect(await statistics.backlog(TENANT)).toMatchObject({ pending: 10 });
  expect(await statistics.findDecided(TENANT)).toEqual({ real: true, sandbox: false });
  const slices: number[] = [];
  const where = sql<SqlBool>`tenant = ${TENANT}`;
  const scan = { table: "orders", tenant: TENANT, ...window } as const;
  const asked = takeQueries();
  for (const newestFirst of [false, true]) {
    for await (const { sinceMs, untilMs } of toSlices(context, { ...scan, newestFirst })) {
      const { rows } = await sql<{ rows: number }>`select count(*) as rows from orders
        where ${where} and received_at >= ${sinceMs} and received_at < ${untilMs}`.execute(db);
      slices.push(Number(rows[0]?.rows));
    }
  }
  takeQueries();
  const listed = await listOrders(context, TENANT, { action: "allow", limit: 4_500 });
  const none = await listOrders(context, TENANT, { degraded: true, limit: 50 });
  expect(none).toEqual({ orders: [], nextCursor: null, searchedNewest: null, cutAt: null });
  await listOrders(context, TENANT, { state: "settled", level: "critical", limit: 50 });
  const lists = takeQueries();
  const filter = { action: "allow", state: "settled", country: "US", sinceMs: T0 - 60 * DAY_MS } as const;
  // Any of these would read every order if it used the wrong index, or none.
  for (const search of ["#o5", "jane@shop.example", "59.90", "59", "jane"])
    await listOrders(context, TENANT, { ...filter, search, limit: 50 });
  const searches = takeQueries();
  // Nobody's, but older orders weren't looked at.
  const since = { sinceMs: T0 - 60 * DAY_MS, search: "jane" } as const;
  expect(await totalOrders(context, TENANT, since)).toMatchObject({
    orders: 0,
    isComplete: false,
  });
  takeQueries();
  const whole: string[] = [];
  // Sorted by nothing but the ID, which isn't the order of time.
  for await (const some of readOrders(context, TENANT, { sort: "score", sinceMs: T0 - 20 * DAY_MS }))
    whole.push(...some.map(({ orderId }) => orderId));
  expect(whole).toHaveLength(Math.floor(ORDERS / 4.5));
  expect(whole).toEqual(whole.toSorted());
  const exported = takeQueries();
  const keep = async (orders: readonly { readonly orderId: string }[]) =>
    new Set(orders.map(({ orderId }) => orderId).filter((id) => id.endsWith("99")));
  const chosen = { sort: "score", accept: keep, limit: 40, sinceMs: T0 - 20 * DAY_MS } as const;
  expect((await listOrders(context, TENANT, chosen)).orders).toHaveLength(40);
  const pages = takeQueries();
  await createOrderReader(context).listCalls({ tenant: TENANT, orderId: "o5" });
  await readCreditUse(context, TENANT, { dayStartMs: T0, monthStartMs: T0 - 30 * DAY_MS });
  const calls = takeQueries();
  return { asked, slices, listed, lists, searches, exported, pages, calls };
}

describe(`the queries of an overview and a list over ${ORDERS.toLocaleString("en")} orders`, () => {
  it("use indexes in SQLite", async () => {
    const database = await openSqlite(toSeed);
    const { asked, slices, listed, lists, searches, exported, pages, calls } = await ask(database);

    const explain = async (query: CompiledQuery) => (await database.explain(query)).join("\n");
    const plans = await Promise.all(asked.map(explain));
    for (const plan of plans) expect(plan).not.toMatch(/SCAN (?:orders|deliveries)/);
    const scans = plans.filter((_plan, index) => asked[index]?.sql.includes("received_at >="));
    for (const plan of scans)
      expect(plan).toMatch(/SEARCH orders USING COVERING INDEX orders_(?:stat|newest)/);
    const queue = plans.filter((_plan, index) => asked[index]?.sql.includes('as "expiringSoon"'));
    expect(queue.join()).toMatch(/SEARCH orders USING INDEX orders_(?:queue|of_state)/);
    // Both ways over a month of orders, never more of them in one query than others can wait for.
    expect(Math.max(...slices)).toBe(ROWS_PER_SLICE.sqlite);
    expect(slices.reduce((sum, rows) => sum + rows, 0)).toBeGreaterThan((2 * ORDERS) / 4);
    expect(listed.orders.map(({ orderId }) => orderId)).toEqual(
      Array.from({ length: 4_500 }, (_, index) => `o${index + 1}`),
    );
    expect(listed.nextCursor).not.toBeNull();
    // A list without an index is read in slices, too: two queries for each.
    expect(lists.length).toBeGreaterThan((2 * 2 * ORDERS) / ROWS_PER_SLICE.sqlite);
    for (const query of lists) expect(query.sql).toMatch(/received_at"? < \?/);
    for (const query of searches) {
      if (!/from "?orders"?/.test(query.sql)) continue;
      const plan = await explain(query);
      const wanted = toWantedIndex(query.sql);
      expect([query.sql, plan]).toEqual([query.sql, expect.stringMatching(`USING.* INDEX ${wanted}`)]);
    }
    // A sorted list is compared once for all of a file, and once for all that a page reads.
    const scanned = Math.ceil(ORDERS / 4.5 / ROWS_PER_SLICE.sqlite);
    for (const queries of [exported, pages])
      expect(queries.filter((query) => /received_at/.test(query.sql.split(" where ")[1] ?? ""))).toHaveLength(
        2 * scanned,
      );
    expect(await explain(calls[0] as CompiledQuery)).toContain("attempts_of_order");
    // What was spent is known by the day.
    for (const query of calls.slice(1)) expect(query.sql).not.toContain("attempts");
  });

  it("use indexes in Postgres", async () => {
    // Without a vacuum, every row is checked for visibility.
    const database = await openPostgres(toSeed, "vacuum analyze orders");
    const { asked, searches } = await ask(database);

    const plans: string[] = [];
    for (const query of asked) plans.push((await database.explain(query)).join("\n"));
    const scans = plans.filter((_plan, index) => asked[index]?.sql.includes("received_at >="));
    for (const plan of scans)
      expect(plan).toMatch(/Index Only Scan (?:Backward )?using orders_(?:stat|newest)/);
    const queue = plans.filter((_plan, index) => asked[index]?.sql.includes('as "expiringSoon"'));
    expect(queue.join()).toMatch(/orders_(?:queue|of_state)/);
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on (?:orders|deliveries)/);
    for (const query of searches)
      expect((await database.explain(query)).join("\n")).not.toMatch(/Seq Scan on orders/);
  });
});
