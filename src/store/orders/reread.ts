import type { Database, OrdersTable } from "../schema/schema.ts";
import type { OrderKey } from "./order-record.ts";

/** States in which nothing but a new word of somebody brings an order back soon. */
const AT_REST = ["settled", "review"] as const;

/** Have an order read again: one at rest at once, any other when it is worked on next. `false`: it is not known, or erased. */
export async function rereadOrder(db: Database, key: OrderKey, nowMs: number): Promise<boolean> {
  const kept = await db
    .updateTable("orders")
    .set((eb) => ({
      reread_at: nowMs,
      // Under lease its next due time is not written yet, and an order that isn't at rest comes by itself.
      due_at: eb
        .case()
        .when(eb.and([eb("lease_owner", "is", null), eb("state", "in", AT_REST)]))
        .then(nowMs)
        .else(eb.ref("due_at"))
        .end(),
    }))
    .where("tenant", "=", key.tenant)
    .where("order_id", "=", key.orderId)
    .where("mapped", "is not", null)
    .returning("order_id")
    .executeTakeFirst();
  return kept !== undefined;
}

/** What tells when an order at rest is due. */
export type Rest = Pick<OrdersTable, "due_at" | "state" | "reread_at">;

/** An order that came to rest is due when it is to be read again; any other comes before or after by itself. */
export function toDueOfRest({ due_at: dueAt, state, reread_at: rereadAt }: Rest): number | null {
  if (rereadAt === null || !AT_REST.some((rest) => rest === state)) return dueAt;
  return Math.min(dueAt ?? rereadAt, rereadAt);
}
