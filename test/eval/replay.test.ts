import { describe, expect, it } from "vitest";
import type { LabelledOrder } from "../../eval/labelled-order.ts";
import { replayFrauds } from "../../eval/replay.ts";
import { createLocalEngine } from "../../src/engine/engine.ts";

const engine = createLocalEngine();
const START_MS = Date.UTC(2026, 0, 5);

function makeOrder(customerEmail: string, minutes: number, fraud = true): LabelledOrder {
  const orderTimestamp = new Date(START_MS + 60_000 * minutes).toISOString();
  return {
    order: { customerEmail, orderTimestamp, orderAmount: 50, currency: "USD" },
    fraud,
    velocity: undefined,
  };
}

async function* inOrder(orders: readonly LabelledOrder[]): AsyncGenerator<LabelledOrder, void, undefined> {
  yield* orders;
}

describe("replayFrauds", () => {
  it("sees bursts of one mailbox, however it is written, and nothing for strangers", async () => {
    const burst = [0, 5, 10, 15, 20].map((minutes) => makeOrder("jane.example@gmail.com", minutes));
    const strangers = [1, 2, 3].map((minutes) => makeOrder(`stranger${minutes}@example.com`, minutes));
    const replay = await replayFrauds(
      inOrder([...burst, ...strangers, makeOrder("janeexample+2@gmail.com", 25)].toSorted(byTime)),
      engine,
    );

    expect(replay).toMatchObject({ frauds: 9, repeats: 5, firstsSeen: 0 });
    // Two orders in an hour may be an afterthought; from the third on it is a burst.
    expect(replay.repeatsSeen).toBeGreaterThanOrEqual(4);
  });

  it("sees nothing in orders weeks apart, and leaves out orders without fraud or a mailbox", async () => {
    const week = 7 * 24 * 60;
    const replay = await replayFrauds(
      inOrder([
        makeOrder("jane@example.com", 0),
        makeOrder("jane@example.com", 1, false),
        makeOrder("jane@example.com", 4 * week),
        { order: {}, fraud: true, velocity: undefined },
      ]),
      engine,
    );

    expect(replay).toEqual({ frauds: 2, repeats: 1, repeatsSeen: 0, firstsSeen: 0 });
  });
});

function byTime(a: LabelledOrder, b: LabelledOrder): number {
  return Date.parse(a.order.orderTimestamp ?? "") - Date.parse(b.order.orderTimestamp ?? "");
}
