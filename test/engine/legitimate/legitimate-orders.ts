import type { VerificationRequest } from "../../../src/order/request.ts";
import { USD_PER_UNIT } from "../../../src/engine/tables/currencies.ts";
import { ASIA } from "./asia.ts";
import { ELSEWHERE } from "./elsewhere.ts";
import { EUROPE } from "./europe.ts";
import type { Homeland } from "./homeland.ts";

/** The countries that ordinary orders are generated for. */
export const HOMELANDS: readonly Homeland[] = [...EUROPE, ...ASIA, ...ELSEWHERE];

/** A random source with the same sequence every time (mulberry32). */
export interface Chance {
  /** From 0 up to 1. */
  readonly next: () => number;
  readonly pick: <T>(values: readonly T[]) => T;
  /** Whether something of this probability happens. */
  readonly happens: (probability: number) => boolean;
  readonly between: (from: number, to: number) => number;
}

export function createChance(seed: number): Chance {
  let state = seed | 0;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  return {
    next,
    pick: (values) => values[Math.floor(next() * values.length)] as (typeof values)[number],
    happens: (probability) => next() < probability,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
  };
}

interface Person {
  readonly written: string;
  readonly given: string;
  readonly family: string;
}

interface Goods {
  readonly name: string;
  readonly usd: number;
}

const GOODS: readonly Goods[] = [
  { name: "Cotton T-shirt, size M", usd: 19 },
  { name: "Running shoes", usd: 95 },
  { name: "Paperback novel", usd: 12 },
  { name: "Espresso beans 1 kg", usd: 24 },
  { name: "Desk lamp", usd: 45 },
  { name: "Face cream 50 ml", usd: 30 },
  { name: "Children's puzzle", usd: 16 },
  { name: "Winter jacket", usd: 160 },
  { name: "Frying pan 28 cm", usd: 38 },
  { name: "Bicycle tyre", usd: 29 },
  { name: "Silk scarf", usd: 70 },
  { name: "Board game", usd: 42 },
  { name: "Armchair", usd: 310 },
  { name: "Phone case", usd: 15 },
  { name: "USB-C cable", usd: 9 },
];
/** Goods that thieves like too; most people who buy them are honest. */
const TEMPTING: readonly Goods[] = [
  { name: "Wireless headphones", usd: 180 },
  { name: "Galaxy S26 smartphone", usd: 620 },
  { name: "Gaming laptop 15 inch", usd: 980 },
  { name: "Eau de parfum 50 ml", usd: 85 },
  { name: "Gift card", usd: 50 },
];
const USER_AGENTS = [
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/157.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/155.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 26_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.4 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/157.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.4 Safari/605.1.15",
  "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:160.0) Gecko/20100101 Firefox/160.0",
  "Mozilla/5.0 (Linux; Android 8.1.0; SM-J530F) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/19.0 Chrome/102.0.5005.125 Mobile Safari/537.36",
  "Mozilla/5.0 (Linux; Android 13; TECNO KI5) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/150.0.7000.1 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/530.0.0.1;]",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 26_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 400.0.0.20.90",
  "Mozilla/5.0 (Windows NT 6.1; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/109.0.0.0 Safari/537.36",
];
const NICKNAMES =
  "sunshine happycat thetraveller bluesky moonlight footballfan mamabear guitarhero coffeelover redrose".split(
    " ",
  );
const NETWORKS_OF_VPNS = ["146.70.100", "185.159.157", "89.187.180"];
const NETWORKS_OF_RELAYS = ["172.225.243", "104.28.28", "146.75.132"];
const TRAVEL = ["91.64.0", "79.152.0", "14.176.0", "73.158.64", "31.218.216"];
/** Late in the data's life, but before it is stale. */
const DAY_ZERO_MS = Date.parse("2026-11-02T00:00:00Z");
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export function fillPattern(pattern: string, chance: Chance): string {
  return pattern
    .replaceAll("%", () => String(chance.between(2, 9)))
    .replaceAll("#", () => String(chance.between(0, 9)))
    .replaceAll("+0", "+1");
}

export function toLatin(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replaceAll("ß", "ss")
    .replaceAll("ı", "i")
    .replaceAll(/[^a-z]/g, "");
}

function toPerson(home: Homeland, chance: Chance): Person {
  const [given = "", latinGiven = given] = chance.pick(home.given.split(/\s+(?=\S+)/)).split("|");
  const [family = "", latinFamily = family] = chance.pick(home.family.split(" ")).split("|");
  // Some people write their own name in Latin letters in a shop of another country.
  const isLatin = chance.happens(0.4);
  const parts = isLatin ? [latinGiven, latinFamily] : [given, family];
  const ordered = home.familyFirst && !isLatin ? parts.toReversed() : parts;
  return {
    written: ordered
      .join(home.familyFirst && !isLatin && !/[a-z]/i.test(given) ? "" : " ")
      .trim()
      .replaceAll("-", " "),
    given: toLatin(latinGiven),
    family: toLatin(latinFamily),
  };
}

function toLocalPart({ given, family }: Person, chance: Chance): string {
  const year = String(chance.between(1955, 2008));
  const [first, last] = family === "" ? [given, "art"] : [given, family];
  return chance.pick([
    `${first}.${last}`,
    `${first}.${last}`,
    `${first}${last}`,
    `${first}${last}${year.slice(2)}`,
    `${first}${year}`,
    `${first.charAt(0)}${last}`,
    `${last}.${first}`,
    `${first}_${last}${chance.between(1, 999)}`,
    `${chance.pick(NICKNAMES)}${chance.between(1, 99)}`,
    `${chance.pick(NICKNAMES)}${chance.between(1000, 9999)}`,
    `${first}${chance.between(10_000, 99_999)}`,
  ]);
}

function toEmail(home: Homeland, person: Person, chance: Chance): string {
  const kind = chance.next();
  const domain = chance.pick(home.mail.split(" "));
  const local = toLocalPart(person, chance);
  const digits = String(chance.between(100_000_000, 999_999_999));
  if (kind < 0.04) return `${chance.pick(["q7x.fern", "wry-olive0k", "8zkd2m.t"])}@privaterelay.appleid.com`;
  if (kind < 0.09) return `${person.given}@${person.family || person.given}-family.com`;
  if (domain === "qq.com") return `${digits}@qq.com`;
  return `${local}@${domain}`;
}

function toAddress(home: Homeland, chance: Chance): VerificationRequest["shippingAddress"] {
  const [city = "", state = "", code = ""] = chance.pick(home.places.split("|")).split(";");
  return {
    street: fillPattern(chance.pick(home.streets.split("|")), chance),
    city,
    // Shops put the city in place of a missing state.
    state: state === "" ? city : state,
    postalCode: fillPattern(code, chance),
    country: home.code,
  };
}

function toIp(home: Homeland, chance: Chance): string {
  const kind = chance.next();
  const own = chance.pick(home.networks.split(" "));
  const other =
    kind < 0.02
      ? chance.pick(NETWORKS_OF_VPNS)
      : kind < 0.05
        ? chance.pick(NETWORKS_OF_RELAYS)
        : kind < 0.065
          ? chance.pick(TRAVEL)
          : own;
  return `${other}.${chance.between(1, 254)}`;
}

function toHolder(person: Person, other: Person, chance: Chance): string | undefined {
  const kind = chance.next();
  if (kind < 0.12) return undefined;
  // A partner's or a parent's card.
  const { given, family } = kind < 0.19 ? { given: other.given, family: other.family } : person;
  const name = `${given} ${family}`.trim();
  return kind < 0.6 ? name.toUpperCase() : kind < 0.8 ? `${given.charAt(0)} ${family || given}` : name;
}

function toPast(chance: Chance) {
  if (chance.happens(0.35)) {
    const age = chance.happens(0.7) ? 0 : chance.between(1, 200);
    return {
      isFirstTimeCustomer: true,
      accountAgeInDays: age,
      totalOrders: 0,
      cancelledOrders: 0,
      returnedOrders: 0,
      fulfilledOrders: 0,
    };
  }
  const totalOrders = 1 + Math.floor(20 * chance.next() ** 2);
  const cancelledOrders = chance.happens(0.1) ? Math.min(1, totalOrders) : 0;
  const returnedOrders = chance.happens(0.2) ? Math.min(1, totalOrders - cancelledOrders) : 0;
  return {
    isFirstTimeCustomer: false,
    accountAgeInDays: chance.between(10, 1500),
    totalOrders,
    cancelledOrders,
    returnedOrders,
    fulfilledOrders: totalOrders - cancelledOrders,
  };
}

function toBasket(home: Homeland, chance: Chance) {
  const rate = USD_PER_UNIT[home.currency] ?? 1;
  const digits = rate < 0.02 ? 0 : 2;
  const toLocal = (usd: number): number => Math.max(1, Number((usd / rate).toFixed(digits)));
  const lines = chance.between(1, 4);
  const items = Array.from({ length: lines }, () => {
    const goods = chance.pick(chance.happens(0.05) ? TEMPTING : GOODS);
    const price = toLocal(goods.usd * (0.7 + 0.6 * chance.next()));
    return { name: goods.name, quantity: chance.happens(0.15) ? chance.between(2, 3) : 1, price };
  });
  const sum = items.reduce((total, { price, quantity }) => total + price * quantity, 0);
  const factor = chance.happens(0.2) ? 0.85 : 1;
  const postage = chance.happens(0.6) ? toLocal(6) : 0;
  // A customer's usual spending is close to the prices of the shop's goods.
  const usual = toLocal(45 + 140 * chance.next());
  return { items, orderAmount: Number((sum * factor + postage).toFixed(digits)), averageOrderValue: usual };
}

/** Mostly the day and the evening; some can't sleep. */
function toTime(home: Homeland, chance: Chance): string {
  const hour = chance.happens(0.06) ? 5 * chance.next() : 7 + 16 * chance.next();
  const localMs = DAY_ZERO_MS + chance.between(0, 25) * DAY_MS + hour * HOUR_MS;
  return new Date(Math.round(localMs - home.utcOffset * HOUR_MS)).toISOString();
}

/**
 * An honest customer's order in a country, with the oddities that honest customers have: gifts, a partner's
 * card, a VPN, a journey, a nickname for an address. The same number draws the same oddities in every country.
 */
export function toLegitimateOrder(home: Homeland, number: number): VerificationRequest {
  const chance = createChance(number * 7919 + 17);
  const person = toPerson(home, chance);
  const other = toPerson(home, chance);
  const billingAddress = toAddress(home, chance);
  const giftAddress = toAddress(home, chance);
  const abroad = toAddress(chance.pick(HOMELANDS), chance);
  const destination = chance.next();
  const holderName = toHolder(person, other, chance);
  const phone = fillPattern(chance.pick(home.phones.split("|")), chance);
  const { averageOrderValue, ...basket } = toBasket(home, chance);
  const past = toPast(chance);
  const company = chance.happens(0.05) ? { companyName: `${other.family || other.given} Trading` } : {};
  return {
    orderId: `${home.code}-${number}`,
    ...basket,
    currency: home.currency,
    orderTimestamp: toTime(home, chance),
    customerName: person.written,
    customerEmail: toEmail(home, person, chance),
    ...(chance.happens(0.85) ? { customerPhone: phone } : {}),
    ...past,
    averageOrderValue: past.totalOrders === 0 ? 0 : averageOrderValue,
    ...company,
    billingAddress,
    shippingAddress: destination < 0.12 ? giftAddress : destination < 0.15 ? abroad : billingAddress,
    paymentInfo: {
      brand: chance.pick(["visa", "mastercard"]),
      lastFourDigits: String(chance.between(2000, 4000)),
      expiry: `${String(chance.between(1, 12)).padStart(2, "0")}/${chance.between(27, 31)}`,
      ...(holderName === undefined ? {} : { holderName }),
    },
    ipAddress: toIp(home, chance),
    userAgent: chance.pick(USER_AGENTS),
  };
}
