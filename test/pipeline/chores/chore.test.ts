import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createChore } from "../../../src/pipeline/chores/chore.ts";
import { createLogRecorder } from "../../support/log-recorder.ts";

const EVERY_MS = 60_000;
const failed = "the round failed";

let log: ReturnType<typeof createLogRecorder>;

beforeEach(() => {
  vi.useFakeTimers();
  log = createLogRecorder();
});
afterEach(() => void vi.useRealTimers());

describe("createChore", () => {
  it("runs the first round when started, then one per interval, until it is stopped", async () => {
    let rounds = 0;
    const round = async () => void (rounds += 1);
    const chore = createChore({ everyMs: EVERY_MS, firstAfterMs: 0, round, failed, logger: log.logger });
    chore.start();
    chore.start();

    await vi.advanceTimersByTimeAsync(1);
    expect(rounds).toBe(1);
    await vi.advanceTimersByTimeAsync(2 * EVERY_MS);
    expect(rounds).toBe(3);

    await chore.stop();
    await vi.advanceTimersByTimeAsync(2 * EVERY_MS);
    expect(rounds).toBe(3);
  });

  it("logs a failed round, and runs the next", async () => {
    let rounds = 0;
    const round = () => Promise.reject(new Error(`round ${(rounds += 1)}`));
    const chore = createChore({ everyMs: EVERY_MS, round, failed, logger: log.logger });
    chore.start();

    await vi.advanceTimersByTimeAsync(2 * EVERY_MS);
    await chore.stop();

    expect(rounds).toBe(2);
    expect(log.lines).toMatchObject([
      { level: "warn", message: failed },
      { level: "warn", message: failed },
    ]);
  });

  it("runs one round at a time", async () => {
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const round = vi.fn(() => end);
    const chore = createChore({ everyMs: EVERY_MS, round, failed, logger: log.logger });
    chore.start();

    await vi.advanceTimersByTimeAsync(3 * EVERY_MS);
    expect(round).toHaveBeenCalledTimes(1);

    resolve();
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(round).toHaveBeenCalledTimes(2);
    await chore.stop();
  });

  it("asks the running round to stop, waits for its end, and logs nothing about it", async () => {
    let isOver = false;
    const round = async (signal: AbortSignal): Promise<void> => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      isOver = true;
      signal.throwIfAborted();
    };
    const chore = createChore({ everyMs: EVERY_MS, round, failed, logger: log.logger });
    chore.start();
    await vi.advanceTimersByTimeAsync(EVERY_MS);

    await chore.stop();

    expect(isOver).toBe(true);
    expect(log.lines).toEqual([]);
  });
});
