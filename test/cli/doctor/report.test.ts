import { describe, expect, it } from "vitest";
import { failed, ok, problem, skipped, toSpan, warning } from "../../../src/cli/doctor/findings.ts";
import { HoldfastError } from "../../../src/base/errors.ts";
import { isSound, toJsonReport, toTextReport } from "../../../src/cli/doctor/report.ts";

const FINDINGS = [
  ok("node", "Node 24.21.0"),
  warning("service", "none is configured", "set VERIFY_URL"),
  skipped("circuits", "no database"),
  skipped("credits", "no database"),
  skipped("work", "no database"),
  problem("database.key", "the wrong one", "give the right one"),
  skipped("tenants", "no database"),
];

describe("failed", () => {
  it("says why, but doesn't quote another library", () => {
    const full = new HoldfastError("STORE_UNAVAILABLE", "the database is full", { retryable: true });

    expect(failed("work", full).found).toBe("this check failed (the database is full)");
    expect(failed("work", new TypeError("jane@example.com")).found).toBe("this check failed (TypeError)");
  });
});

describe("toTextReport", () => {
  it("aligns, puts advice under its finding, and combines what was left out for one reason", () => {
    expect(toTextReport(FINDINGS, false)).toEqual([
      "ok       node          Node 24.21.0",
      "warning  service       none is configured",
      "                       -> set VERIFY_URL",
      "skipped  circuits      no database (and 2 more)",
      "problem  database.key  the wrong one",
      "                       -> give the right one",
      "skipped  tenants       no database",
      "",
      "not working: 1 problem, 1 warning, 1 ok, 4 skipped",
    ]);
  });

  it("colors each status, and nothing else", () => {
    const [line = ""] = toTextReport([ok("node", "Node 24")], true);

    expect(line).toBe("\u001B[32mok\u001B[39m  node  Node 24");
  });

  it("sums up the result in one line", () => {
    const verdictOf = (findings: Parameters<typeof toTextReport>[0]) => toTextReport(findings, false).at(-1);

    expect(verdictOf([ok("a", "")])).toBe("working: 0 problems, 0 warnings, 1 ok, 0 skipped");
    expect(verdictOf([warning("a", "", "")])).toMatch(/^working, with warnings: 0 problems, 1 warning,/);
  });
});

describe("toJsonReport", () => {
  it("contains what a monitor reads: every finding, and whether one is a problem", () => {
    expect(JSON.parse(toJsonReport(FINDINGS))).toEqual({ ok: false, checks: FINDINGS });
    expect(isSound(FINDINGS.slice(0, 5))).toBe(true);
  });
});

describe("toSpan", () => {
  it.each([
    [0, "0 seconds"],
    [1_000, "1 second"],
    [60_000, "1 minute"],
    [119 * 60_000, "119 minutes"],
    [2 * 3_600_000, "2 hours"],
    [47 * 3_600_000, "47 hours"],
    [72 * 3_600_000, "3 days"],
  ])("formats %i ms as %s", (ms, text) => {
    expect(toSpan(ms)).toBe(text);
  });
});
