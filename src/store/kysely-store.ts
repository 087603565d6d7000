import { SILENT_LOGGER, type Logger } from "../base/logger.ts";
import { createAccessLog } from "./people/access-log.ts";
import { createCallStore, createScreeningStore } from "./credits/ledger.ts";
import { createCircuitStore } from "./credits/circuits.ts";
import type { StoreContext } from "./context.ts";
import { createDeliveryStore } from "./deliveries/deliveries.ts";
import type { Engine } from "./engines/engine.ts";
import { createErasure } from "./retention/erasure.ts";
import { createLeases } from "./leases.ts";
import { createIncidentStore } from "./incidents/incidents.ts";
import { createInspection } from "./figures/inspection.ts";
import type { Keyring } from "./sealing/keyring.ts";
import { createSealer } from "./sealing/sealing.ts";
import { createLinkedOrders } from "./orders/linked-orders.ts";
import { createOrderReader } from "./orders/order-reader.ts";
import { createPacer } from "./engines/pacing.ts";
import { createOrderWriter } from "./orders/orders.ts";
import { createPeopleStore } from "./people/people.ts";
import { createDisputes } from "./outcomes/disputes.ts";
import { createOutcomes } from "./outcomes/outcomes.ts";
import { createPolicies } from "./tenants/policies.ts";
import { createReviewClaims } from "./orders/review-claims.ts";
import { createQuotas } from "./tenants/quotas.ts";
import { createReplaySource } from "./figures/replay-source.ts";
import { createReports } from "./retention/data-requests.ts";
import { createRevisions } from "./orders/revisions.ts";
import { createRetention } from "./retention/retention.ts";
import { createSessionStore } from "./people/sessions.ts";
import type { Store } from "./store.ts";
import { createSettings } from "./tenants/settings.ts";
import { createStatistics } from "./figures/statistics.ts";
import { createTenants } from "./tenants/tenants.ts";
import { createPersonDecisionStore } from "./orders/person-decisions.ts";
import { createVelocityStore } from "./velocity/velocity.ts";
import { createRestDecisions } from "./orders/rest-decisions.ts";
import { findRow, upsert } from "./statements.ts";

/** Options of {@link createKyselyStore}. */
export interface KyselyStoreOptions {
  /** An engine whose schema is up to date. The store closes it. */
  readonly engine: Engine;
  readonly keyring: Keyring;
  readonly logger?: Logger | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The {@link Store} over any {@link Engine}. */
export function createKyselyStore(options: KyselyStoreOptions): Store {
  const { engine, keyring, logger = SILENT_LOGGER, now } = options;
  const pace = createPacer();
  const context: StoreContext = { engine, keyring, logger, pace, sealer: createSealer(keyring, logger) };
  return {
    ...createDeliveryStore(context),
    ...createOrderWriter(context),
    ...createOrderReader(context),
    ...createLinkedOrders(context),
    ...createRevisions(context),
    ...createPersonDecisionStore(context),
    ...createRestDecisions(context),
    ...createScreeningStore(context),
    ...createCircuitStore(context),
    ...createCallStore(context),
    ...createTenants(context),
    ...createLeases(context),
    ...createIncidentStore(context),
    ...createSettings(context),
    ...createStatistics(context),
    ...createPolicies(context),
    ...createReplaySource(context),
    ...createOutcomes(context),
    ...createDisputes(context),
    ...createReviewClaims(context),
    ...createQuotas(context),
    ...createReports(context),
    ...createErasure(context),
    ...createInspection(context),
    ...createRetention(context),
    ...createAccessLog(context),
    ...createPeopleStore(context),
    ...createSessionStore(context),
    velocity: createVelocityStore(context),
    keyring,
    isShared: engine.isShared,
    ping: () => ping(engine, now()),
    onBehalfOf: (tenant, work) => engine.onBehalfOf(tenant, work),
    onWork: (listener) => engine.onWork(listener),
    nextTurn: pace,
    onLeasesLost: (listener) => engine.onLeasesLost(listener),
    close: () => engine.close(),
  };
}

async function ping(engine: Engine, nowMs: number): Promise<void> {
  // A real write: an empty transaction succeeds on a full disk too.
  const value = String(nowMs);
  await engine.write((db) => upsert(db, "meta", { name: "ping" }, { value }));
  await engine.read((db) => findRow(db, "meta", { name: "ping" }, ["name"]));
}
