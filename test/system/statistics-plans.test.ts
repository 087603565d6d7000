import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  sql,
  type Dialect,
  type LogEvent,
  type SqlBool,
} from "kysely";
import * as driver from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import type { Engine } from "../../src/store/engines/engine.ts";
import { createKeyring } from "../../src/store/sealing/keyring.ts";
import { createSealer } from "../../src/store/sealing/sealing.ts";
import { createPacer } from "../../src/store/engines/pacing.ts";
import { createPostgresPool } from "../../src/store/engines/postgres/postgres-pool.ts";
import type { Schema } from "../../src/store/schema/schema.ts";
import { ROWS_PER_SLICE, toSlices } from "../../src/store/slices.ts";
import { createNodeSqliteDialect } from "../../src/store/engines/sqlite/sqlite-engine.ts";
import { createSqliteStore } from "../../src/store/opening/sqlite-store.ts";
import { listOrders } from "../../src/store/orders/order-lists.ts";
import { createOrderReader } from "../../src/store/orders/order-reader.ts";
import { readCreditUse } from "../../src/store/credits/budget.ts";
import { createStatistics } from "../../src/store/figures/statistics.ts";
import { createDatabase } from "../support/postgres-database.ts";
import { T0, TENANT } from "../store/samples.ts";

const DAY_MS = 86_400_000;
const ORDERS = 100_000;
const dataKey = randomBytes(32);
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Ninety days of orders: one in a thousand held, one in ten thousand not done yet. */
const seed = (numbers: string, content: string): string => {
  const at = `(${T0} - cast(n as bigint) * ${Math.floor((90 * DAY_MS) / ORDERS)})`;
  return `insert into orders (tenant, order_id, platform, name, received_at, state, attempts, enriched, mapped, decision,
    risk_level, action, degraded, decided_at, first_decided_at, hold_deadline_at)
    select '${TENANT}', 'o' || n, 'shopify', '#' || n, ${at},
      case when n % 10000 = 0 then 'waiting' when n % 1000 = 0 then 'review' else 'settled' end, 0, 1, ${content}, '{}',
      'low', 'allow', 0, ${at} + n % 5000, ${at} + n % 5000, case when n % 1000 = 0 then ${at} end from ${numbers}`;
};

/** Every query of the statistics, once. */
async function ask(dialect: Dialect, kind: Engine["dialect"]) {
  const queries: CompiledQuery[] = [];
  const log = (event: LogEvent) => void queries.push(event.query);
  const db = new Kysely<Schema>({ dialect, log });
  closing.push(() => db.destroy());
  const unused = () => {
    throw new Error("not used here");
  };
  const engine: Engine = {
    dialect: kind,
    isShared: kind === "postgres",
    onBehalfOf: unused,
    read: (query) => query(db),
    write: unused,
    selectDue: unused,
    leaseClock: unused,
    processId: unused,
    ownsLeasesOf: unused,
    onLeasesLost: unused,
    announceWork: unused,
    onWork: unused,
    scrub: unused,
    close: unused,
  };
  const keyring = createKeyring(dataKey);
  const sealer = createSealer(keyring, SILENT_LOGGER);
  const context = { engine, keyring, sealer, logger: SILENT_LOGGER, pace: createPacer() };
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
  const asked = [...queries];
  for (const newestFirst of [false, true]) {
    for await (const { sinceMs, untilMs } of toSlices(context, { ...scan, newestFirst })) {
      const { rows } = await sql<{ rows: number }>`select count(*) as rows from orders
        where ${where} and received_at >= ${sinceMs} and received_at < ${untilMs}`.execute(db);
      slices.push(Number(rows[0]?.rows));
    }
  }
  queries.length = 0;
  const listed = await listOrders(context, TENANT, { action: "allow", limit: 4_500 });
  const none = await listOrders(context, TENANT, { degraded: true, limit: 50 });
  expect(none).toEqual({ orders: [], nextCursor: null });
  await listOrders(context, TENANT, { state: "settled", level: "critical", limit: 50 });
  const lists = queries.splice(0);
  await createOrderReader(context).listCalls({ tenant: TENANT, orderId: "o5" });
  await readCreditUse(context, TENANT, { dayStartMs: T0, monthStartMs: T0 - 30 * DAY_MS });
  const calls = queries.splice(0);
  return { db, asked, slices, listed, lists, calls };
}

describe(`the queries of an overview and a list over ${ORDERS.toLocaleString("en")} orders`, () => {
  it("use indexes in SQLite", async () => {
    const folder = mkdtempSync(join(tmpdir(), "holdfast-statistics-"));
    closing.push(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "holdfast.db");
    await (await createSqliteStore({ path, dataKey })).close();
    const connection = new DatabaseSync(path);
    connection.exec("pragma synchronous = off");
    connection.exec(
      seed(
        `(with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${ORDERS})
        select n from counted)`,
        "zeroblob(800)",
      ),
    );

    const dialect = createNodeSqliteDialect(connection);
    const { asked, slices, listed, lists, calls } = await ask(dialect, "sqlite");

    const explain = ({ sql: text, parameters }: CompiledQuery): string =>
      connection
        .prepare(`explain query plan ${text}`)
        .all(...(parameters as string[]))
        .map(({ detail }) => String(detail))
        .join("\n");
    const plans = asked.map(explain);
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
    expect(explain(calls[0] as CompiledQuery)).toContain("attempts_of_order");
    // What was spent is known by the day.
    for (const query of calls.slice(1)) expect(query.sql).not.toContain("attempts");
  });

  it("use indexes in Postgres", async () => {
    const database = await createDatabase();
    const { url } = database;
    closing.push(() => database.drop());
    await database.query(
      seed(`generate_series(1, ${ORDERS}) as numbers(n)`, "decode(repeat('00', 800), 'hex')"),
    );
    // As autovacuum leaves it: without it, every row is checked for visibility.
    await database.query("vacuum analyze orders");
    const pool = createPostgresPool({ driver, url, size: 1, unhurried: true, logger: SILENT_LOGGER });
    const { db, asked } = await ask(new PostgresDialect({ pool }), "postgres");

    const plans: string[] = [];
    for (const { sql: text, parameters } of asked) {
      const explain = CompiledQuery.raw(`explain ${text}`, [...parameters]);
      const { rows } = await db.executeQuery<Record<string, string>>(explain);
      plans.push(rows.flatMap((row) => Object.values(row)).join("\n"));
    }
    const scans = plans.filter((_plan, index) => asked[index]?.sql.includes("received_at >="));
    for (const plan of scans)
      expect(plan).toMatch(/Index Only Scan (?:Backward )?using orders_(?:stat|newest)/);
    const queue = plans.filter((_plan, index) => asked[index]?.sql.includes('as "expiringSoon"'));
    expect(queue.join()).toMatch(/orders_(?:queue|of_state)/);
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on (?:orders|deliveries)/);
  });
});
