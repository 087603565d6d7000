import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRateLimit, toRateLimitRetryAtMs } from "../../src/service/rate-limit.ts";

describe("parseRateLimit", () => {
  it.each<[reset: string, resetAtMs: number | undefined]>([
    ["1800000000", 1_800_000_000_000],
    [" 1800000000 ", 1_800_000_000_000],
    ["1800000000123", 1_800_000_000_123],
    ["99999999999", 99_999_999_999_000],
    ["100000000000", 100_000_000_000],
    ["0", 0],
    ["-1", undefined],
    ["1.5", undefined],
    ["1e9", undefined],
    ["0x10", undefined],
    ["", undefined],
    ["soon", undefined],
    ["1800000000, 1800000000", undefined],
    ["1800000000000000", undefined],
    ["2027-01-15T08:00:00Z", undefined],
  ])("reads the reset %j as %s", (reset, resetAtMs) => {
    const expected = { limit: 10, remaining: undefined, resetAtMs };

    expect(parseRateLimit({ "x-ratelimit-limit": "10", "x-ratelimit-reset": reset })).toEqual(expected);
  });

  it("leaves out values that aren't integers, field by field", () => {
    const headers = {
      "x-ratelimit-limit": "many",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": ["1", "2"],
    };

    expect(parseRateLimit(headers)).toEqual({ limit: undefined, remaining: 0, resetAtMs: undefined });
  });

  it("is undefined without a readable field", () => {
    expect(parseRateLimit({})).toBeUndefined();
    expect(parseRateLimit({ "x-ratelimit-limit": "?", "content-type": "application/json" })).toBeUndefined();
  });
});

describe("toRateLimitRetryAtMs", () => {
  it("is always between a second and an hour ahead", () => {
    const header = fc.option(fc.oneof(fc.string(), fc.nat().map(String), fc.date().map(String)), {
      nil: undefined,
    });
    const nowMs = fc.integer({ min: 1_500_000_000_000, max: 4_000_000_000_000 });
    fc.assert(
      fc.property(header, header, nowMs, (reset, retryAfter, now) => {
        const waitMs =
          toRateLimitRetryAtMs({ "x-ratelimit-reset": reset, "retry-after": retryAfter }, now) - now;
        expect(waitMs).toBeGreaterThan(0);
        expect(waitMs).toBeLessThanOrEqual(3_600_000);
      }),
    );
  });
});
