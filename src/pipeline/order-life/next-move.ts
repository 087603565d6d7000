import type { Move, Turn } from "./moves.ts";
import type { Situation } from "./situation.ts";
import { APPLYING } from "./turns/applying.ts";
import { AT_REST } from "./turns/at-rest.ts";
import { DECIDING } from "./turns/deciding.ts";

/**
 * The life of an order, after `intake` received it: the first turn whose situation it is says what happens next.
 * `docs/order-life.md` shows this table.
 */
export const TURNS: readonly Turn[] = [...DECIDING, ...AT_REST, ...APPLYING];

/** What happens next to a claimed order. Pure: it depends on nothing but the situation. */
export function nextMove(situation: Situation): Move {
  for (const { find } of TURNS) {
    const move = find(situation);
    if (move !== null) return move;
  }
  throw new TypeError("an order has no next move");
}
