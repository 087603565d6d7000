import { z } from "zod";
import { judgeReview } from "../../../pipeline/order-life/review.ts";
import { toSendable } from "../../../policy/sendable.ts";
import { isMadeUp } from "../../../order/order-effects.ts";
import { toOrderEnd } from "../../../pipeline/order-life/order-end.ts";
import { actionEffectJson, NO_EFFECT, sayEffect, type ActionEffect } from "./action-effect.ts";
import type { Decision } from "../../../order/decision.ts";
import type { Policy } from "../../../policy/policy.ts";
import type { OrderRecord } from "../../../store/store.ts";
import type { OrderSituation } from "../../../store/orders/locked-order.ts";
import type { PersonAct } from "../../../order/decision.ts";

const action = z.object({
  possible: z.boolean(),
  consequence: z.string().describe("what the action does, or why it isn't possible; one or two sentences"),
  effect: actionEffectJson.describe("the same for programs"),
});

export const orderActionsJson = z.object({
  approve: action,
  decline: action,
  handle: action,
  recheck: action,
});

export interface ActionContext {
  readonly policy: Policy;
  readonly policyVersion: number;
  /** `person:ID` of the viewer. */
  readonly actor: string;
  /** Whether there is a service to ask for this tenant. */
  readonly hasService: boolean;
  readonly nowMs: number;
}

export function toOrderActionsJson(
  situation: OrderSituation,
  context: ActionContext,
): z.infer<typeof orderActionsJson> {
  const { actor, nowMs, policyVersion } = context;
  const { order } = situation;
  function toAction(act: PersonAct, toEffect: (decision: Decision | null) => Partial<ActionEffect>) {
    const seenDecidedAtMs = order.decidedAtMs;
    const judgement = judgeReview(
      situation,
      { act, actor, atMs: nowMs },
      { policyVersion, nowMs, seenDecidedAtMs },
    );
    const isPossible = judgement.outcome === "decided" || judgement.outcome === "asked";
    const decision = judgement.outcome === "decided" ? (judgement.transition.changes.decision ?? null) : null;
    if (isPossible) {
      const effect = { ...NO_EFFECT, ...toEffect(decision) };
      return { possible: true, consequence: sayEffect(effect, order), effect };
    }
    if (judgement.outcome !== "impossible")
      return {
        possible: false,
        consequence: ALREADY_SO[act],
        effect: { ...NO_EFFECT, code: "already" as const },
      };
    const { obstacle, first } = judgement;
    const effect = { ...NO_EFFECT, code: "impossible" as const, obstacle, first: first?.act ?? null };
    return { possible: false, consequence: `Not possible: ${judgement.why.detail}.`, effect };
  }
  const hasShipped = toOrderEnd(situation) === "shipped";
  return {
    approve: toAction("approve", (decision) =>
      hasShipped ? { code: "records-approval" } : toApproval(decision),
    ),
    decline: toAction("decline", (decision) =>
      decision?.cancelsNothing === undefined ? toRefusal(order, context.policy) : { code: "records-decline" },
    ),
    handle: toAction("handle", () => ({ code: "handles" })),
    recheck: toAction("recheck", () => ({ code: toRecheck(order, context) })),
  };
}

const ALREADY_SO: Readonly<Record<PersonAct, string>> = {
  approve: "This order is already approved.",
  decline: "This order is already canceled, or is being canceled.",
  handle: "This order is already marked as handled.",
  recheck: "A recheck is in progress.",
};

function toApproval(decision: Decision | null): Partial<ActionEffect> {
  const { held = false, tags = [] } = decision?.supersedes ?? {};
  return { code: "releases", held, tags: [...tags] };
}

function toRefusal(order: OrderRecord, { cancel }: Policy): Partial<ActionEffect> {
  if (isMadeUp(order)) return { code: "cancels-sandbox" };
  const { refund: refunds, restock: restocks, notifyCustomer: notifies } = cancel;
  return { code: "cancels", refunds, restocks, notifies };
}

function toRecheck(order: OrderRecord, { hasService, policy }: ActionContext): ActionEffect["code"] {
  // Sandbox orders are never sent to the service.
  if (!hasService || isMadeUp(order)) return "rechecks-locally";
  const { mapped } = order;
  return mapped === null || "request" in toSendable(mapped, policy) ? "rechecks" : "decides-again";
}
