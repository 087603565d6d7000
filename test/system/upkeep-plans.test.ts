import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CompiledQuery, Kysely, PostgresDialect, sql, type Dialect, type LogEvent } from "kysely";
import * as driver from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createAccessLog } from "../../src/store/people/access-log.ts";
import { createStatistics } from "../../src/store/figures/statistics.ts";
import type { Engine } from "../../src/store/engines/engine.ts";
import { createKeyring } from "../../src/store/sealing/keyring.ts";
import { createSealer } from "../../src/store/sealing/sealing.ts";
import type { StoreContext } from "../../src/store/context.ts";
import { createOrderReader } from "../../src/store/orders/order-reader.ts";
import { createRetention } from "../../src/store/retention/retention.ts";
import { createPacer } from "../../src/store/engines/pacing.ts";
import { DATABASE_NOW_MS, createPostgresPool } from "../../src/store/engines/postgres/postgres-pool.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { CONSOLE_ACTOR } from "../../src/store/people/person.ts";
import { QUEUE_SORTS } from "../../src/store/store.ts";
import type { Database, Schema } from "../../src/store/schema/schema.ts";
import { createSessionStore } from "../../src/store/people/sessions.ts";
import { createNodeSqliteDialect } from "../../src/store/engines/sqlite/sqlite-engine.ts";
import { createSqliteStore } from "../../src/store/opening/sqlite-store.ts";
import { RETENTION_STEPS } from "../../src/store/retention/retention.ts";
import { createDatabase } from "../support/postgres-database.ts";
import { T0, TENANT, RETENTION_LIMITS } from "../store/samples.ts";

const DAY_MS = 86_400_000;
const ORDERS = 200_000;
/** Filling the tables takes fifteen seconds, and a minute while other tests run. */
const TIMEOUT_MS = 180_000;
/** For tables with fewer rows, or with the same kind of query. */
const OTHERS = 20_000;
const dataKey = randomBytes(32);
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Statements that fill the tables evenly for the last hundred days: about as many rows expire every hour. */
function toSeed(numbers: (rows: number) => string, bytes: string): readonly string[] {
  function insert(table: string, rows: number, values: Readonly<Record<string, string>>): string {
    const at = `(${T0} - cast(n as bigint) * ${(100 * DAY_MS) / rows})`;
    // Already empty, except for the last hours.
    const emptied = `case when ${at} < ${T0 - 30.2 * DAY_MS} then ${at} end`;
    const terms = Object.values(values).map((value) =>
      value.replaceAll("AT", at).replaceAll("EMPTIED", emptied),
    );
    return `insert into ${table} (${Object.keys(values).join(", ")}) select ${terms.join(", ")} from ${numbers(rows)}`;
  }
  const tenant = `'${TENANT}'`;
  const [orderId, platform] = ["'o' || n", "'shopify'"];
  const order = { tenant, order_id: orderId, at: "AT" };
  return [
    insert("orders", ORDERS, {
      tenant,
      order_id: orderId,
      platform,
      name: orderId,
      received_at: "AT",
      state: "case when n in (3, 5, 8) then 'review' else 'settled' end",
      attempts: "0",
      enriched: "1",
      mapped: bytes,
      first_decided_at: "AT",
      erased_at: "EMPTIED",
    }),
    insert("review_claims", ORDERS, { tenant, order_id: orderId, actor: "'person:1'", until_at: "AT" }),
    insert("order_timeline", ORDERS, {
      ...order,
      kind: "'found'",
      detail: "''",
      event: `'{"kind":"found"}'`,
      actor: "'holdfast'",
    }),
    insert("order_steps", ORDERS, { ...order, step: "'tag'", state: "'done'", detail: "''", memory: "''" }),
    insert("order_changes", ORDERS, {
      ...order,
      material: "1",
      content: `case when n between 60000 and 65000 then ${bytes} end`,
    }),
    insert("attempts", ORDERS, {
      attempt_id: "'a' || n",
      tenant,
      fingerprint: "'f' || n",
      order_id: orderId,
      owner: "'p1'",
      state: "'answered'",
      metered: "'yes'",
      started_at: "AT",
      lease_until: "AT",
      erased: "0",
    }),
    insert("answers", OTHERS, {
      tenant,
      fingerprint: "'f' || n",
      order_id: orderId,
      result: bytes,
      asked_at: "AT",
      answered_at: "AT",
      erased_at: "EMPTIED",
    }),
    insert("deliveries", OTHERS, {
      tenant,
      delivery_id: "'d' || n",
      platform,
      topic: "'orders/create'",
      received_at: "AT",
      attempts: "1",
      due_at: "case when n % 1000 = 0 then AT end",
      awaits_installation: "case when n % 7 = 0 and n % 1000 <> 0 then 1 else 0 end",
    }),
    insert("reports", OTHERS, { tenant, request_id: "'r' || n", content: bytes, saved_at: "AT" }),
    insert("savings", OTHERS, { tenant: "'t' || n", reason: "'cached'", hour_at: "AT", saved: "1" }),
    insert("quotas", OTHERS, { tenant, name: "'cancel'", quota_key: orderId, taken_at: "AT" }),
    insert("incidents", OTHERS, { tenant, name: orderId, told_at: "AT", quiet_until: "AT" }),
    insert("attempt_sources", OTHERS, { tenant, source: "'s' || n", level: "1", at: "AT", braked: "0" }),
    insert("velocity", OTHERS, { tenant, order_key: orderId, at: "AT", passing: "0" }),
    insert("access_log", OTHERS, {
      tenant,
      at: "AT",
      actor: "'operator'",
      what: "'order'",
      subject: orderId,
    }),
    insert("order_outcomes", ORDERS, { tenant, order_id: orderId, observed_at: "AT", content: "'{}'" }),
    insert("disputes", ORDERS, {
      tenant,
      dispute_id: "'d' || n",
      order_id: orderId,
      kind: "'chargeback'",
      status: "'lost'",
      reason: "'fraudulent'",
      is_fraud: "1",
      initiated_at: "AT",
      seen_at: "AT",
    }),
    insert("tenants", OTHERS, {
      tenant: "'shop' || n",
      platform,
      state: "'installed'",
      installed_at: "AT",
    }),
    insert("sessions", OTHERS, {
      session_digest: "'s' || n",
      tenant,
      actor: "'person:' || n",
      credential: "'c'",
      created_at: "AT",
      expires_at: "AT",
    }),
    insert("people", OTHERS, {
      tenant,
      actor: "'person:' || n",
      role: "'viewer'",
      token_digest: "'t' || n",
      created_at: "AT",
      revoked_at: "AT",
    }),
  ];
}

/** The queue by deadline, and not a few orders of it that a search found. */
function isWholeQueue(sql: string): boolean {
  return /order by case .* end, coalesce\(hold_deadline_at/.test(sql) && !sql.includes('"order_id" in');
}

/** A store's parts over a connection that records its queries. */
function watch(dialect: Dialect, kind: Engine["dialect"]) {
  const queries: CompiledQuery[] = [];
  let watching = false;
  const db: Database = new Kysely<Schema>({
    dialect,
    log: (event: LogEvent) => void (watching && queries.push(event.query)),
  });
  closing.push(() => db.destroy());
  const unused = () => {
    throw new Error("not used here");
  };
  const engine: Engine = {
    dialect: kind,
    isShared: kind === "postgres",
    onBehalfOf: unused,
    read: (query) => query(db),
    write: (unit) => db.transaction().execute(unit),
    selectDue: unused,
    leaseClock: (nowMs) => (kind === "postgres" ? sql.raw(DATABASE_NOW_MS) : sql`${nowMs}`),
    processId: unused,
    ownsLeasesOf: unused,
    onLeasesLost: unused,
    announceWork: unused,
    onWork: unused,
    scrub: unused,
    close: unused,
  };
  const keyring = createKeyring(dataKey);
  const context: StoreContext = {
    engine,
    keyring,
    logger: SILENT_LOGGER,
    pace: createPacer(),
    sealer: createSealer(keyring, SILENT_LOGGER),
  };
  return {
    db,
    /** Every query of erasure, coverage, the access log, the queue and the search, once. */
    async ask(): Promise<readonly CompiledQuery[]> {
      watching = true;
      const retention = createRetention(context);
      for (const step of RETENTION_STEPS) {
        const { erased, next } = await retention.eraseAged(step, RETENTION_LIMITS, null);
        if (next !== null) await retention.eraseAged(step, RETENTION_LIMITS, next);
        if (!["leases", "circuits"].includes(step)) expect(erased, step).toBeGreaterThan(0);
      }
      const window = { sinceMs: T0 - DAY_MS, untilMs: T0, withinMs: 300_000 };
      expect((await createStatistics(context).coverage(TENANT, window)).eligible).toBe(ORDERS / 100 - 1);
      await createStatistics(context).coverage(null, window);
      const log = createAccessLog(context);
      await log.record(TENANT, { atMs: T0, actor: "operator", what: "order", subject: "o1" }, 600_000);
      const people = createPeopleStore(context);
      await people.findTokenHolder("token", T0);
      await people.admit({ tenant: TENANT, actor: "person:1" }, T0);
      const sessions = createSessionStore(context);
      await sessions.find("value", { nowMs: T0, consoleToken: undefined });
      await sessions.end(["value"]);
      await people.revoke({ tenant: TENANT, actor: "person:1" }, { by: CONSOLE_ACTOR, atMs: T0 });
      const { nextCursor } = await log.list(TENANT, { limit: 10 });
      await log.list(TENANT, { limit: 10, cursor: nextCursor ?? "" });
      const reader = createOrderReader(context);
      const queue = await reader.list(TENANT, { view: "queue", limit: 1 });
      expect(queue.orders).toHaveLength(1);
      await reader.list(TENANT, { view: "queue", limit: 10, cursor: queue.nextCursor ?? "" });
      expect((await reader.list(TENANT, { search: "#o1", limit: 10 })).orders).toHaveLength(1);
      await reader.list(TENANT, { search: "jane@shop.example", limit: 10 });
      await reader.list(TENANT, { search: "#o", limit: 10 });
      await reader.list(TENANT, { search: "#o", view: "queue", limit: 10 });
      await reader.list(TENANT, { search: "jane", limit: 10 });
      await reader.list(TENANT, { search: "jane", view: "queue", limit: 10 });
      for (const sort of QUEUE_SORTS) await reader.list(TENANT, { view: "queue", sort, limit: 10 });
      watching = false;
      return queries.filter(({ sql }) => /^\s*(?:select|update|delete)/i.test(sql));
    },
  };
}

describe("the queries of erasure, coverage, the access log, the queue and the search over 200,000 rows", () => {
  it("use indexes in SQLite", { timeout: TIMEOUT_MS }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "holdfast-plans-"));
    closing.push(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "holdfast.db");
    await (await createSqliteStore({ path, dataKey })).close();
    const connection = new DatabaseSync(path);
    connection.exec("pragma synchronous = off");
    const numbers = (rows: number) =>
      `(with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${rows}) select n from counted)`;
    for (const statement of toSeed(numbers, "x'00112233'")) connection.exec(statement);

    const queries = await watch(createNodeSqliteDialect(connection), "sqlite").ask();

    const plans = queries.flatMap(({ sql, parameters }) => {
      const rows = connection.prepare(`explain query plan ${sql}`).all(...(parameters as string[]));
      return rows.map(({ detail }) => ({ sql, detail: String(detail) }));
    });
    const isScan = /^SCAN (?!leases|circuits|CONSTANT ROW|\d+-ROW VALUES)/;
    expect(plans.filter(({ detail }) => isScan.test(detail))).toEqual([]);
    expect(plans.filter(({ detail }) => detail.startsWith("SEARCH")).length).toBeGreaterThan(30);
    const details = plans.map(({ detail }) => detail);
    expect(details).toContain(
      "SEARCH orders USING COVERING INDEX orders_age (received_at>? AND received_at<?)",
    );
    // The queue's order is the index's: nothing is sorted.
    const ofQueue = plans.filter(({ sql }) => isWholeQueue(sql));
    expect(ofQueue.map(({ detail }) => detail).join("\n")).not.toMatch(/TEMP B-TREE/);
    const byReview = details.filter((detail) => detail.includes("orders_queue"));
    expect(byReview.length).toBeGreaterThanOrEqual(2 + QUEUE_SORTS.length);
    expect(details.join("\n")).toMatch(
      /INDEX orders_name \(tenant=\? AND name=\?\)[^]*INDEX orders_email \(tenant=\? AND email_digest=\?\)/,
    );
  });

  it("use indexes in Postgres", { timeout: TIMEOUT_MS }, async () => {
    const database = await createDatabase();
    const { url } = database;
    closing.push(() => database.drop());
    const numbers = (rows: number) => `generate_series(1, ${rows}) as numbers(n)`;
    for (const statement of toSeed(numbers, String.raw`'\x00112233'::bytea`)) await database.query(statement);
    await database.query("analyze");
    const pool = createPostgresPool({ driver, url, size: 1, unhurried: true, logger: SILENT_LOGGER });
    const watched = watch(new PostgresDialect({ pool }), "postgres");

    const queries = await watched.ask();

    for (const { sql, parameters } of queries) {
      const explain = CompiledQuery.raw(`explain ${sql}`, [...parameters]);
      const { rows } = await watched.db.executeQuery<Record<string, string>>(explain);
      const plan = rows.flatMap((row) => Object.values(row)).join("\n");
      expect(plan, sql).toMatch(/Scan/);
      if (isWholeQueue(sql)) expect(plan, sql).toMatch(/orders_queue/);
      expect(plan, sql).not.toMatch(/Seq Scan on (?!leases|circuits|credit_days)/);
    }
  });
});
