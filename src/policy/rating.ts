import type { ErrorCode } from "../base/errors.ts";
import {
  isServiceAnswer,
  type DecisionSource,
  type EssentialFact,
  type Guess,
  type ListMatch,
  type Skip,
  type UncheckedCause,
} from "../order/decision.ts";
import type { SkipReason } from "../order/skip-reasons.ts";
import type { VerificationResult } from "../order/result.ts";
import type { RiskLevel } from "../order/risk-level.ts";
import type { CheckFacts, CheckOutcome } from "./check-facts.ts";
import type { OrderFacts } from "./order-facts.ts";
import type { Policy } from "./policy.ts";

/** Everything that a decision depends on: the same input gives the same decision. */
export interface DecisionInput {
  readonly policy: Policy;
  readonly policyVersion: number;
  readonly facts: OrderFacts;
  /** The parts of the answer that count; null if nobody judged the order. */
  readonly result: Pick<VerificationResult, "riskLevel" | "riskScore"> | null;
  /** What else rules can use about the check. */
  readonly seen?: CheckFacts | undefined;
  readonly source: DecisionSource;
  /** Decided without the service, although its answer was wanted. */
  readonly degraded: boolean;
  /** Why the service didn't answer, if that is known. */
  readonly problem?: ErrorCode | undefined;
  /** Why the order was not sent to the service; absent or null for an order that could be. */
  readonly skipReason?: SkipReason | null;
  /** What skips the check, if that is known. Default: what the policy says. */
  readonly skippedBy?: Skip | undefined;
  /** Whether a service is configured that could have checked the order. @default false */
  readonly hasService?: boolean | undefined;
  /** The facts that the local engine needs to call a risk low, and that the order lacks. @default [] */
  readonly missing?: readonly EssentialFact[] | undefined;
  /** The entry of the policy's lists that counts for the order. @default null */
  readonly listed?: ListMatch | null | undefined;
  /** Names of rules that `policy` lacks because they are snoozed for the buyer. @default [] */
  readonly snoozed?: readonly string[] | undefined;
  /** Whether the shop runs on the defaults because it hasn't saved a policy. Then nothing is canceled. @default false */
  readonly isPolicyUnsaved?: boolean | undefined;
}

export function isAnswered(input: Pick<DecisionInput, "result" | "source" | "degraded">): boolean {
  return input.result !== null && isServiceAnswer(input);
}

/** If the shop wants test orders checked like any other, they aren't skipped. */
export function toSkipReason({ skipReason = null, policy }: DecisionInput): SkipReason | null {
  return skipReason === "TEST_ORDER" && policy.testOrders === "service" ? null : skipReason;
}

/** What Holdfast may say about an order's risk. */
export interface Rating {
  /** As it is published. */
  readonly level: RiskLevel | null;
  readonly unchecked: UncheckedCause | undefined;
  readonly guess: Guess | undefined;
}

export const NOT_RATED: Rating = { level: null, unchecked: undefined, guess: undefined };

export function toRating(input: DecisionInput): Rating {
  const { result, missing = [] } = input;
  if (isAnswered(input)) return { ...NOT_RATED, level: result?.riskLevel ?? null };
  const unchecked = toUncheckedCause(input);
  const isWeak = unchecked !== undefined || missing.length > 0;
  if (result?.riskLevel !== "low" || !isWeak) {
    return { ...NOT_RATED, level: result?.riskLevel ?? null, unchecked };
  }
  return { level: null, unchecked, guess: { riskLevel: "low", riskScore: result.riskScore, missing } };
}

function toUncheckedCause(input: DecisionInput): UncheckedCause | undefined {
  if (input.hasService !== true) return undefined;
  return input.problem ?? toSkipReason(input) ?? "VERIFICATION_FAILED";
}

/** What rules see of the check. */
export function toCheckOutcome(input: DecisionInput): CheckOutcome {
  const { result, degraded, seen } = input;
  const { level } = toRating(input);
  return {
    level,
    score: level === null ? null : (result?.riskScore ?? null),
    degraded,
    // Without an answer, there are no factors.
    seen: result === null ? seen && { counts: seen.counts } : seen,
  };
}
