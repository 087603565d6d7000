import { toKnown, type PlatformOrder, type TenantId } from "../../platform/platform.ts";
import {
  READ_MS,
  toCarriedOut,
  toScreenedStatus,
  type CheckOptions,
  type CheckStatus,
  type OrderCheck,
} from "../../screening/order-check.ts";
import { findWarnings } from "../../screening/order-warnings.ts";
import {
  applyLists,
  findBasis,
  makeDecision,
  type DecisionParts,
  type JudgedBasis,
} from "./make-decision.ts";

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

export function createCheckoutCheck(parts: DecisionParts): CheckoutCheck {
  const { screening, now } = parts;

  return async ({ mapped, ...named }, { earlier, signal, deadlineMs = Infinity } = {}) => {
    const startMs = performance.now();
    const placedAtMs = now();
    const order = { ...named, receivedAtMs: placedAtMs, recordOnly: false, verdict: null, attempts: 0 };
    const { tenant } = order;
    const known = toKnown(mapped);
    const fingerprint = screening.fingerprint(tenant, known, mapped.recipientName);
    const [{ policy }, access] = await Promise.all([parts.policyOf(tenant), parts.accessOf(tenant)]);
    // Reading policy and access took a part of the time limit.
    const restMs = hasWaited(earlier, fingerprint)
      ? READ_MS
      : Math.max(READ_MS, deadlineMs - (performance.now() - startMs));
    const limits = { deadlineMs: restMs === Infinity ? undefined : restMs, placedAtMs, signal };
    const own = { ...applyLists(parts, order, mapped, policy), access };
    const patient = { callerRetries: false, ...limits };
    const found = await findBasis(parts, order, mapped, own, patient);
    const stop = signal ?? new AbortController().signal;
    const decided = await makeDecision(parts, order, mapped, stop, found.basis);
    if (decided.outcome !== "decided") throw new TypeError("a decision on a given basis is never postponed");
    return {
      status: toStatus(found),
      ...toCarriedOut(decided.decision),
      result: decided.changes.result ?? null,
      creditsSpent: found.screened?.creditsSpent ?? 0,
      fingerprint,
      warnings: findWarnings(known, known, mapped.standIns ?? []),
    };
  };
}

/** Whether an earlier check has already waited for the answer to the same content. */
function hasWaited(earlier: CheckoutLimits["earlier"], fingerprint: string): boolean {
  return (
    (earlier?.status === "pending" || earlier?.status === "degraded") && earlier.fingerprint === fingerprint
  );
}

function toStatus({ basis, screened }: JudgedBasis): CheckStatus {
  if (screened !== undefined) return toScreenedStatus(screened);
  return basis.kind === "skipped" ? "skipped" : "degraded";
}
