import type { Decision } from "../order/decision.ts";
import type {
  EnforcementStep,
  HoldGap,
  HoldRelease,
  OrderEnd,
  StepOutcome,
} from "../platform/enforcement-step.ts";
import type { StepRecord, TimelineEntry } from "../store/store.ts";
import { toProblemText, type OrderProblem, type TimelineEvent } from "../store/orders/timeline.ts";

/** An entry of an order's history. The actor is Holdfast by default, or `platform` or `person:ID`. */
export function toTimelineEntry(
  atMs: number,
  event: TimelineEvent,
  detail: string,
  actor = "holdfast",
): TimelineEntry {
  return { atMs, kind: event.kind, detail, event, actor };
}

export function toDecidedEntry(atMs: number, { action, source, reasons, actor }: Decision): TimelineEntry {
  const detail = `${action} (${source}): ${reasons.join(", ")}`;
  return toTimelineEntry(atMs, { kind: "decided", action, source, reasons }, detail, actor);
}

/** The entry for detail that the platform or the catalog couldn't provide; none if nothing is missing. */
export function toLessDetailEntries(atMs: number, limitations: readonly string[]): readonly TimelineEntry[] {
  if (limitations.length === 0) return [];
  return [toTimelineEntry(atMs, { kind: "less-detail", limitations }, limitations.join(", "))];
}

export function toProblemEntry(
  atMs: number,
  kind: "waiting" | "failed" | "recheck-failed",
  problems: readonly OrderProblem[],
): TimelineEntry {
  return toTimelineEntry(atMs, { kind, problems }, toProblemText(problems) ?? "");
}

/** The record of a step that came too late because its order had ended on the platform. */
const END_DETAILS: Readonly<Record<OrderEnd, string>> = {
  cancelled: "already-cancelled",
  shipped: "already-fulfilled",
};

export function toStepDetail(outcome: StepOutcome): string {
  if (outcome.outcome === "done" || outcome.outcome === "partial") return outcome.detail;
  const ended = toEnd(outcome);
  return ended === undefined ? outcome.reason : END_DETAILS[ended];
}

/** How the order had ended on the platform when a step came too late for it. */
export function toEnd(outcome: StepOutcome): OrderEnd | undefined {
  return "ended" in outcome ? outcome.ended : undefined;
}

/** How a step ended, or `shadow`: nothing may be changed, so the platform wasn't called. */
export type TakenStep = StepOutcome & { readonly cause?: "shadow" };

export function toStepRecord(step: EnforcementStep, outcome: TakenStep, atMs: number): StepRecord {
  const tried = { step, detail: toStepDetail(outcome), atMs };
  switch (outcome.outcome) {
    case "wait":
      return { ...tried, state: "waiting", memory: outcome.memory ?? {}, begun: outcome.begun };
    case "partial":
      return { ...tried, state: "done", memory: { ...outcome.memory, gap: outcome.gap } };
    case "done":
      return { ...tried, state: "done", memory: outcome.memory ?? {} };
    default:
      return { ...tried, state: outcome.outcome, memory: {}, cause: outcome.cause ?? toEnd(outcome) };
  }
}

/** Whether an entry says that the order had ended like this on the platform. */
export function hasEndedAs(end: OrderEnd, { kind, event }: Pick<TimelineEntry, "kind" | "event">): boolean {
  if (kind === "cancelled-on-platform") return end === "cancelled";
  return "ended" in event && event.ended === end;
}

const GAP_TEXTS: Readonly<Record<HoldGap, string>> = {
  hidden: "Part of the order can still ship: the platform doesn't show it to Holdfast.",
  recalling: "Part of the order can still ship: a fulfillment service was asked to give it back.",
  refused: "Part of the order will ship: the fulfillment service won't give it back.",
  open: "Part of the order can still ship: it can't be put on hold yet.",
};

export function toPartialHoldEntry(atMs: number, gap: HoldGap, detail: string): TimelineEntry {
  return toTimelineEntry(atMs, { kind: "hold-partial", gap }, `${GAP_TEXTS[gap]} (${detail})`);
}

export function toReleaseEntry(atMs: number, { by, app }: HoldRelease): TimelineEntry {
  const details = {
    person: "a person released the hold on the platform",
    app: `${app ?? "another app"} released the hold on the platform`,
    unknown: "the hold was released on the platform, which doesn't say who did it",
  };
  const event = { kind: "hold-overridden", by, ...(app === undefined ? {} : { app }) } as const;
  return toTimelineEntry(atMs, event, details[by], "platform");
}

/** An order's problem while its hold covers only some of the goods. */
export function toGapProblem(gap: HoldGap): OrderProblem {
  return { step: "hold", code: `goods-${gap}` };
}
