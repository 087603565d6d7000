import type { RiskLevel } from "../../src/order/risk-level.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import { orderWith } from "./sample-order.ts";

/** Orders of thieves, each of which looks honest by itself. */
export interface Ring {
  readonly what: string;
  readonly orders: readonly VerificationRequest[];
  readonly apartMs: number;
  /** From this order on, counted from 1, none is low. */
  readonly foundFrom: number;
  /** Of the last order. */
  readonly level: RiskLevel;
  /** The reason for that level. */
  readonly because: string;
}

type Changes = Partial<VerificationRequest>;

const MINUTE_MS = 60_000;
const GIVEN =
  "Adam Brian Carl David Edward Frank George Henry Ivan Jack Karl Louis Martin Nigel Oscar Peter Robert Steven Thomas Victor".split(
    " ",
  );
const FAMILY =
  "Baker Carter Dixon Ellis Foster Garner Harper Ingram Jensen Keller Lambert Mercer Norris Osborn Palmer Reeves Sawyer Turner Weaver Young".split(
    " ",
  );

const toPlace = (street: string) => ({
  street,
  city: "Austin",
  state: "TX",
  postalCode: "78701",
  country: "US",
});
const toAddresses = (street: string): Changes => ({
  shippingAddress: toPlace(street),
  billingAddress: toPlace(street),
});
const toCard = (holderName: string, lastFourDigits: string): Changes => ({
  paymentInfo: { brand: "visa", lastFourDigits, expiry: "12/28", holderName },
});

/** A newcomer with their own name, mailbox, card, home and connection, who buys shoes. */
function newcomer(index: number, family: string): VerificationRequest {
  const given = GIVEN[index % GIVEN.length] ?? "";
  return orderWith({
    orderAmount: 240,
    items: [{ name: "Running shoes", quantity: 2, price: 120 }],
    customerName: `${given} ${family}`,
    customerEmail: `${given}.${family}@gmail.com`.toLowerCase(),
    isFirstTimeCustomer: true,
    accountAgeInDays: 0,
    totalOrders: 0,
    fulfilledOrders: 0,
    averageOrderValue: 0,
    ipAddress: `73.${index}.10.11`,
    ...toAddresses(`${100 + index} Oak St`),
    ...toCard(`${given} ${family}`, String(1000 + index * 37)),
  });
}

const strangers = (count: number, changes: Changes): readonly VerificationRequest[] =>
  Array.from({ length: count }, (_, index) => {
    // Goes through the given names twice, the second time with the next family name.
    const shift = Math.floor(index / GIVEN.length);
    return { ...newcomer(index, FAMILY[(index + shift) % FAMILY.length] ?? ""), ...changes };
  });
const relatives = (count: number, changes: Changes): readonly VerificationRequest[] =>
  Array.from({ length: count }, (_, index) => ({ ...newcomer(index, "Baker"), ...changes }));

const ONE_LINE: Changes = { ipAddress: "73.32.10.11" };
const ONE_DROP = toAddresses("12 Oak St");
const ONE_CARD = toCard("Sam Baker", "4321");
const DEAR: Changes = { orderAmount: 900, items: [{ name: "Running shoes", quantity: 6, price: 150 }] };

/** Card testing and carding as a hostile review played them: only the counts distinguish them from honest customers. */
export const HARD_RINGS: readonly Ring[] = [
  {
    what: "40 new accounts with 40 cards from one line in 40 minutes, 240 USD each",
    orders: strangers(40, ONE_LINE),
    apartMs: MINUTE_MS,
    foundFrom: 13,
    level: "medium",
    because: "one sign only: so many newcomers may also be a school in a sale, so a person looks",
  },
  {
    what: "the same, all to one address",
    orders: strangers(40, { ...ONE_LINE, ...ONE_DROP }),
    apartMs: MINUTE_MS,
    foundFrom: 13,
    level: "medium",
    because: "line and address agree, but a dormitory shares both",
  },
  {
    what: "12 mailboxes with 12 cards at one address under one surname, 900 USD each",
    orders: relatives(12, { ...DEAR, ...ONE_DROP }),
    apartMs: MINUTE_MS,
    foundFrom: 5,
    level: "medium",
    because: "ten dear orders are more than a family's, but all of the evidence is one address",
  },
  {
    what: "one card with 12 mailboxes under one surname, 900 USD each",
    orders: relatives(12, { ...DEAR, ...ONE_CARD }),
    apartMs: MINUTE_MS,
    foundFrom: 5,
    level: "high",
    because: "a card has one owner: two or three relatives use it, not twelve",
  },
  {
    what: "the same for 240 USD each",
    orders: relatives(12, ONE_CARD),
    apartMs: MINUTE_MS,
    foundFrom: 6,
    level: "medium",
    because: "the card says the same; small amounts add nothing",
  },
  {
    what: "one card with 12 mailboxes under 12 surnames, 900 USD each",
    orders: strangers(12, { ...DEAR, ...ONE_CARD }),
    apartMs: MINUTE_MS,
    foundFrom: 3,
    level: "high",
    because: "nobody shares a card with strangers",
  },
];
