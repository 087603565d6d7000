import type { LocalEngine } from "../engine/engine.ts";
import type { VelocityCounts } from "../engine/velocity/velocity-store.ts";
import type { VerificationRequest } from "../order/request.ts";
import type { Policy } from "../policy/policy.ts";
import { decideOrder, type DecisionBasis } from "./decide-order.ts";
import type { CheckStatus, OrderCheck } from "./order-check.ts";
import type { Screened } from "./screening-task.ts";

/** What a storefront's orders are decided with. */
export interface CheckRules {
  readonly policy: Policy;
  readonly engine: LocalEngine;
  /** What the order shares with those before it. Default: not known. */
  readonly velocity?: VelocityCounts | undefined;
}

/** What is known of a check before anybody decides. */
export type KnownOfCheck = Pick<OrderCheck, "creditsSpent" | "fingerprint">;

/** The check that an answer, or the want of one, comes to. */
export function toScreenedCheck(
  request: VerificationRequest,
  screened: Screened,
  rules: CheckRules,
): OrderCheck {
  const known = { creditsSpent: screened.creditsSpent, fingerprint: screened.fingerprint };
  if (screened.outcome === "answered") {
    const basis = { kind: "answered", result: screened.result, source: screened.source } as const;
    return toOrderCheck(request, basis, screened.source === "service" ? "verified" : "cached", known, rules);
  }
  const basis = { kind: "unavailable", error: screened.error } as const;
  return toOrderCheck(request, basis, screened.late === undefined ? "degraded" : "pending", known, rules);
}

/** Decide an order on the given basis, and say it as the storefront hears it. */
export function toOrderCheck(
  request: VerificationRequest,
  basis: DecisionBasis,
  status: CheckStatus,
  known: KnownOfCheck,
  { policy, engine, velocity }: CheckRules,
): OrderCheck {
  const { decision, result } = decideOrder(
    { order: request, policy, policyVersion: 0, basis, velocity },
    engine,
  );
  const { enforce, action, riskLevel, tags, reasons } = decision;
  return {
    status,
    // Shadow mode touches nothing; the reasons still say what would have been done.
    action: enforce ? action : "allow",
    riskLevel,
    // The engine's own answer would say "low".
    result: decision.guess === undefined ? result : null,
    tags: enforce ? tags : [],
    reasons: enforce || action === "allow" ? reasons : [...reasons, `would:${action}`],
    ...known,
  };
}
