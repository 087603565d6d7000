import {
  toDisplayStatus,
  toSupportedActions,
  type EmulatedCancellation,
  type EmulatedFulfillmentOrder,
  type EmulatedOrder,
} from "./emulated-order.ts";
import { toOrderGid } from "./emulated-shop.ts";

/** What graphql-js resolves fields from: values, and functions of the field's arguments. */
export type GraphNode = Readonly<Record<string, unknown>>;

interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
}

/** An order as the schema shows it. */
export function toOrderNode(order: EmulatedOrder): GraphNode {
  return {
    __typename: "Order",
    id: order.id,
    cancelledAt: order.cancelledAt,
    displayFinancialStatus: order.financialStatus,
    displayFulfillmentStatus: toDisplayStatus(order),
    returnStatus: "NO_RETURN",
    tags: order.tags.toSorted(),
    customer: () => toCustomerNode(order),
    transactions: ({ first }: PageArguments) =>
      order.transactions.slice(0, first ?? undefined).map((transaction, index) => ({
        __typename: "OrderTransaction",
        id: `${order.id}/Transaction/${index}`,
        kind: transaction.kind ?? "AUTHORIZATION",
        status: transaction.status ?? "SUCCESS",
        paymentDetails:
          transaction.card === null ? null : { __typename: "CardPaymentDetails", ...transaction.card },
      })),
    risk: {
      assessments: order.assessments.map((assessment) => ({
        ...assessment,
        provider: assessment.provider === null ? null : { __typename: "App", apiKey: assessment.provider },
      })),
    },
    fulfillmentOrders: (page: PageArguments) =>
      toConnection(order.fulfillmentOrders, page, (entry) => toFulfillmentOrderNode(order, entry)),
  };
}

/** A fulfillment order as the schema shows it. */
export function toFulfillmentOrderNode(order: EmulatedOrder, entry: EmulatedFulfillmentOrder): GraphNode {
  return {
    __typename: "FulfillmentOrder",
    id: entry.id,
    status: entry.status,
    order: () => toOrderNode(order),
    supportedActions: toSupportedActions(entry).map((action) => ({ action })),
    fulfillmentHolds: entry.holds.map((hold) => ({
      __typename: "FulfillmentHold",
      id: hold.id,
      handle: hold.handle,
      heldByRequestingApp: hold.ours,
    })),
  };
}

/** A cancellation's job as the schema shows it. */
export function toJobNode(order: EmulatedOrder, job: EmulatedCancellation): GraphNode {
  return {
    __typename: "OrderCancelJobResult",
    id: job.jobId,
    status: job.status,
    errors: job.errors.map((code) => ({ code })),
    order: () => toOrderNode(order),
  };
}

function toCustomerNode(order: EmulatedOrder): GraphNode | null {
  const { customer } = order;
  if (customer === null) return null;
  return {
    __typename: "Customer",
    id: `${order.id}/Customer`,
    createdAt: customer.createdAt,
    numberOfOrders: String(customer.numberOfOrders),
    amountSpent: customer.amountSpent,
    orders: (page: PageArguments) =>
      toConnection(customer.orders ?? [], page, (past) => ({
        __typename: "Order",
        id: toOrderGid(past.orderId),
        cancelledAt: past.cancelled === true ? customer.createdAt : null,
        displayFulfillmentStatus: past.fulfillment ?? "FULFILLED",
        returnStatus: past.returnStatus ?? "NO_RETURN",
      })),
  };
}

function toConnection<T>(
  entries: readonly T[],
  page: PageArguments,
  toNode: (entry: T) => GraphNode,
): GraphNode {
  const start = page.after === null || page.after === undefined ? 0 : Number(page.after);
  const end = start + (page.first ?? entries.length);
  return {
    nodes: entries.slice(start, end).map((entry) => toNode(entry)),
    pageInfo: { hasNextPage: end < entries.length, endCursor: String(Math.min(end, entries.length)) },
  };
}
