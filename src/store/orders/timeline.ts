import { z } from "zod";
import { ACTIONS, DECISION_SOURCES, PERSON_ACTS } from "../../order/decision.ts";
import { ENFORCEMENT_STEPS, HOLD_GAPS, ORDER_ENDS } from "../../platform/platform.ts";

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

/** What an entry of the timeline says, for code: its kind and the kind's fields. Nothing personal. */
export const timelineEvent = z.discriminatedUnion("kind", [
  z.object({
    kind: z.enum(["received", "ready", "cancelled-on-platform", "uninstalled", "erased"]),
    topic: z.string().optional().describe("the webhook's topic; absent if no webhook said so"),
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
