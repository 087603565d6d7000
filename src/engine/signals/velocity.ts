import type { OrderFacts } from "../facts/order-facts.ts";
import { holderAgrees } from "./card.ts";
import { toCount, toStrangers, toStrangersAtAddress } from "./counts.ts";
import { shipsElsewhere } from "./geo.ts";
import { SHOP_SURGES } from "./shop-surges.ts";
import type { EvidenceGroup, Observation } from "./signal.ts";
import { say, type Sentence } from "./sentence.ts";
import { MOST_PER_KEY } from "../facts/velocity-counts.ts";

/** The steps of a count: the minimum and its points. */
type Steps = readonly (readonly [from: number, points: number])[];

/*
 * The points rise with the count like the lifts of a real shop's orders: with two to four linked email addresses 3.7 times as
 * much fraud as usual, with five and more 7.7 times; with two to four orders of one key 4.2 times, with five and more 10.7
 * times (IEEE-CIS data, 18,000 orders). Repeats within an hour get fewer points.
 */
const EMAIL_BURST: Steps = [
  [10, 34],
  [5, 30],
  [3, 20],
  // Five of six repeated frauds happen within the hour, but so do orders of customers who forgot something.
  [2, 8],
];
const IP_EMAILS = 2;
const MANY_IP_EMAILS = 6;
const CARD_EMAILS: Steps = [
  [10, 32],
  [5, 28],
  [3, 20],
  [2, 10],
];
const ADDRESS_EMAILS: Steps = [
  [10, 20],
  [5, 15],
  [3, 12],
];
const EMAIL_CARDS: Steps = [
  [5, 30],
  [3, 22],
];
/** Shipping addresses per card, by the lifts of the same data: 1.25, 1.6 and 2.5. */
const CARD_ADDRESSES: Steps = [
  [10, 13],
  [5, 7],
  [3, 3],
];
/** People send gifts to a few addresses in a week. Fraudsters who test drop addresses send to more. */
const EMAIL_ADDRESSES: Steps = [
  [10, 28],
  [5, 20],
  [3, 8],
];
const ADDRESS_CARDS: Steps = [
  [8, 26],
  [5, 20],
  [3, 14],
];
const EMAIL_NAMES: Steps = [
  [5, 26],
  [3, 18],
];
const BILLING_POSTCODES: Steps = [
  [3, 25],
  [2, 15],
];

/** The highest step that a count reaches. */
function grade(
  count: number | undefined,
  steps: Steps,
  describe: (count: string) => Sentence,
): Observation | null {
  if (count === undefined) return null;
  const step = steps.find(([from]) => count >= from);
  return step === undefined ? null : { points: step[1], says: describe(write(count)) };
}

/** What people shared. `all`: with those that the place explains. */
const SHARED = {
  ipEmails24h: {
    all: "{all} email addresses ordered from this IP network in a day.",
    some: "{all} email addresses ordered from this IP network in a day, of which {count} count as strangers to each other.",
  },
  cardEmails7d: {
    all: "{all} email addresses ordered with the same card details in a week.",
    some: "{all} email addresses ordered with the same card details in a week, of which {count} count as strangers to each other.",
  },
  addressEmails7d: {
    all: "{all} email addresses had orders sent to this address in a week.",
    some: "{all} email addresses had orders sent to this address in a week, of which {count} count as strangers to each other.",
  },
} as const;

/** A count of people, and beside it how many of them were counted against the order. */
function sayPeople(facts: OrderFacts, name: keyof typeof SHARED, count: number): Sentence {
  const all = toCount(facts, name) ?? count;
  return all === count
    ? say(SHARED[name].all, { all: write(all) })
    : say(SHARED[name].some, { all: write(all), count: write(count) });
}

function gradePeople(
  facts: OrderFacts,
  name: keyof typeof SHARED,
  count: number | undefined,
  steps: Steps,
): Observation | null {
  return grade(count, steps, () => sayPeople(facts, name, count ?? 0));
}

/** The count stopped at the maximum. */
function write(count: number): string {
  return count >= MOST_PER_KEY ? `${MOST_PER_KEY} or more` : String(count);
}

/**
 * Billing postcodes of the mailbox or the card. Home and work count as one, unless the order itself is suspicious: another
 * holder's card, goods that go elsewhere, or an address that strangers' cards pay for too.
 */
function toBillingPlaces(facts: OrderFacts): number {
  const all = Math.max(
    toCount(facts, "emailBillingPostcodes7d") ?? 0,
    toCount(facts, "cardBillingPostcodes7d") ?? 0,
  );
  const hasStrangers = (toCount(facts, "addressCards7d") ?? 1) > 1;
  if (hasStrangers || holderAgrees(facts) === false || shipsElsewhere(facts)) return all;
  return Math.min(all, toCount(facts, "billingPlaces7d") ?? all);
}

/** Strangers on the order's network. Those on an agent's network share only the agent. */
function toOnNetwork(facts: OrderFacts): number {
  return facts.isAgent ? 0 : (toStrangers(facts, "ipEmails24h") ?? 0);
}

const NOBODY = say(
  "no recent order of another customer is known to share its email address, IP address, card or address",
);
/** At a home, an office, a hall: they were counted, and are no strangers. */
const OTHERS = say(
  "the recent orders that share its IP address, card or address don't look like one person under several names",
);

function isSharedByOthers(facts: OrderFacts): boolean {
  const names = ["ipEmails24h", "cardEmails7d", "addressEmails7d"] as const;
  return names.some((name) => (toCount(facts, name) ?? 0) > 1);
}

/** Signals from what an order shares with other recent orders. */
export const VELOCITY_SIGNALS: EvidenceGroup = {
  name: "velocity",
  isKnown: ({ velocity }) => velocity !== undefined,
  limitation: "Other orders of the shop were not compared with this one.",
  signals: [
    {
      code: "EMAIL_BURST",
      category: "behavioral",
      title: "Orders in quick succession",
      observe: (facts) =>
        grade(toCount(facts, "emailOrders1h"), EMAIL_BURST, (count) =>
          say("The mailbox ordered {count} times within an hour.", { count }),
        ),
    },
    {
      code: "IP_MULTI_EMAIL",
      category: "technical",
      title: "Several customers on one network",
      isPlace: () => true,
      observe: (facts) => {
        const count = toOnNetwork(facts);
        return count < IP_EMAILS || count >= MANY_IP_EMAILS
          ? null
          : {
              points: count === 2 ? 6 : 20,
              says: sayPeople(facts, "ipEmails24h", count),
            };
      },
    },
    {
      code: "IP_MULTI_EMAIL_6",
      category: "technical",
      title: "Many customers on one network",
      isPlace: () => true,
      observe: (facts) => {
        const count = toOnNetwork(facts);
        return count < MANY_IP_EMAILS
          ? null
          : {
              points: 32,
              says: sayPeople(facts, "ipEmails24h", count),
            };
      },
    },
    {
      code: "CARD_MULTI_EMAIL",
      category: "behavioral",
      title: "One card, several email addresses",
      // This may be a household or an office with one card. A thief's card ships to several addresses, or has other signs.
      isPlace: (facts) => toCount(facts, "cardAddresses7d") === 1,
      observe: (facts) => gradePeople(facts, "cardEmails7d", toStrangers(facts, "cardEmails7d"), CARD_EMAILS),
    },
    {
      code: "ADDR_MULTI_EMAIL",
      category: "address",
      title: "One address, several email addresses",
      isPlace: () => true,
      observe: (facts) => gradePeople(facts, "addressEmails7d", toStrangersAtAddress(facts), ADDRESS_EMAILS),
    },
    {
      code: "EMAIL_MULTI_CARD",
      category: "behavioral",
      title: "One customer, several cards",
      observe: (facts) =>
        grade(toCount(facts, "emailCards24h"), EMAIL_CARDS, (count) =>
          say("The mailbox paid with {count} cards in a day.", { count }),
        ),
    },
    {
      code: "VELOCITY_ALONE",
      category: "behavioral",
      title: "Nothing shared with other orders",
      isClaim: true,
      observe: (facts) => {
        const counts = [
          toCount(facts, "emailOrders1h"),
          toStrangers(facts, "ipEmails24h"),
          toStrangers(facts, "cardEmails7d"),
          toStrangers(facts, "addressEmails7d"),
          toCount(facts, "addressCards7d"),
        ].filter((count) => count !== undefined);
        return counts.length > 0 && counts.every((count) => count <= 1)
          ? { points: -4, says: isSharedByOthers(facts) ? OTHERS : NOBODY }
          : null;
      },
    },
    {
      code: "MULTI_BILLING",
      category: "address",
      title: "Several billing postal codes",
      observe: (facts) =>
        grade(toBillingPlaces(facts), BILLING_POSTCODES, (count) =>
          say("The mailbox or the card was billed to at least {count} postal codes in a week.", { count }),
        ),
    },
    {
      code: "EMAIL_MULTI_ADDRESS",
      category: "address",
      title: "One customer, many addresses",
      observe: (facts) =>
        grade(toCount(facts, "emailAddresses7d"), EMAIL_ADDRESSES, (count) =>
          say("The mailbox had orders sent to {count} addresses in a week.", { count }),
        ),
    },
    {
      code: "EMAIL_MULTI_NAME",
      category: "customer",
      title: "One mailbox, several names",
      observe: (facts) =>
        grade(toCount(facts, "emailNames7d"), EMAIL_NAMES, (count) =>
          say("The mailbox ordered under {count} names in a week.", { count }),
        ),
    },
    {
      code: "CARD_MULTI_ADDRESS",
      category: "address",
      title: "One card, many addresses",
      observe: (facts) =>
        grade(toCount(facts, "cardAddresses7d"), CARD_ADDRESSES, (count) =>
          say("The card paid for goods to {count} addresses in a week.", { count }),
        ),
    },
    {
      code: "ADDR_MULTI_CARD",
      category: "address",
      title: "One address, many cards",
      isPlace: () => true,
      observe: (facts) =>
        grade(toCount(facts, "addressCards7d"), ADDRESS_CARDS, (count) =>
          say(
            "Orders to this address were paid with at least {count} cards in a week, without those of people who seem to live there or belong together.",
            { count },
          ),
        ),
    },
    ...SHOP_SURGES,
  ],
};
