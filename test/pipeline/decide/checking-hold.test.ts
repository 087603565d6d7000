import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../../src/base/errors.ts";
import type { StepOutcome } from "../../../src/platform/enforcement-step.ts";
import { toOrderJson } from "../../../src/server/api/orders/order-json.ts";
import {
  accept,
  change,
  create,
  details,
  KEY,
  kinds,
  now,
  openShopForEach,
  platform,
  restart,
  savePolicy,
  screenable,
  steps,
  store,
  to,
  toOrder,
  until,
  untilAtRest,
  verifier,
  world,
  press,
  settle,
} from "../../support/changing-shop.ts";
import { asShown } from "../../support/shown.ts";

openShopForEach();

const HOLD = { whileChecking: "hold" };
const MINUTE_MS = 60_000;

/** A person releases Holdfast's hold on the platform. */
async function releaseThere(): Promise<void> {
  const held = asShown(await platform.observe(KEY.tenant, KEY.orderId));
  platform.onObserve = async () => held && { ...held, holds: [] };
}

describe('whileChecking: "hold"', () => {
  it.each([
    ["US", ["hold", "release", "assess"], "settled"],
    ["MX", ["hold", "release", "assess", "tag"], "settled"],
    ["CA", ["hold", "hold", "assess", "tag"], "review"],
    ["FR", ["hold", "assess", "tag", "cancel"], "settled"],
  ])(
    "holds an order to %s before the service is asked, then follows its answer",
    async (country, taken, state) => {
      await savePolicy(HOLD);
      let askedBefore = -1;
      platform.onEnforce = (step) => {
        if (step === "hold" && askedBefore === -1) askedBefore = verifier.calls.length;
        return undefined;
      };

      await create(to(country));
      const order = await untilAtRest();

      expect(askedBefore).toBe(0);
      expect(steps()).toEqual(taken);
      expect(order).toMatchObject({ state, creditsSpent: 1 });
      expect(await kinds()).toContain("held-to-check");
    },
  );

  it("holds no order if there is no service to wait for", async () => {
    await savePolicy(HOLD);
    world.hasService = false;
    await settle();

    expect(steps()).not.toContain("hold");
  });

  it("keeps the hold through an outage, and releases it once the service answers", async () => {
    await savePolicy(HOLD);
    world.down = "VERIFICATION_UNREACHABLE";

    await create();
    await until(({ state }) => state === "waiting");
    for (let tries = 0; tries < 10; tries += 1) {
      world.aheadMs += MINUTE_MS;
      await until(({ dueAtMs }) => (dueAtMs ?? 0) > now());
    }

    expect(await until(({ state }) => state === "review")).toMatchObject({
      decision: { action: "hold", degraded: true, reasons: expect.arrayContaining(["held-to-check"]) },
    });
    expect(steps()).not.toContain("release");
    world.down = null;
    world.aheadMs += 30 * MINUTE_MS;

    expect(await until(({ state }) => state === "settled")).toMatchObject({
      creditsSpent: 1,
      decision: { action: "allow", source: "service" },
    });
    expect(steps().filter((step) => step === "release")).toHaveLength(1);
  });

  it.each([
    [
      "nobody is waited for: the shop would rather ship",
      "VERIFICATION_UNREACHABLE",
      { whenUnavailable: "allow" },
    ],
    ["credits have to be bought first", "VERIFICATION_NO_CREDITS", {}],
  ] as const)("releases an order without an answer when %s", async (_, problem, more) => {
    await savePolicy({ ...HOLD, ...more });
    world.down = problem;

    await create();
    for (let tries = 0; tries < 10; tries += 1) {
      world.aheadMs += MINUTE_MS;
      await until(({ state, dueAtMs }) => state === "settled" || (dueAtMs ?? 0) > now());
    }
    await untilAtRest();

    expect(steps()).toContain("release");
  });

  it("waits for a hold that can't be placed yet before the service is asked", async () => {
    await savePolicy(HOLD);
    let isRouted = false;
    platform.onEnforce = (): StepOutcome | undefined =>
      isRouted
        ? undefined
        : { outcome: "wait", reason: "not-routed-yet", retryAtMs: now() + 5_000, memory: {} };

    await create();
    await until(({ state }) => state === "waiting");
    expect(verifier.calls).toHaveLength(0);

    isRouted = true;
    await accept("fulfillment_orders/order_routing_complete", { kind: "order-ready", reference: "1" });
    await untilAtRest();
    expect(steps()).toEqual(["hold", "release", "assess"]);
  });

  it("asks the service after a minute even if nothing could be held", async () => {
    await savePolicy(HOLD);
    platform.onEnforce = (step): StepOutcome | undefined =>
      step === "hold"
        ? { outcome: "wait", reason: "not-routed-yet", retryAtMs: now() + 5_000, memory: {} }
        : undefined;
    await create();
    await until(({ state }) => state === "waiting");

    world.aheadMs += MINUTE_MS;

    expect(await untilAtRest()).toMatchObject({ state: "settled", creditsSpent: 1 });
  });

  it("removes a hold whose answer never arrived, even after the policy changed", async () => {
    await savePolicy(HOLD);
    let isAsked = false;
    platform.onEnforce = (step) => {
      if (step !== "hold") return undefined;
      isAsked = true;
      return new Promise(() => {});
    };
    await create();
    await until(() => isAsked);

    await savePolicy({ whileChecking: "nothing" });
    platform.onEnforce = () => undefined;
    await restart();
    await untilAtRest();

    expect(steps()).toEqual(["release", "assess"]);
  });

  it("continues the check when the platform can't be asked", async () => {
    await savePolicy(HOLD);
    platform.onEnforce = (step, { decision }) => {
      if (step !== "hold" || decision.source !== "policy") return undefined;
      throw new HoldfastError("PLATFORM_UNAVAILABLE", "down", { retryable: true });
    };

    await create();

    expect(await untilAtRest()).toMatchObject({ state: "settled", creditsSpent: 1 });
  });

  describe("while an allowed order is checked again after a change", () => {
    let stepsBefore = 0;
    const stepsSince = () => steps().slice(stepsBefore);

    async function settleThenChange(country: string): Promise<void> {
      await settle();
      stepsBefore = steps().length;
      await change(to(country));
    }

    it.each([
      ["MX", ["hold", "release", "assess", "tag"], "settled", "medium"],
      ["CA", ["hold", "hold", "assess", "tag"], "review", "high"],
      ["FR", ["hold", "assess", "tag", "cancel"], "settled", "critical"],
    ])(
      "holds an order that now goes to %s, then follows the answer",
      async (country, taken, state, level) => {
        await savePolicy(HOLD);

        await settleThenChange(country);

        await until((order) => order.state === state && order.decision?.riskLevel === level);
        expect(stepsSince()).toEqual(taken);
      },
    );

    it("keeps the hold through an outage, and releases it once the service answers", async () => {
      await savePolicy(HOLD);
      await settle();
      world.down = "VERIFICATION_UNREACHABLE";
      await change(to("MX"));
      const waiting = await until(({ problem }) => problem === world.down);
      expect(
        toOrderJson(waiting, await store.orders.listSteps(KEY), { ended: null, evidenceDueMs: null }),
      ).toMatchObject({
        state: "settled",
        pendingRecheck: { held: true },
      });
      for (let tries = 0; tries < 10; tries += 1) {
        await until(({ dueAtMs }) => (dueAtMs ?? 0) > now());
        world.aheadMs += MINUTE_MS;
      }

      expect(await until(({ state }) => state === "review")).toMatchObject({
        decision: { action: "hold", reasons: expect.arrayContaining(["held-to-check"]) },
      });
      world.down = null;
      world.aheadMs += 30 * MINUTE_MS;

      await until(({ state }) => state === "settled");
      expect(steps().filter((step) => step === "release")).toHaveLength(2);
    });

    it("releases the order when a person approves it in the meantime", async () => {
      await savePolicy(HOLD);
      await settle();
      world.down = "VERIFICATION_UNREACHABLE";
      await change(to("CA"));
      await until(({ problem }) => problem === world.down);
      stepsBefore = steps().length;

      await press("approve");

      await until(({ state, decision }) => state === "settled" && decision?.source === "person");
      expect(stepsSince()).toContain("release");
    });
  });

  describe("when a person releases the hold on the platform", () => {
    const HELD = { action: "hold", reasons: ["hold-released", "level:critical"] };

    it.each([
      ["before the answer", {}],
      ["before the answer, and a cancel waits for a while", { cancel: { coolOffMinutes: 30 } }],
    ])("holds an order that would be canceled: %s", async (_, more) => {
      await savePolicy({ ...HOLD, ...more });
      await releaseThere();

      await create(to("FR"));

      expect(await untilAtRest()).toMatchObject({
        state: "review",
        decision: { ...HELD, machine: { action: "cancel" }, riskLevel: "critical" },
        holdDeadlineMs: expect.any(Number),
      });
      expect(steps()).toEqual(["hold", "hold", "assess", "tag"]);
    });

    it("doesn't hold again just because the service can't be reached", async () => {
      await savePolicy(HOLD);
      await releaseThere();
      world.down = "VERIFICATION_UNREACHABLE";

      await create();
      for (let tries = 0; tries < 10; tries += 1) {
        world.aheadMs += MINUTE_MS;
        await until(({ state, dueAtMs }) => state === "settled" || (dueAtMs ?? 0) > now());
      }

      expect(await untilAtRest()).toMatchObject({ state: "settled", decision: { degraded: true } });
      expect(steps()).toEqual(["hold"]);
      expect(await kinds()).toContain("hold-overridden");
    });
  });

  it("releases its hold on an order that a rule skips because of later platform data", async () => {
    await savePolicy({
      ...HOLD,
      rules: [{ name: "Shopify is sure", when: { platformRisk: ["accept"] }, then: { skip: true } }],
    });
    platform.onEnrich = async (_tenant, { mapped }) => ({
      mapped: { ...mapped, context: { platformRisk: "accept" } },
      limitations: [],
    });

    await create();

    expect(await untilAtRest()).toMatchObject({ state: "settled", skipReason: "SKIPPED_BY_RULE" });
    expect(steps()).toEqual(["hold", "release"]);
  });

  it.each([
    ["the policy says so", { whileChecking: "nothing" }, {}],
    ["nothing is touched in shadow mode", { ...HOLD, mode: "shadow" }, {}],
    [
      "a rule skips the check",
      { ...HOLD, rules: [{ name: "all", when: { minAmount: 0 }, then: { skip: true } }] },
      {},
    ],
    ["it is a test order", HOLD, { test: true }],
  ])("holds nothing when %s", async (_, policy, more) => {
    await savePolicy(policy);

    await accept("orders/create", {
      kind: "order",
      order: toOrder({ ...screenable(), ...more }, { updatedAtMs: now() }),
    });
    await untilAtRest();

    expect(steps()).not.toContain("hold");
    expect(await details("held-to-check")).toEqual([]);
  });
});
