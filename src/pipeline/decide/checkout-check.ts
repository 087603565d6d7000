import { toKnown, type PlatformOrder, type TenantId } from "../../platform/platform.ts";
import { toSendable } from "../../policy/sendable.ts";
import { type DecisionBasis, toBasis } from "../../screening/decide-order.ts";
import {
  READ_MS,
  toCarriedOut,
  toScreenedStatus,
  type CheckOptions,
  type OrderCheck,
} from "../../screening/order-check.ts";
import { findWarnings } from "../../screening/order-warnings.ts";
import type { Screened } from "../../screening/screening-task.ts";
import { applyLists, makeDecision, type DecisionParts, type OrderToDecide } from "./make-decision.ts";

/** An order that a shop is about to place. */
export interface CheckoutOrder extends Pick<PlatformOrder, "orderId" | "mapped"> {
  readonly tenant: TenantId;
  readonly platform: string;
}

/** Options of a {@link CheckoutCheck}. */
export interface CheckoutLimits extends Pick<CheckOptions, "deadlineMs" | "signal"> {
  /** The check that an earlier hook of the same request made: if it waited for an answer, this one doesn't wait again. */
  readonly earlier?: Pick<OrderCheck, "fingerprint" | "status"> | undefined;
}

/**
 * Checks an order before it's placed, with its tenant's policy, key and budget. The answer is paid for once: the placed order
 * uses the stored answer.
 */
export type CheckoutCheck = (order: CheckoutOrder, limits?: CheckoutLimits) => Promise<OrderCheck>;

/** Create the {@link CheckoutCheck} of an app. */
export function createCheckoutCheck(parts: DecisionParts): CheckoutCheck {
  const { screening, now } = parts;

  return async ({ mapped, ...named }, limits = {}) => {
    const order = { ...named, receivedAtMs: now(), recordOnly: false, verdict: null, attempts: 0 };
    const { basis, screened } = await ask(parts, order, mapped, limits);
    const signal = limits.signal ?? new AbortController().signal;
    const decided = await makeDecision(parts, order, mapped, signal, basis);
    if (decided.outcome !== "decided") throw new TypeError("a decision on a given basis is never postponed");
    const fingerprint = () => screening.fingerprint(order.tenant, toKnown(mapped), mapped.recipientName);
    return {
      status: basis.kind === "skipped" ? "skipped" : screened ? toScreenedStatus(screened) : "degraded",
      ...toCarriedOut(decided.decision),
      result: decided.changes.result ?? null,
      creditsSpent: screened?.creditsSpent ?? 0,
      fingerprint: screened?.fingerprint ?? fingerprint(),
      warnings: findWarnings(toKnown(mapped), toKnown(mapped), mapped.standIns ?? []),
    };
  };
}

interface Asked {
  readonly basis: DecisionBasis;
  /** Undefined if the service wasn't asked. */
  readonly screened?: Screened | undefined;
}

async function ask(
  parts: DecisionParts,
  order: OrderToDecide,
  mapped: PlatformOrder["mapped"],
  limits: CheckoutLimits,
): Promise<Asked> {
  const { tenant, receivedAtMs: placedAtMs } = order;
  const startMs = performance.now();
  const [{ policy }, access] = await Promise.all([parts.policyOf(tenant), parts.accessOf(tenant)]);
  const own = applyLists(parts, order, mapped, policy);
  const sendable = toSendable(mapped, own.policy, own.listed);
  if ("skipReason" in sendable) {
    return { basis: { kind: "skipped", reason: sendable.skipReason, hasService: access !== null } };
  }
  if (access === null) return { basis: { kind: "no-service" } };
  const { request } = sendable;
  const { recipientName } = mapped;
  const { budget } = policy;
  const { earlier, signal } = limits;
  const hasWaited =
    (earlier?.status === "pending" || earlier?.status === "degraded") &&
    earlier.fingerprint === parts.screening.fingerprint(tenant, request, recipientName);
  // Reading policy and access took a part of the time limit.
  const restMs = Math.max(READ_MS, (limits.deadlineMs ?? Infinity) - (performance.now() - startMs));
  const deadlineMs = hasWaited ? READ_MS : Number.isFinite(restMs) ? restMs : undefined;
  const screened = await parts.screening.screen({
    tenant,
    request,
    recipientName,
    access,
    budget,
    placedAtMs,
    deadlineMs,
    signal,
  });
  return { basis: toBasis(screened), screened };
}
