import type { PlatformRisk } from "../../../src/adapter-kit.ts";
import type { VerificationRequest } from "../../../src/index.ts";
import type {
  CustomerHistory,
  OrderDetail,
  OrderRisk,
  PastOrder,
} from "../operations/generated/operations.ts";
import { countDays } from "../../../src/mapping.ts";
import { definedOnly, toDecimal, toTimestamp } from "../base/payload.ts";

const RETURNED: ReadonlySet<string> = new Set(["RETURNED", "INSPECTION_COMPLETE", "IN_PROGRESS"]);

/**
 * The customer's history before this order. Shopify counts this order too, but the history doesn't: otherwise every
 * first order would look like a second one. Empty if nothing is known.
 */
export function toHistory(
  order: OrderDetail,
  orderGid: string,
  request: VerificationRequest,
): Partial<VerificationRequest> {
  const { customer } = order;
  if (customer === null) return {};
  const age = definedOnly({
    accountAgeInDays: countDays(toTimestamp(customer.createdAt)?.text, request.orderTimestamp),
  });
  const past = listOrders(customer).filter(({ id }) => id !== orderGid);
  const totalOrders = toTotalOrders(customer, past);
  if (totalOrders === undefined) return past.length === 0 ? age : { ...age, isFirstTimeCustomer: false };
  return {
    ...age,
    isFirstTimeCustomer: totalOrders === 0,
    totalOrders,
    ...(isHistoryComplete(customer) ? toOutcomes(past) : {}),
    ...definedOnly({ averageOrderValue: toAverage(order, customer, request, totalOrders) }),
  };
}

/** Each order that could be read, once. */
function listOrders({ orders }: CustomerHistory): readonly PastOrder[] {
  return [...new Map(orders.nodes.map((order) => [order.id, order])).values()];
}

/** Shopify's count and its list can each lag behind the other, so use the larger one. */
function toTotalOrders(customer: CustomerHistory, past: readonly PastOrder[]): number | undefined {
  const counted = toOrderCount(customer);
  return counted === undefined ? undefined : Math.max(0, counted - 1, past.length);
}

/**
 * Whether all orders of the customer were read. They weren't if there is more than one page, or if some are older than
 * the sixty days that an app without `read_all_orders` sees. Partial counts would mislead.
 */
export function isHistoryComplete(customer: CustomerHistory): boolean {
  const counted = toOrderCount(customer);
  return counted !== undefined && counted <= listOrders(customer).length;
}

function toOrderCount({ numberOfOrders }: CustomerHistory): number | undefined {
  const count = toDecimal(numberOfOrders);
  return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** Each past order counts once, by its final outcome. */
function toOutcomes(orders: readonly PastOrder[]) {
  const outcomes = { cancelledOrders: 0, returnedOrders: 0, fulfilledOrders: 0 };
  for (const past of orders) {
    if (past.cancelledAt !== null) outcomes.cancelledOrders += 1;
    else if (RETURNED.has(past.returnStatus)) outcomes.returnedOrders += 1;
    else if (past.displayFulfillmentStatus === "FULFILLED") outcomes.fulfilledOrders += 1;
  }
  return outcomes;
}

/** The mean amount of earlier orders, in the order's own currency; undefined if there were none. */
function toAverage(
  order: OrderDetail,
  customer: CustomerHistory,
  request: VerificationRequest,
  earlier: number,
): number | undefined {
  const spent = toDecimal(customer.amountSpent.amount);
  const sameCurrency = customer.amountSpent.currencyCode === request.currency.toUpperCase();
  if (earlier < 1 || spent === undefined || spent < 0 || !sameCurrency) return undefined;
  // The sum includes this order once it is paid, unless the sum is smaller than the order itself.
  const own =
    order.displayFinancialStatus === "PAID" && spent >= request.orderAmount ? request.orderAmount : 0;
  return Math.round(((spent - own) / earlier) * 100) / 100;
}

const ADVICE: Readonly<Record<string, PlatformRisk>> = {
  ACCEPT: "accept",
  INVESTIGATE: "investigate",
  CANCEL: "cancel",
};
/** The most severe first. */
const ADVICE_OF_LEVEL: readonly (readonly [level: string, advice: PlatformRisk])[] = [
  ["HIGH", "cancel"],
  ["MEDIUM", "investigate"],
  ["LOW", "accept"],
];

/**
 * Shopify's own view of an order; null while it has none. Its recommendation follows the most severe assessment of any
 * app. If an app has influenced it, only Shopify's own assessments count.
 */
export function toPlatformRisk(
  { recommendation, assessments }: OrderRisk,
  isInfluenced: boolean,
): PlatformRisk | null {
  if (!isInfluenced) return ADVICE[recommendation] ?? null;
  const own = assessments.filter(({ provider }) => provider === null).map(({ riskLevel }) => riskLevel);
  return ADVICE_OF_LEVEL.find(([level]) => own.includes(level))?.[1] ?? null;
}
