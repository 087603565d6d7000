import { SILENT_LOGGER, type Logger } from "../base/logger.ts";
import { createAccessLog } from "./people/access-log.ts";
import { createCallStore, createScreeningStore } from "./credits/ledger.ts";
import { createCircuitStore } from "./credits/circuits.ts";
import { createClockStore } from "./clock.ts";
import type { StoreContext } from "./context.ts";
import { createCoverage } from "./figures/coverage.ts";
import { createCursors } from "./retention/upkeep.ts";
import { createDeliveryStore } from "./deliveries/deliveries.ts";
import type { Engine } from "./engines/engine.ts";
import { createErasure } from "./retention/erasure.ts";
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
import { createPolicyVersions } from "./tenants/policy-versions.ts";
import { createReviewClaims } from "./orders/review-claims.ts";
import { createQuotas } from "./tenants/quotas.ts";
import { createReplaySource } from "./figures/replay-source.ts";
import { createReports } from "./retention/data-requests.ts";
import { createRevisions } from "./orders/revisions.ts";
import { createRetention } from "./retention/retention.ts";
import { createSessionStore } from "./people/sessions.ts";
import { type Store } from "./store.ts";
import { APP_OWNER_PREFIX } from "./context.ts";
import { createSettings } from "./tenants/settings.ts";
import { createStatistics } from "./figures/statistics.ts";
import { createTenantAccess } from "./tenants/tenants.ts";
import { createPersonDecisionStore } from "./orders/person-decision-writer.ts";
import { createVelocityStore } from "./credits/velocity.ts";
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
    ...createScreeningStore(context),
    ...createCircuitStore(context),
    ...createCallStore(context),
    ...createTenantAccess(context),
    ...createIncidentStore(context),
    ...createSettings(context),
    ...createStatistics(context),
    ...createPolicyVersions(context),
    ...createReplaySource(context),
    ...createOutcomes(context),
    ...createDisputes(context),
    ...createReviewClaims(context),
    ...createQuotas(context),
    ...createReports(context),
    ...createErasure(context),
    ...createClockStore(context),
    ...createInspection(context),
    ...createRetention(context),
    ...createAccessLog(context),
    ...createPeopleStore(context),
    ...createSessionStore(context),
    ...createCursors(context),
    ...createCoverage(context),
    velocity: createVelocityStore(context),
    keyring,
    isShared: engine.isShared,
    ping: () => ping(engine, now()),
    onBehalfOf: (tenant, work) => engine.onBehalfOf(tenant, work),
    onWork: (listener) => engine.onWork(listener),
    nextTurn: pace,
    onLeasesLost: (listener) => engine.onLeasesLost(listener),
    releaseAllLeases: () => releaseAllLeases(engine),
    close: () => engine.close(),
  };
}

async function ping(engine: Engine, nowMs: number): Promise<void> {
  // A real write: an empty transaction succeeds on a full disk too.
  const value = String(nowMs);
  await engine.write((db) => upsert(db, "meta", { name: "ping" }, { value }));
  await engine.read((db) => findRow(db, "meta", { name: "ping" }, ["name"]));
}

async function releaseAllLeases(engine: Engine): Promise<void> {
  const free = { lease_owner: null, lease_until: null };
  await engine.write(async (db) => {
    await db
      .updateTable("deliveries")
      .set(free)
      .where("ready_at", "is not", null)
      .where("lease_owner", "is not", null)
      .execute();
    await db.updateTable("orders").set(free).where("lease_owner", "is not", null).execute();
    // Nobody is left to end these calls, and nobody knows whether they were billed.
    await db
      .updateTable("attempts")
      .set({ state: "unknown" })
      .where("state", "=", "sent")
      // Storefronts that share the file go on; the calls of those that died are given up when their leases run out.
      .where("owner", "like", `${APP_OWNER_PREFIX}%`)
      .execute();
    await db.deleteFrom("leases").execute();
  });
}
