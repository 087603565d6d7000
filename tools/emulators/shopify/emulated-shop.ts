import {
  removeHolds,
  removeTags,
  type EmulatedFulfillmentOrder,
  type EmulatedOrder,
  type NewEmulatedOrder,
} from "./emulated-order.ts";
import type { EmulatedApp } from "./session-token.ts";
import { TokenDesk } from "./token-endpoint.ts";

/** One emulated shop: its state, and what a test or demo does as the merchant or the platform. */
export class EmulatedShop {
  readonly domain: string;
  readonly tokens: TokenDesk;
  /** What the merchant granted the app. */
  scopes: readonly string[] = [
    "read_customers",
    "read_orders",
    "write_merchant_managed_fulfillment_orders",
    "write_orders",
  ];
  /** Topics subscribed to over the API, as the API names them. Those of the app's own file are never listed. */
  subscriptions: readonly string[] = [];
  /** Handles of the app's Flow triggers that were deployed. */
  flowTriggers: readonly string[] = [];
  /** Workflows that were started, oldest first. */
  readonly workflows: { readonly handle: string; readonly payload: unknown }[] = [];
  /** API versions the platform supports. */
  versions: readonly string[] = ["2026-07", "2026-10"];
  readonly #now: () => number;
  readonly #orders = new Map<string, EmulatedOrder>();
  readonly #denied = new Set<string>();
  readonly #failingCancels = new Map<string, readonly string[]>();
  #lastId = 1000;

  constructor(domain: string, app: EmulatedApp) {
    this.domain = domain;
    this.tokens = new TokenDesk(app, domain);
    this.#now = app.now;
  }

  /** Put an order into the shop. */
  addOrder(order: NewEmulatedOrder): EmulatedOrder {
    const { payload = {} } = order;
    const createdAtMs = Date.parse(String(payload["created_at"]));
    const added: EmulatedOrder = {
      id: toOrderGid(order.orderId),
      createdAt: new Date(Number.isNaN(createdAtMs) ? this.#now() : createdAtMs).toISOString(),
      payload,
      customer: order.customer ?? null,
      companyName: order.companyName ?? null,
      transactions: order.transactions ?? [],
      financialStatus: order.financialStatus ?? "PAID",
      tags: [...(order.tags ?? [])],
      assessments: [],
      fulfillmentOrders: [],
      cancellations: [],
      cancelledAt: null,
    };
    this.#orders.set(added.id, added);
    this.routeOrder(order.orderId, order.routed ?? 1);
    const cancelledAt = payload["cancelled_at"];
    if (typeof cancelledAt === "string") this.#markCancelled(added, cancelledAt);
    return added;
  }

  /** The platform assigns locations: `count` more fulfillment orders appear. */
  routeOrder(orderId: string, count = 1): readonly EmulatedFulfillmentOrder[] {
    const added = Array.from({ length: count }, (): EmulatedFulfillmentOrder => {
      return {
        id: `gid://shopify/FulfillmentOrder/${this.nextId()}`,
        status: "OPEN",
        holdable: true,
        holds: [],
      };
    });
    this.order(orderId).fulfillmentOrders.push(...added);
    return added;
  }

  /** An order with everything that happened to it, by digits or global id. @throws {Error} when there is none. */
  order(orderId: string): EmulatedOrder {
    const order = this.findOrder(orderId);
    if (order === undefined) throw new Error(`no such emulated order: ${orderId}`);
    return order;
  }

  /** Like {@link EmulatedShop.order}, or undefined. */
  findOrder(orderId: string): EmulatedOrder | undefined {
    const order = this.#orders.get(toOrderGid(orderId));
    if (order !== undefined) this.#settle(order, false);
    return order;
  }

  /** Every order of the shop. */
  orders(): readonly EmulatedOrder[] {
    for (const order of this.#orders.values()) this.#settle(order, false);
    return [...this.#orders.values()];
  }

  /** The platform itself assesses the order, as it does soon after an order was placed. */
  assessOrder(orderId: string, riskLevel: "LOW" | "MEDIUM" | "HIGH"): void {
    this.order(orderId).assessments.push({ riskLevel, facts: [], provider: null });
  }

  /** Somebody cancels the order in the admin. */
  cancelOrder(orderId: string): void {
    this.#markCancelled(this.order(orderId));
  }

  /** Somebody releases every hold of the order in the admin, whoever placed them. */
  releaseHold(orderId: string): void {
    for (const entry of this.order(orderId).fulfillmentOrders) removeHolds(entry, () => true);
  }

  /** Somebody takes a tag off the order in the admin. */
  removeTag(orderId: string, tag: string): void {
    removeTags(this.order(orderId), [tag]);
  }

  /** Somebody ships all of the order, releasing what is held. */
  fulfillOrder(orderId: string): void {
    for (const entry of this.order(orderId).fulfillmentOrders) {
      if (entry.status === "CANCELLED") continue;
      entry.holds = [];
      entry.status = "CLOSED";
    }
  }

  /** The next cancellations of this order end as FAILED with these codes. */
  failCancel(orderId: string, codes: readonly string[]): void {
    this.#failingCancels.set(toOrderGid(orderId), codes);
  }

  /** End every running cancellation now, whatever its time. */
  finishCancels(): void {
    for (const order of this.#orders.values()) this.#settle(order, true);
  }

  /** Take a permission away: `Order.customer`, `Mutation.tagsAdd`… answer null with ACCESS_DENIED. */
  deny(...fields: readonly string[]): void {
    for (const field of fields) this.#denied.add(field);
  }

  /** Whether {@link EmulatedShop.deny} named the field. */
  isDenied(field: string): boolean {
    return this.#denied.has(field);
  }

  /** A number that was not given out in this shop yet. */
  nextId(): string {
    this.#lastId += 1;
    return String(this.#lastId);
  }

  #settle(order: EmulatedOrder, all: boolean): void {
    for (const job of order.cancellations) {
      if (job.status !== "STARTED" || (!all && job.dueAtMs > this.#now())) continue;
      job.errors = this.#failingCancels.get(order.id) ?? [];
      job.status = job.errors.length === 0 ? "SUCCEEDED" : "FAILED";
      if (job.status === "SUCCEEDED") this.#markCancelled(order);
    }
  }

  #markCancelled(order: EmulatedOrder, at = new Date(this.#now()).toISOString()): void {
    order.cancelledAt ??= at;
    for (const entry of order.fulfillmentOrders) if (entry.status !== "CLOSED") entry.status = "CANCELLED";
  }
}

/** The global id of an order given by its digits; a global id stays as it is. */
export function toOrderGid(orderId: string): string {
  return orderId.startsWith("gid://") ? orderId : `gid://shopify/Order/${orderId}`;
}
