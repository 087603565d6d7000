import type { VelocityStore } from "../engine/velocity/velocity-store.ts";
import type { TenantId } from "../platform/platform.ts";
import type { CallStore } from "./credits/ledger.ts";
import type { DeliveryStore } from "./deliveries/deliveries.ts";
import type { InspectionStore } from "./figures/inspection.ts";
import type { IncidentStore } from "./incidents/incidents.ts";
import type { Keyring } from "./sealing/keyring.ts";
import type { LinkedOrderStore } from "./orders/linked-orders.ts";
import type { OrderReader } from "./orders/order-reader.ts";
import type { OrderWriter } from "./orders/orders.ts";
import type { DisputeStore } from "./outcomes/disputes.ts";
import type { OutcomeStore } from "./outcomes/outcomes.ts";
import type { PeopleStore, SessionStore } from "./people/person.ts";
import type { PolicyStore } from "./tenants/policies.ts";
import type { ReplaySource } from "./figures/replay-source.ts";
import type { RevisionStore } from "./orders/revisions.ts";
import type { SettingsStore } from "./tenants/settings.ts";
import type { CircuitStore, ScreeningStore } from "./credits/spending.ts";
import type { StatisticsStore } from "./figures/statistics.ts";
import type { QuotaStore } from "./tenants/quotas.ts";
import type { TenantStore } from "./tenants/tenants.ts";
import type { CursorStore, LeaseStore } from "./leases.ts";
import type { ErasureStore } from "./retention/erasure.ts";
import type { ReportStore } from "./retention/data-requests.ts";
import type { RetentionStore } from "./retention/retention.ts";
import type { AccessLogStore } from "./people/access-log.ts";
import type { ReviewClaimStore } from "./orders/review-claims.ts";
import type { PersonDecisionStore } from "./orders/person-decisions.ts";
import type { RestDecisionStore } from "./orders/rest-decisions.ts";

export type {
  AwaitingCounts,
  BodyTrace,
  ClaimedDelivery,
  DeliveryKey,
  DeliveryStore,
  NewDelivery,
} from "./deliveries/deliveries.ts";
export type { ClaimOptions, ClaimShares } from "./engines/engine.ts";
export type * from "./orders/order-record.ts";
export type * from "./orders/order-states.ts";
export { ORDER_STATES } from "./orders/order-states.ts";
export type { OrderFilter, OrderPage, QueueSort } from "./orders/order-lists.ts";
export { QUEUE_SORTS } from "./orders/order-lists.ts";
export type { Backlog } from "./orders/order-reader.ts";
export type * from "./credits/spending.ts";
export type { CursorStore, LeaseStore } from "./leases.ts";
export type { ErasureRequest } from "./retention/erasure.ts";
export type { PolicyStore, PolicyVersion } from "./tenants/policies.ts";
export type { Quota, QuotaStore } from "./tenants/quotas.ts";
export type { TenantRecord, TenantStore } from "./tenants/tenants.ts";
export type { IncidentKey, IncidentStore, UnsentIncident } from "./incidents/incidents.ts";

/** Orders: what is asked of them, and what becomes of them. */
export interface OrderStore extends OrderReader, OrderWriter {}

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
    LinkedOrderStore,
    RevisionStore,
    PersonDecisionStore,
    RestDecisionStore,
    ReviewClaimStore,
    ScreeningStore,
    CallStore,
    CircuitStore,
    TenantStore,
    IncidentStore,
    SettingsStore,
    StatisticsStore,
    PolicyStore,
    QuotaStore,
    ReplaySource,
    OutcomeStore,
    DisputeStore,
    RetentionStore,
    AccessLogStore,
    PeopleStore,
    SessionStore,
    InspectionStore,
    LeaseStore,
    CursorStore,
    ErasureStore,
    ReportStore {
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
   * Call `listener` when this process has to drop what it claimed, until the returned function is called: its
   * connection to the database was lost for so long that others may take the work over. What it still writes under
   * its leases changes nothing once they have.
   */
  onLeasesLost(listener: () => void): () => void;
  /**
   * Run work for a tenant: what it asks of the store takes turns with what is asked for others when the store is busy,
   * so that one tenant's flood keeps nobody else waiting.
   */
  onBehalfOf<T>(tenant: TenantId, work: () => Promise<T>): Promise<T>;
  /**
   * Give way between two slices of a tenant's long work, such as a scan: resolves in a later turn of the event loop, for one
   * caller a turn, and tenants take turns. Rejects with the signal's reason once that fires.
   */
  nextTurn(tenant: TenantId, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
