import type { OrderPage, OrderWindow, PlatformOrder, TenantId } from "../../../src/adapter-kit.ts";
import { requireWhole, toWithheld } from "./admin-answer.ts";
import type { AdminClient } from "./admin-client.ts";
import { toOrderPayload, type IsWithheld } from "../mapping/graphql-order.ts";
import type { ListedOrder } from "../operations/generated/operations.ts";
import { mapOrder, type PayloadState } from "../mapping/map-order.ts";
import { toOrderGid } from "../base/payload.ts";
import { askShop, readPages, type Ask } from "./ask.ts";

/**
 * List one page of the orders that a shop created in a window, oldest first, in the form of their webhooks. Without the
 * permission `read_all_orders`, Shopify lists only the last sixty days.
 *
 * @throws {HoldfastError} `PLATFORM_UNAVAILABLE` also if a temporary failure leaves something of the page out.
 */
export async function listRecentOrders(
  client: AdminClient,
  tenant: TenantId,
  window: OrderWindow,
): Promise<OrderPage> {
  const ask = askShop(client, tenant, window.signal);
  const variables = { query: toSearch(window), after: window.cursor ?? null };
  const answer = requireWhole(await ask("RecentOrders", variables));
  const { nodes, pageInfo } = answer.data.orders;
  const isWithheld = toWithheld(answer.errors);
  const orders: PlatformOrder[] = [];
  for (const [index, node] of nodes.entries()) {
    const order = await readWhole(ask, node, { path: `orders.nodes.${index}`, isWithheld });
    if (order !== null) orders.push(order);
  }
  return { orders, nextCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null };
}

/**
 * An order in the form of its next webhook; null if the shop doesn't know it.
 *
 * @throws {HoldfastError} `PLATFORM_UNAVAILABLE` also if a temporary failure leaves something of it out.
 */
export async function readPresentOrder(
  client: AdminClient,
  tenant: TenantId,
  orderId: string,
  signal: AbortSignal | undefined,
): Promise<PlatformOrder | null> {
  const id = toOrderGid(orderId);
  if (id === undefined) return null;
  const ask = askShop(client, tenant, signal);
  const { data, errors } = requireWhole(await ask("PresentOrder", { id }));
  const source = { path: "order", isWithheld: toWithheld(errors), state: "as-changed" } as const;
  return data.order === null ? null : readWhole(ask, data.order, source);
}

/** Map an order with all of its lines; null if it has no id, or was deleted meanwhile. */
async function readWhole(
  ask: Ask,
  node: ListedOrder,
  { path, isWithheld, state }: { path: string; isWithheld: IsWithheld; state?: PayloadState },
): Promise<PlatformOrder | null> {
  const nodes = await readPages(node.lineItems, async (after) => {
    const { data } = requireWhole(await ask("OrderLines", { id: node.id, after }));
    return data.order?.lineItems;
  });
  if (nodes === null) return null;
  const order = mapOrder(toOrderPayload({ ...node, lineItems: { nodes } }, path, isWithheld), state);
  // The mapping leaves this out of an order as placed, because its webhook doesn't say it reliably.
  return order !== null && node.displayFulfillmentStatus === "FULFILLED"
    ? { ...order, fulfilled: true }
    : order;
}

/** The window in Shopify's search syntax. It is widened to whole seconds, so that no order is missed. */
function toSearch({ sinceMs, untilMs }: OrderWindow): string {
  const since = `created_at:>='${toSecond(Math.floor(sinceMs / 1000))}'`;
  return untilMs === undefined ? since : `${since} created_at:<='${toSecond(Math.ceil(untilMs / 1000))}'`;
}

function toSecond(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
