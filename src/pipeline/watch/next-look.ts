import type { UncheckedCause } from "../../order/decision.ts";
import { toPeriods } from "../../screening/screening-task.ts";
import { TRIAL_RECHECK_MS } from "../../service/circuit-rules.ts";
import type { OrderRecord, OrderState } from "../../store/store.ts";
import type { PipelineParts } from "../tasks.ts";
import { toWarningsMs, WARNING_MS } from "./hold-deadline.ts";

/**
 * When an order that came to rest is looked at again; null for never. Held orders are looked after until somebody decides, orders
 * decided without the service until it answers.
 */
export async function findNextLook(
  { accessOf, now }: Pick<PipelineParts, "accessOf" | "now">,
  order: OrderRecord,
  state: OrderState,
  holdDeadlineMs: number | null,
): Promise<number | null> {
  const isAskedAgain = isToCatchUp(order, now()) && (await accessOf(order.tenant)) !== null;
  const looks = [
    ...(state === "review" ? [toNextLookMs(holdDeadlineMs, 0, now(), toWarningsMs(order))] : []),
    ...(isAskedAgain ? [toCatchUpMs(order, 0, now())] : []),
  ];
  return looks.length === 0 ? null : Math.min(...looks);
}

/** When a held order is looked at again: soon after the hold, when other tools act on it too, then rarely. */
const LOOKS_MS = [10 * 60_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000] as const;

/**
 * When a held order is looked at next, after `looks` looks: by the schedule, at the warning and the deadline, and at
 * each moment of `warningsMs` where there are other warnings.
 */
export function toNextLookMs(
  holdDeadlineMs: number | null,
  looks: number,
  nowMs: number,
  warningsMs: readonly (number | null)[] = [],
): number {
  const regular = nowMs + (LOOKS_MS[Math.min(looks, LOOKS_MS.length - 1)] ?? LOOKS_MS[0]);
  const deadlines = holdDeadlineMs === null ? [] : [holdDeadlineMs - WARNING_MS, holdDeadlineMs];
  const moments = [...deadlines, ...warningsMs.filter((momentMs) => momentMs !== null)];
  return Math.min(regular, ...moments.filter((momentMs) => momentMs > nowMs));
}

/** So long after an order came or changed, it has shipped or was looked at; its degraded decision stands. */
const WINDOW_MS = 24 * 3_600_000;
const FIRST_MS = 60_000;
const LONGEST_MS = 30 * 60_000;
/** Of orders that are due at the same time those that risk more come first, spread over this long. */
const SPREAD_MS = 20_000;
/** An order of this amount is about in the middle of the spread. */
const MIDDLE_AMOUNT = 200;

/** What asking again would not change: the service would refuse it again, or its credit was kept on purpose. */
const FINAL_CAUSES: ReadonlySet<UncheckedCause | undefined> = new Set([
  "VERIFICATION_REFUSED",
  "BURST_BRAKED",
]);

/** Whether the service should still be asked about an order that was decided without it. */
export function isToCatchUp(order: OrderRecord, nowMs: number): boolean {
  const { decision, state, skipReason, mapped, receivedAtMs, revisedAtMs } = order;
  if (decision?.degraded !== true || skipReason !== null || mapped?.outcome !== "screenable") return false;
  // Its hold was released, by a person or at its deadline, or it has ended: no late answer holds it again.
  if (state === "settled" && decision.action === "hold" && decision.enforce) return false;
  if (FINAL_CAUSES.has(decision.unchecked) || isOfSpentDay(order, nowMs)) return false;
  return nowMs < Math.max(receivedAtMs, revisedAtMs ?? 0) + WINDOW_MS;
}

/** A new day's credits are for the new day's orders, and for those that somebody still has to decide. */
function isOfSpentDay({ decision, decidedAtMs }: OrderRecord, nowMs: number): boolean {
  return (
    decision?.unchecked === "BUDGET_SPENT" &&
    decision.action !== "hold" &&
    (decidedAtMs ?? nowMs) < toPeriods(nowMs).dayStartMs
  );
}

/** When to ask again after `tries` tries, the larger amount first. */
export function toCatchUpMs({ amount }: Pick<OrderRecord, "amount">, tries: number, nowMs: number): number {
  const wait = Math.min(FIRST_MS * 2 ** Math.min(tries, 10), LONGEST_MS);
  return nowMs + wait + toSpreadMs(amount, SPREAD_MS);
}

/**
 * When to look again at an order that met another order's trial call: right after it, those of more risk first. Undefined
 * when the service can't be asked again so soon.
 */
export function toAfterTrialMs(
  { amount }: Pick<OrderRecord, "amount">,
  askAgainAtMs: number | undefined,
  nowMs: number,
): number | undefined {
  if (askAgainAtMs === undefined || askAgainAtMs > nowMs + TRIAL_RECHECK_MS) return undefined;
  // Those that met it within a second come by amount, whichever of them met it first.
  const secondMs = Math.ceil(askAgainAtMs / TRIAL_RECHECK_MS) * TRIAL_RECHECK_MS;
  return secondMs + toSpreadMs(amount, TRIAL_RECHECK_MS);
}

/** The larger the amount, the smaller the part of `withinMs`. */
function toSpreadMs(amount: number | null, withinMs: number): number {
  return Math.round(withinMs / (1 + (amount ?? 0) / MIDDLE_AMOUNT));
}
