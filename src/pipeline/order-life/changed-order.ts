import type { MappedOrder } from "../../platform/platform.ts";
import type { OrderRecord, OrderRevision, OrderState } from "../../store/store.ts";

/** An order with new content that its decision, if it has one, doesn't cover. */
export type ChangedOrder = OrderRecord & { readonly revision: OrderRevision; readonly mapped: MappedOrder };

export function needsRecheck(order: OrderRecord): order is ChangedOrder {
  const { revision, mapped, decision } = order;
  // A person's decision stands until a person changes it.
  return revision?.rescreen === true && mapped !== null && decision?.source !== "person";
}

const BEING_APPLIED: ReadonlySet<OrderState> = new Set(["decided", "enforcing", "waiting"]);

/** Whether an order's decision isn't applied yet, or not completely. */
export function isBeingApplied({ state }: Pick<OrderRecord, "state">): boolean {
  return BEING_APPLIED.has(state);
}
