import { expect, it } from "vitest";
import { createPacedQueue } from "../../src/catalog/paced-queue.ts";
import { until } from "../support/until.ts";

/** A queue of four that makes one request at a time, every ten milliseconds of a clock that stands still. */
function start() {
  const asked: string[] = [];
  const clock = { nowMs: 0 };
  const queue = createPacedQueue({
    ask: async (key) => {
      asked.push(key);
      return key;
    },
    perSecond: 100,
    burst: 1,
    most: 4,
    now: () => clock.nowMs,
  });
  return { queue, asked, clock };
}

const WAITED_FOR = new AbortController().signal;

it("requests what a caller waits for before what callers have left behind", async () => {
  const { queue, asked, clock } = start();
  await queue.ask("first", WAITED_FOR);
  const over = new AbortController();
  const left = [queue.ask("left", over.signal), queue.ask("joined", over.signal)];
  over.abort();
  const wanted = queue.ask("wanted", WAITED_FOR);
  const joined = queue.ask("joined", WAITED_FOR);

  for (const count of [2, 3, 4]) {
    clock.nowMs += 10;
    await until(() => asked.length === count);
  }

  expect(asked).toEqual(["first", "joined", "wanted", "left"]);
  expect(await Promise.all([...left, wanted, joined])).toEqual(["left", "joined", "wanted", "joined"]);
});

it("drops entries without a waiting caller when it is full, and otherwise the newest one", async () => {
  const { queue, asked } = start();
  await queue.ask("first", WAITED_FOR);
  const over = new AbortController();
  const left = queue.ask("left", over.signal);
  over.abort();
  const waiting = ["1", "2", "3", "4"].map((key) => queue.ask(key, WAITED_FOR));

  expect(await left).toBeUndefined();
  expect(await queue.ask("5", WAITED_FOR)).toBeUndefined();
  queue.close();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined, undefined, undefined]);
  expect(asked).toEqual(["first"]);
});

it("drops waiting entries when it pauses, and a pause doesn't reopen it once closed", async () => {
  const { queue, asked, clock } = start();
  await queue.ask("first", WAITED_FOR);
  const waiting = queue.ask("second", WAITED_FOR);
  expect([queue.pause(50), queue.pause(50)]).toEqual([true, false]);
  expect(await waiting).toBeUndefined();
  clock.nowMs = 49;
  expect(await queue.ask("second", WAITED_FOR)).toBeUndefined();
  clock.nowMs = 50;
  expect(await queue.ask("second", WAITED_FOR)).toBe("second");

  queue.close();
  queue.pause(50);
  clock.nowMs = 1_000;

  expect(await queue.ask("third", WAITED_FOR)).toBeUndefined();
  expect(asked).toEqual(["first", "second"]);
});
