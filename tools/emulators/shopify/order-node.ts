import {
  toDisplayStatus,
  toRemainingUnits,
  toSupportedActions,
  type EmulatedCancellation,
  type EmulatedCustomer,
  type EmulatedEvent,
  type EmulatedFulfillmentOrder,
  type EmulatedOrder,
} from "./emulated-order.ts";
import { toOrderGid, type EmulatedShop } from "./emulated-shop.ts";
import { toConnection, type GraphNode, type PageArguments } from "./graph-node.ts";
import { toContentNode, toPersonNode } from "./order-content.ts";
import { isCapturable, toOutstanding, toTransactionNodes } from "./payments.ts";

/** An order as in the schema. */
export function toOrderNode(shop: EmulatedShop, order: EmulatedOrder): GraphNode {
  return {
    __typename: "Order",
    id: order.id,
    ...toContentNode(order),
    cancelledAt: order.cancelledAt,
    displayFinancialStatus: order.financialStatus,
    displayFulfillmentStatus: toDisplayStatus(order),
    returnStatus: "NO_RETURN",
    tags: order.tags.toSorted(),
    customer: () => toCustomerNode(order),
    purchasingEntity: () => toPurchaserNode(order),
    capturable: isCapturable(order, shop.nowMs),
    totalOutstandingSet: toOutstanding(order),
    transactions: ({ first }: PageArguments) => toTransactionNodes(order).slice(0, first ?? undefined),
    risk: {
      recommendation: toRecommendation(order),
      assessments: order.assessments.map((assessment) => ({
        ...assessment,
        provider: assessment.provider === null ? null : { __typename: "App", apiKey: assessment.provider },
      })),
    },
    shopifyProtect:
      order.protect === null
        ? null
        : { status: order.protect.status, eligibility: { status: order.protect.eligibility } },
    events: (page: EventArguments) => toConnection(findEvents(order, page), page, toEventNode),
    fulfillments: ({ first }: PageArguments) =>
      order.shipments.slice(0, first ?? undefined).map((shipment, index) => ({
        __typename: "Fulfillment",
        id: `${order.id.replace("/Order/", "/Fulfillment/")}${index + 1}`,
        createdAt: shipment.createdAt,
        deliveredAt: shipment.deliveredAt ?? null,
        status: shipment.status ?? "SUCCESS",
        trackingInfo: shipment.trackingInfo ?? [],
      })),
    fulfillmentOrders: (page: PageArguments) =>
      toConnection(shop.visibleEntries(order), page, (entry) => toFulfillmentOrderNode(order, entry)),
  };
}

interface EventArguments extends PageArguments {
  readonly reverse?: boolean | null;
  readonly query?: string | null;
}

/** The order's history since the moment in the search, the only term that is emulated beside `comments`. */
function findEvents({ events }: EmulatedOrder, { query, reverse }: EventArguments): readonly EmulatedEvent[] {
  const since = /created_at:>='([^']+)'/.exec(query ?? "")?.[1];
  const found = events.filter(({ atMs }) => since === undefined || atMs >= Date.parse(since));
  return reverse === true ? found.toReversed() : found;
}

function toEventNode({ id, action, atMs, by }: EmulatedEvent): GraphNode {
  return {
    __typename: "BasicEvent",
    id,
    action,
    createdAt: new Date(atMs).toISOString(),
    appTitle: by === "staff" ? null : by.app,
    attributeToApp: by !== "staff",
    attributeToUser: by === "staff",
  };
}

/** A fulfillment order as in the schema. */
export function toFulfillmentOrderNode(order: EmulatedOrder, entry: EmulatedFulfillmentOrder): GraphNode {
  const remainingQuantity = toRemainingUnits(order, entry);
  return {
    __typename: "FulfillmentOrder",
    id: entry.id,
    status: entry.status,
    requestStatus: entry.requestStatus,
    orderId: order.id,
    lineItems: (page: PageArguments) =>
      // One line per unit, so that large ones have several pages.
      toConnection(Array.from({ length: remainingQuantity }), page, () => ({
        __typename: "FulfillmentOrderLineItem",
        remainingQuantity: 1,
      })),
    supportedActions: toSupportedActions(entry).map((action) => ({ action })),
    fulfillmentHolds: entry.holds.map((hold) => ({
      __typename: "FulfillmentHold",
      id: hold.id,
      handle: hold.handle,
      heldByRequestingApp: hold.ours,
    })),
  };
}

/** By the most severe assessment, from any provider. */
function toRecommendation({ assessments }: EmulatedOrder): string {
  const levels = new Set(assessments.map(({ riskLevel }) => riskLevel));
  if (levels.has("HIGH")) return "CANCEL";
  if (levels.has("MEDIUM")) return "INVESTIGATE";
  return levels.has("LOW") ? "ACCEPT" : "NONE";
}

/** A cancellation's job as in the schema; null while the order shows none. */
export function toJobNode(
  shop: EmulatedShop,
  order: EmulatedOrder,
  job: EmulatedCancellation,
): GraphNode | null {
  if (order.isJobHidden) return null;
  return {
    __typename: "OrderCancelJobResult",
    id: job.jobId,
    status: job.status,
    errors: job.errors.map((code) => ({ code })),
    order: () => (shop.isReadable(order) ? toOrderNode(shop, order) : null),
  };
}

function toCustomerNode(order: EmulatedOrder): GraphNode | null {
  const { customer } = order;
  const person = toPersonNode(order);
  if (customer === null && person === null) return null;
  return {
    __typename: "Customer",
    id: `${order.id}/Customer`,
    createdAt: order.createdAt,
    numberOfOrders: "1",
    tags: [],
    amountSpent: { amount: "0.0", currencyCode: "USD" },
    orders: (page: PageArguments) => toConnection([], page, () => ({})),
    ...person,
    ...(customer === null ? {} : toHistoryNode(customer)),
  };
}

function toPurchaserNode(order: EmulatedOrder): GraphNode | null {
  if (order.companyName === null) return toCustomerNode(order);
  const company = { __typename: "Company", id: `${order.id}/Company`, name: order.companyName };
  return { __typename: "PurchasingCompany", company };
}

function toHistoryNode(customer: EmulatedCustomer): GraphNode {
  return {
    createdAt: customer.createdAt,
    tags: customer.tags ?? [],
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
