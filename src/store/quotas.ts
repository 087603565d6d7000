import { randomUUID } from "node:crypto";
import { sql, type SqlBool } from "kysely";
import type { TenantId } from "../platform/platform.ts";
import type { StoreContext } from "./context.ts";
import type { Database } from "./schema/schema.ts";
import {
  deleteRows,
  findRow,
  insertRow,
  ofOrder,
  selectOne,
  selectRows,
  type OrderKey,
} from "./statements.ts";

/** A limit on how often something may be done. */
export interface Quota {
  readonly tenant: TenantId;
  readonly name: string;
  readonly key: string;
  readonly sinceMs: number;
  readonly max: number;
  readonly nowMs: number;
}

/** How long a place is remembered beyond its time, so that the same key is let through again. */
const QUOTA_MEMORY_MS = 7 * 86_400_000;

export function createQuotas({ engine }: StoreContext) {
  return {
    takeQuota({ tenant, name, key, sinceMs, max, nowMs }: Quota): Promise<boolean> {
      const place = { tenant, name, quota_key: key };
      const unit = async (db: Database): Promise<boolean> => {
        if ((await findRow(db, "quotas", place, ["name"])) !== undefined) return true;
        const query = sql<{ count: number }>`
          select count(*) as count from quotas where tenant = ${tenant} and name = ${name}
            and taken_at > ${sinceMs} and taken_at <= ${nowMs + (nowMs - sinceMs)}`;
        if ((await selectOne(db, query)).count >= max) return false;
        const isForgotten = sql<SqlBool>`taken_at < ${sinceMs - QUOTA_MEMORY_MS}`;
        await deleteRows(db, "quotas", { tenant }, isForgotten);
        await insertRow(db, "quotas", { ...place, taken_at: nowMs });
        return true;
      };
      return engine.write(unit, { alone: toQuotaName(name, tenant) });
    },
  };
}

function toQuotaName(name: string, tenant: string): string {
  return `quota:${name}:${tenant}`;
}

/** How often people may recheck orders, which costs a credit each time. */
export const RECHECK_QUOTA = {
  /** The time in which rechecks count, in milliseconds: a day. */
  withinMs: 86_400_000,
  perOrder: 5,
  perTenant: 100,
} as const;

/** Why an order can't be rechecked now. */
export interface RecheckLimit {
  readonly of: "order" | "tenant";
  /** When it can be, milliseconds since the epoch. */
  readonly retryAtMs: number;
}

const RECHECK = "recheck";

/** The name under which a tenant's rechecks are counted one by one, because they share a quota. */
export function toRecheckQuotaName(tenant: string): string {
  return toQuotaName(RECHECK, tenant);
}

/**
 * Count a recheck in the transaction that records it, or say why it isn't allowed. The rechecks of the order are counted by
 * their timeline entries, which the same transaction writes.
 */
export async function takeRecheck(db: Database, key: OrderKey, atMs: number): Promise<RecheckLimit | null> {
  const { tenant } = key;
  const { withinMs, perOrder, perTenant } = RECHECK_QUOTA;
  const sinceMs = atMs - withinMs;
  const asked = { ...ofOrder(key), kind: "recheck" };
  const isAskedSince = sql<SqlBool>`at > ${sinceMs}`;
  const firstAsked = sql`order by at desc limit 1 offset ${perOrder - 1}`;
  const [first] = await selectRows(db, "order_timeline", asked, ["at"], isAskedSince, firstAsked);
  if (first !== undefined) return { of: "order", retryAtMs: first.at + withinMs };
  const isTakenSince = sql<SqlBool>`taken_at > ${sinceMs}`;
  const firstTaken = sql`order by taken_at desc limit 1 offset ${perTenant - 1}`;
  const taken = { tenant, name: RECHECK };
  const [oldest] = await selectRows(db, "quotas", taken, ["taken_at"], isTakenSince, firstTaken);
  if (oldest !== undefined) return { of: "tenant", retryAtMs: oldest.taken_at + withinMs };
  await insertRow(db, "quotas", { tenant, name: RECHECK, quota_key: randomUUID(), taken_at: atMs });
  return null;
}
