import { describe, expect, it } from "vitest";
import { createOutcomes } from "../../src/store/outcomes/outcomes.ts";
import { createPolicies } from "../../src/store/tenants/policies.ts";
import { createReplaySource } from "../../src/store/figures/replay-source.ts";
import { T0, TENANT } from "../store/samples.ts";
import { openPostgres, openSqlite, type Seed, type WatchedDatabase } from "./query-plans.ts";

const DAY_MS = 86_400_000;
const ORDERS = 100_000;

/** A hundred days of orders. One in twenty was held; half of those have been reviewed. */
const toSeed: Seed = (numbers, kind) => {
  const at = `(${T0} - cast(n as bigint) * ${(100 * DAY_MS) / ORDERS})`;
  const decision = "'" + JSON.stringify({ action: "hold", reasons: ["level:high"] }) + "'";
  return [
    `insert into orders (tenant, order_id, platform, name, received_at, state, attempts, enriched, decision, action)
     select '${TENANT}', 'o' || n, 'shopify', 'o' || n, ${at}, 'settled', 0, 1, ${decision},
       case when n % 20 = 0 then 'hold' else 'allow' end from ${numbers(ORDERS)}`,
    `insert into order_timeline (tenant, order_id, at, kind, detail, event, actor)
     select '${TENANT}', 'o' || n, ${at}, 'settled', '', '{"kind":"settled","problems":[]}', 'holdfast' from ${numbers(ORDERS)}`,
    `insert into order_outcomes (tenant, order_id, observed_at, content)
     select '${TENANT}', 'o' || n, ${at} + ${DAY_MS}, '{}' from ${numbers(ORDERS)} where n % 40 = 0`,
    `insert into disputes (tenant, dispute_id, order_id, kind, status, reason, is_fraud, initiated_at, seen_at)
     select '${TENANT}', 'd' || n, 'o' || n, 'chargeback', 'lost', 'fraudulent', 1, ${at}, ${at}
       from ${numbers(ORDERS)} where n % 40 = 0`,
    `insert into buyer_checks (tenant, order_id, check_id, token_digest, decided_at, effect, is_strong, methods, route,
       asked_at, expires_at, sends, retries, tries)
     select '${TENANT}', 'o' || n, 'b' || n, 't' || n, ${at}, 'release', 1, '{}', 'email', ${at}, ${at}, 0, 0, 0
       from ${numbers(ORDERS)} where n % 20 = 0`,
    `insert into attempts (attempt_id, tenant, fingerprint, owner, state, metered, started_at, lease_until, erased)
     select 'a' || n, '${TENANT}', 'f' || n, 'p1', 'answered', 'yes', ${at}, ${at}, 0 from ${numbers(ORDERS)}`,
    `insert into savings (tenant, reason, hour_at, saved)
     select '${TENANT}', 'r' || n, ${at}, 1 from ${numbers(20_000)}`,
    `insert into policies (tenant, version, document, saved_at)
     select 't' || (n % 100), n, ${kind === "postgres" ? "'x'::bytea" : "x'00'"}, 0 from ${numbers(20_000)}`,
  ];
};

/** Records every query of replays, reports and the watch. */
async function ask({ context, takeQueries }: WatchedDatabase) {
  const source = createReplaySource(context);
  const window = { sinceMs: T0 - 14 * DAY_MS, untilMs: T0 };
  const first = await source.listDecided(TENANT, { ...window, content: "facts", limit: 200, after: null });
  const second = await source.listDecided(TENANT, {
    ...window,
    content: "all",
    limit: 200,
    after: first.next,
  });
  expect(second.orders).toHaveLength(200);
  expect(await source.countReceived(TENANT, window)).toEqual({ orders: 14_000, decided: 14_000 });
  expect(await source.creditsBetween(TENANT, window)).toEqual({ spent: 14_000, saved: 14_000 });
  const outcomes = createOutcomes(context);
  const look = { fromMs: T0 - 5 * DAY_MS, untilMs: T0 - DAY_MS, ageMs: DAY_MS, limit: 10 };
  expect(await outcomes.findUnobserved(TENANT, look)).toHaveLength(10);
  const ids = first.orders.map(({ orderId }) => orderId);
  expect((await outcomes.loadTraces(TENANT, ids)).size).toBe(200);
  const policies = createPolicies(context);
  expect(await policies.list("t7", { before: 5_000, limit: 10 })).toHaveLength(10);
  return takeQueries();
}

describe("the queries of replays, reports and outcomes over 100,000 orders", () => {
  it("use indexes in SQLite, without sorting what they read", async () => {
    const database = await openSqlite(toSeed);

    const plans = [];
    for (const query of await ask(database)) {
      for (const detail of await database.explain(query)) plans.push({ sql: query.sql, detail });
    }
    expect(plans.filter(({ detail }) => /^SCAN (?!CONSTANT ROW)/.test(detail))).toEqual([]);
    expect(
      plans.filter(({ sql, detail }) => /B-TREE/.test(detail) && !sql.includes("order_timeline")),
    ).toEqual([]);
    const ofOrders = plans.filter(({ detail }) => detail.startsWith("SEARCH orders"));
    // Two pages, the outcomes, and the count: seven full slices and an empty one, each found first and counted then.
    expect(ofOrders).toHaveLength(3 + 2 * 8);
    for (const { detail } of ofOrders) expect(detail).toMatch(/tenant=\? AND .*received_at/);
    // The second page starts after the first, not at the window's end: a report would read all pages again for each.
    expect(ofOrders.filter(({ detail }) => detail.includes("(received_at,order_id)<"))).toHaveLength(1);
  });

  it("use indexes in Postgres", async () => {
    const database = await openPostgres(toSeed);

    for (const query of await ask(database)) {
      const { sql } = query;
      const plan = (await database.explain(query)).join("\n");
      expect(plan, sql).toMatch(/Scan/);
      expect(plan, sql).not.toMatch(/Seq Scan on (?!savings)/);
    }
  });
});
