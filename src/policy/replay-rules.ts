import type { Reason } from "../order/reasons.ts";
import { CONDITION_NAMES, meetsAll, type CheckOutcome, type ConditionName } from "./conditions.ts";
import type { OrderFacts, StoredFacts } from "./order-facts.ts";
import type { Policy, RuleConditions } from "./policy.ts";
import { needsOutcome, NO_OUTCOME, toRuleMatch } from "./rules.ts";

export interface KnownFacts {
  /** Undefined values aren't known. */
  readonly facts: OrderFacts;
  /** Conditions whose data is gone. */
  readonly hidden: ReadonlySet<ConditionName>;
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

const NOTHING = new Set<ConditionName>();
const WHO = new Set(PERSONAL);
const ALL = new Set(CONDITION_NAMES.filter((name) => !OF_OUTCOME.includes(name)));

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
  context: {},
};

/** What is known about an order: everything, the rest after its content was erased, or nothing. */
export function toKnownFacts(facts: OrderFacts | null, stored: StoredFacts | null): KnownFacts {
  if (facts !== null) return { facts, hidden: NOTHING };
  if (stored === null) return { facts: UNKNOWN, hidden: ALL };
  // Stored as JSON, which leaves out undefined values.
  return { facts: { ...UNKNOWN, ...stored, ...NOBODY }, hidden: WHO };
}

export function asksForPerson({ rules }: Policy): boolean {
  return rules.some(({ when }) => PERSONAL.some((name) => when[name] !== undefined));
}

/** Whether a rule matches; undefined if that depends on data that is gone. */
function isMet(when: RuleConditions, { facts, hidden }: KnownFacts, outcome: CheckOutcome) {
  if (!meetsAll(when, facts, outcome, hidden)) return false;
  return [...hidden].some((name) => when[name] !== undefined) ? undefined : true;
}

/** The rule that skips the order's check, as `rule:NAME`; null for none, undefined if that depends on data that is gone. */
export function findSkip({ rules }: Policy, known: KnownFacts): Reason | null | undefined {
  let isSure = true;
  for (const { name, when, then } of rules.filter((rule) => !needsOutcome(rule.when))) {
    const met = isMet(when, known, NO_OUTCOME);
    if (met === false) continue;
    if (then.skip !== undefined) return met === true && isSure ? `rule:${name}` : undefined;
    if (met === true) return null;
    isSure = false;
  }
  return null;
}

/** The rule that decides; null for none, undefined if that depends on data that is gone. */
export function findMatch({ rules }: Policy, known: KnownFacts, outcome: CheckOutcome) {
  for (const { name, when, then } of rules) {
    if (then.skip !== undefined) continue;
    const met = isMet(when, known, outcome);
    if (met === undefined) return undefined;
    if (met) return toRuleMatch(name, then);
  }
  return null;
}
