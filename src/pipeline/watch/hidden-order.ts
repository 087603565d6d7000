import { raiseAlert } from "../../base/alerts.ts";
import { alertOnce } from "../../alerts/alert-once.ts";
import type { ObservedOrder } from "../../platform/platform.ts";
import type { OrderChanges, OrderRecord, TimelineEntry } from "../../store/store.ts";
import { toProblemChanges } from "../../store/orders/timeline.ts";
import type { PipelineParts } from "../tasks.ts";
import { toTimelineEntry } from "../timeline.ts";
import type { HoldNotes } from "../order-life/warning-times.ts";
import type { Warned } from "./hold-warnings.ts";

const DAY_MS = 24 * 3_600_000;
/** How long before the platform hides a held order to warn: time to decide, also over a weekend's end. */
const HIDING_WARNING_MS = 2 * DAY_MS;
/** Longer than orders are kept. */
const QUIET_MS = 180 * DAY_MS;

/** When to warn that the platform will hide a held order; null if it won't. */
export function toHidingWarningMs({ hiddenFromMs }: Pick<ObservedOrder, "hiddenFromMs">): number | null {
  return hiddenFromMs === undefined ? null : hiddenFromMs - HIDING_WARNING_MS;
}

/** Whether to warn now that the platform will hide a held order: once, and before it does. */
export function isHidingSoon(
  observed: Pick<ObservedOrder, "hiddenFromMs">,
  notes: HoldNotes,
  nowMs: number,
): boolean {
  const warningMs = toHidingWarningMs(observed);
  return warningMs !== null && nowMs >= warningMs && notes["hiding"] === undefined;
}

/** Warn once that the platform will hide a held order, and once that it has. */
export async function warnOfHiding(
  task: Pick<PipelineParts, "store" | "logger" | "now">,
  order: OrderRecord,
  observed: Pick<ObservedOrder, "hidden" | "hiddenFromMs">,
  notes: HoldNotes,
): Promise<Warned> {
  const nowMs = task.now();
  if (observed.hidden === true) {
    if (notes["hidden"] !== undefined) return { notes: {}, entries: [] };
    await alertHidden(task, order);
    const detail = "the platform no longer shows the order to Holdfast";
    return { notes: { hidden: "yes" }, entries: [toTimelineEntry(nowMs, { kind: "order-hidden" }, detail)] };
  }
  if (observed.hiddenFromMs === undefined || !isHidingSoon(observed, notes, nowMs))
    return { notes: {}, entries: [] };
  const { tenant, orderId } = order;
  raiseAlert(
    task.logger,
    "order_hidden_soon",
    { tenant, orderId },
    "the platform is about to hide a held order from Holdfast",
  );
  const detail = `from ${new Date(observed.hiddenFromMs).toISOString()} on, the platform doesn't show the order to Holdfast`;
  return { notes: { hiding: "yes" }, entries: [toTimelineEntry(nowMs, { kind: "order-hiding" }, detail)] };
}

/** Alert once that the platform hides an order that a person has to look at. */
export function alertHidden(
  task: Pick<PipelineParts, "store" | "logger" | "now">,
  { tenant, orderId }: Pick<OrderRecord, "tenant" | "orderId">,
): Promise<void> {
  const incident = { tenant, name: `order_hidden:${orderId}`, quietMs: QUIET_MS };
  const message = "the platform no longer shows an order that needs a person";
  return alertOnce(task, incident, "order_hidden", { tenant, orderId }, message);
}

/** The problem of an order of which the platform shows nothing. */
const HIDDEN = { code: "order-hidden" } as const;

/** Add that problem to an order or remove it. Nothing if it's the same as before. */
export function toHiddenChanges(
  { problems }: OrderRecord,
  isHidden: boolean,
): Pick<OrderChanges, "problem" | "problems"> {
  if (problems.some(({ code }) => code === HIDDEN.code) === isHidden) return {};
  const others = problems.filter(({ code }) => code !== HIDDEN.code);
  return toProblemChanges(isHidden ? [...others, HIDDEN] : others);
}

export function toCappedEntry({ holdDeadlineMs }: OrderRecord, nowMs: number): TimelineEntry {
  const deadline = new Date(holdDeadlineMs ?? nowMs).toISOString();
  const detail = `the deadline is ${deadline} now, because the platform hides the order from Holdfast a day later`;
  return toTimelineEntry(nowMs, { kind: "deadline-capped" }, detail);
}
