import { describe, expect, it } from "vitest";
import { createSerialQueue, createSlots, createTurnBudget } from "../../src/base/waiting.ts";
import { nextTurn } from "../../src/store/engines/pacing.ts";

describe("createSlots", () => {
  const never = new AbortController().signal;

  it("starts the next piece of work when one ends, first come, first served", async () => {
    const slots = createSlots(1);
    const log: string[] = [];
    const first = Promise.withResolvers<void>();
    const done = [
      slots.run(
        "shop",
        async (leave) => {
          leave();
          await first.promise;
          log.push("first");
        },
        never,
      ),
      ...["second", "third"].map((name) => slots.run("shop", async () => log.push(name), never)),
    ];
    await Promise.all(done.slice(1));
    first.resolve();
    await Promise.all(done);

    expect(log).toEqual(["second", "third", "first"]);
  });

  it("rejects waiting work when the signal fires, and keeps the place for later work", async () => {
    const slots = createSlots(1);
    const closing = new AbortController();
    const first = Promise.withResolvers<void>();
    const begun: string[] = [];
    const working = slots.run("shop", () => first.promise, never);
    const waiting = slots.run("shop", async () => begun.push("waiting"), closing.signal);
    const patient = slots.run("shop", async () => begun.push("patient"), never);

    closing.abort(new Error("closing"));
    await expect(waiting).rejects.toThrow("closing");
    await expect(slots.run("shop", async () => begun.push("late"), closing.signal)).rejects.toThrow(
      "closing",
    );
    first.resolve();
    await Promise.all([working, patient]);

    expect(begun).toEqual(["patient"]);
  });
});

describe("createSlots without a signal", () => {
  it("lets waiting owners take turns, and keeps each owner's work in order", async () => {
    const slots = createSlots(1);
    const first = Promise.withResolvers<void>();
    const log: string[] = [];
    const work = (owner: string, name: string) => slots.run(owner, async () => void log.push(name));
    const holding = slots.run("flood", () => first.promise);
    const waiting = [
      ...["f1", "f2", "f3"].map((name) => work("flood", name)),
      work("quiet", "q1"),
      ...["c1", "c2"].map((name) => work("calm", name)),
    ];

    first.resolve();
    await Promise.all([holding, ...waiting]);

    expect(log).toEqual(["f1", "q1", "c1", "f2", "c2", "f3"]);
  });

  it("runs as much at once as there are places, and frees a place when work fails", async () => {
    const slots = createSlots(2);
    let running = 0;
    let most = 0;

    const works = Array.from({ length: 9 }, (_, index) =>
      slots.run(`owner ${index % 4}`, async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (index % 3 === 0) throw new Error("failed");
      }),
    );
    const outcomes = await Promise.allSettled(works);

    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(3);
    expect(most).toBe(2);
    await expect(slots.run("later", async () => "done")).resolves.toBe("done");
  });
});

describe("createSerialQueue", () => {
  it("runs work under one name in the order of the calls, even after a failure", async () => {
    const takeTurns = createSerialQueue();
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await Promise.resolve();
      log.push(`${name} ends`);
      if (name === "b") throw new Error("b failed");
      return name;
    };

    const outcomes = await Promise.allSettled(["a", "b", "c"].map((name) => takeTurns("same", work(name))));

    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await takeTurns("same", work("d"))).toBe("d");
  });

  it("doesn't make other names wait", async () => {
    const takeTurns = createSerialQueue();
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = takeTurns("one", () => promise);

    expect(await takeTurns("other", () => Promise.resolve("done"))).toBe("done");

    resolve("done too");
    expect(await first).toBe("done too");
  });
});

/** How many callbacks ran in each turn with any, if each takes this long. */
async function countPerTurn(callbacks: number, eachMs: number): Promise<readonly number[]> {
  let nowMs = 0;
  let ran = 0;
  const later = createTurnBudget({ sliceMs: 2, now: () => nowMs });
  for (let index = 0; index < callbacks; index += 1) {
    later(() => {
      ran += 1;
      // Whatever the callback awaits before the next one counts as part of it.
      void Promise.resolve().then(() => (nowMs += eachMs));
    });
  }
  const perTurn: number[] = [];
  for (let seen = 0; seen < callbacks;) {
    await nextTurn();
    if (ran > seen) perTurn.push(ran - seen);
    seen = ran;
  }
  return perTurn;
}

describe("createTurnBudget", () => {
  it.each([
    { eachMs: 5, perTurn: [1, 1, 1, 1] },
    { eachMs: 1, perTurn: [1, 2, 1] },
    { eachMs: 0, perTurn: [1, 3] },
  ])(
    "lets the first continue, and then as many per turn as fit, at $eachMs ms each",
    async ({ eachMs, perTurn }) => {
      expect(await countPerTurn(4, eachMs)).toEqual(perTurn);
    },
  );

  it("limits how many continue in a turn, however fast they are", async () => {
    expect(Math.max(...(await countPerTurn(100, 0)))).toBe(32);
  });
});
