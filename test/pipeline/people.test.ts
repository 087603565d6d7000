import { beforeEach, describe, expect, it } from "vitest";
import { shownHeld } from "../support/shown.ts";
import { toTimelineEntry } from "../../src/pipeline/timeline.ts";
import {
  change,
  create,
  details,
  HOUR_MS,
  KEY,
  kinds,
  now,
  openShopForEach,
  platform,
  savePolicy,
  screenable,
  steps,
  store,
  to,
  toOrder,
  until,
  untilAtRest,
  untilHeard,
  untilWarned,
  verifier,
  world,
  press,
  hold,
  delayCancel,
} from "../support/changing-shop.ts";

openShopForEach();

const settled = () => until(({ state, review }) => state === "settled" && review === null);

describe("an approval", () => {
  it("releases the hold, removes the tags, and keeps what Holdfast had decided", async () => {
    await hold();

    expect(await press("approve")).toMatchObject({ outcome: "decided" });
    const order = await settled();

    expect(steps()).toEqual(["hold", "assess", "tag", "release", "assess", "untag"]);
    expect(order).toMatchObject({
      holdDeadlineMs: null,
      problem: null,
      facts: { amount: 59.9, shippingCountry: "ca" },
      decision: {
        action: "allow",
        tags: [],
        reasons: ["person:approved"],
        source: "person",
        actor: "person:7",
        degraded: false,
        riskLevel: "high",
        enforce: true,
        machine: { action: "hold", tags: ["holdfast-high"], source: "service", reasons: ["level:high"] },
      },
    });
  });

  it("comes in time while the order is about to be canceled", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    platform.onEnforce = (step) =>
      step === "tag" ? promise.then(() => ({ outcome: "done", detail: "tagged" }) as const) : undefined;
    await create(to("FR"));
    await until(async ({ state }) => state === "enforcing" && steps().includes("assess"));

    expect(await press("approve")).toEqual({ outcome: "queued" });
    expect(await press("approve", { actor: "person:8" })).toEqual({ outcome: "already" });
    expect(await press("decline", { actor: "person:8" })).toMatchObject({
      outcome: "impossible",
      why: { detail: expect.stringMatching(/^the order was already approved/) as unknown },
      first: { act: "approve", actor: "person:7" },
    });
    resolve();
    const order = await settled();

    expect(order.decision).toMatchObject({ action: "allow", actor: "person:7" });
    expect(steps()).not.toContain("cancel");
    expect(steps()).toContain("untag");
    expect(await kinds()).toContain("approve");
  });

  it("comes too late once the platform has begun to cancel", async () => {
    platform.onEnforce = (step) =>
      step === "cancel"
        ? {
            outcome: "wait",
            reason: "cancelling",
            retryAtMs: now() + HOUR_MS,
            begun: true,
            memory: { jobId: "1" },
          }
        : undefined;
    await delayCancel();

    expect(await press("approve")).toMatchObject({
      outcome: "impossible",
      why: { refusal: "being-canceled" },
    });
    expect(await press("decline")).toEqual({ outcome: "already" });
  });

  it("stands whatever changes afterwards, and the timeline shows the change", async () => {
    await hold();
    await press("approve");
    await settled();

    await change({ ...to("FR"), customerEmail: "other@example.com" });
    await untilHeard();
    const order = await untilAtRest();

    expect(order.decision).toMatchObject({ action: "allow", source: "person" });
    expect(verifier.calls).toHaveLength(1);
    expect(await details("changed-after-person")).toEqual([
      expect.stringContaining("a person has decided") as unknown,
    ]);
  });

  it("ends the wait for an answer about a change", async () => {
    await hold();
    world.down = "VERIFICATION_UNREACHABLE";
    await change(to("FR"));
    await until(async () => (await kinds()).includes("waiting"));

    await press("approve");
    const { length: calls } = verifier.calls;
    world.down = null;
    const order = await settled();

    expect(order).toMatchObject({ decision: { action: "allow" }, revision: { rescreen: false } });
    expect(verifier.calls).toHaveLength(calls);
  });

  it("is possible for an order that failed before it was decided", async () => {
    platform.onEnrich = () => Promise.reject(new TypeError("a defect"));
    await create();
    await until(({ state }) => state === "failed");

    expect(await press("approve")).toMatchObject({ outcome: "decided" });
    const order = await settled();

    expect(order.decision).toMatchObject({ action: "allow", riskLevel: null });
    expect(order.decision).not.toHaveProperty("machine");
    expect(verifier.calls).toHaveLength(0);
  });

  it("releases the hold of an order that failed while it was held", async () => {
    await hold();
    platform.onObserve = () => Promise.reject(new TypeError("a defect"));
    world.aheadMs += HOUR_MS;
    await until(({ state }) => state === "failed");

    await press("approve");
    await settled();

    expect(steps()).toEqual(["hold", "assess", "tag", "release", "assess", "untag"]);
  });

  it("isn't possible for an order that is undecided or has ended", async () => {
    world.down = "VERIFICATION_UNREACHABLE";
    await create();
    await until(({ state }) => state === "waiting");
    expect(await press("approve")).toMatchObject({ outcome: "impossible" });

    await store.orders.end(
      KEY,
      "test",
      now(),
      toTimelineEntry(now(), { kind: "cancelled-on-platform" }, "orders/cancelled", "platform"),
    );

    expect(await press("approve")).toMatchObject({ outcome: "impossible" });
    expect(await press("decline")).toMatchObject({ outcome: "impossible" });
    expect(await press("recheck")).toMatchObject({ outcome: "impossible" });
  });
});

describe("a decline", () => {
  it("isn't repeated for another person while it waits for the platform", async () => {
    platform.onEnforce = (step) =>
      step === "cancel" ? { outcome: "wait", reason: "busy", retryAtMs: now() + HOUR_MS } : undefined;
    await hold();
    await press("decline");
    await until(({ state }) => state === "waiting");

    expect(await press("decline", { actor: "person:8" })).toEqual({ outcome: "already" });
  });

  it("cancels an order that was imported for the record", async () => {
    await store.orders.receive(
      {
        ...KEY,
        platform: "test",
        receivedAtMs: now(),
        ...toOrder(screenable(to("CA"))),
        effects: "record",
        name: "#1",
        customerId: undefined,
      },
      toTimelineEntry(now(), { kind: "received" }, "by backfill"),
    );
    await untilAtRest();
    expect(steps()).toEqual([]);

    expect(await press("decline")).toMatchObject({ outcome: "decided" });
    const order = await settled();

    expect(steps()).toContain("cancel");
    expect(order.decision).toMatchObject({ action: "cancel", machine: { action: "hold" } });
  });

  it("counts at the last moment: Holdfast is about to release the order at its deadline", async () => {
    await savePolicy({ hold: { deadlineHours: 1, onDeadline: "release" } });
    await hold();
    await untilWarned();
    platform.onObserve = async () => {
      await press("decline");
      return shownHeld();
    };
    world.aheadMs += 2 * HOUR_MS;
    await settled();

    expect(steps()).toContain("cancel");
    expect(steps()).not.toContain("release");
  });

  it("can still become necessary if the order changes just before its deadline", async () => {
    await savePolicy({ hold: { deadlineHours: 1, onDeadline: "release" } });
    await hold();
    await untilWarned();
    platform.onObserve = async () => {
      platform.onObserve = async () => shownHeld();
      await change(to("FR"));
      await untilHeard();
      return shownHeld();
    };
    world.aheadMs += 2 * HOUR_MS;
    await settled();

    expect(steps()).toContain("cancel");
    expect(steps()).not.toContain("release");
  });

  it("that the platform can't follow stays shown while other goods of the order are held", async () => {
    let gap = true;
    platform.onObserve = async () => shownHeld({ holdable: true });
    await hold();
    platform.onEnforce = (step) => {
      if (step === "cancel") return { outcome: "impossible", reason: "refused" };
      const partial = { outcome: "partial", gap: "open", detail: "", retryAtMs: now() + HOUR_MS } as const;
      return step === "hold" && gap ? partial : undefined;
    };
    await press("decline");
    expect((await until(({ problem }) => problem !== null)).problem).toBe("cancel:refused hold:goods-open");

    gap = false;
    world.aheadMs += HOUR_MS;

    expect(await until(({ problem }) => problem === "cancel:refused")).toMatchObject({ state: "review" });
  });
});

describe("a recheck", () => {
  it("that the service can't answer keeps the decision, and reports why", async () => {
    await hold();
    world.down = "VERIFICATION_UNREACHABLE";

    expect(await press("recheck")).toEqual({ outcome: "queued" });
    const order = await until(({ review, state }) => review === null && state === "review");

    expect(order).toMatchObject({ decision: { action: "hold", source: "service" }, creditsSpent: 1 });
    expect(await details("recheck-failed")).toEqual(["VERIFICATION_UNREACHABLE"]);
  });

  it("costs one credit each time, and nothing afterwards", async () => {
    await hold();
    for (const times of [2, 3]) {
      await press("recheck");
      // An answer in the same millisecond as the next recheck would count as its answer.
      await until(
        ({ review, creditsSpent, decidedAtMs }) =>
          review === null && creditsSpent === times && now() > (decidedAtMs ?? 0),
      );
    }

    await change(to("US"));
    await until(({ decision }) => decision?.action === "allow");
    await change(to("CA"));
    const order = await until(({ decision }) => decision?.action === "hold");

    expect(order).toMatchObject({ creditsSpent: 4, decision: { source: "cache" } });
  });

  it("replaces a person's decision, with the order's current content", async () => {
    await hold();
    await press("approve");
    await settled();
    await change(to("FR"));
    await untilHeard();

    await press("recheck");
    const order = await until(({ decision }) => decision?.action === "cancel");

    expect(order).toMatchObject({ revision: null, decision: { source: "service", riskLevel: "critical" } });
    expect(order.decision).not.toHaveProperty("machine");
    expect(verifier.calls.map(({ shippingAddress }) => shippingAddress.country)).toEqual(["CA", "FR"]);
  });

  it("retries a failed order", async () => {
    platform.onEnrich = () => Promise.reject(new TypeError("a defect"));
    await create();
    await until(({ state }) => state === "failed");
    platform.onEnrich = async (_tenant, { mapped }) => ({ mapped, limitations: [] });

    expect(await press("recheck")).toEqual({ outcome: "queued" });

    expect(await settled()).toMatchObject({
      decision: { action: "allow", source: "service" },
      problem: null,
    });
  });

  it("that comes while the order is being canceled makes no call, and doesn't cancel twice", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const memories: unknown[] = [];
    platform.onEnforce = (step, { memory }) => {
      if (step !== "cancel") return undefined;
      memories.push(memory);
      const cancelling = {
        outcome: "wait",
        reason: "cancelling",
        retryAtMs: now() + HOUR_MS,
        begun: true,
        memory: { jobId: "1" },
      } as const;
      return promise.then(() => cancelling);
    };
    await create(to("FR"));
    await until(() => memories.length === 1);

    expect(await press("recheck")).toEqual({ outcome: "queued" });
    resolve();
    const order = await until(({ state, review }) => state === "waiting" && review === null);

    expect(verifier.calls).toHaveLength(1);
    expect(order.decision?.supersedes).toBeUndefined();
    expect(memories.slice(1)).toEqual(memories.slice(1).map(() => ({ jobId: "1" })));
    expect(await details("review-refused")).toEqual(["recheck: the order is being canceled on the platform"]);
  });

  it("doesn't overrule another person's decision that the person hasn't seen", async () => {
    await hold();
    await press("approve");
    const { decidedAtMs } = await settled();

    expect(await press("recheck", { actor: "person:8" })).toMatchObject({
      outcome: "impossible",
      why: { detail: expect.stringMatching(/^the order was already approved/) as unknown },
      first: { act: "approve", actor: "person:7" },
    });
    expect(await press("recheck", { actor: "person:8", seenDecidedAtMs: decidedAtMs })).toEqual({
      outcome: "queued",
    });
    expect(await until(({ review }) => review === null)).toMatchObject({ creditsSpent: 2 });
  });

  it("that fails because of a defect leaves the order open to the next decision", async () => {
    await hold();
    await press("approve");
    await settled();
    await change(to("FR"));
    await untilHeard();
    platform.onEnrich = () => Promise.reject(new TypeError("a defect"));

    await press("recheck");
    const order = await until(({ state }) => state === "failed");

    expect(order.review).toBeNull();
    expect(await press("decline", { actor: "person:8" })).toMatchObject({ outcome: "decided" });
  });

  it("of a failed order that the service can't answer leaves it failed", async () => {
    await hold();
    platform.onObserve = async () => null;
    world.aheadMs += HOUR_MS;
    await until(({ state }) => state === "failed");
    world.down = "VERIFICATION_UNREACHABLE";

    await press("recheck");
    const order = await until(({ review }) => review === null);

    expect(order).toMatchObject({ state: "failed", problem: "order-not-found", dueAtMs: null });
    expect((await kinds()).at(-1)).toBe("recheck-failed");
  });

  it("isn't possible once the order's content was erased", async () => {
    await hold();
    await store.retention.eraseOrders(
      { tenant: KEY.tenant, orderIds: ["1"], customerId: undefined, email: undefined },
      toTimelineEntry(now(), { kind: "erased" }, "", "platform"),
    );

    expect(await press("recheck")).toMatchObject({ outcome: "impossible" });
    expect(await press("approve")).toMatchObject({ outcome: "decided" });
    expect(await store.orders.get(KEY)).toMatchObject({ facts: null });
  });
});

describe("a hold in a shop that turned on shadow mode", () => {
  const ACTIVE = { hold: { deadlineHours: 1, onDeadline: "cancel" } } as const;
  const SHADOW = { ...ACTIVE, mode: "shadow" } as const;

  beforeEach(async () => {
    await savePolicy(ACTIVE);
    await hold();
    await savePolicy(SHADOW);
  });

  async function letGo(): Promise<void> {
    await change(to("US"));
    await until(({ decision }) => decision?.action === "allow");
    await untilAtRest();
  }

  it("stays in review if it is decided again, and is released by an approval", async () => {
    await letGo();
    expect(await store.orders.get(KEY)).toMatchObject({
      state: "review",
      holdDeadlineMs: expect.any(Number) as unknown,
    });
    expect(steps()).toEqual(["hold", "assess", "tag"]);

    await press("approve");
    await settled();

    expect(steps()).toEqual(["hold", "assess", "tag", "release", "assess", "untag"]);
  });

  it("stays in review if its release came too late", async () => {
    await savePolicy(ACTIVE);
    const { promise, resolve } = Promise.withResolvers<void>();
    platform.onEnforce = (step) =>
      step === "release"
        ? promise.then(() => ({ outcome: "wait", reason: "throttled", retryAtMs: now() }) as const)
        : undefined;
    await change(to("US"));
    await until(({ state, decision }) => state === "decided" && decision?.action === "allow");
    await savePolicy(SHADOW);
    resolve();
    await until(({ state }) => state === "review");
    platform.onEnforce = () => undefined;

    await press("approve");
    await settled();

    expect(steps()).toContain("release");
  });

  it("stays in review if its cancel came too late", async () => {
    await savePolicy(ACTIVE);
    const begun = Promise.withResolvers<void>();
    platform.onEnforce = (step) => {
      if (step !== "cancel") return undefined;
      begun.resolve();
      return { outcome: "wait", reason: "throttled", retryAtMs: now() + 1 };
    };
    await change(to("FR"));
    await begun.promise;
    await savePolicy(SHADOW);

    const order = await until(({ state }) => state === "review");

    expect(order.decision).toMatchObject({ action: "cancel", supersedes: { held: true } });
    expect(await details("cancel-moot")).toEqual(["shadow-mode"]);
    platform.onEnforce = () => undefined;
    await press("approve");
    await settled();
    expect(steps()).toContain("release");
  });
});

describe("a deadline that cancels", () => {
  it("keeps what Holdfast had decided before", async () => {
    await savePolicy({ hold: { deadlineHours: 1, onDeadline: "cancel" } });
    platform.onObserve = async () => shownHeld();
    await hold();
    await untilWarned();

    world.aheadMs += 2 * HOUR_MS;
    const order = await settled();

    expect(order.decision).toMatchObject({ action: "cancel", machine: { action: "hold" } });
  });
});
