import { RULE_COUNTS } from "../engine/facts/velocity-counts.ts";
import type { RightAnswer } from "../order/buyer-check.ts";
import type { Action, Skip } from "../order/decision.ts";
import { foldText } from "../order/text.ts";
import { NO_OUTCOME, type CheckOutcome } from "./check-facts.ts";
import { OUTCOME_CONDITIONS } from "./conditions/conditions.ts";
import { meetsAll, usesAny } from "./conditions/groups.ts";
import { isListed } from "./conditions/kinds.ts";
import type { OrderFacts } from "./order-facts.ts";
import type { DecidingThen, Policy, RuleConditions } from "./policy.ts";

/** Whether the order's customer has a tag that opts them out of automated cancels. */
export function isOptedOut(
  { optOutTags }: Pick<Policy, "optOutTags">,
  { context, optedOut }: Pick<OrderFacts, "context" | "optedOut">,
): boolean {
  if (optOutTags.length === 0) return false;
  return optedOut === true || isListed(optOutTags, context.customerTags ?? []);
}

export interface RuleMatch {
  readonly name: string;
  readonly action: Action;
  /** The level's action applies if it's harsher. */
  readonly atLeast?: true | undefined;
  readonly tags: readonly string[];
  /** Ask the buyer. */
  readonly verify?: RightAnswer | undefined;
}

/** What skips the order's check; null for nothing. Channels come before the rules. */
export function findSkip(policy: Policy, facts: OrderFacts): Skip | null {
  const channel = findSkipChannel(policy, facts);
  if (channel !== null) return { channel };
  const rule = findSkipRule(policy, facts);
  return rule === null ? null : { rule };
}

/** The entry of `skipChannels` that the order's channel is, as the merchant wrote it. */
export function findSkipChannel(
  { skipChannels }: Pick<Policy, "skipChannels">,
  { context }: Pick<OrderFacts, "context">,
): string | null {
  return skipChannels.find((channel) => foldText(channel) === context.channel) ?? null;
}

/**
 * The name of the rule that skips the check, or null. Rules are checked in order: the first match among rules that need
 * no answer wins, so a skip below it doesn't count. Rules on what the check finds can't be evaluated before it, so they
 * don't prevent a skip.
 */
export function findSkipRule(policy: Policy, facts: OrderFacts): string | null {
  const first = policy.rules.find(({ when }) => !needsOutcome(when) && meetsAll(when, facts, NO_OUTCOME));
  return first?.then.skip === true ? first.name : null;
}

/** The first rule with an action that matches, or null. Rules that skip were applied before the check. */
export function matchRule(policy: Policy, facts: OrderFacts, outcome: CheckOutcome): RuleMatch | null {
  for (const { name, when, then } of policy.rules) {
    if (then.skip === undefined && meetsAll(when, facts, outcome)) return toRuleMatch(name, then);
  }
  return null;
}

export function toRuleMatch(name: string, { action, atLeast, tags = [], verify }: DecidingThen): RuleMatch {
  const asked = verify === undefined ? {} : { verify };
  return action === undefined
    ? { name, action: atLeast, atLeast: true, tags, ...asked }
    : { name, action, tags, ...asked };
}

/** Whether a rule uses what an order shares with others. */
export function asksForCounts({ rules }: Pick<Policy, "rules">): boolean {
  return rules.some(({ when }) => usesAny(when, RULE_COUNTS));
}

/** Whether a rule uses the result of the check, so it can't be evaluated before. */
export function needsOutcome(when: RuleConditions): boolean {
  return usesAny(when, OUTCOME_CONDITIONS);
}
