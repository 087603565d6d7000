import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
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
  it("takes a result that arrived in time while the process stalled", async () => {
    const [BEGUN, SENT] = [0, 1];
    const signals = new Int32Array(new SharedArrayBuffer(8));
    const code = `const { parentPort, workerData } = require("node:worker_threads");
      Atomics.wait(workerData, ${BEGUN}, 0);
      parentPort.postMessage("done");
      Atomics.store(workerData, ${SENT}, 1);
      Atomics.notify(workerData, ${SENT});`;
    const worker = new Worker(code, { eval: true, workerData: signals });
    onTestFinished(async () => void (await worker.terminate()));
    const work = new Promise<unknown>((resolve) => void worker.once("message", resolve));

    // From here on, timers come before messages.
    await new Promise(setImmediate);
    const startedAtMs = performance.now();
    const waited = withinDeadline(work, 5);
    Atomics.store(signals, BEGUN, 1);
    Atomics.notify(signals, BEGUN);
    Atomics.wait(signals, SENT, 0);
    while (performance.now() - startedAtMs < 10);

    await expect(waited).resolves.toBe("done");
  });

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
