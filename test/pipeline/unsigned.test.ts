import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import { createMetrics, type Metrics } from "../../src/pipeline/metrics.ts";
import { MOST_AWAITING } from "../../src/pipeline/intake/admission.ts";
import type { Pipeline } from "../../src/pipeline/pipeline.ts";
import type { PlatformEvent } from "../../src/platform/platform.ts";
import { createTestStore } from "../support/test-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createLogRecorder } from "../support/log-recorder.ts";
import { aResult, anOrder } from "../support/orders.ts";
import * as waits from "../support/pipeline-waits.ts";
import { createRunningClock } from "../support/running-clock.ts";
import { until } from "../support/until.ts";
import { startPipeline } from "../support/test-pipeline.ts";
import { createTestPlatform, orderEvent, type TestPlatform } from "../support/platform.ts";
import { createScriptedVerifier, type ScriptedVerifier } from "../support/verifier.ts";

const SHOP = "test:shop";
const OTHER = "test:other";
const DAY_MS = 86_400_000;

let store: Store;
let platform: TestPlatform;
let verifier: ScriptedVerifier;
let metrics: Metrics;
let log: ReturnType<typeof createLogRecorder>;
let pipeline: Pipeline;
let aheadMs: number;
let deliveries: number;

const clock = createRunningClock();
const now = () => clock() + aheadMs;
const install = (tenant: string) =>
  store.tenants.saveCredential(tenant, "test", "secret", "installed", now());
const anEvent = (event: PlatformEvent) => Buffer.from(JSON.stringify(event));
const anOrderBody = (orderId: string) =>
  orderEvent({ orderId, mapped: { outcome: "screenable", test: false, request: anOrder({ orderId }) } });
const alerts = (name: string) => log.lines.filter((line) => line["alert"] === name);
const count = async (outcome: string) =>
  Number(
    new RegExp(`webhooks_total{platform="test",outcome="${outcome}"} (\\d+)`).exec(
      await metrics.render(),
    )?.[1] ?? 0,
  );
const refused = () => count("refused");

async function deliver(tenant: string, body: Buffer, topic = "orders/create"): Promise<void> {
  const deliveryId = `d-${(deliveries += 1)}`;
  await pipeline.intake.accept({ tenant, deliveryId, platform: "test", topic, receivedAtMs: now(), body });
}

/** Every delivery was processed or waits for an installation, and every order is decided. */
const untilHeard = () => waits.untilHeard({ store, pipeline }, SHOP, OTHER);
const untilHandled = () => waits.untilHandled({ store, pipeline });

beforeEach(async () => {
  store = await createTestStore();
  platform = createTestPlatform();
  metrics = createMetrics();
  log = createLogRecorder();
  aheadMs = 0;
  deliveries = 0;
  verifier = createScriptedVerifier(() => ({ result: aResult("low") }));
  const accessOf = () => ({ verifier, keyId: "key" });
  pipeline = startPipeline({ store, platform, accessOf, metrics, logger: log.logger, now });
});

afterEach(async () => {
  await pipeline.stop(100);
  await store.close();
});

describe("an order of a shop that hasn't installed the app", () => {
  it("waits and costs nothing, and is checked once after the installation", async () => {
    // One after the other: of several that arrive at the same moment, each waits.
    for (let repeat = 0; repeat < 5; repeat += 1) {
      await deliver(SHOP, anOrderBody("1"));
      await untilHandled();
    }
    expect(await store.deliveries.countAwaiting(SHOP)).toEqual({ ofTenant: 1, inAll: 1 });
    expect(await store.orders.get({ tenant: SHOP, orderId: "1" })).toBeNull();
    expect(verifier.calls).toHaveLength(0);

    await install(SHOP);
    await untilHeard();

    expect(verifier.calls).toHaveLength(1);
    expect(await store.deliveries.countAwaiting(SHOP)).toEqual({ ofTenant: 0, inAll: 0 });
  });

  it("waits again after the app was uninstalled", async () => {
    await install(SHOP);
    platform.onConfirmAccess = async () => "refused";
    await deliver(SHOP, anEvent({ kind: "uninstalled" }), "app/uninstalled");
    await untilHandled();
    expect(await store.tenants.get(SHOP)).toMatchObject({ state: "uninstalled" });

    await deliver(SHOP, anOrderBody("1"));
    await untilHandled();
    expect(await store.deliveries.countAwaiting(SHOP)).toMatchObject({ ofTenant: 1 });
    expect(verifier.calls).toHaveLength(0);

    aheadMs += 1_000;
    await install(SHOP);
    await untilHeard();
    expect(verifier.calls).toHaveLength(1);
  });

  it("has the state of its last update, if both waited", async () => {
    const placedAtMs = now() - 60_000;
    const request = anOrder({ orderId: "1", orderTimestamp: new Date(placedAtMs).toISOString() });
    const toOrder = (orderAmount: number, updatedAtMs: number) => ({
      orderId: "1",
      name: "#1",
      customerId: undefined,
      amount: orderAmount,
      currency: "USD",
      updatedAtMs,
      mapped: { outcome: "screenable", test: false, request: { ...request, orderAmount } } as const,
    });
    const changed = { kind: "order-changed", order: toOrder(900, placedAtMs + 2_000) } as const;
    await deliver(SHOP, anEvent(changed), "orders/updated");
    const created = { kind: "order", order: toOrder(20, placedAtMs) } as const;
    await deliver(SHOP, anEvent(created));
    await untilHandled();

    aheadMs += 1_000;
    await install(SHOP);
    await until(async () =>
      expect(await store.orders.get({ tenant: SHOP, orderId: "1" })).toMatchObject({
        amount: 900,
        asOfMs: placedAtMs + 2_000,
        state: "settled",
      }),
    );
  });

  it("that has ended is remembered only if an order waits", async () => {
    const end = anEvent({ kind: "order-cancelled", orderId: "1" });
    await deliver(OTHER, anEvent({ kind: "order-cancelled", orderId: "2" }), "orders/delete");
    await deliver(SHOP, anOrderBody("1"));
    await untilHandled();
    await deliver(SHOP, end, "orders/delete");
    await untilHandled();
    expect(await store.deliveries.countAwaiting(SHOP)).toEqual({ ofTenant: 2, inAll: 2 });
  });

  it("is dropped, with one alert, when too many wait", async () => {
    const { ofTenant } = MOST_AWAITING;
    const counting = vi.spyOn(store.deliveries, "countAwaiting").mockResolvedValue({ ofTenant, inAll: 0 });

    for (let order = 0; order < 3; order += 1) await deliver(SHOP, anOrderBody(String(order)));
    await untilHandled();

    counting.mockRestore();
    expect(await store.deliveries.countAwaiting(SHOP)).toEqual({ ofTenant: 0, inAll: 0 });
    expect(alerts("orders_not_kept")).toHaveLength(1);
  });
});

describe("a body without what its topic needs", () => {
  it("is counted as unusable and logged, unlike one that is only irrelevant", async () => {
    await deliver(SHOP, anEvent({ kind: "ignored", reason: "no-order-id", isUnreadable: true }));
    await deliver(SHOP, anEvent({ kind: "ignored", reason: "own-hold" }));
    await untilHandled();

    expect(await count("unusable")).toBe(1);
    expect(log.lines.filter(({ level }) => level === "warn")).toMatchObject([
      { tenant: SHOP, topic: "orders/create", reason: "no-order-id" },
    ]);
  });
});

describe("a body that came under another shop's name", () => {
  it("costs nothing, whether the other shop is installed or not", async () => {
    await install(SHOP);
    await deliver(SHOP, anOrderBody("1"));
    await untilHeard();
    for (const tenant of [OTHER, "test:third", "test:fourth"]) await deliver(tenant, anOrderBody("1"));
    await untilHandled();
    await install(OTHER);
    await deliver(OTHER, anOrderBody("1"));
    await untilHandled();

    expect(verifier.calls).toHaveLength(1);
    expect(await store.orders.get({ tenant: OTHER, orderId: "1" })).toBeNull();
    expect((await store.deliveries.countAwaiting(OTHER)).inAll).toBe(0);
    expect(await refused()).toBe(4);
    expect(alerts("webhooks_refused")).toHaveLength(1);
  });

  it("is accepted if the platform says that the order belongs to this shop", async () => {
    await install(SHOP);
    await install(OTHER);
    // The attacker sends a captured body first.
    await deliver(OTHER, anOrderBody("1"));
    await untilHeard();
    platform.onObserve = async (tenant) =>
      tenant === SHOP
        ? {
            cancelled: false,
            fulfilled: false,
            partlyFulfilled: false,
            holdable: true,
            tags: [],
            holds: [],
            assessment: null,
            platformRisk: null,
          }
        : null;

    await deliver(SHOP, anOrderBody("1"));
    await untilHeard();

    expect(await store.orders.get({ tenant: SHOP, orderId: "1" })).not.toBeNull();
  });

  it.each([
    ["cannot be reached", "PLATFORM_UNAVAILABLE", null],
    ["does not let the app in", "PLATFORM_UNAUTHORIZED", "refused"],
  ] as const)("has no effect while the platform %s", async (_case, code, outcome) => {
    await install(SHOP);
    await install(OTHER);
    await deliver(SHOP, anOrderBody("1"));
    await untilHeard();
    const asked = Promise.withResolvers<void>();
    platform.onObserve = async () => {
      asked.resolve();
      throw new HoldfastError(code, "no answer", { retryable: true });
    };

    await deliver(OTHER, anOrderBody("1"));
    await asked.promise;
    if (outcome !== null) await untilHandled();

    expect(await refused()).toBe(outcome === null ? 0 : 1);
    expect(await store.orders.get({ tenant: OTHER, orderId: "1" })).toBeNull();
    expect(verifier.calls).toHaveLength(1);
  });
});

describe("a delivery that says that a shop left", () => {
  const leave = (kind: "uninstalled" | "erase-tenant") => deliver(SHOP, anEvent({ kind }), kind);

  beforeEach(async () => {
    await install(SHOP);
    await deliver(SHOP, anOrderBody("1"));
    await untilHeard();
    aheadMs += 1_000;
  });

  it.each(["uninstalled", "erase-tenant"] as const)(
    "does nothing while the shop's access works, and alerts once an hour: %s",
    async (kind) => {
      for (let repeat = 0; repeat < 3; repeat += 1) await leave(kind);
      await untilHandled();

      expect(await store.tenants.loadCredential(SHOP)).toBe("secret");
      expect(await store.orders.get({ tenant: SHOP, orderId: "1" })).not.toBeNull();
      expect(await refused()).toBe(3);
      expect(alerts("webhooks_refused")).toMatchObject([{ reason: "still-installed" }]);

      aheadMs += 3_700_000;
      await leave(kind);
      await untilHandled();
      expect(alerts("webhooks_refused")).toHaveLength(2);
    },
  );

  it("is accepted once the platform refuses the shop's access", async () => {
    platform.onConfirmAccess = async () => "refused";
    await leave("uninstalled");
    await untilHandled();
    expect(await store.tenants.get(SHOP)).toMatchObject({ state: "uninstalled" });
    expect(await store.tenants.loadCredential(SHOP)).toBeNull();

    platform.onConfirmAccess = () => expect.unreachable("nothing is left to ask with");
    await leave("erase-tenant");
    await untilHandled();
    expect(await store.tenants.get(SHOP)).toBeNull();
    expect(await store.orders.get({ tenant: SHOP, orderId: "1" })).toBeNull();
  });

  it("is accepted if the platform has refused the shop's access before", async () => {
    await store.tenants.discardCredential(SHOP, "refused", now());
    platform.onConfirmAccess = async () => "unknown";

    await leave("uninstalled");
    await untilHandled();

    expect(await store.tenants.get(SHOP)).toMatchObject({ state: "uninstalled" });
  });

  it("waits while the platform can't be asked", async () => {
    let answer: "down" | "refused" = "down";
    const asked = Promise.withResolvers<void>();
    platform.onConfirmAccess = async () => {
      asked.resolve();
      if (answer === "refused") return answer;
      throw new HoldfastError("PLATFORM_UNAVAILABLE", "no answer", { retryable: true });
    };
    await leave("erase-tenant");
    await asked.promise;
    expect(await store.tenants.loadCredential(SHOP)).toBe("secret");

    answer = "refused";
    aheadMs += 600_000;
    await untilHandled();
    expect(await store.tenants.get(SHOP)).toBeNull();
  });

  it("removes nothing while the answer isn't known, and erases only after weeks", async () => {
    await store.tenants.discardCredential(SHOP, "expired", now());
    platform.onConfirmAccess = async () => "unknown";
    await leave("uninstalled");
    await untilHandled();
    expect(await store.tenants.get(SHOP)).toMatchObject({ state: "installed" });

    await leave("erase-tenant");
    await until(() => alerts("erasure_unconfirmed").length > 0);
    expect(await store.orders.get({ tenant: SHOP, orderId: "1" })).not.toBeNull();

    aheadMs += 26 * DAY_MS;
    await untilHandled();
    expect(await store.tenants.get(SHOP)).toBeNull();
  });

  it("erases in time even if the platform refuses requests, as it does for closed shops", async () => {
    platform.onConfirmAccess = async () => {
      throw new HoldfastError("PLATFORM_REFUSED", "the shop is closed", { retryable: false });
    };
    await leave("erase-tenant");
    await until(() => alerts("erasure_unconfirmed").length > 0);
    expect(await store.orders.get({ tenant: SHOP, orderId: "1" })).not.toBeNull();

    aheadMs += 26 * DAY_MS;
    await untilHandled();
    expect(await store.tenants.get(SHOP)).toBeNull();
  });

  it("erases nothing of a shop that came back at that moment", async () => {
    platform.onConfirmAccess = async () => {
      aheadMs += 1_000;
      await install(SHOP);
      return "refused";
    };

    await leave("erase-tenant");
    await leave("uninstalled");
    await untilHandled();

    expect(await store.tenants.get(SHOP)).toMatchObject({ state: "installed" });
    expect(await store.orders.get({ tenant: SHOP, orderId: "1" })).not.toBeNull();
  });
});

describe("a privacy request that is sent again", () => {
  it("doesn't affect what the customer ordered since", async () => {
    await install(SHOP);
    const about = { orderIds: ["1"], email: "jane@example.com", customerId: undefined };
    await deliver(SHOP, anOrderBody("1"));
    await untilHeard();
    aheadMs += 1_000;
    await deliver(SHOP, anEvent({ kind: "erase-customer", ...about }), "redact");
    await untilHandled();
    expect(await store.orders.get({ tenant: SHOP, orderId: "1" })).toMatchObject({ mapped: null });
    aheadMs += 1_000;
    await deliver(SHOP, anOrderBody("2"));
    await untilHeard();

    aheadMs += 1_000;
    await deliver(SHOP, anEvent({ kind: "erase-customer", ...about }), "redact");
    await untilHandled();

    expect(await store.orders.get({ tenant: SHOP, orderId: "2" })).not.toMatchObject({ mapped: null });
  });

  it("prepares no second report", async () => {
    const about = { orderIds: ["1"], email: "jane@example.com", customerId: undefined };
    for (let repeat = 0; repeat < 3; repeat += 1) {
      await deliver(SHOP, anEvent({ kind: "report-customer", requestId: "7", ...about }), "data_request");
      await untilHandled();
      aheadMs += 1_000;
    }

    expect(alerts("customer_data_request")).toHaveLength(1);
  });
});

describe("permissions that are reported again", () => {
  it("wake nothing, under the same name or another", async () => {
    await install(SHOP);
    await install(OTHER);
    const waking = vi.spyOn(store.orders, "wakeTenant");
    for (const tenant of [SHOP, SHOP, OTHER]) {
      await deliver(tenant, anEvent({ kind: "permissions-changed", granted: ["read_orders"] }), "scopes");
      await untilHandled();
      aheadMs += 1_000;
    }

    expect(waking.mock.calls.map(([tenant]) => tenant)).toEqual([SHOP]);
    expect(alerts("webhooks_refused")).toMatchObject([{ reason: "body-of-another-tenant" }]);
  });
});
