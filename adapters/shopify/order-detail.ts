import type { VerificationRequest } from "../../src/index.ts";
import type { Transaction } from "./card-facts.ts";
import { definedOnly, toDecimal } from "./payload.ts";
import { toTimestamp } from "./timestamp.ts";

/** An order's customer as the Admin API tells it. Fields are null where a permission is missing. */
export interface CustomerDetail {
  readonly createdAt?: string | null;
  /** A 64-bit count, as text. */
  readonly numberOfOrders?: string | null;
  readonly amountSpent?: { readonly amount: string; readonly currencyCode: string } | null;
  readonly orders?: { readonly nodes: readonly (PastOrder | null)[] } | null;
}

/** One of a customer's orders. */
export interface PastOrder {
  readonly id: string;
  readonly cancelledAt: string | null;
  readonly displayFulfillmentStatus: string;
  readonly returnStatus: string;
}

/** What is read of an order to know its customer and card better. */
export interface OrderDetail {
  readonly displayFinancialStatus: string | null;
  readonly customer: CustomerDetail | null;
  readonly transactions: readonly (Transaction | null)[] | null;
}

type History = Partial<
  Pick<
    VerificationRequest,
    | "isFirstTimeCustomer"
    | "accountAgeInDays"
    | "totalOrders"
    | "cancelledOrders"
    | "returnedOrders"
    | "fulfilledOrders"
    | "averageOrderValue"
  >
>;

const DAY_MS = 86_400_000;
const RETURNED: ReadonlySet<string> = new Set(["RETURNED", "INSPECTION_COMPLETE", "IN_PROGRESS"]);

/**
 * What the shop knows of an order's customer from before that order: Shopify counts the order at hand, the history
 * does not, or every first order would look like a second one.
 */
export function toHistory(order: OrderDetail, orderGid: string, request: VerificationRequest): History {
  const { customer } = order;
  if (customer === null) return {};
  const counted = toOrderCount(customer);
  return {
    ...definedOnly({ accountAgeInDays: toAge(customer, request) }),
    ...(counted === undefined
      ? {}
      : { isFirstTimeCustomer: counted <= 1, totalOrders: Math.max(0, counted - 1) }),
    ...(isHistoryComplete(customer) ? toOutcomes(customer, orderGid) : {}),
    ...definedOnly({ averageOrderValue: toAverage(order, customer, request) }),
  };
}

/**
 * Whether every order of the customer was read. They are not when there are more than a page, or older than the sixty
 * days an app without `read_all_orders` sees; counts of a part would mislead.
 */
export function isHistoryComplete(customer: CustomerDetail): boolean {
  const counted = toOrderCount(customer);
  const nodes = customer.orders?.nodes;
  return counted !== undefined && nodes !== undefined && !nodes.includes(null) && counted <= nodes.length;
}

function toOrderCount({ numberOfOrders }: CustomerDetail): number | undefined {
  const count = toDecimal(numberOfOrders);
  return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** Each past order counts once, as what became of it in the end. */
function toOutcomes(customer: CustomerDetail, orderGid: string): History {
  const outcomes = { cancelledOrders: 0, returnedOrders: 0, fulfilledOrders: 0 };
  for (const past of customer.orders?.nodes ?? []) {
    if (past === null || past.id === orderGid) continue;
    if (past.cancelledAt !== null) outcomes.cancelledOrders += 1;
    else if (RETURNED.has(past.returnStatus)) outcomes.returnedOrders += 1;
    else if (past.displayFulfillmentStatus === "FULFILLED") outcomes.fulfilledOrders += 1;
  }
  return outcomes;
}

/** Whole days from the customer's first appearance to the order; undefined without either date. */
function toAge(customer: CustomerDetail, request: VerificationRequest): number | undefined {
  const createdAtMs = toTimestamp(customer.createdAt)?.ms;
  const orderedAtMs = toTimestamp(request.orderTimestamp)?.ms;
  if (createdAtMs === undefined || orderedAtMs === undefined) return undefined;
  return Math.max(0, Math.floor((orderedAtMs - createdAtMs) / DAY_MS));
}

/** Mean of what earlier orders brought in, in the order's own currency; undefined when there were none. */
function toAverage(
  order: OrderDetail,
  customer: CustomerDetail,
  request: VerificationRequest,
): number | undefined {
  const earlier = (toOrderCount(customer) ?? 0) - 1;
  const spent = toDecimal(customer.amountSpent?.amount);
  const sameCurrency = customer.amountSpent?.currencyCode === request.currency.toUpperCase();
  if (earlier < 1 || spent === undefined || spent < 0 || !sameCurrency) return undefined;
  // A paid order is in the sum already; one whose sum is smaller than itself has not been added yet.
  const own =
    order.displayFinancialStatus === "PAID" && spent >= request.orderAmount ? request.orderAmount : 0;
  return Math.round(((spent - own) / earlier) * 100) / 100;
}
