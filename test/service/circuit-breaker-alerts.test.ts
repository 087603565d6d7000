import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../src/base/errors.ts";
import { VERIFICATION_ALERTS } from "../../src/service/circuit-rules.ts";
import type { RecordedLine } from "../support/log-recorder.ts";
import { errorOf, setUpBreaker } from "./circuit-breaker-clock.ts";

/** Level, name and code of each line. */
const told = (lines: readonly RecordedLine[]) =>
  lines.map(({ level, alert, code, resolved }) =>
    level === "info" ? `info ${String(resolved)}` : `${String(level)} ${String(alert)} ${String(code)}`,
  );

describe("the circuit breaker's alerts", () => {
  it("have stable names for monitors to match", () => {
    expect(VERIFICATION_ALERTS).toEqual({
      keyRefused: "verification_key_refused",
      noCredits: "verification_no_credits",
      unavailable: "verification_unavailable",
      misconfigured: "verification_misconfigured",
      requestRefused: "verification_request_refused",
    });
  });

  it.each<[code: ErrorCode, alert: string, waitMs: number]>([
    ["VERIFICATION_UNAUTHORIZED", "verification_key_refused", 60_000],
    ["VERIFICATION_FORBIDDEN", "verification_key_refused", 60_000],
    ["VERIFICATION_NO_CREDITS", "verification_no_credits", 180_000],
    ["CONFIG_INVALID", "verification_misconfigured", 60_000],
  ])("report %s once, however many calls and trials it affects, and its end once", (code, alert, waitMs) => {
    const { lines, begin, report, pass } = setUpBreaker();

    for (let call = 0; call < 10; call += 1) report(errorOf(code));
    for (let trial = 0; trial < 3; trial += 1) {
      pass(waitMs);
      begin()(errorOf(code));
    }
    expect(told(lines)).toEqual([`error ${alert} ${code}`]);
    expect(lines[0]).toMatchObject({ keyId: "k", err: errorOf(code) });

    pass(waitMs);
    begin()();
    report();

    expect(told(lines)).toEqual([`error ${alert} ${code}`, `info ${alert}`]);
  });

  it("don't take answers to calls from before credits ran out as the end", () => {
    const { lines, report } = setUpBreaker();

    for (let call = 0; call < 5; call += 1) {
      report(errorOf("VERIFICATION_NO_CREDITS"));
      report();
    }

    expect(told(lines)).toEqual(["error verification_no_credits VERIFICATION_NO_CREDITS"]);
  });

  it("report a new incident after an end, and a different kind of problem", () => {
    const { lines, begin, report, pass } = setUpBreaker();
    report(errorOf("VERIFICATION_FORBIDDEN"));
    report(errorOf("VERIFICATION_NO_CREDITS"));
    pass(180_000);
    begin()();
    report(errorOf("VERIFICATION_NO_CREDITS"));

    expect(told(lines)).toEqual([
      "error verification_key_refused VERIFICATION_FORBIDDEN",
      "error verification_no_credits VERIFICATION_NO_CREDITS",
      "info verification_no_credits",
      "error verification_no_credits VERIFICATION_NO_CREDITS",
    ]);
  });

  it("continue through a pause, which proves nothing", () => {
    const { lines, begin, report, pass } = setUpBreaker();
    report(errorOf("VERIFICATION_NO_CREDITS"));
    pass(180_000);
    begin()(errorOf("VERIFICATION_RATE_LIMITED"));
    pass(1_000);
    begin()(errorOf("VERIFICATION_NO_CREDITS"));
    expect(lines).toHaveLength(1);

    pass(180_000);
    begin()();

    expect(told(lines).at(-1)).toBe("info verification_no_credits");
  });

  it("don't report a pause", () => {
    const { lines, report, check, pass } = setUpBreaker();

    report(errorOf("VERIFICATION_RATE_LIMITED"));
    pass(1_000);
    check();
    report();

    expect(lines).toEqual([]);
  });

  it("report a service that can't be reached, once", () => {
    const { lines, begin, failTimes, pass } = setUpBreaker();

    failTimes(20, "VERIFICATION_UNREACHABLE");
    pass(5_000);
    begin()(errorOf("VERIFICATION_UNREACHABLE"));
    pass(10_000);
    begin()();

    expect(told(lines)).toEqual([
      "error verification_unavailable VERIFICATION_UNREACHABLE",
      "info verification_unavailable",
    ]);
    expect(lines[0]).not.toHaveProperty("tenant");
  });

  it("name the tenant if only its orders fail", () => {
    const { lines, begin, failTimes, pass } = setUpBreaker();

    failTimes(20);
    pass(5_000);
    begin()();

    expect(lines).toMatchObject([
      { level: "error", alert: "verification_unavailable", code: "VERIFICATION_FAILED", tenant: "shop" },
      { level: "info", resolved: "verification_unavailable", tenant: "shop" },
    ]);
  });

  it("report an outage once for all tenants", () => {
    const { lines, begin, failTimes, pass } = setUpBreaker();

    for (let round = 0; round < 20; round += 1) {
      for (const tenant of ["a", "b", "c"]) failTimes(1, "VERIFICATION_TIMEOUT", { tenant });
    }
    pass(5_000);
    begin({ tenant: "d" })();

    expect(told(lines)).toEqual([
      "error verification_unavailable VERIFICATION_TIMEOUT",
      "info verification_unavailable",
    ]);
    expect(lines[0]).not.toHaveProperty("tenant");
  });

  it("end when a key is replaced", () => {
    const { breaker, lines, report, failTimes } = setUpBreaker();
    failTimes(5);
    report(errorOf("VERIFICATION_FORBIDDEN"));

    breaker.forget("k");

    expect(told(lines).slice(2).toSorted()).toEqual([
      "info verification_key_refused",
      "info verification_unavailable",
    ]);
  });

  it("end when a free probe finds the key accepted, but not when the probe fails for another reason", async () => {
    const ends = [errorOf("VERIFICATION_UNREACHABLE"), undefined];
    const probe = async () => {
      const end = ends.shift();
      if (end !== undefined) throw end;
    };
    const { lines, check, report, pass } = setUpBreaker({ probe });
    report(errorOf("VERIFICATION_FORBIDDEN"));

    for (let trial = 0; trial < 2; trial += 1) {
      pass(60_000);
      check();
      await new Promise(setImmediate);
    }

    expect(told(lines)).toEqual([
      "error verification_key_refused VERIFICATION_FORBIDDEN",
      "info verification_key_refused",
    ]);
  });
});
