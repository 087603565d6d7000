import { describe, expect, it } from "vitest";
import { assertDeadline, withinDeadline } from "../../src/base/waiting.ts";

describe("assertDeadline", () => {
  it.each([[undefined], [0.5], [2_500], [2 ** 31 - 1]])("accepts %j", (deadlineMs) => {
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

describe("withinDeadline", () => {
  it.each([[2 ** 31], [Infinity]])(
    "waits for the work even though no timer can run for %d ms",
    async (deadlineMs) => {
      const work = Promise.withResolvers<string>();
      const waited = withinDeadline(work.promise, deadlineMs);

      // Node shortens such a delay to a millisecond, so the timer would fire before this one.
      setTimeout(() => work.resolve("done"), 20);

      await expect(waited).resolves.toBe("done");
    },
  );

  it("resolves to nothing when the time is up", async () => {
    const { promise } = Promise.withResolvers<string>();

    await expect(withinDeadline(promise, 1)).resolves.toBeUndefined();
  });
});
