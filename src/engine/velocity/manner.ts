import type { OrderFacts } from "../facts/order-facts.ts";
import { areRelatives } from "../text/names.ts";
import { isSameAddress } from "../facts/place.ts";
import { isNonsenseName } from "../text/nonsense-names.ts";
import { toTimesOwnAverage } from "../signals/amount.ts";
import { holderAgrees } from "../signals/card.ts";
import { hasAnotherName, hasDisposableEmail, hasRandomEmail } from "../signals/email.ts";
import { ordersFromElsewhere, shipsElsewhere, shipsToOtherArea } from "../signals/geo.ts";
import { hasGiftCards, hasResaleItem } from "../signals/items.ts";
import { isAutomated } from "../signals/user-agent.ts";

/**
 * How an order looks by itself, for counting it among others. `known`: the customer has a history with the shop, and the
 * order fits it. `knownAway`: `known`, nothing is suspicious, and the order is billed elsewhere. `ordinary`: no history, and
 * nothing is suspicious. `resident`: `ordinary`, and billed to the address that it ships to. `smallOrdinary`,
 * `smallResident`: the same, but of little value. `away`: nothing is suspicious, except that the order ships to a region or
 * country other than the billing one, or, where regions aren't known and the goods have some value, to another postal area.
 * `related`: `away`, but a relative's card pays. `modest`: `away`, but of little value, and the mailbox doesn't contradict the
 * customer's name. `odd`: something else is suspicious.
 */
export type Manner =
  | "known"
  | "knownAway"
  | "resident"
  | "smallResident"
  | "ordinary"
  | "smallOrdinary"
  | "related"
  | "modest"
  | "away"
  | "odd";

interface Looks {
  readonly manner: Manner;
  /** Whether nothing is suspicious and the order ships to its billing address. */
  readonly isPlain: boolean;
  /** Whether it is worth more than what people who live at a place usually buy. */
  readonly isDear: boolean;
}

const KNOWN_AFTER_DAYS = 30;
/** This many times the usual amount is unusual for the customer. */
const MOST_TIMES_AVERAGE = 3;
/** People who live at a place buy ordinary goods. Somebody who collects goods there that others' cards paid for wants more. */
const WORTH_STEALING_USD = 300;
const LEAST_USD = 2;
/**
 * Thieves seldom use a drop address for less: 1.6 million cards a year pay for 1.8 billion USD of goods sent to mules (Hao et
 * al. 2015), eleven times as much per card.
 */
const WORTH_A_DROP_USD = 100;

/** How an order {@link Looks}. Nothing here uses its phone number or time. */
export function toLooks(facts: OrderFacts): Looks {
  const isDear = (facts.amountUsd ?? 0) >= WORTH_STEALING_USD;
  if (isHidden(facts)) return { manner: "odd", isPlain: false, isDear };
  const isOdd = isDear || standsOut(facts);
  const isPlain = !isOdd && isSameAddress(facts.billing, facts.shipping);
  return { manner: toManner(facts, isOdd, isPlain), isPlain, isDear };
}

function toManner(facts: OrderFacts, isOdd: boolean, isPlain: boolean): Manner {
  if (isKnown(facts)) return !isOdd && isAway(facts) ? "knownAway" : "known";
  if (isOdd) return "odd";
  return isAway(facts) ? toMannerAway(facts) : toMannerAtHome(facts, isPlain);
}

function toMannerAtHome(facts: OrderFacts, isPlain: boolean): Manner {
  if (isWorthADrop(facts)) return isPlain ? "resident" : "ordinary";
  return isPlain ? "smallResident" : "smallOrdinary";
}

function toMannerAway(facts: OrderFacts): Manner {
  if (isPaidByRelative(facts)) return "related";
  return isWorthADrop(facts) || hasAnotherName(facts) ? "away" : "modest";
}

function isHidden(facts: OrderFacts): boolean {
  return (
    facts.ip?.network === "tor" ||
    hasDisposableEmail(facts) ||
    hasRandomEmail(facts) ||
    isAutomated(facts) ||
    isNonsenseName(facts.customerName ?? "")
  );
}

function isKnown(facts: OrderFacts): boolean {
  const { firstOrder, accountAgeDays = 0, fulfilledOrders = 0 } = facts;
  if (firstOrder === true || (toTimesOwnAverage(facts) ?? 0) >= MOST_TIMES_AVERAGE) return false;
  return accountAgeDays >= KNOWN_AFTER_DAYS || fulfilledOrders > 0;
}

function isAway(facts: OrderFacts): boolean {
  // A postal code says less than a region, so that it counts only for what is known to be worth the trouble.
  return (
    shipsElsewhere(facts) || (facts.amountUsd !== undefined && isWorthADrop(facts) && shipsToOtherArea(facts))
  );
}

function isPaidByRelative({ card, customerName }: OrderFacts): boolean {
  return card.holder !== undefined && customerName !== undefined && areRelatives(card.holder, customerName);
}

function isWorthADrop({ amountUsd = WORTH_A_DROP_USD }: OrderFacts): boolean {
  return amountUsd >= WORTH_A_DROP_USD;
}

function standsOut(facts: OrderFacts): boolean {
  const { amountUsd = LEAST_USD } = facts;
  return (
    amountUsd < LEAST_USD ||
    holderAgrees(facts) === false ||
    ordersFromElsewhere(facts) ||
    hasGiftCards(facts) ||
    hasResaleItem(facts)
  );
}
