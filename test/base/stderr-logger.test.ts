import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import { createStderrLogger } from "../../src/base/stderr-logger.ts";

function listen() {
  const lines: string[] = [];
  return { lines, logger: createStderrLogger((line) => void lines.push(line)) };
}

describe("createStderrLogger", () => {
  it("prints warnings and errors, each cause once, however many places log it", () => {
    const { lines, logger } = listen();
    const err = new HoldfastError("CONFIG_INVALID", "this host isn't known", { retryable: false });

    logger.debug({}, "quiet");
    logger.info({}, "quiet");
    logger.error({ err }, "calls are paused");
    logger.error({ err }, "calls are paused");
    logger.warn({ err, code: err.code }, "a call failed");
    logger.warn({ code: "IP_MISSING" }, "an order looks wrong");

    expect(lines).toEqual([
      expect.stringMatching(/^holdfast error: calls are paused: CONFIG_INVALID: this host isn't known \(/),
      expect.stringMatching(/^holdfast warning: an order looks wrong: IP_MISSING \(/),
    ]);
  });

  it("names each field that a warning is about, unless somebody else may have chosen the name", () => {
    const { lines, logger } = listen();
    const message = "it isn't usable.";

    logger.warn({ code: "UNUSABLE_FIELD", path: "customerPhone" }, message);
    logger.warn({ code: "UNUSABLE_FIELD", path: "items[0].sku" }, message);
    logger.warn({ code: "UNUSABLE_FIELD", path: "items[0].sku" }, message);
    logger.warn({ code: "UNUSABLE_FIELD", path: "jane@example.com" }, message);
    logger.warn({ code: "UNKNOWN_KEY", path: "jane" }, "there is no such field.");

    expect(lines.map((line) => line.slice(0, line.indexOf(" (")))).toEqual([
      "holdfast warning: it isn't usable: UNUSABLE_FIELD: customerPhone",
      "holdfast warning: it isn't usable: UNUSABLE_FIELD: items[0].sku",
      "holdfast warning: it isn't usable: UNUSABLE_FIELD",
      "holdfast warning: there is no such field: UNKNOWN_KEY",
    ]);
  });

  it("prints no text of a foreign error, which may quote an order", () => {
    const { lines, logger } = listen();

    logger.error(
      { err: new TypeError("jane@example.com"), orderId: "1", email: "jane@example.com" },
      "failed",
    );

    expect(lines).toEqual([expect.stringMatching(/^holdfast error: failed: TypeError \(/)]);
  });

  it("prints at most a hundred causes", () => {
    const { lines, logger } = listen();

    for (let index = 0; index < 200; index += 1) logger.error({}, `cause ${index}`);

    expect(lines).toHaveLength(100);
  });
});
