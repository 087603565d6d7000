/** A past order of an emulated customer. */
export interface EmulatedPastOrder {
  readonly orderId: string;
  readonly cancelled?: boolean | undefined;
  /** @default "FULFILLED" */
  readonly fulfillment?: string | undefined;
  /** @default "NO_RETURN" */
  readonly returnStatus?: string | undefined;
}

/** A customer of an emulated shop. */
export interface EmulatedCustomer {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly tags?: readonly string[] | undefined;
  /** Lifetime, including the current order: the platform counts it at once. */
  readonly numberOfOrders: number;
  /** Lifetime, shop currency, as a decimal. */
  readonly amountSpent: { readonly amount: string; readonly currencyCode: string };
  /** Readable past orders, newest first; fewer than `numberOfOrders` when the older ones can't be read. */
  readonly orders?: readonly EmulatedPastOrder[] | undefined;
}

/** A payment of an emulated order. */
export interface EmulatedTransaction {
  /** @default "AUTHORIZATION" */
  readonly kind?: string | undefined;
  /** Of a capture: the global id of its authorization. */
  readonly parentId?: string | undefined;
  /** What was authorized or captured. @default the order's total */
  readonly amount?: string | undefined;
  /** @default "SUCCESS" */
  status?: string | undefined;
  /** ISO 8601; null where the shop isn't on the highest plan. */
  readonly authorizationExpiresAt?: string | null | undefined;
  /** Card facts, or null for a payment without a card. */
  readonly card: {
    readonly company: string | null;
    readonly number: string | null;
    readonly name: string | null;
    readonly expirationMonth: number | null;
    readonly expirationYear: number | null;
    readonly bin?: string | null | undefined;
    readonly avsResultCode?: string | null | undefined;
    readonly cvvResultCode?: string | null | undefined;
    readonly wallet?: string | null | undefined;
  } | null;
}

/** A parcel of an emulated order. */
export interface EmulatedShipment {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly deliveredAt?: string | null | undefined;
  /** @default "SUCCESS" */
  readonly status?: string | undefined;
  readonly trackingInfo?: readonly { readonly company: string | null; readonly number: string | null }[];
}

/** Shopify Protect's statement about an order. */
export interface EmulatedProtect {
  readonly status: string;
  readonly eligibility: string;
}

/** An order to put into an emulated shop. */
export interface NewEmulatedOrder {
  /** Digits. */
  readonly orderId: string;
  readonly customer?: EmulatedCustomer | null | undefined;
  /** Name of the company that buys through the shop's B2B pages. Default: a person buys. */
  readonly companyName?: string | undefined;
  readonly transactions?: readonly EmulatedTransaction[] | undefined;
  /** Shopify Protect. Default: the shop has none. */
  readonly protect?: EmulatedProtect | undefined;
  readonly tags?: readonly string[] | undefined;
  /** @default "PAID" */
  readonly financialStatus?: string | undefined;
  /**
   * The number of fulfillment orders at the start. 0 is what an app sees right after an order was created.
   *
   * @default 1
   */
  readonly routed?: number | undefined;
  /**
   * The order as in its webhook, or the webhook's JSON, for queries that ask for its content; `created_at` and
   * `cancelled_at` count.
   *
   * @default an order without buyer, addresses and lines, created now, which can't be listed
   */
  readonly payload?: OrderPayload | string | undefined;
}

/** The fields of an order's webhook. */
export type OrderPayload = Readonly<Record<string, unknown>>;

/** A hold on an emulated fulfillment order. */
export interface EmulatedHold {
  readonly id: string;
  readonly handle: string;
  readonly reason: string;
  readonly reasonNotes: string | null;
  /** Placed by the app under test. */
  readonly ours: boolean;
}

/** The messages between a merchant and a fulfillment service about a fulfillment order. */
export type RequestStatus =
  | "UNSUBMITTED"
  | "SUBMITTED"
  | "ACCEPTED"
  | "REJECTED"
  | "CANCELLATION_REQUESTED"
  | "CANCELLATION_ACCEPTED"
  | "CANCELLATION_REJECTED";

/** A fulfillment order of an emulated order. */
export interface EmulatedFulfillmentOrder {
  readonly id: string;
  status: "OPEN" | "ON_HOLD" | "SCHEDULED" | "IN_PROGRESS" | "CLOSED" | "CANCELLED" | "INCOMPLETE";
  /** The fulfillment service that ships it; null when the merchant does. */
  service: string | null;
  /** Whether the service was asked to ship it, or to give it back, and its answer. */
  requestStatus: RequestStatus;
  /** Its units; null for the units that no other fulfillment order has. */
  units: number | null;
  /** Set to remove `HOLD` from the supported actions. */
  holdable: boolean;
  holds: EmulatedHold[];
}

/** A risk assessment on an emulated order. */
export interface EmulatedAssessment {
  readonly riskLevel: string;
  readonly facts: readonly { readonly description: string; readonly sentiment: string }[];
  /** API key of the app that wrote it; null for the platform's own. */
  readonly provider: string | null;
}

/** Who does something in an emulated shop: a member of the staff, or an app by its title. */
export type EmulatedActor = "staff" | { readonly app: string };

/** An entry of an order's history. */
export interface EmulatedEvent {
  readonly id: string;
  readonly action: string;
  readonly atMs: number;
  readonly by: EmulatedActor;
}

/** The request of a cancellation. */
export interface EmulatedCancellation {
  readonly jobId: string;
  readonly reason: string;
  readonly refund: boolean;
  readonly restock: boolean;
  readonly notifyCustomer: boolean;
  readonly staffNote: string | null;
  status: "STARTED" | "SUCCEEDED" | "FAILED";
  errors: readonly string[];
  readonly dueAtMs: number;
}

/** An order inside an emulated shop. */
export interface EmulatedOrder {
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The order's content. An edit replaces it. */
  payload: OrderPayload;
  readonly customer: EmulatedCustomer | null;
  readonly companyName: string | null;
  /** Payments may arrive after the order. */
  transactions: EmulatedTransaction[];
  readonly protect: EmulatedProtect | null;
  financialStatus: string;
  /** How the next captures end. A pending one continues until a test ends it; a refused one never starts. */
  captureResult: "SUCCESS" | "PENDING" | "FAILURE" | "REFUSED";
  readonly tags: string[];
  readonly assessments: EmulatedAssessment[];
  readonly fulfillmentOrders: EmulatedFulfillmentOrder[];
  /** Its goods are at a deactivated location, so nothing can be restocked. */
  isLocationDeactivated: boolean;
  /** The platform refuses to cancel it as `INVALID`, as while a return of it is open. */
  isCancelRefused: boolean;
  /** Its cancellations run without a job to query. */
  isJobHidden: boolean;
  readonly cancellations: EmulatedCancellation[];
  readonly shipments: EmulatedShipment[];
  /** What happened to its holds, oldest first. */
  readonly events: EmulatedEvent[];
  cancelledAt: string | null;
}

/** The platform's aggregated fulfillment status of an order. */
export function toDisplayStatus(order: EmulatedOrder): string {
  // Since 2026-10, an order that was canceled before anything shipped needs no fulfillment.
  if (order.cancelledAt !== null) return "FULFILLMENT_NOT_REQUIRED";
  const statuses = order.fulfillmentOrders.filter((entry) => !isReplaced(entry)).map(({ status }) => status);
  const all = (status: string) => statuses.length > 0 && statuses.every((entry) => entry === status);
  if (all("CLOSED")) return "FULFILLED";
  if (statuses.includes("CLOSED")) return "PARTIALLY_FULFILLED";
  if (all("IN_PROGRESS")) return "IN_PROGRESS";
  return all("ON_HOLD") ? "ON_HOLD" : "UNFULFILLED";
}

/** Whether another fulfillment order has its goods now: it was merged, returned by its service, or requested again. */
export function isReplaced({ status, requestStatus, units }: EmulatedFulfillmentOrder): boolean {
  if (status === "CLOSED") return units === 0 || requestStatus === "CANCELLATION_ACCEPTED";
  return status === "CANCELLED";
}

/** Units that a fulfillment order still has to ship. */
export function toRemainingUnits(order: EmulatedOrder, entry: EmulatedFulfillmentOrder): number {
  return entry.status === "CLOSED" || entry.status === "CANCELLED" ? 0 : toUnits(order, entry);
}

/** Units of an order that nobody has shipped. */
export function toUnfulfilledUnits(order: EmulatedOrder): number {
  const shipped = order.fulfillmentOrders
    .filter((entry) => entry.status === "CLOSED" && !isReplaced(entry))
    .reduce((sum, entry) => sum + toUnits(order, entry), 0);
  return Math.max(0, toOrderedUnits(order) - shipped);
}

/** Units of an order's lines. */
export function toOrderedUnits({ payload }: EmulatedOrder): number {
  const lines = payload["line_items"];
  if (!Array.isArray(lines)) return 0;
  return (lines as readonly OrderPayload[]).reduce((sum, line) => sum + Number(line["quantity"] ?? 1), 0);
}

/** The first fulfillment order without its own units has the ones that the others don't have. */
function toUnits(order: EmulatedOrder, entry: EmulatedFulfillmentOrder): number {
  if (entry.units !== null) return entry.units;
  const live = order.fulfillmentOrders.filter(({ status }) => status !== "CANCELLED");
  if (live.find(({ units }) => units === null) !== entry) return 0;
  const others = live.reduce((sum, { units }) => sum + (units ?? 0), 0);
  return Math.max(0, toOrderedUnits(order) - others);
}

/** While a fulfillment service has a fulfillment order, nobody else can hold, split or move it. */
const SERVICE_ACTIONS: Readonly<Partial<Record<RequestStatus, readonly string[]>>> = {
  SUBMITTED: ["CANCEL_FULFILLMENT_ORDER"],
  ACCEPTED: ["CREATE_FULFILLMENT", "REQUEST_CANCELLATION"],
  CANCELLATION_REQUESTED: ["CANCEL_FULFILLMENT_ORDER"],
  CANCELLATION_REJECTED: ["CREATE_FULFILLMENT"],
};

/** What can be done with a fulfillment order in its status. */
export function toSupportedActions(entry: EmulatedFulfillmentOrder): readonly string[] {
  const isOver = entry.status === "CLOSED" || entry.status === "CANCELLED";
  const atService = isOver ? undefined : SERVICE_ACTIONS[entry.requestStatus];
  if (atService !== undefined) return atService;
  const hold = entry.holdable ? ["HOLD"] : [];
  const request = entry.service === null ? "CREATE_FULFILLMENT" : "REQUEST_FULFILLMENT";
  if (entry.status === "OPEN") return [request, "MOVE", "SPLIT", ...hold];
  if (entry.status === "SCHEDULED") return ["MARK_AS_OPEN", ...hold];
  // Since 2025-01 holds stack.
  if (entry.status === "ON_HOLD") return ["RELEASE_HOLD", ...hold];
  return entry.status === "IN_PROGRESS" ? ["CREATE_FULFILLMENT"] : [];
}

/** Remove holds from a fulfillment order; without the last one it is open again. */
export function removeHolds(entry: EmulatedFulfillmentOrder, isMeant: (hold: EmulatedHold) => boolean): void {
  entry.holds = entry.holds.filter((hold) => !isMeant(hold));
  if (entry.holds.length === 0 && entry.status === "ON_HOLD") entry.status = "OPEN";
}

/** Remove tags from an order, case-insensitively; tags that it doesn't have are no error. */
export function removeTags(order: EmulatedOrder, tags: readonly string[]): void {
  const gone = new Set(tags.map((tag) => tag.toLowerCase()));
  const left = order.tags.filter((tag) => !gone.has(tag.toLowerCase()));
  order.tags.splice(0, order.tags.length, ...left);
}
