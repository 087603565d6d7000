import type { EmulatedFulfillmentOrder, EmulatedOrder, NewEmulatedOrder } from "./emulated-order.ts";
import { createTokenDesk, type EmulatedApp, type TokenDesk } from "./oauth.ts";

/** One emulated shop: its state, and what a test or demo does in the merchant's or the platform's place. */
export interface EmulatedShop {
  readonly domain: string;
  readonly tokens: TokenDesk;
  /** Put an order into the shop. */
  addOrder(order: NewEmulatedOrder): EmulatedOrder;
  /** The platform assigns locations: `count` more fulfillment orders appear. */
  routeOrder(orderId: string, count?: number): readonly EmulatedFulfillmentOrder[];
  /** An order with everything that happened to it, by digits or gid; undefined when unknown. */
  findOrder(orderId: string): EmulatedOrder | undefined;
  /** Every order of the shop. */
  orders(): readonly EmulatedOrder[];
  /** Somebody cancels the order in the admin. */
  cancelOrder(orderId: string): void;
  /** The next cancellations of this order end as FAILED with these codes. */
  failCancel(orderId: string, codes: readonly string[]): void;
  /** End every running cancellation that is due, or all of them. */
  settleCancels(all?: boolean): void;
  /** Take a permission away: `Order.customer`, `Mutation.tagsAdd`… answer null with ACCESS_DENIED. */
  deny(...fields: readonly string[]): void;
  isDenied(field: string): boolean;
  /** A number that was not given out in this shop yet. */
  nextId(): string;
}

/** Create an {@link EmulatedShop} without orders. */
export function createEmulatedShop(domain: string, app: EmulatedApp): EmulatedShop {
  const orders = new Map<string, EmulatedOrder>();
  const denied = new Set<string>();
  const failing = new Map<string, readonly string[]>();
  let lastId = 1000;
  const nextId = () => String((lastId += 1));

  function settle(order: EmulatedOrder, all: boolean): void {
    for (const job of order.cancellations) {
      if (job.status !== "STARTED" || (!all && job.dueAtMs > app.now())) continue;
      job.errors = failing.get(order.id) ?? [];
      job.status = job.errors.length === 0 ? "SUCCEEDED" : "FAILED";
      if (job.status === "SUCCEEDED") markCancelled(order, app.now());
    }
  }

  function require(orderId: string): EmulatedOrder {
    const order = orders.get(toOrderGid(orderId));
    if (order === undefined) throw new Error(`no such emulated order: ${orderId}`);
    return order;
  }

  const shop: EmulatedShop = {
    domain,
    tokens: createTokenDesk(app),
    addOrder(order) {
      const added: EmulatedOrder = {
        id: toOrderGid(order.orderId),
        customer: order.customer ?? null,
        transactions: order.transactions ?? [],
        financialStatus: order.financialStatus ?? "PAID",
        tags: [...(order.tags ?? [])],
        assessments: [],
        fulfillmentOrders: [],
        cancellations: [],
        cancelledAt: null,
      };
      orders.set(added.id, added);
      shop.routeOrder(order.orderId, order.routed ?? 1);
      return added;
    },
    routeOrder(orderId, count = 1) {
      const added = Array.from({ length: count }, (): EmulatedFulfillmentOrder => {
        return { id: `gid://shopify/FulfillmentOrder/${nextId()}`, status: "OPEN", holdable: true, holds: [] };
      });
      require(orderId).fulfillmentOrders.push(...added);
      return added;
    },
    findOrder(orderId) {
      const order = orders.get(toOrderGid(orderId));
      if (order !== undefined) settle(order, false);
      return order;
    },
    orders() {
      shop.settleCancels();
      return [...orders.values()];
    },
    cancelOrder: (orderId) => markCancelled(require(orderId), app.now()),
    failCancel: (orderId, codes) => void failing.set(toOrderGid(orderId), codes),
    settleCancels(all = false) {
      for (const order of orders.values()) settle(order, all);
    },
    deny(...fields) {
      for (const field of fields) denied.add(field);
    },
    isDenied: (field) => denied.has(field),
    nextId,
  };
  return shop;
}

/** The global id of an order given by its digits; a global id stays as it is. */
export function toOrderGid(orderId: string): string {
  return orderId.startsWith("gid://") ? orderId : `gid://shopify/Order/${orderId}`;
}

function markCancelled(order: EmulatedOrder, nowMs: number): void {
  order.cancelledAt ??= new Date(nowMs).toISOString();
  for (const entry of order.fulfillmentOrders) if (entry.status !== "CLOSED") entry.status = "CANCELLED";
}
