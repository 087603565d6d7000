import { describe, expect, it } from "vitest";
import { createSlipGuard, SLIP_MS } from "../../web/data/slip.ts";

function start() {
  let nowMs = 10_000;
  return { guard: createSlipGuard(() => nowMs), wait: (ms: number) => void (nowMs += ms) };
}

describe("createSlipGuard", () => {
  it("lets people decide on what they opened themselves", () => {
    const { guard } = start();
    guard.arrive();

    expect(guard.isSlip()).toBe(false);
  });

  it("takes no decision until half a second after the next order can be seen", () => {
    const { guard, wait } = start();
    guard.moveOn();
    wait(10 * SLIP_MS);
    expect(guard.isSlip()).toBe(true);

    guard.arrive();
    wait(SLIP_MS - 1);
    expect(guard.isSlip()).toBe(true);
    // The same order drawn again does not begin the pause anew.
    guard.arrive();
    wait(1);
    expect(guard.isSlip()).toBe(false);
  });
});
