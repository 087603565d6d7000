import { toPeriods } from "../../screening/screening-task.ts";
import type { OrderRecord, OrderStore } from "../../store/store.ts";
import type { OrderDecision } from "./order-decision.ts";
import { TRIAL_RECHECK_MS } from "../../service/circuit.ts";
import { supersede, type Superseding } from "./supersede.ts";
import { toTimelineEntry } from "../timeline.ts";

/** So long after an order came or changed, it has shipped or was looked at; its degraded decision stands. */
const WINDOW_MS = 24 * 3_600_000;
const FIRST_MS = 60_000;
const LONGEST_MS = 30 * 60_000;
/** Of orders that are due at the same time those that risk more come first, spread over this long. */
const SPREAD_MS = 20_000;
/** An order of this amount is about in the middle of the spread. */
const MIDDLE_AMOUNT = 200;

/** What asking again would not change: the service would refuse it again, or its credit was kept on purpose. */
const FINAL_REASONS: ReadonlySet<string> = new Set([
  "degraded:VERIFICATION_REFUSED",
  "degraded:BURST_BRAKED",
]);

/** Whether the service should still be asked about an order that was decided without it. */
export function isToCatchUp(order: OrderRecord, nowMs: number): boolean {
  const { decision, skipReason, mapped, receivedAtMs, revisedAtMs } = order;
  if (decision?.degraded !== true || skipReason !== null || mapped?.outcome !== "screenable") return false;
  const { reasons } = decision;
  if (reasons.some((reason) => FINAL_REASONS.has(reason)) || isOfSpentDay(order, nowMs)) return false;
  return nowMs < Math.max(receivedAtMs, revisedAtMs ?? 0) + WINDOW_MS;
}

/** A new day's credits are for the new day's orders, and for those that somebody still has to decide. */
function isOfSpentDay({ decision, decidedAtMs }: OrderRecord, nowMs: number): boolean {
  const spent = decision?.reasons.includes("degraded:BUDGET_SPENT") === true;
  return spent && decision.action !== "hold" && (decidedAtMs ?? nowMs) < toPeriods(nowMs).dayStartMs;
}

/** When to ask again after `tries` tries, the larger amount first. */
export function toCatchUpMs({ amount }: Pick<OrderRecord, "amount">, tries: number, nowMs: number): number {
  const wait = Math.min(FIRST_MS * 2 ** Math.min(tries, 10), LONGEST_MS);
  return nowMs + wait + toSpreadMs(amount, SPREAD_MS);
}

/** Another order's call is finding out whether the service works again. */
interface TrialUnderWay {
  readonly outcome: "trial-under-way";
  /** When to look at this order again. */
  readonly dueAtMs: number;
}

/** What asking again led to. Unless it was answered, the decision stands. */
export type CaughtUp =
  | { readonly outcome: "answered"; readonly superseding: Superseding }
  | TrialUnderWay
  | { readonly outcome: "unanswered" };

/** Ask the service about an order that was decided without it. */
export async function catchUp(
  {
    store,
    decideOrder,
    now,
  }: { store: Pick<OrderStore, "listSteps">; decideOrder: OrderDecision; now: () => number },
  order: OrderRecord,
  signal: AbortSignal,
): Promise<CaughtUp> {
  const { decision, mapped } = order;
  if (decision === null || mapped === null) return { outcome: "unanswered" };
  const decided = await decideOrder(order, mapped, signal);
  if (decided.outcome === "postponed") return { outcome: "unanswered" };
  if (decided.decision.degraded) return toUnanswered(order, decided.askAgainAtMs, now());
  const superseding = await supersede(store, order, decision, decided.decision, {
    changes: decided.changes,
    entries: [...decided.entries, toTimelineEntry(now(), "caught-up", "the service has answered")],
  });
  return { outcome: "answered", superseding };
}

/** An order that met a trial comes right after it: those of less risk must not pass it while it waits for minutes. */
function toUnanswered({ amount }: OrderRecord, askAgainAtMs = Infinity, nowMs: number): CaughtUp {
  if (askAgainAtMs > nowMs + TRIAL_RECHECK_MS) return { outcome: "unanswered" };
  return { outcome: "trial-under-way", dueAtMs: askAgainAtMs + toSpreadMs(amount, TRIAL_RECHECK_MS) };
}

/** The larger the amount, the smaller the part of `withinMs`. */
function toSpreadMs(amount: number | null, withinMs: number): number {
  return Math.round(withinMs / (1 + (amount ?? 0) / MIDDLE_AMOUNT));
}
