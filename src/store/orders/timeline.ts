import { z } from "zod";
import { ACTIONS, DECISION_SOURCES, PERSON_ACTS } from "../../order/decision.ts";
import { ENFORCEMENT_STEPS, HOLD_GAPS, ORDER_ENDS, type OrderEnd } from "../../platform/enforcement-step.ts";

/** One thing that keeps an order from going on: a stable code, and the step that it stops. */
export const orderProblem = z.object({ step: z.enum(ENFORCEMENT_STEPS).optional(), code: z.string() });
/** One thing that keeps an order from going on. */
export type OrderProblem = z.infer<typeof orderProblem>;

/** Problems in one text: `VERIFICATION_TIMEOUT`, `hold:not-routed-yet tag:tags-refused`; null without any. */
export function toProblemText(problems: readonly OrderProblem[]): string | null {
  const texts = problems.map(({ step, code }) => (step === undefined ? code : `${step}:${code}`));
  return texts.length === 0 ? null : texts.join(" ");
}

/** A code, or none, as a list of problems. */
export function toSingleProblem(code: string | null): readonly OrderProblem[] {
  return code === null ? [] : [{ code }];
}

/** What an order changes for these problems. */
export function toProblemChanges(problems: readonly OrderProblem[]) {
  return { problem: toProblemText(problems), problems };
}

/** Whether a change of the order is checked, or why it isn't. */
export const CHANGE_CHECKS = [
  "to-be-checked",
  "not-material",
  "person-decided",
  "record-only",
  "shipped",
  "policy",
  "cancelled",
] as const;
/** One of {@link CHANGE_CHECKS}. */
export type ChangeCheck = (typeof CHANGE_CHECKS)[number];

const STEP_KINDS = ENFORCEMENT_STEPS.flatMap((step) => [
  `${step}-done` as const,
  `${step}-impossible` as const,
  `${step}-moot` as const,
]);

const problems = z.array(orderProblem).readonly();
const texts = z.array(z.string()).readonly();
const ended = z.enum(ORDER_ENDS).optional();
const topic = z.string().optional().describe("the webhook's topic; absent if no webhook said so");

/** What an entry of the timeline says, for code: its kind and the kind's fields. Nothing personal. */
export const timelineEvent = z.discriminatedUnion("kind", [
  z.object({
    kind: z.enum(["received", "ready", "uninstalled", "erased"]),
    topic,
  }),
  z.object({
    kind: z.literal("cancelled-on-platform"),
    topic,
    asFraud: z.literal(true).optional().describe("the platform names fraud as the reason"),
  }),
  z.object({
    kind: z.enum([
      "authorization-expiring",
      "dispute",
      "found",
      "caught-up",
      "context-changed",
      "decided-again",
      "rechecked",
      "held-to-check",
      "hold-expiring",
      "hold-kept",
      "hold-overdue",
      "hold-overridden",
      "hold-released",
      "note",
      "protection-lapsing",
      "refunded",
      "tag-repaired",
      "verdict-refused",
    ]),
  }),
  z.object({ kind: z.literal("less-detail"), limitations: texts }),
  z.object({
    kind: z.literal("decided"),
    action: z.enum(ACTIONS),
    source: z.enum(DECISION_SOURCES),
    reasons: texts,
  }),
  z.object({ kind: z.enum(["waiting", "review", "failed", "recheck-failed"]), problems }),
  z.object({ kind: z.literal("settled"), problems, ended }),
  z.object({ kind: z.enum(STEP_KINDS), ended }),
  z.object({ kind: z.literal("hold-partial"), gap: z.enum(HOLD_GAPS) }),
  z.object({
    kind: z.enum(["changed", "changed-after-person"]),
    paths: texts,
    check: z.enum(CHANGE_CHECKS),
  }),
  z.object({
    kind: z.enum(PERSON_ACTS),
    effectiveAt: z.iso.datetime().optional().describe("until then it can be undone"),
  }),
  z.object({ kind: z.literal("undone"), act: z.enum(["approve", "decline"]) }),
]);
/** What an entry of the timeline says. */
export type TimelineEvent = z.infer<typeof timelineEvent>;

/** How releases before schema 8 said that an order had ended on the platform: in a step's text, and in that of `settled`. */
const ENDED_BEFORE: Readonly<Record<string, OrderEnd>> = {
  "already-cancelled": "cancelled",
  "already-fulfilled": "shipped",
};
const SETTLED_BEFORE: Readonly<Record<string, OrderEnd>> = {
  "cancelled-on-platform": "cancelled",
  fulfilled: "shipped",
};

/**
 * What an entry says; undefined when it isn't known. One without an event is of a release before schema 8, which may run beside
 * this one during an upgrade: how the order ended counts in decisions and reports, so it is read from the text. One of a later
 * release may say what isn't known here.
 */
export function readEvent(
  kind: string,
  { detail, event }: { readonly detail: string; readonly event: string | null },
): TimelineEvent | undefined {
  if (event !== null) return timelineEvent.safeParse(JSON.parse(event)).data;
  const isLateStep = /-(?:moot|impossible)$/.test(kind);
  const ended = kind === "settled" ? SETTLED_BEFORE[detail] : isLateStep ? ENDED_BEFORE[detail] : undefined;
  return ended === undefined ? undefined : timelineEvent.safeParse({ kind, problems: [], ended }).data;
}

/** Why a step was not taken, with the texts of releases before schema 8 as in {@link readEvent}. */
export function readCause({
  state,
  detail,
  cause,
}: {
  readonly state: string;
  readonly detail: string;
  readonly cause: string | null;
}): OrderEnd | "shadow" | undefined {
  if (cause !== null) return cause as OrderEnd | "shadow";
  if (state === "moot" && detail === "shadow-mode") return "shadow";
  return state === "moot" || state === "impossible" ? ENDED_BEFORE[detail] : undefined;
}
