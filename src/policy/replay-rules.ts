import type { Skip } from "../order/decision.ts";
import type { CheckFacts, CheckOutcome } from "./check-facts.ts";
import { NO_OUTCOME } from "./check-facts.ts";
import {
  CONDITION_NAMES,
  OUTCOME_CONDITIONS,
  SEEN_CONDITIONS,
  type ConditionName,
} from "./conditions/conditions.ts";
import { metAllThen, usesAny } from "./conditions/groups.ts";
import type { OrderFacts, StoredFacts } from "./order-facts.ts";
import type { Policy } from "./policy.ts";
import { needsOutcome, toRuleMatch } from "./rules.ts";

export interface KnownFacts {
  /** Undefined values aren't known. */
  readonly facts: OrderFacts;
  /** Conditions whose data is gone. */
  readonly hidden: ReadonlySet<ConditionName>;
  /** What the check found; undefined if that is gone. */
  readonly seen: CheckFacts | undefined;
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
const OF_ORDER = CONDITION_NAMES.filter((name) => !OUTCOME_CONDITIONS.includes(name));
const NONE: readonly ConditionName[] = [];

const NOBODY = { email: undefined, emailDomain: undefined, phone: undefined, streets: undefined } as const;
const UNKNOWN: OrderFacts = {
  ...NOBODY,
  amount: undefined,
  currency: undefined,
  shippingCountry: undefined,
  billingCountry: undefined,
  shippingCountryDiffers: undefined,
  ipCountryDiffers: undefined,
  firstTimeCustomer: undefined,
  accountAgeDays: undefined,
  totalOrders: undefined,
  timesAverage: undefined,
  skus: undefined,
  products: undefined,
  paymentBrand: undefined,
  context: {},
};

/** What is known about an order: everything, the rest after its content was erased, or nothing. */
export function toKnownFacts(facts: OrderFacts | null, stored: StoredFacts | null): KnownFacts {
  const { seen, ...known } = stored ?? {};
  const hiddenOf = (names: readonly ConditionName[]) =>
    new Set(seen === undefined ? [...names, ...SEEN_CONDITIONS] : names);
  if (facts !== null) return { facts, hidden: hiddenOf(NONE), seen };
  if (stored === null) return { facts: UNKNOWN, hidden: hiddenOf(OF_ORDER), seen };
  // Stored as JSON, which leaves out undefined values.
  return { facts: { ...UNKNOWN, ...known, ...NOBODY }, hidden: hiddenOf(PERSONAL), seen };
}

export function asksForPerson({ rules }: Policy): boolean {
  return rules.some(({ when }) => usesAny(when, PERSONAL));
}

/** The rule that skips the order's check; null for none, undefined if that depends on data that is gone. */
export function findSkip({ rules }: Policy, { facts, hidden }: KnownFacts): Skip | null | undefined {
  let isSure = true;
  for (const { name, when, then } of rules.filter((rule) => !needsOutcome(rule.when))) {
    const met = metAllThen(when, facts, NO_OUTCOME, hidden);
    if (met === false) continue;
    if (then.skip !== undefined) return met === true && isSure ? { rule: name } : undefined;
    if (met === true) return null;
    isSure = false;
  }
  return null;
}

/** The rule that decides; null for none, undefined if that depends on data that is gone. */
export function findMatch({ rules }: Policy, { facts, hidden }: KnownFacts, outcome: CheckOutcome) {
  for (const { name, when, then } of rules) {
    if (then.skip !== undefined) continue;
    const met = metAllThen(when, facts, outcome, hidden);
    if (met === undefined) return undefined;
    if (met) return toRuleMatch(name, then);
  }
  return null;
}
