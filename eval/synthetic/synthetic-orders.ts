import type { VelocityCounts } from "../../src/engine/velocity/velocity-store.ts";
import type { OrderAddress, PartialVerificationRequest } from "../../src/order/request.ts";
import type { LabelledOrder } from "../labelled-order.ts";
import { createRandom, pickLevel, toLevels, type DrawnLevel, type Random } from "./draw.ts";
import {
  ACCOUNT_AGES,
  AMOUNTS,
  CARD_TYPES,
  EMAIL_DOMAINS,
  HOLDERS,
  HOURS,
  LINKED_ADDRESSES,
  LINKED_EMAILS,
  LINKED_ORDERS,
  PLACES,
  ROUNDNESS,
  SAMPLE_FRAUD_RATE,
  type Range,
  type Trait,
} from "./published-lifts.ts";

/** Options of {@link generateOrders}. */
export interface SyntheticOptions {
  readonly orders: number;
  readonly seed: number;
  /**
   * Chance that the velocity counts of an order rise and fall together instead of separately. Real ones do.
   *
   * @default 0
   */
  readonly linked?: number;
  /**
   * `full` has as much data as a good shop: whole addresses, credit or debit in the card's brand, as some gateways do.
   * `coded` has what anonymized data have: a brand without its type, countries, and numbers for regions.
   *
   * @default "full"
   */
  readonly detail?: "full" | "coded";
}

/** A {@link LabelledOrder} with the verdict of a judge whose points equal the lifts that it was drawn from. */
export interface SyntheticOrder extends LabelledOrder {
  /**
   * log2 of the odds ratio of all facts of the order except its velocity counts; a missing fact counts nothing,
   * though it often does in the sample.
   */
  readonly fairBits: number;
  /** The same with the velocity counts, each taken by itself. */
  readonly fairBitsWithVelocity: number;
}

/** The traits combined with a fraud rate. */
const TRAITS = {
  amount: level(AMOUNTS),
  round: level(ROUNDNESS),
  hour: level(HOURS),
  email: level(EMAIL_DOMAINS),
  cardType: level(CARD_TYPES),
  place: level(PLACES),
  age: level(ACCOUNT_AGES),
  holder: level(HOLDERS),
  orders: level(LINKED_ORDERS),
  emails: level(LINKED_EMAILS),
  addresses: level(LINKED_ADDRESSES),
};
const STATELESS_TRAITS = ["amount", "round", "hour", "email", "cardType", "place", "age", "holder"] as const;
const ALL_TRAITS = [...STATELESS_TRAITS, "orders", "emails", "addresses"] as const;
/** Values that stand for a field the order does not have. */
const UNTOLD: ReadonlySet<unknown> = new Set([null, "none", "billing only", "unknown"]);
/** 2026-01-05, a Monday, and half a year from there. */
const START_MS = Date.UTC(2026, 0, 5);
const DAYS = 182;
const HOUR_MS = 3_600_000;
const NIGHT_HOURS: Range = [4, 12];
const NAME = "Jane Example";
const BILLING: OrderAddress = {
  street: "1 Example Street",
  city: "Phoenix",
  state: "AZ",
  postalCode: "85001",
  country: "US",
};

/** Any numbers would do. */
const REGION_NUMBERS: Readonly<Record<string, string>> = { AZ: "325", OH: "204" };

type Places = Pick<PartialVerificationRequest, "billingAddress" | "shippingAddress">;
type Drawn = { readonly [Name in keyof typeof TRAITS]: (typeof TRAITS)[Name][number] };

/** Orders whose traits have the published lifts, each drawn separately. The same options give the same orders. */
export function* generateOrders(options: SyntheticOptions): Generator<SyntheticOrder> {
  const random = createRandom(options.seed);
  const isCoded = options.detail === "coded";
  for (let index = 0; index < options.orders; index += 1) {
    const fraud = random() < SAMPLE_FRAUD_RATE;
    const drawn = drawTraits(random, fraud, options.linked ?? 0);
    yield {
      fraud,
      order: toOrder(drawn, random, isCoded),
      velocity: toVelocity(drawn, random),
      fairBits: sumBits(drawn, STATELESS_TRAITS, isCoded),
      fairBitsWithVelocity: sumBits(drawn, ALL_TRAITS, isCoded),
    };
  }
}

function level<Value>(trait: Trait<Value>): readonly DrawnLevel<Value>[] {
  return toLevels(trait, SAMPLE_FRAUD_RATE);
}

function drawTraits(random: Random, fraud: boolean, linked: number): Drawn {
  const together = random() < linked ? random() : undefined;
  const pick = <Value>(levels: readonly DrawnLevel<Value>[], at = random()): DrawnLevel<Value> =>
    pickLevel(levels, fraud, at);
  return {
    amount: pick(TRAITS.amount),
    round: pick(TRAITS.round),
    hour: pick(TRAITS.hour),
    email: pick(TRAITS.email),
    cardType: pick(TRAITS.cardType),
    place: pick(TRAITS.place),
    age: pick(TRAITS.age),
    holder: pick(TRAITS.holder),
    orders: pick(TRAITS.orders, together),
    emails: pick(TRAITS.emails, together),
    addresses: pick(TRAITS.addresses, together),
  };
}

function toOrder(drawn: Drawn, random: Random, isCoded: boolean): PartialVerificationRequest {
  const ageDays = drawRange(drawn.age.value, random);
  return {
    orderAmount: toAmount(drawn, random),
    currency: "USD",
    orderTimestamp: new Date(toTimeMs(drawn, random)).toISOString(),
    customerName: NAME,
    accountAgeInDays: ageDays,
    isFirstTimeCustomer: ageDays === 0,
    ...(drawn.email.value === null ? {} : { customerEmail: `jane.example@${drawn.email.value}` }),
    ...(isCoded ? toCodedPlaces(drawn) : toPlaces(drawn)),
    paymentInfo: {
      brand: isCoded ? "visa" : `visa ${drawn.cardType.value}`,
      ...toHolder(drawn),
    },
  };
}

function toAmount({ amount, round }: Drawn, random: Random): number {
  const [min, max] = amount.value;
  if (round.value && max >= 50) return 50 * drawRange([Math.ceil(min / 50), Math.floor(max / 50)], random);
  // Never on a multiple of 50.
  return drawRange([min, max], random) + 0.95;
}

function toTimeMs({ hour }: Drawn, random: Random): number {
  const [from, to] = NIGHT_HOURS;
  const length = to - from;
  const hours = hour.value === "night" ? from + length * random() : to + (24 - length) * random();
  return START_MS + (24 * Math.floor(DAYS * random()) + hours) * HOUR_MS;
}

function toPlaces({ place }: Drawn): Places {
  switch (place.value) {
    case "none":
      return {};
    case "billing only":
      return { billingAddress: BILLING };
    case "abroad":
      return {
        billingAddress: {
          ...BILLING,
          state: "Jalisco",
          city: "Guadalajara",
          postalCode: "44100",
          country: "MX",
        },
      };
    case "near":
      return { billingAddress: BILLING, shippingAddress: BILLING };
    case "middling":
      return {
        billingAddress: BILLING,
        shippingAddress: { ...BILLING, city: "Flagstaff", postalCode: "86001" },
      };
    case "far":
      return {
        billingAddress: BILLING,
        shippingAddress: { ...BILLING, city: "Columbus", state: "OH", postalCode: "43004" },
      };
  }
}

function toCodedPlaces(drawn: Drawn): Places {
  const { billingAddress, shippingAddress } = toPlaces(drawn);
  const toCoded = ({ state = "", country = "" }: Partial<OrderAddress>): Partial<OrderAddress> => ({
    state: REGION_NUMBERS[state] ?? "500",
    country,
  });
  return {
    ...(billingAddress === undefined ? {} : { billingAddress: toCoded(billingAddress) }),
    ...(shippingAddress === undefined ? {} : { shippingAddress: toCoded(shippingAddress) }),
  };
}

function toHolder({ holder }: Drawn): { readonly holderName?: string } {
  if (holder.value === "unknown") return {};
  return { holderName: holder.value === "same" ? NAME : "John Sample" };
}

function toVelocity(drawn: Drawn, random: Random): VelocityCounts {
  return {
    emailOrders1h: drawRange(drawn.orders.value, random),
    ipEmails24h: undefined,
    cardEmails7d: drawRange(drawn.emails.value, random),
    addressEmails7d: drawRange(drawn.addresses.value, random),
    emailCards24h: undefined,
    emailBillingPostcodes7d: undefined,
    cardBillingPostcodes7d: undefined,
  };
}

function drawRange([min, max]: Range, random: Random): number {
  return min + Math.floor((max - min + 1) * random());
}

function sumBits(drawn: Drawn, traits: readonly (keyof Drawn)[], isCoded: boolean): number {
  return traits
    .filter((trait) => !UNTOLD.has(drawn[trait].value) && !(isCoded && trait === "cardType"))
    .reduce((sum, trait) => sum + Math.log2(drawn[trait].inFraud / drawn[trait].inLegit), 0);
}
