import { z } from "zod";
import { toIso } from "../../../base/iso-time.ts";
import type { Decision, PersonAct } from "../../../order/decision.ts";
import { splitReason, type ReasonCode } from "../../../order/reasons.ts";
import { needsRecheck } from "../../../pipeline/order-life/changed-order.ts";
import { toTried } from "../../../pipeline/order-life/step-pass.ts";
import { findStep } from "../../../pipeline/order-life/step-plan.ts";
import { toOrderEnd } from "../../../pipeline/order-life/order-end.ts";
import type { OrderSituation } from "../../../store/orders/locked-order.ts";
import type { KeptDispute } from "../../../store/outcomes/disputes.ts";
import type { OrderRecord, StepRecord } from "../../../store/store.ts";
import { reasonJson, type ReasonJson } from "./reason-chips.ts";

/**
 * What was decided about an order, and whether it happened:
 *
 * - `checking`: not decided yet. `undecided`: at rest without a decision.
 * - `to-be-approved`, `to-be-declined`, `to-be-handled`, `to-be-rechecked`: a person asked for it, and it hasn't taken effect.
 * - `changed`, `changed-held`: the order changed since, and is checked again.
 * - `inquiry-held`, `inquiry`: a bank asks about the payment; a held order waits for a person. `charged-back`: the bank
 *   took the payment back.
 * - `held`, `to-be-held`, `not-held`; `canceled`, `to-be-canceled`, `not-canceled`: as it says.
 * - `held-instead`: on hold because it couldn't be canceled.
 * - `released`: somebody or an app released the hold on the platform. `expired`: released at its deadline.
 * - `shipped`: shipped despite the hold. `handled`: a person took the shipped order out of the queue. `ended`: canceled on the platform, not by Holdfast.
 * - `allowed`, `tagged`; `unchecked`: the same, but nobody judged it. `recorded`: changed nothing on the platform.
 * - `failed`: Holdfast stopped retrying.
 */
const VERDICT_KINDS = [
  "checking",
  "undecided",
  "to-be-approved",
  "to-be-declined",
  "to-be-handled",
  "to-be-rechecked",
  "changed",
  "changed-held",
  "inquiry-held",
  "inquiry",
  "charged-back",
  "held",
  "to-be-held",
  "not-held",
  "held-instead",
  "canceled",
  "to-be-canceled",
  "not-canceled",
  "released",
  "expired",
  "shipped",
  "handled",
  "ended",
  "allowed",
  "tagged",
  "unchecked",
  "recorded",
  "failed",
] as const;
type VerdictKind = (typeof VERDICT_KINDS)[number];

export const verdictJson = z.object({
  kind: z.enum(VERDICT_KINDS).describe("what was decided, and whether it happened"),
  cause: reasonJson.nullable().describe("what decided; null if nothing did"),
  by: z.string().nullable().describe("`person:ID` if a person decided, or asks to"),
  at: z.iso.datetime().nullable().describe("when it happened, or when that person asked for it"),
  problem: z.string().nullable().describe("a code: what it waits for, or why it didn't happen"),
  refunded: z.boolean().describe("the platform says that the payment was refunded in full"),
  refundAsked: z
    .boolean()
    .nullable()
    .describe(
      "whether Holdfast's own cancel asked for a refund; null if it canceled nothing, or it isn't known",
    ),
});
export type Verdict = z.infer<typeof verdictJson>;

type Found = Pick<Verdict, "kind"> & Partial<Verdict>;
type Disputes = readonly Pick<KeptDispute, "kind" | "status">[];

/** The one thing that a person has to know about an order. Pure. */
export function toVerdict(situation: OrderSituation, disputes: Disputes): Verdict {
  const { order, timeline } = situation;
  const { decision, decidedAtMs } = order;
  const found =
    findAsked(order) ??
    findDispute(order, disputes) ??
    findEnd(situation) ??
    (decision === null ? findUndecided(order) : findDecided(situation, decision));
  return {
    cause: decision === null ? null : toCause(decision),
    by: decision?.actor ?? null,
    at: toIso(decidedAtMs),
    problem: null,
    refunded: timeline.some(({ kind }) => kind === "refunded"),
    refundAsked: findRefundAsked(timeline),
    ...found,
  };
}

function findRefundAsked(timeline: OrderSituation["timeline"]): boolean | null {
  const event = timeline.map((entry) => entry.event).findLast(({ kind }) => kind === "cancel-done");
  return event !== undefined && "refund" in event ? (event.refund ?? null) : null;
}

const ASKED = {
  approve: "to-be-approved",
  decline: "to-be-declined",
  handle: "to-be-handled",
  recheck: "to-be-rechecked",
} as const satisfies Readonly<Record<PersonAct, VerdictKind>>;

function findAsked({ review }: OrderRecord): Found | null {
  return review && { kind: ASKED[review.act], by: review.actor, at: toIso(review.atMs) };
}

/** A canceled order was refunded, or isn't paid: an inquiry about it needs nobody. */
function findDispute(order: OrderRecord, disputes: Disputes): Found | null {
  const { state, decision } = order;
  if (disputes.some(({ kind, status }) => kind === "chargeback" && (status === "open" || status === "lost")))
    return { kind: "charged-back" };
  const isOpen = disputes.some(({ kind, status }) => kind === "inquiry" && status === "open");
  if (!isOpen || decision?.action === "cancel") return null;
  return { kind: state === "review" ? "inquiry-held" : "inquiry" };
}

function findEnd(situation: OrderSituation): Found | null {
  if (toOrderEnd(situation) !== "cancelled") return null;
  const cancel = findStep(situation.steps, "cancel");
  if (cancel?.state === "done") return { kind: "canceled", at: toIso(cancel.atMs) };
  return { kind: "ended", at: null };
}

function findUndecided({ state, problems }: OrderRecord): Found {
  const problem = problems[0]?.code ?? null;
  if (state === "failed") return { kind: "failed", problem };
  return { kind: state === "settled" ? "undecided" : "checking", problem };
}

function findDecided(situation: OrderSituation, decision: Decision): Found {
  const { order } = situation;
  const { state } = order;
  const isHeld = state === "review";
  if (needsRecheck(order)) return { kind: isHeld ? "changed-held" : "changed", at: toIso(order.revisedAtMs) };
  if (!decision.enforce) return { kind: "recorded" };
  if (decision.action === "cancel") return findCancel(situation);
  if (decision.action === "hold") return findHold(situation);
  if (state === "failed") return { kind: "failed", problem: order.problems[0]?.code ?? null };
  if (decision.handled === true) return { kind: "handled" };
  if (isUnjudged(decision)) return { kind: "unchecked" };
  return { kind: decision.action === "tag" ? "tagged" : "allowed" };
}

/** Nobody looked at it: neither the service nor the local engine, a rule or a person. */
function isUnjudged({ source, riskLevel, causes = {} }: Decision): boolean {
  if (source === "person") return false;
  return causes.skipReason !== undefined || (causes.rule === undefined && riskLevel === null);
}

function findCancel(situation: OrderSituation): Found {
  const { order } = situation;
  if (order.decision?.cancelsNothing === undefined) return findCancelEnd(situation);
  // It had shipped. What hasn't after all is held.
  return { kind: order.state === "review" ? "held-instead" : "not-canceled", problem: "already-fulfilled" };
}

function findCancelEnd({ order, steps }: OrderSituation): Found {
  const cancel = findStep(toTried({ order, steps }), "cancel");
  const problem = cancel?.detail ?? null;
  if (cancel?.state === "moot") return { kind: cancel.cause === "shadow" ? "recorded" : "ended", at: null };
  if (cancel?.state === "impossible") {
    return { kind: order.state === "review" ? "held-instead" : "not-canceled", problem };
  }
  if (order.state === "failed") return { kind: "not-canceled", problem: order.problems[0]?.code ?? null };
  return { kind: "to-be-canceled", problem };
}

function findHold(situation: OrderSituation): Found {
  const { order, steps } = situation;
  if (order.state === "review") return { kind: "held" };
  const hold = findStep(toTried({ order, steps }), "hold");
  if (hold?.cause === "shadow") return { kind: "recorded" };
  const isOver = order.state === "settled" || order.state === "failed";
  if (!isOver) return { kind: "to-be-held", problem: hold?.state === "waiting" ? hold.detail : null };
  return findHoldEnd(situation, hold);
}

function findHoldEnd(situation: OrderSituation, hold: StepRecord | undefined): Found {
  const { order, timeline } = situation;
  const since = timeline.slice(timeline.findLastIndex(({ kind }) => kind === "decided") + 1);
  if (since.some(({ kind }) => kind === "hold-overridden")) return { kind: "released", at: null };
  if (since.some(({ kind }) => kind === "hold-released")) return { kind: "expired", at: null };
  if (hold?.state === "done" && toOrderEnd(situation) === "shipped") return { kind: "shipped", at: null };
  return { kind: "not-held", problem: order.problems[0]?.code ?? hold?.detail ?? null };
}

/** They say more about the decision, but didn't make it. */
const MODIFIERS: ReadonlySet<ReasonCode | null> = new Set([
  "snoozed",
  "shadow",
  "record-only",
  "local-never-cancels",
  "opted-out",
  "no-policy-saved",
  "trusted",
  "degraded",
]);

/** The reason that decided. */
export function toCause({ reasons }: Pick<Decision, "reasons">): ReasonJson | null {
  const all = reasons.flatMap((reason): readonly ReasonJson[] => {
    const { code, detail } = splitReason(reason);
    return code === null ? [] : [{ code, detail }];
  });
  const [first, second] = all.filter(({ code }) => !MODIFIERS.has(code));
  // A rule or a channel says which orders it leaves alone.
  if (first?.code === "skipped" && first.detail === "SKIPPED_BY_RULE") return second ?? first;
  return first ?? all[0] ?? null;
}
