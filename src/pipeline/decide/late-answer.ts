import { learn } from "../order-life/situation.ts";
import type { Handler } from "../tasks.ts";
import { toTimelineEntry } from "../timeline.ts";
import { decideAgain } from "./decide-again.ts";
import { keepDecision } from "./keep-decision.ts";

/** Ask the service again about an order that was decided without it. */
export const askLate: Handler<"ask-late"> = async (task, situation, { mapped }) => {
  const { order } = situation;
  const entry = toTimelineEntry(task.now(), { kind: "caught-up" }, "the service has answered");
  const again = await decideAgain(task, situation, { order, mapped, changes: {}, entry, takesGuess: false });
  if (again.outcome === "decided")
    return learn(await keepDecision(task, situation, again), { isDecided: true });
  const askAgainAtMs = again.outcome === "unanswered" ? again.askAgainAtMs : undefined;
  return learn(situation, { unanswered: { askAgainAtMs } });
};
