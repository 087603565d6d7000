import type { RightAnswer } from "../order/buyer-check.ts";
import type { Action, Decision, HeldInstead } from "../order/decision.ts";
import type { DecisionInput } from "./rating.ts";
import type { RuleMatch } from "./rules.ts";

/** What shaped a decision's action, for code. `verify`: its buyer is asked. */
export type Marks = Pick<Decision, "heldInstead" | "heldToCheck" | "verify">;

export function toAsked(verify: RightAnswer | undefined): Marks {
  return verify === undefined ? {} : { verify };
}

/** A rule's own action comes with its own `verify`. A rule that only wants a hold at least leaves the level's. */
export function applyVerify({ verify: ofLevel, ...marks }: Marks, rule: RuleMatch): Marks {
  return { ...marks, ...toAsked(rule.verify ?? (rule.atLeast === true ? ofLevel : undefined)) };
}

/**
 * Ask only the buyer of an order that is held for what it is: not a blocked buyer, not in place of a cancel, and not while the
 * service may still answer.
 */
export function toAskableMarks(
  { listed, degraded, problem }: DecisionInput,
  wanted: { readonly action: Action; readonly marks: Marks },
  heldInstead: HeldInstead | null,
): Marks {
  const { verify: _verify, ...marks } = wanted.marks;
  if (heldInstead !== null) return { ...marks, heldInstead };
  const isAsked = wanted.action === "hold" && listed?.list !== "block" && !degraded && problem === undefined;
  return isAsked ? wanted.marks : marks;
}
