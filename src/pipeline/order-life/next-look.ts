import type { UncheckedCause } from "../../order/decision.ts";
import { toPeriods } from "../../screening/screening-task.ts";
import { TRIAL_RECHECK_MS } from "../../service/circuit-rules.ts";
import type { OrderRecord, OrderState } from "../../store/store.ts";
import { HOLD_WARNING_MS } from "./hold-deadline.ts";
import { toWarningsMs } from "./warning-times.ts";

/**
 * How long to keep asking after an order arrived or changed. Then it has shipped or was reviewed: its decision stands.
 */
const WINDOW_MS = 24 * 3_600_000;
const FIRST_MS = 60_000;
const LONGEST_MS = 30 * 60_000;
/** Orders that are due at the same time are spread over this, larger amounts first. */
const SPREAD_MS = 20_000;
/** An order of this amount is in the middle of the spread. */
const MIDDLE_AMOUNT = 200;

/**
 * With these, asking again is useless: the service would refuse the order again, or the burst brake saved its credit on
 * purpose.
 */
const FINAL_CAUSES: ReadonlySet<UncheckedCause | undefined> = new Set([
  "VERIFICATION_REFUSED",
  "BURST_BRAKED",
]);

/** Whether the service should still be asked about an order that was decided without it. */
export function needsCatchUp(order: OrderRecord, nowMs: number): boolean {
  const { decision, state, skipReason, mapped, receivedAtMs, revisedAtMs } = order;
  if (decision?.degraded !== true || skipReason !== null || mapped?.outcome !== "screenable") return false;
  // Its hold was released by a person or at the deadline, or the order has ended. A late answer doesn't hold it again.
  if (state === "settled" && decision.action === "hold" && decision.enforce) return false;
  if (FINAL_CAUSES.has(decision.unchecked) || isOfSpentDay(order, nowMs)) return false;
  return nowMs < Math.max(receivedAtMs, revisedAtMs ?? 0) + WINDOW_MS;
}

/** A new day's credits are for that day's orders and for held orders. */
function isOfSpentDay({ decision, decidedAtMs }: OrderRecord, nowMs: number): boolean {
  return (
    decision?.unchecked === "BUDGET_SPENT" &&
    decision.action !== "hold" &&
    (decidedAtMs ?? nowMs) < toPeriods(nowMs).dayStartMs
  );
}

/** When to ask again after `tries` tries, larger amounts first. */
export function toCatchUpMs({ amount }: Pick<OrderRecord, "amount">, tries: number, nowMs: number): number {
  const wait = Math.min(FIRST_MS * 2 ** Math.min(tries, 10), LONGEST_MS);
  return nowMs + wait + toSpreadMs(amount, SPREAD_MS);
}

/**
 * When to ask again about an order that had to wait for another order's trial call: right after it, larger amounts first.
 * Undefined if the service can't be asked again so soon.
 */
export function toAfterTrialMs(
  { amount }: Pick<OrderRecord, "amount">,
  askAgainAtMs: number | undefined,
  nowMs: number,
): number | undefined {
  if (askAgainAtMs === undefined || askAgainAtMs > nowMs + TRIAL_RECHECK_MS) return undefined;
  // Orders of the same second are sorted by amount, not by arrival.
  const secondMs = Math.ceil(askAgainAtMs / TRIAL_RECHECK_MS) * TRIAL_RECHECK_MS;
  return secondMs + toSpreadMs(amount, TRIAL_RECHECK_MS);
}

/** The larger the amount, the smaller the part of `withinMs`. */
function toSpreadMs(amount: number | null, withinMs: number): number {
  return Math.round(withinMs / (1 + (amount ?? 0) / MIDDLE_AMOUNT));
}

/**
 * When to look at an order at rest again; null for never. Held orders are watched until somebody decides, and orders that were
 * decided without the service until it answers.
 */
export function toLookAtRestMs(
  order: OrderRecord,
  { state, holdDeadlineMs }: { readonly state: OrderState; readonly holdDeadlineMs: number | null },
  { isAskedAgain, nowMs }: { readonly isAskedAgain: boolean; readonly nowMs: number },
): number | null {
  const looks = [
    // The buyer is asked as soon as the order is held.
    ...(state === "review" && order.decision?.verify !== undefined ? [nowMs] : []),
    ...(state === "review" ? [toNextLookMs(holdDeadlineMs, 0, nowMs, toWarningsMs(order))] : []),
    ...(isAskedAgain ? [toCatchUpMs(order, 0, nowMs)] : []),
  ];
  return looks.length === 0 ? null : Math.min(...looks);
}

/** When to look at a held order again: soon after the hold, because other tools act then too, and later less often. */
const LOOKS_MS = [10 * 60_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000] as const;

/**
 * When to look at a held order next, after `looks` looks: by the schedule, at the warning, at the deadline, and at the other
 * warnings in `warningsMs`.
 */
export function toNextLookMs(
  holdDeadlineMs: number | null,
  looks: number,
  nowMs: number,
  warningsMs: readonly (number | null)[] = [],
): number {
  const regular = nowMs + (LOOKS_MS[Math.min(looks, LOOKS_MS.length - 1)] ?? LOOKS_MS[0]);
  const deadlines = holdDeadlineMs === null ? [] : [holdDeadlineMs - HOLD_WARNING_MS, holdDeadlineMs];
  const moments = [...deadlines, ...warningsMs.filter((momentMs) => momentMs !== null)];
  return Math.min(regular, ...moments.filter((momentMs) => momentMs > nowMs));
}
