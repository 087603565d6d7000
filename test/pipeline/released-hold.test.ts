import { describe, expect, it } from "vitest";
import type { ObservedOrder } from "../../src/platform/platform.ts";
import {
  accept,
  change,
  HOUR_MS,
  KEY,
  kinds,
  openShopForEach,
  platform,
  savePolicy,
  steps,
  TENANT,
  store,
  now,
  to,
  until,
  untilAtRest,
  untilWarned,
  world,
  hold,
  delayCancel,
} from "../support/changing-shop.ts";
import { asShown, shownHeld } from "../support/shown.ts";

openShopForEach();

/** A person releases Holdfast's hold on the platform. */
function releaseThere(): void {
  platform.onObserve = async () => shownHeld({ holds: [] });
}

describe("an order that waits on hold to be canceled, and that a person releases on the platform", () => {
  it("isn't canceled even if the policy now cancels immediately", async () => {
    await savePolicy({ cancel: { coolOffMinutes: 30 } });
    await delayCancel();
    releaseThere();
    await savePolicy({ cancel: { coolOffMinutes: 0 } });
    await store.orders.wakeTenant(TENANT, now());

    await until(({ state }) => state === "settled");

    expect(steps()).toEqual(["hold", "assess", "tag"]);
  });
});

describe("an order that waits on hold to be canceled, and whose hold ends without a person", () => {
  it.each<[string, Partial<ObservedOrder> | null]>([
    ["is deleted", null],
    ["is canceled", { cancelled: true }],
    ["ships", { fulfilled: true }],
    ["has its goods moved to where they can't be held", { holdsReplaced: true }],
  ])("still gets its cancel if it %s", async (_case, ended) => {
    await savePolicy({ cancel: { coolOffMinutes: 30 } });
    await delayCancel();
    const { onObserve } = platform;
    platform.onObserve = async (...asked) => {
      const observed = asShown(await onObserve(...asked));
      return ended === null || observed === null ? null : { ...observed, ...ended, holds: [] };
    };
    world.aheadMs += 31 * 60_000;

    await until(({ state }) => state === "settled");

    expect(await kinds()).not.toContain("cancel-moot");
    expect(steps().at(-1)).toBe("cancel");
  });
});

describe("an order that waits on hold to be canceled, with goods that left the hold", () => {
  it("gets a hold on those goods", async () => {
    await savePolicy({ cancel: { coolOffMinutes: 60 } });
    await delayCancel();
    const { onObserve } = platform;
    let holdable = true;
    platform.onObserve = async (...asked) => {
      const observed = asShown(await onObserve(...asked));
      return observed === null ? null : { ...observed, holdable };
    };
    platform.onEnforce = (step) => {
      if (step === "hold") holdable = false;
      return undefined;
    };
    await accept("fulfillment_orders/moved", { kind: "order-ready", reference: KEY.orderId });

    await until(() => !holdable);
    await until(({ state, problem }) => state === "waiting" && problem === "cooling-off");

    expect(steps()).toEqual(["hold", "assess", "tag", "hold"]);
  });
});

describe("an order that waits on hold to be canceled, and whose held goods were merged into others", () => {
  it("is held again, and canceled when its time has come", async () => {
    await savePolicy({ cancel: { coolOffMinutes: 30 } });
    await delayCancel();
    const { onObserve } = platform;
    let isHeld = false;
    platform.onObserve = async (...asked) => {
      const observed = asShown(await onObserve(...asked));
      if (observed === null || isHeld) return observed;
      return { ...observed, holds: [], holdable: true, holdsReplaced: true };
    };
    platform.onEnforce = (step) => {
      if (step === "hold") isHeld = true;
      return undefined;
    };
    await accept("fulfillment_orders/merged", { kind: "order-ready", reference: KEY.orderId });
    await until(() => isHeld);
    world.aheadMs += 31 * 60_000;

    await until(({ state }) => state === "settled");

    expect(steps()).toEqual(["hold", "assess", "tag", "hold", "cancel"]);
  });
});

describe("an order that is to be canceled at its deadline, and that a person releases on the platform", () => {
  it("isn't canceled if the platform couldn't cancel it immediately", async () => {
    await savePolicy({ hold: { deadlineHours: 1, onDeadline: "cancel" } });
    await hold();
    await untilWarned();
    platform.onEnforce = (step) =>
      step === "cancel" ? { outcome: "wait", reason: "throttled", retryAtMs: now() + HOUR_MS } : undefined;
    world.aheadMs += 2 * HOUR_MS;
    await until(({ problem }) => problem === "throttled");
    releaseThere();
    platform.onEnforce = () => undefined;
    await store.orders.wakeTenant(TENANT, now());

    await until(({ state }) => state === "settled");

    expect(steps()).not.toContain("cancel");
  });
});

describe("an order whose hold a person released, and that is to be canceled later", () => {
  const HELD = { action: "hold", reasons: ["hold-released", "level:critical"] };

  it.each([
    ["after Holdfast saw the release", true],
    ["before Holdfast saw the release", false],
  ])("is held again instead: changed %s", async (_, isSeen) => {
    await hold();
    releaseThere();
    if (isSeen) {
      world.aheadMs += HOUR_MS;
      await until(({ state }) => state === "settled");
    }

    await change(to("FR"));

    await until(({ decision }) => decision?.riskLevel === "critical");
    expect(await untilAtRest()).toMatchObject({
      state: "review",
      decision: { ...HELD, machine: { action: "cancel" } },
    });
    expect(steps()).not.toContain("cancel");
  });
});

describe("an order that is to be released at its deadline", () => {
  it.each(["wait", "impossible"] as const)(
    "stays in review while the platform answers %s, and is released later",
    async (outcome) => {
      await savePolicy({ hold: { deadlineHours: 1, onDeadline: "release" } });
      await hold();
      await untilWarned();
      const retryAtMs = now() + 5 * HOUR_MS;
      platform.onEnforce = (step) =>
        step === "release" ? { outcome, reason: "busy", retryAtMs } : undefined;
      world.aheadMs += 2 * HOUR_MS;

      const waiting = await until(({ problem }) => problem?.includes("busy") === true);
      expect(waiting.state).toBe("review");
      expect(waiting.dueAtMs).toBeGreaterThan(now());
      if (outcome === "wait") expect(waiting.dueAtMs).toBe(retryAtMs);
      platform.onEnforce = () => undefined;
      world.aheadMs += 25 * HOUR_MS;

      await until(({ state }) => state === "settled");
      expect(steps().filter((step) => step === "release")).toHaveLength(1);
      expect(await kinds()).toContain("hold-released");
    },
  );

  it("is at rest if the platform has nothing to release", async () => {
    await savePolicy({ hold: { deadlineHours: 1, onDeadline: "release" } });
    await hold();
    await untilWarned();
    platform.onEnforce = (step) => (step === "release" ? { outcome: "moot", reason: "not-held" } : undefined);
    world.aheadMs += 2 * HOUR_MS;

    await until(({ state }) => state === "settled");
    expect(await kinds()).toContain("hold-released");
  });
});

describe("an order that the platform can't cancel at its deadline", () => {
  it("stays on hold until a new deadline, with a warning of its own", async () => {
    await savePolicy({ hold: { deadlineHours: 1, onDeadline: "cancel" } });
    platform.onEnforce = (step) =>
      step === "cancel" ? { outcome: "impossible", reason: "refused" } : undefined;
    await hold();
    await untilWarned();
    world.aheadMs += 2 * HOUR_MS;

    const order = await until(({ state, problem }) => state === "review" && problem !== null);
    expect(order.holdDeadlineMs).toBeGreaterThan(now());
    world.aheadMs += 11 * 60_000;
    await until(async () => (await kinds()).filter((kind) => kind === "hold-expiring").length === 2);
  });
});
