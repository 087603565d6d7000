import type { ErrorCode } from "../errors.ts";
import type { SkipReason } from "../pipeline/platform.ts";
import type { RiskLevel, VerificationResult } from "../verification/result.ts";
import type { Decision, DecisionSource } from "./decision.ts";
import type { Action, Policy } from "./policy.ts";
import { findSkipRule, matchRule, type OrderFacts, type RuleMatch } from "./rules.ts";

/** What a decision is made from, and nothing else: the same input decides the same again. */
export interface DecisionInput {
  readonly policy: Policy;
  readonly policyVersion: number;
  readonly facts: OrderFacts;
  /** What counts of the answer; null when nobody judged the order. */
  readonly result: Pick<VerificationResult, "riskLevel" | "riskScore"> | null;
  /** Who `result` came from. */
  readonly source: DecisionSource;
  /** Decided without the service although an answer of it was wanted. */
  readonly degraded: boolean;
  /** Why the service did not answer, where that is known. */
  readonly problem?: ErrorCode | undefined;
  /** Why the order was not sent to the service; absent or null for an order that could be. */
  readonly skipReason?: SkipReason | null;
}

/** Reasons to leave an order alone whatever the policy: there is nothing to judge, or the shop said not to look. */
const LEFT_ALONE: ReadonlySet<SkipReason> = new Set(["ZERO_AMOUNT", "CANCELLED", "SKIPPED_BY_RULE"]);

/**
 * Whether a decision may cancel: only on an answer of the service, fresh or kept. A guess can be wrong at no cost to the
 * guesser, and a cancelled order does not come back.
 */
export function isCancelAllowed(
  input: Pick<DecisionInput, "result" | "source" | "degraded"> & { readonly skipReason?: SkipReason | null },
): boolean {
  const answered = input.source === "service" || input.source === "cache";
  return answered && input.result !== null && !input.degraded && (input.skipReason ?? null) === null;
}

/**
 * Decide what to do with an order: the level says, the first matching rule overrides, and a cancel that no answer of the
 * service supports becomes a hold. Pure, without a clock.
 *
 * An order that is left alone (`ZERO_AMOUNT`, `CANCELLED`, `SKIPPED_BY_RULE`, and `TEST_ORDER` under `testOrders: "skip"`)
 * is allowed without tags, by source `policy`. Its `enforce` is true as for any other: enforcing it finds nothing to do.
 *
 * Without a result `whenUnavailable` decides. Under `local` that means the local engine had no answer either, so the
 * order is held: a hold can be released, a shipped parcel cannot be called back. An order of a flood
 * (`BURST_BRAKED`) is held at least, unless a rule says otherwise.
 */
export function decide(input: DecisionInput): Decision {
  const level = input.result?.riskLevel ?? null;
  return decideByRule(input, matchRule(input.policy, input.facts, { level, degraded: input.degraded }));
}

/** {@link decide}, where it is known already which rule of the policy matches, if any. */
export function decideByRule(input: DecisionInput, rule: RuleMatch | null): Decision {
  const skipReason = toSkipReason(input);
  if (skipReason !== null && isLeftAlone(skipReason, input.policy)) return leaveAlone(input, skipReason);

  const base = toBase(input, input.result?.riskLevel ?? null);
  const wanted = applyRule(base, rule);
  const downgraded = wanted.action === "cancel" && !isCancelAllowed({ ...input, skipReason });

  return conclude(input, {
    action: downgraded ? "hold" : wanted.action,
    tags: wanted.tags,
    reasons: [
      downgraded && "local-never-cancels",
      ...wanted.reasons,
      skipReason !== null && `skipped:${skipReason}`,
      input.degraded && toDegradedReason(input.problem),
    ],
    source: input.result === null ? "policy" : input.source,
    degraded: input.degraded,
  });
}

/** A test order that the shop wants judged like any other is not skipped. */
function toSkipReason({ skipReason = null, policy }: DecisionInput): SkipReason | null {
  return skipReason === "TEST_ORDER" && policy.testOrders === "service" ? null : skipReason;
}

/** Whether an order that is not sent is left alone too, rather than judged without the service. */
export function isLeftAlone(reason: SkipReason, policy: Policy): boolean {
  return LEFT_ALONE.has(reason) || (reason === "TEST_ORDER" && policy.testOrders === "skip");
}

function leaveAlone(input: DecisionInput, reason: SkipReason): Decision {
  const rule = reason === "SKIPPED_BY_RULE" ? findSkipRule(input.policy, input.facts) : null;
  return conclude(input, {
    action: "allow",
    tags: [],
    reasons: [`skipped:${reason}`, rule !== null && `rule:${rule}`],
    source: "policy",
    degraded: false,
  });
}

/** What the policy wants, before it is known whether it may. */
interface Wanted {
  readonly action: Action;
  readonly tags: readonly string[];
  readonly reasons: readonly string[];
}

function toBase({ policy, problem }: DecisionInput, level: RiskLevel | null): Wanted {
  const base = level === null ? toStandIn(policy) : { ...policy.levels[level], reasons: [`level:${level}`] };
  if (problem !== "BURST_BRAKED" || base.action === "hold" || base.action === "cancel") return base;
  // Nobody asked the service about it, and a flood is seldom honest: it waits for a person.
  return { ...base, action: "hold", reasons: ["burst", ...base.reasons] };
}

function toStandIn({ whenUnavailable }: Policy): Wanted {
  const action = whenUnavailable === "allow" ? "allow" : "hold";
  return { action, tags: [], reasons: [`unavailable:${whenUnavailable}`] };
}

function applyRule(base: Wanted, rule: RuleMatch | null): Wanted {
  if (rule === null) return base;
  // A rule that allows takes the warning of the level away with it.
  const kept = rule.action === "allow" ? [] : base.tags;
  return {
    action: rule.action,
    tags: [...kept, ...rule.tags],
    reasons: [`rule:${rule.name}`, ...base.reasons],
  };
}

function toDegradedReason(problem: ErrorCode | undefined): string {
  return problem === undefined ? "degraded" : `degraded:${problem}`;
}

type Conclusion = Pick<Decision, "action" | "tags" | "source" | "degraded"> & {
  readonly reasons: readonly (string | false)[];
};

function conclude({ policy, policyVersion, result }: DecisionInput, conclusion: Conclusion): Decision {
  const { action, tags, reasons, source, degraded } = conclusion;
  const shadow = policy.mode === "shadow";
  return {
    action,
    tags: [...new Set(tags)],
    reasons: [...reasons, shadow && "shadow"].filter((reason) => reason !== false),
    source,
    degraded,
    riskLevel: result?.riskLevel ?? null,
    riskScore: result?.riskScore ?? null,
    enforce: !shadow,
    policyVersion,
  };
}
