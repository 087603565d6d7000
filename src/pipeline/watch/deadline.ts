import { toMachineDecision } from "../../order/decision.ts";
import type { Reason } from "../../order/reasons.ts";
import type { OrderChanges } from "../../store/store.ts";
import { takeStep } from "../enforce/take-step.ts";
import { needsRecheck } from "../order-life/changed-order.ts";
import { toKnownHold } from "../order-life/hold-look.ts";
import { toNextLookMs } from "../order-life/next-look.ts";
import { decisionOf, learn } from "../order-life/situation.ts";
import type { Handler } from "../tasks.ts";
import { toStepDetail, toTimelineEntry } from "../timeline.ts";
import { toHeld } from "./keep-hold.ts";

/** A person who decides at the last moment, a change of the order, and a dispute come before the deadline. */
export const checkForNews: Handler<"check-for-news"> = async (task, situation) => {
  const { order } = situation;
  const latest = (await task.store.orders.get(order)) ?? order;
  if (latest.review === null && !needsRecheck(latest))
    return learn(await task.lookAround(situation), { noNews: true });
  return task.end(situation, { changes: { dueAtMs: task.now(), attempts: order.attempts + 1 } });
};

/** Release a hold at its deadline. */
export const releaseAtDeadline: Handler<"release-at-deadline"> = async (task, situation) => {
  const { now } = task;
  const { order, steps, policy } = situation;
  const decision = decisionOf(order);
  const { memory, notes } = toKnownHold(steps, now());
  const step = toHeld({ memory, notes: { ...notes, releasing: "at its deadline" } }, now());
  const noted = await task.save(situation, { changes: {}, step });
  const released = await takeStep(task, "release", { order, decision, policy, memory: {} });
  if (released.outcome === "done" || released.outcome === "moot") return learn(noted, { isReleased: true });
  const attempts = order.attempts + 1;
  const dueAtMs = released.outcome === "wait" ? released.retryAtMs : toNextLookMs(null, attempts, now());
  return task.end(noted, { changes: { dueAtMs, attempts, problem: toStepDetail(released) } });
};

/** Cancel an order at the deadline of its hold: that is its decision from now on. */
export const cancelAtDeadline: Handler<"cancel-at-deadline"> = (task, situation) => {
  const decision = decisionOf(situation.order);
  const nowMs = task.now();
  // The former decision was made in shadow mode and not applied. This one is.
  const former = decision.reasons.filter((reason) => reason !== "shadow");
  const reasons: readonly Reason[] = ["deadline:cancel", ...former];
  const event = { kind: "decided", action: "cancel", source: decision.source, reasons } as const;
  const changes: OrderChanges = {
    state: "decided",
    attempts: 0,
    decision: {
      ...decision,
      machine: toMachineDecision(decision),
      action: "cancel",
      reasons,
      atDeadline: true,
      enforce: true,
    },
    decidedAtMs: nowMs,
    holdDeadlineMs: null,
  };
  const entries = [toTimelineEntry(nowMs, event, "cancel (deadline of the hold)")];
  // From now on the hold belongs to this decision: releasing it stops the cancel. A new deadline gets a new warning.
  const { memory, notes } = toKnownHold(situation.steps, nowMs);
  const { warned: _warned, ...kept } = notes;
  return task.save(situation, { changes, entries, step: toHeld({ memory, notes: kept }, nowMs) });
};
