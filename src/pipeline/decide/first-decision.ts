import type { TimelineEntry } from "../../store/store.ts";
import { learn } from "../order-life/situation.ts";
import { supersede } from "../order-life/supersede.ts";
import type { Handler, OrderTask } from "../tasks.ts";
import { toProblemEntry } from "../timeline.ts";
import { keepDecision } from "./keep-decision.ts";
import { makeDecision } from "./make-decision.ts";

/** Ask the service once, and decide. If it can't be asked now, the order waits. */
export const decideFirst: Handler<"decide"> = async (task, situation, { mapped }) => {
  const { order, steps } = situation;
  const undecided = { ...order, undecidedSinceMs: order.receivedAtMs };
  const decided = await makeDecision(task, undecided, mapped, task.signal);
  if (decided.outcome === "decided") {
    const kept = await keepDecision(task, situation, supersede(order, steps, decided));
    return learn(kept, { isDecided: true });
  }
  const { retryAtMs: dueAtMs, problem } = decided;
  const changes = { state: "waiting", dueAtMs, attempts: order.attempts + 1, problem } as const;
  return task.end(situation, { changes, entries: toWaitingEntries(task, problem, order.problem) });
};

/** The timeline entry for a problem that an order waits for, once. */
export function toWaitingEntries(
  { now }: OrderTask,
  problem: string,
  before: string | null,
): readonly TimelineEntry[] {
  return problem === before ? [] : [toProblemEntry(now(), "waiting", [{ code: problem }])];
}
