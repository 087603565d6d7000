/** After the page went on to another order by itself, nothing is decided for so long, in ms. */
export const SLIP_MS = 500;

/** Tells a decision from a slip of the hand: the second press of two meets an order that nobody has looked at. */
export interface SlipGuard {
  /** The page goes on to another order, or to another question, by itself. */
  moveOn(): void;
  /** What it went on to can be seen. */
  arrive(): void;
  /** Whether a press cannot be meant for what is shown. */
  isSlip(): boolean;
}

/** Create a {@link SlipGuard}. `now`: in ms, never set back. */
export function createSlipGuard(now: () => number): SlipGuard {
  let movedAtMs = Number.NEGATIVE_INFINITY;
  let isOnItsWay = false;
  return {
    moveOn() {
      movedAtMs = now();
      isOnItsWay = true;
    },
    arrive() {
      if (!isOnItsWay) return;
      movedAtMs = now();
      isOnItsWay = false;
    },
    isSlip: () => isOnItsWay || now() - movedAtMs < SLIP_MS,
  };
}

/** The page's own. */
export const slipGuard = createSlipGuard(() => performance.now());
