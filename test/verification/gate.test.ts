import { describe, expect, it } from "vitest";
import { HoldfastError, type ErrorCode } from "../../src/errors.ts";
import { createGate, type Gate, type GateOptions } from "../../src/verification/gate.ts";

const START_MS = 1_800_000_000_000;
const OPEN = { open: true };

function errorOf(code: ErrorCode, retryAtMs?: number): HoldfastError {
  return new HoldfastError(code, "made for a test", { retryable: true, retryAtMs });
}

/** A gate on a clock that stands until it is moved. */
function setUp(options: Partial<GateOptions> = {}) {
  let nowMs = START_MS;
  const gate = createGate({ now: () => nowMs, ...options });
  return { gate, now: () => nowMs, pass: (ms: number) => (nowMs += ms) };
}

function failTimes(gate: Gate, times: number, code: ErrorCode = "VERIFICATION_FAILED", key = "k"): void {
  for (let time = 0; time < times; time += 1) gate.report(key, errorOf(code));
}

const blocked = (code: ErrorCode, retryAtMs: number) => ({ open: false, code, retryAtMs });

describe("createGate", () => {
  it("lets everyone through while nothing is wrong", () => {
    const { gate } = setUp();

    gate.report("k", undefined);
    gate.report("k", undefined, { limit: 10, remaining: 5, resetAtMs: START_MS + 60_000 });

    expect([gate.check("k"), gate.check("k"), gate.check("new"), gate.peek("k")]).toEqual([
      OPEN,
      OPEN,
      OPEN,
      OPEN,
    ]);
  });

  it("keeps keys apart", () => {
    const { gate } = setUp();

    gate.report("a", errorOf("VERIFICATION_FORBIDDEN"));

    expect(gate.check("a").open).toBe(false);
    expect(gate.check("b")).toEqual(OPEN);
  });

  describe("with a rate limit", () => {
    it("pauses until the moment the service named, for everyone, and then lets everyone through", () => {
      const { gate, pass } = setUp();
      gate.report("k", errorOf("VERIFICATION_RATE_LIMITED", START_MS + 30_000));

      expect(gate.check("k")).toEqual(blocked("VERIFICATION_RATE_LIMITED", START_MS + 30_000));
      pass(29_999);
      expect(gate.check("k").open).toBe(false);
      pass(1);
      expect([gate.check("k"), gate.check("k"), gate.check("k")]).toEqual([OPEN, OPEN, OPEN]);
    });

    it.each([
      ["no moment", undefined, 1_000],
      ["a moment that has passed", START_MS - 5, 1_000],
      ["a moment days away", START_MS + 9e8, 3_600_000],
    ])("pauses for a bounded time when it names %s", (_title, retryAtMs, waitMs) => {
      const { gate } = setUp();
      gate.report("k", errorOf("VERIFICATION_RATE_LIMITED", retryAtMs));

      expect(gate.check("k")).toEqual(blocked("VERIFICATION_RATE_LIMITED", START_MS + waitMs));
    });

    it("is not lifted by an answer, nor by failures, of calls that were under way", () => {
      const { gate } = setUp();
      gate.report("k", errorOf("VERIFICATION_RATE_LIMITED", START_MS + 30_000));

      gate.report("k", undefined, { limit: 10, remaining: 3, resetAtMs: START_MS + 1_000 });
      failTimes(gate, 10);
      gate.report("k", errorOf("VERIFICATION_ABORTED"));
      gate.report("k", errorOf("VERIFICATION_REFUSED"));

      expect(gate.check("k")).toEqual(blocked("VERIFICATION_RATE_LIMITED", START_MS + 30_000));
    });

    it("counts failures again once it is over", () => {
      const { gate, pass } = setUp();
      gate.report("k", errorOf("VERIFICATION_RATE_LIMITED"));
      pass(1_000);
      gate.check("k");

      failTimes(gate, 5);

      expect(gate.check("k")).toEqual(blocked("VERIFICATION_FAILED", START_MS + 6_000));
    });

    it("pauses before the limit is hit when an answer was the last one allowed", () => {
      const { gate, pass } = setUp();
      gate.report("k", undefined, { limit: 10, remaining: 0, resetAtMs: START_MS + 12_000 });

      expect(gate.check("k")).toEqual(blocked("VERIFICATION_RATE_LIMITED", START_MS + 12_000));
      pass(12_000);
      expect(gate.check("k")).toEqual(OPEN);
    });

    it.each([
      ["has passed", 0, START_MS - 1],
      ["is now", 0, START_MS],
      ["is not said", 0, undefined],
      ["lies ahead but calls remain", 1, START_MS + 12_000],
      ["lies ahead but what remains is not said", undefined, START_MS + 12_000],
    ])("does not pause after an answer when the reset %s", (_title, remaining, resetAtMs) => {
      const { gate } = setUp();
      gate.report("k", undefined, { limit: 10, remaining, resetAtMs });

      expect(gate.check("k")).toEqual(OPEN);
    });
  });

  describe.each<[code: ErrorCode, waitMs: number]>([
    ["VERIFICATION_UNAUTHORIZED", 60_000],
    ["VERIFICATION_FORBIDDEN", 60_000],
    ["VERIFICATION_NO_CREDITS", 180_000],
  ])("after %s", (code, waitMs) => {
    it("blocks at once, then lets exactly one through", () => {
      const { gate, pass } = setUp();
      gate.report("k", errorOf(code));

      expect(gate.check("k")).toEqual(blocked(code, START_MS + waitMs));
      pass(waitMs);
      expect(gate.peek("k")).toEqual(OPEN);
      expect(gate.check("k")).toEqual(OPEN);
      expect(gate.check("k")).toEqual(blocked(code, START_MS + waitMs + 1_000));
      expect(gate.peek("k").open).toBe(false);
    });

    it("opens when the trial is answered", () => {
      const { gate, pass } = setUp();
      gate.report("k", errorOf(code));
      pass(waitMs);
      gate.check("k");

      gate.report("k", undefined);

      expect([gate.check("k"), gate.check("k")]).toEqual([OPEN, OPEN]);
    });

    it.each<ErrorCode>([code, "VERIFICATION_TIMEOUT"])(
      "stays blocked as long again when the trial ends as %s",
      (end) => {
        const { gate, pass, now } = setUp();
        gate.report("k", errorOf(code));
        pass(waitMs);
        gate.check("k");

        gate.report("k", errorOf(end));

        expect(gate.check("k")).toEqual(blocked(code, now() + waitMs));
      },
    );

    it("lets the next one try when a trial proved nothing or was never reported", () => {
      const { gate, pass } = setUp();
      gate.report("k", errorOf(code));
      pass(waitMs);
      gate.check("k");

      gate.report("k", errorOf("VERIFICATION_ABORTED"));
      expect([gate.check("k").open, gate.check("k").open]).toEqual([true, false]);
      pass(30_000);
      expect([gate.check("k").open, gate.check("k").open]).toEqual([true, false]);
    });

    it("ignores failures of calls that were under way", () => {
      const { gate } = setUp();
      gate.report("k", errorOf(code));

      failTimes(gate, 10);
      gate.report("k", errorOf("VERIFICATION_REFUSED"));

      expect(gate.check("k")).toEqual(blocked(code, START_MS + waitMs));
    });
  });

  it("takes a refused order for proof of a good key, though not of credits", () => {
    const { gate, pass } = setUp();
    gate.report("key", errorOf("VERIFICATION_FORBIDDEN"));
    gate.report("credits", errorOf("VERIFICATION_NO_CREDITS"));
    pass(180_000);
    gate.check("key");
    gate.check("credits");

    gate.report("key", errorOf("VERIFICATION_REFUSED"));
    gate.report("credits", errorOf("VERIFICATION_REFUSED"));

    expect([gate.check("key").open, gate.check("key").open]).toEqual([true, true]);
    expect([gate.check("credits").open, gate.check("credits").open]).toEqual([true, false]);
  });

  describe("after failures in a row", () => {
    it.each<ErrorCode>([
      "VERIFICATION_UNREACHABLE",
      "VERIFICATION_FAILED",
      "VERIFICATION_TIMEOUT",
      "VERIFICATION_INTERRUPTED",
      "VERIFICATION_MALFORMED",
    ])("blocks on the fifth %s, for five seconds", (code) => {
      const { gate, pass } = setUp();

      failTimes(gate, 4, code);
      expect(gate.check("k")).toEqual(OPEN);
      failTimes(gate, 1, code);

      expect(gate.check("k")).toEqual(blocked(code, START_MS + 5_000));
      pass(5_000);
      expect([gate.check("k").open, gate.check("k").open]).toEqual([true, false]);
    });

    it.each<[title: string, error: HoldfastError | undefined]>([
      ["an answer", undefined],
      ["a refused order", errorOf("VERIFICATION_REFUSED")],
    ])("counts from the start after %s", (_title, error) => {
      const { gate } = setUp();
      failTimes(gate, 4);

      gate.report("k", error);
      failTimes(gate, 4);

      expect(gate.check("k")).toEqual(OPEN);
    });

    it("does not count callers who gave up, nor lets them break the row", () => {
      const { gate } = setUp();
      failTimes(gate, 4);

      failTimes(gate, 3, "VERIFICATION_ABORTED");
      expect(gate.check("k")).toEqual(OPEN);
      failTimes(gate, 1);

      expect(gate.check("k").open).toBe(false);
    });

    it("waits twice as long after each failed trial, a minute at most, and starts over after an answer", () => {
      const { gate, pass } = setUp();
      failTimes(gate, 5);
      const waitsMs: number[] = [];
      for (let trial = 0; trial < 6; trial += 1) {
        const answer = gate.check("k");
        const waitMs = answer.open ? 0 : answer.retryAtMs - pass(0);
        waitsMs.push(waitMs);
        pass(waitMs);
        expect(gate.check("k")).toEqual(OPEN);
        failTimes(gate, 1);
      }
      expect(waitsMs).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);

      pass(60_000);
      gate.check("k");
      gate.report("k", undefined);
      failTimes(gate, 5);

      expect(gate.check("k")).toEqual(blocked("VERIFICATION_FAILED", pass(0) + 5_000));
    });

    it("counts fifty failures at the same time once", () => {
      const { gate } = setUp();

      failTimes(gate, 50);

      expect(gate.check("k")).toEqual(blocked("VERIFICATION_FAILED", START_MS + 5_000));
    });

    it("opens after a trial whose order was refused", () => {
      const { gate, pass } = setUp();
      failTimes(gate, 5);
      pass(5_000);
      gate.check("k");

      gate.report("k", errorOf("VERIFICATION_REFUSED"));

      expect([gate.check("k"), gate.check("k")]).toEqual([OPEN, OPEN]);
    });
  });

  describe("with a free probe", () => {
    /** A probe whose outcome the test decides. */
    function setUpProbe() {
      const probes: PromiseWithResolvers<void>[] = [];
      const keys: string[] = [];
      const probe = (key: string) => {
        keys.push(key);
        probes.push(Promise.withResolvers());
        return probes.at(-1)?.promise ?? Promise.resolve();
      };
      const settle = async (end: (last: PromiseWithResolvers<void>) => void) => {
        end(probes.at(-1) as PromiseWithResolvers<void>);
        await new Promise(setImmediate);
      };
      return { ...setUp({ probe }), keys, settle };
    }

    it("tries a refused key by the probe, once, and lets nobody through until it succeeds", async () => {
      const { gate, pass, keys, settle } = setUpProbe();
      gate.report("k", errorOf("VERIFICATION_FORBIDDEN"));
      pass(60_000);

      const answers = [gate.check("k"), gate.check("k")];
      expect(answers.map((answer) => answer.open)).toEqual([false, false]);
      expect(keys).toEqual(["k"]);
      await settle((last) => last.resolve());

      expect([gate.check("k"), gate.check("k")]).toEqual([OPEN, OPEN]);
      expect(keys).toEqual(["k"]);
    });

    it.each<[title: string, reason: unknown, code: ErrorCode]>([
      ["is refused", errorOf("VERIFICATION_UNAUTHORIZED"), "VERIFICATION_UNAUTHORIZED"],
      ["fails", errorOf("VERIFICATION_UNREACHABLE"), "VERIFICATION_FORBIDDEN"],
      ["throws something else", new Error("made for a test"), "VERIFICATION_FORBIDDEN"],
    ])("stays blocked when the probe %s", async (_title, reason, code) => {
      const { gate, pass, now, settle } = setUpProbe();
      gate.report("k", errorOf("VERIFICATION_FORBIDDEN"));
      pass(60_000);
      gate.check("k");

      await settle((last) => last.reject(reason));

      expect(gate.check("k")).toEqual(blocked(code, now() + 60_000));
    });

    it.each<(last: PromiseWithResolvers<void>) => void>([
      (last) => last.resolve(),
      (last) => last.reject(errorOf("VERIFICATION_FORBIDDEN")),
    ])("does not let a probe of an old secret decide about a new one", async (end) => {
      const { gate, pass, settle } = setUpProbe();
      gate.report("k", errorOf("VERIFICATION_FORBIDDEN"));
      pass(60_000);
      gate.check("k");

      gate.forget("k");
      expect(gate.check("k")).toEqual(OPEN);
      await settle(end);

      expect(gate.check("k")).toEqual(OPEN);
    });

    it("leaves other trials to real calls", () => {
      const { gate, pass, keys } = setUpProbe();
      gate.report("k", errorOf("VERIFICATION_NO_CREDITS"));
      pass(180_000);

      expect(gate.check("k")).toEqual(OPEN);
      expect(keys).toEqual([]);
    });
  });

  it("remembers a bounded number of keys", () => {
    const { gate } = setUp({ maxKeys: 2 });

    for (const key of ["a", "b", "c"]) gate.report(key, errorOf("VERIFICATION_FORBIDDEN"));

    expect(["a", "b", "c"].map((key) => gate.peek(key).open)).toEqual([true, false, false]);
  });

  it("does not forget a blocked key for others that are in order", () => {
    const { gate } = setUp({ maxKeys: 2 });
    gate.report("a", errorOf("VERIFICATION_FORBIDDEN"));

    for (const key of ["b", "c", "d"]) gate.report(key, undefined);

    expect(gate.peek("a").open).toBe(false);
  });

  it("takes the time a refused key is left alone", () => {
    const { gate } = setUp({ reopenAfterMs: 5 });

    gate.report("k", errorOf("VERIFICATION_FORBIDDEN"));

    expect(gate.check("k")).toEqual(blocked("VERIFICATION_FORBIDDEN", START_MS + 5));
  });
});
