import { describe, expect, it } from "vitest";
import { DEFAULT_POLICY } from "../../src/policy/policy.ts";
import { judgeReview } from "../../src/pipeline/order-life/review.ts";
import { toOrderActionsJson } from "../../src/server/api/orders/describe-actions.ts";
import { toVerdict } from "../../src/server/api/orders/verdict.ts";
import type { StepOutcome } from "../../src/platform/enforcement-step.ts";
import {
  create,
  hold,
  KEY,
  now,
  openShopForEach,
  platform,
  press,
  steps,
  store,
  to,
  until,
  untilAtRest,
  world,
} from "../support/changing-shop.ts";

openShopForEach();

const SHIPPED: StepOutcome = { outcome: "impossible", reason: "already-fulfilled", ended: "shipped" };

/** An order that couldn't be held, because its goods had shipped or were about to. */
async function ship() {
  platform.onEnforce = (step) => (step === "hold" ? SHIPPED : undefined);
  await create(to("CA"));
  await until(({ state }) => state === "failed");
}

async function read() {
  const [order, taken] = [await store.orders.get(KEY), await store.orders.listSteps(KEY)];
  const situation = { order: order!, steps: taken, timeline: await store.orders.listTimeline(KEY) };
  const asked = {
    policy: DEFAULT_POLICY,
    policyVersion: 1,
    actor: "person:7",
    hasService: true,
    nowMs: now(),
  };
  const { decline } = toOrderActionsJson(situation, asked);
  return { order: situation.order, promise: decline.effect, verdict: toVerdict(situation, []) };
}

/** Decline, after the platform said whether the order has shipped. */
function decline(hasShipped: boolean | undefined, undoMs?: number) {
  const review = { act: "decline", actor: "person:7", atMs: now(), hasShipped } as const;
  const effectiveAtMs = undoMs === undefined ? undefined : now() + undoMs;
  return store.reviews.decide(KEY, { ...review, note: null, effectiveAtMs }, (situation) =>
    judgeReview(situation, review, { policyVersion: 1, nowMs: now() }),
  );
}

describe("declining an order that is recorded as shipped", () => {
  it("cancels and refunds nothing, as promised, and takes the order out of the queue", async () => {
    await ship();
    expect((await read()).promise).toMatchObject({
      code: "records-decline",
      refunds: false,
      restocks: false,
    });

    await press("decline");
    await until(({ state }) => state === "settled");

    const { order, verdict } = await read();
    expect(steps()).not.toContain("cancel");
    expect(order).toMatchObject({ problem: null, decision: { action: "cancel", cancelsNothing: "shipped" } });
    expect(verdict).toMatchObject({ kind: "not-canceled", problem: "already-fulfilled", by: "person:7" });
  });

  it("keeps that promise if the shipment was canceled since: it holds the order, and the next decline cancels it", async () => {
    await ship();
    // The platform would cancel it now.
    platform.onEnforce = () => undefined;

    await decline(false);
    await until(({ state }) => state === "review");

    const held = await read();
    expect(steps()).toContain("hold");
    expect(steps()).not.toContain("cancel");
    expect(held.verdict).toMatchObject({ kind: "held-instead", problem: "already-fulfilled" });
    expect(held.promise).toMatchObject({ code: "cancels", refunds: true });

    await press("decline", { seenDecidedAtMs: held.order.decidedAtMs });
    await until(({ state }) => state === "settled");

    expect(steps().filter((step) => step === "cancel")).toHaveLength(1);
    expect((await read()).verdict).toMatchObject({ kind: "canceled" });
  });

  it("keeps it if the platform doesn't say whether the order has shipped", async () => {
    await ship();
    platform.onEnforce = () => undefined;

    await decline(undefined);
    await until(({ state }) => state === "review");

    expect(steps()).not.toContain("cancel");
    expect((await read()).promise).toMatchObject({ code: "records-decline" });
  });

  it("keeps it when the time to undo is over", async () => {
    await ship();
    platform.onEnforce = () => undefined;

    await decline(false, 5_000);
    world.aheadMs += 6_000;
    await until(({ state, review }) => state === "review" && review === null);

    expect(steps()).not.toContain("cancel");
    expect((await read()).order.decision).toMatchObject({ cancelsNothing: "unshipped" });
  });

  it("believes a later shipment again", async () => {
    await ship();
    await decline(false);
    await until(({ state }) => state === "settled");

    expect(steps()).not.toContain("cancel");
    expect((await read()).verdict).toMatchObject({ kind: "not-canceled", problem: "already-fulfilled" });
  });

  it("still cancels an order that hasn't shipped", async () => {
    await hold();
    expect((await read()).promise).toMatchObject({ code: "cancels", refunds: true });

    await press("decline");
    await untilAtRest();

    expect(steps()).toContain("cancel");
  });
});
