import type { KeptSignals } from "../engine/model/kept-signals.ts";
import type { OrderEffects } from "../order/order-effects.ts";
import type { Reason } from "../order/reasons.ts";
import type { ErrorCode } from "../base/errors.ts";
import {
  isStop,
  toMachineDecision,
  type Causes,
  type Decision,
  type ListMatch,
  type Skip,
} from "../order/decision.ts";
import { isNothingLeft, type SkipReason } from "../order/skip-reasons.ts";
import { foldText } from "../order/text.ts";
import { mayReadAgentOtherwise } from "./agent-orders.ts";
import { chooseAction, chooseActionByRule, isLeftAlone } from "./choose-action.ts";
import { toCheckOutcome, type DecisionInput } from "./rating.ts";
import { leaveOut } from "./lists.ts";
import type { CheckOutcome } from "./check-facts.ts";
import type { Policy } from "./policy.ts";
import {
  toPastDecision,
  judgeAgain,
  type PastDecision,
  findListedAgain,
  findSnoozedAgain,
  isTestOrder,
  toListProblem,
  type PastBuyer,
} from "./past-decision.ts";
import { findSkipChannel, toRuleMatch } from "./rules.ts";
import { findMatch, findSkip, type KnownFacts } from "./replay-rules.ts";

export interface PastOrder extends PastBuyer {
  /** Default: `live`. */
  readonly effects?: OrderEffects | undefined;
  /** As stored, whoever decided last. */
  readonly decision: Decision;
  readonly known: KnownFacts;
  /** What the local engine saw. Absent: not stored, or the local engine didn't judge the order. */
  readonly signals?: KeptSignals | null | undefined;
}

/** Why it isn't known what a policy would have done with an order. */
export const UNKNOWN_REASONS = {
  "not-judged": "never judged, because a rule skipped the check or it was a test order",
  "content-erased": "the policy asks for something that was erased with the order's content",
  "maybe-test": "it isn't known any more whether it was a test order",
  "other-judge": "something else would have judged it, whose answer isn't stored",
  "other-budget": "decided without the service because of a budget or a brake that the policy changes",
  "person-only": "decided only by a person",
  "held-before": "changed after an answer that isn't stored any more",
} as const;
export type UnknownReason = keyof typeof UNKNOWN_REASONS;

export type Replayed =
  | {
      readonly outcome: "decided";
      /** Its policy version is the one that decided at the time, since a policy under test has none. */
      readonly decision: Decision;
      /** Name of the rule that decides; null for none. */
      readonly rule: string | null;
    }
  | { readonly outcome: "unknown"; readonly reason: UnknownReason };

/** Decides past orders again. `former` is the policy that decided them; null if it isn't known any more. */
export type Replay = (past: PastOrder, former: Policy | null) => Replayed;

/**
 * Try a policy on past orders. Pure: it makes no calls, so it costs nothing. The policy that decided an order decides
 * it the same way again.
 *
 * It uses the answers of that time. It doesn't repeat what only happens live: the limit of cancels per hour (which
 * turns a decided cancel into a hold when it is carried out), the cool-off, and whether a smaller budget would have
 * prevented the call to the service.
 */
export function createReplay(policy: Policy): Replay {
  return (past, former) => {
    if (mayReadAgentOtherwise(policy, former, past.known)) return unknown("other-judge");
    const before = judgeAgain(toPastDecision(past.decision), past.signals ?? null, policy, former);
    return typeof before === "string" ? unknown(before) : replayOrder(toCase(policy, past, before, former));
  };
}

/** A policy tried on a past order. `policy` and `former` are without the rules that are snoozed for the buyer. */
type Case = ReturnType<typeof toCase>;

function toCase(policy: Policy, past: PastOrder, before: PastDecision, decidedBy: Policy | null) {
  const test = isTestOrder(past, before, decidedBy);
  /** Undefined: not known any more. */
  const snoozed = findSnoozedAgain({ policy, past, former: decidedBy, before, test });
  const applied = leaveOut(policy, snoozed ?? []);
  const former = decidedBy === null ? null : leaveOut(decidedBy, before.snoozed);
  const sameRules = former !== null && toDocumentText(former.rules) === toDocumentText(applied.rules);
  /** Whether `policy` decides as `former` did. */
  const same = sameRules && decidedBy !== null && toDocumentText(decidedBy) === toDocumentText(policy);
  return { policy: applied, snoozed, past, before, test, former, same, sameRules, ...toPastRules(before) };
}

/** Policies are frozen, and most orders of a replay were decided by the same ones. */
const TEXTS = new WeakMap<object, string>();

function toDocumentText(document: Policy | Policy["rules"]): string {
  const text = TEXTS.get(document) ?? JSON.stringify(document);
  TEXTS.set(document, text);
  return text;
}

/** How far the rules were applied at the time. */
function toPastRules({ skipReason, result, source, listed, skippedBy }: PastDecision): {
  /** `skipped`: a rule skipped the check. `asked`: no rule did. `neither`: such rules weren't evaluated. */
  readonly skip: "skipped" | "asked" | "neither";
  /** Whether rules with an action were evaluated. */
  readonly decided: boolean;
} {
  // No rule can skip a blocked buyer's order, so it isn't known whether one would have matched.
  if (listed?.list === "block" && skipReason === null) return { skip: "neither", decided: true };
  // Channels come before the rules.
  if (skippedBy.channel !== undefined) return { skip: "neither", decided: false };
  if (skipReason === "SKIPPED_BY_RULE") return { skip: "skipped", decided: false };
  if (isNothingLeft(skipReason)) return { skip: "neither", decided: false };
  if (skipReason === "TEST_ORDER")
    return { skip: "neither", decided: result !== null || source !== "policy" };
  return { skip: "asked", decided: true };
}

function unknown(reason: UnknownReason): Replayed {
  return { outcome: "unknown", reason };
}

function replayOrder(asked: Case): Replayed {
  const { before, policy } = asked;
  const { skipReason } = before;
  if (before.source === "person") return unknown("person-only");
  if (isNothingLeft(skipReason)) return leaveAlone(asked, skipReason);
  if (asked.snoozed === undefined) return unknown(toListProblem(asked));
  if (policy.testOrders !== "service") {
    const { test } = asked;
    if (test === null) return unknown("maybe-test");
    if (test) return replayTest(asked, policy.testOrders);
  }
  return replayAsked(asked);
}

function replayTest(asked: Case, testOrders: "local" | "skip"): Replayed {
  const { before } = asked;
  if (testOrders === "skip") return leaveAlone(asked, "TEST_ORDER");
  if (before.source !== "local") return unknown(before.result === null ? "not-judged" : "other-judge");
  // The service isn't asked about test orders, so no failure to ask it counts either.
  const unasked = { degraded: false, problem: undefined, skipReason: "TEST_ORDER" } as const;
  return replayRules(asked, { ...toInput(asked), ...unasked });
}

/** An order that the rules may skip, and that is checked otherwise. */
function replayAsked(asked: Case): Replayed {
  const listed = findListedAgain(asked);
  if (listed === undefined) return unknown(toListProblem(asked));
  if (listed?.list === "block") return replayChecked(asked, listed);
  const channel = findChannelAgain(asked);
  const skip = channel === null ? findRuleSkipAgain(asked) : channel;
  if (skip === undefined) return unknown("content-erased");
  return skip === null ? replayChecked(asked, listed) : leaveAlone(asked, "SKIPPED_BY_RULE", skip);
}

/** The rule that skips the order's check; null for none, undefined if it isn't known. */
function findRuleSkipAgain({ policy, past, before, skip, sameRules }: Case): Skip | null | undefined {
  // The same rules decide the same order the same way.
  if (sameRules && skip === "asked") return null;
  if (sameRules && skip === "skipped") return before.skippedBy;
  return findSkip(policy, past.known);
}

/** Whether the policy skips the order's channel; undefined where the channel was erased and nothing else says. */
function findChannelAgain({ policy, past, before, skip, former }: Case): Skip | null | undefined {
  const { facts, hidden } = past.known;
  const named = before.skippedBy.channel;
  if (named !== undefined || !hidden.has("channel")) {
    const context = named === undefined ? facts.context : { channel: foldText(named) };
    const channel = findSkipChannel(policy, { context });
    return channel === null ? null : { channel };
  }
  // It wasn't skipped at the time.
  const excluded = skip === "neither" ? [] : (former?.skipChannels ?? []);
  const isKnown = policy.skipChannels.every((channel) => excluded.includes(channel));
  return isKnown ? null : undefined;
}

function replayChecked(asked: Case, listed: ListMatch | null): Replayed {
  const { policy, former, before } = asked;
  const { skipReason, problem, result } = before;
  if (skipReason === "SKIPPED_BY_RULE" || skipReason === "TEST_ORDER") return unknown("not-judged");
  const input = { ...toInput(asked), listed };
  if (problem === undefined) return replayRules(asked, input);
  if (hasOtherLimit(problem, policy, former)) return unknown("other-budget");
  if (policy.whenUnavailable !== "local") {
    return replayRules(asked, { ...input, result: null, source: "policy" });
  }
  // Under the policy of that time, the local engine didn't judge it.
  const isUnseen = result === null && former?.whenUnavailable !== "local";
  return isUnseen ? unknown("other-judge") : replayRules(asked, input);
}

/** Whether the limit that prevented the call to the service would be different. */
function hasOtherLimit(problem: ErrorCode, policy: Policy, former: Policy | null): boolean {
  if (problem !== "BUDGET_SPENT" && problem !== "BURST_BRAKED") return false;
  if (former === null) return true;
  const [next, past] = [policy.budget, former.budget];
  return problem === "BURST_BRAKED"
    ? next.perSourceHourly !== past.perSourceHourly
    : next.daily !== past.daily || next.monthly !== past.monthly;
}

function toInput({ policy, snoozed, past: { known }, before }: Case): DecisionInput {
  const { result, source, degraded, problem, skipReason, policyVersion, isUnchecked, missing } = before;
  const { facts, seen } = known;
  const of = { policy, policyVersion, facts, seen, snoozed };
  return { ...of, result, hasService: isUnchecked, missing, source, degraded, problem, skipReason };
}

/** The rule or channel may be known even if its data was erased. */
function leaveAlone(asked: Case, skipReason: SkipReason, skippedBy?: Skip): Replayed {
  if (!isLeftAlone(skipReason, asked.policy)) throw new TypeError("such an order is not left alone");
  const input = { ...toInput(asked), result: null, degraded: false, problem: undefined, skipReason };
  return finish(asked, chooseAction({ ...input, skippedBy }));
}

function replayRules(asked: Case, input: DecisionInput): Replayed {
  const rule = findRuleAgain(asked, toCheckOutcome(input));
  if (rule === undefined) return unknown("content-erased");
  const decision = chooseActionByRule(input, rule);
  if (isOptOutOpen(asked, decision)) return unknown("content-erased");
  return keepHold(asked, decision);
}

function findRuleAgain({ policy, past, before, decided, sameRules }: Case, outcome: CheckOutcome) {
  const isSame = outcome.level === before.level && outcome.degraded === before.degraded;
  if (!sameRules || !decided || !isSame) return findMatch(policy, past.known, outcome);
  // The same rules decide the same order the same way.
  const rule = policy.rules.find(({ name }) => name === before.rule);
  return rule === undefined || rule.then.skip !== undefined ? null : toRuleMatch(rule.name, rule.then);
}

/** Whether the decision depends on customer tags that aren't known any more. */
function isOptOutOpen({ policy, past, former }: Case, { action, heldInstead }: Decision): boolean {
  if (policy.optOutTags.length === 0 || (action !== "cancel" && heldInstead !== "opted-out")) return false;
  if (!past.known.hidden.has("customerTag")) return false;
  // Whether the tags opted the customer out at that time is stored.
  return former === null || String(former.optOutTags) !== String(policy.optOutTags);
}

/**
 * A guess doesn't release an order that an answer held. What that answer led to is known only under the same policy.
 */
function keepHold(asked: Case, decision: Decision): Replayed {
  const { before, past, same } = asked;
  const isGuess = decision.degraded || decision.source === "local";
  if (!isGuess || isStop(decision.action) || !(before.isLater || before.holdKept))
    return finish(asked, decision);
  if (!same) return unknown("held-before");
  if (!before.holdKept) return finish(asked, decision);
  const { tags } = toMachineDecision(past.decision);
  const reasons: readonly Reason[] = ["hold-kept", ...decision.reasons];
  const causes: Causes = { ...decision.causes, holdKept: true };
  return finish(asked, { ...decision, action: "hold", tags, reasons, causes });
}

/** An order imported for the record isn't enforced under any policy. */
function finish({ past }: Case, decision: Decision): Replayed {
  const { rule: chosen, skippedBy } = decision.causes ?? {};
  const rule = chosen ?? skippedBy?.rule ?? null;
  if (past.effects !== "record") return { outcome: "decided", decision, rule };
  const reasons: readonly Reason[] = [...decision.reasons, "record-only"];
  return { outcome: "decided", decision: { ...decision, enforce: false, reasons }, rule };
}
