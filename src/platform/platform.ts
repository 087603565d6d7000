import type { CardCodes } from "./card-code.ts";
import type { EvidenceDraft, EvidenceForm, EvidenceSaved, Shipping } from "./evidence.ts";
import type { FindingCode, FindingParams } from "./findings.ts";
import type { PartialVerificationRequest, VerificationRequest, StandIn } from "../order/request.ts";
import type { VerificationResult } from "../order/result.ts";
import type { Decision } from "../order/decision.ts";
import type { SkipReason } from "../order/skip-reasons.ts";
import type { OrderContext, PlatformRisk } from "../order/order-context.ts";
import type { UnreadDetail } from "../order/unread-detail.ts";
import type { EnforcementStep, HoldRelease, StepOutcome } from "./enforcement-step.ts";

/** One tenant: a shop or storefront, as `platform:name`, e.g. `shopify:demo.myshopify.com`. */
export type TenantId = string;

/** A webhook as it arrived. Not trusted yet. */
export interface RawDelivery {
  /** Lower-case names. A repeated header has been joined by `, ` or is an array, as Node gives it. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Outcome of checking a delivery's signature and headers. */
export type Authentication =
  | {
      readonly outcome: "accepted";
      readonly tenant: TenantId;
      /** Unique per tenant and delivery. A repeated id marks a duplicate. */
      readonly deliveryId: string;
      readonly topic: string;
    }
  /** Not signed by the platform: 401. `isSigned`: it has a signature, but one made with another secret. */
  | { readonly outcome: "unauthenticated"; readonly reason: string; readonly isSigned?: true | undefined }
  /** Signed, but unusable: 400. */
  | { readonly outcome: "unusable"; readonly reason: string };

/**
 * Whether a platform still accepts a tenant's access. `works`: the app is installed there. `refused`: access that
 * should still work doesn't, so the app was uninstalled. `unknown`: no access is stored, it expired, or the answer
 * doesn't say.
 */
export const ACCESS_STATES = ["works", "refused", "unknown"] as const;
/** One of {@link ACCESS_STATES}. */
export type AccessState = (typeof ACCESS_STATES)[number];

/** Why a secret is deleted: the platform `refused` it before it should expire, or it `expired`. */
export type AccessEnd = "refused" | "expired";

/** The event in a stored delivery. */
export type PlatformEvent =
  | { readonly kind: "order"; readonly order: PlatformOrder }
  /** The order changed in some way; this is its new state. */
  | { readonly kind: "order-changed"; readonly order: PlatformOrder }
  /** The order was canceled or deleted on the platform: stop working on it. */
  | {
      readonly kind: "order-cancelled";
      readonly orderId: string;
      /** Whether it was canceled with the reason fraud. Default: no. */
      readonly asFraud?: true | undefined;
    }
  /** A bank disputes an order's payment, or the dispute changed. */
  | { readonly kind: "dispute"; readonly dispute: Dispute }
  /** Something about an order changed that enforcement may be waiting for; `locate` finds the order. */
  | { readonly kind: "order-ready"; readonly reference: string }
  /** A person or workflow asks for a check of an order. It costs nothing if the order was checked in its current state. */
  | { readonly kind: "check-requested"; readonly orderId: string }
  /**
   * The platform may have new information about an order beyond its content, such as its own risk; `readContext` reads
   * it.
   */
  | { readonly kind: "context-changed"; readonly orderId: string }
  | { readonly kind: "uninstalled" }
  | { readonly kind: "permissions-changed"; readonly granted: readonly string[] }
  | ({ readonly kind: "erase-customer" } & DataSubject)
  | { readonly kind: "erase-tenant" }
  /** `requestId`: null if the platform gives the request no number. Then each request has a report of its own. */
  | ({ readonly kind: "report-customer"; readonly requestId: string | null } & DataSubject)
  /**
   * Signed but rejected: the body isn't one of this topic, or names another tenant. Topic and tenant may come from
   * headers that nobody signed.
   */
  | { readonly kind: "refused"; readonly reason: "other-topic" | "other-tenant" }
  /** Irrelevant, or lacks what its topic needs to have an effect; stored with its reason. */
  | { readonly kind: "ignored"; readonly reason: string; readonly isUnreadable?: true };

/** The customer whose data a request is about. */
interface DataSubject {
  readonly orderIds: readonly string[];
  /** Also match orders by these, since some requests name no order. */
  readonly email: string | undefined;
  readonly customerId: string | undefined;
}

/** `inquiry`: the bank asks, and the shop keeps the money for now. `chargeback`: the bank took the money back. */
export const DISPUTE_KINDS = ["inquiry", "chargeback"] as const;
/** `open` until the bank has decided. `refunded`: it ended with a refund. `prevented`: it never became a chargeback. */
export const DISPUTE_STATUSES = ["open", "won", "lost", "refunded", "prevented"] as const;

/** A bank disputes the payment of an order. No personal data. */
export interface Dispute {
  /** The platform's id. */
  readonly disputeId: string;
  readonly orderId: string;
  readonly kind: (typeof DISPUTE_KINDS)[number];
  readonly status: (typeof DISPUTE_STATUSES)[number];
  /** The platform's own code of the reason, e.g. `fraudulent`; for people. */
  readonly reason: string;
  /** The cardholder says that they didn't buy: other disputes are about goods, delivery or subscriptions. */
  readonly isFraud: boolean;
  /** Milliseconds since the epoch. */
  readonly initiatedAtMs: number;
  /** Until when the bank takes evidence, milliseconds since the epoch. Default: not known, or it asks for none. */
  readonly evidenceDueAtMs?: number | undefined;
  /** When evidence was sent to the bank, milliseconds since the epoch. Default: it wasn't. */
  readonly evidenceSentAtMs?: number | undefined;
  /** The card network's own code of the reason, e.g. `10.4` for Visa. Default: not known. */
  readonly networkCode?: string | undefined;
}

/** An order of the platform, mapped. Pure: made from the delivery alone. */
export interface PlatformOrder {
  /** The platform's id, as a string. */
  readonly orderId: string;
  /** Its name for people, e.g. `#1001`. */
  readonly name: string;
  /** The customer's id on the platform, for erasure; never shown. */
  readonly customerId: string | undefined;
  readonly mapped: MappedOrder;
  /**
   * When the platform last changed the order, from its signed body, in milliseconds since the epoch: of two states, the
   * later one counts. Undefined: not known, so Holdfast asks the platform for the current state.
   */
  readonly updatedAtMs?: number | undefined;
  /** Order facts for rules and for value-ordered work. */
  readonly amount: number | undefined;
  readonly currency: string | undefined;
  /** All of it has shipped. Absent if not, or if the source of the order doesn't say. */
  readonly fulfilled?: true | undefined;
  /** All of its money went back to the customer, or was never taken. Absent in the same cases as `fulfilled`. */
  readonly refunded?: true | undefined;
}

/** Either a request that the service accepts, or what is known about the order and why it can't be sent. */
export type MappedOrder = (
  | { readonly outcome: "screenable"; readonly request: VerificationRequest }
  | {
      readonly outcome: "unscreenable";
      readonly reason: SkipReason;
      readonly known: PartialVerificationRequest;
    }
) & {
  readonly test: boolean;
  /**
   * The recipient that the shipping address names: person and company. It is not sent, since the service has no field for it, but
   * another recipient makes another order. Empty when the address names nobody; absent when that isn't known.
   */
  readonly recipientName?: string | undefined;
  /**
   * For rules and reviewers; never sent. Absent if the platform provides none, and in orders stored by earlier
   * releases.
   */
  readonly context?: OrderContext | undefined;
  /**
   * Fields that the platform didn't fill: copies, placeholders and assumptions. They are sent because the service
   * requires them, but they earn no trust.
   *
   * @default []
   */
  readonly standIns?: readonly StandIn[] | undefined;
  /** What the platform hasn't provided of the detail that it adds. Default: nothing is missing. */
  readonly unread?: UnreadDetail | undefined;
  /** Detail that the platform provided after the order was checked. For people and links; never sent. Default: none. */
  readonly late?: LateDetail | undefined;
};

/** Fields that a later look at the platform can fill in. */
export type LateDetail = Pick<
  PartialVerificationRequest,
  | "paymentInfo"
  | "accountAgeInDays"
  | "totalOrders"
  | "cancelledOrders"
  | "returnedOrders"
  | "fulfilledOrders"
>;

/** The data for an {@link EnforcementStep}. */
export interface EnforcementTarget {
  readonly tenant: TenantId;
  readonly orderId: string;
  readonly decision: Decision;
  /**
   * The order is still being checked, so a hold must do nothing that a release can't undo. Default: the order is
   * decided.
   */
  readonly undecided?: true | undefined;
  /** Tags of our earlier decision that the present one doesn't have; for `untag`. */
  readonly formerTags: readonly string[];
  /** For the native risk assessment and notes. Null if nobody judged the order. */
  readonly result: VerificationResult | null;
  readonly cancel: { readonly refund: boolean; readonly restock: boolean; readonly notifyCustomer: boolean };
  /**
   * What the same step stored in an earlier attempt, e.g. the id of a running cancel job. A `hold` without it starts over: it
   * also holds goods whose hold was released.
   */
  readonly memory: Readonly<Record<string, string>>;
  /** For an order that the platform no longer shows. Default: nothing is known. */
  readonly remembered?: RememberedOrder | undefined;
}

/** What Holdfast knows about an order, in case the platform hides orders of its age. */
export interface RememberedOrder {
  /** At most a few days after the order was placed, milliseconds since the epoch. */
  readonly receivedAtMs: number;
  /** Read from the database when it's called. */
  goods(): Promise<{
    /** The notes of the order's last `hold` step. */
    readonly holdMemory: Readonly<Record<string, string>>;
    /** The references of its `order-ready` events, oldest first. */
    readonly references: readonly string[];
  }>;
}

/** Who is calling the API, after the platform's own sign-in. */
export interface PlatformSession {
  readonly tenant: TenantId;
  /** The platform's user id; for the audit trail. */
  readonly userId: string | undefined;
}

/**
 * Whether a tenant's orders may be checked with the operator's service key. `own-key`: no, every tenant brings its own.
 * `no-plan`: only with a plan of the app, which the tenant can choose at `plansUrl`.
 */
export type Entitlement =
  | { readonly outcome: "entitled" }
  | { readonly outcome: "own-key" }
  | { readonly outcome: "no-plan"; readonly plansUrl: string };

/** Options of the calls that reach the platform. */
export interface PlatformCallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link Platform.observe}. */
export interface ObserveOptions extends PlatformCallOptions {
  /** The notes of the order's last `hold` step. */
  readonly holdMemory?: Readonly<Record<string, string>> | undefined;
  /**
   * When the hold was last known to be there, milliseconds since the epoch. With it, the platform also says who released a
   * hold that is gone.
   */
  readonly heldAtMs?: number | undefined;
  /** For an order that the platform no longer shows. Default: nothing is known. */
  readonly remembered?: RememberedOrder | undefined;
}

/**
 * Everything Holdfast needs from a commerce platform. A new platform implements this, without changes in `src`. Methods
 * that reach the network throw `PLATFORM_*` errors with `retryable` and `retryAtMs`.
 */
export interface Platform {
  /** Lower-case, e.g. `shopify`: names the webhook route and prefixes tenant ids. */
  readonly name: string;
  /** Check a delivery's signature over the raw body. No I/O. */
  authenticate(delivery: RawDelivery): Authentication;
  /**
   * What a delivery asks for, read only from its bytes. Never throws: an unusable delivery is an `ignored` event.
   *
   * If the signature covers only the body, a sender can choose any tenant and topic. So a body that isn't one of the
   * topic, or names another tenant, is `refused`.
   */
  interpret(delivery: {
    readonly tenant: TenantId;
    readonly topic: string;
    readonly body: Buffer;
  }): PlatformEvent;
  /**
   * Add customer history and card facts to a mapped order. The card may also name the buyer, so that an order with the
   * reason `NO_NAME` can be sent. Optional detail: on a missing permission or an error it resolves to the order
   * unchanged, with the reason in `limitations`. `awaitsPayment`: the order names a payment gateway but has no payment
   * yet; Holdfast calls `readContext` once for it.
   */
  enrich(
    tenant: TenantId,
    order: PlatformOrder,
    options?: PlatformCallOptions,
  ): Promise<{
    readonly mapped: MappedOrder;
    readonly limitations: readonly string[];
    readonly awaitsPayment?: true | undefined;
    /** When the platform wants to be asked again at the earliest, milliseconds since the epoch. Default: it doesn't say. */
    readonly retryAtMs?: number | undefined;
  }>;
  /**
   * Read what the platform now says about an order beyond its content; null if it doesn't know the order. Absent: the
   * platform adds nothing after an order arrives.
   */
  readContext?(
    tenant: TenantId,
    orderId: string,
    options?: PlatformCallOptions,
  ): Promise<OrderContext | null>;
  /** Carry out one step of a decision. Idempotent. */
  enforce(
    step: EnforcementStep,
    target: EnforcementTarget,
    options?: PlatformCallOptions,
  ): Promise<StepOutcome>;
  /**
   * End the hold that was placed with the order, before its decision. Called if the decision changes nothing else, as
   * in shadow mode. Leaves a decision's hold alone. Idempotent. Absent: the platform doesn't hold orders when they are
   * placed.
   */
  endCheckoutHold?(tenant: TenantId, orderId: string, options?: PlatformCallOptions): Promise<void>;
  /**
   * What the platform shows for an order now; null if it doesn't have the order. `hidden`: the order may exist, but the
   * platform no longer shows it or its goods to the app, for example because of its age.
   */
  observe(
    tenant: TenantId,
    orderId: string,
    options?: ObserveOptions,
  ): Promise<ObservedOrder | "hidden" | null>;
  /** The current order, in the form in which a delivery would bring it; null if the platform doesn't know it. */
  readOrder(tenant: TenantId, orderId: string, options?: PlatformCallOptions): Promise<PlatformOrder | null>;
  /**
   * Ask the platform whether it still accepts the tenant's access, before data is erased because a delivery says that
   * the tenant left. Deletes nothing, whatever the answer.
   */
  confirmAccess(tenant: TenantId, options?: PlatformCallOptions): Promise<AccessState>;
  /**
   * One page of the orders created in a window of time, oldest first. Pages are as long as the platform allows; an
   * order of the last minutes can be missing, since platforms list from an index that lags behind.
   */
  recentOrders(tenant: TenantId, window: OrderWindow): Promise<OrderPage>;
  /** The order that an `order-ready` event's reference belongs to. */
  locate(tenant: TenantId, reference: string, options?: PlatformCallOptions): Promise<string | null>;
  /** The session behind a bearer token, or null. Makes sure the tenant's own access is set up. */
  openSession(bearer: string, options?: PlatformCallOptions): Promise<PlatformSession | null>;
  /**
   * The name of the person behind a token that `openSession` accepted, as the platform has it; null if it doesn't say.
   * Makes a network call. Default: people have no names until an owner names them.
   */
  readUserName?(bearer: string, options?: PlatformCallOptions): Promise<string | null>;
  /** Headers and head elements of the console page for one request, e.g. per-shop `frame-ancestors`. */
  page(query: Readonly<Record<string, string | undefined>>): PlatformPage | null;
  /**
   * Where to redirect somebody who opened the console's page outside the platform: an https address there, in which
   * only `path`, a page of the console, comes from the request. Null: answer with the console's page.
   */
  entrance?(query: Readonly<Record<string, string | undefined>>, path: string): string | null;
  /** Pages of the platform's sign-in that load only its script, by path. A page is null if it isn't for the request. */
  readonly signInPages?:
    | ReadonlyMap<string, (query: Readonly<Record<string, string | undefined>>) => PlatformPage | null>
    | undefined;
  /** Origins of the platform's own pages whose scripts may read an order from the API and decide on it, with a session token. Default: none. */
  readonly apiOrigins?: readonly string[] | undefined;
  /**
   * Whether the tenant may use the operator's service key. The adapter caches the answer, since each decision asks. A
   * failure of the platform never makes it reject. Default: it may.
   */
  entitlement?(tenant: TenantId): Promise<Entitlement>;
  /** Where people look at an order on the platform; null if there is no such page. Pure, without personal data. */
  adminUrl?(tenant: TenantId, orderId: string): string | null;
  /** The permissions of the app have changed: set up what depends on optional ones. Idempotent. */
  followPermissions?(
    tenant: TenantId,
    granted: readonly string[],
    options?: PlatformCallOptions,
  ): Promise<void>;
  /**
   * Make the platform's checkout do this with the buyers on its lists, and report what it does now. Reads before it writes.
   * If a list can't be read there, buyers continue. Absent: the platform has no checkout that can.
   */
  applyAtCheckout?(
    tenant: TenantId,
    lists: CheckoutLists,
    options?: PlatformCallOptions,
  ): Promise<CheckoutState>;
  /**
   * Check whether the platform lets Holdfast do its work for a tenant, or, with null, whether the platform can be
   * reached at all. For operators: costs no credits, changes nothing on the platform, and doesn't throw if the platform
   * fails.
   */
  diagnose?(tenant: TenantId | null, options?: PlatformCallOptions): Promise<readonly Finding[]>;
  /** How an order was sent; null if the platform doesn't show the order. Default: not known. */
  readShipments?(tenant: TenantId, orderId: string, options?: PlatformCallOptions): Promise<Shipping | null>;
  /** The platform's own form for a dispute's evidence. Default: there is none. */
  readonly evidence?: PlatformEvidence | undefined;
  /** How the holder of the card that paid for an order can be shown a code. Default: they can't. */
  readonly cardCodes?: PlatformCardCodes | undefined;
  /** The shop's time zone and currency. Makes a network call. Default: not known. */
  readLocale?(tenant: TenantId, options?: PlatformCallOptions): Promise<ShopLocale>;
  /** Release sockets. */
  close(): Promise<void>;
}

/** A platform's form for the evidence of disputes. Nothing here sends evidence to a bank: people do that on the platform. */
export interface PlatformEvidence {
  read(tenant: TenantId, disputeId: string, options?: PlatformCallOptions): Promise<EvidenceForm>;
  /**
   * Fill in fields that are empty on the platform, as a draft. Never overwrites and never submits. Idempotent.
   */
  saveDraft(
    tenant: TenantId,
    disputeId: string,
    draft: EvidenceDraft,
    options?: PlatformCallOptions,
  ): Promise<EvidenceSaved>;
}

/** Codes for the holders of cards, with the payments of a commerce platform's orders. */
export interface PlatformCardCodes extends CardCodes {
  /** The payment platform's IDs of every payment that was tried for an order. Another payment's ID is an empty text. */
  listPayments(tenant: TenantId, orderId: string, options?: PlatformCallOptions): Promise<readonly string[]>;
}

/** What a checkout does with blocked buyers: at most one of the two. Null: no longer. Undefined: it never did. */
export interface CheckoutLists {
  /** The buyers that it refuses. */
  readonly refuse: string | null | undefined;
  /** The buyers that it hides payment methods from, and the methods' names. */
  readonly hidePayments: string | null | undefined;
}

/** Every {@link CheckoutState}. */
export const CHECKOUT_STATES = [
  "applied",
  "open",
  "not-granted",
  "not-deployed",
  "plan",
  "too-many",
  "turned-off",
] as const;

/**
 * What a checkout does with lists of buyers. `applied`: what they say. `open`: nothing, because there are none. Otherwise it doesn't do what
 * it should: `not-granted`, the app lacks the permission to change anything; `not-deployed`, the platform doesn't have the app's part
 * for checkouts; `plan`, the shop's plan doesn't include it; `too-many`, the shop has as many of other apps as it can; `turned-off`, a
 * person turned it off on the platform.
 */
export type CheckoutState = (typeof CHECKOUT_STATES)[number];

/** A shop's time zone and currency. Null: not known. */
export interface ShopLocale {
  /** IANA name, e.g. `Europe/Berlin`. */
  readonly timeZone: string | null;
  /** ISO 4217 code. */
  readonly currency: string | null;
}

/** The result of checking one part of an installation. Contains no secrets and no personal data. */
export interface Finding {
  /** Stable and dotted, e.g. `database.schema`. */
  readonly id: string;
  /** `problem`: work isn't done, or isn't done right. `skipped`: couldn't be checked, or doesn't apply. */
  readonly status: "ok" | "warning" | "problem" | "skipped";
  /** The finding, in one line. */
  readonly found: string;
  /** What to do about it, in one line; null if nothing. */
  readonly advice: string | null;
  /** What `found` and `advice` say, for other languages: see `describeFinding`. Default: they stay in English. */
  readonly code?: FindingCode | undefined;
  /** What is filled into the texts of `code`. */
  readonly params?: FindingParams | undefined;
  /** The names in the finding, for programs, e.g. the granted scopes. */
  readonly names?: readonly string[] | undefined;
  /** Optional permissions that the platform's page can request directly. */
  readonly requests?: readonly string[] | undefined;
}

/** Which orders to list. */
export interface OrderWindow extends PlatformCallOptions {
  /** Created at this moment or later, milliseconds since the epoch. */
  readonly sinceMs: number;
  /**
   * Created at this moment or earlier, milliseconds since the epoch.
   *
   * @default no limit
   */
  readonly untilMs?: number | undefined;
  /** `nextCursor` of the previous page of the same window. */
  readonly cursor?: string | undefined;
}

/** One page of orders. */
export interface OrderPage {
  /** In the form in which their first delivery would have brought them. */
  readonly orders: readonly PlatformOrder[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** What the console page needs to be embedded by a platform. */
export interface PlatformPage {
  /** Sources for the CSP directive `frame-ancestors`. */
  readonly frameAncestors: readonly string[];
  /** Extra sources for `script-src`, e.g. the platform's CDN. */
  readonly scriptSources: readonly string[];
  /** Extra sources for `connect-src`: where the platform's own script reports to. Default: none. */
  readonly connectSources?: readonly string[] | undefined;
  /** Trusted HTML for `<head>`, already escaped. */
  readonly head: string;
  /** Trusted HTML for the start of `<body>`, already escaped: what the platform's script reads there. Default: none. */
  readonly bodyStart?: string | undefined;
}

/** The state of an order on the platform. */
export interface ObservedOrder {
  readonly cancelled: boolean;
  /** All of it has shipped. */
  readonly fulfilled: boolean;
  /** Some of it has shipped, and some has not. */
  readonly partlyFulfilled: boolean;
  /** Some of it isn't on our hold, and another attempt may hold it. */
  readonly holdable: boolean;
  readonly tags: readonly string[];
  /** Our own holds only. */
  readonly holds: readonly { readonly holdId: string; readonly reference: string }[];
  /**
   * There is no hold of ours, but nobody released one: the parts of the order that we held were replaced, for example
   * merged into another, and the new ones can be held. Known from `holdMemory`. Default: no.
   */
  readonly holdsReplaced?: true | undefined;
  /**
   * Who released our hold, if it's gone and nobody replaced it. Only with `heldAtMs`. Absent: the platform's holds are
   * released by people.
   */
  readonly released?: HoldRelease | undefined;
  /** The native risk assessment that we wrote, if the platform shows it. */
  readonly assessment: string | null;
  /** The platform's own risk for the order, without our assessment; null when it has none. */
  readonly platformRisk: PlatformRisk | null;
  /**
   * The platform no longer shows the order, only goods of it that Holdfast remembers. Tags, assessment and risk aren't
   * known: they are empty or null. Tags can't be written, and the order can't be canceled. Default: it shows the order.
   */
  readonly hidden?: true | undefined;
  /** When the platform will hide the order, milliseconds since the epoch. Default: never. */
  readonly hiddenFromMs?: number | undefined;
}

/** Encrypted key-value storage for a platform adapter's tokens. */
export interface CredentialStore {
  load(tenant: TenantId): Promise<string | null>;
  /**
   * Store a secret. `installed` starts (or restarts) the tenant's installation and wakes work that waited for access;
   * `refreshed` replaces a stored secret and is ignored if the tenant was uninstalled meanwhile.
   */
  save(tenant: TenantId, secret: string, occasion: "installed" | "refreshed"): Promise<void>;
  /** Delete a secret that the platform no longer accepts. The tenant stays installed. */
  discard(tenant: TenantId, why: AccessEnd): Promise<void>;
  /** Run `work` while nobody else (in this or another process) runs it for the same tenant. */
  exclusively<T>(tenant: TenantId, work: () => Promise<T>): Promise<T>;
}

/** What is known about an order, whether or not the service accepts it. */
export function toKnown(mapped: MappedOrder): PartialVerificationRequest {
  return mapped.outcome === "screenable" ? mapped.request : mapped.known;
}

/** The same, with what came after the check. */
export function toKnownNow(mapped: MappedOrder): PartialVerificationRequest {
  return { ...mapped.late, ...toKnown(mapped) };
}

/** The platform that a tenant belongs to. */
export function findPlatform(platforms: readonly Platform[], tenant: TenantId): Platform | undefined {
  return platforms.find(({ name }) => tenant.startsWith(`${name}:`));
}
