import type { RememberedOrder } from "../../../src/adapter-kit.ts";
import { requireWhole } from "../admin/admin-answer.ts";
import type { Ask } from "../admin/ask.ts";
import { ALL_ORDERS_SCOPE } from "../admin/scopes.ts";
import type { FulfillmentOrder } from "../operations/generated/operations.ts";
import { fromMemory, readFulfillmentOrders } from "./fulfillment-orders.ts";
import { fromReference } from "../base/fulfillment-ids.ts";
import type { StepContext } from "./step.ts";

const DAY_MS = 86_400_000;
/** Without `read_all_orders`, Shopify shows an order for 60 days after it was created. */
const SHOWN_MS = 60 * DAY_MS;
/** An order can be received a few days after it was placed: found late, or before the app was installed. */
const RECEIVED_WITHIN_MS = 7 * DAY_MS;
/** An order has few fulfillment orders. The newest count. */
const GOODS_MAX = 50;

interface Installation {
  readonly accessScopes: readonly { readonly handle: string }[];
}

/** When Shopify will hide an order from the app, milliseconds since the epoch; undefined if it won't. */
export function toHiddenFromMs(createdAt: string, { accessScopes }: Installation): number | undefined {
  if (accessScopes.some(({ handle }) => handle === ALL_ORDERS_SCOPE)) return undefined;
  const createdAtMs = Date.parse(createdAt);
  return Number.isNaN(createdAtMs) ? undefined : createdAtMs + SHOWN_MS;
}

/** An order for which Shopify answers null. */
export interface UnseenOrder {
  readonly ask: Ask;
  readonly orderGid: string;
  readonly now: () => number;
  readonly remembered?: RememberedOrder | undefined;
  /** The notes of the step that is being repeated. */
  readonly memory?: Readonly<Record<string, string>>;
}

/**
 * What an order for which Shopify answers null still shows: its remembered fulfillment orders, because they have scopes
 * of their own. `hidden`: nothing, but it may exist and be too old for the app. Null: the shop doesn't have it.
 */
export async function readHidden({ ask, orderGid, now, remembered, memory = {} }: UnseenOrder) {
  if (remembered === undefined) return null;
  const { holdMemory, references } = await remembered.goods();
  const known = [...fromMemory(holdMemory), ...fromMemory(memory), ...references.flatMap(fromReference)];
  const ids = [...new Set(known)].slice(-GOODS_MAX);
  const { nodes, currentAppInstallation } = requireWhole(await ask("HiddenGoods", { ids })).data;
  // A reference comes from a webhook, whose headers aren't signed.
  const entries = nodes
    .filter((node) => node?.__typename === "FulfillmentOrder")
    .filter(({ orderId }) => orderId === orderGid);
  if (entries.some(({ status }) => status !== "CANCELLED")) return entries;
  const isAll = currentAppInstallation.accessScopes.some(({ handle }) => handle === ALL_ORDERS_SCOPE);
  const isOld = now() - remembered.receivedAtMs >= SHOWN_MS - RECEIVED_WITHIN_MS;
  return isOld && !isAll ? "hidden" : null;
}

/** An order's fulfillment orders: all, or the remembered ones of an order that Shopify no longer shows. */
export interface Goods {
  readonly cancelled: boolean;
  readonly nodes: readonly FulfillmentOrder[];
}

/** Read the {@link Goods} of an order. `hidden` and null as in {@link readHidden}. */
export async function readGoods(context: StepContext): Promise<Goods | "hidden" | null> {
  const found = await readFulfillmentOrders(context.ask, context.orderGid);
  if (found !== null) return found;
  const nodes = await readHidden({ ...context, ...context.target });
  return nodes === null || nodes === "hidden" ? nodes : { cancelled: false, nodes };
}
