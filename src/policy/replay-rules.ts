import type { Reason } from "../order/reasons.ts";
import {
  CONDITION_NAMES,
  CONTEXT_CONDITIONS,
  meetsAll,
  type CheckOutcome,
  type ConditionName,
} from "./conditions.ts";
import type { OrderFacts, StoredFacts } from "./order-facts.ts";
import type { Policy, RuleConditions } from "./policy.ts";
import { needsOutcome, type RuleMatch } from "./rules.ts";

/** What is still known about a past order. */
export interface KnownFacts {
  /** Undefined if not known. */
  readonly facts: OrderFacts;
  /** Conditions whose data is gone. */
  readonly hidden: Hidden;
}

/** Conditions whose data is gone, and the names of the data that they need together. */
interface Hidden {
  readonly names: ReadonlySet<ConditionName>;
  readonly keys: WeakMap<RuleConditions, string | null>;
}

/** What rules can use about a person, which is erased with the order's content. */
const PERSONAL: readonly ConditionName[] = [
  "email",
  "emailDomain",
  "phone",
  "address",
  "orderTag",
  "customerTag",
];
const OF_OUTCOME: readonly ConditionName[] = ["level", "degraded"];

function hide(names: readonly ConditionName[]): Hidden {
  return { names: new Set(names), keys: new WeakMap() };
}

const NOTHING = hide([]);
const CONTEXT = hide(CONTEXT_CONDITIONS);
const WHO = hide(PERSONAL);
const WHO_AND_CONTEXT = hide([...new Set([...PERSONAL, ...CONTEXT_CONDITIONS])]);
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

/** What is known about an order: everything, the rest after its content was erased, or nothing. */
export function toKnownFacts(facts: OrderFacts | null, stored: StoredFacts | null): KnownFacts {
  if (facts !== null) return { facts, hidden: facts.context === undefined ? CONTEXT : NOTHING };
  if (stored === null) return { facts: UNKNOWN, hidden: ALL };
  // Stored as JSON, which leaves out undefined values.
  const hidden = stored.context === undefined ? WHO_AND_CONTEXT : WHO;
  return { facts: { ...UNKNOWN, ...stored, ...NOBODY }, hidden };
}

/** Whether a rule of the policy asks about a person. */
export function asksForPerson({ rules }: Policy): boolean {
  return rules.some(({ when }) => PERSONAL.some((name) => when[name] !== undefined));
}

/** Whether rules of the policy need data that is gone. */
export function asksForHidden({ rules }: Policy, { hidden }: KnownFacts): boolean {
  return rules.some(({ when }) => toHiddenKey(when, hidden) !== null);
}

/**
 * What a decision reveals about conditions whose data is gone, by the data that they need: rules that were checked and
 * didn't match, and the one that did.
 */
export type Evidence = ReadonlyMap<string, boolean>;

/** Whether a rule matches; undefined if its data was erased and nothing else decides. */
function isMet(
  when: RuleConditions,
  { facts, hidden }: KnownFacts,
  outcome: CheckOutcome,
  evidence: Evidence,
): boolean | undefined {
  if (!meetsAll(when, facts, outcome, hidden.names)) return false;
  const key = toHiddenKey(when, hidden);
  return key === null || evidence.get(key);
}

/** The names of the hidden data that the rule needs; null if it needs none. */
function toHiddenKey(when: RuleConditions, { names, keys }: Hidden): string | null {
  const known = keys.get(when);
  if (known !== undefined) return known;
  const asked = [...names].filter((name) => when[name] !== undefined);
  const key = asked.length === 0 ? null : JSON.stringify(asked.map((name) => [name, when[name]]));
  keys.set(when, key);
  return key;
}

const NO_OUTCOME: CheckOutcome = { level: null, degraded: false };

/** How far a policy's rules were applied to an order, and which one decided. */
export interface PastMatch {
  /** `skipped`: a rule skipped the check. `asked`: no rule did. `neither`: such rules weren't evaluated. */
  readonly skip: "skipped" | "asked" | "neither";
  /** Whether rules with an action were evaluated. */
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

/** The rules above the one that matched didn't match. */
function noteUntil(
  rules: readonly Rule[],
  matched: string | null,
  outcome: CheckOutcome,
  note: (when: RuleConditions, matched: boolean, outcome: CheckOutcome) => void,
): void {
  // The policy was a different one, so nothing follows about rules that aren't known.
  if (matched !== null && !rules.some(({ name }) => name === matched)) return;
  for (const { name, when } of rules) {
    note(when, name === matched, outcome);
    if (name === matched) return;
  }
}

/** What may have skipped the order: a rule, as `rule:NAME`, or null for none. Several entries if it isn't certain. */
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

/** The rules that may decide, the most certain first; null for none. */
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
