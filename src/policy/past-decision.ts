import { ERROR_CODES, type ErrorCode } from "../base/errors.ts";
import {
  toMachineDecision,
  type Decision,
  type DecisionSource,
  type EssentialFact,
} from "../order/decision.ts";
import { SKIP_REASONS, type SkipReason } from "../order/skip-reasons.ts";
import { findReason, splitReason } from "../order/reasons.ts";
import { scoreAgain, type KeptSignals } from "../engine/own-weights.ts";
import type { RiskLevel } from "../order/risk-level.ts";
import type { DecisionInput } from "./decide.ts";
import { findListReason, type ListMatch } from "./lists.ts";
import type { Policy } from "./policy.ts";

/** The basis of a decision, reconstructed from it. */
export interface PastDecision {
  readonly action: Decision["action"];
  /** As it was published. */
  readonly level: RiskLevel | null;
  /** What the answer was, published or not; null when nobody judged the order. */
  readonly result: DecisionInput["result"];
  /** A service was configured but didn't check the order. */
  readonly isUnchecked: boolean;
  readonly missing: readonly EssentialFact[];
  readonly source: DecisionSource;
  readonly degraded: boolean;
  readonly problem: ErrorCode | undefined;
  readonly skipReason: SkipReason | null;
  readonly rule: string | null;
  /** The channel, if its orders weren't checked. */
  readonly channel: string | null;
  /** A guess didn't release an order that an answer had held. */
  readonly holdKept: boolean;
  /** There was an earlier decision, which isn't stored. */
  readonly isLater: boolean;
  readonly recordOnly: boolean;
  readonly policyVersion: number;
  readonly listed: ListMatch | null;
  /** Rules that were left out. */
  readonly snoozed: readonly string[];
}

/** Read what Holdfast itself decided, and on what basis, even if a person decided later. */
export function toPastDecision(decision: Decision): PastDecision {
  const { action, reasons, source, degraded, policyVersion } = toMachineDecision(decision);
  const code = findReason(reasons, "degraded");
  const skip = findReason(reasons, "skipped");
  return {
    // The deadline's decision, stored without the one that it replaced.
    action: reasons[0] === "deadline:cancel" ? "hold" : action,
    level: decision.riskLevel,
    result: toPastResult(decision),
    isUnchecked: decision.unchecked !== undefined,
    missing: decision.guess?.missing ?? [],
    source,
    degraded,
    problem: ERROR_CODES.find((known) => known === code),
    skipReason: SKIP_REASONS.find((known) => known === skip) ?? null,
    rule: findReason(reasons, "rule") ?? null,
    channel: findReason(reasons, "channel") ?? null,
    holdKept: reasons.includes("hold-kept"),
    isLater: isLater(decision),
    recordOnly: reasons.includes("record-only"),
    policyVersion,
    listed: findListReason(reasons),
    snoozed: reasons.flatMap((reason) => {
      const { code: known, detail } = splitReason(reason);
      return known === "snoozed" ? [detail] : [];
    }),
  };
}

function toPastResult({ riskLevel, riskScore, guess }: Decision): DecisionInput["result"] {
  if (guess !== undefined) return guess;
  return riskLevel === null ? null : { riskLevel, riskScore: riskScore ?? 0 };
}

/** A person's decision describes our earlier one; it says more only about a held order. */
function isLater({ machine, supersedes }: Decision): boolean {
  if (machine !== undefined) return supersedes?.heldByAnswer === true;
  return supersedes !== undefined && supersedes.whileChecking !== true;
}

/**
 * A decision with the local engine's answer under a policy's own weights, or why that isn't known. If today's engine
 * doesn't reproduce the answer with the weights of that time, another release gave it, and it can't be recalculated.
 *
 * @param signals - What the engine saw. Null: not known.
 * @param former - The policy that decided. Null: not known any more.
 */
export function weighAgain(
  before: PastDecision,
  signals: KeptSignals | null,
  { localWeights }: Policy,
  former: Policy | null,
): PastDecision | "content-erased" | "other-judge" {
  const { source, result } = before;
  if (source !== "local" || result === null) return before;
  // An order without stored signals is from before shops could have their own weights.
  const isKnown = former !== null || signals === null;
  if (isKnown && toText(localWeights) === toText(former?.localWeights)) return before;
  if (signals === null) return "content-erased";
  // Without the policy of that time, this can't be checked.
  const then = former === null ? result : scoreAgain(signals, former.localWeights);
  if (then.riskScore !== result.riskScore || then.riskLevel !== result.riskLevel) return "other-judge";
  return { ...before, result: scoreAgain(signals, localWeights), missing: signals.missing };
}

/** Equal for equal weights, whatever their order. */
function toText(weights: Policy["localWeights"] = {}): string {
  return JSON.stringify(weights, Object.keys(weights).toSorted());
}
