import { strict as assert } from "node:assert";
import {
  toAssessedBody,
  toHeldBody,
  toMergedBody,
  toMovedBody,
  toReleasedBody,
  toSplitBody,
  type EmulatedWebhook,
} from "./fulfillment-webhooks.ts";
import {
  removeHolds,
  removeTags,
  toRemainingUnits,
  type EmulatedActor,
  type EmulatedFulfillmentOrder,
  type EmulatedHold,
  type EmulatedOrder,
  type EmulatedTransaction,
  type NewEmulatedOrder,
  type OrderPayload,
  type RequestStatus,
} from "./emulated-order.ts";
import type { EmulatedDispute } from "./disputes.ts";
import { EmulatedCheckout } from "./emulated-checkout.ts";
import type { EmulatedApp } from "./session-token.ts";
import { TokenDesk } from "./token-endpoint.ts";

/** How long an app without `read_all_orders` can read an order after it was placed. */
const READABLE_MS = 60 * 86_400_000;

/** One emulated shop: its state, and what a test or demo does as the merchant or the platform. */
export class EmulatedShop {
  readonly domain: string;
  readonly tokens: TokenDesk;
  /** The scopes that the merchant granted the app. */
  scopes: readonly string[] = [
    "read_customers",
    "read_orders",
    "write_merchant_managed_fulfillment_orders",
    "write_orders",
    "write_third_party_fulfillment_orders",
  ];
  /** The optional scopes in the app's deployed file. */
  optionalScopes: readonly string[] = [
    "read_shopify_payments_disputes",
    "write_validations",
    "write_payment_customizations",
  ];
  /** The functions and rules of the checkout. */
  readonly checkout = new EmulatedCheckout();
  /** Topics subscribed to over the API, by their API names. The ones in the app's own file are never listed. */
  subscriptions: readonly string[] = [];
  /** Statuses of the app's plans that the shop pays for. */
  plans: readonly string[] = [];
  locale = { currencyCode: "USD", ianaTimezone: "UTC" };
  /** The addresses for their webhooks, by topic. */
  readonly subscribed = new Map<string, string>();
  /** Disputes of Shopify Payments. */
  readonly disputes: EmulatedDispute[] = [];
  /** Handles of the app's deployed Flow triggers. */
  flowTriggers: readonly string[] = [];
  /** Started workflows, oldest first. */
  readonly workflows: { readonly handle: string; readonly payload: unknown }[] = [];
  /** Webhooks about fulfillment orders and risk assessments, oldest first. */
  readonly webhooks: EmulatedWebhook[] = [];
  /** Where they are sent. Default: nowhere. */
  onWebhook: ((webhook: EmulatedWebhook) => void) | undefined;
  /** API versions that the platform supports. */
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

  /** The shop's time, in milliseconds since the epoch. */
  get nowMs(): number {
    return this.#now();
  }

  /** The merchant grants the app one more scope. */
  grant(scope: string): void {
    if (!this.scopes.includes(scope)) this.scopes = [...this.scopes, scope];
  }

  /** Put an order into the shop. */
  addOrder(order: NewEmulatedOrder): EmulatedOrder {
    const { payload: given = {} } = order;
    const payload = typeof given === "string" ? (JSON.parse(given) as OrderPayload) : given;
    const createdAtMs = Date.parse(String(payload["created_at"]));
    const added: EmulatedOrder = {
      id: toOrderGid(order.orderId),
      createdAt: new Date(Number.isNaN(createdAtMs) ? this.#now() : createdAtMs).toISOString(),
      payload,
      customer: order.customer ?? null,
      companyName: order.companyName ?? null,
      transactions: [...(order.transactions ?? [])],
      captureResult: "SUCCESS",
      protect: order.protect ?? null,
      financialStatus: order.financialStatus ?? "PAID",
      tags: [...(order.tags ?? [])],
      assessments: [],
      fulfillmentOrders: [],
      shipments: [],
      isLocationDeactivated: false,
      isCancelRefused: false,
      isJobHidden: false,
      cancellations: [],
      events: [],
      cancelledAt: null,
    };
    this.#orders.set(added.id, added);
    this.routeOrder(order.orderId, order.routed ?? 1);
    const cancelledAt = payload["cancelled_at"];
    if (typeof cancelledAt === "string") this.#markCancelled(added, cancelledAt);
    return added;
  }

  /** The platform assigns locations: `count` more fulfillment orders appear. Default `service`: the merchant. */
  routeOrder(
    orderId: string,
    count = 1,
    {
      service = null,
      units = null,
    }: { readonly service?: string | null; readonly units?: number | null } = {},
  ): readonly EmulatedFulfillmentOrder[] {
    const added = Array.from({ length: count }, () => this.#createEntry({ service, units }));
    this.order(orderId).fulfillmentOrders.push(...added);
    return added;
  }

  /** Fulfillment orders that the app may see: those of fulfillment services need their own scope. */
  visibleEntries(order: EmulatedOrder): readonly EmulatedFulfillmentOrder[] {
    const seesAll = this.scopes.some((scope) =>
      /^(?:read|write)_third_party_fulfillment_orders$/.test(scope),
    );
    return order.fulfillmentOrders.filter(({ service }) => seesAll || service === null);
  }

  /** The merchant sends a fulfillment order to its service. */
  submitEntry(entry: EmulatedFulfillmentOrder): void {
    assert(
      entry.service !== null && entry.status === "OPEN",
      "only an open one of a service can be submitted",
    );
    entry.requestStatus = "SUBMITTED";
  }

  /** The service answers the merchant's request to ship, or to give back. */
  answerRequest(orderId: string, entry: EmulatedFulfillmentOrder, answer: "accept" | "reject"): void {
    const isCancellation = entry.requestStatus === "CANCELLATION_REQUESTED";
    assert(isCancellation || entry.requestStatus === "SUBMITTED", "nothing was requested");
    if (!isCancellation) {
      entry.requestStatus = answer === "accept" ? "ACCEPTED" : "REJECTED";
      if (answer === "accept") entry.status = "IN_PROGRESS";
      return;
    }
    if (answer === "reject") entry.requestStatus = "CANCELLATION_REJECTED";
    else this.replaceEntry(this.order(orderId), entry, "CANCELLATION_ACCEPTED");
  }

  /** A fulfillment order ends, and an open one with the same goods replaces it. */
  replaceEntry(
    order: EmulatedOrder,
    entry: EmulatedFulfillmentOrder,
    requestStatus: RequestStatus = entry.requestStatus,
  ): EmulatedFulfillmentOrder {
    const replacement = this.#createEntry({ service: entry.service, units: toRemainingUnits(order, entry) });
    entry.requestStatus = requestStatus;
    entry.status = requestStatus === "CANCELLATION_ACCEPTED" ? "CLOSED" : "CANCELLED";
    order.fulfillmentOrders.push(replacement);
    return replacement;
  }

  /** Somebody splits `units` off a fulfillment order in the admin. The rest of it keeps its holds. */
  splitEntry(orderId: string, entry: EmulatedFulfillmentOrder, units: number): EmulatedFulfillmentOrder {
    const order = this.order(orderId);
    entry.units = toRemainingUnits(order, entry) - units;
    const rest = this.#createEntry({ service: entry.service, units });
    order.fulfillmentOrders.push(rest);
    this.#send("fulfillment_orders/split", toSplitBody(entry, rest, units));
    return rest;
  }

  /** Somebody moves `units` of a fulfillment order to the location of `service`, or to the merchant's for null. */
  moveEntry(
    orderId: string,
    entry: EmulatedFulfillmentOrder,
    { units, service = null }: { readonly units: number; readonly service?: string | null },
  ): EmulatedFulfillmentOrder {
    const order = this.order(orderId);
    entry.units = toRemainingUnits(order, entry) - units;
    const moved = this.#createEntry({ service, units });
    order.fulfillmentOrders.push(moved);
    this.#send("fulfillment_orders/moved", toMovedBody(entry, moved, units));
    return moved;
  }

  /** Somebody merges fulfillment orders: they end, and an open one has their goods, without their holds. */
  mergeEntries(orderId: string, entries: readonly EmulatedFulfillmentOrder[]): EmulatedFulfillmentOrder {
    const order = this.order(orderId);
    const units = entries.reduce((sum, entry) => sum + toRemainingUnits(order, entry), 0);
    const merged = this.#createEntry({ service: null, units });
    const body = toMergedBody(entries, merged);
    for (const entry of entries) Object.assign(entry, { status: "CLOSED", holds: [], units: 0 });
    order.fulfillmentOrders.push(merged);
    this.#send("fulfillment_orders/merged", body);
    return merged;
  }

  #send(topic: string, body: string): void {
    const webhook = { topic, body };
    this.webhooks.push(webhook);
    this.onWebhook?.(webhook);
  }

  #createEntry(parts: Pick<EmulatedFulfillmentOrder, "service" | "units">): EmulatedFulfillmentOrder {
    const id = `gid://shopify/FulfillmentOrder/${this.nextId()}`;
    return { id, status: "OPEN", requestStatus: "UNSUBMITTED", holdable: true, holds: [], ...parts };
  }

  /** An order with everything that happened to it, by digits or global id. @throws {Error} if there is none. */
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

  /**
   * Whether the app may read an order: without `read_all_orders`, only one of the last 60 days. Its fulfillment orders
   * have scopes of their own, and stay readable by their ids.
   */
  isReadable({ createdAt }: EmulatedOrder): boolean {
    return this.scopes.includes("read_all_orders") || this.#now() - Date.parse(createdAt) < READABLE_MS;
  }

  /** The platform itself assesses the order, as it does soon after an order was placed. */
  assessOrder(orderId: string, riskLevel: "LOW" | "MEDIUM" | "HIGH"): void {
    this.order(orderId).assessments.push({ riskLevel, facts: [], provider: null });
    const body = toAssessedBody(orderId, riskLevel, this.#now());
    this.#send("orders/risk_assessment_changed", body);
  }

  /** The payment of an order becomes readable, as it does a moment after the order. */
  payOrder(orderId: string, transactions: readonly EmulatedTransaction[]): void {
    this.order(orderId).transactions = [...transactions];
  }

  /** Somebody cancels the order in the admin. */
  cancelOrder(orderId: string): void {
    this.#markCancelled(this.order(orderId));
  }

  /** Somebody releases every hold of the order, from any app. Default: a member of the staff, in the admin. */
  releaseHold(orderId: string, by: EmulatedActor = "staff"): void {
    const order = this.order(orderId);
    for (const entry of order.fulfillmentOrders) this.release(order, entry, () => true, by);
  }

  /** Put a hold on a fulfillment order. */
  hold(order: EmulatedOrder, entry: EmulatedFulfillmentOrder, hold: EmulatedHold, by: EmulatedActor): void {
    const isFirst = entry.status !== "ON_HOLD";
    entry.holds.push(hold);
    entry.status = "ON_HOLD";
    this.addEvent(order, "fulfillment_hold_placed", by);
    if (isFirst) this.#send("fulfillment_orders/placed_on_hold", toHeldBody(entry, hold));
  }

  /** Something happens that an order's history shows. Shopify publishes no names for what happens to holds. */
  addEvent(order: EmulatedOrder, action: string, by: EmulatedActor): void {
    const id = `gid://shopify/BasicEvent/${this.nextId()}`;
    order.events.push({ id, action, atMs: this.#now(), by });
  }

  /** Remove holds from a fulfillment order. */
  release(
    order: EmulatedOrder,
    entry: EmulatedFulfillmentOrder,
    isMeant: (hold: EmulatedHold) => boolean,
    by: EmulatedActor,
  ): void {
    const before = entry.status;
    if (entry.holds.some(isMeant)) this.addEvent(order, "fulfillment_hold_released", by);
    removeHolds(entry, isMeant);
    if (entry.status !== before) this.#send("fulfillment_orders/hold_released", toReleasedBody(entry));
  }

  /** Somebody removes a tag from the order in the admin. */
  removeTag(orderId: string, tag: string): void {
    removeTags(this.order(orderId), [tag]);
  }

  /** Somebody ships the whole order, and releases what is held. */
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

  /** Remove a permission: `Order.customer`, `Mutation.tagsAdd`… answer null with ACCESS_DENIED. */
  deny(...fields: readonly string[]): void {
    for (const field of fields) this.#denied.add(field);
  }

  /** Whether {@link EmulatedShop.deny} named the field. */
  isDenied(field: string): boolean {
    return this.#denied.has(field);
  }

  /** A number that this shop hasn't used yet. */
  nextId(): string {
    this.#lastId += 1;
    return String(this.#lastId);
  }

  #settle(order: EmulatedOrder, all: boolean): void {
    for (const job of order.cancellations) {
      if (job.status !== "STARTED" || (!all && job.dueAtMs > this.#now())) continue;
      const isStuck = order.isLocationDeactivated && job.restock;
      job.errors = isStuck ? ["INVALID"] : (this.#failingCancels.get(order.id) ?? []);
      job.status = job.errors.length === 0 ? "SUCCEEDED" : "FAILED";
      if (job.status === "SUCCEEDED") this.#markCancelled(order);
    }
  }

  #markCancelled(order: EmulatedOrder, at = new Date(this.#now()).toISOString()): void {
    order.cancelledAt ??= at;
    for (const entry of order.fulfillmentOrders) if (entry.status !== "CLOSED") entry.status = "CANCELLED";
  }
}

/** The global id of an order given by its digits; a global id stays unchanged. */
export function toOrderGid(orderId: string): string {
  return orderId.startsWith("gid://") ? orderId : `gid://shopify/Order/${orderId}`;
}
