import { observeOrder } from "../enforce/observe.ts";
import { BY_APP, toKnownHold } from "../order-life/hold-look.ts";
import { toNextLookMs } from "../order-life/next-look.ts";
import { learn, type Situation } from "../order-life/situation.ts";
import type { Handler, OrderTask } from "../tasks.ts";
import { isLetGo } from "./app-release.ts";
import { toHiddenChanges, warnOfHiding } from "./hidden-order.ts";
import { toHeld } from "./keep-hold.ts";

/** Look at a held order on the platform. */
export const lookAtHold: Handler<"look-at-hold"> = async (task, situation) =>
  learn(situation, { observed: await observeHold(task, situation) });

async function observeHold(task: OrderTask, { order, steps, nowMs }: Situation) {
  const { memory, notes, heldAtMs } = toKnownHold(steps, nowMs);
  if (!isLetGo(notes)) return observeOrder(task, order, { memory, heldAtMs });
  const observed = await observeOrder(task, order, { memory });
  return observed === null || observed === "hidden" ? observed : { ...observed, released: BY_APP };
}

/** Neither the order nor its goods can be seen, so nothing can be done with it. It stays in review for a person. */
export const stayHidden: Handler<"stay-hidden"> = async (task, situation) => {
  const { order, steps, nowMs } = situation;
  const { memory, notes, heldAtMs } = toKnownHold(steps, nowMs);
  const { notes: noted, entries } = await warnOfHiding(task, order, { hidden: true }, notes);
  const dueAtMs = toNextLookMs(null, order.attempts + 1, task.now());
  return task.end(situation, {
    changes: { dueAtMs, ...toHiddenChanges(order, true) },
    entries,
    step: toHeld({ memory, notes: { ...notes, ...noted } }, heldAtMs),
  });
};
