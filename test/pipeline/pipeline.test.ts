import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import type { MappedOrder } from "../../src/platform/platform.ts";
import type { Pipeline } from "../../src/pipeline/pipeline.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import { createTestStore } from "../support/test-store.ts";
import type { OrderRecord, OrderState, Store } from "../../src/store/store.ts";
import type { RiskLevel } from "../../src/order/risk-level.ts";
import { aResult, anOrder } from "../support/orders.ts";
import { untilHandled, untilOrder } from "../support/pipeline-waits.ts";
import { createRunningClock } from "../support/running-clock.ts";
import { until as untilTrue } from "../support/until.ts";
import { startPipeline } from "../support/test-pipeline.ts";
import { createTestPlatform, orderEvent, type TestPlatform } from "../support/platform.ts";
import { createScriptedVerifier, type ScriptedVerifier } from "../support/verifier.ts";
import { toTimelineEntry } from "../../src/pipeline/timeline.ts";

const TENANT = "test:shop";
const ENDED: ReadonlySet<OrderState> = new Set(["settled", "review", "failed"]);

let store: Store;
let platform: TestPlatform;
let verifier: ScriptedVerifier;
let level: RiskLevel;
let clockAheadMs: number;
const running: Pipeline[] = [];
let deliveries: number;

const clock = createRunningClock();
const now = () => clock() + clockAheadMs;

function startProcess(owner = "process-1", withService = true): Pipeline {
  const accessOf = () => (withService ? { verifier, keyId: "key" } : null);
  const pipeline = startPipeline({ store, platform, accessOf, now, owner });
  running.push(pipeline);
  return pipeline;
}

function deliver(
  pipeline: Pipeline,
  body: Buffer,
  topic = "orders/create",
  deliveryId = `d-${(deliveries += 1)}`,
) {
  const delivery = {
    tenant: TENANT,
    deliveryId,
    platform: "test",
    topic,
    receivedAtMs: now(),
  };
  return pipeline.intake.accept({ ...delivery, body });
}

function screenable(
  orderId = "1001",
  changes: Parameters<typeof anOrder>[0] = {},
  test = false,
): MappedOrder {
  return { outcome: "screenable", request: anOrder({ orderId, ...changes }), test };
}

const anOrderDelivery = (orderId = "1001") => orderEvent({ orderId, mapped: screenable(orderId) });

const until = (pipeline: Pipeline, condition: (order: OrderRecord) => boolean, orderId = "1001") =>
  untilOrder({ store, pipeline }, { tenant: TENANT, orderId }, condition);

const untilEnded = (pipeline: Pipeline, orderId?: string) =>
  until(pipeline, ({ state }) => ENDED.has(state), orderId);

beforeEach(async () => {
  store = await createTestStore();
  platform = createTestPlatform();
  level = "low";
  clockAheadMs = 0;
  deliveries = 0;
  verifier = createScriptedVerifier(() => ({ result: aResult(level) }));
  await store.tenants.saveCredential(TENANT, "test", "secret", "installed", now() - 86_400_000);
});

afterEach(async () => {
  for (const pipeline of running.splice(0)) await pipeline.stop(100);
  await store.close();
});

describe("createPipeline", () => {
  it.each([
    ["low", "allow", "settled", ["assess"]],
    ["medium", "tag", "settled", ["assess", "tag"]],
    ["high", "hold", "review", ["hold", "assess", "tag"]],
    ["critical", "cancel", "settled", ["assess", "tag", "cancel"]],
  ] as const)("carries a %s order to %s", async (risk, action, state, steps) => {
    level = risk;
    const pipeline = startProcess();

    expect(await deliver(pipeline, anOrderDelivery())).toBe("accepted");
    const order = await untilEnded(pipeline);

    expect(order).toMatchObject({
      state,
      creditsSpent: 1,
      decision: { action, source: "service", degraded: false },
    });
    expect(platform.enforced.map(({ step }) => step)).toEqual(steps);
    expect(order.holdDeadlineMs === null).toBe(action !== "hold");
  });

  it("does everything once for five deliveries, each repeated five times", async () => {
    level = "high";
    const pipeline = startProcess();

    const outcomes = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        deliver(pipeline, anOrderDelivery(), "orders/create", `d-${index % 5}`),
      ),
    );
    await untilEnded(pipeline);
    await untilHandled({ store, pipeline });

    expect(outcomes.filter((outcome) => outcome === "accepted")).toHaveLength(5);
    expect(verifier.calls).toHaveLength(1);
    expect(platform.enforced.map(({ step }) => step)).toEqual(["hold", "assess", "tag"]);
  });

  it("doesn't repeat the work of a process that died halfway", async () => {
    level = "high";
    const stuck = Promise.withResolvers<void>();
    platform.onEnforce = (step) => {
      if (step !== "assess") return undefined;
      stuck.resolve();
      return new Promise(() => {});
    };
    await deliver(startProcess("dying"), anOrderDelivery());
    await stuck.promise;

    await store.leases.releaseAll();
    platform.onEnforce = () => undefined;
    const next = startProcess("next");
    const order = await untilEnded(next);

    expect(order).toMatchObject({ state: "review", creditsSpent: 1 });
    expect(verifier.calls).toHaveLength(1);
    expect(platform.enforced.map(({ step }) => step)).toEqual(["hold", "assess", "tag"]);
  });

  it("waits for routing and continues when the platform reports it", async () => {
    level = "high";
    let routed = false;
    platform.onEnforce = (step, { memory }) =>
      step === "hold" && !routed
        ? {
            outcome: "wait",
            reason: "not-routed",
            retryAtMs: now() + 3_600_000,
            memory: { tries: String(Number(memory["tries"] ?? 0) + 1) },
          }
        : undefined;
    const pipeline = startProcess();
    await deliver(pipeline, anOrderDelivery());
    const waiting = await until(pipeline, (order) => order.state === "waiting");
    expect(waiting.problem).toBe("not-routed");
    expect(platform.enforced.map(({ step }) => step)).toEqual(["assess", "tag"]);

    routed = true;
    await deliver(
      pipeline,
      Buffer.from(JSON.stringify({ kind: "order-ready", reference: "1001" })),
      "routed",
    );
    const order = await untilEnded(pipeline);

    expect(order).toMatchObject({ state: "review", problem: null });
    expect(platform.enforced.map(({ step }) => step)).toEqual(["assess", "tag", "hold"]);
  });

  it("holds an order that can no longer be canceled", async () => {
    level = "critical";
    platform.onEnforce = (step) =>
      step === "cancel" ? { outcome: "impossible", reason: "refund-refused" } : undefined;
    const pipeline = startProcess();
    await deliver(pipeline, anOrderDelivery());

    const order = await untilEnded(pipeline);

    expect(order).toMatchObject({ state: "review", problem: "cancel:refund-refused" });
    expect(order.holdDeadlineMs).not.toBeNull();
    expect(platform.enforced.map(({ step }) => step)).toEqual(["assess", "tag", "hold"]);
  });

  it("marks an order as failed if the platform can't carry out the decision", async () => {
    level = "high";
    platform.onEnforce = (step) =>
      step === "hold" ? { outcome: "impossible", reason: "already-fulfilled" } : undefined;
    const pipeline = startProcess();
    await deliver(pipeline, anOrderDelivery());

    expect(await untilEnded(pipeline)).toMatchObject({ state: "failed", problem: "hold:already-fulfilled" });
  });

  it("retries a platform that is unavailable, without asking the service again", async () => {
    level = "medium";
    let failures = 2;
    platform.onEnforce = () => {
      if (failures-- <= 0) return undefined;
      throw new HoldfastError("PLATFORM_UNAVAILABLE", "away", { retryable: true });
    };
    const pipeline = startProcess();
    await deliver(pipeline, anOrderDelivery());
    const waiting = await until(pipeline, (order) => order.state === "waiting");
    clockAheadMs += 60_000;
    const order = await untilEnded(pipeline);

    // Two steps wait, for one reason.
    expect(waiting.problems).toEqual([{ code: "PLATFORM_UNAVAILABLE" }]);
    expect(order.state).toBe("settled");
    expect(verifier.calls).toHaveLength(1);
  });

  it("never cancels without an answer from the service", async () => {
    const pipeline = startProcess("process-1", false);
    const rules = [{ name: "everything", when: { minAmount: 0 }, then: { action: "cancel" } }];
    await store.policies.save(TENANT, parsePolicy({ rules }), undefined, now());
    await deliver(pipeline, anOrderDelivery());

    const order = await untilEnded(pipeline);

    expect(order.decision).toMatchObject({ action: "hold", source: "local" });
    expect(order.decision?.reasons).toContain("local-never-cancels");
    expect(platform.enforced.map(({ step }) => step)).not.toContain("cancel");
  });

  it("decides without the service once waiting for it has taken too long", async () => {
    verifier = createScriptedVerifier(() => {
      throw new HoldfastError("VERIFICATION_RATE_LIMITED", "slow down", {
        retryable: true,
        metered: "no",
        retryAtMs: now() + 1_000,
      });
    });
    const pipeline = startProcess();
    await deliver(pipeline, anOrderDelivery());
    expect(await until(pipeline, ({ state }) => state === "waiting")).toMatchObject({
      problem: "VERIFICATION_RATE_LIMITED",
      decision: null,
    });

    const order = await until(pipeline, ({ decision }) => {
      clockAheadMs += 1_000;
      return decision !== null;
    });

    expect(order.decision).toMatchObject({ source: "local", degraded: true });
    expect(order.creditsSpent).toBe(0);
  });

  it("keeps an acknowledged order whose delivery fails for good, and stores it later", async () => {
    const failing = vi
      .spyOn(store.orders, "receive")
      .mockRejectedValueOnce(new HoldfastError("DATA_UNREADABLE", "cannot be opened", { retryable: false }));
    const pipeline = startProcess();
    await deliver(pipeline, anOrderDelivery());
    await untilTrue(() => failing.mock.settledResults.length === 1);
    expect((await store.figures.backlog()).pending).toBe(1);

    clockAheadMs += 61 * 60_000;

    expect((await untilEnded(pipeline)).state).toBe("settled");
  });

  it("doesn't count time in which Holdfast itself was down", async () => {
    level = "critical";
    let failures = 2;
    verifier = createScriptedVerifier(() => {
      if (failures-- <= 0) return { result: aResult(level) };
      throw new HoldfastError("VERIFICATION_RATE_LIMITED", "slow down", {
        retryable: true,
        metered: "no",
        retryAtMs: now() + 1_000,
      });
    });
    const mapped = screenable();
    const received = {
      tenant: TENANT,
      orderId: "1001",
      platform: "test",
      name: "#1001",
      customerId: undefined,
    };
    await store.orders.receive(
      { ...received, receivedAtMs: now() - 10 * 60_000, mapped, amount: 59.9, currency: "USD" },
      toTimelineEntry(now(), { kind: "received" }, "", "platform"),
    );

    const pipeline = startProcess("up");
    const order = await until(pipeline, ({ decision }) => {
      clockAheadMs += 1_000;
      return decision !== null;
    });

    expect(order.decision).toMatchObject({ source: "service", action: "cancel", degraded: false });
  });

  it.each(["VERIFICATION_FORBIDDEN", "VERIFICATION_NO_CREDITS"] as const)(
    "doesn't keep orders waiting for what only a person can fix (%s)",
    async (code) => {
      verifier = createScriptedVerifier(() => {
        throw new HoldfastError(code, "refused", { retryable: false, metered: "no" });
      });
      const pipeline = startProcess();
      await deliver(pipeline, anOrderDelivery("1"));
      await untilEnded(pipeline, "1");
      await deliver(pipeline, anOrderDelivery("2"));

      const order = await untilEnded(pipeline, "2");

      expect(order.decision).toMatchObject({
        degraded: true,
        reasons: expect.arrayContaining([`degraded:${code}`]),
      });
      expect(verifier.calls, "the second order did not ask").toHaveLength(1);
    },
  );

  it.each([
    ["CANCELLED", "allow", "policy", []],
    ["ZERO_AMOUNT", "allow", "policy", []],
    ["IMPORTED", "allow", "policy", []],
    ["NO_EMAIL", "tag", "local", ["assess", "tag"]],
  ] as const)("spends nothing on an order that isn't sent (%s)", async (reason, action, source, steps) => {
    const pipeline = startProcess();
    const mapped: MappedOrder = { outcome: "unscreenable", reason, known: {}, test: false };
    await deliver(pipeline, orderEvent({ orderId: "1001", mapped }));

    const order = await untilEnded(pipeline);

    expect(order).toMatchObject({
      state: "settled",
      skipReason: reason,
      creditsSpent: 0,
      decision: { action, source },
    });
    expect(verifier.calls).toHaveLength(0);
    expect(platform.enforced.map(({ step }) => step)).toEqual(steps);
  });

  it("judges test orders locally unless the policy says otherwise", async () => {
    const pipeline = startProcess();
    await deliver(pipeline, orderEvent({ orderId: "1", mapped: screenable("1", {}, true) }));
    expect(await untilEnded(pipeline, "1")).toMatchObject({
      skipReason: "TEST_ORDER",
      decision: { source: "local" },
    });

    await store.policies.save(TENANT, parsePolicy({ testOrders: "service" }), undefined, now());
    await deliver(pipeline, orderEvent({ orderId: "2", mapped: screenable("2", {}, true) }));

    expect(await untilEnded(pipeline, "2")).toMatchObject({
      skipReason: null,
      decision: { source: "service" },
    });
    expect(verifier.calls).toHaveLength(1);
  });

  it("ignores test orders if the policy says so", async () => {
    await store.policies.save(TENANT, parsePolicy({ testOrders: "skip" }), undefined, now());
    const pipeline = startProcess();
    await deliver(pipeline, orderEvent({ orderId: "1", mapped: screenable("1", {}, true) }));

    const order = await untilEnded(pipeline, "1");

    expect(order).toMatchObject({
      state: "settled",
      skipReason: "TEST_ORDER",
      decision: { action: "allow", source: "policy" },
    });
    expect(verifier.calls).toHaveLength(0);
    expect(platform.enforced).toEqual([]);
  });

  it("changes nothing on the platform in shadow mode", async () => {
    level = "critical";
    await store.policies.save(TENANT, parsePolicy({ mode: "shadow" }), undefined, now());
    const pipeline = startProcess();
    await deliver(pipeline, anOrderDelivery());

    const order = await untilEnded(pipeline);

    expect(order).toMatchObject({ state: "settled", decision: { action: "cancel", enforce: false } });
    expect(platform.enforced).toEqual([]);
    // The timeline must not say that the platform follows a cancel that was never requested.
    expect((await store.orders.listTimeline(order)).at(-1)).toMatchObject({
      kind: "settled",
      detail: "recorded only: nothing was changed on the platform",
    });
  });

  it("asks with the customer's history if the platform provides it", async () => {
    platform.onEnrich = async (_tenant, order) => ({
      mapped: { ...order.mapped, request: { ...anOrder(), totalOrders: 7 } } as MappedOrder,
      limitations: [],
    });
    const pipeline = startProcess();
    await deliver(pipeline, anOrderDelivery());
    await untilEnded(pipeline);

    expect(verifier.calls[0]).toMatchObject({ totalOrders: 7 });
  });

  it("stops working on an order that was canceled on the platform", async () => {
    level = "high";
    platform.onEnforce = (step) =>
      step === "hold" ? { outcome: "wait", reason: "not-routed", retryAtMs: now() + 3_600_000 } : undefined;
    const pipeline = startProcess();
    await deliver(pipeline, anOrderDelivery());
    await until(pipeline, ({ state }) => state === "waiting");

    await deliver(
      pipeline,
      Buffer.from(JSON.stringify({ kind: "order-cancelled", orderId: "1001" })),
      "cancelled",
    );

    expect((await untilEnded(pipeline)).state).toBe("settled");
  });

  it("erases a customer and prepares a report of the data it stores", async () => {
    const pipeline = startProcess();
    await deliver(pipeline, anOrderDelivery());
    await untilEnded(pipeline);
    const about = { orderIds: ["1001"], email: "jane@example.com", customerId: undefined };

    const request = { kind: "report-customer", requestId: "77", ...about };
    await deliver(pipeline, Buffer.from(JSON.stringify(request)), "data_request");
    await untilHandled({ store, pipeline });
    const report = await store.reports.get(TENANT, "77");
    expect(report).toContain("jane@example.com");

    await deliver(pipeline, Buffer.from(JSON.stringify({ kind: "erase-customer", ...about })), "redact");
    await untilHandled({ store, pipeline });
    const erased = await store.orders.get({ tenant: TENANT, orderId: "1001" });
    expect(erased).toMatchObject({ mapped: null, result: null, decision: { action: "allow" } });
  });

  it("keeps the reports of two data requests that the platform didn't number", async () => {
    const pipeline = startProcess();
    for (const email of ["jane@example.com", "ada@example.com"]) {
      const request = {
        kind: "report-customer",
        requestId: null,
        orderIds: [],
        email,
        customerId: undefined,
      };
      await deliver(pipeline, Buffer.from(JSON.stringify(request)), "data_request");
    }
    await untilHandled({ store, pipeline });

    expect(await store.reports.list(TENANT)).toHaveLength(2);
  });

  it("decides a customer's orders before it erases them", async () => {
    const answer = Promise.withResolvers<void>();
    verifier = createScriptedVerifier(async () => {
      await answer.promise;
      return { result: aResult("high") };
    });
    const pipeline = startProcess();
    await deliver(pipeline, anOrderDelivery());
    await verifier.called(1);
    clockAheadMs += 1_000;
    const about = { orderIds: [], email: "jane@example.com", customerId: undefined };
    await deliver(pipeline, Buffer.from(JSON.stringify({ kind: "erase-customer", ...about })), "redact");
    answer.resolve();
    expect(await untilEnded(pipeline)).toMatchObject({ state: "review", decision: { action: "hold" } });

    clockAheadMs += 60_000;
    const erased = await until(pipeline, ({ mapped }) => mapped === null);

    expect(erased).toMatchObject({ result: null, decision: { action: "hold", source: "service" } });
  });

  it("releases an order when it is stopped, and refuses new deliveries", async () => {
    platform.onEnforce = () => new Promise(() => {});
    const pipeline = startProcess();
    await deliver(pipeline, anOrderDelivery());
    await until(pipeline, ({ decision }) => decision !== null);

    await pipeline.stop(10);

    await expect(deliver(pipeline, anOrderDelivery("2"))).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
    platform.onEnforce = () => undefined;
    const order = await untilEnded(startProcess("process-2"));
    expect(order).toMatchObject({ state: "settled", creditsSpent: 1 });
    expect(verifier.calls).toHaveLength(1);
  });
});
