import { createLocalEngine } from "../../src/engine/engine.ts";
import { USD_PER_UNIT } from "../../src/engine/tables/currencies.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import type { RiskLevel } from "../../src/order/risk-level.ts";
import type { Homeland } from "./legitimate/homeland.ts";
import { HOMELANDS, toLegitimateOrder } from "./legitimate/legitimate-orders.ts";

const engine = createLocalEngine();
const PER_COUNTRY = 250;
const FEWEST = 200;

const SCRIPTS = [
  "Latin",
  "Cyrillic",
  "Greek",
  "Arabic",
  "Hebrew",
  "Han",
  "Hangul",
  "Thai",
  "Devanagari",
  "Armenian",
  "Georgian",
];

function toScript(name: string): string {
  return SCRIPTS.find((script) => new RegExp(`\\p{Script=${script}}`, "u").test(name)) ?? "other";
}

function toAge({ isFirstTimeCustomer, accountAgeInDays = 0 }: VerificationRequest): string {
  if (isFirstTimeCustomer) return "first order";
  return accountAgeInDays < 30
    ? "under 30 days"
    : accountAgeInDays < 365
      ? "30 to 364 days"
      : "365 days and more";
}

function toTimeOfDay({ orderTimestamp = "" }: VerificationRequest, { utcOffset }: Homeland): string {
  const hour = (((Date.parse(orderTimestamp) / 3_600_000 + utcOffset) % 24) + 24) % 24;
  return ["0 to 6", "6 to 12", "12 to 18", "18 to 24"][Math.floor(hour / 6)] ?? "";
}

/** An order and its result. */
export interface Judged {
  readonly home: Homeland;
  readonly order: VerificationRequest;
  readonly riskLevel: RiskLevel;
  readonly isAlarm: boolean;
}

const LEGITIMATE = HOMELANDS.flatMap((home) =>
  Array.from({ length: PER_COUNTRY }, (_, number) => ({ home, order: toLegitimateOrder(home, number) })),
);

/** Judge every honest customer of the tests. */
export function judgeAll(
  change: (order: VerificationRequest, home: Homeland) => VerificationRequest,
  assess: (order: VerificationRequest) => { readonly riskLevel: RiskLevel } = (order) => engine.assess(order),
): readonly Judged[] {
  return LEGITIMATE.map(({ home, order: usual }) => {
    const order = change(usual, home);
    const { riskLevel } = assess(order);
    return { home, order, riskLevel, isAlarm: riskLevel !== "low" };
  });
}

/** The dimensions that people are grouped by. */
export const DIMENSIONS: Readonly<Record<string, (judged: Judged) => string>> = {
  country: ({ home }) => home.code,
  script: ({ order }) => toScript(order.customerName),
  provider: ({ order }) => order.customerEmail.split("@")[1] ?? "",
  currency: ({ order }) => order.currency,
  "time of day": ({ order, home }) => toTimeOfDay(order, home),
  "account age": ({ order }) => toAge(order),
};

interface Group {
  readonly name: string;
  readonly orders: number;
  readonly share: number;
}

/** Groups of a dimension that are large enough to be meaningful, the worst treated first. */
export function toGroups(
  judged: readonly Judged[],
  toKey: (judged: Judged) => string,
  fewest = FEWEST,
): readonly Group[] {
  return [...Map.groupBy(judged, toKey)]
    .map(([name, of]) => ({
      name,
      orders: of.length,
      share: of.filter(({ isAlarm }) => isAlarm).length / of.length,
    }))
    .filter(({ orders }) => orders >= fewest)
    .toSorted((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1));
}

/** Honest people with their oddities: gifts, journeys, partners' cards. */
export const ODD = judgeAll((order) => order);
/** The same people at home, at their usual amount, with their own card. */
export const PLAIN = judgeAll((order, home) => ({
  ...order,
  shippingAddress: order.billingAddress,
  averageOrderValue: order.averageOrderValue === 0 ? 0 : order.orderAmount,
  ipAddress: `${home.networks.split(" ")[0]}.77`,
  items: [{ name: "Desk lamp", quantity: 1, price: order.orderAmount }],
}));
/** First orders of 420 USD from accounts two days old. */
export const FIRSTS = judgeAll((order, home) => ({
  ...order,
  shippingAddress: order.billingAddress,
  ipAddress: `${home.networks.split(" ")[0]}.77`,
  orderAmount: Math.round(420.5 / (USD_PER_UNIT[order.currency] ?? 1)),
  items: [{ name: "Desk lamp", quantity: 1, price: Math.round(420.5 / (USD_PER_UNIT[order.currency] ?? 1)) }],
  isFirstTimeCustomer: true,
  accountAgeInDays: 2,
  totalOrders: 0,
  cancelledOrders: 0,
  returnedOrders: 0,
  fulfilledOrders: 0,
  averageOrderValue: 0,
}));
