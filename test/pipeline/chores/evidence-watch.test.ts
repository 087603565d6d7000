import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEvidenceWatch } from "../../../src/pipeline/chores/evidence-watch.ts";
import type { Dispute } from "../../../src/platform/platform.ts";
import type { Store } from "../../../src/store/store.ts";
import { createLogRecorder } from "../../support/log-recorder.ts";
import { createTestStore } from "../../support/test-store.ts";
import { entry, order, T0, TENANT } from "../../store/samples.ts";

const HOUR_MS = 3_600_000;

let store: Store;
let nowMs: number;
let log: ReturnType<typeof createLogRecorder>;

/** A look of a process that has just started. */
const look = () => createEvidenceWatch({ store, logger: log.logger, now: () => nowMs }).run();
const alerts = () => log.lines.filter(({ alert }) => alert === "dispute_evidence_due");
const record = (changes: Partial<Dispute> = {}) => {
  const dispute: Dispute = {
    disputeId: "d1",
    orderId: "1",
    kind: "inquiry",
    status: "open",
    reason: "fraudulent",
    isFraud: true,
    initiatedAtMs: T0,
    evidenceDueAtMs: T0 + 100 * HOUR_MS,
    ...changes,
  };
  return store.outcomes.recordDispute({ tenant: TENANT, orderId: "1" }, dispute, entry("dispute"));
};

beforeEach(async () => {
  store = await createTestStore();
  nowMs = T0;
  log = createLogRecorder();
  await store.tenants.saveCredential(TENANT, "shopify", "token", "installed", T0);
  await store.orders.receive(order("1"), entry("received"));
});
afterEach(() => store.close());

describe("createEvidenceWatch", () => {
  it("alerts once 48 hours before the deadline, also after a restart", async () => {
    await record();
    await look();
    nowMs = T0 + 52 * HOUR_MS - 1;
    await look();
    expect(alerts()).toEqual([]);
    nowMs += 1;
    await Promise.all([look(), look()]);
    nowMs += 10 * HOUR_MS;
    await look();
    expect(alerts()).toMatchObject([
      { tenant: TENANT, orderId: "1", dueAt: new Date(T0 + 100 * HOUR_MS).toISOString() },
    ]);
  });

  it("alerts again when an inquiry becomes a chargeback with a deadline of its own", async () => {
    await record({ evidenceDueAtMs: T0 + HOUR_MS });
    await look();
    await record({ kind: "chargeback", evidenceDueAtMs: T0 + 2 * HOUR_MS });
    await look();
    expect(alerts()).toHaveLength(2);
  });

  it.each<[string, Partial<Dispute>]>([
    ["evidence was sent", { evidenceSentAtMs: T0 }],
    ["the dispute is over", { status: "won" }],
    ["the deadline has passed", { evidenceDueAtMs: T0 }],
    ["the bank asks for none", { evidenceDueAtMs: undefined }],
  ])("is silent if %s", async (_why, changes) => {
    await record({ evidenceDueAtMs: T0 + HOUR_MS, ...changes });
    await look();
    expect(alerts()).toEqual([]);
  });

  it("is silent about a shop that uninstalled the app", async () => {
    await record({ evidenceDueAtMs: T0 + HOUR_MS });
    await store.tenants.uninstall(TENANT, T0, entry("uninstalled"));
    await look();
    expect(alerts()).toEqual([]);
  });
});
