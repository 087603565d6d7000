import { localPartFitsName } from "../text/names.ts";
import type { OrderFacts } from "../facts/order-facts.ts";
import type { Observation, SignalGroup } from "./signal.ts";
import { say, type Sentence } from "./sentence.ts";
import { isFirstOrder, isKnownFirstOrder, toTimesWorthAlarm } from "./amount.ts";
import { holderAgrees } from "./card.ts";
import { hasRandomEmail } from "./email.ts";
import {
  ordersFromDestination,
  ordersFromElsewhere,
  ordersFromOverseas,
  shipsAbroad,
  shipsElsewhere,
} from "./geo.ts";
import { buysForItsCompany, hasGiftCards, hasManyGiftCards, hasResaleItem } from "./items.ts";
import { shipsAmongManyResidents, shipsAmongResidents } from "./counts.ts";

const TAKEOVER_ACCOUNT_DAYS = 180;
/** This many times the usual amount is unusual for the customer if the order comes from or goes to somewhere new. */
const TAKEOVER_TIMES_AVERAGE = 5;
/** From another country, or for gift cards and similar goods, less is enough. */
const TAKEOVER_TIMES_SERIOUS = 3;
const NEW_ACCOUNT_DAYS = 7;
const HIGH_VALUE_USD = 1_000;
const WORTH_STEALING_USD = 150;

function toFirstOrderAbroad(facts: OrderFacts): Observation {
  // The first order, the amount and the countries have their own signals.
  const why = say("Goods abroad are hard to get back, and no earlier order is known.");
  const says = say(
    "The order is worth about {usd} USD. Goods abroad are hard to get back, and no earlier order is known.",
    { usd: Math.round(facts.amountUsd ?? 0) },
  );
  const beside = { codes: ["AMOUNT_HIGH_FIRST", "AMOUNT_FAR_ABOVE_HABIT"], says: why };
  return isKnownFirstOrder(facts)
    ? { points: 10, says, beside }
    : { points: 10, title: "Expensive order from an unknown customer shipped abroad", says, beside };
}

/** Whether an order comes from a third country. A VPN shows the location of its exit, not of its user. */
function isOnlineElsewhere(facts: OrderFacts): boolean {
  return ordersFromElsewhere(facts) && facts.ip?.network === undefined;
}

/**
 * What a known customer's order has besides a far higher amount, as a thief's would; undefined if nothing. Amount, country and goods have
 * their own signals, so the sentence only says why they mean more together.
 */
function findTakeoverSign(facts: OrderFacts, isFarMore: boolean): Sentence | undefined {
  // A thief orders from where the goods go.
  if (isOnlineElsewhere(facts) || ordersFromDestination(facts))
    return say(
      "An account with a history seldom has both: this amount, and a network in another country. Somebody else may be using it.",
    );
  if (hasManyGiftCards(facts))
    return say(
      "An account with a history seldom has both: this amount, and many gift cards or codes. Somebody else may be using it.",
    );
  if (!isFarMore || !shipsElsewhere(facts)) return undefined;
  return say(
    "An account with a history seldom has both: this amount, and goods that go elsewhere. Somebody else may be using it.",
  );
}

/** A known customer's sudden change of behavior; null if there is none. */
function findTakeover(facts: OrderFacts): Observation | null {
  const isKnown = (facts.accountAgeDays ?? 0) >= TAKEOVER_ACCOUNT_DAYS;
  const times = toTimesWorthAlarm(facts) ?? 0;
  if (!isKnown || times < TAKEOVER_TIMES_SERIOUS) return null;
  const isFarMore = times >= TAKEOVER_TIMES_AVERAGE;
  const says = findTakeoverSign(facts, isFarMore);
  return says === undefined ? null : { points: isFarMore ? 18 : 14, says };
}

/** Whether the local part looks like a name: two words and nothing else. */
const NAME_SHAPED = /^[a-z]{3,}[._-][a-z]{3,}\d{0,4}$/;

/** Whether customer, card and email address name three different people. */
function namesThreePeople(facts: OrderFacts): boolean {
  const { email, customerName, companyName, card } = facts;
  if (email === undefined || customerName === undefined || card.holder === undefined) return false;
  if (companyName !== undefined || holderAgrees(facts) !== false) return false;
  return (
    NAME_SHAPED.test(email.local) &&
    localPartFitsName(email.local, customerName) === false &&
    localPartFitsName(email.local, card.holder) === false
  );
}

/** The platform judges the same order, and knows other orders that the engine doesn't. */
const PLATFORM_ADVICE = {
  investigate: {
    points: 10,
    needsCheck: true,
    says: say("The platform's own analysis says to look at the order."),
  },
  cancel: { points: 20, says: say("The platform's own analysis says to cancel the order.") },
} as const;

/** Signals from facts that mean more together than separately, and from others' judgments of the order. */
export const COMBINATION_SIGNALS: SignalGroup = {
  name: "combination",
  signals: [
    {
      code: "ACCOUNT_TAKEOVER",
      category: "behavioral",
      title: "Unusual order for this customer",
      // Somebody who has moved in is online there, which an agent's network doesn't show.
      isPlace: (facts) => shipsAmongResidents(facts) && !isOnlineElsewhere(facts) && !facts.isAgent,
      shakesTrust: true,
      observe: findTakeover,
    },
    {
      code: "STRANGER_OVERSEAS",
      category: "technical",
      title: "New customer on a network overseas",
      joins: ["FIRST_ORDER", "IP_COUNTRY_MISMATCH"],
      observe: (facts) =>
        isFirstOrder(facts) &&
        ordersFromOverseas(facts) &&
        !shipsAbroad(facts) &&
        ((facts.amountUsd ?? 0) >= WORTH_STEALING_USD || hasResaleItem(facts) || hasGiftCards(facts))
          ? {
              points: 16,
              says: say(
                "The network is on another continent than both addresses. Of a known customer, earlier orders could explain that.",
              ),
            }
          : null,
    },
    {
      code: "THREE_NAMES",
      category: "customer",
      title: "Three different names",
      joins: ["HOLDER_MISMATCH", "EMAIL_NAME_MISMATCH"],
      observe: (facts) =>
        namesThreePeople(facts)
          ? {
              points: 16,
              says: say(
                "The name in the email address isn't the cardholder's either, so the order has three different names.",
              ),
            }
          : null,
    },
    {
      code: "NEW_ACCOUNT_RESALE_ELSEWHERE",
      category: "behavioral",
      title: "New account ships resale goods elsewhere",
      joins: ["ACCOUNT_NEW", "RESALE_ITEM", "RESALE_QUANTITY", "BILL_SHIP_COUNTRY", "BILL_SHIP_REGION"],
      isPlace: shipsAmongResidents,
      // Where many people are new and billed elsewhere, as in a dormitory, this says no more than its parts. Nor does it for a
      // company's branch.
      observe: (facts) =>
        facts.accountAgeDays !== undefined &&
        facts.accountAgeDays < NEW_ACCOUNT_DAYS &&
        shipsElsewhere(facts) &&
        hasResaleItem(facts) &&
        !shipsAmongManyResidents(facts) &&
        !buysForItsCompany(facts)
          ? {
              points: 10,
              says: say(
                "The account is less than a week old. Account, goods and destination are each common, but rare together.",
              ),
              beside: {
                codes: ["ACCOUNT_NEW"],
                says: say("Account, goods and destination are each common, but rare together."),
              },
            }
          : null,
    },
    {
      code: "FIRST_ORDER_HIGH_ABROAD",
      category: "behavioral",
      title: "Expensive first order shipped abroad",
      joins: ["FIRST_ORDER", "AMOUNT_HIGH_FIRST", "BILL_SHIP_COUNTRY"],
      isPlace: shipsAmongResidents,
      observe: (facts) =>
        isFirstOrder(facts) && shipsAbroad(facts) && (facts.amountUsd ?? 0) >= HIGH_VALUE_USD
          ? toFirstOrderAbroad(facts)
          : null,
    },
    {
      code: "EXPRESS_ELSEWHERE",
      category: "behavioral",
      title: "Fast shipping for a first order",
      joins: ["FIRST_ORDER"],
      isPlace: shipsAmongResidents,
      // Whoever uses a stolen card pays for speed, because the owner may notice. So do people who forgot a birthday: it counts
      // only if the goods also go elsewhere or the card is somebody else's.
      observe: (facts) =>
        facts.isExpress && isFirstOrder(facts) && (shipsElsewhere(facts) || holderAgrees(facts) === false)
          ? {
              points: 8,
              ...(isKnownFirstOrder(facts) ? {} : { title: "Fast shipping for an unknown customer" }),
              says: shipsElsewhere(facts)
                ? say(
                    "The shipping method is a fast one, which leaves little time to check where the goods go.",
                  )
                : say("The shipping method is a fast one, which leaves little time to ask whose card it is."),
            }
          : null,
    },
    {
      code: "PLATFORM_RISK",
      category: "behavioral",
      title: "The platform sees a risk",
      observe: ({ payment: { platformRisk } }) =>
        platformRisk === "cancel" || platformRisk === "investigate" ? PLATFORM_ADVICE[platformRisk] : null,
    },
    {
      code: "STRANGER_TO_CARD",
      category: "technical",
      title: "Customer details don't match",
      observe: (facts) =>
        ordersFromElsewhere(facts) && holderAgrees(facts) === false && hasRandomEmail(facts)
          ? {
              points: 8,
              says: say(
                "Network, card and email address may each have a good reason to differ. It is rare that all do.",
              ),
            }
          : null,
    },
  ],
};
