import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import type { OrderRecord } from "../../src/store/store.ts";
import { aResult } from "../support/orders.ts";
import {
  clock,
  deliver,
  kinds,
  now,
  openShopOfOrdersForEach,
  pipeline,
  savePolicy,
  shop,
  steps,
  TENANT,
  until,
} from "../support/shop-of-orders.ts";
import { shownHeld } from "../support/shown.ts";
import { until as waitFor } from "../support/until.ts";
import { createScriptedVerifier } from "../support/verifier.ts";

openShopOfOrdersForEach();

function stayAway(): never {
  throw new HoldfastError("VERIFICATION_NO_CREDITS", "no credits", { retryable: true, metered: "no" });
}

describe("an order that was decided without the service", () => {
  it("is checked once the service is back, and loses what the answer doesn't support", async () => {
    await savePolicy({ whenUnavailable: "hold" });
    let up = false;
    shop.verifier = createScriptedVerifier(() => (up ? { result: aResult("low") } : stayAway()));
    shop.platform.onObserve = async () => shownHeld({ tags: [] });
    const orderId = await deliver();
    await until(orderId, ({ state }) => state === "review");
    up = true;
    shop.aheadMs += 4 * 60_000;

    const order = await until(orderId, ({ decision }) => decision?.source === "service");
    await until(orderId, ({ state }) => state === "settled");

    expect(order.decision).toMatchObject({ action: "allow", degraded: false, supersedes: { held: true } });
    expect(steps()).toContain("release");
    expect(await kinds(orderId)).toContain("caught-up");
  });

  it("is tagged as not checked, and loses the tag once the service has answered", async () => {
    let up = false;
    shop.verifier = createScriptedVerifier(() => (up ? { result: aResult("low") } : stayAway()));
    const orderId = await deliver();
    const unchecked = await until(orderId, ({ state }) => state === "settled");
    up = true;
    shop.aheadMs += 4 * 60_000;
    const checked = await until(
      orderId,
      ({ state, decision }) => state === "settled" && decision?.source === "service",
    );

    expect(unchecked.decision).toMatchObject({
      action: "allow",
      riskLevel: null,
      unchecked: "VERIFICATION_NO_CREDITS",
      tags: ["holdfast-unchecked"],
    });
    expect(unchecked.result?.recommendations.join(" ")).not.toMatch(/process the order as usual/i);
    expect(checked.decision).toMatchObject({ riskLevel: "low", tags: [] });
    expect(checked.decision).not.toHaveProperty("unchecked");
    expect(steps()).toContain("untag");
    expect(checked.decision?.supersedes?.tags).toEqual(["holdfast-unchecked"]);
  });

  it("is checked right after the call that finds the service back, larger amounts first", async () => {
    let answering: Promise<void> | null = null;
    const asked: number[] = [];
    shop.verifier = createScriptedVerifier(async (_call, { orderAmount }) => {
      if (answering === null) return stayAway();
      asked.push(orderAmount);
      await answering;
      return { result: aResult("low") };
    });
    const orders: { readonly amount: number; readonly orderId: string }[] = [];
    for (const amount of [1_000, 100, 900]) {
      const orderId = await deliver(amount);
      await until(orderId, ({ state }) => state === "settled");
      orders.push({ amount, orderId });
    }
    const dueOf = async ({ orderId }: { readonly orderId: string }) =>
      (await shop.store.orders.get({ tenant: TENANT, orderId }))?.dueAtMs ?? 0;
    const dueAtFirst = new Map(
      await Promise.all(orders.map(async (order) => [order.orderId, await dueOf(order)] as const)),
    );
    let finish: () => void = () => undefined;
    answering = new Promise((resolve) => (finish = resolve));
    shop.stoppedAtMs = clock();
    shop.aheadMs += 4 * 60_000;
    // All are due. Whichever is asked about first, the others find its call under way, at the same moment.
    await waitFor(() => expect(asked).toHaveLength(1), { between: () => pipeline.wake() });
    const [first] = orders.filter(({ amount }) => amount === asked[0]) as [(typeof orders)[number]];
    const rest = orders.filter((order) => order !== first).toSorted((a, b) => b.amount - a.amount);
    const [large, small] = rest as [(typeof orders)[number], (typeof orders)[number]];
    for (const { orderId } of rest)
      await until(orderId, ({ dueAtMs }) => dueAtMs !== dueAtFirst.get(orderId));
    expect(asked).toEqual([first.amount]);
    finish();
    const isAnswered = ({ decision }: OrderRecord): boolean => decision?.source === "service";
    await until(first.orderId, isAnswered);
    // Within two seconds of the call that they found under way, the larger amount is due before the smaller one.
    shop.aheadMs = (await dueOf(large)) - shop.stoppedAtMs;
    await until(large.orderId, isAnswered);
    expect(asked).toEqual([first.amount, large.amount]);
    shop.aheadMs += 2_000;
    await until(small.orderId, isAnswered);

    expect(asked).toEqual([first.amount, large.amount, small.amount]);
  });

  it("is watched like any held order while the service stays away", async () => {
    await savePolicy({ whenUnavailable: "hold" });
    shop.verifier = createScriptedVerifier(stayAway);
    const orderId = await deliver();
    await until(orderId, ({ state }) => state === "review");

    shop.platform.onObserve = async () => shownHeld({ tags: [] });
    shop.aheadMs += 11 * 60_000;
    await waitFor(async () => expect(await kinds(orderId)).toContain("tag-repaired"));
  });

  it("keeps its decision while the service stays away", async () => {
    shop.verifier = createScriptedVerifier(stayAway);
    const orderId = await deliver();
    const first = await until(orderId, ({ state }) => state === "settled");
    shop.aheadMs += 5 * 60_000;

    const later = await until(orderId, ({ dueAtMs }) => dueAtMs !== first.dueAtMs);

    expect(later).toMatchObject({ state: "settled", decision: first.decision, attempts: first.attempts + 1 });
    expect(later.dueAtMs).toBeGreaterThan(now());
  });
});
