import type { OrderPage, OrderWindow, PlatformOrder, TenantId } from "../../../src/index.ts";
import { isPassing, toWithheld, unavailable, type AdminAnswer } from "./admin-answer.ts";
import type { AdminClient } from "./admin-client.ts";
import { toOrderPayload } from "../mapping/graphql-order.ts";
import { ORDER_LINES, PRESENT_ORDER, RECENT_ORDERS } from "./listing-operations.ts";
import { mapOrder } from "../mapping/map-order.ts";
import { toOrderGid, type JsonObject } from "../intake/payload.ts";
import { toShop } from "../intake/shop-domain.ts";
import { askShop, type StepContext } from "../enforce/step.ts";

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

interface LinePage {
  readonly nodes: readonly JsonObject[];
  readonly pageInfo: PageInfo;
}

/** An order as listed. `toOrderPayload` reads and checks the other fields. */
type OrderNode = JsonObject & {
  readonly id: string;
  readonly displayFulfillmentStatus: string;
  readonly lineItems: LinePage;
};

interface OrdersAnswer {
  readonly orders: { readonly nodes: readonly OrderNode[]; readonly pageInfo: PageInfo };
}

interface PresentAnswer {
  readonly order: OrderNode | null;
}

interface LinesAnswer {
  readonly order: { readonly lineItems: LinePage } | null;
}

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
  const ask = askShop(client, toShop(tenant), window.signal);
  const variables = { query: toSearch(window), after: window.cursor ?? null };
  const answer = requireWhole(await ask<OrdersAnswer>(RECENT_ORDERS, variables));
  const { nodes, pageInfo } = answer.data.orders;
  const isWithheld = toWithheld(answer.errors);
  const orders: PlatformOrder[] = [];
  for (const [index, node] of nodes.entries()) {
    const lines = await readLines(ask, node);
    // Deleted while it was read.
    if (lines === null) continue;
    const whole = { ...node, lineItems: { nodes: lines } };
    const order = mapOrder(toOrderPayload(whole, `orders.nodes.${index}`, isWithheld));
    if (order !== null) orders.push(withShipping(order, node));
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
  const ask = askShop(client, toShop(tenant), signal);
  const { data, errors } = requireWhole(await ask<PresentAnswer>(PRESENT_ORDER, { id }));
  const { order: node } = data;
  const lines = node === null ? null : await readLines(ask, node);
  if (node === null || lines === null) return null;
  const whole = { ...node, lineItems: { nodes: lines } };
  const order = mapOrder(toOrderPayload(whole, "order", toWithheld(errors)), "as-changed");
  return order === null ? null : withShipping(order, node);
}

/** Webhooks don't say reliably whether everything has shipped, so the shared mapping leaves it out. */
function withShipping(order: PlatformOrder, node: OrderNode): PlatformOrder {
  return node.displayFulfillmentStatus === "FULFILLED" ? { ...order, fulfilled: true } : order;
}

/** All lines of an order; null if the order was deleted meanwhile. */
async function readLines(ask: StepContext["ask"], node: OrderNode): Promise<readonly JsonObject[] | null> {
  const lines = [...node.lineItems.nodes];
  let { hasNextPage, endCursor } = node.lineItems.pageInfo;
  while (hasNextPage && endCursor !== null) {
    const variables = { id: node.id, after: endCursor };
    const answer = requireWhole<LinesAnswer>(await ask(ORDER_LINES, variables));
    if (answer.data.order === null) return null;
    const page = answer.data.order.lineItems;
    lines.push(...page.nodes);
    ({ hasNextPage, endCursor } = page.pageInfo);
  }
  return lines;
}

/** A temporary failure can null a field. The order must not be checked as if the field were empty. */
function requireWhole<T>(answer: AdminAnswer<T>): AdminAnswer<T> {
  if (answer.errors.some(isPassing)) throw unavailable("Shopify returned incomplete orders");
  return answer;
}

/** The window in Shopify's search syntax. It is widened to whole seconds, so that no order is missed. */
function toSearch({ sinceMs, untilMs }: OrderWindow): string {
  const since = `created_at:>='${toSecond(Math.floor(sinceMs / 1000))}'`;
  return untilMs === undefined ? since : `${since} created_at:<='${toSecond(Math.ceil(untilMs / 1000))}'`;
}

function toSecond(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
