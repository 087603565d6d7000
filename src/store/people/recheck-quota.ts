import { randomUUID } from "node:crypto";
import type { Database } from "../schema/schema.ts";
import type { OrderKey } from "../orders/order-record.ts";
import { isOrder } from "../statements.ts";

/** How often people may have orders checked again, which costs a credit each time. */
export const RECHECK_QUOTA = {
  /** Milliseconds in which rechecks count: a day. */
  withinMs: 86_400_000,
  perOrder: 5,
  perTenant: 100,
} as const;

/** Why an order isn't checked again now. */
export interface RecheckLimit {
  readonly of: "order" | "tenant";
  /** From when on it can be, milliseconds since the epoch. */
  readonly retryAtMs: number;
}

const NAME = "recheck";

/** Name of the units that count a tenant's rechecks: they come one by one, since they share a quota. */
export function toRecheckQuotaName(tenant: string): string {
  return `quota:${NAME}:${tenant}`;
}

/**
 * Count a recheck, in the transaction that takes it in, or say why there is none to be had. The timeline, which gets an
 * entry in the same transaction, counts those of the order.
 */
export async function takeRecheck(db: Database, key: OrderKey, atMs: number): Promise<RecheckLimit | null> {
  const { tenant } = key;
  const sinceMs = atMs - RECHECK_QUOTA.withinMs;
  const ofOrder = await selectOldestOf(
    db
      .selectFrom("order_timeline")
      .select("at")
      .where(isOrder(key))
      .where("kind", "=", "recheck")
      .where("at", ">", sinceMs)
      .orderBy("at", "desc")
      .limit(RECHECK_QUOTA.perOrder)
      .execute(),
    RECHECK_QUOTA.perOrder,
  );
  if (ofOrder !== null) return { of: "order", retryAtMs: ofOrder + RECHECK_QUOTA.withinMs };
  const ofTenant = await selectOldestOf(
    db
      .selectFrom("quotas")
      .select("taken_at as at")
      .where("tenant", "=", tenant)
      .where("name", "=", NAME)
      .where("taken_at", ">", sinceMs)
      .orderBy("taken_at", "desc")
      .limit(RECHECK_QUOTA.perTenant)
      .execute(),
    RECHECK_QUOTA.perTenant,
  );
  if (ofTenant !== null) return { of: "tenant", retryAtMs: ofTenant + RECHECK_QUOTA.withinMs };
  await db
    .deleteFrom("quotas")
    .where("tenant", "=", tenant)
    .where("name", "=", NAME)
    .where("taken_at", "<=", sinceMs)
    .execute();
  await db
    .insertInto("quotas")
    .values({ tenant, name: NAME, quota_key: randomUUID(), taken_at: atMs })
    .execute();
  return null;
}

/** When the oldest of `max` rechecks was taken, newest first; null while there are fewer. */
async function selectOldestOf(
  rows: Promise<readonly { readonly at: number }[]>,
  max: number,
): Promise<number | null> {
  return (await rows)[max - 1]?.at ?? null;
}
