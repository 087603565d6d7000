import type { EnforcementStep, HoldGap, OrderEnd, StepOutcome } from "../platform/platform.ts";
import type { StepRecord, TimelineEntry } from "../store/store.ts";

/** One line of an order's history, by Holdfast unless told otherwise: `platform`, or `person:ID`. */
export function toTimelineEntry(
  atMs: number,
  kind: string,
  detail: string,
  actor = "holdfast",
): TimelineEntry {
  return { atMs, kind, detail, actor };
}

/** What is stored of a step that came too late because its order had ended on the platform. */
const END_DETAILS: Readonly<Record<OrderEnd, string>> = {
  cancelled: "already-cancelled",
  shipped: "already-fulfilled",
};

/** The detail that is stored of a step's outcome. */
export function toStepDetail(outcome: StepOutcome): string {
  if (outcome.outcome === "done" || outcome.outcome === "partial") return outcome.detail;
  const ended = outcome.outcome === "wait" ? undefined : outcome.ended;
  return ended === undefined ? outcome.reason : END_DETAILS[ended];
}

/** What is kept of a step. */
export function toStepRecord(step: EnforcementStep, outcome: StepOutcome, atMs: number): StepRecord {
  const detail = toStepDetail(outcome);
  switch (outcome.outcome) {
    case "wait":
      return { step, state: "waiting", detail, memory: outcome.memory ?? {}, atMs };
    case "partial":
      return { step, state: "done", detail, memory: { ...outcome.memory, gap: outcome.gap }, atMs };
    case "done":
      return { step, state: "done", detail, memory: outcome.memory ?? {}, atMs };
    default:
      return { step, state: outcome.outcome, detail, memory: {}, atMs };
  }
}

/** Whether a stored detail says that the order had ended like this on the platform. */
export function isEndDetail(detail: string, end: OrderEnd): boolean {
  return detail === END_DETAILS[end];
}

const GAP_TEXTS: Readonly<Record<HoldGap, string>> = {
  hidden: "Part of the order can still ship: the platform doesn't show it to Holdfast.",
  recalling: "Part of the order can still ship: a fulfillment service was asked to give it back.",
  refused: "Part of the order will ship: the fulfillment service won't give it back.",
  open: "Part of the order can still ship: it can't be put on hold yet.",
};

/** The timeline's entry for a hold that covers only some of an order's goods. */
export function toPartialHoldEntry(atMs: number, gap: HoldGap, detail: string): TimelineEntry {
  return toTimelineEntry(atMs, "hold-partial", `${GAP_TEXTS[gap]} (${detail})`);
}

/** An order's `problem` while its hold covers only some of the goods. */
export function toGapProblem(gap: HoldGap): string {
  return `hold:goods-${gap}`;
}
