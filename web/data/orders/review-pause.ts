import { createValue } from "../base/value.ts";

/** How long decision buttons stay disabled after the page shows the next order, in ms. */
export const REVIEW_PAUSE_MS = 500;

/**
 * Disables decisions for a moment after the page moves to another order on its own. The second press of a double press
 * must not decide on an order that nobody has looked at.
 */
export function createReviewPause() {
  const isActive = createValue(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    isActive,
    /** The page moves to another order, or to another question, on its own. */
    begin(): void {
      clearTimeout(timer);
      timer = undefined;
      isActive.set(true);
    },
    /** The next order is visible: the pause ends {@link REVIEW_PAUSE_MS} later. */
    endSoon(): void {
      if (!isActive.get() || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        isActive.set(false);
      }, REVIEW_PAUSE_MS);
    },
  };
}

export const reviewPause = createReviewPause();
