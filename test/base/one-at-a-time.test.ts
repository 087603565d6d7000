import { describe, expect, it } from "vitest";
import { createTurns } from "../../src/base/one-at-a-time.ts";

describe("createTurns", () => {
  it("runs work of one name in the order of asking, also past a failure", async () => {
    const takeTurns = createTurns();
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

  it("does not keep other names waiting", async () => {
    const takeTurns = createTurns();
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = takeTurns("one", () => promise);

    expect(await takeTurns("other", () => Promise.resolve("done"))).toBe("done");

    resolve("done too");
    expect(await first).toBe("done too");
  });
});
