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
  const says = say("The order is worth about {usd} USD and ships to another country than it's billed in.", {
    usd: Math.round(facts.amountUsd ?? 0),
  });
  return isKnownFirstOrder(facts)
    ? { points: 10, says }
    : { points: 10, title: "Expensive order from an unknown customer shipped abroad", says };
}

/** Whether an order comes from a third country. A VPN shows the location of its exit, not of its user. */
function isOnlineElsewhere(facts: OrderFacts): boolean {
  return ordersFromElsewhere(facts) && facts.ip?.network === undefined;
}

/** What a known customer's order has besides a far higher amount, as a thief's would; undefined if nothing. */
function findTakeoverSign(facts: OrderFacts, isFarMore: boolean): Sentence | undefined {
  const days = Math.floor(facts.accountAgeDays ?? 0);
  // A thief orders from where the goods go.
  if (isOnlineElsewhere(facts) || ordersFromDestination(facts))
    return say(
      "The account is {days} days old, and the order is far above its average and comes from {country}, not the billing country.",
      { days, country: facts.ip?.country ?? "" },
    );
  if (hasManyGiftCards(facts))
    return say(
      "The account is {days} days old, and the order is far above its average and has many gift cards or codes.",
      { days },
    );
  if (!isFarMore || !shipsElsewhere(facts)) return undefined;
  return say(
    "The account is {days} days old, and the order is far above its average and isn't shipped to where it's billed.",
    { days },
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
  investigate: { points: 10, says: say("The platform's own analysis says to look at the order.") },
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
      observe: (facts) =>
        isFirstOrder(facts) &&
        ordersFromOverseas(facts) &&
        !shipsAbroad(facts) &&
        ((facts.amountUsd ?? 0) >= WORTH_STEALING_USD || hasResaleItem(facts) || hasGiftCards(facts))
          ? {
              points: 16,
              says: say(
                "No earlier order is known, both addresses are in {country}, and the network is on another continent ({network}).",
                { country: facts.billing?.country ?? "", network: facts.ip?.country ?? "" },
              ),
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
              says: say(
                "The customer's name, the name on the card and the name in the email address all differ.",
              ),
            }
          : null,
    },
    {
      code: "NEW_ACCOUNT_RESALE_ELSEWHERE",
      category: "behavioral",
      title: "New account ships resale goods elsewhere",
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
                "The account is less than a week old, and the order doesn't ship to where it's billed.",
              ),
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
          ? toFirstOrderAbroad(facts)
          : null,
    },
    {
      code: "EXPRESS_ELSEWHERE",
      category: "behavioral",
      title: "Fast shipping for a first order",
      isPlace: shipsAmongResidents,
      // Whoever uses a stolen card pays for speed, because the owner may notice. So do people who forgot a birthday: it counts
      // only if the goods also go elsewhere or the card is somebody else's.
      observe: (facts) =>
        facts.isExpress && isFirstOrder(facts) && (shipsElsewhere(facts) || holderAgrees(facts) === false)
          ? {
              points: 8,
              says: shipsElsewhere(facts)
                ? say("This first order ships fast, and not to where it's billed.")
                : say("This first order ships fast, and the card has another name."),
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
                "The network's country, the name on the card and the email address all fail to match the customer.",
              ),
            }
          : null,
    },
  ],
};
