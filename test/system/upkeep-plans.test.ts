import type { CompiledQuery } from "kysely";
import { describe, expect, it } from "vitest";
import { createAccessLog } from "../../src/store/people/access-log.ts";
import type { StoreContext } from "../../src/store/context.ts";
import { createCardCodes } from "../../src/store/buyer-checks/card-codes.ts";
import { createDisputes } from "../../src/store/outcomes/disputes.ts";
import { createKeptOrders } from "../../src/store/outcomes/kept-orders.ts";
import { createStatistics } from "../../src/store/figures/statistics.ts";
import { createOrderReader } from "../../src/store/orders/order-reader.ts";
import { createRetention } from "../../src/store/retention/retention.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { CONSOLE_ACTOR } from "../../src/store/people/person.ts";
import { ORDER_SORTS } from "../../src/store/store.ts";
import { createSessionStore } from "../../src/store/people/sessions.ts";
import { RETENTION_STEPS } from "../../src/store/retention/retention.ts";
import { T0, TENANT, RETENTION_LIMITS } from "../store/samples.ts";
import { openPostgres, openSqlite, type Seed, type WatchedDatabase } from "./query-plans.ts";

const DAY_MS = 86_400_000;
const ORDERS = 200_000;
/** Only for what hangs: filling the tables takes fifteen seconds, and minutes while tests that kill processes run. */
const TIMEOUT_MS = 300_000;
/** For tables with fewer rows, or with the same kind of query. */
const OTHERS = 20_000;

/** Statements that fill the tables evenly for the last hundred days: about as many rows expire every hour. */
const toSeed: Seed = (numbers, kind) => {
  const bytes = kind === "postgres" ? String.raw`'\x00112233'::bytea` : "x'00112233'";
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
      link_card: "case when n % 2 = 0 then 'c' || n end",
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
    insert("shop_tallies", OTHERS, {
      tenant,
      trait: "'order'",
      item: "''",
      span: "'hour'",
      at: "AT",
      step: "n",
      until: "AT",
      newcomers: "1",
      known: "0",
    }),
    insert("order_assignments", ORDERS, { tenant, order_id: orderId, actor: "'person:' || n" }),
    insert("note_drafts", ORDERS, {
      tenant,
      order_id: orderId,
      actor: "'person:' || n",
      text: bytes,
      at: "AT",
    }),
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
      status: "case when n % 1000 = 0 then 'open' else 'lost' end",
      reason: "'fraudulent'",
      is_fraud: "1",
      initiated_at: "AT",
      seen_at: "AT",
      evidence_due_at: `case when n % 1000 = 0 then ${T0} + n end`,
    }),
    insert("buyer_checks", ORDERS, {
      tenant,
      order_id: orderId,
      check_id: "'b' || n",
      token_digest: "'t' || n",
      decided_at: "AT",
      effect: "'hold'",
      is_strong: "0",
      methods: "'email'",
      route: "'email'",
      recipient: bytes,
      asked_at: "AT",
      expires_at: "AT",
      sends: "0",
      retries: "0",
      tries: "0",
    }),
    insert("buyer_evidence", ORDERS, {
      tenant,
      order_id: orderId,
      check_id: "'b' || n",
      at: "AT",
      note: bytes,
      type: "case when n % 10 = 0 then 'image/jpeg' end",
      file: `case when n % 10 = 0 then ${bytes} end`,
      size: "case when n % 10 = 0 then 1000000 else 0 end",
    }),
    insert("card_codes", ORDERS, {
      tenant,
      order_id: orderId,
      check_id: "'b' || n",
      reference: "'pi_' || n",
      due_at: "AT",
      failures: "0",
    }),
    insert("kept_addresses", ORDERS, {
      tenant,
      order_id: orderId,
      placed_at: "AT",
      customer_digest: "'k' || n",
      email_digest: "'e' || n",
      content: bytes,
    }),
    // Six times as old as all others, so that some are past the longest time.
    insert("kept_orders", OTHERS, {
      tenant,
      order_id: orderId,
      placed_at: `${T0} - 6 * (${T0} - AT)`,
      card: "'c' || n",
      customer_digest: "'k' || n",
      email_digest: "'e' || n",
      disputed: "0",
      content: bytes,
    }),
    insert("tenants", OTHERS, {
      tenant: "'shop' || n",
      platform,
      state: "'installed'",
      installed_at: "AT",
    }),
    insert("page_notices", OTHERS, { tenant, actor: "'person:' || n", at: "AT", content: "'{}'" }),
    insert("notice_settings", OTHERS, {
      tenant: "'shop:' || n",
      actor: "'person:1'",
      content: bytes,
      saved_at: "AT",
      problems: "'{}'",
    }),
    insert("sessions", OTHERS, {
      session_digest: "'s' || n",
      tenant,
      actor: "'person:' || n",
      credential: "'c'",
      created_at: "AT",
      expires_at: "AT",
    }),
    // A tenant has few of them.
    insert("saved_views", OTHERS, {
      tenant: "'t' || n",
      view_id: "'v' || n",
      list: "'orders'",
      actor: "'person:1'",
      is_shared: "0",
      content: bytes,
      saved_at: "AT",
    }),
    insert("people", OTHERS, {
      tenant,
      actor: "'person:' || n",
      role: "'viewer'",
      // Every other one is a platform's.
      name: `case when n % 2 = 0 then ${bytes} end`,
      token_digest: "case when n % 2 = 1 then 't' || n end",
      created_at: "AT",
      seen_at: "AT",
      revoked_at: "AT",
    }),
  ];
};

/** The queue by deadline, and not a few orders of it that a search found. */
function isWholeQueue(sql: string): boolean {
  return /order by case .* end, coalesce\(hold_deadline_at/.test(sql) && !sql.includes('"order_id" in');
}

/** Every query of erasure, coverage, the access log, the queue and the search, once. */
async function ask({ context, takeQueries }: WatchedDatabase): Promise<readonly CompiledQuery[]> {
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
  await askDisputes(context);
  expect(await createCardCodes(context).listDue(TENANT, T0, 10)).toHaveLength(10);
  for (const sort of ORDER_SORTS) await reader.list(TENANT, { view: "queue", sort, limit: 10 });
  return takeQueries().filter(({ sql }) => /^\s*(?:select|update|delete)/i.test(sql));
}

/** What disputes need: due ones, a month's counts, and orders kept for later ones. */
async function askDisputes(context: StoreContext): Promise<void> {
  const disputes = createDisputes(context);
  const look = { afterMs: T0, untilMs: T0 + DAY_MS, limit: 10 };
  const due = await disputes.listDue(look);
  expect(due).toHaveLength(10);
  await disputes.listDue({ ...look, after: due[9] });
  const byBank = { sort: "evidence", nowMs: T0, limit: 10 } as const;
  const open = await createOrderReader(context).list(TENANT, { ...byBank, dispute: "open" });
  expect(open.orders.map(({ orderId }) => orderId)).toEqual(due.map(({ orderId }) => orderId));
  const next = { ...byBank, dispute: "open", cursor: open.nextCursor ?? "" } as const;
  await createOrderReader(context).list(TENANT, next);
  const month = { sinceMs: T0 - DAY_MS, untilMs: T0 };
  expect(await disputes.countChargebacks(TENANT, month)).toBe(ORDERS / 100);
  expect(await createStatistics(context).countSold(TENANT, month)).toBe(ORDERS / 100);
  const keptOrders = createKeptOrders(context);
  expect(await keptOrders.findUnkept(TENANT, { ...month, limit: 100 })).toHaveLength(0);
  await keptOrders.findKept({ tenant: TENANT, orderId: "o2" }, month);
  const owner = { tenant: TENANT, orderIds: ["o2"], customerId: "1", email: "jane@shop.example" };
  await keptOrders.findKeptOf(owner);
  await keptOrders.dropKept(TENANT, T0 - 500 * DAY_MS);
  await keptOrders.dropKeptOrder({ tenant: TENANT, orderId: "o2" });
}

describe("the queries of erasure, coverage, the access log, the queue and the search over 200,000 rows", () => {
  it("use indexes in SQLite", { timeout: TIMEOUT_MS }, async () => {
    const database = await openSqlite(toSeed);

    const plans = [];
    for (const query of await ask(database)) {
      for (const detail of await database.explain(query)) plans.push({ sql: query.sql, detail });
    }
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
    expect(byReview.length).toBeGreaterThanOrEqual(2 + ORDER_SORTS.length);
    expect(details.join("\n")).toMatch(
      /INDEX orders_name \(tenant=\? AND name=\?\)[^]*INDEX orders_email \(tenant=\? AND email_digest=\?\)/,
    );
  });

  it("use indexes in Postgres", { timeout: TIMEOUT_MS }, async () => {
    const database = await openPostgres(toSeed);

    for (const query of await ask(database)) {
      const { sql } = query;
      const plan = (await database.explain(query)).join("\n");
      expect(plan, sql).toMatch(/Scan/);
      if (isWholeQueue(sql)) expect(plan, sql).toMatch(/orders_queue/);
      expect(plan, sql).not.toMatch(/Seq Scan on (?!leases|circuits|credit_days)/);
    }
  });
});
