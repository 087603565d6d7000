import type { VelocityStore } from "../engine/velocity/velocity-store.ts";
import type { TenantId } from "../platform/platform.ts";
import type { BuyerCheckStore } from "./buyer-checks/buyer-checks.ts";
import type { BuyerEvidenceStore } from "./buyer-checks/buyer-evidence.ts";
import type { CardCodeStore } from "./buyer-checks/card-codes.ts";
import type { KeptAddressStore } from "./buyer-checks/kept-addresses.ts";
import type { Ledger } from "./credits/ledger.ts";
import type { DeliveryStore } from "./deliveries/deliveries.ts";
import type { Pacer } from "./engines/pacing.ts";
import type { Inspection } from "./figures/inspection.ts";
import type { ReplaySource } from "./figures/replay-source.ts";
import type { Statistics } from "./figures/statistics.ts";
import type { IncidentStore } from "./incidents/incidents.ts";
import type { CursorStore, LeaseStore } from "./leases.ts";
import type { RestDecisions } from "./orders/locked-order.ts";
import type { OrderReader } from "./orders/order-reader.ts";
import type { OrderWriter } from "./orders/orders.ts";
import type { NoteDrafts } from "./orders/note-drafts.ts";
import type { Assignments } from "./orders/assignments.ts";
import type { ReviewStore } from "./orders/reviews.ts";
import type { ReviewClaims } from "./orders/review-claims.ts";
import type { OrderRevisions } from "./orders/revisions.ts";
import type { DisputeStore } from "./outcomes/disputes.ts";
import type { KeptOrderStore } from "./outcomes/kept-orders.ts";
import type { OutcomeStore } from "./outcomes/outcomes.ts";
import type { AccessLog } from "./people/access-log.ts";
import type { NoticeStore } from "./people/notices.ts";
import type { PeopleStore } from "./people/people.ts";
import type { SavedViews } from "./people/saved-views.ts";
import type { SessionStore } from "./people/sessions.ts";
import type { ReportStore } from "./retention/reports.ts";
import type { Erasure } from "./retention/erasure.ts";
import type { Retention } from "./retention/retention.ts";
import type { TenantErasure } from "./retention/tenant-erasure.ts";
import type { Keyring } from "./sealing/keyring.ts";
import type { PolicyStore } from "./tenants/policies.ts";
import type { SettingsStore } from "./tenants/settings.ts";
import type { TenantStore } from "./tenants/tenants.ts";

export type * from "./deliveries/deliveries.ts";
export type { ClaimOptions, ClaimShares } from "./engines/engine.ts";
export type { OrderKey } from "./statements.ts";
export type * from "./orders/order-record.ts";
export type * from "./orders/order-states.ts";
export { ORDER_STATES } from "./orders/order-states.ts";
export type { OrderFilter, OrderListing } from "./orders/order-filter.ts";
export { BUYER_FILTERS, DISPUTE_FILTERS } from "./orders/order-filter.ts";
export { ORDER_SORTS, type OrderSort } from "./orders/order-sorts.ts";
export type { Backlog } from "./figures/statistics.ts";
export type { Ledger } from "./credits/ledger.ts";
export type * from "./credits/attempt.ts";
export type { ErasureRequest } from "./retention/mentions.ts";
export type { PolicyVersion } from "./tenants/policies.ts";
export type { Quota } from "./quotas.ts";
export type { TenantRecord } from "./tenants/tenants.ts";
export type { IncidentKey, UnsentIncident } from "./incidents/incidents.ts";

/** What a screener needs of a store. Every {@link Store} has it. */
export interface ScreenerStore {
  readonly ledger: Ledger;
  /** How often orders share an address, a card, a network and so on. */
  readonly velocity: VelocityStore;
  /** Computes keyed digests. */
  readonly keyring: Pick<Keyring, "digest">;
}

/**
 * Where Holdfast keeps everything, subject by subject. Every implementation passes `test/store/conformance.ts`.
 *
 * All times are milliseconds since the epoch and come from the caller. Only leases and claims use the clock of a
 * database that processes share. Arguments and results are in the clear; an implementation seals personal data, answers
 * and secrets with its keyring before it writes. A store that cannot be reached throws `STORE_UNAVAILABLE` (retryable).
 */
export interface Store extends ScreenerStore {
  readonly deliveries: DeliveryStore;
  readonly orders: OrderWriter & OrderReader & OrderRevisions & RestDecisions;
  /** What people decide about orders, and who is reviewing which. */
  readonly reviews: ReviewStore & ReviewClaims & Assignments & NoteDrafts;
  readonly outcomes: OutcomeStore & DisputeStore & KeptOrderStore;
  readonly buyerChecks: BuyerCheckStore & KeptAddressStore;
  readonly buyerEvidence: BuyerEvidenceStore;
  /** Amounts on cards that aren't given back yet. */
  readonly cardCodes: CardCodeStore;
  readonly incidents: IncidentStore;
  readonly tenants: TenantStore;
  readonly settings: SettingsStore;
  readonly policies: PolicyStore;
  readonly people: PeopleStore;
  /** What people want to know of. */
  readonly notices: NoticeStore;
  readonly sessions: SessionStore;
  readonly views: SavedViews;
  readonly accessLog: AccessLog;
  readonly figures: Statistics & Inspection & ReplaySource;
  /** Answers to customers' data requests. */
  readonly reports: ReportStore;
  readonly retention: Retention & Erasure & TenantErasure;
  readonly leases: LeaseStore;
  readonly cursors: CursorStore;
  readonly keyring: Keyring;
  /** Resolves when a read and a write transaction work. */
  ping(): Promise<void>;
  /**
   * Call `listener` when any process that shares the store has made work due, until the returned function is called. A
   * call can be lost, so also poll now and then. Never called if one process owns the store.
   */
  onWork(listener: () => void): () => void;
  /**
   * Call `listener` with each tenant whose orders or people have changed in any process that shares the store, or with null if calls may
   * have got lost, until the returned function is called. Changes that follow each other quickly can be one call.
   */
  onChange(listener: (tenant: TenantId | null) => void): () => void;
  /**
   * Call `listener` when this process has to drop the work it claimed, until the returned function is called: its
   * connection to the database was lost for so long that others may take over. Once they have, writes under its old
   * leases change nothing.
   */
  onLeasesLost(listener: () => void): () => void;
  /** Run work for a tenant. When the store is busy, tenants take turns, so that one tenant's flood doesn't delay others. */
  onBehalfOf<T>(tenant: TenantId, work: () => Promise<T>): Promise<T>;
  /**
   * Let other work run between two slices of a tenant's long work, such as a scan. Resolves in a later turn of the
   * event loop, one caller per turn, and tenants take turns. Rejects with the signal's reason if that fires.
   */
  readonly nextTurn: Pacer;
  close(): Promise<void>;
}
