import { z } from "zod";
import { BUYER_ANSWERS, BUYER_CHECK_METHODS, RIGHT_ANSWERS } from "../../order/buyer-check.ts";
import { ACTIONS, DECISION_SOURCES, PERSON_ACTS } from "../../order/decision.ts";
import { ENFORCEMENT_STEPS, HOLD_GAPS, HOLD_RELEASERS, ORDER_ENDS } from "../../platform/enforcement-step.ts";

/** Something that blocks an order: a stable code, and the step it blocks. */
export const orderProblem = z.object({ step: z.enum(ENFORCEMENT_STEPS).optional(), code: z.string() });
export type OrderProblem = z.infer<typeof orderProblem>;

/** Problems as text: `VERIFICATION_TIMEOUT`, `hold:not-routed-yet tag:tags-refused`; null if there are none. */
export function toProblemText(problems: readonly OrderProblem[]): string | null {
  const texts = problems.map(({ step, code }) => (step === undefined ? code : `${step}:${code}`));
  return texts.length === 0 ? null : texts.join(" ");
}

export function toSingleProblem(code: string | null): readonly OrderProblem[] {
  return code === null ? [] : [{ code }];
}

export function toProblemChanges(problems: readonly OrderProblem[]) {
  return { problem: toProblemText(problems), problems };
}

/** Whether a change of the order is checked, or why it isn't. */
const CHANGE_CHECKS = [
  "to-be-checked",
  "not-material",
  "person-decided",
  "record-only",
  "shipped",
  "policy",
  "cancelled",
] as const;
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

/** A timeline entry's data for code: its kind and the kind's fields. Nothing personal. */
export const timelineEvent = z.discriminatedUnion("kind", [
  z.object({
    kind: z.enum(["received", "uninstalled", "erased"]),
    topic,
  }),
  z.object({
    kind: z.literal("ready"),
    topic,
    reference: z.string().optional().describe("the platform's ids of the goods that it is about"),
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
      "deadline-capped",
      "decided-again",
      "rechecked",
      "held-again",
      "held-to-check",
      "hold-expiring",
      "hold-kept",
      "hold-overdue",
      "hold-released",
      "order-hidden",
      "order-hiding",
      "protection-lapsing",
      "refunded",
      "tag-repaired",
      "review-refused",
    ]),
  }),
  z.object({
    kind: z.literal("hold-overridden"),
    by: z.enum(HOLD_RELEASERS).describe("who released our hold on the platform"),
    app: z.string().optional().describe("the name of the app that did"),
  }),
  z.object({
    kind: z.literal("note"),
    mentions: texts.optional().describe("the people that it mentions, as `person:ID`"),
  }),
  z.object({
    kind: z.literal("buyer-asked"),
    methods: z
      .array(z.enum(BUYER_CHECK_METHODS))
      .readonly()
      .describe("the ways in which the buyer can answer; empty if there is none, so that nobody was asked"),
  }),
  z.object({
    kind: z.literal("buyer-answered"),
    answer: z.enum(BUYER_ANSWERS),
    method: z.enum(BUYER_CHECK_METHODS),
  }),
  z.object({
    kind: z.literal("buyer-confirmed"),
    effect: z.enum(RIGHT_ANSWERS).describe("what the right answer did without a new decision"),
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
  z.object({
    kind: z.enum(STEP_KINDS),
    ended,
    refund: z.boolean().optional().describe("of `cancel-done`: whether the platform was asked to refund"),
  }),
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
  z.object({ kind: z.literal("undone"), act: z.enum(["approve", "decline", "handle"]) }),
  z.object({
    kind: z.literal("assigned"),
    to: z.string().nullable().describe("`person:ID`; null for nobody"),
  }),
]);
export type TimelineEvent = z.infer<typeof timelineEvent>;
