import type { Action } from "../order/decision.ts";
import type { Reason } from "../order/reasons.ts";
import { foldText } from "../order/text.ts";
import { isListed, meetsAll, type CheckOutcome } from "./conditions.ts";
import type { OrderFacts } from "./order-facts.ts";
import type { Policy, RuleConditions } from "./policy.ts";

/** Whether the order's customer has a tag that opts them out of automated cancels. */
export function isOptedOut(
  { optOutTags }: Pick<Policy, "optOutTags">,
  { context, optedOut }: Pick<OrderFacts, "context" | "optedOut">,
): boolean {
  return optOutTags.length > 0 && (optedOut === true || isListed(optOutTags, context.customerTags));
}

export interface RuleMatch {
  readonly name: string;
  readonly action: Action;
  readonly tags: readonly string[];
}

/** Why the order isn't checked, `channel:pos` or `rule:NAME`; null when it is. Channels come before the rules. */
export function findSkip(policy: Policy, facts: OrderFacts): Reason | null {
  const channel = findSkipChannel(policy, facts);
  if (channel !== null) return `channel:${channel}`;
  const rule = findSkipRule(policy, facts);
  return rule === null ? null : `rule:${rule}`;
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
 * no answer wins, so a skip below it doesn't count. Rules on `level` or `degraded` can't be evaluated before the check,
 * so they don't prevent a skip.
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

export function toRuleMatch(
  name: string,
  { action, tags = [] }: { readonly action: Action; readonly tags?: readonly string[] | undefined },
): RuleMatch {
  return { name, action, tags };
}

/** What rules see of the check before there is one. */
export const NO_OUTCOME: CheckOutcome = { level: null, degraded: false };

/** Whether a rule uses the result of the check, so it can't be evaluated before. */
export function needsOutcome(when: RuleConditions): boolean {
  return when.level !== undefined || when.degraded !== undefined;
}
