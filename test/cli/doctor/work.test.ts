import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkWork } from "../../../src/cli/doctor/work.ts";
import type { Finding } from "../../../src/platform/platform.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createSignatureWatch } from "../../../src/server/intake/signature-watch.ts";
import { until } from "../../support/until.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { OrderChanges, Store } from "../../../src/store/store.ts";
import { claim, decision, delivery, entry, MINUTE_MS, order, T0, TENANT } from "../../store/samples.ts";

const HOUR_MS = 60 * MINUTE_MS;

let store: Store;

beforeEach(async () => {
  store = await createTestStore();
});
afterEach(() => store.close());

async function look(nowMs = T0): Promise<ReadonlyMap<string, Finding>> {
  return new Map((await checkWork(store, nowMs, ["shopify"])).map((finding) => [finding.id, finding]));
}

/** Store an order and bring it into a state. */
async function put(orderId: string, changes: OrderChanges, receivedAtMs = T0): Promise<void> {
  await store.orders.receive(order(orderId, { receivedAtMs }), entry("received"));
  await store.orders.claim(claim(orderId, { nowMs: receivedAtMs, limit: 100 }));
  await store.orders.save({ tenant: TENANT, orderId }, orderId, { changes, release: true });
}

const decided = (degraded: boolean, decidedAtMs = T0) =>
  ({ state: "settled", dueAtMs: null, decidedAtMs, decision: decision({ degraded }) }) as const;

describe("checkWork", () => {
  it("finds nothing wrong in an empty database", async () => {
    const statuses = [...(await look())].map(([id, { status }]) => [id, status]);

    expect(Object.fromEntries(statuses)).toEqual({
      "work.backlog": "ok",
      "work.failed": "ok",
      "work.holds": "ok",
      "work.deliveries": "ok",
      "work.signatures": "ok",
      "work.webhooks": "skipped",
      "work.degraded": "ok",
      "work.coverage": "skipped",
    });
  });

  it("reports that no process is working", async () => {
    await store.orders.receive(order("1"), entry("received"));

    expect((await look(T0 + 4 * MINUTE_MS)).get("work.backlog")).toMatchObject({ status: "ok" });
    expect((await look(T0 + 5 * MINUTE_MS)).get("work.backlog")).toMatchObject({
      status: "problem",
      found: "1 in progress or waiting, the oldest since 5 minutes; 1 overdue by more than 5 minutes",
      advice: expect.stringContaining("ROLE"),
    });
  });

  it("warns of work that has waited for more than a day", async () => {
    await put("1", { state: "waiting", dueAtMs: T0 + 30 * HOUR_MS });

    expect((await look(T0 + 23 * HOUR_MS)).get("work.backlog")).toMatchObject({ status: "ok" });
    expect((await look(T0 + 25 * HOUR_MS)).get("work.backlog")).toMatchObject({ status: "warning" });
  });

  it("counts orders that failed, by problem", async () => {
    for (const orderId of ["1", "2"]) {
      await put(orderId, { state: "failed", dueAtMs: null, problem: "cancel:already-fulfilled" });
    }
    await put("3", { state: "failed", dueAtMs: null, problem: "INTERNAL" });

    expect((await look()).get("work.failed")).toMatchObject({
      status: "warning",
      found: "3 orders in state failed: cancel:already-fulfilled 2, INTERNAL 1",
    });
  });

  it("warns of holds near and past their deadline", async () => {
    await put("1", { state: "review", dueAtMs: T0 + HOUR_MS, holdDeadlineMs: T0 + 5 * HOUR_MS });

    expect((await look()).get("work.holds")?.found).toBe("0 holds past the deadline, 1 within 6 hours");
    expect((await look(T0 + 5 * HOUR_MS)).get("work.holds")).toMatchObject({
      status: "warning",
      found: "1 hold past the deadline, 0 within 6 hours",
    });
  });

  it("reports webhooks that are stuck", async () => {
    await store.deliveries.save([delivery("a")]);
    await store.deliveries.claim(claim("p1"));
    await store.deliveries.retry({ tenant: TENANT, deliveryId: "a" }, "p1", T0 + HOUR_MS, "DATA_UNREADABLE");

    const checks = await look(T0 + MINUTE_MS);

    expect(checks.get("work.deliveries")).toMatchObject({
      status: "problem",
      found: "1 webhook can't be processed: DATA_UNREADABLE 1",
    });
    expect(checks.get("work.webhooks")).toMatchObject({
      status: "ok",
      found: "the last webhook arrived 1 minute ago",
    });
  });

  it("reports that an app's webhooks are refused for their signature, until one is accepted", async () => {
    const watch = createSignatureWatch({ store, logger: SILENT_LOGGER, now: () => T0 }, "shopify");

    for (let refused = 0; refused < 3; refused += 1) watch.refused();

    await until(async () => (await look()).get("work.signatures")?.status === "problem");
    expect((await look()).get("work.signatures")?.advice).toContain("SHOPIFY_API_SECRET");

    watch.accepted();

    await until(async () => (await look()).get("work.signatures")?.status === "ok");
  });

  it("warns when a shop is installed and no webhook ever came", async () => {
    await store.tenants.saveCredential(TENANT, "shopify", "secret", "installed", T0);

    expect((await look()).get("work.webhooks")).toMatchObject({ status: "warning" });
  });

  it("warns when many of a day's orders were decided without the service", async () => {
    for (let index = 0; index < 20; index += 1) await put(`answered-${index}`, decided(false));
    await put("degraded-1", decided(true));
    expect((await look()).get("work.degraded")).toMatchObject({
      status: "ok",
      found: "1 of the 21 orders of the last 24 hours were decided without the service",
    });

    await put("degraded-2", decided(true));
    expect((await look()).get("work.degraded")).toMatchObject({ status: "warning" });
    expect((await look(T0 + 25 * HOUR_MS)).get("work.degraded")).toMatchObject({ status: "ok" });
  });

  it("warns when orders aren't decided in time", async () => {
    await put("1", decided(false, T0 + MINUTE_MS));
    expect((await look(T0 + HOUR_MS)).get("work.coverage")).toMatchObject({
      status: "ok",
      found: "1 of 1 orders of the last 24 hours were decided within 5 minutes",
    });

    await put("2", decided(false, T0 + 6 * MINUTE_MS));
    expect((await look(T0 + HOUR_MS)).get("work.coverage")).toMatchObject({ status: "warning" });
  });
});
