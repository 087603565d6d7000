import type { AdminAnswer } from "../admin/admin-answer.ts";
import { ORDER_FULFILLMENT_ORDERS } from "../admin/fulfillment-operations.ts";
import type { StepContext } from "./step.ts";

/** Handle of every hold Holdfast places. Unique per app and fulfillment order, so a repeat is recognised. */
export const HOLD_HANDLE = "holdfast";

/** A fulfillment order as far as holds are concerned. */
export interface FulfillmentOrder {
  readonly id: string;
  readonly status: string;
  /** Whether a fulfillment service was asked to ship it, or to give it back, and what it said. */
  readonly requestStatus: string;
  readonly supportedActions: readonly { readonly action: string }[];
  readonly fulfillmentHolds: readonly {
    readonly id: string;
    readonly handle: string | null;
    readonly heldByRequestingApp: boolean;
  }[];
}

/** An order's fulfillment orders, all pages of them. */
export interface FulfillmentOrders {
  readonly cancelled: boolean;
  readonly nodes: readonly FulfillmentOrder[];
}

/** One page of an order's fulfillment orders. */
export interface FulfillmentOrderPage {
  readonly nodes: readonly FulfillmentOrder[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

interface PageAnswer {
  readonly order: {
    readonly cancelledAt: string | null;
    readonly fulfillmentOrders: FulfillmentOrderPage;
  } | null;
}

/** Read every fulfillment order of an order; null when the shop does not know the order. */
export async function readFulfillmentOrders(
  ask: StepContext["ask"],
  orderGid: string,
): Promise<FulfillmentOrders | null> {
  const { order } = (await ask<PageAnswer>(ORDER_FULFILLMENT_ORDERS, { id: orderGid, after: null })).data;
  if (order === null) return null;
  const nodes = await readOn(ask, orderGid, order.fulfillmentOrders);
  return nodes === null ? null : { cancelled: order.cancelledAt !== null, nodes };
}

/** The fulfillment orders of a page and of all that follow it; null when the order is gone by then. */
export async function readOn(
  ask: StepContext["ask"],
  orderGid: string,
  first: FulfillmentOrderPage,
): Promise<readonly FulfillmentOrder[] | null> {
  const nodes = [...first.nodes];
  let { hasNextPage, endCursor } = first.pageInfo;
  while (hasNextPage && endCursor !== null) {
    const variables = { id: orderGid, after: endCursor };
    const answer: AdminAnswer<PageAnswer> = await ask(ORDER_FULFILLMENT_ORDERS, variables);
    if (answer.data.order === null) return null;
    const page = answer.data.order.fulfillmentOrders;
    nodes.push(...page.nodes);
    ({ hasNextPage, endCursor } = page.pageInfo);
  }
  return nodes;
}

/** Whether Shopify takes a hold on a fulfillment order now. */
export function canHold(entry: FulfillmentOrder): boolean {
  return supports(entry, "HOLD");
}

/** Whether Shopify takes an action on a fulfillment order now. */
export function supports(entry: FulfillmentOrder, name: string): boolean {
  return entry.supportedActions.some(({ action }) => action === name);
}

/** Holdfast's own hold on a fulfillment order. */
export function findOwnHold(
  entry: FulfillmentOrder,
): FulfillmentOrder["fulfillmentHolds"][number] | undefined {
  return entry.fulfillmentHolds.find((hold) => hold.heldByRequestingApp && hold.handle === HOLD_HANDLE);
}
