import type { ErrorCode } from "../errors.ts";
import type { VelocityStore } from "../local/velocity/velocity-store.ts";
import type { Decision } from "../policy/decision.ts";
import type { Action } from "../policy/policy.ts";
import type { StoredFacts } from "../policy/rules.ts";
import type { EnforcementStep, MappedOrder, SkipReason, TenantId } from "../pipeline/platform.ts";
import type { RiskLevel, VerificationResult } from "../verification/result.ts";
import type { CallStore } from "./calls.ts";
import type { InspectionStore } from "./inspection.ts";
import type { Keyring } from "./keyring.ts";
import type { CircuitStore, ScreeningStore } from "./spending.ts";
import type { PeopleStore, SessionStore } from "./person.ts";
import type { CustomerOrder, OrderRevision, RevisionChange, RevisionStore } from "./revision.ts";
import type { OutcomeStore } from "./outcomes.ts";
import type { PolicyVersionStore } from "./policy-versions.ts";
import type { ReplaySource } from "./replay-source.ts";
import type { SettingsStore } from "./settings.ts";
import type { StatisticsStore } from "./statistics.ts";
import type { UpkeepStore } from "./upkeep.ts";
import type { PendingVerdict, VerdictStore } from "./verdicts.ts";

export type * from "./spending.ts";

/**
 * Where Holdfast keeps everything. One interface; every implementation passes `test/store/conformance.ts`.
 *
 * All times are milliseconds since the epoch and come from the caller, so that one clock rules. Arguments and results
 * are in the clear; an implementation seals personal data, answers and secrets with {@link Keyring} before it writes.
 * A store that cannot be reached throws `STORE_UNAVAILABLE` (retryable).
 */
export interface Store
  extends
    DeliveryStore,
    OrderStore,
    RevisionStore,
    VerdictStore,
    ScreeningStore,
    CallStore,
    CircuitStore,
    TenantStore,
    SettingsStore,
    StatisticsStore,
    PolicyVersionStore,
    ReplaySource,
    OutcomeStore,
    UpkeepStore,
    PeopleStore,
    SessionStore,
    InspectionStore,
    ClockStore {
  readonly keyring: Keyring;
  /** How often orders share what they can be recognised by. */
  readonly velocity: VelocityStore;
  /** Whether other processes may be working on the same store. */
  readonly isShared: boolean;
  /** Resolves when a read and a write transaction work. */
  ping(): Promise<void>;
  /**
   * Call `listener` when any process that shares the store has made work due, until the returned function is called. A
   * hint: one may be lost, so look by yourself now and then. Silent where one process owns the store.
   */
  onWork(listener: () => void): () => void;
  /**
   * Run work for a tenant: what it asks of the store takes turns with what is asked for others when the store is busy,
   * so that one tenant's flood keeps nobody else waiting.
   */
  onBehalfOf<T>(tenant: TenantId, work: () => Promise<T>): Promise<T>;
  /**
   * Take back all leases of processes that no longer run. Only for a store that one process owns: where several share
   * it, the leases of those that are gone run out.
   */
  releaseAllLeases(): Promise<void>;
  close(): Promise<void>;
}

/** Begins the owner name of an app process, which alone works on its store, unlike storefronts that may share it. */
export const APP_OWNER_PREFIX = "app:";

// ---------------------------------------------------------------------------------------------------------------- intake

/** A delivery to keep. */
export interface NewDelivery {
  readonly tenant: TenantId;
  readonly deliveryId: string;
  readonly platform: string;
  readonly topic: string;
  readonly triggeredAtMs: number | undefined;
  readonly receivedAtMs: number;
  readonly body: Buffer;
}

/** A kept delivery that this process has claimed. */
export interface ClaimedDelivery extends NewDelivery {
  readonly attempts: number;
}

/** Which delivery. */
export interface DeliveryKey {
  readonly tenant: TenantId;
  readonly deliveryId: string;
}

export interface ClockStore {
  /**
   * The clock was set back by `byMs` to `nowMs`: what is due later is due that much sooner, though not before `nowMs`, and
   * what is leased, orders and deliveries for `leaseMs`, is leased from `nowMs` on. Repeating it makes nothing late.
   */
  clockSetBack(move: {
    readonly byMs: number;
    readonly nowMs: number;
    readonly leaseMs: number;
  }): Promise<void>;
}

/** How much of what is claimed each tenant may get. */
export interface ClaimShares {
  /** Rows for a tenant that `left` does not name. */
  readonly each: number;
  /** Rows left for the tenants that have some already; 0 for none. */
  readonly left: ReadonlyMap<TenantId, number>;
}

/** Who claims work, how much, and for how long. */
export interface ClaimOptions {
  /** Unique per process. */
  readonly owner: string;
  readonly nowMs: number;
  readonly leaseMs: number;
  readonly limit: number;
  /** Heeded by claims of orders. Default: each may get all. */
  readonly shares?: ClaimShares;
}

export interface DeliveryStore {
  /**
   * Keep deliveries durably in one transaction. Resolves, in the order of the input, to whether each was new; a repeat
   * of a kept `(tenant, deliveryId)`, also inside the same batch, is not.
   */
  saveDeliveries(deliveries: readonly NewDelivery[]): Promise<readonly boolean[]>;
  /** Claim due deliveries, oldest first, one tenant's flood not before another's first. */
  claimDeliveries(options: ClaimOptions): Promise<readonly ClaimedDelivery[]>;
  /** The delivery's work is done; its body is erased, its id stays for deduplication. */
  finishDelivery(key: DeliveryKey, owner: string, outcome: string): Promise<void>;
  /** Try again later. */
  retryDelivery(key: DeliveryKey, owner: string, dueAtMs: number, error: ErrorCode | null): Promise<void>;
}

// ---------------------------------------------------------------------------------------------------------------- orders

/** Where an order is in its life. */
export const ORDER_STATES = [
  "received",
  "screening",
  "decided",
  "enforcing",
  "waiting",
  "settled",
  "review",
  "failed",
] as const;
/** Where an order is in its life. */
export type OrderState = (typeof ORDER_STATES)[number];

/** An order that came in. */
export interface NewOrder {
  readonly tenant: TenantId;
  readonly orderId: string;
  readonly platform: string;
  readonly name: string;
  readonly customerId: string | undefined;
  readonly receivedAtMs: number;
  readonly mapped: MappedOrder;
  readonly amount: number | undefined;
  readonly currency: string | undefined;
  /** Decide and record only, whatever the policy: nothing is touched on the platform. Default: by the policy. */
  readonly recordOnly?: boolean | undefined;
  /** When it is worked on. Default: at once. */
  readonly dueAtMs?: number | undefined;
  /** When the platform saw the order like this, milliseconds since the epoch. Default: unknown. */
  readonly asOfMs?: number | undefined;
}

/** An order as kept. `mapped` and `result` are null once erased. */
export interface OrderRecord {
  readonly tenant: TenantId;
  readonly orderId: string;
  readonly platform: string;
  readonly name: string;
  readonly customerId: string | null;
  readonly receivedAtMs: number;
  readonly state: OrderState;
  readonly dueAtMs: number | null;
  /** Tries of the current state that failed. */
  readonly attempts: number;
  /** Whether `mapped` already carries customer history and card facts. */
  readonly enriched: boolean;
  readonly mapped: MappedOrder | null;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly recordOnly: boolean;
  readonly fingerprint: string | null;
  readonly result: VerificationResult | null;
  /** What rules could ask about it and names nobody, from when it was decided; outlives its content. Null: not kept. */
  readonly facts: StoredFacts | null;
  readonly decision: Decision | null;
  readonly decidedAtMs: number | null;
  readonly settledAtMs: number | null;
  readonly skipReason: SkipReason | null;
  /** Code of what stopped it, for `failed` and `waiting`. */
  readonly problem: string | null;
  readonly holdDeadlineMs: number | null;
  /** From the ledger: answered, billed failures and unknowns. */
  readonly creditsSpent: number;
  /**
   * The newest moment of which the platform told what the order was like, milliseconds since the epoch, whether or not
   * that was news; what it says of earlier ones does not count. Null: unknown.
   */
  readonly asOfMs: number | null;
  /** Names the newest change that was kept, by about when the platform saw it; null when none was. */
  readonly revisedAtMs: number | null;
  /** What the platform made of the order since it was screened; null when that was taken up, or there is nothing. */
  readonly revision: OrderRevision | null;
  /** A person's word that the order's worker has to take up. */
  readonly verdict: PendingVerdict | null;
}

/** What a transition changes. Absent fields stay. `null` clears. */
export interface OrderChanges {
  readonly state?: OrderState;
  /** When to be claimed next; null for never. */
  readonly dueAtMs?: number | null;
  readonly attempts?: number;
  readonly enriched?: boolean;
  readonly mapped?: MappedOrder;
  readonly amount?: number | null;
  readonly currency?: string | null;
  readonly revise?: RevisionChange;
  readonly fingerprint?: string;
  readonly result?: VerificationResult | null;
  readonly facts?: StoredFacts;
  readonly decision?: Decision;
  readonly decidedAtMs?: number;
  readonly settledAtMs?: number;
  readonly skipReason?: SkipReason | null;
  readonly problem?: string | null;
  readonly holdDeadlineMs?: number | null;
  /** It was taken up. */
  readonly verdict?: null;
}

/** One line of an order's history. No personal data, but for a note. */
export interface TimelineEntry {
  readonly atMs: number;
  /** Stable kind, e.g. `received`, `answered`, `decided`, `step-done`. */
  readonly kind: string;
  readonly detail: string;
  /** `holdfast`, `platform`, or `person:ID`. */
  readonly actor: string;
  /** What a person wrote. Absent: nothing, or it was erased. Only {@link VerdictStore} keeps notes. */
  readonly note?: string | undefined;
}

/** Which order. */
export interface OrderKey {
  readonly tenant: TenantId;
  readonly orderId: string;
}

/** What is known of one enforcement step of one order. */
export interface StepRecord {
  readonly step: EnforcementStep;
  readonly state: "waiting" | "done" | "impossible" | "moot";
  readonly detail: string;
  readonly memory: Readonly<Record<string, string>>;
  readonly atMs: number;
}

/** What is written of an order at once. */
export interface OrderTransition {
  readonly changes: OrderChanges;
  readonly entries?: readonly TimelineEntry[];
  readonly step?: StepRecord;
  /** Whether the lease ends with it. */
  readonly release: boolean;
}

/** Filter of {@link OrderStore.listOrders}. */
export interface OrderFilter {
  readonly level?: RiskLevel | undefined;
  readonly action?: Action | undefined;
  readonly state?: OrderState | undefined;
  /** `queue`: what waits for a person, in states `review` and `failed`. Default: all, newest first. */
  readonly view?: "queue" | undefined;
  /** An order's name with or without `#`, its id, or the e-mail address it was placed with; exactly that. */
  readonly search?: string | undefined;
  readonly limit: number;
  /** Opaque, from an earlier page. A cursor that was not given out throws `ORDER_INVALID` with the field `cursor`. */
  readonly cursor?: string | undefined;
}

/** Newest first; of the queue those with the nearest deadline first, then the dearest. */
export interface OrderPage {
  readonly orders: readonly OrderRecord[];
  readonly nextCursor: string | null;
}

/** Work that is not finished. */
export interface Backlog {
  /** Deliveries and orders that still need work. */
  readonly pending: number;
  readonly oldestReceivedAtMs: number | null;
}

export interface OrderStore {
  /** Keep an order once, in state `received`, due at once, with a timeline entry. `false`: it was there already (nothing changes but a timeline entry). */
  receiveOrder(order: NewOrder, entry: TimelineEntry): Promise<boolean>;
  /** Claim orders that are due, oldest due first, fair between tenants. A lease that ran out is due again. */
  claimOrders(options: ClaimOptions): Promise<readonly OrderRecord[]>;
  /** Extend a lease; `false` when it was lost. */
  renewOrder(key: OrderKey, owner: string, leaseUntilMs: number): Promise<boolean>;
  /**
   * One transition, in one transaction: changes, timeline, and the step's record if given. Keeps the lease unless
   * `release`. Resolves to `false`, changing nothing, when `owner` no longer holds the lease, and to `"erased"` when
   * what it wrote of the order's content was erased meanwhile and is not kept.
   *
   * An order that was called for or ended on the platform while it was under lease is due at once, or settled, when it
   * is released.
   */
  saveOrder(key: OrderKey, owner: string, transition: OrderTransition): Promise<boolean | "erased">;
  /** Make an order that is in `waiting` or `review` due now, after its lease if it has one. `false`: it is in neither and nobody works on it. */
  wakeOrder(key: OrderKey, nowMs: number, entry: TimelineEntry): Promise<boolean>;
  /** Make every `waiting` order of a tenant due now; resolves to how many. */
  wakeTenant(tenant: TenantId, nowMs: number): Promise<number>;
  /**
   * The platform says the order was cancelled: it becomes `settled` and is never claimed again, one under lease as
   * soon as it is released; changes of it from before this moment do not count any more. An order that has not come yet is remembered as settled, so that it costs nothing.
   */
  endOrder(key: OrderKey, platform: string, nowMs: number, entry: TimelineEntry): Promise<void>;
  getOrder(key: OrderKey): Promise<OrderRecord | null>;
  listOrders(tenant: TenantId, filter: OrderFilter): Promise<OrderPage>;
  listTimeline(key: OrderKey): Promise<readonly TimelineEntry[]>;
  listSteps(key: OrderKey): Promise<readonly StepRecord[]>;
  backlog(): Promise<Backlog>;
  /** The earliest moment at which anything is due, or null. */
  nextDueAtMs(): Promise<number | null>;
}

// --------------------------------------------------------------------------------------------------------------- tenants

/** A tenant as kept. */
export interface TenantRecord {
  readonly tenant: TenantId;
  readonly platform: string;
  readonly state: "installed" | "uninstalled";
  readonly installedAtMs: number;
  /** When it left; null while it is installed. */
  readonly uninstalledAtMs: number | null;
}

/** Something that may be done only so often. */
export interface Quota {
  readonly tenant: TenantId;
  readonly name: string;
  readonly key: string;
  readonly sinceMs: number;
  readonly max: number;
  readonly nowMs: number;
}

/** One version of a tenant's policy; the document is validated by the caller. */
export interface PolicyVersion {
  readonly version: number;
  readonly document: unknown;
  readonly savedAtMs: number;
}

/** Which orders to erase. */
export interface ErasureRequest {
  readonly tenant: TenantId;
  readonly orderIds: readonly string[];
  readonly customerId: string | undefined;
  /** Matched against the sealed request of every order of the tenant, without regard to case. */
  readonly email: string | undefined;
}

export interface TenantStore {
  getTenant(tenant: TenantId): Promise<TenantRecord | null>;
  /** Keep a tenant as installed. `installed` moves `installedAtMs`. */
  saveCredential(
    tenant: TenantId,
    platform: string,
    secret: string,
    occasion: "installed" | "refreshed",
    nowMs: number,
  ): Promise<void>;
  /** Tenants that are installed, with the platform of each. */
  listInstalled(): Promise<readonly Pick<TenantRecord, "tenant" | "platform" | "installedAtMs">[]>;
  loadCredential(tenant: TenantId): Promise<string | null>;
  discardCredential(tenant: TenantId): Promise<void>;
  /**
   * The tenant uninstalled: secrets go, its unfinished orders are settled with the entry. `installed-again` and nothing
   * changes when it was installed after `triggeredAtMs`.
   */
  uninstallTenant(
    tenant: TenantId,
    platform: string,
    triggeredAtMs: number,
    entry: TimelineEntry,
  ): Promise<"uninstalled" | "installed-again">;
  /**
   * A named lease, for work that only one process may do. `false`: somebody else has it. Repeatable by its owner. One
   * that ends over an hour later than `untilMs` is given away: a clock that was ahead took it. With `untilMs` at `nowMs`
   * it is only asked whether somebody has it, however long.
   */
  acquireLease(name: string, owner: string, nowMs: number, untilMs: number): Promise<boolean>;
  releaseLease(name: string, owner: string): Promise<void>;
  /**
   * Take one of `max` places in the time since `sinceMs`, for `key`. Who has a place keeps it: the same key is let
   * through again.
   */
  takeQuota(quota: Quota): Promise<boolean>;
  /**
   * Deliveries of a tenant that were received before `beforeMs` and still need work, and its orders without a
   * decision: what a request to erase a customer has to wait for, or it would lose an order.
   */
  countUndecided(tenant: TenantId, beforeMs: number): Promise<number>;
  /** The newest policy; null for the default one. */
  loadPolicy(tenant: TenantId): Promise<PolicyVersion | null>;
  /**
   * Save the next version. `null` when `expectedVersion` is not the newest (0 for the default).
   *
   * @param actor - Who saved it, `person:ID`: kept with it and noted in the access log, together with it or not at all.
   *   Default: nobody is named, and nothing noted.
   */
  savePolicy(
    tenant: TenantId,
    document: unknown,
    expectedVersion: number | undefined,
    nowMs: number,
    actor?: string,
  ): Promise<PolicyVersion | null>;
  /**
   * Erase what is personal of the matching orders (requests, answers, kept answers, delivery bodies, customer
   * ids), leaving decisions and ledger. Resolves to the erased order ids.
   */
  eraseOrders(request: ErasureRequest, entry: TimelineEntry): Promise<readonly string[]>;
  /** Erase the tenant: every row of every table. */
  eraseTenant(tenant: TenantId): Promise<void>;
  /** Orders of one customer, for a data request. */
  findCustomerOrders(request: ErasureRequest): Promise<readonly CustomerOrder[]>;
  /** Keep the answer to a customer's data request for the tenant to fetch, sealed. A repeat replaces it. */
  saveReport(tenant: TenantId, requestId: string, content: string, nowMs: number): Promise<void>;
  /** Newest first. */
  listReports(
    tenant: TenantId,
  ): Promise<readonly { readonly requestId: string; readonly savedAtMs: number }[]>;
  getReport(tenant: TenantId, requestId: string): Promise<string | null>;
}
