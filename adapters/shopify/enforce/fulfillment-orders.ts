import type { FulfillmentOrder, FulfillmentOrderPage } from "../operations/generated/operations.ts";
import { mutate, readPages, type Ask } from "../admin/ask.ts";
import type { StepContext } from "./step.ts";
import { HOLD_HANDLE, toGlobalIds } from "../base/fulfillment-ids.ts";

/** Read every fulfillment order of an order, all pages of them; null if the shop doesn't show the order. */
export async function readFulfillmentOrders(ask: Ask, orderGid: string) {
  const { order } = (await ask("OrderFulfillmentOrders", { id: orderGid, after: null })).data;
  if (order === null) return null;
  const nodes = await readOn(ask, orderGid, order.fulfillmentOrders);
  return nodes === null ? null : { cancelled: order.cancelledAt !== null, nodes };
}

export function readOn(ask: Ask, orderGid: string, first: FulfillmentOrderPage) {
  return readPages(first, async (after) => {
    const { data } = await ask("OrderFulfillmentOrders", { id: orderGid, after });
    return data.order?.fulfillmentOrders;
  });
}

/** Statuses in which nothing is left to hold: shipped, or replaced by another fulfillment order. */
const OVER: ReadonlySet<string> = new Set(["CLOSED", "CANCELLED"]);

export function isOver({ status }: Pick<FulfillmentOrder, "status">): boolean {
  return OVER.has(status);
}

/** The ids of fulfillment orders that a hold covers, for the memory of the step. */
export function toMemory(entries: readonly FulfillmentOrder[]): Readonly<Record<string, string>> {
  return { entries: toDigits(entries) };
}

/** The ids of all fulfillment orders with goods that a step saw, for when Shopify no longer shows the order. */
export function toGoodsMemory(entries: readonly FulfillmentOrder[]): Readonly<Record<string, string>> {
  return { goods: toDigits(entries.filter((entry) => !isOver(entry))) };
}

function toDigits(entries: readonly FulfillmentOrder[]): string {
  return entries.map(({ id }) => id.slice(id.lastIndexOf("/") + 1)).join(" ");
}

/** All ids of fulfillment orders in the memory of a hold. */
export function fromMemory({ goods, entries }: Readonly<Record<string, string>>): readonly string[] {
  return toGlobalIds([...(goods ?? "").split(" "), ...(entries ?? "").split(" ")]);
}

/** The ids of the fulfillment orders in the memory of a hold. */
export function readKnown(memory: Readonly<Record<string, string>>): ReadonlySet<string> {
  return new Set(toGlobalIds((memory["entries"] ?? "").split(" ")));
}

export function canHold(entry: FulfillmentOrder): boolean {
  return supports(entry, "HOLD");
}

function supports(entry: FulfillmentOrder, name: string): boolean {
  return entry.supportedActions.some(({ action }) => action === name);
}

export function findOwnHold(
  entry: FulfillmentOrder,
): FulfillmentOrder["fulfillmentHolds"][number] | undefined {
  return entry.fulfillmentHolds.find((hold) => hold.heldByRequestingApp && hold.handle === HOLD_HANDLE);
}

export function listOwnHolds(entries: readonly FulfillmentOrder[]) {
  return entries.flatMap((entry) => {
    const hold = findOwnHold(entry);
    return hold === undefined ? [] : [{ holdId: hold.id, reference: entry.id }];
  });
}

/** The state of a fulfillment order that can't be held because a fulfillment service has it. */
type ServiceState = "submitted" | "accepted" | "recalling" | "refused";

const SERVICE_STATES: ReadonlyMap<string, ServiceState> = new Map<string, ServiceState>([
  ["SUBMITTED", "submitted"],
  ["ACCEPTED", "accepted"],
  ["CANCELLATION_REQUESTED", "recalling"],
  ["CANCELLATION_REJECTED", "refused"],
]);

const MESSAGE = "Please don't ship this order. The merchant is reviewing it.";

/** The state of a fulfillment order at its fulfillment service; undefined if the service isn't involved. */
export function toServiceState({ status, requestStatus }: FulfillmentOrder): ServiceState | undefined {
  return status === "CLOSED" || status === "INCOMPLETE" ? undefined : SERVICE_STATES.get(requestStatus);
}

/** Whether Holdfast can do something to get a fulfillment order back. A service that refused isn't asked again. */
export function canRecall(entry: FulfillmentOrder): boolean {
  const state = toServiceState(entry);
  if (state === "submitted" && supports(entry, "CANCEL_FULFILLMENT_ORDER")) return true;
  return (state === "submitted" || state === "accepted") && supports(entry, "REQUEST_CANCELLATION");
}

/**
 * Get a fulfillment order back from its fulfillment service. `returned`: at once, because the service hadn't accepted
 * it. `asked`: the service has to answer. `changed`: Shopify refused; the next list shows why.
 */
export async function recall(
  { ask }: StepContext,
  entry: FulfillmentOrder,
): Promise<"returned" | "asked" | "changed"> {
  const { id } = entry;
  if (toServiceState(entry) === "submitted" && supports(entry, "CANCEL_FULFILLMENT_ORDER")) {
    const { userErrors } = await mutate(ask, "CancelFulfillmentOrder", { id });
    return userErrors.length === 0 ? "returned" : "changed";
  }
  const { userErrors } = await mutate(ask, "RequestCancellation", { id, message: MESSAGE });
  return userErrors.length === 0 ? "asked" : "changed";
}
