import type { Platform } from "../../platform/platform.ts";
import type { DisputeStore } from "../../store/outcomes/disputes.ts";
import type { OrderRecord, OrderStore } from "../../store/store.ts";
import type { OrderDecision } from "../decide/order-decision.ts";
import type { ProductLookup } from "../decide/product-lookups.ts";
import type { Metrics } from "../metrics.ts";
import { saveOrder, type OrderLeaseOptions, type PlatformWork, type SaveOrder } from "./order-lease.ts";

/** A claimed order's work: what its steps need. */
export interface OrderTask extends OrderLeaseOptions {
  readonly store: Pick<OrderStore, "saveOrder" | "listSteps" | "listTimeline"> &
    Pick<DisputeStore, "listDisputes">;
  readonly platform: Platform;
  /** Fires when the work has to end. */
  readonly signal: AbortSignal;
  readonly holdWhileChecking: PlatformWork;
  readonly decideOrder: OrderDecision;
  readonly enforce: PlatformWork;
  readonly keepHold: PlatformWork;
  readonly lookUpProducts: ProductLookup;
  readonly metrics: Pick<Metrics, "decided">;
}

/** One step of an order's way. Resolves to the order to go on with, or null once it has released the order. */
export type OrderStep = (task: OrderTask, order: OrderRecord) => Promise<OrderRecord | null>;

/** {@link saveOrder} under a task's lease. */
export function toSave(task: OrderTask): SaveOrder {
  return (order, transition) => saveOrder(task, order, transition);
}
