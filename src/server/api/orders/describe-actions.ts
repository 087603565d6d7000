import { z } from "zod";
import { judgeReview } from "../../../pipeline/order-life/review.ts";
import { toSendable } from "../../../policy/sendable.ts";
import { isMadeUp } from "../../../order/order-effects.ts";
import { toOrderEnd } from "./verdict.ts";
import type { Decision } from "../../../order/decision.ts";
import type { Policy } from "../../../policy/policy.ts";
import type { OrderRecord } from "../../../store/store.ts";
import type { OrderSituation } from "../../../store/orders/locked-order.ts";
import type { PersonAct } from "../../../order/decision.ts";

const action = z.object({
  possible: z.boolean(),
  consequence: z.string().describe("what the action does, or why it isn't possible; one or two sentences"),
});

export const orderActionsJson = z.object({ approve: action, decline: action, recheck: action });

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
  function toAction(act: PersonAct, toConsequence: (decision: Decision | null) => string) {
    const seenDecidedAtMs = order.decidedAtMs;
    const judgement = judgeReview(
      situation,
      { act, actor, atMs: nowMs },
      { policyVersion, nowMs, seenDecidedAtMs },
    );
    const isPossible = judgement.outcome === "decided" || judgement.outcome === "asked";
    const decision = judgement.outcome === "decided" ? (judgement.transition.changes.decision ?? null) : null;
    if (isPossible) return { possible: true, consequence: toConsequence(decision) };
    const isDone = judgement.outcome !== "impossible";
    return { possible: false, consequence: isDone ? ALREADY_SO[act] : `Not possible: ${judgement.detail}.` };
  }
  const hasShipped = toOrderEnd(situation) === "shipped";
  return {
    approve: toAction("approve", (decision) => (hasShipped ? HANDLED : toApproval(order, decision))),
    decline: toAction("decline", () => (hasShipped ? TOO_LATE : toRefusal(order, context.policy))),
    recheck: toAction("recheck", () => toRecheck(order, context)),
  };
}

const ALREADY_SO: Readonly<Record<PersonAct, string>> = {
  approve: "This order is already approved.",
  decline: "This order is already canceled, or is being canceled.",
  recheck: "A recheck is in progress.",
};

const HANDLED = "Takes the order out of the queue. It has shipped, and reports count it as approved.";
const TOO_LATE =
  "Records your decision, and cancels and refunds nothing: the order has shipped. Refund it on the platform.";

function toApproval({ platform }: OrderRecord, decision: Decision | null): string {
  const { held = false, tags = [] } = decision?.supersedes ?? {};
  const done = [
    ...(held ? ["releases Holdfast's hold"] : []),
    ...(tags.length > 0 ? [`removes ${tags.join(", ")}`] : []),
  ];
  const first = done.length === 0 ? `changes nothing on ${toCapital(platform)}` : done.join(" and ");
  return `${toCapital(first)}. The order can ship.`;
}

function toRefusal(order: OrderRecord, { cancel }: Policy): string {
  if (isMadeUp(order))
    return "Cancels the sandbox order. No money moves, and nothing changes on the platform.";
  const money = toMoney(order.amount, order.currency);
  const refund = money === null ? "refunds it" : `refunds ${money}`;
  const done = [
    `Cancels the order on ${toCapital(order.platform)}`,
    cancel.refund ? refund : "doesn't refund",
    cancel.restock ? "restocks" : "doesn't restock",
  ];
  return `${done.join(", ")}${cancel.notifyCustomer ? " and notifies the customer" : ""}. You can't undo this after it takes effect.`;
}

function toRecheck(order: OrderRecord, { hasService, policy }: ActionContext): string {
  // Sandbox orders are never sent to the service.
  if (!hasService || isMadeUp(order))
    return "Checks again with the local engine and decides again. Uses no credits.";
  const { mapped } = order;
  const isSent = mapped === null || "request" in toSendable(mapped, policy);
  return isSent
    ? "Uses 1 credit and decides again."
    : "Decides again. Uses no credits, since this order isn't sent to the verification service.";
}

/** An amount in its currency's format, e.g. `1,128.00 USD`; null if there is none. */
function toMoney(amount: number | null, currency: string | null): string | null {
  if (amount === null || currency === null || !/^[A-Za-z]{3}$/.test(currency)) return null;
  const { maximumFractionDigits: usual = 2 } = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
  }).resolvedOptions();
  // People leave out the fillér and the sen, but an amount that has them isn't rounded.
  const places = usual === 0 && !Number.isInteger(amount) ? 2 : usual;
  const digits = { minimumFractionDigits: places, maximumFractionDigits: places };
  return `${amount.toLocaleString("en", digits)} ${currency.toUpperCase()}`;
}

function toCapital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
