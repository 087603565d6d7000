import { GraphQLError } from "graphql";
import {
  isReplaced,
  removeTags,
  toDisplayStatus,
  toSupportedActions,
  type EmulatedHold,
  type EmulatedOrder,
} from "./emulated-order.ts";
import { APP_TITLE, findSubscriptions, subscribe, toInstallationNode, toVersionNodes } from "./app-node.ts";
import { findDispute, updateEvidence } from "./disputes.ts";
import { toCheckoutRoot } from "./emulated-checkout.ts";
import { toPaymentsRoot } from "./emulated-payments.ts";
import { toOrderGid, type EmulatedShop } from "./emulated-shop.ts";
import type { GraphNode, PageArguments } from "./graph-node.ts";
import { listOrders, type ListArguments } from "./order-listing.ts";
import { capturePayment, type CaptureInput } from "./payments.ts";
import { toFulfillmentOrderNode, toJobNode, toOrderNode } from "./order-node.ts";

const FACTS_MAX = 20;
const FACT_LENGTH_MAX = 256;
const TAG_LENGTH_MAX = 40;
const TAGS_MAX = 250;
const HOLDS_MAX = 10;
const HANDLE_LENGTH_MAX = 64;
const STAFF_NOTE_LENGTH_MAX = 255;
const FLOW_PAYLOAD_BYTES_MAX = 50_000;

/** The caller and its shop. */
export interface AdminCall {
  readonly shop: EmulatedShop;
  readonly apiKey: string;
  readonly mode: "offline" | "online";
  readonly now: () => number;
  /** How long a cancellation runs, in milliseconds. */
  readonly cancelDelayMs: number;
}

interface AssessmentInput {
  readonly orderId: string;
  readonly riskLevel: string;
  readonly facts: readonly { readonly description: string; readonly sentiment: string }[];
}

interface HoldArguments {
  readonly id: string;
  readonly fulfillmentHold: {
    readonly reason: string;
    readonly reasonNotes?: string | null;
    readonly handle: string;
  };
}

interface ReleaseArguments {
  readonly id: string;
  readonly holdIds?: readonly string[] | null;
}

interface CancelArguments {
  readonly orderId: string;
  readonly reason: string;
  readonly restock: boolean;
  readonly notifyCustomer: boolean;
  readonly refundMethod?: { readonly originalPaymentMethodsRefund?: boolean } | null;
  readonly staffNote?: string | null;
}

/** Root fields of the schema for one call. */
export function createAdminRoot(call: AdminCall): GraphNode {
  const { shop } = call;
  const orderOf = (id: string) => findReadable(shop, id);
  return {
    order: ({ id }: { id: string }) => {
      const order = orderOf(id);
      return order === undefined ? null : toOrderNode(shop, order);
    },
    orders: (input: ListArguments) => listOrders(shop, input),
    fulfillmentOrder: ({ id }: { id: string }) => findFulfillmentOrder(shop, id)?.node ?? null,
    node: ({ id }: { id: string }) => findNode(shop, id),
    shop: () => ({ id: "gid://shopify/Shop/1", ...shop.locale }),
    currentAppInstallation: () => toInstallationNode(shop),
    publicApiVersions: () => toVersionNodes(shop),
    webhookSubscriptions: (input: PageArguments & { readonly topics?: readonly string[] | null }) =>
      findSubscriptions(shop, input),
    nodes: ({ ids }: { ids: readonly string[] }) => ids.map((id) => findNode(shop, id)),
    tagsAdd: ({ id, tags }: { id: string; tags: readonly string[] }) => addTags(shop, orderOf(id), tags),
    tagsRemove: ({ id, tags }: { id: string; tags: readonly string[] }) => untag(shop, orderOf(id), tags),
    orderRiskAssessmentCreate: (input: { orderRiskAssessmentInput: AssessmentInput }) =>
      assess(call, input.orderRiskAssessmentInput),
    flowTriggerReceive: (input: { readonly handle?: string | null; readonly payload?: unknown }) =>
      receiveTrigger(shop, input),
    fulfillmentOrderHold: (input: HoldArguments) => hold(shop, input),
    fulfillmentOrderReleaseHold: (input: ReleaseArguments) => release(shop, input),
    fulfillmentOrderCancel: ({ id }: { id: string }) => cancelEntry(shop, id),
    fulfillmentOrderSubmitCancellationRequest: ({ id }: { id: string }) => requestCancellation(shop, id),
    dispute: ({ id }: { readonly id: string }) => findDispute(shop, id),
    disputeEvidenceUpdate: (input: Parameters<typeof updateEvidence>[1]) => updateEvidence(shop, input),
    orderCapture: ({ input }: { readonly input: CaptureInput }) =>
      capturePayment(orderOf(input.id), input, shop.nowMs),
    webhookSubscriptionCreate: (input: Parameters<typeof subscribe>[1]) => subscribe(shop, input),
    ...toCheckoutRoot(shop, call.apiKey),
    ...toPaymentsRoot(shop, call.apiKey),
    orderCancel: (input: CancelArguments) => cancel(call, input),
  };
}

function addTags(shop: EmulatedShop, order: EmulatedOrder | undefined, tags: readonly string[]): GraphNode {
  const tooLong = tags.some((tag) => tag.length > TAG_LENGTH_MAX || tag.trim() === "");
  if (order === undefined || tooLong) {
    return { node: null, userErrors: [{ field: [order === undefined ? "id" : "tags"] }] };
  }
  // A set, case-insensitive.
  const known = new Set(order.tags.map((tag) => tag.toLowerCase()));
  const added = tags.filter((tag) => !known.has(tag.toLowerCase()));
  if (order.tags.length + added.length > TAGS_MAX) return { node: null, userErrors: [{ field: ["tags"] }] };
  order.tags.push(...added);
  return { node: toOrderNode(shop, order), userErrors: [] };
}

function untag(shop: EmulatedShop, order: EmulatedOrder | undefined, tags: readonly string[]): GraphNode {
  if (order === undefined) return { node: null, userErrors: [{ field: ["id"] }] };
  removeTags(order, tags);
  return { node: toOrderNode(shop, order), userErrors: [] };
}

function assess(call: AdminCall, input: AssessmentInput): GraphNode {
  if (call.mode !== "offline") {
    throw new GraphQLError("Access denied for orderRiskAssessmentCreate field.", {
      extensions: { code: "ACCESS_DENIED" },
    });
  }
  const refuse = (code: string) => ({ orderRiskAssessment: null, userErrors: [{ code }] });
  const order = findReadable(call.shop, input.orderId);
  if (order === undefined) return refuse("NOT_FOUND");
  if (input.facts.length > FACTS_MAX) return refuse("TOO_MANY_FACTS");
  if (toDisplayStatus(order) === "FULFILLED") return refuse("ORDER_ALREADY_FULFILLED");
  const assessment = {
    riskLevel: input.riskLevel,
    facts: input.facts.map((fact) => ({ ...fact, description: fact.description.slice(0, FACT_LENGTH_MAX) })),
    provider: call.apiKey,
  };
  order.assessments.push(assessment);
  return { orderRiskAssessment: { ...assessment, provider: { apiKey: call.apiKey } }, userErrors: [] };
}

function receiveTrigger(
  shop: EmulatedShop,
  { handle, payload }: { readonly handle?: string | null; readonly payload?: unknown },
): GraphNode {
  const tooLong = Buffer.byteLength(JSON.stringify(payload ?? null)) > FLOW_PAYLOAD_BYTES_MAX;
  if (handle == null || !shop.flowTriggers.includes(handle)) return { userErrors: [{ field: ["handle"] }] };
  if (tooLong) return { userErrors: [{ field: ["payload"] }] };
  shop.workflows.push({ handle, payload });
  return { userErrors: [] };
}

function hold(shop: EmulatedShop, { id, fulfillmentHold }: HoldArguments): GraphNode {
  const refuse = (code: string | null) => ({ fulfillmentHold: null, userErrors: [{ code }] });
  const found = findFulfillmentOrder(shop, id);
  if (found === undefined) return refuse("FULFILLMENT_ORDER_NOT_FOUND");
  const { order, entry } = found;
  // The published codes have none for a status that can't be held, nor for a handle that is too long.
  if (!toSupportedActions(entry).includes("HOLD")) return refuse(null);
  if (fulfillmentHold.handle.length > HANDLE_LENGTH_MAX) return refuse(null);
  const ours = entry.holds.filter((other) => other.ours);
  if (ours.some((other) => other.handle === fulfillmentHold.handle)) {
    return refuse("DUPLICATE_FULFILLMENT_HOLD_HANDLE");
  }
  if (ours.length >= HOLDS_MAX) return refuse("FULFILLMENT_ORDER_HOLD_LIMIT_REACHED");
  const added = {
    id: `gid://shopify/FulfillmentHold/${shop.nextId()}`,
    handle: fulfillmentHold.handle,
    reason: fulfillmentHold.reason,
    reasonNotes: fulfillmentHold.reasonNotes ?? null,
    ours: true,
  };
  shop.hold(order, entry, added, { app: APP_TITLE });
  return { fulfillmentHold: { ...added, heldByRequestingApp: true }, userErrors: [] };
}

/** The request to ship ends at once, and an open fulfillment order replaces the requested one. */
function cancelEntry(shop: EmulatedShop, id: string): GraphNode {
  const found = findFulfillmentOrder(shop, id);
  if (found === undefined || !toSupportedActions(found.entry).includes("CANCEL_FULFILLMENT_ORDER")) {
    return { fulfillmentOrder: null, replacementFulfillmentOrder: null, userErrors: [{ field: ["id"] }] };
  }
  const replacement = shop.replaceEntry(found.order, found.entry);
  const node = toFulfillmentOrderNode(found.order, replacement);
  return { fulfillmentOrder: found.node, replacementFulfillmentOrder: node, userErrors: [] };
}

function requestCancellation(shop: EmulatedShop, id: string): GraphNode {
  const found = findFulfillmentOrder(shop, id);
  if (found === undefined || !toSupportedActions(found.entry).includes("REQUEST_CANCELLATION")) {
    return { fulfillmentOrder: null, userErrors: [{ field: ["id"] }] };
  }
  found.entry.requestStatus = "CANCELLATION_REQUESTED";
  return { fulfillmentOrder: found.node, userErrors: [] };
}

/** As dangerous as the platform's: without ids it releases every app's holds, and it ignores other orders' ids. */
function release(shop: EmulatedShop, { id, holdIds }: ReleaseArguments): GraphNode {
  const found = findFulfillmentOrder(shop, id);
  if (found === undefined) {
    return { fulfillmentOrder: null, userErrors: [{ code: "FULFILLMENT_ORDER_NOT_FOUND" }] };
  }
  const isMeant = (held: EmulatedHold) => holdIds?.includes(held.id) ?? true;
  shop.release(found.order, found.entry, isMeant, { app: APP_TITLE });
  return { fulfillmentOrder: found.node, userErrors: [] };
}

function cancel(call: AdminCall, input: CancelArguments): GraphNode {
  const refuse = (code: string) => ({ jobResult: null, orderCancelUserErrors: [{ code }] });
  const order = findReadable(call.shop, toOrderGid(input.orderId));
  if (order === undefined) return refuse("NOT_FOUND");
  const busy = order.cancellations.some((job) => job.status === "STARTED");
  const live = order.fulfillmentOrders.filter((entry) => !isReplaced(entry));
  const shipped = live.some(({ status }) => ["CLOSED", "IN_PROGRESS"].includes(status));
  const noteTooLong = (input.staffNote ?? "").length > STAFF_NOTE_LENGTH_MAX;
  if (busy || shipped || noteTooLong || order.isCancelRefused || order.cancelledAt !== null)
    return refuse("INVALID");
  const job = {
    jobId: `gid://shopify/OrderCancelJobResult/${call.shop.nextId()}`,
    reason: input.reason,
    refund: input.refundMethod?.originalPaymentMethodsRefund === true,
    restock: input.restock,
    notifyCustomer: input.notifyCustomer,
    staffNote: input.staffNote ?? null,
    status: "STARTED" as const,
    errors: [],
    dueAtMs: call.now() + call.cancelDelayMs,
  };
  order.cancellations.push(job);
  return { jobResult: toJobNode(call.shop, order, job), orderCancelUserErrors: [] };
}

/** For the app, an order that it may not read doesn't exist. */
function findReadable(shop: EmulatedShop, id: string): EmulatedOrder | undefined {
  const order = id.startsWith("gid://shopify/Order/") ? shop.findOrder(id) : undefined;
  return order !== undefined && shop.isReadable(order) ? order : undefined;
}

function findFulfillmentOrder(shop: EmulatedShop, id: string) {
  for (const order of shop.orders()) {
    const entry = shop.visibleEntries(order).find((candidate) => candidate.id === id);
    if (entry !== undefined) return { order, entry, node: toFulfillmentOrderNode(order, entry) };
  }
  return undefined;
}

function findNode(shop: EmulatedShop, id: string): GraphNode | null {
  for (const order of shop.orders()) {
    if (order.id === id) return shop.isReadable(order) ? toOrderNode(shop, order) : null;
    const job = order.cancellations.find((candidate) => candidate.jobId === id);
    if (job !== undefined) return toJobNode(shop, order, job);
  }
  return findFulfillmentOrder(shop, id)?.node ?? null;
}
