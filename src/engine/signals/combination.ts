import type { Observation, SignalGroup } from "../signal.ts";
import { isFirstOrder, isKnownFirstOrder, toTimesOwnAverage } from "./amount.ts";
import { holderAgrees } from "./card.ts";
import { hasRandomEmail } from "./email.ts";
import { ordersFromElsewhere, shipsAbroad, shipsElsewhere } from "./geo.ts";
import { hasGoodHistory } from "./history.ts";
import { hasResaleItem } from "./items.ts";

const TAKEOVER_ACCOUNT_DAYS = 180;
const TAKEOVER_TIMES_AVERAGE = 5;
const NEW_ACCOUNT_DAYS = 7;
const HIGH_VALUE_USD = 1_000;

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

/** The platform looks at the same order, and at others that the engine does not know. */
const PLATFORM_ADVICE = {
  investigate: { points: 8, description: "The platform's own analysis says to look at the order." },
  cancel: { points: 16, description: "The platform's own analysis says to cancel the order." },
} as const;

/** Facts that mean more together than apart, and what others made of all of them. */
export const COMBINATION_SIGNALS: SignalGroup = {
  name: "combination",
  signals: [
    {
      code: "ACCOUNT_TAKEOVER",
      category: "behavioral",
      title: "Known customer behaving like a stranger",
      shakesTrust: true,
      observe: (facts) =>
        (facts.accountAgeDays ?? 0) >= TAKEOVER_ACCOUNT_DAYS &&
        hasGoodHistory(facts) &&
        (toTimesOwnAverage(facts) ?? 0) >= TAKEOVER_TIMES_AVERAGE &&
        (shipsElsewhere(facts) || ordersFromElsewhere(facts))
          ? {
              points: 22,
              description: `An old account with a good history suddenly orders far more, ${
                shipsElsewhere(facts) ? "to" : "from"
              } another place.`,
            }
          : null,
    },
    {
      code: "NEW_ACCOUNT_RESALE_ELSEWHERE",
      category: "behavioral",
      title: "New account ships resale goods elsewhere",
      observe: (facts) =>
        facts.accountAgeDays !== undefined &&
        facts.accountAgeDays < NEW_ACCOUNT_DAYS &&
        shipsElsewhere(facts) &&
        hasResaleItem(facts)
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
      observe: (facts) =>
        isFirstOrder(facts) && shipsAbroad(facts) && (facts.amountUsd ?? 0) >= HIGH_VALUE_USD
          ? toFirstOrderAbroad(isKnownFirstOrder(facts))
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
