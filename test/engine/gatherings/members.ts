import { USD_PER_UNIT } from "../../../src/engine/tables/currencies.ts";
import type { OrderContext } from "../../../src/order/order-context.ts";
import type { OrderAddress, VerificationRequest } from "../../../src/order/request.ts";
import type { Homeland } from "../legitimate/homeland.ts";
import {
  createChance,
  fillPattern,
  HOMELANDS,
  toLatin,
  type Chance,
} from "../legitimate/legitimate-orders.ts";
import type { ShopName } from "../stories/shops.ts";
import { HOUR_MS, type Changes, type Story, type Told } from "../stories/story.ts";

/** Orders of people who belong together, or who pretend to. All of them are judged. */
export interface Gathering extends Story {
  /** Who they are, or who a thief pretends to be. */
  readonly circle: "registry" | "club" | "teacher" | "company" | "neighbors";
}

const LANDS: ReadonlyMap<string, Homeland> = new Map(HOMELANDS.map((home) => [home.code, home]));

export function land(code: string): Homeland {
  const home = LANDS.get(code);
  if (home === undefined) throw new Error(`no homeland ${code}`);
  return home;
}

const WINDOWS =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/157.0.0.0 Safari/537.36";
const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1";
const NICKNAMES = "sunshine bluesky happycat moonlight coffeelover redrose".split(" ");

interface Named {
  readonly written: string;
  readonly given: string;
  readonly family: string;
}

/** The `index`th person of a country, with a name that few others have. */
export function personOf(home: Homeland, index: number): Named {
  const givens = home.given.split(/\s+(?=\S+)/);
  const families = home.family.split(" ");
  const [given = "", latinGiven = given] = (givens[(index * 3 + 1) % givens.length] ?? "").split("|");
  const shift = Math.floor(index / families.length);
  const [family = "", latinFamily = family] = (families[(index + shift) % families.length] ?? "").split("|");
  return {
    written: (home.familyFirst ? `${family} ${given}` : `${given} ${family}`).replaceAll("-", " "),
    given: toLatin(latinGiven),
    family: toLatin(latinFamily),
  };
}

function homeOf(home: Homeland, index: number, chance: Chance): OrderAddress {
  const places = home.places.split("|");
  const [city = "", state = "", code = ""] = (places[index % places.length] ?? "").split(";");
  const streets = home.streets.split("|").filter((street) => street.includes("#"));
  return {
    street: fillPattern(chance.pick(streets), chance),
    city,
    state: state === "" ? city : state,
    postalCode: fillPattern(code, chance),
    country: home.code,
  };
}

/** An address of a country: the `town`th of its places. */
export function placeIn(code: string, town: number, street: string): OrderAddress {
  return { ...homeOf(land(code), town, createChance(town + 5)), street };
}

function mailOf({ given, family }: Named, home: Homeland, chance: Chance): string {
  const domains = home.mail.split(" ").filter((domain) => domain !== "qq.com");
  const number = chance.between(1, 99);
  const local = chance.happens(0.15)
    ? `${chance.pick(NICKNAMES)}${number}`
    : chance.pick([
        `${given}.${family}`,
        `${given}${family}${number}`,
        `${given.charAt(0)}.${family}${number}`,
      ]);
  return `${local}@${chance.pick(domains)}`;
}

/** Somebody who has just opened an account. */
export const NEWCOMER: Changes = {
  isFirstTimeCustomer: true,
  accountAgeInDays: 0,
  totalOrders: 0,
  cancelledOrders: 0,
  returnedOrders: 0,
  fulfilledOrders: 0,
  averageOrderValue: 0,
};

function pastOf(chance: Chance, usual: number, newShare: number): Changes {
  if (chance.happens(newShare)) return NEWCOMER;
  const totalOrders = chance.between(1, 8);
  return {
    isFirstTimeCustomer: false,
    accountAgeInDays: chance.between(40, 900),
    totalOrders,
    cancelledOrders: 0,
    returnedOrders: 0,
    fulfilledOrders: totalOrders,
    averageOrderValue: usual,
  };
}

/** Prices are given in US dollars and written in the country's currency. */
export function basket(code: string, name: string, quantity: number, usd: number) {
  const { currency } = land(code);
  const rate = USD_PER_UNIT[currency] ?? 1;
  const digits = rate < 0.02 ? 0 : 2;
  const price = Math.max(1, Number((usd / rate).toFixed(digits)));
  return {
    currency,
    items: [{ name, quantity, price }],
    orderAmount: Number((price * quantity + (digits === 0 ? 0 : 4.9)).toFixed(digits)),
  };
}

/** Three of five have not ordered before. One in ten pays with somebody else's card, two of five give no phone number. */
export function member(code: string, index: number, ...changes: readonly Changes[]): VerificationRequest {
  const home = land(code);
  const chance = createChance(index * 10_007 + code.charCodeAt(0) * 31 + code.charCodeAt(1));
  const own = personOf(home, index);
  const address = homeOf(home, index, chance);
  const partner = personOf(home, index + 11);
  const holder = chance.happens(0.1) ? partner : own;
  const order = Object.assign({}, ...changes) as Changes;
  const phone = fillPattern(chance.pick(home.phones.split("|")), chance);
  return {
    orderId: "gathering",
    orderTimestamp: "2026-11-10T17:00:00Z",
    ...basket(code, "Cotton towel", 1, 35),
    customerName: own.written,
    customerEmail: mailOf(own, home, chance),
    customerPhone: chance.happens(0.6) ? phone : "",
    isFirstTimeCustomer: true,
    billingAddress: address,
    shippingAddress: address,
    paymentInfo: {
      brand: chance.pick(["visa", "mastercard"]),
      lastFourDigits: String(1000 + ((index * 371 + 17) % 9000)),
      expiry: `0${chance.between(1, 9)}/${chance.between(27, 31)}`,
      holderName: `${holder.given} ${holder.family}`.toUpperCase(),
    },
    ipAddress: `${chance.pick(home.networks.split(" "))}.${chance.between(1, 254)}`,
    userAgent: chance.pick([WINDOWS, PHONE]),
    ...pastOf(chance, order.orderAmount ?? 60, 0.6),
    ...(order as object),
  };
}

export const at = (place: OrderAddress): Changes => ({ billingAddress: place, shippingAddress: place });
export const to = (place: OrderAddress): Changes => ({ shippingAddress: place });

/** Name, card and mailbox. */
export function named(
  customerName: string,
  customerEmail: string,
  holder = customerName,
  digits = "8821",
): Changes {
  const holderName = toPlain(holder).toUpperCase();
  return {
    customerName,
    customerEmail,
    paymentInfo: { brand: "visa", lastFourDigits: digits, expiry: "08/28", holderName },
  };
}

/** As cards have it: without accents. */
function toPlain(name: string): string {
  return name
    .split(" ")
    .map((part) => (/[a-z]/i.test(part) ? toLatin(part) : part))
    .join(" ");
}

/** The shop that sells in this currency. */
const SHOP_OF: Readonly<Record<string, ShopName>> = { USD: "clothes", EUR: "maison" };

export interface Plan {
  readonly code: string;
  readonly circle: Gathering["circle"];
  readonly count?: number;
  readonly hours?: number;
  readonly shop?: ShopName;
  readonly context?: OrderContext;
}

/** A gathering of orders, each made from its index. */
export function gather(what: string, plan: Plan, make: (index: number) => VerificationRequest): Gathering {
  const { code, circle, count = 1, hours = 6, context } = plan;
  const orders: readonly Told[] = Array.from({ length: count }, (_, index) => ({
    order: make(index),
    ...(context !== undefined && { context }),
  }));
  const shop = plan.shop ?? SHOP_OF[land(code).currency] ?? "opening";
  return { what, circle, shop, orders, apartMs: hours * HOUR_MS };
}
