import { describe, expect, it } from "vitest";
import { nextTurn } from "../../src/store/engines/pacer.ts";
import { createTurnBudget } from "../../src/base/turn-budget.ts";

/** How many callbacks ran in each turn that any ran in, when each takes so long. */
async function countPerTurn(callbacks: number, eachMs: number): Promise<readonly number[]> {
  let nowMs = 0;
  let ran = 0;
  const later = createTurnBudget({ sliceMs: 2, now: () => nowMs });
  for (let index = 0; index < callbacks; index += 1) {
    later(() => {
      ran += 1;
      // What is awaited before it goes on belongs to it.
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
    "lets the first go on, and then as many a turn as fit, at $eachMs ms each",
    async ({ eachMs, perTurn }) => {
      expect(await countPerTurn(4, eachMs)).toEqual(perTurn);
    },
  );

  it("lets no more go on in a turn than can be looked at, however fast they are", async () => {
    expect(Math.max(...(await countPerTurn(100, 0)))).toBe(32);
  });
});
