import { HoldfastError } from "../../base/errors.ts";

/**
 * Where an order is in its life, and who moves it out of each state.
 *
 * - `received`: on disk, nothing done yet. Moved by the worker that claims it.
 * - `screening`: its detail is read and stored, so that a retry sends the same content. Moved by the worker, once it
 *   has a decision.
 * - `waiting`: the service or the platform can't be asked yet. Moved by the worker, at `dueAtMs` or when a webhook
 *   wakes it.
 * - `decided`: a decision is stored and not yet applied. Moved by the worker, with the first step.
 * - `enforcing`: steps are under way. Moved by the worker, when no step is left or one has to wait.
 * - `review`: held. Moved by a look at the hold, a person, a later answer or the deadline.
 * - `settled`: at rest. Moved by a later answer, a material change or a person, who can also have an undecided order
 *   checked. If the shop uninstalled the app before the order was finished, moved when the shop installs it again.
 * - `failed`: needs a person. Moved when that person approves, declines or rechecks it.
 *
 * When the platform reports that an order was canceled, it is settled from any state.
 */
export const ORDER_STATES = [
  "received",
  "screening",
  "decided",
  "enforcing",
  "waiting",
  "settled",
  "review",
  "failed",
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** The allowed transitions from each state. Staying in a state needs no entry. */
const NEXT_STATES: Readonly<Record<OrderState, readonly OrderState[]>> = {
  received: ["screening", "waiting", "decided", "failed"],
  screening: ["waiting", "decided", "failed"],
  waiting: ["screening", "decided", "enforcing", "review", "settled", "failed"],
  decided: ["enforcing", "waiting", "review", "settled", "failed"],
  enforcing: ["waiting", "decided", "review", "settled", "failed"],
  review: ["decided", "settled", "failed"],
  settled: ["screening", "decided", "failed"],
  failed: ["screening", "decided"],
};

/** @throws {HoldfastError} `INTERNAL` if an order may not go from one state to the other, which is a defect. */
export function assertTransition(from: OrderState, to: OrderState | undefined): void {
  if (to === undefined || to === from || NEXT_STATES[from].includes(to)) return;
  throw new HoldfastError("INTERNAL", `an order can't go from "${from}" to "${to}"`, { retryable: false });
}
