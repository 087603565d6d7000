import { sql, type SqlBool } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import { areOrders, deleteRows, inChunks, ofOrder, upsert, type OrderKey } from "../statements.ts";

/** Says that a person is reviewing an order. Others can still decide on it. */
export interface ReviewClaim {
  /** `person:ID`. */
  readonly actor: string;
  /** When it ends, milliseconds since the epoch. */
  readonly untilMs: number;
}

export interface Claiming {
  readonly actor: string;
  readonly nowMs: number;
  /** Claim the order even if another person has it. */
  readonly takeOver: boolean;
}

/** How long a claim lasts, in milliseconds, by the database's clock. */
export const CLAIM_MS = 60 * 60_000;

export interface ReviewClaims {
  /**
   * Claim an order for {@link CLAIM_MS}. If the person already has it, the time starts again. Resolves to `false`
   * without a change if another person has it and `takeOver` isn't set. A decision on the order ends the claim.
   */
  claim(key: OrderKey, claiming: Claiming): Promise<boolean>;
  /** End a person's claim on an order; another person's claim stays. */
  end(key: OrderKey, actor: string): Promise<void>;
  /** The current claims, by order ID. */
  listClaims(
    tenant: TenantId,
    orderIds: readonly string[],
    nowMs: number,
  ): Promise<ReadonlyMap<string, ReviewClaim>>;
}

export function createReviewClaims({ engine }: StoreContext): ReviewClaims {
  return {
    async claim(key, { actor, nowMs, takeOver }) {
      const clock = engine.leaseClock(nowMs);
      const claim = { actor, until_at: sql<number>`${clock} + ${CLAIM_MS}` };
      const isFree = takeOver
        ? sql<SqlBool>`true`
        : sql<SqlBool>`(review_claims.actor = ${actor} or review_claims.until_at <= ${clock})`;
      return engine.write((db) => upsert(db, "review_claims", ofOrder(key), claim, isFree));
    },

    async end(key, actor) {
      await engine.write((db) => deleteRows(db, "review_claims", { ...ofOrder(key), actor }));
    },

    async listClaims(tenant, orderIds, nowMs) {
      const clock = engine.leaseClock(nowMs);
      const rows = await engine.read((db) =>
        inChunks(orderIds, async (ids) => {
          const query = sql<{ orderId: string; actor: string; leftMs: number }>`
            select order_id as "orderId", actor, until_at - ${clock} as "leftMs" from review_claims
            where ${areOrders(tenant, ids)} and until_at > ${clock}`;
          return (await query.execute(db)).rows;
        }),
      );
      return new Map(rows.map(({ orderId, actor, leftMs }) => [orderId, { actor, untilMs: nowMs + leftMs }]));
    },
  };
}
