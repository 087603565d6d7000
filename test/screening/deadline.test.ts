import { describe, expect, it } from "vitest";
import { assertDeadline } from "../../src/screening/deadline.ts";

describe("assertDeadline", () => {
  it.each([[undefined], [0.5], [2_500]])("takes %j", (deadlineMs) => {
    expect(() => assertDeadline(deadlineMs)).not.toThrow();
  });

  it.each([[0], [-1], [NaN], [Infinity]])("refuses %j by name", (deadlineMs) => {
    expect(() => assertDeadline(deadlineMs)).toThrow(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        message: `"deadlineMs" must be a positive number of milliseconds, got ${deadlineMs}`,
      }),
    );
  });
});
