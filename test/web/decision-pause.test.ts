import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDecisionPause, DECISION_PAUSE_MS } from "../../web/data/decision-pause.ts";

describe("createDecisionPause", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("allows decisions on an order that a person opened", () => {
    const pause = createDecisionPause();
    pause.endSoon();

    expect(pause.isActive.get()).toBe(false);
  });

  it("disables decisions until half a second after the next order is visible", () => {
    const pause = createDecisionPause();
    pause.begin();
    vi.advanceTimersByTime(10 * DECISION_PAUSE_MS);
    expect(pause.isActive.get()).toBe(true);

    pause.endSoon();
    vi.advanceTimersByTime(DECISION_PAUSE_MS - 1);
    expect(pause.isActive.get()).toBe(true);
    // Drawing the same order again doesn't restart the pause.
    pause.endSoon();
    vi.advanceTimersByTime(1);
    expect(pause.isActive.get()).toBe(false);
  });

  it("starts over when the page moves on during the pause", () => {
    const pause = createDecisionPause();
    pause.begin();
    pause.endSoon();
    vi.advanceTimersByTime(DECISION_PAUSE_MS - 1);

    pause.begin();
    pause.endSoon();
    vi.advanceTimersByTime(DECISION_PAUSE_MS - 1);
    expect(pause.isActive.get()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(pause.isActive.get()).toBe(false);
  });

  it("tells subscribers when it begins and ends", () => {
    const pause = createDecisionPause();
    const seen: boolean[] = [];
    pause.isActive.subscribe(() => seen.push(pause.isActive.get()));

    pause.begin();
    pause.begin();
    pause.endSoon();
    vi.advanceTimersByTime(DECISION_PAUSE_MS);

    expect(seen).toEqual([true, false]);
  });
});
