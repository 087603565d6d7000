import { sql, type SqlBool } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { OrderKey } from "./order-record.ts";
import { areOrders, deleteRows, inChunks, ofOrder, upsert } from "../statements.ts";

/** A person's word that they are reviewing an order. It keeps nobody from deciding. */
export interface ReviewClaim {
  /** `person:ID`. */
  readonly actor: string;
  /** When it is freed, milliseconds since the epoch. */
  readonly untilMs: number;
}

/** Who claims an order. */
export interface Claiming {
  readonly actor: string;
  readonly nowMs: number;
  /** Also when another person has it. */
  readonly takeOver: boolean;
}

/** How long a claim stands, in milliseconds, by the database's clock. */
export const CLAIM_MS = 60 * 60_000;

/** How the store keeps who is reviewing which order. */
export function createReviewClaims({ engine }: StoreContext) {
  return {
    /**
     * Claim an order for {@link CLAIM_MS}. The same person's claim starts again. Resolves to `false` and changes nothing when
     * another person has it and `takeOver` is not set. A decision on the order ends the claim.
     */
    async claimReview(key: OrderKey, { actor, nowMs, takeOver }: Claiming): Promise<boolean> {
      const clock = engine.leaseClock(nowMs);
      const claim = { actor, until_at: sql<number>`${clock} + ${CLAIM_MS}` };
      const isFree = takeOver
        ? sql<SqlBool>`true`
        : sql<SqlBool>`(review_claims.actor = ${actor} or review_claims.until_at <= ${clock})`;
      return engine.write((db) => upsert(db, "review_claims", ofOrder(key), claim, isFree));
    },

    /** Free an order that a person has claimed; another person's claim stays. */
    async endReview(key: OrderKey, actor: string): Promise<void> {
      await engine.write((db) => deleteRows(db, "review_claims", { ...ofOrder(key), actor }));
    },

    /** The claims that stand, by order id. */
    async listReviewClaims(
      tenant: TenantId,
      orderIds: readonly string[],
      nowMs: number,
    ): Promise<ReadonlyMap<string, ReviewClaim>> {
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
