import type { HoldfastError } from "../errors.ts";
import type { LocalEngine } from "../local/engine.ts";
import type { VelocityCounts } from "../local/velocity/counts.ts";
import type { PartialVerificationRequest, VerificationRequest } from "../order/request.ts";
import type { SkipReason } from "../pipeline/platform.ts";
import { decide, isLeftAlone } from "../policy/decide.ts";
import type { Decision } from "../policy/decision.ts";
import type { Policy } from "../policy/policy.ts";
import { toOrderFacts } from "../policy/rules.ts";
import type { VerificationResult } from "../verification/result.ts";

/** What a decision is made from. */
export type Basis =
  | {
      readonly kind: "answered";
      readonly result: VerificationResult;
      readonly source: "service" | "cache";
    }
  /** The service was wanted and did not answer. */
  | { readonly kind: "unavailable"; readonly error: HoldfastError }
  /** There is no service to ask. */
  | { readonly kind: "no-service" }
  /** The order is not sent, by rule. */
  | { readonly kind: "skipped"; readonly reason: SkipReason };

/** An order, the policy and a basis. */
export interface Case {
  readonly order: VerificationRequest | PartialVerificationRequest;
  readonly policy: Policy;
  readonly policyVersion: number;
  readonly basis: Basis;
  /** What the order shares with those before it, for the local engine. Default: not known. */
  readonly velocity?: VelocityCounts | undefined;
}

/** The decision and the answer it rests on, if anybody judged the order. */
export interface Judgement {
  readonly decision: Decision;
  readonly result: VerificationResult | null;
}

/** Decide a case. Where the service has not answered, the local engine or the policy stands in, and the decision says so. */
export function judge(
  { order, policy, policyVersion, basis, velocity }: Case,
  engine: LocalEngine,
): Judgement {
  const common = { policy, policyVersion, facts: toOrderFacts(order) };
  switch (basis.kind) {
    case "answered": {
      const { result, source } = basis;
      return { decision: decide({ ...common, result, source, degraded: false }), result };
    }
    case "no-service": {
      const result = engine.assess(order, velocity);
      return { decision: decide({ ...common, result, source: "local", degraded: true }), result };
    }
    case "unavailable": {
      const local = policy.whenUnavailable === "local";
      const result = local ? engine.assess(order, velocity) : null;
      const source = local ? "local" : "policy";
      const problem = basis.error.code;
      return { decision: decide({ ...common, result, source, degraded: true, problem }), result };
    }
    case "skipped": {
      const skipReason = basis.reason;
      const alone = isLeftAlone(skipReason, policy);
      const result = alone ? null : engine.assess(order, velocity);
      const source = alone ? "policy" : "local";
      return { decision: decide({ ...common, result, source, degraded: false, skipReason }), result };
    }
  }
}
