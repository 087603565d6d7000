import { SILENT_LOGGER, type Logger } from "../base/logger.ts";
import { createAccessLog } from "./people/access-log.ts";
import { createBuyerChecks } from "./buyer-checks/buyer-checks.ts";
import { createBuyerEvidence } from "./buyer-checks/buyer-evidence.ts";
import { createCardCodes } from "./buyer-checks/card-codes.ts";
import { createKeptAddresses } from "./buyer-checks/kept-addresses.ts";
import { createLedger } from "./credits/ledger.ts";
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
import { createNoticeStore } from "./people/notices.ts";
import { createPeopleStore } from "./people/people.ts";
import { createDisputes } from "./outcomes/disputes.ts";
import { createKeptOrders } from "./outcomes/kept-orders.ts";
import { createOutcomes } from "./outcomes/outcomes.ts";
import { createPolicies } from "./tenants/policies.ts";
import { createReviewClaims } from "./orders/review-claims.ts";
import { createReplaySource } from "./figures/replay-source.ts";
import { createReports } from "./retention/reports.ts";
import { createRevisions } from "./orders/revisions.ts";
import { createRetention } from "./retention/retention.ts";
import { createSavedViews } from "./people/saved-views.ts";
import { createSessionStore } from "./people/sessions.ts";
import { createSettings } from "./tenants/settings.ts";
import { createStatistics } from "./figures/statistics.ts";
import { createTenants } from "./tenants/tenants.ts";
import { createNoteDrafts } from "./orders/note-drafts.ts";
import { createAssignments } from "./orders/assignments.ts";
import { createReviewStore } from "./orders/reviews.ts";
import { createVelocityStore } from "./velocity/velocity.ts";
import { createRestDecisions } from "./orders/locked-order.ts";
import { findRow, upsert, type OrderKey } from "./statements.ts";
import type { Store } from "./store.ts";

/** Create a {@link Store} over an engine whose schema is up to date. The store closes it. `now`: milliseconds since the epoch. */
export function createKyselyStore({
  engine,
  keyring,
  logger = SILENT_LOGGER,
  now,
}: Pick<StoreContext, "engine" | "keyring"> & {
  readonly logger?: Logger;
  readonly now: () => number;
}): Store {
  const pace = createPacer();
  const context: StoreContext = { engine, keyring, logger, pace, sealer: createSealer(keyring, logger) };
  const orders = {
    ...createOrderWriter(context),
    ...createOrderReader(context),
    ...createRevisions(context),
    ...createRestDecisions(context),
  };
  const reviews = {
    ...createReviewStore(context),
    ...createReviewClaims(context),
    ...createAssignments(context),
    ...createNoteDrafts(context),
  };
  const buyerChecks = { ...createBuyerChecks(context), ...createKeptAddresses(context) };
  const outcomes = { ...createOutcomes(context), ...createDisputes(context), ...createKeptOrders(context) };
  return {
    deliveries: createDeliveryStore(context),
    orders: announcing(engine, orders, CHANGES_ORDERS),
    reviews: announcing(engine, reviews, ["decide", "undo", "note", "claim", "end", "assign"]),
    outcomes: announcing(engine, outcomes, ["recordDispute", "noteRefund"]),
    buyerChecks: announcing(engine, buyerChecks, ["issue", "update", "answer"]),
    buyerEvidence: createBuyerEvidence(context),
    cardCodes: createCardCodes(context),
    ledger: createLedger(context),
    velocity: createVelocityStore(context),
    incidents: createIncidentStore(context),
    tenants: createTenants(context),
    settings: createSettings(context),
    policies: createPolicies(context),
    // The pages of a removed person find out with their next request.
    people: announcing(engine, createPeopleStore(context), ["change", "revoke"]),
    // Pages that are open get their notices.
    notices: announcing(engine, createNoticeStore(context), ["addForPages"]),
    sessions: createSessionStore(context),
    views: createSavedViews(context),
    accessLog: createAccessLog(context),
    figures: { ...createStatistics(context), ...createInspection(context), ...createReplaySource(context) },
    reports: createReports(context),
    retention: { ...createRetention(context), ...createErasure(context), ...createTenantErasure(context) },
    leases: createLeases(context),
    cursors: createCursors(context),
    keyring,
    ping: () => ping(engine, now()),
    onWork: (listener) => engine.onWork(listener),
    onChange: (listener) => engine.onChange(listener),
    onLeasesLost: (listener) => engine.onLeasesLost(listener),
    onBehalfOf: (tenant, work) => engine.onBehalfOf(tenant, work),
    nextTurn: pace,
    close: () => engine.close(),
  };
}

const CHANGES_ORDERS = ["receive", "save", "wake", "end", "revise", "confirm", "decideAtRest"] as const;

/** The same methods. Those in `names`, which take a tenant's key first, announce that something of the tenant has changed. */
function announcing<T extends object>(
  engine: Pick<Engine, "announceChange">,
  methods: T,
  names: readonly (keyof T)[],
): T {
  const all = { ...methods };
  for (const name of names) {
    const method = methods[name] as (key: Pick<OrderKey, "tenant">, ...rest: unknown[]) => Promise<unknown>;
    const announced: typeof method = async (key, ...rest) => {
      const made = await method(key, ...rest);
      engine.announceChange(key.tenant);
      return made;
    };
    all[name] = announced as T[typeof name];
  }
  return all;
}

async function ping(engine: Engine, nowMs: number): Promise<void> {
  // Write something: an empty transaction succeeds even on a full disk.
  const value = String(nowMs);
  await engine.write((db) => upsert(db, "meta", { name: "ping" }, { value }));
  await engine.read((db) => findRow(db, "meta", { name: "ping" }, ["name"]));
}
