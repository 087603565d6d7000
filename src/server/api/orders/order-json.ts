import { toKnown, type MappedOrder } from "../../../platform/platform.ts";
import { z } from "zod";
import { readCountry } from "../../../platform/mapped-order.ts";
import { toIso } from "../../../base/iso-time.ts";
import { pick } from "../../http/api-route.ts";
import { ACTIONS, DECISION_SOURCES, DECLINE_REASONS, PERSON_ACTS } from "../../../order/decision.ts";
import { toCountryCode } from "../../../order/countries/country-code.ts";
import { isUrgent, type OrderDifference } from "../../../store/orders/order-record.ts";
import { BUYER_FILTERS } from "../../../store/orders/order-filter.ts";
import type { BuyerWord } from "../../../store/outcomes/outcomes.ts";
import type { ReviewClaim } from "../../../store/orders/review-claims.ts";
import { needsRecheck } from "../../../pipeline/order-life/changed-order.ts";
import { isHeldForRecheck } from "../../../pipeline/order-life/step-plan.ts";
import { ORDER_STATES, type OrderRecord, type StepRecord, type TimelineEntry } from "../../../store/store.ts";
import { orderProblem, timelineEvent } from "../../../store/orders/timeline.ts";
import { ORDER_ENDS, type OrderEnd } from "../../../platform/enforcement-step.ts";
import type { OrderMarks } from "../../../store/orders/assignments.ts";
import { RISK_LEVELS } from "../../../order/risk-level.ts";
import { SKIP_REASONS } from "../../../order/skip-reasons.ts";
import { chipJson, MOST_CHIPS, toChips } from "./reason-chips.ts";

const moment = z.iso.datetime();
const changedValue = z.union([z.string(), z.number()]).nullable();

/** An order as the list of the API shows it. */
export const orderJson = z.object({
  orderId: z.string(),
  name: z.string(),
  receivedAt: moment,
  state: z.enum(ORDER_STATES),
  riskLevel: z.enum(RISK_LEVELS).nullable(),
  riskScore: z.number().nullable(),
  urgent: z
    .boolean()
    .describe("comes first in the queue: a bank asks about the payment, or Holdfast stopped retrying"),
  action: z.enum(ACTIONS).nullable(),
  source: z.enum(DECISION_SOURCES).nullable(),
  degraded: z.boolean(),
  enforced: z.boolean().nullable().describe("false: recorded only, as in shadow mode; null until decided"),
  skipReason: z.enum(SKIP_REASONS).nullable(),
  unchecked: z
    .string()
    .nullable()
    .describe("why the service didn't check the order: a skip reason or an error code"),
  creditsSpent: z.int(),
  holdDeadline: moment.nullable(),
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  value: z
    .number()
    .nullable()
    .optional()
    .describe("with `sort=amount`: the amount in the shop's currency; null without a rate"),
  buyer: z.string().nullable().describe("null once erased, or if the platform names nobody"),
  country: z
    .string()
    .nullable()
    .describe("shipping country, else billing country; an ISO code if it's known"),
  chips: z
    .array(chipJson)
    .readonly()
    .describe(`why, at most ${MOST_CHIPS}: what decided first, then the most serious factors`),
  decidedBy: z.string().nullable().describe("`person:ID` if a person decided"),
  pendingReview: z
    .object({
      act: z.enum(["approve", "decline", "handle"]),
      by: z.string().describe("`person:ID`"),
      at: moment,
      effectiveAt: moment,
    })
    .nullable()
    .describe("a person's decision that can still be undone; takes effect at `effectiveAt`"),
  pendingRecheck: z
    .object({ changedAt: moment, held: z.boolean().describe("on hold until then") })
    .nullable()
    .describe("the order changed and will be decided again; the other fields are about its earlier content"),
  ended: z
    .enum(ORDER_ENDS)
    .nullable()
    .describe("how the order ended on the platform, as far as Holdfast knows; null if it goes on"),
  evidenceDueBy: moment
    .nullable()
    .describe("until when a bank waits for evidence about a dispute; null if none does"),
  buyerAnswer: z
    .enum(BUYER_FILTERS)
    .nullable()
    .describe("what the buyer said who was asked; `asked`: nothing yet; null: nobody asked them"),
  notes: z.int().describe("how many notes people left"),
  assignee: z.string().nullable().describe("`person:ID` who should review it"),
  claim: z
    .object({ by: z.string(), until: moment })
    .nullable()
    .describe("who is reviewing the order; ends when they decide, or at `until`"),
});

/** The part of an order that other lists show. */
export const listedOrderJson = orderJson.pick({
  orderId: true,
  name: true,
  amount: true,
  currency: true,
  riskLevel: true,
});

/** An order as the API shows it in full. */
export const orderDetailJson = orderJson.extend({
  platform: z.string().describe("where the order was placed, for example `shopify`"),
  decidedAt: moment.nullable(),
  settledAt: moment.nullable(),
  problem: z.string().nullable().describe("`problems` in one text"),
  problems: z.array(orderProblem).readonly().describe("what blocks the order"),
  tags: z.array(z.string()).readonly(),
  reasons: z.array(z.string()).readonly(),
  policyVersion: z.int().nullable(),
  declineReason: z
    .enum(DECLINE_REASONS)
    .nullable()
    .describe("why a person declined it; null without a reason"),
  factors: z
    .array(
      z.object({
        factor: z.string(),
        category: z.string(),
        severity: z.string(),
        description: z.string(),
      }),
    )
    .readonly(),
  reasoning: z.string().nullable(),
  recommendations: z.array(z.string()).readonly(),
  timeline: z.array(
    z.object({
      at: moment,
      kind: z.string(),
      detail: z.string().describe("the same as `event`, for people"),
      event: timelineEvent,
      actor: z.string(),
      note: z.string().nullable().describe("a person's note"),
    }),
  ),
  pending: z
    .object({ act: z.enum(PERSON_ACTS), actor: z.string(), at: moment })
    .nullable()
    .describe("a person's decision that waits for the current work to end"),
  steps: z.array(z.object({ step: z.string(), state: z.string(), detail: z.string(), at: moment })),
  changes: z.array(
    z.object({
      at: moment,
      material: z.boolean(),
      fields: z.array(z.object({ path: z.string(), before: changedValue, after: changedValue })),
    }),
  ),
});

/** Personal: the buyer's name and country, and the reasons for the order's risk. */
export function toOrderJson(
  order: OrderRecord,
  steps: readonly StepRecord[],
  { claim, marks, ended, evidenceDueMs, buyer }: Surroundings,
): z.infer<typeof orderJson> {
  const { decision } = order;
  return pick(orderJson, {
    ...order,
    ...(decision ?? UNDECIDED),
    receivedAt: toIso(order.receivedAtMs),
    urgent: isUrgent(order),
    enforced: decision?.enforce ?? null,
    unchecked: decision?.unchecked ?? null,
    decidedBy: decision?.actor ?? null,
    holdDeadline: toIso(order.holdDeadlineMs),
    ...toBuyerJson(order.mapped),
    chips: toChips(decision, order.result),
    pendingReview: toPendingReviewJson(order),
    pendingRecheck: toPendingRecheckJson(order, steps),
    ended,
    evidenceDueBy: toIso(evidenceDueMs),
    buyerAnswer: buyer ?? null,
    ...toMarksJson(marks),
    claim: toClaimJson(claim),
  });
}

function toMarksJson({ notes, assignee }: Partial<OrderMarks> = {}) {
  return { notes: notes ?? 0, assignee: assignee ?? null };
}

/** What is stored beside an order. */
interface Surroundings {
  readonly claim?: ReviewClaim | undefined;
  readonly marks?: OrderMarks | undefined;
  readonly ended: OrderEnd | null;
  /** Until when a bank waits for evidence; null if none does. */
  readonly evidenceDueMs: number | null;
  /** What the buyer said. Absent: nobody asked them. */
  readonly buyer?: BuyerWord | undefined;
}

const UNDECIDED = {
  riskLevel: null,
  riskScore: null,
  action: null,
  source: null,
  degraded: false,
  tags: [],
  reasons: [],
  policyVersion: null,
} as const;
const UNJUDGED = { riskFactors: [], reasoning: null, recommendations: [] } as const;

export function toClaimJson(claim: ReviewClaim | undefined): z.infer<typeof orderJson>["claim"] {
  return claim === undefined ? null : { by: claim.actor, until: toIso(claim.untilMs) };
}

export function toBuyerJson(mapped: MappedOrder | null) {
  if (mapped === null) return { buyer: null, country: null };
  const { customerName } = toKnown(mapped);
  const isMadeUp = mapped.standIns?.includes("customerName") === true;
  return { buyer: isMadeUp ? null : (customerName ?? null), country: readOrderCountry(mapped) };
}

/** The ISO code of an order's country if it's known, else the country as it's written; null once erased. */
export function readOrderCountry(mapped: MappedOrder | null): string | null {
  const country = mapped === null ? undefined : readCountry(mapped);
  return toCountryCode(country) ?? country ?? null;
}

export function toOrderDetailJson(
  order: OrderRecord,
  timeline: readonly TimelineEntry[],
  steps: readonly StepRecord[],
  changes: readonly OrderDifference[],
  around: Surroundings,
): z.infer<typeof orderDetailJson> {
  const { decision, review } = order;
  const { riskFactors: factors, ...texts } = order.result ?? UNJUDGED;
  return pick(orderDetailJson, {
    ...order,
    ...(decision ?? UNDECIDED),
    ...texts,
    ...toOrderJson(order, steps, around),
    decidedAt: toIso(order.decidedAtMs),
    settledAt: toIso(order.settledAtMs),
    declineReason: decision?.declineReason ?? null,
    factors,
    timeline: timeline.map(({ atMs, kind, detail, event, actor, note = null }) => {
      return { at: toIso(atMs), kind, detail, event, actor, note };
    }),
    pending: review && { act: review.act, actor: review.actor, at: toIso(review.atMs) },
    // A step's notes belong to the adapter and aren't shown.
    steps: steps.map(({ step, state, detail, atMs }) => ({ step, state, detail, at: toIso(atMs) })),
    // Personal: what somebody changed on the platform.
    changes: changes.map(({ atMs, material, fields }) => ({
      at: toIso(atMs),
      material,
      fields: fields.map(({ path, before, after }) => ({ path, before, after })),
    })),
  });
}

function toPendingReviewJson({ review }: OrderRecord) {
  if (review === null || review.act === "recheck") return null;
  const { act, actor, atMs, effectiveAtMs = atMs } = review;
  return { act, by: actor, at: toIso(atMs), effectiveAt: toIso(effectiveAtMs) };
}

function toPendingRecheckJson(order: OrderRecord, steps: readonly StepRecord[]) {
  if (order.decision === null || !needsRecheck(order)) return null;
  const isChecked =
    steps.some(({ step, state }) => step === "hold" && state === "done") && isHeldForRecheck(steps);
  return {
    changedAt: toIso(order.revisedAtMs ?? order.receivedAtMs),
    held: order.state === "review" || isChecked,
  };
}
