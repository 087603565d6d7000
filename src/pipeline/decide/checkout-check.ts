import { toKnown, type PlatformOrder, type TenantId } from "../../platform/platform.ts";
import { judgeOrder, toOrderCheck } from "../../screening/judge-order.ts";
import { READ_MS, type CheckOptions, type OrderCheck } from "../../screening/order-check.ts";
import { findWarnings } from "../../screening/order-warnings.ts";
import { prepareToJudge, type DecisionParts } from "./make-decision.ts";

/** An order that a shop is about to place. */
export interface CheckoutOrder extends Pick<PlatformOrder, "orderId" | "mapped"> {
  readonly tenant: TenantId;
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

export function createCheckoutCheck(parts: DecisionParts): CheckoutCheck {
  const { screening, now } = parts;

  return async (order, { earlier, signal, deadlineMs = Infinity } = {}) => {
    const startMs = performance.now();
    const placedAtMs = now();
    const { tenant, mapped } = order;
    const known = toKnown(mapped);
    const fingerprint = screening.fingerprint(tenant, known, mapped.recipientName);
    const toJudge = await prepareToJudge(
      parts,
      { ...order, receivedAtMs: placedAtMs, effects: "live" },
      mapped,
    );
    // Reading policy and access took a part of the time limit.
    const restMs = hasWaited(earlier, fingerprint)
      ? READ_MS
      : Math.max(READ_MS, deadlineMs - (performance.now() - startMs));
    const limits = { deadlineMs: restMs === Infinity ? undefined : restMs, placedAtMs, fingerprint, signal };
    const judged = await judgeOrder(parts, toJudge, limits);
    const warnings = findWarnings(known, known, mapped.standIns ?? []);
    return toOrderCheck(judged, { fingerprint, warnings });
  };
}

/** Whether an earlier check has already waited for the answer to the same content. */
function hasWaited(earlier: CheckoutLimits["earlier"], fingerprint: string): boolean {
  return (
    (earlier?.status === "pending" || earlier?.status === "degraded") && earlier.fingerprint === fingerprint
  );
}
