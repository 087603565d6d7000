import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../../src/base/errors.ts";
import { toAnswerWaitMs, toPatientRetryAtMs } from "../../../src/pipeline/order-life/retry-delay.ts";

const [SECOND_MS, MINUTE_MS] = [1_000, 60_000];
const ARRIVAL_MS = 1_000_000_000;

const failed = (retryAtMs?: number) =>
  new HoldfastError("VERIFICATION_FAILED", "down", { retryable: true, metered: "yes", retryAtMs });
const order = (attempts: number) => ({ attempts, undecidedSinceMs: ARRIVAL_MS });

describe("toPatientRetryAtMs", () => {
  it.each<
    [name: string, attempts: number, atMs: number, hintMs: number | undefined, expected: number | null]
  >([
    ["soon after the first try", 0, 0, undefined, SECOND_MS],
    ["when the circuit's pause ends", 3, 20_000, 95_000, 95_000],
    ["a last time, although the pause would be longer", 6, 150_000, undefined, 200_000],
    ["not after the last time", 3, 200_000, undefined, null],
    ["not if the circuit's pause ends later than that", 3, 150_000, 215_000, null],
    ["not if the circuit's pause is long", 0, 0, 121_000, null],
    ["not after many tries", 7, 60_000, undefined, null],
  ])("asks again %s", (_name, attempts, atMs, hintMs, expected) => {
    const hint = hintMs === undefined ? undefined : ARRIVAL_MS + hintMs;
    const retryAtMs = toPatientRetryAtMs(failed(hint), order(attempts), ARRIVAL_MS + atMs);

    expect(retryAtMs === null ? null : retryAtMs - ARRIVAL_MS).toBe(expected);
  });

  it("counts only the tries for an order that has a decision", () => {
    expect(toPatientRetryAtMs(failed(), { attempts: 2 }, ARRIVAL_MS)).toBe(ARRIVAL_MS + 4 * SECOND_MS);
    expect(toPatientRetryAtMs(failed(), { attempts: 7 }, ARRIVAL_MS)).toBeNull();
  });
});

describe("toAnswerWaitMs", () => {
  it("ends a few seconds before the four minutes are over, so that the order is decided in time", () => {
    expect(toAnswerWaitMs(order(0), ARRIVAL_MS)).toBe(4 * MINUTE_MS - 5 * SECOND_MS);
    expect(toAnswerWaitMs(order(5), ARRIVAL_MS + 200 * SECOND_MS)).toBe(35 * SECOND_MS);
  });

  it("leaves time for a call if the order waited in the queue for too long", () => {
    expect(toAnswerWaitMs(order(0), ARRIVAL_MS + 60 * MINUTE_MS)).toBe(35 * SECOND_MS);
  });

  it("has no limit for an order that has a decision", () => {
    expect(toAnswerWaitMs({ attempts: 0 }, ARRIVAL_MS)).toBeUndefined();
  });
});
