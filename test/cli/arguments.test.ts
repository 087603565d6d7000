import { describe, expect, it } from "vitest";
import { parseSince } from "../../src/cli/arguments.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const KEPT_DAYS = 90;

describe("parseSince", () => {
  it.each([
    ["30d", "2026-10-21T12:00:00.000Z"],
    ["12h", "2026-11-20T00:00:00.000Z"],
    ["2026-11-01", "2026-11-01T00:00:00.000Z"],
    ["2026-11-01T10:30", "2026-11-01T10:30:00.000Z"],
    ["2026-11-01T10:30:05Z", "2026-11-01T10:30:05.000Z"],
    ["2026-11-01T10:30:05.250+02:00", "2026-11-01T08:30:05.250Z"],
  ])("accepts %s", (text, moment) => {
    expect(new Date(parseSince(text, NOW, KEPT_DAYS)).toISOString()).toBe(moment);
  });

  it.each([
    "",
    "30",
    "0d",
    "d",
    "-3d",
    "30 d",
    "1.5h",
    "3w",
    "2026",
    "2026-02-31",
    "2026-11-31",
    "01.11.2026",
  ])("names what it expects instead of %j", (text) => {
    expect(() => parseSince(text, NOW, KEPT_DAYS)).toThrow("--since: expected days or hours such as 30d");
  });

  it("is required, and must be in the past", () => {
    expect(() => parseSince(undefined, NOW, KEPT_DAYS)).toThrow("--since: expected");
    expect(() => parseSince("2026-11-21", NOW, KEPT_DAYS)).toThrow("a time in the past");
  });

  it.each(["91d", "2161h", "2026-08-22T11:59:59.999Z", "2020-01-01"])(
    "refuses %s, which is beyond the time after which orders are erased, and names both numbers",
    (text) => {
      expect(() => parseSince(text, NOW, KEPT_DAYS)).toThrow(
        `--since: expected at most 90 days ago (KEEP_ORDERS_DAYS), got ${text}`,
      );
    },
  );

  it.each(["90d", "2160h", "2026-08-22T12:00"])("accepts %s, which is as long as orders are kept", (text) => {
    expect(parseSince(text, NOW, KEPT_DAYS)).toBe(NOW - 90 * 86_400_000);
  });
});
