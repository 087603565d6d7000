import { describe, expect, it } from "vitest";
import {
  create,
  KEY,
  kinds,
  now,
  openShopForEach,
  platform,
  restart,
  savePolicy,
  steps,
  store,
  to,
  until,
  untilAtRest,
  world,
  press,
} from "../support/changing-shop.ts";

openShopForEach();

const CAPTURE = { captureWhenApproved: true };

describe("captureWhenApproved", () => {
  it("captures an allowed order's payment, after which nothing is left to do", async () => {
    await savePolicy(CAPTURE);
    await create();
    expect(await untilAtRest()).toMatchObject({ state: "settled", problem: null });
    expect(steps()).toEqual(["capture", "assess"]);
    expect(await kinds()).toContain("capture-done");
  });

  it.each([
    ["tagged", to("MX"), {}],
    ["held", to("CA"), {}],
    ["canceled", to("FR"), {}],
    ["allowed in watch-only mode", undefined, { mode: "shadow" }],
    ["allowed where the policy doesn't say so", undefined, { captureWhenApproved: false }],
  ] as const)("captures nothing for an order that is %s", async (_case, changes, more) => {
    await savePolicy({ ...CAPTURE, ...more });
    await create(changes);
    await untilAtRest();
    expect(steps()).not.toContain("capture");
  });

  it("captures nothing on a guess", async () => {
    await savePolicy({ ...CAPTURE, whenUnavailable: "allow" });
    world.down = "VERIFICATION_UNREACHABLE";
    await create();
    for (let minutes = 0; minutes < 10; minutes += 1) {
      world.aheadMs += 60_000;
      const { decision } = await until(({ dueAtMs }) => dueAtMs === null || dueAtMs > now());
      if (decision !== null) break;
    }
    expect(await until(({ decision }) => decision !== null)).toMatchObject({ decision: { degraded: true } });
    expect(steps()).not.toContain("capture");
  });

  it("captures what a person approves before its goods are released", async () => {
    await savePolicy(CAPTURE);
    await create(to("CA"));
    await untilAtRest();
    await press("approve");
    await until(({ state }) => state === "settled");
    expect(steps()).toEqual(["hold", "assess", "tag", "capture", "release", "assess", "untag"]);
  });

  it("doesn't capture an order that a person approves in watch-only mode", async () => {
    await savePolicy({ ...CAPTURE, mode: "shadow" });
    await create(to("CA"));
    await untilAtRest();
    await press("approve");
    await until(({ decision, state }) => decision?.source === "person" && state === "settled");
    expect(steps()).not.toContain("capture");
  });

  it.each([
    [{ outcome: "moot", reason: "nothing-to-capture" } as const, "settled", null, true],
    [
      { outcome: "impossible", reason: "authorization-expired" } as const,
      "failed",
      "capture:authorization-expired",
      false,
    ],
  ])(
    "releases an unpaid order only if there is nothing to capture: %j",
    async (outcome, state, problem, isReleased) => {
      await savePolicy(CAPTURE);
      platform.onEnforce = (step) => (step === "capture" ? outcome : undefined);
      await create(to("CA"));
      await untilAtRest();
      await press("approve");
      expect(await until((order) => order.state === state)).toMatchObject({ problem });
      expect(steps().includes("release")).toBe(isReleased);
    },
  );

  it("is continued by the next process, which asks the platform first", async () => {
    await savePolicy(CAPTURE);
    platform.onEnforce = (step) =>
      step === "capture" ? { outcome: "wait", reason: "capturing", retryAtMs: now() + 60_000 } : undefined;
    await create();
    await until(({ state }) => state === "waiting");
    await restart();
    platform.onEnforce = () => undefined;
    world.aheadMs += 61_000;
    expect(await untilAtRest()).toMatchObject({ state: "settled" });
    expect((await store.orders.listSteps(KEY)).find(({ step }) => step === "capture")).toMatchObject({
      state: "done",
    });
  });
});
