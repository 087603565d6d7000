import type { PartialVerificationRequest, VerificationRequest, StandIn } from "../order/request.ts";
import type { VerificationResult } from "../order/result.ts";
import type { SkipReason, Decision } from "../order/decision.ts";
import type { OrderContext, PlatformRisk } from "../order/order-context.ts";

/** One tenant: a shop or storefront, as `platform:name`, e.g. `shopify:demo.myshopify.com`. */
export type TenantId = string;

/** The platform of orders that somebody made up in the console: it touches nothing, and no figure counts them. */
export const SANDBOX_PLATFORM = "sandbox";
/** Begins the id of such an order. */
export const SANDBOX_ORDER_PREFIX = "sandbox-";

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
      /** Unique per tenant and delivery; a repeat is a duplicate. */
      readonly deliveryId: string;
      readonly topic: string;
    }
  /** Not signed by the platform: 401. */
  | { readonly outcome: "unauthenticated"; readonly reason: string }
  /** Signed, but not something that can be used: 400. */
  | { readonly outcome: "unusable"; readonly reason: string };

/**
 * Whether a platform still takes a tenant's access. `works`: the app is installed there. `refused`: access that should
 * still work does not, so the app was uninstalled. `unknown`: nothing is kept to ask with, it ran out by age, or the
 * answer says nothing about it.
 */
export const ACCESS_STATES = ["works", "refused", "unknown"] as const;
/** One of {@link ACCESS_STATES}. */
export type AccessState = (typeof ACCESS_STATES)[number];

/** Why a secret is forgotten: the platform `refused` it before its time, or its time had run out (`expired`). */
export type AccessEnd = "refused" | "expired";

/** What a stored delivery asks for. */
export type PlatformEvent =
  | { readonly kind: "order"; readonly order: PlatformOrder }
  /** Something about the order changed, whatever it was; this is what it is like now. */
  | { readonly kind: "order-changed"; readonly order: PlatformOrder }
  /** The order ended on the platform, cancelled or deleted: stop working on it. */
  | {
      readonly kind: "order-cancelled";
      readonly orderId: string;
      /** Whoever canceled it gave fraud as the reason. Default: no. */
      readonly asFraud?: true | undefined;
    }
  /** A bank disputes an order's payment, or the dispute changed. */
  | { readonly kind: "dispute"; readonly dispute: Dispute }
  /** Something about an order changed that enforcement may be waiting for; `locate` finds the order. */
  | { readonly kind: "order-ready"; readonly reference: string }
  /** Somebody asks to have an order checked, which costs nothing where it was checked as it is now. */
  | { readonly kind: "check-requested"; readonly orderId: string }
  /** The platform may say something new of an order beyond its content, such as its own risk; `readContext` reads it. */
  | { readonly kind: "context-changed"; readonly orderId: string }
  | { readonly kind: "uninstalled" }
  | { readonly kind: "permissions-changed"; readonly granted: readonly string[] }
  | {
      readonly kind: "erase-customer";
      readonly orderIds: readonly string[];
      /** Also match orders by these, since some requests name no order. */
      readonly email: string | undefined;
      readonly customerId: string | undefined;
    }
  | { readonly kind: "erase-tenant" }
  | {
      readonly kind: "report-customer";
      readonly requestId: string;
      readonly orderIds: readonly string[];
      readonly email: string | undefined;
      readonly customerId: string | undefined;
    }
  /**
   * Signed, and not believed: the body is not one of this topic, or names another tenant. Topic and tenant may come from
   * headers that nobody signed.
   */
  | { readonly kind: "refused"; readonly reason: "other-topic" | "other-tenant" }
  /** Understood and of no consequence, or not usable; kept with its reason. */
  | { readonly kind: "ignored"; readonly reason: string };

/** `inquiry`: the bank asks, and the money stays where it is. `chargeback`: the money was taken back. */
export const DISPUTE_KINDS = ["inquiry", "chargeback"] as const;
/** `open` until the bank has decided. `refunded`: it ended with a refund. `prevented`: it never became a chargeback. */
export const DISPUTE_STATUSES = ["open", "won", "lost", "refunded", "prevented"] as const;

/** A bank disputes the payment of an order. Nothing personal. */
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
}

/** An order of the platform, mapped. Pure: made from the delivery alone. */
export interface PlatformOrder {
  /** The platform's id, as a string. */
  readonly orderId: string;
  /** What people call it, e.g. `#1001`. */
  readonly name: string;
  /** The customer's id on the platform, for erasure; never shown. */
  readonly customerId: string | undefined;
  readonly mapped: MappedOrder;
  /**
   * When the platform last changed the order, by its own signed word, milliseconds since the epoch: of two states the
   * later one counts. Undefined: it does not say, and the platform is asked which state is the present one.
   */
  readonly updatedAtMs?: number | undefined;
  /** Order facts for rules and for value-ordered work. */
  readonly amount: number | undefined;
  readonly currency: string | undefined;
  /** All of it has shipped. Absent when it has not, or when what the order was read from does not say. */
  readonly fulfilled?: true | undefined;
  /** All of its money went back to the customer, or was never taken. Absent as `fulfilled` is. */
  readonly refunded?: true | undefined;
}

/** Either a request the service takes, or what is known and why it cannot be sent. */
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
  /** For rules and reviewers; never sent. Absent when the platform gives none, and in orders kept by earlier releases. */
  readonly context?: OrderContext | undefined;
  /**
   * Fields that the platform did not fill: copies, placeholders and assumptions. They are sent to the service, which
   * wants them filled, and earn no trust.
   *
   * @default []
   */
  readonly standIns?: readonly StandIn[] | undefined;
};

/** One thing to make true on the platform. `release` and `untag` take back what `hold` and `tag` did, `capture` takes the authorized payment. */
export const ENFORCEMENT_STEPS = ["assess", "tag", "hold", "cancel", "release", "untag", "capture"] as const;
/** One of {@link ENFORCEMENT_STEPS}. */
export type EnforcementStep = (typeof ENFORCEMENT_STEPS)[number];

/** What a step needs to know. */
export interface EnforcementTarget {
  readonly tenant: TenantId;
  readonly orderId: string;
  readonly decision: Decision;
  /** The order is only being checked: a hold does nothing that a release doesn't take back. Default: it is decided. */
  readonly undecided?: true | undefined;
  /** Tags of an earlier decision of ours that the present one does not have; for `untag`. */
  readonly formerTags: readonly string[];
  /** For the native risk assessment and notes; null when nobody judged the order. */
  readonly result: VerificationResult | null;
  readonly cancel: { readonly refund: boolean; readonly restock: boolean; readonly notifyCustomer: boolean };
  /** What the same step left behind in an earlier try, e.g. the id of a running cancel job. */
  readonly memory: Readonly<Record<string, string>>;
}

/**
 * How an order ended on the platform. `shipped`: so much of it has left, or is about to, that the step comes too late.
 */
export const ORDER_ENDS = ["cancelled", "shipped"] as const;
/** One of {@link ORDER_ENDS}. */
export type OrderEnd = (typeof ORDER_ENDS)[number];

/**
 * Why some goods of an order can ship although the others are on hold. `hidden`: the platform doesn't show them to
 * Holdfast. `recalling`: a fulfillment service was asked to give them back and hasn't answered. `refused`: it won't.
 * `open`: they can't be put on hold yet.
 */
export const HOLD_GAPS = ["hidden", "recalling", "refused", "open"] as const;
/** One of {@link HOLD_GAPS}. */
export type HoldGap = (typeof HOLD_GAPS)[number];

/**
 * How a step ended. Steps are idempotent: a repeat finds its work done.
 *
 * `reason` and `detail` are for people and free of personal data. No code branches on them: `outcome`, `gap` and `ended`
 * say everything that Holdfast acts on.
 */
export type StepOutcome =
  /** True on the platform now. `memory`: for a repeat of the step, as when a held order is looked at again. */
  | {
      readonly outcome: "done";
      readonly detail: string;
      readonly memory?: Readonly<Record<string, string>>;
    }
  /** Only of a hold: some goods are on hold and others can ship. Try again, as after `wait`. */
  | {
      readonly outcome: "partial";
      readonly gap: HoldGap;
      readonly detail: string;
      readonly retryAtMs: number;
      readonly memory?: Readonly<Record<string, string>>;
    }
  /** Cannot be done yet; try again at or after `retryAtMs`, or when the platform says the order is ready. */
  | {
      readonly outcome: "wait";
      readonly reason: string;
      readonly retryAtMs: number;
      readonly memory?: Readonly<Record<string, string>>;
    }
  /** Will never work on this order (refused, or the order has ended); a person must know. */
  | { readonly outcome: "impossible"; readonly reason: string; readonly ended?: OrderEnd }
  /** Nothing to do and nothing wrong. `ended`: because the order has ended on the platform. */
  | { readonly outcome: "moot"; readonly reason: string; readonly ended?: OrderEnd };

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

/**
 * Everything Holdfast needs from a commerce platform. A second platform implements this and changes nothing in `src`.
 * Methods that reach the network throw `PLATFORM_*` errors with `retryable` and `retryAtMs`.
 */
export interface Platform {
  /** Lower-case, e.g. `shopify`: names the webhook route and prefixes tenant ids. */
  readonly name: string;
  /** Check a delivery's signature over the raw body. No I/O. */
  authenticate(delivery: RawDelivery): Authentication;
  /**
   * What a delivery asks for, read from its bytes alone. Never throws: what makes no sense is an `ignored` event.
   *
   * Where the signature covers the body only, tenant and topic may be anybody's choice. So a body that is not one of
   * that topic, or names another tenant, is `refused`.
   */
  interpret(delivery: {
    readonly tenant: TenantId;
    readonly topic: string;
    readonly body: Buffer;
  }): PlatformEvent;
  /**
   * Add customer history and card facts to a mapped order. Optional detail: on a missing permission or an
   * error it resolves to the order unchanged, with the reason in `limitations`. `awaitsPayment`: the order names a payment
   * gateway, and there is no payment to read yet; `readContext` is asked for it once.
   */
  enrich(
    tenant: TenantId,
    order: PlatformOrder,
    options?: PlatformCallOptions,
  ): Promise<{
    readonly mapped: MappedOrder;
    readonly limitations: readonly string[];
    readonly awaitsPayment?: true | undefined;
  }>;
  /**
   * What the platform says by now of an order beyond its content; null when it does not know the order. Absent: it says
   * nothing after the order came.
   */
  readContext?(
    tenant: TenantId,
    orderId: string,
    options?: PlatformCallOptions,
  ): Promise<OrderContext | null>;
  /** Make one step of a decision true. Idempotent. */
  enforce(
    step: EnforcementStep,
    target: EnforcementTarget,
    options?: PlatformCallOptions,
  ): Promise<StepOutcome>;
  /**
   * End the hold of an order that was held while it was placed, before it could be checked. Asked for when its decision
   * touches nothing else, as in shadow mode. Leaves a decision's hold alone. Idempotent. Absent: orders come to Holdfast as they are.
   */
  endCheckoutHold?(tenant: TenantId, orderId: string, options?: PlatformCallOptions): Promise<void>;
  /** What the platform shows of an order now; null when it does not know the order. */
  observe(tenant: TenantId, orderId: string, options?: PlatformCallOptions): Promise<ObservedOrder | null>;
  /** An order as it is on the platform now, as a delivery would bring it; null when the platform does not know it. */
  readOrder(tenant: TenantId, orderId: string, options?: PlatformCallOptions): Promise<PlatformOrder | null>;
  /**
   * Ask the platform whether it still takes the tenant's access, before something is destroyed because a delivery says
   * that the tenant left. Forgets nothing, whatever the answer.
   */
  confirmAccess(tenant: TenantId, options?: PlatformCallOptions): Promise<AccessState>;
  /**
   * One page of the orders created in a window of time, oldest first. Pages are as long as the platform allows; an
   * order of the last minutes can be missing, since platforms list from an index that follows behind.
   */
  recentOrders(tenant: TenantId, window: OrderWindow): Promise<OrderPage>;
  /** The order that an `order-ready` event's reference belongs to. */
  locate(tenant: TenantId, reference: string, options?: PlatformCallOptions): Promise<string | null>;
  /** The session behind a bearer token, or null. Makes sure the tenant's own access is set up. */
  openSession(bearer: string, options?: PlatformCallOptions): Promise<PlatformSession | null>;
  /** Headers and head elements of the console page for one request, e.g. per-shop `frame-ancestors`. */
  page(query: Readonly<Record<string, string | undefined>>): PlatformPage | null;
  /**
   * Where somebody belongs who opened the console's page past the platform: an https address there, made of nothing the
   * request could forge but its `path`, which is a page of the console. Null: the console's page is the answer.
   */
  entrance?(query: Readonly<Record<string, string | undefined>>, path: string): string | null;
  /** Pages of the platform's sign-in that load its script and nothing else, by path; null for a request they are not for. */
  readonly signInPages?:
    | ReadonlyMap<string, (query: Readonly<Record<string, string | undefined>>) => PlatformPage | null>
    | undefined;
  /** Origins of the platform's own pages whose scripts may read an order from the API and decide on it, with a session token. Default: none. */
  readonly apiOrigins?: readonly string[] | undefined;
  /**
   * Whether the tenant may use the operator's service key. Kept by the adapter, since each decision asks; never rejects
   * for the platform's sake. Default: it may.
   */
  entitlement?(tenant: TenantId): Promise<Entitlement>;
  /** Where people look at an order on the platform; null when there is no such page. Pure, and says nothing personal. */
  adminUrl?(tenant: TenantId, orderId: string): string | null;
  /** What the tenant lets the app do has changed: ask the platform for what only some allow. Idempotent. */
  followPermissions?(
    tenant: TenantId,
    granted: readonly string[],
    options?: PlatformCallOptions,
  ): Promise<void>;
  /**
   * Look whether the platform lets Holdfast do its work for a tenant, or with null whether it can be reached from there
   * at all. For an operator: costs no credits, changes nothing on the platform, and does not throw for its sake.
   */
  diagnose?(tenant: TenantId | null, options?: PlatformCallOptions): Promise<readonly Finding[]>;
  /** How the shop tells time and money. Reaches the network. Default: not known. */
  readLocale?(tenant: TenantId, options?: PlatformCallOptions): Promise<ShopLocale>;
  /** Release sockets. */
  close(): Promise<void>;
}

/** How a shop tells time and money. Null: not known. */
export interface ShopLocale {
  /** IANA name, e.g. `Europe/Berlin`. */
  readonly timeZone: string | null;
  /** ISO 4217 code. */
  readonly currency: string | null;
}

/** What a look at one part of an installation came to. Free of secrets and personal data. */
export interface Finding {
  /** Stable and dotted, e.g. `database.schema`. */
  readonly id: string;
  /** `problem`: work is not done or not done right. `skipped`: could not be looked at, or does not apply. */
  readonly status: "ok" | "warning" | "problem" | "skipped";
  /** What was found, in one line. */
  readonly found: string;
  /** What to do about it, in one line; null when there is nothing to do. */
  readonly advice: string | null;
  /** What the finding names, where a program may want it, e.g. the scopes that are granted. */
  readonly names?: readonly string[] | undefined;
  /** Optional permissions that the platform's page can ask for on the spot. */
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
  /** `nextCursor` of the page before, of the same window. */
  readonly cursor?: string | undefined;
}

/** One page of orders. */
export interface OrderPage {
  /** As their first delivery would have brought them. */
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

/** What the platform shows of an order. */
export interface ObservedOrder {
  readonly cancelled: boolean;
  /** All of it has shipped. */
  readonly fulfilled: boolean;
  /** Some of it has shipped, and some has not. */
  readonly partlyFulfilled: boolean;
  /** Some of it isn't on hold by us, and trying again to hold it may help. */
  readonly holdable: boolean;
  readonly tags: readonly string[];
  /** Our own holds only. */
  readonly holds: readonly { readonly holdId: string; readonly reference: string }[];
  /** Native risk assessment written by us, if the platform tells. */
  readonly assessment: string | null;
  /** The platform's own risk for the order, without our assessment; null when it has none. */
  readonly platformRisk: PlatformRisk | null;
}

/** Sealed key-value storage that a platform adapter is given for its tokens. */
export interface CredentialStore {
  load(tenant: TenantId): Promise<string | null>;
  /**
   * Keep a secret. `installed` starts (or restarts) the tenant's installation and wakes work that waited for
   * access; `refreshed` replaces a kept secret and is ignored when the tenant was uninstalled meanwhile.
   */
  save(tenant: TenantId, secret: string, occasion: "installed" | "refreshed"): Promise<void>;
  /** Forget a secret the platform no longer accepts. The tenant stays installed. */
  discard(tenant: TenantId, why: AccessEnd): Promise<void>;
  /** Run `work` while nobody else (in this or another process) runs it for the same tenant. */
  exclusively<T>(tenant: TenantId, work: () => Promise<T>): Promise<T>;
}

/** What is known of an order, whether or not the service takes it. */
export function toKnown(mapped: MappedOrder): PartialVerificationRequest {
  return mapped.outcome === "screenable" ? mapped.request : mapped.known;
}
