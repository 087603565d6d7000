import { isNothingLeft, type SkipReason } from "../order/skip-reasons.ts";
import type { VerificationRequest } from "../order/request.ts";
import type { MappedOrder } from "../platform/platform.ts";
import type { ListMatch } from "../order/decision.ts";
import type { Policy } from "./policy.ts";
import { findSkip } from "./rules.ts";
import { toMappedFacts } from "./order-facts.ts";

/**
 * The request to send to the service, or why the order isn't sent: its own state, the policy's `testOrders`, a rule, or
 * what it lacks.
 */
export function toSendable(
  mapped: MappedOrder,
  policy: Policy,
  listed: ListMatch | null = null,
): { readonly request: VerificationRequest } | { readonly skipReason: SkipReason } {
  const own = mapped.outcome === "unscreenable" ? mapped.reason : null;
  // Nothing is left to decide about these, whoever placed them.
  if (isNothingLeft(own)) return { skipReason: own };
  if (mapped.test && policy.testOrders !== "service") return { skipReason: "TEST_ORDER" };
  const isBlocked = listed?.list === "block";
  if (!isBlocked && findSkip(policy, toMappedFacts(mapped)) !== null) {
    return { skipReason: "SKIPPED_BY_RULE" };
  }
  return mapped.outcome === "screenable" ? { request: mapped.request } : { skipReason: mapped.reason };
}
