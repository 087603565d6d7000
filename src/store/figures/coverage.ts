import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { SkipReason } from "../../order/decision.ts";
import type { StoreContext } from "../context.ts";
import { toSlices, type TimeWindow } from "./slices.ts";
import type { CoverageStore } from "../retention/upkeep.ts";

/** Orders that nobody has to judge, by what they are. */
const NOT_ELIGIBLE: readonly SkipReason[] = ["CANCELLED", "ZERO_AMOUNT", "TEST_ORDER"];

/** How many orders were decided in time. */
export function createCoverage(context: StoreContext): CoverageStore {
  return {
    async coverage(tenant, { sinceMs, untilMs, withinMs }, signal) {
      let eligible = 0;
      let decidedInTime = 0;
      // The index lists all tenants' orders by age, so those of the others are looked at, too.
      const whole = { sinceMs: sinceMs + 1, untilMs: untilMs + 1, where: sql<SqlBool>`1 = 1` };
      const scan = { table: "orders", at: "received_at", owner: tenant ?? "", signal, ...whole } as const;
      for await (const slice of toSlices(context, scan)) {
        const query = selectCoverage(tenant, slice, withinMs);
        const { rows } = await context.engine.read((db) => query.execute(db));
        const { decided = 0, in_time: inTime = 0, undecided = 0 } = rows[0] ?? {};
        eligible += decided + undecided;
        decidedInTime += inTime;
      }
      return { eligible, decidedInTime };
    },
  };
}

interface CoverageRow {
  readonly decided: number;
  readonly in_time: number;
  readonly undecided: number;
}

/**
 * Decided orders, which are nearly all, are counted in the index alone; only of the others are rows looked at. One
 * that came to rest undecided was cancelled, or its shop left.
 */
function selectCoverage(tenant: string | null, slice: TimeWindow, withinMs: number): RawBuilder<CoverageRow> {
  return sql<CoverageRow>`
    select
      count(*) as decided,
      count(case when first_decided_at <= received_at + ${withinMs} then 1 end) as in_time,
      (select count(*) from orders where ${isConcerned(tenant, slice)} and first_decided_at is null
       and state <> 'settled') as undecided
    from orders where ${isConcerned(tenant, slice)} and first_decided_at is not null`;
}

function isConcerned(tenant: string | null, { sinceMs, untilMs }: TimeWindow): RawBuilder<SqlBool> {
  const reasons = sql.join(NOT_ELIGIBLE);
  const ofTenant = tenant === null ? sql`` : sql`and tenant = ${tenant}`;
  return sql<SqlBool>`received_at >= ${sinceMs} and received_at < ${untilMs} ${ofTenant} and record_only = 0
    and (skip_reason is null or skip_reason not in (${reasons}))`;
}
