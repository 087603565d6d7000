import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import { createPinoLogger } from "../../src/base/pino-logger.ts";

type Line = Record<string, unknown> & { readonly err?: Record<string, unknown> };

function createRecorder(level: "debug" | "info" | "warn" | "error" | "silent" = "debug") {
  const lines: string[] = [];
  const logger = createPinoLogger({ level, destination: { write: (line) => void lines.push(line) } });
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? "{}") as Line };
}

describe("createPinoLogger", () => {
  it("writes one JSON object per line, without the host's name", () => {
    const { logger, lines, last } = createRecorder();

    logger.info({ orderId: "1" }, "an order came in");

    expect(lines).toEqual([expect.stringMatching(/^[^\n]*\n$/)]);
    expect(last()).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      pid: process.pid,
      orderId: "1",
      msg: "an order came in",
    });
  });

  it("leaves out lines below its level", () => {
    const { logger, lines } = createRecorder("warn");
    logger.debug({}, "d");
    logger.info({}, "i");
    logger.warn({}, "w");
    logger.error({}, "e");
    expect(lines.map((line) => (JSON.parse(line) as Line)["level"])).toEqual(["warn", "error"]);
    const silent = createRecorder("silent");
    silent.logger.error({}, "e");
    expect(silent.lines).toEqual([]);
  });

  it("doesn't let a field replace one of its own keys", () => {
    const { logger, lines, last } = createRecorder();

    logger.info({ level: "high", time: 1, msg: "forged", pid: 2 }, "decided");

    expect(last()).toMatchObject({
      level: "info",
      msg: "decided",
      level_: "high",
      time_: 1,
      msg_: "forged",
      pid_: 2,
    });
    expect(lines[0]?.match(/"level":/g)).toHaveLength(1);
  });

  it("redacts secret and personal fields", () => {
    const { logger, lines } = createRecorder();
    logger.warn(
      { headers: { Authorization: "Bearer t0ken", cookie: "c=1" }, email: "jane@example.com" },
      "refused",
    );
    expect(lines[0]).toContain("[redacted]");
    expect(lines[0]).not.toMatch(/t0ken|c=1|jane/);
  });

  it("prints our errors in full and others without their message", () => {
    const { logger, last } = createRecorder();
    const cause = Object.assign(new TypeError("jane@example.com is not iterable"), { code: "E_BAD" });
    const err = new HoldfastError("STORE_UNAVAILABLE", "the store cannot be reached", {
      retryable: true,
      cause,
    });

    logger.error({ err }, "failed");

    const { err: printed } = last();
    expect(printed).toMatchObject({
      type: "HoldfastError",
      code: "STORE_UNAVAILABLE",
      message: "the store cannot be reached",
      retryable: true,
      cause: { type: "TypeError", code: "E_BAD" },
    });
    expect(printed?.["stack"]).toMatch(/^ {4}at .*pino-logger\.test\.ts:\d+:\d+/);
    expect(JSON.stringify(printed)).not.toContain("jane");
  });
});
