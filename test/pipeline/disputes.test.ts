import { describe, expect, it } from "vitest";
import { shownHeld } from "../support/shown.ts";
import type { PersonAct } from "../../src/order/decision.ts";
import { toTimelineEntry } from "../../src/pipeline/timeline.ts";
import type { Dispute } from "../../src/platform/platform.ts";
import {
  accept,
  change,
  create,
  details,
  HOUR_MS,
  install,
  KEY,
  kinds,
  now,
  openShopForEach,
  platform,
  savePolicy,
  screenable,
  steps,
  store,
  TENANT,
  to,
  toOrder,
  until,
  untilAtRest,
  untilHeard,
  untilWarned,
  world,
  press,
  hold,
  settle,
} from "../support/changing-shop.ts";

openShopForEach();

const DISPUTE: Dispute = {
  disputeId: "d1",
  orderId: KEY.orderId,
  kind: "inquiry",
  status: "open",
  reason: "fraudulent",
  isFraud: true,
  initiatedAtMs: 1,
};

const hear = (changes: Partial<Dispute> = {}) =>
  accept("disputes/create", { kind: "dispute", dispute: { ...DISPUTE, ...changes } });
/** Waits until the inquiry is recorded and nothing was done about the order yet. */
const recordInquiry = (atMs = now()) =>
  store.outcomes.recordDispute(
    KEY,
    DISPUTE,
    toTimelineEntry(atMs, { kind: "dispute" }, "inquiry open", "platform"),
  );
/** A person who sees the order's decision reviews it. */
async function pressSeen(act: PersonAct): Promise<void> {
  await press(act, { seenDecidedAtMs: (await store.orders.get(KEY))?.decidedAtMs ?? null });
}
/** A person decides, and can undo it for 30 seconds. */
const pressToUndo = (act: PersonAct, atMs = now()) => press(act, { atMs, undoMs: 30_000 });
async function holdForInquiry(): Promise<void> {
  await settle();
  await hear();
  await until(({ decision, state }) => decision?.disputed === true && state === "review");
}
const kept = async () => (await store.outcomes.listDisputes(TENANT, [KEY.orderId])).get(KEY.orderId) ?? [];
const countHolds = () => steps().filter((step) => step === "hold").length;

describe("a chargeback that is recorded while Holdfast looks at a hold whose deadline has passed", () => {
  it("keeps the order on hold", async () => {
    await savePolicy({ hold: { deadlineHours: 1, onDeadline: "release" } });
    await create(to("CA"));
    await until(({ state }) => state === "review");
    await untilWarned();
    const { onObserve } = platform;
    platform.onObserve = async (...asked) => {
      const entry = toTimelineEntry(now(), { kind: "dispute" }, "chargeback open", "platform");
      await store.outcomes.recordDispute(KEY, { ...DISPUTE, kind: "chargeback" }, entry);
      return onObserve(...asked);
    };
    world.aheadMs += 100 * HOUR_MS;

    await until(async () => (await kinds()).includes("hold-overdue"));

    expect(steps()).not.toContain("release");
  });
});

describe("an inquiry", () => {
  it("holds an order that hasn't shipped, once, and keeps the reason of its former decision", async () => {
    await settle();
    await hear();
    await hear();
    const order = await until(({ state }) => state === "review");
    await untilHeard();

    expect(order.decision).toMatchObject({
      action: "hold",
      reasons: ["dispute:inquiry", "level:low"],
      disputed: true,
      machine: { action: "allow" },
    });
    expect(countHolds()).toBe(1);
    expect((await kinds()).filter((kind) => kind === "dispute")).toHaveLength(1);
  });

  it("waits for an order that isn't decided yet", async () => {
    world.down = "VERIFICATION_UNREACHABLE";
    await savePolicy({ whenUnavailable: "hold" });
    await create();
    await hear();
    await until(async () => (await kept()).length === 1);
    world.down = null;

    // The webhook may be delayed by a minute before or after the clock is moved.
    const order = await until(({ decision }) => {
      world.aheadMs += 60_000;
      return decision?.disputed === true;
    });
    expect(order).toMatchObject({
      decision: { action: "hold" },
    });
  });

  it.each([
    ["to be released", to("US"), "low"],
    ["a hold with a deadline", to("CA"), "high"],
  ] as const)("holds an order that is decided after it came: %s", async (_case, content, riskLevel) => {
    await savePolicy({ whenUnavailable: "hold", hold: { onDeadline: "release" } });
    world.down = "VERIFICATION_UNREACHABLE";
    await create(content);
    // Without the webhook's own work, so only what it recorded can stop the order.
    await until(({ problem }) => problem === "VERIFICATION_UNREACHABLE");
    await recordInquiry();
    world.down = null;

    const order = await until(({ state }) => {
      world.aheadMs += 60_000;
      return state === "review" || state === "settled";
    });
    expect(order).toMatchObject({
      state: "review",
      decision: { action: "hold", disputed: true, riskLevel },
    });
    world.aheadMs += 100 * HOUR_MS;
    await until(async () => (await kinds()).includes("hold-overdue"));
    expect(steps()).not.toContain("release");
  });

  it("is remembered when the shop leaves watch-only mode", async () => {
    await holdForInquiry();
    await savePolicy({ mode: "shadow" });
    await change(to("MX"));
    await until(({ decision }) => decision?.riskLevel === "medium");
    await untilAtRest();
    await savePolicy({ mode: "active" });
    await change(to("US"));

    await until(({ decision, state }) => decision?.riskLevel === "low" && state !== "decided");
    expect(await untilAtRest()).toMatchObject({
      state: "review",
      decision: { action: "hold", disputed: true, riskLevel: "low" },
    });
    expect(steps()).not.toContain("release");
  });

  it.each([
    ["ended", { status: "won" }],
    ["is a chargeback by now", { kind: "chargeback" }],
  ] as const)("is only recorded if it %s", async (_case, changes) => {
    await settle();
    await hear(changes);
    await untilHeard();
    expect(await kept()).toMatchObject([changes]);
    expect(countHolds()).toBe(0);
  });

  it("is only recorded for an order that was imported for the record, whenever it comes", async () => {
    await savePolicy({ whenUnavailable: "hold" });
    world.down = "VERIFICATION_UNREACHABLE";
    const placed = { ...KEY, platform: "test", receivedAtMs: now(), effects: "record" } as const;
    const entry = toTimelineEntry(now(), { kind: "received" }, "by backfill");
    await store.orders.receive({ ...placed, ...toOrder(screenable()), customerId: undefined }, entry);
    await until(({ problem }) => problem === "VERIFICATION_UNREACHABLE");
    await recordInquiry();
    world.down = null;
    world.aheadMs += 60_000;
    await untilAtRest();
    await hear();
    await untilHeard();

    expect(steps()).toEqual([]);
    expect(await untilAtRest()).toMatchObject({ state: "settled", decision: { enforce: false } });
  });

  it.each([
    ["has shipped", { fulfilled: true }],
    ["was canceled", { cancelled: true }],
  ])("comes too late for an order that %s", async (_case, ended) => {
    await settle();
    platform.onObserve = async () => shownHeld({ holds: [], ...ended });
    await hear();
    await untilHeard();
    expect(await kept()).toHaveLength(1);
    expect(await untilAtRest()).toMatchObject({ state: "settled", decision: { action: "allow" } });
  });

  it("changes nothing in watch-only mode", async () => {
    await savePolicy({ mode: "shadow" });
    await settle();
    await hear();
    await untilHeard();
    expect(steps()).toEqual([]);
  });

  it.each([
    ["released", to("MX"), "medium"],
    ["held", to("CA"), "high"],
    ["canceled", to("FR"), "critical"],
  ] as const)("keeps its hold when a changed order is to be %s", async (_case, changed, riskLevel) => {
    await holdForInquiry();
    await change(changed);

    const order = await until(
      ({ decision, state }) => decision?.riskLevel === riskLevel && state === "review",
    );
    expect(order.decision).toMatchObject({ action: "hold", disputed: true });
    expect(steps()).not.toContain("cancel");
    expect(steps()).not.toContain("release");
  });

  it("doesn't hold an order again that a person released, however often the bank updates the inquiry", async () => {
    await holdForInquiry();
    world.aheadMs += 60_000;
    await pressSeen("approve");
    await until(({ decision, state }) => decision?.source === "person" && state === "settled");

    await hear({ reason: "general" });
    await untilHeard();

    expect(await untilAtRest()).toMatchObject({ state: "settled", decision: { source: "person" } });
    expect(countHolds()).toBe(1);
  });

  it("holds again for another inquiry after a person released the first", async () => {
    await holdForInquiry();
    await pressSeen("approve");
    await until(({ decision, state }) => decision?.source === "person" && state === "settled");
    world.aheadMs += 60_000;

    await hear({ disputeId: "d2" });

    expect(await until(({ state }) => state === "review")).toMatchObject({ decision: { disputed: true } });
  });

  it("blocks an approval that was made before it and takes effect after it", async () => {
    await savePolicy({ captureWhenApproved: true });
    await hold();
    await pressToUndo("approve");
    world.aheadMs += 5_000;
    await hear();
    await until(async () => (await kept()).length === 1);
    world.aheadMs += 30_000;

    expect(
      await until(({ decision, state }) => decision?.disputed === true && state === "review"),
    ).toMatchObject({
      review: null,
      decision: { action: "hold" },
    });
    expect(await details("review-refused")).toEqual([expect.stringMatching(/^approve: a bank asks/)]);
    expect(steps()).not.toContain("capture");
    expect(steps()).not.toContain("release");
  });

  it("blocks an approval that was made at the same moment", async () => {
    await hold();
    const atMs = now();
    await pressToUndo("approve", atMs);
    await recordInquiry(atMs);
    world.aheadMs += 31_000;

    const order = await until(({ review }) => review === null);

    expect(order.decision).not.toMatchObject({ source: "person" });
    expect(await details("review-refused")).toEqual([expect.stringMatching(/^approve: a bank asks/)]);
  });

  it("holds an order that a person approved at the same moment", async () => {
    await hold();
    await pressSeen("approve");
    const approved = await until(
      ({ decision, state }) => decision?.source === "person" && state === "settled",
    );
    await recordInquiry(approved.decidedAtMs ?? 0);
    await hear();

    await until(({ decision, state }) => decision?.disputed === true && state === "review");
  });

  it("doesn't stop a decline that was made before it", async () => {
    await hold();
    await pressToUndo("decline");
    world.aheadMs += 5_000;
    await hear();
    await until(async () => (await kept()).length === 1);
    world.aheadMs += 30_000;

    await until(({ decision, state }) => decision?.action === "cancel" && state === "settled");
    expect(steps()).toContain("cancel");
  });

  it("can be approved only by somebody who has seen it", async () => {
    await holdForInquiry();

    expect(await press("approve")).toEqual({ outcome: "changed" });
    expect(await press("approve", { seenDecidedAtMs: 1 })).toEqual({ outcome: "changed" });
  });

  it("can be approved only by naming the version seen, even before the order is held for it", async () => {
    const { decidedAtMs } = await hold();
    await recordInquiry();
    const atMs = now();
    const approve = (seenDecidedAtMs?: number | null) => press("approve", { atMs, seenDecidedAtMs });

    expect(await approve()).toEqual({ outcome: "changed" });
    expect(await approve(decidedAtMs)).toMatchObject({ outcome: "decided" });
    // This decision came after the inquiry.
    await until(({ state }) => state === "settled");
    expect(await approve()).toEqual({ outcome: "already" });
  });

  it("stops a cancel during its cool-off, for good", async () => {
    await savePolicy({ cancel: { coolOffMinutes: 30 }, hold: { onDeadline: "cancel" } });
    await create(to("FR"));
    await until(({ problem }) => problem === "cooling-off");
    await hear();

    const order = await until(({ state }) => state === "review");
    expect(order).toMatchObject({ problem: null });
    expect(order.decision).toMatchObject({
      action: "hold",
      reasons: ["dispute:inquiry", "level:critical"],
      disputed: true,
      machine: { action: "cancel" },
    });
    world.aheadMs += 100 * HOUR_MS;
    await until(async () => (await kinds()).includes("hold-overdue"));
    expect(steps()).not.toContain("cancel");
  });

  it("lets a person refund an order that it stopped", async () => {
    await savePolicy({ cancel: { coolOffMinutes: 30 } });
    await create(to("FR"));
    await until(({ problem }) => problem === "cooling-off");
    await hear();
    await until(({ state }) => state === "review");
    await pressSeen("decline");

    await until(({ decision, state }) => decision?.source === "person" && state === "settled");
    expect(steps().filter((step) => step === "cancel")).toHaveLength(1);
  });

  it("stops a cancel whose other steps are under way", async () => {
    platform.onEnforce = async (step) => {
      if (step === "assess" && (await kept()).length === 0) {
        await hear();
        await until(async () => (await kept()).length === 1);
      }
      return { outcome: "done", detail: "" };
    };
    const canceled: string[] = [];
    const { onEnforce } = platform;
    platform.onEnforce = (step, target) => {
      if (step === "cancel") canceled.push(step);
      return onEnforce(step, target);
    };
    await create(to("FR"));

    expect(await until(({ state }) => state === "review")).toMatchObject({ decision: { disputed: true } });
    expect(canceled).toEqual([]);
  });

  it("stops a cancel that is decided after it came", async () => {
    await holdForInquiry();
    await pressSeen("approve");
    await until(({ decision, state }) => decision?.source === "person" && state === "settled");
    await change(to("FR"));
    await untilHeard();
    await pressSeen("recheck");

    expect(await until(({ decision }) => decision?.machine?.action === "cancel")).toMatchObject({
      decision: { action: "hold", disputed: true },
    });
    await until(({ state }) => state === "review");
    expect(steps()).not.toContain("cancel");
  });

  it("lets a cancel that has begun finish, even if the platform's next answer doesn't mention it", async () => {
    let answers = 0;
    platform.onEnforce = (step) => {
      if (step !== "cancel") return undefined;
      answers += 1;
      const waiting = { outcome: "wait", reason: `answer-${answers}`, retryAtMs: now() + 60_000 } as const;
      if (answers === 1) return { ...waiting, begun: true };
      return answers === 2 ? { ...waiting, memory: { refusals: "1" } } : undefined;
    };
    await create(to("FR"));
    await until(({ problem }) => problem === "answer-1");
    world.aheadMs += 2 * 60_000;
    await until(({ problem }) => problem === "answer-2");
    await hear();
    await until(async () => (await kept()).length === 1);
    world.aheadMs += 2 * 60_000;

    expect(await until(({ state }) => state === "settled")).toMatchObject({ decision: { action: "cancel" } });
    expect(countHolds()).toBe(0);
  });

  it("keeps an order that couldn't be canceled for a person", async () => {
    await savePolicy({ hold: { onDeadline: "cancel" } });
    let tries = 0;
    platform.onEnforce = (step) =>
      step === "cancel" ? { outcome: "impossible", reason: `refused-${(tries += 1)}` } : undefined;
    await create(to("FR"));
    await until(({ state }) => state === "review");
    await hear();
    await until(({ decision, state }) => decision?.disputed === true && state === "review");
    world.aheadMs += 100 * HOUR_MS;

    await until(async () => (await kinds()).includes("hold-overdue"));
    expect(tries).toBe(1);
  });

  it("has no effect on an unknown order", async () => {
    await install(now());
    await hear({ orderId: "404" });
    await untilHeard();
    expect(steps()).toEqual([]);
    expect(await store.orders.get({ tenant: TENANT, orderId: "404" })).toBeNull();
  });
});
