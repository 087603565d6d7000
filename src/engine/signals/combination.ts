import { localPartFitsName } from "../text/names.ts";
import type { OrderFacts } from "../facts/order-facts.ts";
import type { Observation, SignalGroup } from "./signal.ts";
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
import { hasGiftCards, hasManyGiftCards, hasResaleItem } from "./items.ts";
import { shipsAmongManyResidents, shipsAmongResidents } from "./counts.ts";

const TAKEOVER_ACCOUNT_DAYS = 180;
/** This many times the usual amount is unusual for the customer if the order comes from or goes to somewhere new. */
const TAKEOVER_TIMES_AVERAGE = 5;
/** From another country, or for gift cards and similar goods, less is enough. */
const TAKEOVER_TIMES_SERIOUS = 3;
const NEW_ACCOUNT_DAYS = 7;
const HIGH_VALUE_USD = 1_000;
const WORTH_STEALING_USD = 150;

function toFirstOrderAbroad(isKnown: boolean): Observation {
  return isKnown
    ? {
        points: 10,
        description: "An expensive first order ships to a different country than the billing country.",
      }
    : {
        points: 10,
        title: "Expensive order from an unknown customer shipped abroad",
        description:
          "An expensive order from a customer with no known orders ships to a different country than the billing country.",
      };
}

/** Whether an order comes from a third country. A VPN shows the location of its exit, not of its user. */
function isOnlineElsewhere(facts: OrderFacts): boolean {
  return ordersFromElsewhere(facts) && facts.ip?.network === undefined;
}

/** A known customer's sudden change of behavior; null if there is none. */
function findTakeover(facts: OrderFacts): Observation | null {
  const isKnown = (facts.accountAgeDays ?? 0) >= TAKEOVER_ACCOUNT_DAYS;
  const times = toTimesWorthAlarm(facts) ?? 0;
  if (!isKnown || times < TAKEOVER_TIMES_SERIOUS) return null;
  const isFarMore = times >= TAKEOVER_TIMES_AVERAGE;
  const toObservation = (what: string): Observation => ({
    points: isFarMore ? 18 : 14,
    description: `A known customer suddenly orders ${what}.`,
  });
  // A thief orders from where the goods go.
  if (isOnlineElsewhere(facts) || ordersFromDestination(facts))
    return toObservation("far more, from another country");
  if (hasManyGiftCards(facts)) return toObservation("gift cards for far more");
  return isFarMore && shipsElsewhere(facts) ? toObservation("far more, to another place") : null;
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
  investigate: { points: 10, description: "The platform's own analysis says to look at the order." },
  cancel: { points: 20, description: "The platform's own analysis says to cancel the order." },
} as const;

/** Signals from facts that mean more together than separately, and from others' judgments of the order. */
export const COMBINATION_SIGNALS: SignalGroup = {
  name: "combination",
  signals: [
    {
      code: "ACCOUNT_TAKEOVER",
      category: "behavioral",
      title: "Known customer behaving like a stranger",
      // Somebody who has moved in is online there, which an agent's network doesn't show.
      isPlace: (facts) => shipsAmongResidents(facts) && !isOnlineElsewhere(facts) && !facts.isAgent,
      shakesTrust: true,
      observe: findTakeover,
    },
    {
      code: "STRANGER_OVERSEAS",
      category: "technical",
      title: "Unknown customer on a network overseas",
      observe: (facts) =>
        isFirstOrder(facts) &&
        ordersFromOverseas(facts) &&
        !shipsAbroad(facts) &&
        ((facts.amountUsd ?? 0) >= WORTH_STEALING_USD || hasResaleItem(facts) || hasGiftCards(facts))
          ? {
              points: 16,
              description:
                "Everything the customer typed is in one country, the network is on another continent, and the goods are worth stealing.",
            }
          : null,
    },
    {
      code: "THREE_NAMES",
      category: "customer",
      title: "Three different names",
      observe: (facts) =>
        namesThreePeople(facts)
          ? {
              points: 16,
              description: "The customer, the card and the email address name three different people.",
            }
          : null,
    },
    {
      code: "NEW_ACCOUNT_RESALE_ELSEWHERE",
      category: "behavioral",
      title: "New account ships resale goods elsewhere",
      isPlace: shipsAmongResidents,
      // Where many people are new and billed elsewhere, as in a dormitory, this says no more than its parts.
      observe: (facts) =>
        facts.accountAgeDays !== undefined &&
        facts.accountAgeDays < NEW_ACCOUNT_DAYS &&
        shipsElsewhere(facts) &&
        hasResaleItem(facts) &&
        !shipsAmongManyResidents(facts)
          ? {
              points: 10,
              description:
                "A new account ships goods that are easy to resell to an address other than the billing address.",
            }
          : null,
    },
    {
      code: "FIRST_ORDER_HIGH_ABROAD",
      category: "behavioral",
      title: "Expensive first order shipped abroad",
      isPlace: shipsAmongResidents,
      observe: (facts) =>
        isFirstOrder(facts) && shipsAbroad(facts) && (facts.amountUsd ?? 0) >= HIGH_VALUE_USD
          ? toFirstOrderAbroad(isKnownFirstOrder(facts))
          : null,
    },
    {
      code: "EXPRESS_ELSEWHERE",
      category: "behavioral",
      title: "Fast shipping for a stranger",
      isPlace: shipsAmongResidents,
      // Whoever uses a stolen card pays for speed, because the owner may notice. So do people who forgot a birthday: it counts
      // only if the goods also go elsewhere or the card is somebody else's.
      observe: (facts) =>
        facts.isExpress && isFirstOrder(facts) && (shipsElsewhere(facts) || holderAgrees(facts) === false)
          ? {
              points: 8,
              description:
                "A first order with fast shipping goes elsewhere than it's billed, or somebody else's card pays.",
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
              description:
                "A different country, a different cardholder and a random email address appear together.",
            }
          : null,
    },
  ],
};
