import type { OrderContext } from "../../../src/order/order-context.ts";
import type { OrderAddress, VerificationRequest } from "../../../src/order/request.ts";
import type { ShopName } from "./shops.ts";

/** One order of a story, and what the platform adds. */
export interface Told {
  readonly order: VerificationRequest;
  readonly context?: OrderContext;
}

/** Orders that come one after the other in a shop. The last one is judged. */
export interface Story {
  readonly what: string;
  /** What the shop usually sells. */
  readonly shop: ShopName;
  readonly orders: readonly Told[];
  /** Default: two minutes. */
  readonly apartMs?: number;
}

export type Changes = Partial<VerificationRequest>;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

const place = (
  street: string,
  city: string,
  state: string,
  postalCode: string,
  country: string,
): OrderAddress => ({ street, city, state, postalCode, country });

export const PLACES = {
  portland: place("12 Harbour Road", "Portland", "OR", "97204", "US"),
  austin: place("418 Oak Street", "Austin", "TX", "78701", "US"),
  tampa: place("9 Bay Avenue", "Tampa", "FL", "33602", "US"),
  boise: place("77 Orchard Street", "Boise", "ID", "83702", "US"),
  chicago: place("1210 W Lake Street", "Chicago", "IL", "60607", "US"),
  denver: place("560 Pearl Street", "Denver", "CO", "80203", "US"),
  london: place("14 Park Road", "London", "London", "NW1 6XE", "GB"),
  leeds: place("3 Mill Lane", "Leeds", "West Yorkshire", "LS1 4DY", "GB"),
  berlin: place("Am Markt 4", "Berlin", "Berlin", "10115", "DE"),
  munich: place("Gartenstraße 21", "München", "Bayern", "80331", "DE"),
  paris: place("4 rue des Lilas", "Paris", "Paris", "75011", "FR"),
  lyon: place("18 rue Victor Hugo", "Lyon", "Rhône", "69002", "FR"),
  madrid: place("Calle Mayor 3", "Madrid", "Madrid", "28013", "ES"),
  toronto: place("100 Queen St W", "Toronto", "ON", "M5H 2N2", "CA"),
  saoPaulo: place("Rua São Bento 15", "São Paulo", "SP", "01011-100", "BR"),
  kualaLumpur: place("27 Jalan Sultan Ismail", "Kuala Lumpur", "Kuala Lumpur", "55100", "MY"),
  lagos: place("12 Marina Road", "Lagos", "Lagos", "101241", "NG"),
  dubai: place("Al Wasl Road 45", "Dubai", "Dubai", "", "AE"),
  tokyo: place("1-2-3 Kanda", "Chiyoda-ku", "Tokyo", "101-0047", "JP"),
  zurich: place("Seestrasse 12", "Zürich", "ZH", "8002", "CH"),
} as const;

/** Residential lines by country, and networks that hide. */
export const IPS = {
  us: "73.158.64.15",
  usOther: "24.16.0.10",
  gb: "86.128.0.10",
  de: "91.64.0.10",
  fr: "90.0.0.10",
  es: "79.152.0.10",
  br: "177.32.0.10",
  my: "175.136.0.10",
  ca: "99.224.0.10",
  ng: "105.112.10.10",
  vn: "113.161.1.10",
  vpn: "146.70.100.10",
  tor: "185.220.101.1",
  aws: "3.80.0.10",
  relay: "104.28.28.5",
} as const;

const WINDOWS =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/157.0.0.0 Safari/537.36";
export const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1";

const SAMPLE: VerificationRequest = {
  orderId: "story",
  orderAmount: 58.9,
  currency: "USD",
  orderTimestamp: "2026-11-10T17:00:00Z",
  items: [{ name: "Cotton sheet set", quantity: 1, price: 58.9 }],
  customerName: "Jane Sample",
  customerEmail: "jane.sample@gmail.com",
  customerPhone: "+15038234018",
  isFirstTimeCustomer: true,
  accountAgeInDays: 0,
  totalOrders: 0,
  cancelledOrders: 0,
  returnedOrders: 0,
  fulfilledOrders: 0,
  averageOrderValue: 0,
  shippingAddress: PLACES.portland,
  billingAddress: PLACES.portland,
  paymentInfo: { brand: "visa", lastFourDigits: "8821", expiry: "08/28", holderName: "JANE SAMPLE" },
  ipAddress: IPS.us,
  userAgent: WINDOWS,
};

/** A customer's first order. */
export const first = (...changes: readonly Changes[]): VerificationRequest =>
  changes.reduce<VerificationRequest>((order, change) => ({ ...order, ...change }), SAMPLE);

/** An order of somebody who has ordered before. */
export const known = (
  orders: number,
  average: number,
  days: number,
  ...changes: readonly Changes[]
): VerificationRequest =>
  first(
    {
      isFirstTimeCustomer: false,
      accountAgeInDays: days,
      totalOrders: orders,
      fulfilledOrders: orders,
      averageOrderValue: average,
    },
    ...changes,
  );

/** Billed and shipped there. */
export const at = (home: OrderAddress): Changes => ({ billingAddress: home, shippingAddress: home });

export const goods = (
  name: string,
  quantity: number,
  price: number,
  currency: "USD" | "EUR" | "GBP" | "MYR" = "USD",
  postage = 4.9,
): Changes => ({
  items: [{ name, quantity, price }],
  orderAmount: Math.round((quantity * price + postage) * 100) / 100,
  currency,
});

/** Name, mailbox and card of one person. */
export const who = (
  customerName: string,
  customerEmail: string,
  holderName = customerName,
  lastFourDigits = "8821",
): Changes => ({
  customerName,
  customerEmail,
  paymentInfo: { brand: "visa", lastFourDigits, expiry: "08/28", holderName: holderName.toUpperCase() },
});

/** Without a phone number, as many shops ask for none. */
export const NO_PHONE: Changes = { customerPhone: "" };

const GIVEN =
  "Adam Brian Carla David Emma Frank Grace Henry Irene Jack Karen Louis Martin Nina Oscar Paula Robert Susan Thomas Victor".split(
    " ",
  );
const FAMILY =
  "Baker Carter Dixon Ellis Foster Garner Harper Ingram Jensen Keller Lambert Mercer Norris Osborn Palmer Reeves Sawyer Turner Weaver Young".split(
    " ",
  );
const STREETS = "Oak Elm Pine Cedar Maple Lake Hill Park Mill River".split(" ");
const TOWNS = [
  PLACES.portland,
  PLACES.austin,
  PLACES.tampa,
  PLACES.boise,
  PLACES.chicago,
  PLACES.denver,
] as const;

/** The `index`th of many strangers in the United States: own name, mailbox, card, home and line. */
export function stranger(index: number, ...changes: readonly Changes[]): VerificationRequest {
  const given = GIVEN[(index * 7 + 3) % GIVEN.length] ?? "";
  const family = FAMILY[(index * 3 + Math.floor(index / 20)) % FAMILY.length] ?? "";
  const town = TOWNS[index % TOWNS.length] ?? PLACES.portland;
  const home = { ...town, street: `${100 + 7 * index} ${STREETS[index % STREETS.length] ?? ""} St` };
  return first(
    who(
      `${given} ${family}`,
      `${given}.${family}${index % 3 === 0 ? "" : String(10 + index)}@gmail.com`.toLowerCase(),
      undefined,
      String(1000 + ((index * 371) % 9000)),
    ),
    at(home),
    { ipAddress: `73.${10 + (index % 200)}.${1 + (index % 50)}.${20 + (index % 100)}` },
    NO_PHONE,
    ...changes,
  );
}

/** As many orders as `count`, each made from its index. */
export const many = (
  count: number,
  make: (index: number) => VerificationRequest,
  context?: OrderContext,
): readonly Told[] =>
  Array.from({ length: count }, (_, index) => ({
    order: make(index),
    ...(context !== undefined && { context }),
  }));

/** A story of one order. */
export const one = (
  what: string,
  shop: ShopName,
  order: VerificationRequest,
  context?: OrderContext,
): Story => ({
  what,
  shop,
  orders: [{ order, ...(context !== undefined && { context }) }],
});
