import { createLocalEngine } from "../../src/engine/engine.ts";
import type { VelocityCounts } from "../../src/engine/facts/velocity-counts.ts";
import type { PartialVerificationRequest } from "../../src/order/request.ts";
import { createRandom, type Random } from "../synthetic/draw.ts";

/** What a kind of order is like in a simulated shop: chances from 0 to 1. */
interface Manner {
  /** Amounts in US dollars: the middle, and how far they spread as a factor. */
  readonly amount: readonly [middle: number, factor: number];
  /** Placed between midnight and six. */
  readonly night: number;
  readonly firstOrder: number;
  /** Accounts of one to six days. */
  readonly newAccount: number;
  /** Shipped to another state. */
  readonly otherState: number;
  /** Shipped abroad. */
  readonly abroad: number;
  readonly giftCard: number;
  readonly outlook: number;
  /** Several orders of the mailbox within an hour. */
  readonly burst: number;
  /** The card was used by a stranger before. */
  readonly sharedCard: number;
  readonly otherHolder: number;
}

/** A made-up shop. Its frauds differ from its good orders in ways that people describe for such shops. */
export interface SimulatedShop {
  readonly name: string;
  readonly fraudRate: number;
  readonly good: Manner;
  /** Null: an order's chance of fraud is what the engine's own points say, so there is nothing to learn. */
  readonly fraud: Manner | null;
}

const ORDINARY: Manner = {
  amount: [60, 2],
  night: 0.08,
  firstOrder: 0.5,
  newAccount: 0.05,
  otherState: 0.08,
  abroad: 0.02,
  giftCard: 0.02,
  outlook: 0.06,
  burst: 0.01,
  sharedCard: 0.01,
  otherHolder: 0.08,
};

export const SIMULATED_SHOPS: readonly SimulatedShop[] = [
  {
    name: "cheap and frequent",
    fraudRate: 0.01,
    good: { ...ORDINARY, amount: [22, 1.7], firstOrder: 0.3, burst: 0.03 },
    fraud: { ...ORDINARY, amount: [6, 2], night: 0.35, firstOrder: 0.6, burst: 0.25, sharedCard: 0.1 },
  },
  {
    name: "dear and rare",
    fraudRate: 0.015,
    good: { ...ORDINARY, amount: [700, 2], firstOrder: 0.8, otherState: 0.25 },
    fraud: { ...ORDINARY, amount: [1_900, 1.6], night: 0.2, firstOrder: 0.9, otherState: 0.35 },
  },
  {
    name: "digital",
    fraudRate: 0.02,
    good: { ...ORDINARY, amount: [25, 1.6], giftCard: 0.7, night: 0.25, burst: 0.06 },
    fraud: { ...ORDINARY, amount: [70, 1.5], giftCard: 0.8, night: 0.35, burst: 0.15, outlook: 0.2 },
  },
  {
    name: "cross-border",
    fraudRate: 0.015,
    good: { ...ORDINARY, abroad: 0.55, otherState: 0.2, otherHolder: 0.15 },
    fraud: { ...ORDINARY, abroad: 0.15, otherState: 0.3, amount: [140, 1.8], outlook: 0.25 },
  },
  {
    name: "subscriptions",
    fraudRate: 0.01,
    good: { ...ORDINARY, amount: [30, 1.2], firstOrder: 0.1, newAccount: 0.01, night: 0.25 },
    fraud: { ...ORDINARY, amount: [30, 1.2], firstOrder: 0.5, newAccount: 0.4, night: 0.05, sharedCard: 0.1 },
  },
];

/** A shop whose frauds are what the engine's points say. */
export const NOTHING_TO_LEARN: SimulatedShop = {
  name: "nothing to learn",
  fraudRate: 0.02,
  good: { ...ORDINARY, night: 0.15, newAccount: 0.15, otherState: 0.25, outlook: 0.15, otherHolder: 0.2 },
  fraud: null,
};

/** A judged order of a simulated shop. */
export type SimulatedOrder = ReturnType<typeof judge>;

const START_MS = Date.UTC(2026, 0, 5);
const HOUR_MS = 3_600_000;
/** Arizona has no summer time. */
const UTC_OFFSET_HOURS = 7;
const ENGINE = createLocalEngine();

/** The shop's orders, one after the other without an end. The same seed gives the same orders. */
export function* simulateOrders(shop: SimulatedShop, seed: number): Generator<SimulatedOrder> {
  const random = createRandom(seed);
  for (let number = 0; ; number += 1) {
    const isFraud = shop.fraud !== null && random() < shop.fraudRate;
    const drawn = draw(isFraud && shop.fraud !== null ? shop.fraud : shop.good, shop, number, random);
    const judged = judge(drawn, isFraud);
    if (shop.fraud !== null) yield judged;
    else {
      // Ten points double the odds, and an order with the base's ten points has the shop's usual rate.
      const odds = (shop.fraudRate / (1 - shop.fraudRate)) * 2 ** ((judged.total - 10) / 10);
      yield { ...judged, isFraud: random() < odds / (1 + odds) };
    }
  }
}

type Drawn = ReturnType<typeof draw>;

function judge({ order, velocity }: Drawn, isFraud: boolean) {
  const { signals, scorecard, riskLevel } = ENGINE.assess(order, velocity);
  return {
    order,
    velocity,
    atMs: Date.parse(order.orderTimestamp),
    signals,
    total: scorecard.total,
    riskLevel,
    isFraud,
  };
}

const HOME = { street: "1 Example Street", city: "Phoenix", state: "AZ", postalCode: "85001", country: "US" };
const OTHER_STATE = { ...HOME, city: "Columbus", state: "OH", postalCode: "43004" };
const ABROAD = { street: "Calle 7", city: "Guadalajara", state: "JAL", postalCode: "44100", country: "MX" };

function draw(manner: Manner, shop: SimulatedShop, number: number, random: Random) {
  const is = (chance: number): boolean => random() < chance;
  const orderAmount = drawAmount(manner, random);
  const [isFirst, isNew] = [is(manner.firstOrder), is(manner.newAccount)];
  const hour = is(manner.night) ? 6 * random() : 6 + 18 * random();
  // Ten orders a day, so that a year has enough of them.
  const atMs = START_MS + 24 * HOUR_MS * Math.floor(number / 10) + (hour + UTC_OFFSET_HOURS) * HOUR_MS;
  const elsewhere = is(manner.otherState) ? OTHER_STATE : HOME;
  const order = {
    orderId: `order-${number}`,
    orderAmount,
    currency: "USD",
    orderTimestamp: new Date(atMs).toISOString(),
    customerName: "Jane Example",
    customerEmail: `jane.example@${is(manner.outlook) ? "outlook.com" : "gmail.com"}`,
    accountAgeInDays: isNew ? 1 + Math.floor(6 * random()) : isFirst ? 0 : 30 + Math.floor(600 * random()),
    isFirstTimeCustomer: isFirst,
    billingAddress: HOME,
    shippingAddress: is(manner.abroad) ? ABROAD : elsewhere,
    items: [{ name: is(manner.giftCard) ? "Gift card" : "Cotton T-shirt", quantity: 1, price: orderAmount }],
    paymentInfo: { brand: "visa", holderName: is(manner.otherHolder) ? "John Sample" : "Jane Example" },
  } satisfies PartialVerificationRequest;
  return { order, velocity: toVelocity(manner, shop, orderAmount, random) };
}

/** An amount in US dollars. */
function drawAmount({ amount: [middle, factor] }: Manner, random: Random): number {
  return Math.round(100 * middle * factor ** drawNormal(random)) / 100 + 0.01;
}

/** What a good customer spends in a shop, and what the shop counts then. */
export function drawPurchase(shop: SimulatedShop, random: Random) {
  const usd = drawAmount(shop.good, random);
  return { usd, velocity: toVelocity(shop.good, shop, usd, random) };
}

function toVelocity(manner: Manner, { good }: SimulatedShop, amount: number, random: Random): VelocityCounts {
  const [middle, factor] = good.amount;
  const percentile = 100 * toShareBelow(Math.log(amount / middle) / Math.log(factor));
  return {
    emailOrders1h: random() < manner.burst ? 2 + Math.floor(3 * random()) : 1,
    ipEmails24h: 1,
    cardEmails7d: random() < manner.sharedCard ? 2 : 1,
    addressEmails7d: 1,
    emailCards24h: 1,
    emailBillingPostcodes7d: 1,
    cardBillingPostcodes7d: 1,
    shop: { usualOrders: 500, usualKnown: 250, recentOrders: 5, percentile, top: middle * factor ** 2.33 },
  };
}

function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** The normal distribution's share below a number, to about a hundredth. */
function toShareBelow(z: number): number {
  return 1 / (1 + Math.exp(-1.702 * z));
}
