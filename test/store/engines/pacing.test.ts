import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createPacer, createUnitRest, nextTurn } from "../../../src/store/engines/pacing.ts";

describe("createUnitRest", () => {
  const clock = { nowMs: 0, idleMs: 0 };

  /** Units that have just had a slice of 2 ms, while requests come in. */
  function startRest() {
    Object.assign(clock, { nowMs: 1_000, idleMs: 0 });
    const rest = createUnitRest({ now: () => clock.nowMs, idleMs: () => clock.idleMs });
    rest.onRequest();
    clock.nowMs += 2;
    rest.onUnits(2);
    return rest;
  }

  it("makes units wait until the thread has been idle, however long requests keep it busy", () => {
    const rest = startRest();
    for (; clock.nowMs < 1_090; clock.nowMs += 1) {
      rest.onRequest();
      expect(rest.isDue()).toBe(true);
    }
    clock.idleMs += 14;

    expect(rest.isDue()).toBe(false);
  });

  it("makes units wait less than a millisecond on an idle thread", () => {
    const rest = startRest();
    clock.nowMs += 0.5;
    clock.idleMs += 0.5;

    expect(rest.isDue()).toBe(false);
  });

  it("gives units a slice every 100 ms on a thread that is never idle", () => {
    const rest = startRest();
    clock.nowMs += 97;
    rest.onRequest();
    expect(rest.isDue()).toBe(true);
    clock.nowMs += 1;

    expect(rest.isDue()).toBe(false);
  });

  it("lets units continue without a pause while no requests come in", () => {
    const rest = startRest();
    clock.nowMs += 51;

    expect(rest.isDue()).toBe(false);
  });

  it("ends a pause when a request comes in, and adds none once it is stopped", async () => {
    const rest = startRest();
    const waited = rest.wait();
    rest.onRequest();
    await waited;
    expect(rest.isDue()).toBe(true);
    rest.stop();

    expect(rest.isDue()).toBe(false);
  });

  it("never sets a timer to a time in the past, which Node warns about, when the pause ends as it starts", async () => {
    const warnings = vi.spyOn(process, "emitWarning").mockReturnValue();
    onTestFinished(() => warnings.mockRestore());
    const rest = startRest();
    expect(rest.isDue()).toBe(true);
    clock.nowMs += 0.001;
    clock.idleMs += 10;
    await rest.wait();

    expect(warnings).not.toHaveBeenCalled();
  });
});

describe("createPacer", () => {
  it("lets one caller continue per turn of the event loop, and owners take turns", async () => {
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

  it("immediately rejects callers that gave up, without using a turn for them", async () => {
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
