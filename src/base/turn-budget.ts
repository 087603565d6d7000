// Bound on import: a test that fakes timers must not stop the store.
import { setImmediate } from "node:timers";

/** Calls back in a later turn of the event loop, in the order of asking: as many a turn as fit into its time. */
export type TurnBudget = (go: () => void) => void;

/** Options of {@link createTurnBudget}. */
export interface TurnBudgetOptions {
  /** Once a turn's callbacks have taken so long, the others wait for the next one, which requests come before. */
  readonly sliceMs: number;
  /** Milliseconds of a clock that only goes on. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** Callbacks of one turn at most. */
const MOST_A_TURN = 32;

/** Create a {@link TurnBudget}. At least one callback runs in each turn, however long it takes. */
export function createTurnBudget({ sliceMs, now = () => performance.now() }: TurnBudgetOptions): TurnBudget {
  const waiting: (() => void)[] = [];
  /** Immediates of this turn that have not run yet. */
  let armed = 0;
  let startMs: number | undefined;

  /** What a callback sets off runs before the next immediate, so that it counts, too. */
  function step(): void {
    armed -= 1;
    startMs ??= now();
    if (now() - startMs < sliceMs) waiting.shift()?.();
    if (armed > 0) return;
    startMs = undefined;
    arm();
  }

  function arm(): void {
    armed = Math.min(waiting.length, MOST_A_TURN);
    for (let index = 0; index < armed; index += 1) setImmediate(step);
  }

  return (go) => {
    waiting.push(go);
    if (armed === 0) arm();
  };
}
