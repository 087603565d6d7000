import type { Reason } from "../order/reasons.ts";
import { SET_UP_CODES, type ErrorCode } from "../base/errors.ts";
import {
  ACTIONS,
  isServiceAnswer,
  isStop,
  type Causes,
  type Decision,
  type HeldInstead,
  type ListMatch,
  type UncheckedCause,
  type Action,
} from "../order/decision.ts";
import { isNothingLeft, isSkipReason, type SkipReason } from "../order/skip-reasons.ts";
import type { RiskLevel } from "../order/risk-level.ts";
import { applyVerify, toAskableMarks, toAsked, type Marks } from "./asking.ts";
import { toListReason } from "./lists.ts";
import type { Policy } from "./policy.ts";
import { findSkip, isOptedOut, matchRule, type RuleMatch } from "./rules.ts";
import {
  isAnswered,
  NOT_RATED,
  toCheckOutcome,
  toRating,
  toSkipReason,
  type DecisionInput,
  type Rating,
} from "./rating.ts";

/**
 * Whether a decision may cancel: only on an answer of the service, fresh or stored. The local engine can be wrong, and
 * a canceled order doesn't come back.
 */
export function isCancelAllowed(
  input: Pick<DecisionInput, "result" | "source" | "degraded"> & { readonly skipReason?: SkipReason | null },
): boolean {
  return isAnswered(input) && (input.skipReason ?? null) === null;
}

/**
 * Whether the deadline of a hold may cancel the order: only on an answer of the service whose own level stops this buyer's
 * orders under the policy. Otherwise something else holds it (a blocked buyer, a rule), and the answer doesn't support a
 * cancel that nobody decided.
 */
export function isCancelAllowedAtDeadline(
  policy: Policy,
  decision: Pick<Decision, "action" | "source" | "degraded" | "riskLevel" | "causes">,
): boolean {
  const { riskLevel, causes } = decision;
  // In shadow mode, an answer may allow an order that is still held because of an earlier answer.
  if (riskLevel === null || !isServiceAnswer(decision) || !isStop(decision.action)) return false;
  const { action } = policy.levels[riskLevel];
  return isStop(causes?.listed?.list === "trust" ? toTrustedAction(action, riskLevel) : action);
}

/**
 * Choose what to do with an order. Pure, without a clock.
 *
 * - The level chooses an action, and the first matching rule overrides it, or raises it to what the rule asks for at least.
 * - A cancel becomes a hold if no answer of the service supports it, if the customer opted out, or if the shop saved no
 *   policy.
 * - A blocked buyer's order is held at least. For a trusted buyer, the level's action is one step milder, except for
 *   critical orders.
 * - An order that is left alone is allowed without tags, by source `policy`.
 * - Without a result, `whenUnavailable` decides. Under `local`, the local engine had no answer either, so the order is
 *   held: a hold can be released, a shipped parcel can't be called back.
 * - A flood's order is held at least, unless a rule says otherwise. With `whileChecking: "hold"`, so is an order whose
 *   answer may still come, unless `whenUnavailable` is `allow`. If the set-up can't work, every order is held.
 * - The local engine's "low" isn't published if a configured service didn't check the order, or if too little is known.
 *   Then the order has no level, and the action of "low" without its tags. An order that can't be sent is tagged instead
 *   of allowed. If too little is known, `whenUnavailable` decides.
 */
export function chooseAction(input: DecisionInput): Decision {
  return chooseActionByRule(input, matchRule(input.policy, input.facts, toCheckOutcome(input)));
}

/** {@link chooseAction}, if the caller already knows which rule of the policy matches, if any. */
export function chooseActionByRule(input: DecisionInput, rule: RuleMatch | null): Decision {
  const skipReason = toSkipReason(input);
  if (skipReason !== null && isLeftAlone(skipReason, input.policy)) return leaveAlone(input, skipReason);

  const rating = toRating(input);
  const wanted = applyBlock(applyRule(toBase(input, rating), rule), input);
  const heldInstead = wanted.action === "cancel" ? findCancelObstacle({ ...input, skipReason }) : null;

  return conclude(input, rating, {
    action: heldInstead === null ? wanted.action : "hold",
    // A rule may allow the order, but the tags still say that the service didn't check it.
    tags: [...wanted.tags, ...toUncheckedTags(input.policy, rating.unchecked)],
    reasons: [
      heldInstead !== null && heldInstead,
      ...wanted.reasons,
      skipReason !== null && `skipped:${skipReason}`,
      input.degraded && toDegradedReason(input.problem),
    ],
    source: input.result === null ? "policy" : input.source,
    degraded: input.degraded,
    causes: { ...toCauses(input, rule), skipReason: skipReason ?? undefined },
    marks: toAskableMarks(input, wanted, heldInstead),
  });
}

function toCauses({ listed, degraded, problem }: DecisionInput, rule: RuleMatch | null): Causes {
  const failure = degraded ? problem : undefined;
  return { rule: rule?.name, atLeast: rule?.atLeast, listed: listed ?? undefined, problem: failure };
}

/** A cancel refunds the customer and can't be undone. */
function findCancelObstacle(input: DecisionInput): HeldInstead | null {
  if (!isCancelAllowed(input)) return "local-never-cancels";
  if (isOptedOut(input.policy, input.facts)) return "opted-out";
  return input.isPolicyUnsaved === true ? "no-policy-saved" : null;
}

/** Whether an order that is not sent is left alone too, rather than judged without the service. */
export function isLeftAlone(reason: SkipReason, policy: Policy): boolean {
  if (isNothingLeft(reason) || reason === "SKIPPED_BY_RULE") return true;
  return reason === "TEST_ORDER" && policy.testOrders === "skip";
}

function leaveAlone(input: DecisionInput, reason: SkipReason): Decision {
  const isByRule = reason === "SKIPPED_BY_RULE";
  const skippedBy = isByRule ? (input.skippedBy ?? findSkip(input.policy, input.facts)) : null;
  const { rule, channel } = skippedBy ?? {};
  return conclude(input, NOT_RATED, {
    action: "allow",
    tags: [],
    reasons: [
      `skipped:${reason}`,
      channel !== undefined && `channel:${channel}`,
      rule !== undefined && `rule:${rule}`,
    ],
    causes: { skipReason: reason, skippedBy: skippedBy ?? undefined },
    source: "policy",
    degraded: false,
  });
}

/** Test orders get no such tags, since the policy itself says not to check them. */
function toUncheckedTags(policy: Policy, unchecked: UncheckedCause | undefined): readonly string[] {
  return unchecked === undefined || unchecked === "TEST_ORDER" ? [] : policy.unchecked.tags;
}

/** What the policy asks for, before checking whether that is allowed. */
interface Wanted {
  readonly action: Action;
  readonly tags: readonly string[];
  readonly reasons: readonly Reason[];
  readonly marks: Marks;
}

function toBase({ policy, problem, listed }: DecisionInput, rating: Rating): Wanted {
  const rated = toRated(policy, rating);
  const base = listed?.list === "trust" ? applyTrust(rated, rating, listed) : rated;
  if (isStop(base.action)) return base;
  // The service wasn't asked, and a flood is seldom honest, so the order waits for a person.
  if (problem === "BURST_BRAKED") return { ...base, action: "hold", reasons: ["burst", ...base.reasons] };
  if (!isHeldToCheck(policy, problem)) return base;
  const marks: Marks = { ...base.marks, heldToCheck: true };
  return { ...base, action: "hold", reasons: ["held-to-check", ...base.reasons], marks };
}

/** Milder actions for a trusted buyer: never for the level critical, and never if the level isn't known. */
const MILDER: Readonly<Partial<Record<Action, Action>>> = { cancel: "hold", hold: "tag" };

function applyTrust(base: Wanted, { level }: Rating, listed: ListMatch): Wanted {
  return {
    ...base,
    action: toTrustedAction(base.action, level),
    reasons: [toListReason(listed), ...base.reasons],
  };
}

function toTrustedAction(action: Action, level: RiskLevel | null): Action {
  const isKept = level === null || level === "critical";
  return isKept ? action : (MILDER[action] ?? action);
}

/** A blocked buyer's order is held at least. Only an answer of the service cancels, so a list never does. */
function applyBlock(wanted: Wanted, { listed }: DecisionInput): Wanted {
  if (listed?.list !== "block") return wanted;
  const action = wanted.action === "cancel" ? "cancel" : "hold";
  return { ...wanted, action, reasons: [toListReason(listed), ...wanted.reasons] };
}

/** Temporary failures of the service: Holdfast asks it again, and an order can wait for its answer. */
const PASSING: ReadonlySet<ErrorCode | undefined> = new Set<ErrorCode>([
  "VERIFICATION_RATE_LIMITED",
  "VERIFICATION_FAILED",
  "VERIFICATION_MALFORMED",
  "VERIFICATION_UNREACHABLE",
  "VERIFICATION_TIMEOUT",
  "VERIFICATION_INTERRUPTED",
  "ATTEMPTS_SPENT",
]);

function isHeldToCheck({ whileChecking, whenUnavailable }: Policy, problem: ErrorCode | undefined): boolean {
  // It isn't an outage, which `whenUnavailable` is for: no order was or would be checked.
  if (SET_UP_CODES.has(problem)) return true;
  return whileChecking === "hold" && whenUnavailable !== "allow" && PASSING.has(problem);
}

function toRated(policy: Policy, { level, unchecked, guess }: Rating): Wanted {
  if (level !== null) {
    const { action, tags, verify } = policy.levels[level];
    return { action, tags, reasons: [`level:${level}`], marks: toAsked(verify) };
  }
  if (guess === undefined) return toStandIn(policy);
  // The tags of "low" would claim that the risk is low.
  const asLow = { action: toActionOfGuess(policy, unchecked), tags: [], marks: {} };
  // The risk isn't known, as when the service doesn't answer, so the policy decides, with or without a service.
  if (guess.missing.length > 0 && policy.whenUnavailable !== "local")
    return { ...toStandIn(policy), reasons: ["too-little-known"] };
  return { ...asLow, reasons: [unchecked === undefined ? "too-little-known" : "unchecked"] };
}

/** The action of a "low" that isn't published. An order that can't be sent is tagged for that, not simply allowed. */
function toActionOfGuess(policy: Policy, unchecked: UncheckedCause | undefined): Action {
  const { action } = policy.levels.low;
  const isTagged = isSkipReason(unchecked) && toUncheckedTags(policy, unchecked).length > 0;
  return isTagged && action === "allow" ? "tag" : action;
}

function toStandIn({ whenUnavailable }: Policy): Wanted {
  const action = whenUnavailable === "allow" ? "allow" : "hold";
  return { action, tags: [], reasons: [`unavailable:${whenUnavailable}`], marks: {} };
}

function applyRule(base: Wanted, rule: RuleMatch | null): Wanted {
  if (rule === null) return base;
  const reason: Reason = `rule:${rule.name}`;
  if (rule.atLeast === true && isHarsher(base.action, rule.action))
    return { ...base, tags: [...base.tags, ...rule.tags], reasons: [...base.reasons, reason] };
  // If a rule allows the order, the level's tags don't apply either.
  const kept = rule.action === "allow" ? [] : base.tags;
  return {
    action: rule.action,
    tags: [...kept, ...rule.tags],
    reasons: [reason, ...base.reasons],
    marks: applyVerify(base.marks, rule),
  };
}

function isHarsher(one: Action, other: Action): boolean {
  return ACTIONS.indexOf(one) > ACTIONS.indexOf(other);
}

function toDegradedReason(problem: ErrorCode | undefined): Reason {
  return problem === undefined ? "degraded" : `degraded:${problem}`;
}

type Conclusion = Pick<Decision, "action" | "tags" | "source" | "degraded"> & {
  readonly reasons: readonly (Reason | false)[];
  readonly causes: Causes;
  readonly marks?: Marks;
};

function conclude(
  { policy, policyVersion, result, snoozed = [] }: DecisionInput,
  { level, unchecked, guess }: Rating,
  { action, tags, reasons, causes, source, degraded, marks }: Conclusion,
): Decision {
  const shadow = policy.mode === "shadow";
  return {
    action,
    tags: [...new Set(tags)],
    reasons: reasons
      .concat(snoozed.map((name): Reason => `snoozed:${name}`))
      .concat(shadow && "shadow")
      .filter((reason) => reason !== false),
    causes: snoozed.length === 0 ? causes : { ...causes, snoozed },
    source,
    degraded,
    riskLevel: level,
    riskScore: level === null ? null : (result?.riskScore ?? null),
    ...(unchecked === undefined ? {} : { unchecked }),
    ...(guess === undefined ? {} : { guess }),
    ...marks,
    enforce: !shadow,
    policyVersion,
  };
}
