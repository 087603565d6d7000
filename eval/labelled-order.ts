import type { VelocityCounts } from "../src/engine/velocity/velocity-store.ts";
import type { PartialVerificationRequest } from "../src/order/request.ts";

/** An order whose outcome is known, or not yet. */
export interface LabelledOrder {
  readonly order: PartialVerificationRequest;
  /** Undefined if the outcome isn't known yet: such an order is judged and timed, and counted nowhere else. */
  readonly fraud: boolean | undefined;
  /** How often its keys were seen before; undefined if the data don't say. */
  readonly velocity: VelocityCounts | undefined;
}
