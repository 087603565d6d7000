import type { ChangedOrder } from "../order-life/changed-order.ts";
import { learn } from "../order-life/situation.ts";
import type { Handler } from "../tasks.ts";
import { toTimelineEntry } from "../timeline.ts";
import { decideAgain, type Cause } from "./decide-again.ts";
import { toWaitingEntries } from "./make-decision.ts";
import { keepDecision } from "./keep-decision.ts";

/** Continue with the new content of an order that was changed before its first decision. */
export const takeUpChange: Handler<"take-up-change"> = (task, situation, { order }) => {
  const { mapped, amount, currency } = order.revision;
  // Keep the number of tries: changes don't make an order wait longer for the service.
  const revise = { revisedAtMs: order.revisedAtMs, kept: null, isLatest: true } as const;
  return task.save(situation, { changes: { mapped, amount, currency, enriched: false, revise } });
};

/** Decide on the new content of a decided order. */
export const decideChanged: Handler<"decide-changed"> = async (task, situation, { order }) => {
  const again = await decideAgain(task, situation, toCause(order, task.now()));
  if (again.outcome === "decided")
    return learn(await keepDecision(task, situation, again), { isDecided: true });
  if (again.outcome !== "postponed")
    throw new TypeError("a changed order is decided even if the service doesn't answer");
  const { retryAtMs, problem } = again;
  return learn(situation, { postponed: { retryAtMs, problem } });
};

/** The service can't be asked about the new content now. What isn't applied of the former decision still is. */
export const postponeChange: Handler<"postpone-change"> = async (task, situation, move) => {
  const { order, postponed, isAtRest } = move;
  const { problem } = postponed;
  const { revision, revisedAtMs } = order;
  const attempts = revision.attempts + 1;
  const changes = { revise: { revisedAtMs, kept: { ...revision, attempts } } };
  // The state stays: what was done for the former decision is still watched.
  if (isAtRest)
    return task.end(situation, { changes, entries: toWaitingEntries(task, problem, order.problem) });
  // Only once: after that, the platform's problem is shown.
  const entries = attempts === 1 ? toWaitingEntries(task, problem, null) : [];
  const saved = await task.save(situation, { changes, entries });
  return learn(saved, { postponed: { ...move.postponed, isSaved: true } });
};

/** The order changed in a way that matters. The service's answer for the old content stays stored. */
function toCause(order: ChangedOrder, nowMs: number): Cause {
  const { mapped, amount, currency, attempts, sinceMs: undecidedSinceMs } = order.revision;
  const { revisedAtMs } = order;
  return {
    order: { ...order, mapped, amount, currency, attempts, undecidedSinceMs },
    mapped,
    changes: { mapped, amount, currency, enriched: true, revise: { revisedAtMs, kept: null } },
    entry: toTimelineEntry(nowMs, { kind: "decided-again" }, "the order was changed"),
    // The former decision was about other content.
    takesGuess: true,
  };
}

/** The order was canceled while its change arrived. Nothing is left to decide, so the change isn't checked. */
export const dropChange: Handler<"drop-change"> = (task, situation, { order }) => {
  const { revision, revisedAtMs } = order;
  const kept = { ...revision, rescreen: false };
  const event = { kind: "changed", paths: [], check: "cancelled" } as const;
  const entries = [toTimelineEntry(task.now(), event, "not checked again: the order was canceled meanwhile")];
  return task.save(situation, { changes: { revise: { revisedAtMs, kept } }, entries });
};
