import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createPacer, createUnitRest, nextTurn } from "../../../src/store/engines/pacing.ts";

describe("createUnitRest", () => {
  it("sets no timer to a time before now, of which Node would warn, when the rest ends while it begins", async () => {
    const warnings = vi.spyOn(process, "emitWarning").mockReturnValue();
    onTestFinished(() => warnings.mockRestore());
    let nowMs = 0;
    const rest = createUnitRest(() => nowMs);
    rest.onRequest();
    rest.onUnits(1);
    expect(rest.isDue()).toBe(true);
    nowMs = 4.001;
    await rest.wait();

    expect(warnings).not.toHaveBeenCalled();
  });
});

describe("createPacer", () => {
  it("lets one caller a turn of the event loop go on, and owners take turns", async () => {
    const pace = createPacer();
    const went: string[] = [];
    const callers = ["a1", "a2", "a3", "b1"].map(async (name) => {
      await pace(name.slice(0, 1));
      went.push(name);
    });

    const perTurn: number[] = [];
    while (went.length < callers.length) {
      const before = went.length;
      await nextTurn();
      perTurn.push(went.length - before);
    }
    await Promise.all(callers);

    expect(Math.max(...perTurn)).toBe(1);
    expect(went).toEqual(["a1", "a2", "b1", "a3"]);
  });

  it("lets those who gave up go at once, without taking a turn for them", async () => {
    const pace = createPacer();
    const gone = new AbortController();
    const first = pace("a");
    const given = Array.from({ length: 100 }, () => pace("a", gone.signal));
    const last = pace("a");
    const reason = new Error("gone");
    gone.abort(reason);

    const ends = await Promise.allSettled(given);
    await first;
    await nextTurn();
    await expect(
      Promise.race([last, nextTurn().then(() => Promise.reject(new Error("late")))]),
    ).resolves.toBe(undefined);

    expect(ends.every((end) => end.status === "rejected" && end.reason === reason)).toBe(true);
    await expect(pace("a", gone.signal)).rejects.toBe(reason);
  });
});
