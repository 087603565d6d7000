import type { StoreContext } from "../context.ts";
import type { OrderKey } from "../orders/order-record.ts";

/** One line of the ledger: a call to the service about an order. */
export interface LedgerCall {
  readonly startedAtMs: number;
  /** `sent`: under way. `unknown`: lost, or ended without knowing whether it was billed. */
  readonly state: "sent" | "answered" | "failed" | "unknown";
  /** Whether it cost a credit; null while nobody knows. */
  readonly metered: string | null;
  /** Code of why it failed. */
  readonly error: string | null;
}

export interface CallStore {
  /** The calls about an order, oldest first; also those that the burst brake or a circuit ended before they were made. */
  listCalls(key: OrderKey): Promise<readonly LedgerCall[]>;
}

/** Create the {@link CallStore} part of a store. */
export function createCallStore({ engine }: StoreContext): CallStore {
  return {
    listCalls: ({ tenant, orderId }) =>
      engine.read((db) =>
        db
          .selectFrom("attempts")
          .select(["started_at as startedAtMs", "state", "metered", "error"])
          .where("tenant", "=", tenant)
          .where("order_id", "=", orderId)
          .orderBy("started_at")
          .orderBy("attempt_id")
          .execute(),
      ),
  };
}
