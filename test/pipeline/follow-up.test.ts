import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import type { HoldGap, StepOutcome } from "../../src/platform/enforcement-step.ts";
import {
  deliver,
  HOUR_MS,
  kinds,
  now,
  openShopOfOrdersForEach,
  savePolicy,
  shop,
  steps,
  TENANT,
  until,
} from "../support/shop-of-orders.ts";
import { shownHeld } from "../support/shown.ts";

openShopOfOrdersForEach();

/** Holdfast checks the held order in time, and warns at most six hours before its deadline. */
async function untilWarned(orderId: string): Promise<void> {
  shop.aheadMs += 11 * 60_000;
  await until(orderId, () => shop.alerts.includes("hold_expiring"));
}

const details = async (orderId: string, wanted: string) =>
  (await shop.store.orders.listTimeline({ tenant: TENANT, orderId })).flatMap(({ kind, detail }) =>
    kind === wanted ? [detail] : [],
  );

async function hold(): Promise<string> {
  shop.level = "high";
  const orderId = await deliver();
  await until(orderId, ({ state }) => state === "review");
  return orderId;
}

describe("a held order", () => {
  it("stays held, and is checked again and again", async () => {
    shop.platform.onObserve = async () => shownHeld();
    const orderId = await hold();
    const first = await until(orderId, ({ dueAtMs }) => dueAtMs !== null);
    shop.aheadMs += 11 * 60_000;

    const next = await until(orderId, ({ dueAtMs }) => dueAtMs !== first.dueAtMs);

    expect(next).toMatchObject({ state: "review", problem: null });
    expect((next.dueAtMs ?? 0) - now()).toBeGreaterThan(50 * 60_000);
    expect(shop.alerts).toEqual([]);
  });

  it("settles after a person released it on the platform, and isn't held again", async () => {
    shop.platform.onObserve = async () => shownHeld({ holds: [] });
    const orderId = await hold();
    const { settledAtMs } = await until(orderId, ({ dueAtMs }) => dueAtMs !== null);
    shop.aheadMs += 11 * 60_000;

    const order = await until(orderId, ({ state }) => state === "settled");

    expect(order).toMatchObject({ holdDeadlineMs: null, dueAtMs: null, settledAtMs });
    expect(await kinds(orderId)).toContain("hold-overridden");
    expect(steps().filter((step) => step === "hold")).toHaveLength(1);
  });

  it("is reported if it shipped in spite of the hold", async () => {
    shop.platform.onObserve = async () => shownHeld({ holds: [], fulfilled: true });
    const orderId = await hold();
    shop.aheadMs += 11 * 60_000;

    // The alert follows the order's last transition.
    await until(orderId, ({ state }) => state === "settled" && shop.alerts.includes("held_order_fulfilled"));
    expect(await details(orderId, "settled")).toEqual(["fulfilled"]);
  });

  it("settles without an alert if it was canceled on the platform", async () => {
    shop.platform.onObserve = async () => shownHeld({ cancelled: true });
    const orderId = await hold();
    shop.aheadMs += 11 * 60_000;

    await until(orderId, ({ state }) => state === "settled");
    expect(await details(orderId, "settled")).toEqual(["cancelled-on-platform"]);
    expect(shop.alerts).toEqual([]);
  });

  it("gets a removed tag back once", async () => {
    shop.platform.onObserve = async () => shownHeld({ tags: [] });
    const orderId = await hold();
    for (const waitMs of [11 * 60_000, 2 * HOUR_MS, 7 * HOUR_MS]) {
      const before = await until(orderId, ({ dueAtMs }) => dueAtMs !== null);
      shop.aheadMs += waitMs;
      await until(orderId, ({ dueAtMs }) => dueAtMs !== before.dueAtMs);
    }

    expect(steps().filter((step) => step === "tag")).toHaveLength(2);
    expect((await kinds(orderId)).filter((kind) => kind === "tag-repaired")).toHaveLength(1);
  });

  it("gets a hold on goods that weren't held yet", async () => {
    shop.platform.onObserve = async () => shownHeld({ holdable: true });
    const orderId = await hold();
    const before = await until(orderId, ({ dueAtMs }) => dueAtMs !== null);
    shop.aheadMs += 11 * 60_000;
    await until(orderId, ({ dueAtMs }) => dueAtMs !== before.dueAtMs);

    expect(steps().filter((step) => step === "hold")).toHaveLength(2);
    expect(await details(orderId, "hold-done")).toHaveLength(1);
  });

  it("is known by all goods that were ever held", async () => {
    const seen: unknown[] = [];
    shop.platform.onObserve = async (_tenant, _orderId, asked) => {
      seen.push(asked?.holdMemory);
      return shownHeld({ holdable: seen.length === 1 });
    };
    shop.platform.onEnforce = (step) =>
      step === "hold"
        ? { outcome: "done", detail: "held", memory: { entries: seen.length === 0 ? "1" : "1 2" } }
        : undefined;
    const orderId = await hold();
    for (const looks of [1, 2]) {
      const before = await until(orderId, ({ dueAtMs }) => (dueAtMs ?? 0) > now());
      shop.aheadMs += 2 * HOUR_MS;
      await until(orderId, ({ dueAtMs }) => seen.length >= looks && dueAtMs !== before.dueAtMs);
    }

    expect(seen).toEqual([{ entries: "1" }, { entries: "1 2" }]);
  });

  it("is held again after its held goods were merged into others", async () => {
    shop.platform.onObserve = async () => shownHeld({ holds: [], holdable: true, holdsReplaced: true });
    const orderId = await hold();
    const before = await until(orderId, ({ dueAtMs }) => dueAtMs !== null);
    shop.aheadMs += 11 * 60_000;

    const order = await until(orderId, ({ dueAtMs }) => dueAtMs !== before.dueAtMs);

    expect(order.state).toBe("review");
    expect(steps().filter((step) => step === "hold")).toHaveLength(2);
    expect(await kinds(orderId)).not.toContain("hold-overridden");
  });

  it("gets a hold on goods that weren't held yet, even past its deadline", async () => {
    shop.platform.onObserve = async () => shownHeld({ holdable: true });
    const orderId = await hold();
    shop.aheadMs += 73 * HOUR_MS;
    const late = await until(orderId, () => shop.alerts.includes("hold_overdue"));
    const held = steps().filter((step) => step === "hold").length;
    shop.aheadMs += 25 * HOUR_MS;

    await until(orderId, () => steps().filter((step) => step === "hold").length > held);

    expect(late.state).toBe("review");
    expect(held).toBe(2);
    expect(shop.alerts.filter((alert) => alert === "hold_overdue")).toHaveLength(1);
  });

  it("causes one warning before its deadline, and stays held if the policy says so", async () => {
    shop.platform.onObserve = async () => shownHeld();
    const orderId = await hold();
    shop.aheadMs += 67 * HOUR_MS;
    await until(orderId, () => shop.alerts.includes("hold_expiring"));
    const warned = await until(orderId, ({ dueAtMs }) => dueAtMs !== null && dueAtMs > now());
    shop.aheadMs += 2 * HOUR_MS;
    await until(orderId, ({ dueAtMs }) => dueAtMs !== warned.dueAtMs);
    shop.aheadMs += 4 * HOUR_MS;
    await until(orderId, () => shop.alerts.includes("hold_overdue"));
    const before = await until(orderId, ({ dueAtMs }) => dueAtMs !== null && dueAtMs > now());
    shop.aheadMs += 48 * HOUR_MS;
    await until(orderId, ({ dueAtMs }) => dueAtMs !== before.dueAtMs);

    expect(shop.alerts).toEqual(["hold_expiring", "hold_overdue"]);
    expect(await details(orderId, "hold-expiring")).toEqual(["the deadline of the hold is near"]);
    expect(steps()).not.toContain("release");
  });

  it.each(["release", "cancel"] as const)(
    "causes a warning six hours before %s, if its deadline passed while nothing checked it",
    async (onDeadline) => {
      await savePolicy({ hold: { deadlineHours: 72, onDeadline } });
      shop.platform.onObserve = async () => shownHeld();
      const orderId = await hold();
      shop.aheadMs += 100 * HOUR_MS;

      await until(orderId, () => shop.alerts.includes("hold_expiring"));
      const { dueAtMs, holdDeadlineMs } = await until(orderId, (order) => (order.dueAtMs ?? 0) > now());
      expect(holdDeadlineMs).toBeGreaterThan(now() + 5.9 * HOUR_MS);
      expect(dueAtMs).toBeLessThanOrEqual(holdDeadlineMs ?? 0);
      expect(await details(orderId, "hold-expiring")).toEqual([
        expect.stringMatching(/^nobody could be warned in time/),
      ]);
      expect(steps()).not.toContain(onDeadline);
      shop.aheadMs += 7 * HOUR_MS;

      await until(orderId, ({ state }) => state === "settled");
      expect(steps()).toContain(onDeadline);
    },
  );

  it("is released at its deadline if the policy says so", async () => {
    await savePolicy({ hold: { deadlineHours: 1, onDeadline: "release" } });
    shop.platform.onObserve = async () => shownHeld();
    const orderId = await hold();
    await untilWarned(orderId);
    shop.aheadMs += 2 * HOUR_MS;

    const order = await until(orderId, ({ state }) => state === "settled");

    expect(order.holdDeadlineMs).toBeNull();
    expect(steps()).toContain("release");
    expect(await kinds(orderId)).toContain("hold-released");
  });

  it("counts as released by Holdfast even if the platform's answer never came", async () => {
    await savePolicy({ hold: { deadlineHours: 1, onDeadline: "release" } });
    let released = false;
    shop.platform.onObserve = async () => shownHeld(released ? { holds: [] } : {});
    shop.platform.onEnforce = (step) => {
      if (step !== "release") return undefined;
      released = true;
      throw new HoldfastError("PLATFORM_UNAVAILABLE", "lost on the way", { retryable: true });
    };
    const orderId = await hold();
    await untilWarned(orderId);
    shop.aheadMs += 2 * HOUR_MS;
    await until(orderId, () => released);
    shop.aheadMs += HOUR_MS;

    await until(orderId, ({ state }) => state === "settled");

    expect(await kinds(orderId)).toContain("hold-released");
    expect(await kinds(orderId)).not.toContain("hold-overridden");
  });

  it("is canceled at its deadline if the policy says so and the service answered", async () => {
    await savePolicy({ hold: { deadlineHours: 1, onDeadline: "cancel" } });
    shop.platform.onObserve = async () => shownHeld();
    const orderId = await hold();
    await untilWarned(orderId);
    shop.aheadMs += 2 * HOUR_MS;

    await until(orderId, ({ state }) => state === "settled");

    expect(steps()).toContain("cancel");
  });
});

describe("a held order on a platform that refuses requests", () => {
  it("stays in review, causes an alert, and is checked again", async () => {
    shop.platform.onObserve = async () => {
      throw new HoldfastError("PLATFORM_REFUSED", "not on the allowlist", { retryable: false });
    };
    const orderId = await hold();
    const before = await until(orderId, ({ dueAtMs }) => dueAtMs !== null);
    shop.aheadMs += 11 * 60_000;

    const order = await until(orderId, ({ dueAtMs }) => dueAtMs !== before.dueAtMs);

    expect(order.state).toBe("review");
    expect(shop.alerts).toContain("platform_refused");
  });
});

describe("a cancel", () => {
  it("isn't applied if somebody released the order during the cool-off", async () => {
    await savePolicy({ cancel: { coolOffMinutes: 30 } });
    shop.platform.onObserve = async () => shownHeld({ holds: [] });
    shop.level = "critical";
    const orderId = await deliver();
    await until(orderId, ({ state }) => state === "waiting");
    shop.aheadMs += 31 * 60_000;

    await until(orderId, ({ state }) => state === "settled");

    expect(steps()).toEqual(["hold", "assess", "tag"]);
  });

  it("waits for the cool-off on hold", async () => {
    await savePolicy({ cancel: { coolOffMinutes: 30 } });
    shop.platform.onObserve = async () => shownHeld();
    shop.level = "critical";
    const orderId = await deliver();
    const waiting = await until(orderId, ({ state }) => state === "waiting");
    expect(waiting.problem).toBe("cooling-off");
    expect(steps()).toEqual(["hold", "assess", "tag"]);
    shop.aheadMs += 31 * 60_000;

    await until(orderId, ({ state }) => state === "settled");

    expect(steps()).toEqual(["hold", "assess", "tag", "cancel"]);
  });

  it("becomes a hold and an alert past the hourly limit, however many arrive at once", async () => {
    await savePolicy({ cancel: { maxPerHour: 3 } });
    shop.level = "critical";
    const ids = await Promise.all(Array.from({ length: 10 }, () => deliver()));
    const ended = await Promise.all(
      ids.map((id) => until(id, ({ state }) => ["settled", "review"].includes(state))),
    );

    expect(steps().filter((step) => step === "cancel")).toHaveLength(3);
    expect(ended.filter(({ state }) => state === "review")).toHaveLength(7);
    expect(shop.alerts).toContain("cancel_limit_reached");
  });

  it("isn't applied after the shop turned on shadow mode", async () => {
    shop.level = "critical";
    let reachable = false;
    shop.platform.onEnforce = () => {
      if (reachable) return undefined;
      throw new HoldfastError("PLATFORM_UNAUTHORIZED", "no access yet", { retryable: true });
    };
    const orderId = await deliver();
    await until(orderId, ({ state }) => state === "waiting");

    await savePolicy({ mode: "shadow" });
    reachable = true;
    await shop.store.orders.wakeTenant(TENANT, now());

    expect(await until(orderId, ({ state }) => state === "settled")).toMatchObject({ problem: null });
    expect(shop.platform.enforced).toEqual([]);
  });
});

describe("a hold that covers only part of an order", () => {
  const inPart = (gap: HoldGap): StepOutcome => {
    return { outcome: "partial", gap, detail: "1 of 2", retryAtMs: now() + 60_000, memory: { tries: "1" } };
  };
  const gapsTold = async (orderId: string) =>
    (await shop.store.orders.listTimeline({ tenant: TENANT, orderId }))
      .filter(({ kind }) => kind === "hold-partial" || kind === "hold-done")
      .map(({ detail }) => detail);

  it("is watched like a full hold, retried with what it remembers, and reports each gap once", async () => {
    shop.level = "high";
    let gap: HoldGap | null = "recalling";
    const memories: unknown[] = [];
    shop.platform.onObserve = async () => shownHeld({ tags: [] });
    shop.platform.onEnforce = (step, { memory }) => {
      if (step !== "hold") return undefined;
      memories.push(memory);
      return gap === null ? { outcome: "done", detail: "2 of 2" } : inPart(gap);
    };
    const orderId = await deliver();
    await until(orderId, ({ state, problem }) => state === "review" && problem === "hold:goods-recalling");
    expect(shop.alerts).toEqual([]);
    gap = "refused";
    for (let minutes = 0; minutes < 40; minutes += 2) {
      shop.aheadMs += 120_000;
      await until(orderId, ({ dueAtMs }) => (dueAtMs ?? 0) > now());
    }
    // None of these looks counts as a regular one, which are ever further apart.
    expect(await until(orderId, () => true)).toMatchObject({ problem: "hold:goods-refused", attempts: 0 });
    gap = null;
    shop.aheadMs += 120_000;
    await until(orderId, ({ problem }) => problem === null);

    expect(memories.slice(0, 2)).toEqual([{}, { tries: "1", gap: "recalling" }]);
    expect(memories.at(-1), "not what Holdfast notes").toEqual({ tries: "1", gap: "refused" });
    expect(shop.alerts).toEqual(["hold_not_placed"]);
    expect(await gapsTold(orderId)).toEqual([
      "Part of the order can still ship: a fulfillment service was asked to give it back. (1 of 2)",
      "Part of the order will ship: the fulfillment service won't give it back. (1 of 2)",
      "2 of 2",
    ]);
  });

  it("keeps its problem if the rest can no longer be held", async () => {
    shop.level = "high";
    let isFirst = true;
    shop.platform.onObserve = async () => shownHeld();
    shop.platform.onEnforce = (step) => {
      if (step !== "hold") return undefined;
      if (!isFirst) return { outcome: "impossible", reason: "refused" };
      isFirst = false;
      return inPart("open");
    };
    const orderId = await deliver();
    await until(orderId, ({ state, dueAtMs }) => state === "review" && (dueAtMs ?? 0) > now());
    shop.aheadMs += 61_000;

    const order = await until(orderId, ({ dueAtMs }) => (dueAtMs ?? 0) > now() + 120_000);

    expect(order).toMatchObject({ state: "review", problem: "hold:goods-open" });
    expect(await details(orderId, "hold-impossible")).toEqual(["refused"]);
  });

  it("is retried when the platform says, with what it remembers, if the rest can't be held yet", async () => {
    shop.level = "high";
    const memories: unknown[] = [];
    shop.platform.onObserve = async () => shownHeld();
    shop.platform.onEnforce = (step, { memory }) => {
      if (step !== "hold") return undefined;
      memories.push(memory);
      if (memories.length === 1) return inPart("open");
      const retryAtMs = now() + 60_000;
      return { outcome: "wait", reason: "not-holdable-yet", retryAtMs, memory: { tries: "2" } };
    };
    const orderId = await deliver();
    for (let looks = 0; looks < 3; looks += 1) {
      await until(orderId, ({ dueAtMs }) => memories.length > looks && (dueAtMs ?? 0) > now());
      shop.aheadMs += 61_000;
    }

    expect(memories.at(2)).toEqual({ tries: "2", gap: "open" });
  });

  it("is retried while a cancel cools off", async () => {
    await savePolicy({ cancel: { coolOffMinutes: 60 } });
    shop.level = "critical";
    let holds = 0;
    shop.platform.onObserve = async () => shownHeld();
    shop.platform.onEnforce = (step) => (step === "hold" && (holds += 1) < 3 ? inPart("hidden") : undefined);
    const orderId = await deliver();
    await until(
      orderId,
      ({ state, problem }) => state === "waiting" && problem?.includes("goods-hidden") === true,
    );
    for (let look = 0; look < 3; look += 1) {
      shop.aheadMs += 120_000;
      await until(orderId, ({ dueAtMs }) => (dueAtMs ?? 0) > now());
    }

    expect(await until(orderId, () => true)).toMatchObject({ state: "waiting", problem: "cooling-off" });
    expect(holds).toBe(3);
  });
});

describe("a hold that can't be placed yet", () => {
  it("causes one alert, after half an hour, and is placed as soon as possible", async () => {
    shop.level = "high";
    let routed = false;
    shop.platform.onEnforce = (step) =>
      step === "hold" && !routed
        ? { outcome: "wait", reason: "not-routed-yet", retryAtMs: now() + 60_000 }
        : undefined;
    const orderId = await deliver();
    await until(orderId, ({ state }) => state === "waiting");
    for (let minutes = 0; minutes < 60; minutes += 2) {
      if (minutes === 28) expect(shop.alerts).not.toContain("hold_not_placed");
      shop.aheadMs += 120_000;
      await until(orderId, ({ state, dueAtMs }) => state === "waiting" && (dueAtMs ?? 0) > now());
    }

    expect(shop.alerts.filter((alert) => alert === "hold_not_placed")).toHaveLength(1);
    routed = true;
    shop.aheadMs += 120_000;
    await until(orderId, ({ state }) => state === "review");
  });
});

describe("a platform that refuses", () => {
  it("causes one alert, is asked again later, and is followed up once it allows it", async () => {
    shop.level = "high";
    let allowed = false;
    shop.platform.onEnforce = () => {
      if (allowed) return undefined;
      throw new HoldfastError("PLATFORM_REFUSED", "not on the allowlist", { retryable: false });
    };
    const orderId = await deliver();
    await until(orderId, ({ state }) => state === "waiting");
    expect(shop.alerts.filter((alert) => alert === "platform_refused").length).toBeGreaterThan(0);
    allowed = true;
    await shop.store.orders.wakeTenant(TENANT, now());

    await until(orderId, ({ state }) => state === "review");

    expect(steps()).toEqual(["hold", "assess", "tag"]);
  });
});
