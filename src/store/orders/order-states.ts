import { HoldfastError } from "../../base/errors.ts";

/**
 * Where an order is in its life. Each state says who moves an order out of it.
 *
 * - `received`: on disk, nothing done yet. The worker that claims it.
 * - `screening`: its detail is read and kept, so that a repeat asks the same question. The worker, once it has a decision.
 * - `waiting`: the service or the platform can't be asked yet. The worker, at `dueAtMs` or when a webhook wakes it.
 * - `decided`: a decision is kept, nothing is carried out. The worker, with the first step.
 * - `enforcing`: steps are under way. The worker, when no step is left or one has to wait.
 * - `review`: held. The hold keeper, a person, a later answer, or the deadline.
 * - `settled`: at rest. A later answer, a material change, or a person, who can also have one checked that was left undecided.
 *   If it was unfinished when its shop left, the shop that comes back.
 * - `failed`: needs a person, who approves, declines or asks for a recheck.
 *
 * The platform's news that an order was canceled settles it from every state.
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
/** Where an order is in its life: see {@link ORDER_STATES}. */
export type OrderState = (typeof ORDER_STATES)[number];

/** To where an order may go from each state. Staying where it is needs no entry. */
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

/**
 * Make sure that an order may go from one state to another.
 *
 * @throws {HoldfastError} `INTERNAL` when it may not: a defect.
 */
export function assertTransition(from: OrderState, to: OrderState | undefined): void {
  if (to === undefined || to === from || NEXT_STATES[from].includes(to)) return;
  throw new HoldfastError("INTERNAL", `an order can't go from "${from}" to "${to}"`, { retryable: false });
}
