import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startApp } from "../../src/app.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { parseConfig } from "../../src/config.ts";
import { createSqliteStore } from "../../src/store/engines/sqlite/sqlite-store.ts";
import { ORDER_STATES } from "../../src/store/store.ts";
import { createTestPlatform } from "../support/platform.ts";
import { createRunningClock } from "../support/running-clock.ts";
import { until } from "../support/until.ts";

/** Written by Holdfast at schema 6: one order in each state, its id the state's name, and a delivery. */
const EARLIER = new URL("../fixtures/databases/0.1.0-schema-6.db.gz", import.meta.url);
const DATA_KEY = Buffer.alloc(32, 7);
const TENANT = "test:one.example";
/** The file was written at noon. */
const AN_HOUR_LATER_MS = Date.UTC(2026, 10, 20, 13);

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-earlier-"));
  path = join(folder, "holdfast.db");
  writeFileSync(path, gunzipSync(readFileSync(EARLIER)));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function readOrders() {
  const store = await createSqliteStore({ path, dataKey: DATA_KEY });
  const orders = await Promise.all(
    ORDER_STATES.map((orderId) => store.getOrder({ tenant: TENANT, orderId })),
  );
  await store.close();
  return orders;
}

it("a database of an earlier version opens with every order unchanged", async () => {
  const orders = await readOrders();

  expect(orders.map((order) => order?.state)).toEqual(ORDER_STATES);
  for (const order of orders) {
    expect(order?.customerId).toBe(`customer-${order?.state}`);
    expect(order?.mapped).toMatchObject({ request: { customerEmail: "jane@shop.example" } });
  }
  const held = orders.find((order) => order?.state === "review");
  expect(held).toMatchObject({ decision: { action: "hold" }, result: { riskScore: 70 } });
});

it("an earlier version's database continues: open orders are decided and enforced, others rest", async () => {
  const platform = createTestPlatform();
  const config = parseConfig({
    PORT: "0",
    DATABASE_URL: `sqlite:${path}`,
    DATA_KEY: DATA_KEY.toString("base64"),
  });
  const platforms = [{ name: "test", create: () => platform }];
  const now = createRunningClock(AN_HOUR_LATER_MS);
  const app = await startApp({ config, platforms, logger: SILENT_LOGGER, version: "0.0.0", now });
  const held = new Set(["decided", "enforcing", "review"]);
  const isOver = (state: string): boolean => ["settled", "review", "failed"].includes(state);
  try {
    await until(() => {
      const states = readStates();
      return states.length === ORDER_STATES.length && states.every(isOver);
    });
  } finally {
    await app.stop();
  }

  const after = await readOrders();
  for (const [index, order] of after.entries()) {
    const before = ORDER_STATES[index] ?? "";
    expect(order?.decision === null, before).toBe(before === "failed");
    if (before === "settled" || before === "failed") expect(order?.state, before).toBe(before);
    if (before === "decided" || before === "enforcing") expect(order?.state, before).toBe("review");
  }
  const carriedOut = new Set(platform.enforced.map(({ orderId }) => orderId));
  expect(carriedOut.has("settled"), "an order at rest was touched").toBe(false);
  expect([...held].filter((orderId) => orderId !== "review" && !carriedOut.has(orderId))).toEqual([]);
});

it("keeps what a process of the earlier version reads and writes while it runs beside a newer one", async () => {
  const before = readColumns();
  await readOrders();
  const after = readColumns();

  expect([...before.keys()].filter((column) => !after.has(column))).toEqual([]);
  const tables = new Set([...before.values()].map(({ table }) => table));
  const strange = [...after].filter(([name, column]) => !before.has(name) && tables.has(column.table));
  // The earlier version doesn't name them when it writes a row.
  expect(strange.filter(([, { isRequired }]) => isRequired)).toEqual([]);
  expect(after.size).toBeGreaterThan(before.size);
});

it("shows an earlier version's entries unchanged, and reads from them how an order ended", async () => {
  const told = [
    ["decided", "hold (service): level:high, rule:A, b"],
    ["hold-moot", "already-cancelled"],
    ["hold-impossible", "already-fulfilled"],
    ["settled", "fulfilled"],
    ["settled", "cancelled-on-platform"],
    ["settled", "the platform follows the decision"],
    ["note", "already-cancelled"],
  ] as const;
  const database = new DatabaseSync(path);
  for (const [kind, detail] of told) {
    database.exec(`insert into order_timeline (tenant, order_id, at, kind, detail, actor)
      values ('${TENANT}', 'settled', 1, '${kind}', '${detail}', 'holdfast')`);
  }
  database.exec(`insert into order_steps (tenant, order_id, step, state, detail, memory, at) values
    ('${TENANT}', 'settled', 'tag', 'moot', 'shadow-mode', '{}', 1),
    ('${TENANT}', 'settled', 'cancel', 'impossible', 'already-fulfilled', '{}', 2)`);
  database.exec("update orders set problem = 'hold:goods-open cancel:x' where order_id = 'settled'");
  database.close();
  const store = await createSqliteStore({ path, dataKey: DATA_KEY });
  const key = { tenant: TENANT, orderId: "settled" };
  const entries = (await store.listTimeline(key)).slice(-told.length);
  const steps = await store.listSteps(key);
  const order = await store.getOrder(key);
  await store.close();

  expect(entries.map(({ kind, detail }) => [kind, detail])).toEqual(told);
  expect(entries.map(({ event }) => event)).toEqual([
    undefined,
    { kind: "hold-moot", ended: "cancelled" },
    { kind: "hold-impossible", ended: "shipped" },
    { kind: "settled", problems: [], ended: "shipped" },
    { kind: "settled", problems: [], ended: "cancelled" },
    undefined,
    undefined,
  ]);
  expect(steps.slice(0, 2).map(({ step, cause }) => [step, cause])).toEqual([
    ["tag", "shadow"],
    ["cancel", "shipped"],
  ]);
  expect(order?.problems).toEqual([{ code: "hold:goods-open cancel:x" }]);
});

/** Each column of each table, by table and name. */
function readColumns() {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare(
      `select m.name as "table", c.name as "column", c."notnull" = 1 and c.dflt_value is null as required
       from sqlite_master m join pragma_table_xinfo(m.name) c where m.type = 'table'`,
    )
    .all();
  database.close();
  return new Map(
    rows.map((row) => [
      `${String(row["table"])}.${String(row["column"])}`,
      { table: String(row["table"]), isRequired: row["required"] === 1 },
    ]),
  );
}

function readStates(): readonly string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare("select state from orders").all();
  database.close();
  return rows.map(({ state }) => String(state));
}

it("stores Holdfast's notes about a hold separately from what the platform's adapter remembers about it", async () => {
  const database = new DatabaseSync(path);
  database.exec("delete from order_steps where order_id in ('review', 'settled')");
  database.exec(`insert into order_steps (tenant, order_id, step, state, detail, memory, at) values
    ('${TENANT}', 'review', 'hold', 'done', '', '{"entries":"1 2","warned":"yes","gap":"open"}', 1),
    ('${TENANT}', 'settled', 'hold', 'done', '', '{"entries":"3"}', 1)`);
  database.close();

  const store = await createSqliteStore({ path, dataKey: DATA_KEY });
  const steps = await Promise.all(
    ["review", "settled"].map((orderId) => store.listSteps({ tenant: TENANT, orderId })),
  );
  await store.close();

  expect(steps.flat()).toMatchObject([
    { memory: { entries: "1 2", gap: "open" }, notes: { warned: "yes" } },
    { memory: { entries: "3" } },
  ]);
  expect(steps[1]?.[0]?.notes).toBeUndefined();
});
