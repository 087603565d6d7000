import { describe, expect, it } from "vitest";
import { assertDeadline } from "../../src/base/deadline.ts";

describe("assertDeadline", () => {
  it.each([[undefined], [0.5], [2_500], [2 ** 31 - 1]])("takes %j", (deadlineMs) => {
    expect(() => assertDeadline(deadlineMs)).not.toThrow();
  });

  it.each([[0], [-1], [NaN], [Infinity], [2 ** 31]])("refuses %j by name", (deadlineMs) => {
    expect(() => assertDeadline(deadlineMs)).toThrow(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        message: `"deadlineMs" must be a positive number of milliseconds, at most 2147483647, got ${deadlineMs}`,
      }),
    );
  });
});
