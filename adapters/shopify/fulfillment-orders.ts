import type { AdminAnswer } from "./admin-answer.ts";
import { ORDER_FULFILLMENT_ORDERS } from "./operations.ts";
import type { StepContext } from "./step.ts";

/** Handle of every hold Holdfast places. Unique per app and fulfillment order, so a repeat is recognised. */
export const HOLD_HANDLE = "holdfast";

/** A fulfillment order as far as holds are concerned. */
export interface FulfillmentOrder {
  readonly id: string;
  readonly status: string;
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

interface PageAnswer {
  readonly order: {
    readonly cancelledAt: string | null;
    readonly fulfillmentOrders: {
      readonly nodes: readonly FulfillmentOrder[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  } | null;
}

/** Read every fulfillment order of an order; null when the shop does not know the order. */
export async function readFulfillmentOrders(
  ask: StepContext["ask"],
  orderGid: string,
): Promise<FulfillmentOrders | null> {
  const nodes: FulfillmentOrder[] = [];
  let after: string | null = null;
  for (;;) {
    const answer: AdminAnswer<PageAnswer> = await ask(ORDER_FULFILLMENT_ORDERS, { id: orderGid, after });
    const { order } = answer.data;
    if (order === null) return null;
    nodes.push(...order.fulfillmentOrders.nodes);
    const { hasNextPage, endCursor } = order.fulfillmentOrders.pageInfo;
    if (!hasNextPage || endCursor === null) return { cancelled: order.cancelledAt !== null, nodes };
    after = endCursor;
  }
}

/** Holdfast's own hold on a fulfillment order. */
export function findOwnHold(
  entry: FulfillmentOrder,
): FulfillmentOrder["fulfillmentHolds"][number] | undefined {
  return entry.fulfillmentHolds.find((hold) => hold.heldByRequestingApp && hold.handle === HOLD_HANDLE);
}
