import { describe, expect, it } from "vitest";
import {
  change,
  create,
  details,
  HOUR_MS,
  kinds,
  now,
  openShopForEach,
  platform,
  savePolicy,
  steps,
  to,
  until,
  untilAtRest,
  untilHeard,
  untilWarned,
  world,
  press,
  hold,
  delayCancel,
} from "../support/changing-shop.ts";
import { shownHeld } from "../support/shown.ts";

openShopForEach();

describe("a shop that turns on shadow mode while a cancel waits on hold", () => {
  const POLICY = { cancel: { coolOffMinutes: 30 } } as const;

  async function coolOff(): Promise<void> {
    await savePolicy(POLICY);
    await delayCancel();
    await savePolicy({ ...POLICY, mode: "shadow" });
    world.aheadMs += HOUR_MS;
  }

  it("keeps the order in review, with a deadline", async () => {
    await coolOff();

    const order = await untilAtRest();

    expect(order).toMatchObject({ state: "review", holdDeadlineMs: expect.any(Number) as unknown });
    expect(await details("cancel-moot")).toEqual(["shadow-mode"]);
    expect(steps()).toEqual(["hold", "assess", "tag"]);
  });

  it("keeps a partly held order in review", async () => {
    const partial = { outcome: "partial", gap: "open", detail: "1 of 2", memory: {} } as const;
    platform.onEnforce = (step) => (step === "hold" ? { ...partial, retryAtMs: now() + HOUR_MS } : undefined);
    await coolOff();

    expect(await untilAtRest()).toMatchObject({ state: "review" });
  });
});

describe("an order that shadow mode kept on hold, and whose hold is gone", () => {
  it("comes to rest once a person approves it", async () => {
    await savePolicy({ cancel: { coolOffMinutes: 30 } });
    await delayCancel();
    await savePolicy({ mode: "shadow" });
    world.aheadMs += HOUR_MS;
    await until(({ state }) => state === "review");
    platform.onEnforce = (step) => (step === "release" ? { outcome: "moot", reason: "not-held" } : undefined);
    await press("approve");

    await until(({ state, decision }) => state === "settled" && decision?.source === "person");
    expect(steps().at(-1)).toBe("untag");
  });
});

describe("an order that a person declined in shadow mode, and that can't be canceled", () => {
  it("is held and watched, because people's decisions are always applied", async () => {
    await savePolicy({ mode: "shadow" });
    platform.onEnforce = (step) =>
      step === "cancel" ? { outcome: "impossible", reason: "refused" } : undefined;
    await create(to("CA"));
    await untilAtRest();
    await press("decline");
    await until(({ state }) => state === "review");
    platform.onObserve = async () => shownHeld({ cancelled: true });
    world.aheadMs += HOUR_MS;

    await until(({ state }) => state === "settled");
  });
});

describe("a shop that turns on shadow mode while an order waits to be routed", () => {
  const FR = { riskLevel: "critical", action: "cancel" };

  async function stop(): Promise<void> {
    await savePolicy({ cancel: { coolOffMinutes: 30 } });
    platform.onEnforce = (step) =>
      step === "hold" ? { outcome: "wait", reason: "not-routed-yet", retryAtMs: now() + HOUR_MS } : undefined;
    await delayCancel();
    await savePolicy({ mode: "shadow" });
    world.aheadMs += HOUR_MS;
  }

  it("shows the cancel as recorded only", async () => {
    await stop();

    const order = await untilAtRest();

    expect(order).toMatchObject({ state: "settled", decision: { ...FR, enforce: false } });
    expect(order.decision?.reasons).toEqual(["level:critical", "shadow"]);
    expect(await details("settled")).toEqual(["stopped: nothing more is changed in shadow mode"]);
  });

  it("removes its tags if it's allowed later", async () => {
    await stop();
    await untilAtRest();
    platform.onEnforce = () => undefined;
    await savePolicy({});

    await change(to("US"));

    const order = await until(({ decision, state }) => decision?.action === "allow" && state === "settled");
    expect(order.decision?.supersedes?.tags).toEqual(["holdfast-critical"]);
    expect(steps().at(-1)).toBe("untag");
  });
});

describe("a shop that turns on shadow mode while an order's tags are being replaced", () => {
  it.each([
    ["none of the former if they were removed", undefined, ["holdfast-critical"]],
    ["the former too if they weren't", "untag", ["holdfast-critical", "holdfast-medium"]],
  ])("remembers the tags that are left: %s", async (_case, failing, left) => {
    await savePolicy({ cancel: { coolOffMinutes: 30 } });
    await create(to("MX"));
    await untilAtRest();
    platform.onEnforce = (step) =>
      step === "hold" || step === failing
        ? { outcome: "wait", reason: "not-routed-yet", retryAtMs: now() + HOUR_MS }
        : undefined;
    await change(to("FR"));
    await until(({ state }) => state === "waiting");
    await savePolicy({ mode: "shadow" });
    world.aheadMs += HOUR_MS;

    const order = await until(({ state }) => state === "settled");

    expect(order.decision).toMatchObject({ action: "cancel", enforce: false });
    expect(order.decision?.supersedes?.tags).toEqual(left);
  });
});

describe("an order that is decided on again in shadow mode while it is held", () => {
  it("shows what a guess would do, and stays on hold", async () => {
    await savePolicy({});
    await hold();
    await savePolicy({ mode: "shadow", whenUnavailable: "allow" });
    world.down = "VERIFICATION_NO_CREDITS";
    await change({ ...to("CA"), orderAmount: 4_000 });

    const order = await until(({ state, decision }) => state === "review" && decision?.enforce === false);

    expect(order.decision).toMatchObject({ action: "allow", degraded: true });
    expect(await kinds()).not.toContain("hold-kept");
    expect(steps()).not.toContain("release");
  });

  it("doesn't get the tags that were only recorded, after the shop left shadow mode", async () => {
    await savePolicy({});
    await hold();
    await savePolicy({ mode: "shadow" });
    await change(to("FR"));
    const recorded = await until(({ state, decision }) => state === "review" && decision?.enforce === false);
    await savePolicy({});
    world.aheadMs += HOUR_MS;

    await until(({ attempts }) => attempts > recorded.attempts);

    expect(recorded.decision?.tags).toEqual(["holdfast-critical"]);
    expect(steps()).toEqual(["hold", "assess", "tag"]);
  });

  it("is canceled at its deadline if the shop left shadow mode", async () => {
    const policy = { hold: { deadlineHours: 1, onDeadline: "cancel" } } as const;
    await savePolicy(policy);
    await hold();
    await savePolicy({ ...policy, mode: "shadow" });
    await change({ ...to("CA"), orderAmount: 4_000 });
    await untilHeard();
    await until(({ state, decision }) => state === "review" && decision?.enforce === false);
    await savePolicy(policy);
    await untilWarned();
    world.aheadMs += 2 * HOUR_MS;

    await until(({ decision }) => decision?.action === "cancel");
    const order = await untilAtRest();

    expect(steps()).toEqual(["hold", "assess", "tag", "assess", "tag", "cancel"]);
    expect(order.decision?.reasons).toEqual(["deadline:cancel", "level:high"]);
  });
});
