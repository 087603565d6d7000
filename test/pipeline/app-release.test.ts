import { beforeEach, describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import type { HoldRelease } from "../../src/platform/enforcement-step.ts";
import {
  create,
  HOUR_MS,
  KEY,
  kinds,
  now,
  openShopForEach,
  platform,
  savePolicy,
  steps,
  store,
  to,
  until,
  untilAtRest,
  untilWarned,
  world,
  hold,
} from "../support/changing-shop.ts";
import { asShown } from "../support/shown.ts";

openShopForEach();

const FLOW: HoldRelease = { by: "app", app: "Flow" };
const LOOK_MS = 11 * 60_000;

/** Who released our hold on the platform; null while it's held. */
let released: HoldRelease | null;

beforeEach(() => {
  released = null;
  const { onObserve } = platform;
  platform.onObserve = async (tenant, orderId, asked) => {
    const observed = asShown(await onObserve(tenant, orderId, asked));
    if (observed === null || released === null) return observed;
    const who = asked?.heldAtMs === undefined ? {} : { released };
    return { ...observed, holds: [], holdable: true, ...who };
  };
  platform.onEnforce = (step) => {
    if (step === "hold") released = null;
    return undefined;
  };
});

const holds = () => steps().filter((step) => step === "hold").length;
const releases = async () =>
  (await store.orders.listTimeline(KEY)).flatMap(({ event }) =>
    event?.kind === "hold-overridden" ? [event] : [],
  );

/** Somebody releases the hold, and Holdfast looks. */
async function release(by: HoldRelease): Promise<void> {
  const before = (await releases()).length;
  released = by;
  world.aheadMs += 2 * HOUR_MS;
  await until(async () => (await releases()).length > before);
}

describe("a hold that an app releases", () => {
  it("is placed again once, and the order stays in the queue with who did it", async () => {
    await hold();
    const { holdDeadlineMs } = await untilAtRest();

    await release(FLOW);

    expect(await untilAtRest()).toMatchObject({ state: "review", problem: null, holdDeadlineMs });
    expect(holds()).toBe(2);
    expect(await releases()).toEqual([{ kind: "hold-overridden", ...FLOW }]);
    expect(await kinds()).toContain("held-again");
    await release(FLOW);
    expect(await untilAtRest()).toMatchObject({
      state: "review",
      problem: "hold:released-by-app",
      holdDeadlineMs: null,
    });
    expect(holds()).toBe(2);
  });

  it("stays released if the policy respects it, and the order stays in the queue until it ends", async () => {
    await savePolicy({ hold: { onAppRelease: "respect", deadlineHours: 4, onDeadline: "release" } });
    await hold();

    await release(FLOW);

    const { dueAtMs } = await until(({ problem }) => problem === "hold:released-by-app");
    expect(holds()).toBe(1);
    world.aheadMs += 5 * HOUR_MS;
    expect(await until((order) => order.dueAtMs !== dueAtMs)).toMatchObject({ state: "review" });
    expect(await releases()).toHaveLength(1);
    expect(steps()).not.toContain("release");
    const { onObserve } = platform;
    platform.onObserve = async (...asked) => {
      const observed = asShown(await onObserve(...asked));
      return observed === null ? null : { ...observed, cancelled: true };
    };
    world.aheadMs += 48 * HOUR_MS;
    expect(await until(({ state }) => state === "settled")).toMatchObject({ problem: null });
  });

  it("is placed again as soon as the platform allows it, with new warnings before its new deadline", async () => {
    await savePolicy({ hold: { deadlineHours: 4 } });
    await hold();
    await untilWarned();
    const { onEnforce } = platform;
    platform.onEnforce = (step) =>
      step === "hold"
        ? { outcome: "wait", reason: "not-holdable-yet", retryAtMs: now() + LOOK_MS }
        : undefined;

    await release(FLOW);

    const { dueAtMs, holdDeadlineMs } = await until(({ problem }) => problem === "hold:released-by-app");
    expect(dueAtMs).toBeLessThanOrEqual(now() + LOOK_MS);
    expect(holdDeadlineMs).toBeNull();
    platform.onEnforce = onEnforce;
    world.aheadMs += LOOK_MS;
    await until(({ problem }) => problem === null);
    expect(await releases()).toHaveLength(1);
    expect(holds()).toBe(2);
    expect((await store.orders.listSteps(KEY)).find(({ step }) => step === "hold")?.notes).toEqual({
      again: "yes",
    });
  });

  it("is placed on the rest too if the process dies when some of the goods are held", async () => {
    await hold();
    const memories: unknown[] = [];
    let isDead = true;
    platform.onEnforce = (step, target) => {
      if (step !== "hold") return undefined;
      memories.push(target.memory);
      released = null;
      if (!isDead) return undefined;
      isDead = false;
      throw new HoldfastError("PLATFORM_UNAVAILABLE", "down", { retryable: true });
    };

    await release(FLOW);
    world.aheadMs += 2 * HOUR_MS;
    await until(async () => (await kinds()).includes("held-again"));

    expect(memories).toEqual([{}, {}]);
    expect(await releases()).toHaveLength(1);
  });

  it("doesn't stop the cancel that waits on it", async () => {
    await savePolicy({ cancel: { coolOffMinutes: 30 } });
    await create(to("FR"));
    await until(({ problem }) => problem === "cooling-off");
    released = FLOW;
    world.aheadMs += HOUR_MS;

    expect(await until(({ state }) => state === "settled")).toMatchObject({ decision: { action: "cancel" } });
    expect(steps().filter((step) => step === "hold" || step === "cancel")).toEqual([
      "hold",
      "hold",
      "cancel",
    ]);
    expect(await releases()).toEqual([{ kind: "hold-overridden", ...FLOW }]);
  });
});

describe("a hold that is released", () => {
  it("by somebody unknown is looked at once more, and then stays released", async () => {
    await hold();
    released = { by: "unknown" };
    world.aheadMs += LOOK_MS;
    await until(({ dueAtMs }) => (dueAtMs ?? 0) > now() && (dueAtMs ?? 0) <= now() + 60_000);
    expect((await untilAtRest()).state).toBe("review");

    world.aheadMs += 2 * 60_000;

    expect(await until(({ state }) => state === "settled")).toMatchObject({ problem: null });
    expect(await releases()).toEqual([{ kind: "hold-overridden", by: "unknown" }]);
    expect(holds()).toBe(1);
  });
});
