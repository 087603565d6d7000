import type { EnforcementStep, OrderEnd, StepOutcome } from "../platform/platform.ts";
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
  if (outcome.outcome === "done") return outcome.detail;
  const ended = outcome.outcome === "wait" ? undefined : outcome.ended;
  return ended === undefined ? outcome.reason : END_DETAILS[ended];
}

/** What is kept of a step. */
export function toStepRecord(step: EnforcementStep, outcome: StepOutcome, atMs: number): StepRecord {
  const detail = toStepDetail(outcome);
  return outcome.outcome === "wait"
    ? { step, state: "waiting", detail, memory: outcome.memory ?? {}, atMs }
    : { step, state: outcome.outcome, detail, memory: {}, atMs };
}

/** Whether a stored detail says that the order had ended like this on the platform. */
export function isEndDetail(detail: string, end: OrderEnd): boolean {
  return detail === END_DETAILS[end];
}
