import { describe, expect, it } from "vitest";
import { toTimestamp } from "../../../../adapters/shopify/base/payload.ts";

describe("toTimestamp", () => {
  it.each([
    ["2025-07-02T11:30:59-05:00", "2025-07-02T16:30:59Z", Date.UTC(2025, 6, 2, 16, 30, 59)],
    ["2020-01-14 10:28:34-05:00", "2020-01-14T15:28:34Z", Date.UTC(2020, 0, 14, 15, 28, 34)],
    ["2019-01-01 00:00:00.250Z", "2019-01-01T00:00:00.250Z", Date.UTC(2019, 0, 1, 0, 0, 0, 250)],
    ["2019-01-01 00:00:00 +0530", "2018-12-31T18:30:00Z", Date.UTC(2018, 11, 31, 18, 30)],
    ["2024-02-29t00:00:00z", "2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29)],
  ])("reads %s", (value, text, ms) => {
    expect(toTimestamp(value)).toEqual({ text, ms });
  });

  it.each([
    "",
    "2025-07-02",
    "2025-07-02T11:30:59",
    "2025-02-29T00:00:00Z",
    "2025-07-02T25:00:00Z",
    "2025-07-02T11:30:60Z",
    "2025-07-02T11:30:59+99:00",
    "July 2nd",
    1_751_000_000,
    null,
    undefined,
    {},
  ])("reads no moment from %j", (value) => {
    expect(toTimestamp(value)).toBeUndefined();
  });
});
