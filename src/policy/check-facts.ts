import { RULE_COUNTS, type RuleCount, type VelocityCounts } from "../engine/facts/velocity-counts.ts";
import { foldText } from "../order/text.ts";
import { readFactorCode, type RiskFactor } from "../order/result.ts";
import type { RiskLevel } from "../order/risk-level.ts";

/**
 * What rules can use about the check of an order, beyond its level and score. Stored with the order, so that a policy can
 * be replayed. Names nobody.
 */
export interface CheckFacts {
  /** Codes and categories of the answer's risk factors, folded, each once. Absent if nobody judged the order. */
  readonly factors?: readonly string[] | undefined;
  /** What the order shared with others. A count that isn't known is absent. */
  readonly counts: Readonly<Partial<Record<RuleCount, number>>>;
}

/** What rules can ask about the check of an order. */
export interface CheckOutcome {
  /** Null if nobody judged the order. */
  readonly level: RiskLevel | null;
  /** Null where `level` is. */
  readonly score: number | null;
  /** Decided without the service although an answer of it was wanted. */
  readonly degraded: boolean;
  readonly seen?: CheckFacts | undefined;
}

/** What rules see of the check before there is one. */
export const NO_OUTCOME: CheckOutcome = { level: null, score: null, degraded: false };

export function toCheckFacts(
  factors: readonly Pick<RiskFactor, "category" | "description">[] | undefined,
  velocity: VelocityCounts | undefined,
): CheckFacts {
  const counts = RULE_COUNTS.flatMap((name) => {
    const count = velocity?.[name];
    return count === undefined ? [] : [[name, count] as const];
  });
  return {
    ...(factors && { factors: toFactorNames(factors) }),
    counts: Object.fromEntries(counts),
  };
}

function toFactorNames(factors: readonly Pick<RiskFactor, "category" | "description">[]): readonly string[] {
  return foldEach(factors.flatMap(({ category, description }) => [category, readFactorCode(description)]));
}

function foldEach(names: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(names.flatMap((name) => (name === undefined ? [] : [foldText(name)])))];
}
