import type { ObservedOrder, ObserveOptions, TenantId } from "../../../src/adapter-kit.ts";
import { toPlatformRisk } from "../mapping/order-detail.ts";
import { requireWhole } from "../admin/admin-answer.ts";
import type { AdminClient } from "../admin/admin-client.ts";
import {
  canHold,
  findOwnHold,
  isOver,
  listOwnHolds,
  readKnown,
  readOn,
  canRecall,
} from "./fulfillment-orders.ts";
import { fromReference } from "../base/fulfillment-ids.ts";
import type { FulfillmentOrder } from "../operations/generated/operations.ts";
import { readHidden, toHiddenFromMs, type UnseenOrder } from "./hidden-order.ts";
import { toGlobalIdDigits, toOrderGid } from "../base/payload.ts";
import { askShop, type Ask } from "../admin/ask.ts";
import { findReleaser } from "./releaser.ts";

/** For an order with a hold: other goods of it could still ship. */
const NOT_ALL_HELD: ReadonlySet<string> = new Set(["UNFULFILLED", "IN_PROGRESS", "PENDING_FULFILLMENT"]);

/** Shopify has no level above HIGH. If an order has several of our assessments, Shopify uses the most severe. */
const SEVERITY = ["HIGH", "MEDIUM", "LOW", "PENDING", "NONE"];

/**
 * What the shop shows for an order now; null if it doesn't know the order. One query, unless the order has more than
 * fifty fulfillment orders, or our hold was released: then a second one asks who released it.
 */
export async function observeOrder(
  client: AdminClient,
  apiKey: string,
  tenant: TenantId,
  orderId: string,
  { signal, holdMemory = {}, heldAtMs, remembered }: ObserveOptions = {},
  now: () => number = Date.now,
): Promise<ObservedOrder | "hidden" | null> {
  const orderGid = toOrderGid(orderId);
  if (orderGid === undefined) return null;
  const ask = askShop(client, tenant, signal);
  const { order, currentAppInstallation: app } = (await ask("ObserveOrder", { id: orderGid })).data;
  if (order === null) return observeHidden({ ask, orderGid, now, remembered, memory: holdMemory }, heldAtMs);
  const entries = await readOn(ask, orderGid, order.fulfillmentOrders);
  if (entries === null) return null;
  const open = entries.filter((entry) => findOwnHold(entry) === undefined);
  const ours = order.risk.assessments.filter(({ provider }) => provider?.apiKey === apiKey);
  const observed: ObservedOrder = {
    cancelled: order.cancelledAt !== null,
    fulfilled: order.displayFulfillmentStatus === "FULFILLED",
    partlyFulfilled: order.displayFulfillmentStatus === "PARTIALLY_FULFILLED",
    // Some goods may be hidden from us, but Shopify knows all of them.
    holdable:
      open.some((entry) => canHold(entry) || canRecall(entry)) ||
      (open.length < entries.length && NOT_ALL_HELD.has(order.displayFulfillmentStatus)),
    tags: order.tags,
    holds: listOwnHolds(entries),
    ...(areHoldsReplaced(entries, holdMemory) ? { holdsReplaced: true } : {}),
    assessment: SEVERITY.find((level) => ours.some(({ riskLevel }) => riskLevel === level)) ?? null,
    platformRisk: toPlatformRisk(order.risk, ours.length > 0),
    hiddenFromMs: toHiddenFromMs(order.createdAt, app),
  };
  return withReleaser(ask, orderGid, observed, heldAtMs);
}

/** An order that Shopify no longer shows, as its remembered fulfillment orders show it. */
async function observeHidden(
  unseen: UnseenOrder,
  heldAtMs: number | undefined,
): Promise<ObservedOrder | "hidden" | null> {
  const entries = await readHidden(unseen);
  if (entries === null || entries === "hidden") return entries;
  const left = entries.filter((entry) => !isOver(entry));
  // They shipped, or Shopify merged them into one that no webhook has named yet: they look the same.
  if (left.length === 0) return "hidden";
  const { memory = {} } = unseen;
  const holds = listOwnHolds(entries);
  const areReplaced = areHoldsReplaced(entries, memory);
  const wasHeld = heldAtMs !== undefined || readKnown(memory).size > 0;
  // Our hold was released, and the order's history, which would say who did it, is hidden too.
  if (wasHeld && holds.length === 0 && !areReplaced) return "hidden";
  return {
    cancelled: false,
    fulfilled: false,
    partlyFulfilled: entries.some(({ status }) => status === "CLOSED"),
    holdable: left.some((entry) => findOwnHold(entry) === undefined && (canHold(entry) || canRecall(entry))),
    tags: [],
    holds,
    ...(areReplaced ? { holdsReplaced: true } : {}),
    assessment: null,
    platformRisk: null,
    hidden: true,
  };
}

/** An order with who released our hold, if somebody did and the caller wants to know. */
async function withReleaser(
  ask: Ask,
  orderGid: string,
  observed: ObservedOrder,
  heldAtMs: number | undefined,
): Promise<ObservedOrder> {
  if (heldAtMs === undefined || !isReleased(observed)) return observed;
  return { ...observed, released: await findReleaser(ask, orderGid, heldAtMs) };
}

/** Whether our hold is gone from an order that can still ship. */
function isReleased({ holds, holdsReplaced, cancelled, fulfilled }: ObservedOrder): boolean {
  return holds.length === 0 && holdsReplaced !== true && !cancelled && !fulfilled;
}

/**
 * Whether other fulfillment orders replaced the ones that we held: Shopify merges and replaces them, and a hold isn't
 * known to survive it. If one of them is still there without its hold, a person released it.
 */
function areHoldsReplaced(entries: readonly FulfillmentOrder[], memory: Readonly<Record<string, string>>) {
  const known = readKnown(memory);
  if (known.size === 0 || entries.some((entry) => findOwnHold(entry) !== undefined)) return false;
  const present = entries.filter((entry) => !isOver(entry));
  return (
    present.every(({ id }) => !known.has(id)) && present.some((entry) => canHold(entry) || canRecall(entry))
  );
}

/**
 * The order that fulfillment orders belong to; null if the shop shows none of them. An event can name several, of which
 * some may be replaced or hidden.
 */
export async function locateOrder(
  client: AdminClient,
  tenant: TenantId,
  reference: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const ids = fromReference(reference);
  if (ids.length === 0) return null;
  const ask = askShop(client, tenant, signal);
  const { nodes } = requireWhole(await ask("LocateFulfillmentOrders", { ids })).data;
  const found = nodes.find((node) => node?.__typename === "FulfillmentOrder");
  return toGlobalIdDigits(found?.orderId, "Order") ?? null;
}
