import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createReviewPause, REVIEW_PAUSE_MS } from "../../../web/data/orders/review-pause.ts";

describe("createReviewPause", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("allows decisions on an order that a person opened", () => {
    const pause = createReviewPause();
    pause.endSoon();

    expect(pause.isActive.get()).toBe(false);
  });

  it("disables decisions until half a second after the next order is visible", () => {
    const pause = createReviewPause();
    pause.begin();
    vi.advanceTimersByTime(10 * REVIEW_PAUSE_MS);
    expect(pause.isActive.get()).toBe(true);

    pause.endSoon();
    vi.advanceTimersByTime(REVIEW_PAUSE_MS - 1);
    expect(pause.isActive.get()).toBe(true);
    // Drawing the same order again doesn't restart the pause.
    pause.endSoon();
    vi.advanceTimersByTime(1);
    expect(pause.isActive.get()).toBe(false);
  });

  it("starts over when the page moves on during the pause", () => {
    const pause = createReviewPause();
    pause.begin();
    pause.endSoon();
    vi.advanceTimersByTime(REVIEW_PAUSE_MS - 1);

    pause.begin();
    pause.endSoon();
    vi.advanceTimersByTime(REVIEW_PAUSE_MS - 1);
    expect(pause.isActive.get()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(pause.isActive.get()).toBe(false);
  });

  it("tells subscribers when it begins and ends", () => {
    const pause = createReviewPause();
    const seen: boolean[] = [];
    pause.isActive.subscribe(() => seen.push(pause.isActive.get()));

    pause.begin();
    pause.begin();
    pause.endSoon();
    vi.advanceTimersByTime(REVIEW_PAUSE_MS);

    expect(seen).toEqual([true, false]);
  });
});
