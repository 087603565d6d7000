import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { SkipReason } from "../pipeline/platform.ts";
import type { StoreContext } from "./kysely-store.ts";
import type { CoverageStore, CoverageWindow } from "./upkeep.ts";

/** Orders that nobody has to judge, by what they are. */
const NOT_ELIGIBLE: readonly SkipReason[] = ["CANCELLED", "ZERO_AMOUNT", "TEST_ORDER"];

/** How many orders were decided in time. */
export function createCoverage({ engine }: StoreContext): CoverageStore {
  return {
    coverage: (tenant, window) =>
      engine.read(async (db) => {
        const { rows } = await selectCoverage(tenant, window).execute(db);
        const { decided = 0, in_time: decidedInTime = 0, undecided = 0 } = rows[0] ?? {};
        return { eligible: decided + undecided, decidedInTime };
      }),
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
function selectCoverage(tenant: string | null, window: CoverageWindow): RawBuilder<CoverageRow> {
  return sql<CoverageRow>`
    select
      count(*) as decided,
      count(case when first_decided_at <= received_at + ${window.withinMs} then 1 end) as in_time,
      (select count(*) from orders where ${isConcerned(tenant, window)} and first_decided_at is null
       and state <> 'settled') as undecided
    from orders where ${isConcerned(tenant, window)} and first_decided_at is not null`;
}

function isConcerned(tenant: string | null, { sinceMs, untilMs }: CoverageWindow): RawBuilder<SqlBool> {
  const reasons = sql.join(NOT_ELIGIBLE);
  const ofTenant = tenant === null ? sql`` : sql`and tenant = ${tenant}`;
  return sql<SqlBool>`received_at > ${sinceMs} and received_at <= ${untilMs} ${ofTenant} and record_only = 0
    and (skip_reason is null or skip_reason not in (${reasons}))`;
}
