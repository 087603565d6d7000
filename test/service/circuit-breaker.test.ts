import { describe, expect, it } from "vitest";
import type { ErrorCode, HoldfastError } from "../../src/base/errors.ts";
import { blocked, errorOf, ALLOWED, setUpBreaker, START_MS } from "./circuit-breaker-clock.ts";

describe("createGate", () => {
  it("allows every call while nothing is wrong", () => {
    const { check, peek, report } = setUpBreaker();

    report();
    report(undefined, { limit: 10, remaining: 5, resetAtMs: START_MS + 60_000 });

    expect([check(), check(), check({ keyId: "new" }), peek()]).toEqual([ALLOWED, ALLOWED, ALLOWED, ALLOWED]);
  });

  it("keeps keys apart", () => {
    const { check, report } = setUpBreaker();

    report(errorOf("VERIFICATION_FORBIDDEN"), undefined, { keyId: "a" });

    expect(check({ keyId: "a" }).allowed).toBe(false);
    expect(check({ keyId: "b" })).toEqual(ALLOWED);
  });

  describe("with a rate limit", () => {
    it("pauses for everybody until the time that the service named, and then allows every call", () => {
      const { check, report, pass } = setUpBreaker();
      report(errorOf("VERIFICATION_RATE_LIMITED", START_MS + 30_000));

      expect(check()).toEqual(blocked("VERIFICATION_RATE_LIMITED", START_MS + 30_000));
      expect(check({ tenant: "other" }).allowed).toBe(false);
      pass(29_999);
      expect(check().allowed).toBe(false);
      pass(1);
      expect([check(), check(), check({ tenant: "other" })]).toEqual([ALLOWED, ALLOWED, ALLOWED]);
    });

    it.each([
      ["no moment", undefined, 1_000],
      ["a moment that has passed", START_MS - 5, 1_000],
      ["a moment days away", START_MS + 9e8, 3_600_000],
    ])("pauses for a limited time if the service names %s", (_title, retryAtMs, waitMs) => {
      const { check, report } = setUpBreaker();
      report(errorOf("VERIFICATION_RATE_LIMITED", retryAtMs));

      expect(check()).toEqual(blocked("VERIFICATION_RATE_LIMITED", START_MS + waitMs));
    });

    it("isn't lifted by answers or failures of calls that were under way", () => {
      const { check, report, failTimes } = setUpBreaker();
      report(errorOf("VERIFICATION_RATE_LIMITED", START_MS + 30_000));

      report(undefined, { limit: 10, remaining: 3, resetAtMs: START_MS + 1_000 });
      failTimes(10);
      failTimes(10, "VERIFICATION_UNREACHABLE");
      report(errorOf("VERIFICATION_ABORTED"));
      report(errorOf("VERIFICATION_REFUSED"));

      expect(check()).toEqual(blocked("VERIFICATION_RATE_LIMITED", START_MS + 30_000));
    });

    it("counts failures again once it is over", () => {
      const { check, report, failTimes, pass } = setUpBreaker();
      report(errorOf("VERIFICATION_RATE_LIMITED"));
      pass(1_000);
      check();

      failTimes(5);

      expect(check()).toEqual(blocked("VERIFICATION_FAILED", START_MS + 6_000));
    });

    it("later allows an order state that failed before it", () => {
      const { check, begin, report, pass } = setUpBreaker();
      begin({ orderState: "q" })(errorOf("VERIFICATION_TIMEOUT"));
      report(errorOf("VERIFICATION_RATE_LIMITED"));
      pass(1_000);

      expect(check({ orderState: "q" })).toEqual(ALLOWED);
    });

    it("pauses before the limit is hit if an answer was the last one allowed", () => {
      const { check, report, pass } = setUpBreaker();
      report(undefined, { limit: 10, remaining: 0, resetAtMs: START_MS + 12_000 });

      expect(check()).toEqual(blocked("VERIFICATION_RATE_LIMITED", START_MS + 12_000));
      pass(12_000);
      expect(check()).toEqual(ALLOWED);
    });

    it.each([
      ["has passed", 0, START_MS - 1],
      ["is now", 0, START_MS],
      ["is not said", 0, undefined],
      ["lies ahead but enough calls remain", 2, START_MS + 12_000],
      ["lies ahead but what remains is not said", undefined, START_MS + 12_000],
    ])("doesn't pause after an answer if the reset %s", (_title, remaining, resetAtMs) => {
      const { check, report } = setUpBreaker();
      report(undefined, { limit: 10, remaining, resetAtMs });

      expect(check()).toEqual(ALLOWED);
    });

    it("spreads the last calls over the time until the limit resets", () => {
      const { check, report, pass } = setUpBreaker();
      report(undefined, { limit: 100, remaining: 9, resetAtMs: START_MS + 30_000 });

      const wentAt: number[] = [];
      for (let ms = 0; ms < 30_000; ms += 100) {
        if (check().allowed) wentAt.push(ms);
        pass(100);
      }
      expect(wentAt).toEqual([3_000, 6_000, 9_000, 12_000, 15_000, 18_000, 21_000, 24_000, 27_000]);
      expect([check(), check(), check()]).toEqual([ALLOWED, ALLOWED, ALLOWED]);
    });

    it("returns a turn that was used for no call", () => {
      const { check, breaker, report, pass } = setUpBreaker();
      report(undefined, { limit: 100, remaining: 9, resetAtMs: START_MS + 30_000 });
      pass(3_000);
      const spentUp = { keyId: "k", tenant: "spent", orderState: "q" };
      expect(breaker.check(spentUp)).toEqual(ALLOWED);
      expect(check({ tenant: "other" }).allowed).toBe(false);
      breaker.report(spentUp, errorOf("VERIFICATION_ABORTED"));

      expect(check({ tenant: "other" })).toEqual(ALLOWED);
    });

    it("stops spreading once an answer says that enough calls are left", () => {
      const { check, report } = setUpBreaker();
      report(undefined, { limit: 100, remaining: 9, resetAtMs: START_MS + 30_000 });
      expect(check().allowed).toBe(false);
      report(undefined, { limit: 100, remaining: 100, resetAtMs: START_MS + 90_000 });

      expect([check(), check()]).toEqual([ALLOWED, ALLOWED]);
    });
  });

  describe("with other processes", () => {
    const NO_CREDITS = { code: "VERIFICATION_NO_CREDITS", pause: false } as const;

    it("tells them what blocks calls and that it is over, but not about trials or its own pace", () => {
      const shared: unknown[] = [];
      const { begin, report, pass } = setUpBreaker({
        share: (name, block) => shared.push([name, block?.code]),
      });
      report(errorOf("VERIFICATION_NO_CREDITS"));
      report(errorOf("VERIFICATION_NO_CREDITS"));
      pass(180_000);
      begin()();
      report(undefined, { limit: 100, remaining: 1, resetAtMs: START_MS + 900_000 });

      expect(shared).toEqual([
        ["key:k", "VERIFICATION_NO_CREDITS"],
        ["key:k", undefined],
      ]);
    });

    it.each<ErrorCode>([
      "VERIFICATION_UNREACHABLE",
      "VERIFICATION_TIMEOUT",
      "VERIFICATION_FAILED",
      "CONFIG_INVALID",
    ])("doesn't share %s, which may have a local cause", (code) => {
      const shared: unknown[] = [];
      const { failTimes, check } = setUpBreaker({ share: (name, block) => shared.push([name, block?.code]) });
      failTimes(9, code);

      expect(check().allowed).toBe(false);
      expect(shared).toEqual([]);
    });

    it("blocks calls on their report, without an alert of its own, until they report otherwise", () => {
      const { breaker, check, lines } = setUpBreaker();
      breaker.learn("k", { ...NO_CREDITS, retryAtMs: START_MS + 60_000 });

      expect(check()).toEqual(blocked("VERIFICATION_NO_CREDITS", START_MS + 60_000));
      expect(check({ tenant: "other" }).allowed, "the key is everybody's").toBe(false);
      breaker.lift("k");
      expect(check()).toEqual(ALLOWED);
      expect(lines.filter(({ alert }) => alert !== undefined)).toEqual([]);
    });
  });

  describe.each<[code: ErrorCode, waitMs: number]>([
    ["VERIFICATION_UNAUTHORIZED", 60_000],
    ["VERIFICATION_FORBIDDEN", 60_000],
    ["CONFIG_INVALID", 60_000],
    ["VERIFICATION_NO_CREDITS", 180_000],
  ])("after %s", (code, waitMs) => {
    it("blocks immediately, then allows exactly one call", () => {
      const { check, peek, report, pass } = setUpBreaker();
      report(errorOf(code));

      expect(check()).toEqual(blocked(code, START_MS + waitMs));
      pass(waitMs);
      expect(peek()).toEqual(ALLOWED);
      expect(check()).toEqual(ALLOWED);
      expect(check()).toEqual(blocked(code, START_MS + waitMs + 1_000));
      expect(peek().allowed).toBe(false);
    });

    it("blocks every tenant of the key", () => {
      const { check, report } = setUpBreaker();
      report(errorOf(code), undefined, { tenant: "one" });

      expect(check({ tenant: "other" })).toEqual(blocked(code, START_MS + waitMs));
    });

    it("opens when the trial is answered", () => {
      const { check, begin, report, pass } = setUpBreaker();
      report(errorOf(code));
      pass(waitMs);

      begin()();

      expect([check(), check()]).toEqual([ALLOWED, ALLOWED]);
    });

    it.each<ErrorCode>([code, "VERIFICATION_TIMEOUT"])(
      "stays blocked for the same time again when the trial ends as %s",
      (end) => {
        const { check, begin, report, pass, now } = setUpBreaker();
        report(errorOf(code));
        pass(waitMs);

        begin()(errorOf(end));

        expect(check()).toEqual(blocked(code, now() + waitMs));
      },
    );

    it("lets the next one try if a trial proved nothing or was never reported", () => {
      const { check, begin, report, pass } = setUpBreaker();
      report(errorOf(code));
      pass(waitMs);

      begin()(errorOf("VERIFICATION_ABORTED"));
      expect([check().allowed, check().allowed]).toEqual([true, false]);
      pass(30_000);
      expect([check().allowed, check().allowed]).toEqual([true, false]);
    });

    it("ignores calls that were under way, however they end", () => {
      const { check, report, failTimes } = setUpBreaker();
      report(errorOf(code));

      failTimes(10);
      report(errorOf("VERIFICATION_REFUSED"));
      report();

      expect(check()).toEqual(blocked(code, START_MS + waitMs));
    });

    it("doesn't end the trial under way when another call ends", () => {
      const { check, begin, report, pass } = setUpBreaker();
      report(errorOf(code));
      pass(waitMs);
      const endTrial = begin();

      report(errorOf("VERIFICATION_TIMEOUT"));
      report(errorOf("VERIFICATION_ABORTED"));
      expect(check()).toEqual(blocked(code, START_MS + waitMs + 1_000));
      endTrial();

      expect(check()).toEqual(ALLOWED);
    });
  });

  it("takes a refused order as proof of a good key, but not of credits", () => {
    const { check, begin, report, pass } = setUpBreaker();
    const [key, credits] = [{ keyId: "key" }, { keyId: "credits" }];
    report(errorOf("VERIFICATION_FORBIDDEN"), undefined, key);
    report(errorOf("VERIFICATION_NO_CREDITS"), undefined, credits);
    pass(180_000);

    begin(key)(errorOf("VERIFICATION_REFUSED"));
    begin(credits)(errorOf("VERIFICATION_REFUSED"));

    expect([check(key).allowed, check(key).allowed]).toEqual([true, true]);
    expect([check(credits).allowed, check(credits).allowed]).toEqual([true, false]);
  });

  describe("after failures in a row", () => {
    it.each<ErrorCode>([
      "VERIFICATION_UNREACHABLE",
      "VERIFICATION_FAILED",
      "VERIFICATION_TIMEOUT",
      "VERIFICATION_INTERRUPTED",
      "VERIFICATION_MALFORMED",
    ])("blocks on the fifth %s, for five seconds", (code) => {
      const { check, failTimes, pass } = setUpBreaker();

      failTimes(4, code);
      expect(check()).toEqual(ALLOWED);
      failTimes(1, code);

      expect(check()).toEqual(blocked(code, START_MS + 5_000));
      pass(5_000);
      expect([check().allowed, check().allowed]).toEqual([true, false]);
    });

    it.each<[title: string, error: HoldfastError | undefined]>([
      ["an answer", undefined],
      ["a refused order", errorOf("VERIFICATION_REFUSED")],
    ])("starts counting over after %s", (_title, error) => {
      const { check, report, failTimes } = setUpBreaker();
      failTimes(4);
      failTimes(4, "VERIFICATION_UNREACHABLE");

      report(error);
      failTimes(4);
      failTimes(4, "VERIFICATION_UNREACHABLE");

      expect(check()).toEqual(ALLOWED);
    });

    it("doesn't count callers that gave up, nor let them break the row", () => {
      const { check, failTimes } = setUpBreaker();
      failTimes(4);

      failTimes(3, "VERIFICATION_ABORTED");
      expect(check()).toEqual(ALLOWED);
      failTimes(1);

      expect(check().allowed).toBe(false);
    });

    it.each<ErrorCode>(["VERIFICATION_UNREACHABLE", "VERIFICATION_FAILED"])(
      "waits twice as long after each trial that ends as %s, a minute at most, and starts over after an answer",
      (code) => {
        const { check, begin, failTimes, pass } = setUpBreaker();
        failTimes(5, code);
        const waitsMs: number[] = [];
        for (let trial = 0; trial < 6; trial += 1) {
          const answer = check();
          const waitMs = answer.allowed ? 0 : answer.retryAtMs - pass(0);
          waitsMs.push(waitMs);
          pass(waitMs);
          begin()(errorOf(code));
        }
        expect(waitsMs).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);

        pass(60_000);
        begin()();
        failTimes(5, code);

        expect(check()).toEqual(blocked(code, pass(0) + 5_000));
      },
    );

    it("counts fifty concurrent failures once", () => {
      const { check, failTimes } = setUpBreaker();

      failTimes(50);

      expect(check()).toEqual(blocked("VERIFICATION_FAILED", START_MS + 5_000));
    });

    it("opens after a trial whose order was refused", () => {
      const { check, begin, failTimes, pass } = setUpBreaker();
      failTimes(5);
      pass(5_000);

      begin()(errorOf("VERIFICATION_REFUSED"));

      expect([check(), check()]).toEqual([ALLOWED, ALLOWED]);
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
      return { ...setUpBreaker({ probe }), keys, settle };
    }

    it("tests a refused key with the probe, once, and blocks every call until it succeeds", async () => {
      const { check, peek, report, pass, keys, settle } = setUpProbe();
      report(errorOf("VERIFICATION_FORBIDDEN"));
      pass(60_000);

      expect(peek(), "a probe comes first").toMatchObject({ allowed: false });
      expect([check().allowed, check().allowed]).toEqual([false, false]);
      expect(keys).toEqual(["k"]);
      await settle((last) => last.resolve());

      expect([check(), check()]).toEqual([ALLOWED, ALLOWED]);
      expect(keys).toEqual(["k"]);
    });

    it.each<[title: string, reason: unknown, code: ErrorCode]>([
      ["is refused", errorOf("VERIFICATION_UNAUTHORIZED"), "VERIFICATION_UNAUTHORIZED"],
      ["fails", errorOf("VERIFICATION_UNREACHABLE"), "VERIFICATION_FORBIDDEN"],
      ["throws something else", new Error("made for a test"), "VERIFICATION_FORBIDDEN"],
    ])("stays blocked when the probe %s", async (_title, reason, code) => {
      const { check, report, pass, now, settle } = setUpProbe();
      report(errorOf("VERIFICATION_FORBIDDEN"));
      pass(60_000);
      check();

      await settle((last) => last.reject(reason));

      expect(check()).toEqual(blocked(code, now() + 60_000));
    });

    it("lets the probe end the block while other calls end", async () => {
      const { check, report, failTimes, pass, settle } = setUpProbe();
      report(errorOf("VERIFICATION_FORBIDDEN"));
      pass(60_000);
      check();

      failTimes(1);
      report(errorOf("VERIFICATION_ABORTED"));
      await settle((last) => last.resolve());

      expect(check()).toEqual(ALLOWED);
    });

    it.each<(last: PromiseWithResolvers<void>) => void>([
      (last) => last.resolve(),
      (last) => last.reject(errorOf("VERIFICATION_FORBIDDEN")),
    ])("doesn't let a probe of an old secret decide about a new one", async (end) => {
      const { breaker, check, report, pass, settle } = setUpProbe();
      report(errorOf("VERIFICATION_FORBIDDEN"));
      pass(60_000);
      check();

      breaker.forget("k");
      expect(check()).toEqual(ALLOWED);
      await settle(end);

      expect(check()).toEqual(ALLOWED);
    });

    it("doesn't take an old secret's probe as proof for a new one that is refused", async () => {
      const { breaker, check, report, pass, now, settle } = setUpProbe();
      report(errorOf("VERIFICATION_FORBIDDEN"));
      pass(60_000);
      check();
      breaker.forget("k");
      report(errorOf("VERIFICATION_UNAUTHORIZED"));

      await settle((last) => last.resolve());

      expect(check()).toEqual(blocked("VERIFICATION_UNAUTHORIZED", now() + 60_000));
    });

    it.each<ErrorCode>(["VERIFICATION_NO_CREDITS", "CONFIG_INVALID"])(
      "leaves the trial after %s to a real call, since a probe wouldn't find out",
      (code) => {
        const { check, report, pass, keys } = setUpProbe();
        report(errorOf(code));
        pass(180_000);

        expect(check()).toEqual(ALLOWED);
        expect(keys).toEqual([]);
      },
    );
  });

  it("remembers a bounded number of keys", () => {
    const { peek, report } = setUpBreaker({ maxKeys: 2 });

    for (const keyId of ["a", "b", "c"]) report(errorOf("VERIFICATION_FORBIDDEN"), undefined, { keyId });

    expect(["a", "b", "c"].map((keyId) => peek({ keyId }).allowed)).toEqual([true, false, false]);
  });

  it("doesn't forget a blocked key because of working ones", () => {
    const { peek, report } = setUpBreaker({ maxKeys: 2 });
    report(errorOf("VERIFICATION_FORBIDDEN"), undefined, { keyId: "a" });

    for (const keyId of ["b", "c", "d"]) report(undefined, undefined, { keyId });

    expect(peek({ keyId: "a" }).allowed).toBe(false);
  });

  describe("after the clock was set back", () => {
    const DAY_MS = 86_400_000;

    it.each<[ErrorCode, number]>([
      ["VERIFICATION_NO_CREDITS", 0],
      ["VERIFICATION_FORBIDDEN", 0],
      ["VERIFICATION_RATE_LIMITED", 3_600_000],
    ])("blocks after %s no longer than it can last", (code, longestMs) => {
      const { check, report, pass } = setUpBreaker();
      pass(DAY_MS);
      report(errorOf(code, START_MS + DAY_MS + longestMs));
      expect(check().allowed).toBe(false);

      pass(-DAY_MS);

      expect(check()).toEqual(ALLOWED);
    });

    it("allows the trial again that was started before", () => {
      const { check, report, pass } = setUpBreaker();
      report(errorOf("VERIFICATION_NO_CREDITS"));
      pass(DAY_MS);
      expect(check()).toEqual(ALLOWED);

      pass(-DAY_MS + 180_000);

      expect(check()).toEqual(ALLOWED);
    });

    it("doesn't spread the last calls over a day in the future", () => {
      const { check, report, pass } = setUpBreaker();
      pass(DAY_MS);
      report(undefined, { limit: 100, remaining: 2, resetAtMs: START_MS + DAY_MS + 30_000 });
      expect(check().allowed).toBe(false);

      pass(-DAY_MS);

      expect(check()).toEqual(ALLOWED);
    });
  });

  it("doesn't use a refused key for a minute", () => {
    const { check, report } = setUpBreaker();

    report(errorOf("VERIFICATION_FORBIDDEN"));

    expect(check()).toEqual(blocked("VERIFICATION_FORBIDDEN", START_MS + 60_000));
  });
});
