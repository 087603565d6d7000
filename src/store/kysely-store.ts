import { SILENT_LOGGER, type Logger } from "../base/logger.ts";
import { createAccessLog } from "./people/access-log.ts";
import { createLedger, type Ledger } from "./credits/ledger.ts";
import type { VelocityStore } from "../engine/velocity/velocity-store.ts";
import type { Keyring } from "./sealing/keyring.ts";
import type { StoreContext } from "./context.ts";
import { createDeliveryStore } from "./deliveries/deliveries.ts";
import type { Engine } from "./engines/engine.ts";
import { createErasure } from "./retention/erasure.ts";
import { createTenantErasure } from "./retention/tenant-erasure.ts";
import { createCursors, createLeases } from "./leases.ts";
import { createIncidentStore } from "./incidents/incidents.ts";
import { createInspection } from "./figures/inspection.ts";
import { createSealer } from "./sealing/sealing.ts";
import { createOrderReader } from "./orders/order-reader.ts";
import { createPacer } from "./engines/pacing.ts";
import { createOrderWriter } from "./orders/orders.ts";
import { createPeopleStore } from "./people/people.ts";
import { createDisputes } from "./outcomes/disputes.ts";
import { createOutcomes } from "./outcomes/outcomes.ts";
import { createPolicies } from "./tenants/policies.ts";
import { createReviewClaims } from "./orders/review-claims.ts";
import { createReplaySource } from "./figures/replay-source.ts";
import { createReports } from "./retention/data-requests.ts";
import { createRevisions } from "./orders/revisions.ts";
import { createRetention } from "./retention/retention.ts";
import { createSessionStore } from "./people/sessions.ts";
import type { TenantId } from "../platform/platform.ts";
import { createSettings } from "./tenants/settings.ts";
import { createStatistics } from "./figures/statistics.ts";
import { createTenants } from "./tenants/tenants.ts";
import { createPersonDecisionStore } from "./orders/person-decisions.ts";
import { createVelocityStore } from "./velocity/velocity.ts";
import { createRestDecisions } from "./orders/held-order.ts";
import { findRow, upsert } from "./statements.ts";

/**
 * Where Holdfast keeps everything, subject by subject. Every implementation passes `test/store/conformance.ts`.
 *
 * All times are milliseconds since the epoch and come from the caller. Only leases and claims use the clock of a
 * database that processes share. Arguments and results are in the clear; an implementation seals personal data, answers
 * and secrets with its keyring before it writes. A store that cannot be reached throws `STORE_UNAVAILABLE` (retryable).
 */
export type Store = ReturnType<typeof createKyselyStore>;

/** What a screener needs of a store. Every {@link Store} has it. */
export interface ScreenerStore {
  readonly ledger: Ledger;
  readonly velocity: VelocityStore;
  /** Computes keyed digests. */
  readonly keyring: Pick<Keyring, "digest">;
}

/** Create a {@link Store} over an engine whose schema is up to date. The store closes it. `now`: milliseconds since the epoch. */
export function createKyselyStore({
  engine,
  keyring,
  logger = SILENT_LOGGER,
  now,
}: Pick<StoreContext, "engine" | "keyring"> & { readonly logger?: Logger; readonly now: () => number }) {
  const pace = createPacer();
  const context: StoreContext = { engine, keyring, logger, pace, sealer: createSealer(keyring, logger) };
  return {
    deliveries: createDeliveryStore(context),
    orders: {
      ...createOrderWriter(context),
      ...createOrderReader(context),
      ...createRevisions(context),
      ...createRestDecisions(context),
    },
    reviews: { ...createPersonDecisionStore(context), ...createReviewClaims(context) },
    outcomes: { ...createOutcomes(context), ...createDisputes(context) },
    ledger: createLedger(context),
    /** How often orders share an address, a card, a network and so on. */
    velocity: createVelocityStore(context),
    incidents: createIncidentStore(context),
    tenants: createTenants(context),
    settings: createSettings(context),
    policies: createPolicies(context),
    people: createPeopleStore(context),
    sessions: createSessionStore(context),
    accessLog: createAccessLog(context),
    figures: { ...createStatistics(context), ...createInspection(context), ...createReplaySource(context) },
    reports: createReports(context),
    retention: { ...createRetention(context), ...createErasure(context), ...createTenantErasure(context) },
    leases: createLeases(context),
    cursors: createCursors(context),
    keyring,
    /** Resolves when a read and a write transaction work. */
    ping: () => ping(engine, now()),
    /**
     * Call `listener` when any process that shares the store has made work due, until the returned function is called. A
     * call can be lost, so also poll now and then. Never called if one process owns the store.
     */
    onWork: (listener: () => void) => engine.onWork(listener),
    /**
     * Call `listener` when this process has to drop the work it claimed, until the returned function is called: its
     * connection to the database was lost for so long that others may take over. Once they have, writes under its old
     * leases change nothing.
     */
    onLeasesLost: (listener: () => void) => engine.onLeasesLost(listener),
    /**
     * Run work for a tenant. When the store is busy, tenants take turns, so that one tenant's flood doesn't delay others.
     */
    onBehalfOf: <T>(tenant: TenantId, work: () => Promise<T>) => engine.onBehalfOf(tenant, work),
    /**
     * Let other work run between two slices of a tenant's long work, such as a scan. Resolves in a later turn of the
     * event loop, one caller per turn, and tenants take turns. Rejects with the signal's reason if that fires.
     */
    nextTurn: pace,
    close: () => engine.close(),
  };
}

async function ping(engine: Engine, nowMs: number): Promise<void> {
  // Write something: an empty transaction succeeds even on a full disk.
  const value = String(nowMs);
  await engine.write((db) => upsert(db, "meta", { name: "ping" }, { value }));
  await engine.read((db) => findRow(db, "meta", { name: "ping" }, ["name"]));
}
