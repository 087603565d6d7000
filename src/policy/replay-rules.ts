import type { Reason } from "../order/reasons.ts";
import type { Policy, RuleConditions } from "./policy.ts";
import {
  CONDITION_NAMES,
  meetsCondition,
  needsOutcome,
  type CheckOutcome,
  type OrderFacts,
  type RuleMatch,
  type StoredFacts,
} from "./rules.ts";

type ConditionName = keyof RuleConditions;

/** What can be looked at of a past order. */
export interface KnownFacts {
  /** Undefined where it is not known. */
  readonly facts: OrderFacts;
  /** Conditions that cannot be looked at any more. */
  readonly hidden: Hidden;
}

/** Conditions that cannot be looked at any more, and the names of what they ask together. */
interface Hidden {
  readonly names: ReadonlySet<ConditionName>;
  readonly keys: WeakMap<RuleConditions, string | null>;
}

/** What rules can ask about a person, which is erased with the order's content. */
const PERSONAL: readonly ConditionName[] = [
  "email",
  "emailDomain",
  "phone",
  "address",
  "orderTag",
  "customerTag",
];
/** What rules can ask of an order's context, which earlier releases didn't record. */
const OF_CONTEXT: readonly ConditionName[] = [
  "channel",
  "gateway",
  "orderTag",
  "customerTag",
  "giftCard",
  "shippingMethod",
  "quantity",
  "avs",
  "cvv",
  "platformRisk",
  "protect",
  "companyOrder",
  "discount",
  "productCategory",
  "brand",
  "manufacturer",
];
const OF_OUTCOME: readonly ConditionName[] = ["level", "degraded"];

function hide(names: readonly ConditionName[]): Hidden {
  return { names: new Set(names), keys: new WeakMap() };
}

const NOTHING = hide([]);
const CONTEXT = hide(OF_CONTEXT);
const WHO = hide(PERSONAL);
const WHO_AND_CONTEXT = hide([...new Set([...PERSONAL, ...OF_CONTEXT])]);
const ALL = hide(CONDITION_NAMES.filter((name) => !OF_OUTCOME.includes(name)));

const NOBODY = { email: undefined, emailDomain: undefined, phone: undefined, streets: [] } as const;
const UNKNOWN: OrderFacts = {
  ...NOBODY,
  amount: undefined,
  currency: undefined,
  shippingCountry: undefined,
  billingCountry: undefined,
  firstTimeCustomer: undefined,
  skus: [],
  products: [],
  paymentBrand: undefined,
  context: undefined,
};

/** What is known of an order: all of it, what is left when its content was erased, or nothing. */
export function toKnownFacts(facts: OrderFacts | null, stored: StoredFacts | null): KnownFacts {
  if (facts !== null) return { facts, hidden: facts.context === undefined ? CONTEXT : NOTHING };
  if (stored === null) return { facts: UNKNOWN, hidden: ALL };
  // Kept as JSON, which leaves out what is undefined.
  const hidden = stored.context === undefined ? WHO_AND_CONTEXT : WHO;
  return { facts: { ...UNKNOWN, ...stored, ...NOBODY }, hidden };
}

/** Whether a rule of the policy asks about a person. */
export function asksForPerson({ rules }: Policy): boolean {
  return rules.some(({ when }) => PERSONAL.some((name) => when[name] !== undefined));
}

/** Whether rules of the policy ask for what cannot be looked at any more. */
export function asksForHidden({ rules }: Policy, { hidden }: KnownFacts): boolean {
  return rules.some(({ when }) => toHiddenKey(when, hidden) !== null);
}

/**
 * What a decision tells about conditions that cannot be looked at any more, by what they ask: rules that were looked at
 * and did not match, and the one that did.
 */
export type Evidence = ReadonlyMap<string, boolean>;

/** Whether a rule matches; undefined when what it asks was erased and nothing tells. */
function isMet(
  when: RuleConditions,
  { facts, hidden }: KnownFacts,
  outcome: CheckOutcome,
  evidence: Evidence,
): boolean | undefined {
  for (const name of CONDITION_NAMES) {
    if (!hidden.names.has(name) && !meetsCondition(name, when, facts, outcome)) return false;
  }
  const key = toHiddenKey(when, hidden);
  return key === null || evidence.get(key);
}

/** Names what the rule asks of what is hidden; null when that is nothing. */
function toHiddenKey(when: RuleConditions, { names, keys }: Hidden): string | null {
  const known = keys.get(when);
  if (known !== undefined) return known;
  const asked = [...names].filter((name) => when[name] !== undefined);
  const key = asked.length === 0 ? null : JSON.stringify(asked.map((name) => [name, when[name]]));
  keys.set(when, key);
  return key;
}

const NO_OUTCOME: CheckOutcome = { level: null, degraded: false };

/** How far the rules of a policy were applied to an order, and which of them decided. */
export interface PastMatch {
  /** `skipped`: a rule kept it from the check. `asked`: none did. `neither`: rules on that were not looked at. */
  readonly skip: "skipped" | "asked" | "neither";
  /** Whether rules with an action were looked at. */
  readonly decided: boolean;
  /** Name of the rule that matched. */
  readonly rule: string | null;
  readonly outcome: CheckOutcome;
}

/** What can be inferred about an order from how its policy decided. */
export function gatherEvidence(policy: Policy, past: PastMatch, known: KnownFacts): Evidence {
  const evidence = new Map<string, boolean>();

  function note(when: RuleConditions, matched: boolean, outcome: CheckOutcome): void {
    const key = toHiddenKey(when, known.hidden);
    if (key === null) return;
    const isForHidden = matched || isMet(when, known, outcome, new Map([[key, true]])) === true;
    if (isForHidden) evidence.set(key, matched);
  }

  const { rules } = policy;
  if (past.skip === "skipped") noteUntil(rules.filter(isBefore), past.rule, NO_OUTCOME, note);
  if (past.decided) noteUntil(rules.filter(acts), past.rule, past.outcome, note);
  if (past.skip === "asked") {
    for (const rule of rules.filter(isBefore)) {
      if (!acts(rule)) note(rule.when, false, NO_OUTCOME);
      else if (isMet(rule.when, known, NO_OUTCOME, evidence) !== false) break;
    }
  }
  return evidence;
}

type Rule = Policy["rules"][number];

function isBefore({ when }: Rule): boolean {
  return !needsOutcome(when);
}

function acts({ then }: Rule): boolean {
  return then.skip === undefined;
}

/** The rules above the one that matched did not. */
function noteUntil(
  rules: readonly Rule[],
  matched: string | null,
  outcome: CheckOutcome,
  note: (when: RuleConditions, matched: boolean, outcome: CheckOutcome) => void,
): void {
  // The policy was another one: nothing can be learned of rules that are not known.
  if (matched !== null && !rules.some(({ name }) => name === matched)) return;
  for (const { name, when } of rules) {
    note(when, name === matched, outcome);
    if (name === matched) return;
  }
}

/** What may be said of skipping: the rule, as `rule:NAME`, or null for none. Several where it cannot be known. */
export function findSkips(
  { rules }: Policy,
  known: KnownFacts,
  evidence: Evidence,
): readonly (Reason | null)[] {
  const found: (Reason | null)[] = [];
  for (const rule of rules.filter(isBefore)) {
    const met = isMet(rule.when, known, NO_OUTCOME, evidence);
    if (met === false) continue;
    found.push(acts(rule) ? null : `rule:${rule.name}`);
    if (met === true) return found;
  }
  return [...found, null];
}

/** The rules that may be the one that decides, first of all the surest; null for none. */
export function findMatches(
  { rules }: Policy,
  known: KnownFacts,
  outcome: CheckOutcome,
  evidence: Evidence,
): readonly (RuleMatch | null)[] {
  const found: (RuleMatch | null)[] = [];
  for (const { name, when, then } of rules) {
    if (then.skip !== undefined) continue;
    const met = isMet(when, known, outcome, evidence);
    if (met === false) continue;
    found.push({ name, action: then.action, tags: then.tags ?? [] });
    if (met === true) return found;
  }
  return [...found, null];
}
