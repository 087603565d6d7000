import { describe, expect, it } from "vitest";
import {
  change,
  create,
  HOUR_MS,
  KEY,
  kinds,
  now,
  openShopForEach,
  platform,
  steps,
  store,
  to,
  until,
  untilHeard,
  verifier,
  world,
  press,
  hold,
} from "../support/changing-shop.ts";
import { toTimelineEntry } from "../../src/pipeline/timeline.ts";

openShopForEach();

/** So long that it doesn't end during a test. */
const UNDO_MS = 60_000;

const undo = () => store.reviews.undo(KEY, { actor: "person:7", atMs: now() });

/** Has the order checked now, and waits until the check is over. */
async function look(): Promise<void> {
  await store.orders.wake(KEY, now(), toTimelineEntry(now(), { kind: "ready" }, "", "platform"));
  await until(({ dueAtMs }) => (dueAtMs ?? 0) > now());
}

const settled = () => until(({ state, review }) => state === "settled" && review === null);

describe("a decision that can be undone", () => {
  it("is carried out when its time has come, as if it had been made then", async () => {
    await hold();
    expect(await press("approve", { undoMs: UNDO_MS })).toEqual({ outcome: "queued" });
    await look();
    expect(steps()).toEqual(["hold", "assess", "tag"]);

    world.aheadMs += UNDO_MS;
    const order = await settled();

    expect(steps()).toEqual(["hold", "assess", "tag", "release", "assess", "untag"]);
    expect(order.decision).toMatchObject({ action: "allow", actor: "person:7", machine: { action: "hold" } });
    expect(await undo()).toBe("none");
  });

  it("leaves the order held as before once it is undone, and can be made again", async () => {
    await hold();
    await press("decline", { undoMs: UNDO_MS });
    expect(await undo()).toBe("undone");
    world.aheadMs += 2 * UNDO_MS;
    await until(({ dueAtMs }) => (dueAtMs ?? 0) > now());

    expect(steps()).toEqual(["hold", "assess", "tag"]);
    expect((await kinds()).slice(-2)).toEqual(["decline", "undone"]);
    expect(await press("decline")).toMatchObject({ outcome: "decided" });
    await settled();
    expect(steps().filter((step) => step === "cancel")).toHaveLength(1);
  });

  it("has the change checked once it is undone", async () => {
    await hold();
    await press("approve", { undoMs: UNDO_MS });
    await change(to("US"));
    await untilHeard();
    await undo();

    await until(({ decision }) => decision?.action === "allow" && decision.source === "service");
    expect(verifier.calls).toHaveLength(2);
  });

  it("keeps a cancel from starting if it was made in the middle of the work", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    platform.onEnforce = (step) =>
      step === "tag" ? promise.then(() => ({ outcome: "done", detail: "tagged" }) as const) : undefined;
    await create(to("FR"));
    await until(({ state }) => state === "enforcing" && steps().includes("assess"));
    await press("approve", { undoMs: UNDO_MS });
    resolve();
    await until(({ state, dueAtMs }) => state === "waiting" && (dueAtMs ?? 0) > now());
    expect(steps()).not.toContain("cancel");

    await undo();
    await settled();
    expect(steps()).toContain("cancel");
  });

  it("never waits longer than the maximum undo time, even if the clock was set back", async () => {
    await hold();
    await press("approve", { undoMs: UNDO_MS });
    world.aheadMs -= 24 * HOUR_MS;

    await store.leases.clockSetBack({ byMs: 24 * HOUR_MS, nowMs: now(), leaseMs: 60_000 });
    world.aheadMs += UNDO_MS;
    await settled();
  });
});
