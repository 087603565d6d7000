import type { VelocityCounts } from "../src/engine/velocity/velocity-store.ts";
import type { PartialVerificationRequest } from "../src/order/request.ts";

/** An order of which the outcome is known, or not yet. */
export interface LabelledOrder {
  readonly order: PartialVerificationRequest;
  /** Undefined when nobody knows yet: such an order is judged and timed, and counted nowhere else. */
  readonly fraud: boolean | undefined;
  /** How often its keys were seen before; undefined when the data do not tell. */
  readonly velocity: VelocityCounts | undefined;
}
