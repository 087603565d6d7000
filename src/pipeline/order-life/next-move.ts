import type { Move, Turn } from "./moves.ts";
import type { Situation } from "./situation.ts";
import { RECONSIDERING, STEPS } from "./turns/applying.ts";
import { AT_REST } from "./turns/at-rest.ts";
import { DECIDING, FIRST } from "./turns/deciding.ts";

/**
 * The life of an order, after `intake` received it: the first turn whose situation it is says what happens next.
 * `docs/order-life.md` shows this table.
 */
export const TURNS: readonly Turn[] = [...FIRST, ...DECIDING, ...AT_REST, ...RECONSIDERING, ...STEPS];

/** Once steps are being taken, the rest of them comes first: a change is looked at in the next claim, by a new pass. */
const DURING_STEPS: readonly Turn[] = [...FIRST, ...STEPS];

/** What happens next to a claimed order. Pure: it depends on nothing but the situation. */
export function nextMove(situation: Situation): Move {
  for (const { find } of situation.found.pass === undefined ? TURNS : DURING_STEPS) {
    const move = find(situation);
    if (move !== null) return move;
  }
  throw new TypeError("an order has no next move");
}
