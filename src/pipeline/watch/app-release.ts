import { alertOnce } from "../../alerts/alert-once.ts";
import type { HoldRelease, StepOutcome } from "../../platform/enforcement-step.ts";
import { toProblemChanges } from "../../store/orders/timeline.ts";
import type { OrderRecord, StepRecord } from "../../store/store.ts";
import { takeStep } from "../enforce/take-step.ts";
import { HELD_AGAIN, HOLDING_AGAIN, isHoldingAgain, mayHoldAgain } from "../order-life/step-plan.ts";
import type { Handler, OrderTask } from "../tasks.ts";
import { toGapProblem, toReleaseEntry, toTimelineEntry } from "../timeline.ts";
import { toHoldDeadlineMs } from "../order-life/hold-deadline.ts";
import { toKnownHold, type KnownHold } from "../order-life/hold-look.ts";
import { decisionOf, type Situation } from "../order-life/situation.ts";
import { toOtherProblems } from "./hold-rest.ts";
import { toWarningsMs, type HoldNotes } from "../order-life/warning-times.ts";
import { toNextLookMs } from "../order-life/next-look.ts";

/** Whether an app released the hold and it isn't there any more. The order stays in review. */
export function isLetGo(notes: HoldNotes): boolean {
  return notes["letGo"] !== undefined;
}

/**
 * An app released our hold. That isn't a verdict about the order, so it stays in review until a person decides or it ends on
 * the platform. Depending on the policy, it's held again, once: if the app releases it again, somebody means it.
 */
export const followAppRelease: Handler<"follow-app-release"> = async (task, situation, { release }) => {
  const { order, policy } = situation;
  const decision = decisionOf(order);
  const hold = toKnownHold(situation.steps, task.now());
  if (!isReported(hold.notes)) await warn(task, order);
  if (!mayHoldAgain(policy, hold.notes)) return letGo(task, situation, hold, release);
  const begun = await begin(task, situation, hold, release);
  const { memory } = toKnownHold(begun.steps, task.now());
  const held = await takeStep(task, "hold", { order, decision, policy, memory });
  const known = toKnownHold(begun.steps, task.now());
  if (held.outcome === "wait") return waitToHold(task, begun, known, held);
  if (held.outcome !== "done" && held.outcome !== "partial") return letGo(task, begun, known, release);
  return saveHeldAgain(task, begun, toKeptNotes(order, hold.notes), held);
};

async function saveHeldAgain(
  task: OrderTask,
  situation: Situation,
  notes: HoldNotes,
  held: Extract<StepOutcome, { readonly outcome: "done" | "partial" }>,
): Promise<null> {
  const { order, policy } = situation;
  const nowMs = task.now();
  const holdDeadlineMs = order.holdDeadlineMs ?? toHoldDeadlineMs(policy, nowMs);
  const gap = held.outcome === "partial" ? { gap: held.gap } : {};
  const problems = [
    ...toOtherProblems(order),
    ...(held.outcome === "partial" ? [toGapProblem(held.gap)] : []),
  ];
  return task.end(situation, {
    changes: { ...toProblemChanges(problems), holdDeadlineMs, ...toNextLook(task, order, held) },
    entries: [toTimelineEntry(nowMs, { kind: "held-again" }, held.detail)],
    step: {
      step: "hold",
      state: "done",
      detail: held.detail,
      memory: { ...held.memory, ...gap },
      notes: { ...notes, ...HELD_AGAIN },
      atMs: nowMs,
    },
  });
}

/** Whether the release was reported: an earlier look found it. */
function isReported(notes: HoldNotes): boolean {
  return isLetGo(notes) || isHoldingAgain(notes);
}

/** A new deadline gets new warnings. */
function toKeptNotes({ holdDeadlineMs }: OrderRecord, notes: HoldNotes): HoldNotes {
  const { letGo: _letGo, ...kept } = notes;
  if (holdDeadlineMs !== null) return kept;
  const { warned: _warned, overdue: _overdue, ...unwarned } = kept;
  return unwarned;
}

/**
 * Save that the hold starts over before it does. If this process dies when some of the goods are held, the rest doesn't count as
 * released by others.
 */
async function begin(
  task: OrderTask,
  situation: Situation,
  hold: KnownHold,
  release: HoldRelease,
): Promise<Situation> {
  if (isHoldingAgain(hold.notes)) return situation;
  const begun = { ...hold, memory: {}, notes: { ...hold.notes, ...HOLDING_AGAIN } };
  const entries = isLetGo(hold.notes) ? [] : [toReleaseEntry(task.now(), release)];
  return task.save(situation, { changes: {}, entries, step: toReleasedStep(begun) });
}

/** The platform doesn't allow the hold yet. */
function waitToHold(
  task: OrderTask,
  situation: Situation,
  begun: KnownHold,
  { memory = {}, retryAtMs: dueAtMs }: Extract<StepOutcome, { readonly outcome: "wait" }>,
): Promise<null> {
  const changes = { ...toLetGoChanges(situation.order), dueAtMs };
  return task.end(situation, { changes, step: toReleasedStep({ ...begun, memory }) });
}

function toLetGoChanges(order: OrderRecord) {
  const problems = [...toOtherProblems(order), { step: "hold", code: "released-by-app" } as const];
  return { ...toProblemChanges(problems), holdDeadlineMs: null };
}

function toReleasedStep({ memory, notes, heldAtMs: atMs }: KnownHold): StepRecord {
  return { step: "hold", state: "done", detail: "released by an app", memory, notes, atMs };
}

/** The hold stays released. The order is watched until it ends, and has no deadline: nothing is left that could pass it. */
function letGo(task: OrderTask, situation: Situation, hold: KnownHold, release: HoldRelease): Promise<null> {
  const { order } = situation;
  const next = toNextLook(task, order);
  const { notes } = hold;
  if (isLetGo(notes)) return task.end(situation, { changes: next });
  return task.end(situation, {
    changes: { ...toLetGoChanges(order), ...next },
    entries: isReported(notes) ? [] : [toReleaseEntry(task.now(), release)],
    step: toReleasedStep({ ...hold, notes: { ...notes, letGo: "yes" } }),
  });
}

function toNextLook({ now }: OrderTask, order: OrderRecord, held?: StepOutcome) {
  const attempts = order.attempts + 1;
  const dueAtMs = toNextLookMs(order.holdDeadlineMs, attempts, now(), toWarningsMs(order));
  return held?.outcome === "partial" ? { dueAtMs: held.retryAtMs } : { dueAtMs, attempts };
}

const DAY_MS = 24 * 3_600_000;

/** An app that releases every hold would cause an alert for each order. */
async function warn(task: OrderTask, { tenant, orderId }: OrderRecord): Promise<void> {
  await alertOnce(
    task,
    { tenant, name: "hold_released_by_app", quietMs: DAY_MS },
    "hold_released_by_app",
    { tenant, orderId },
    "another app or a workflow released a hold: nobody has decided about the order",
  );
}

/** Platforms may record who released a hold a moment later. */
const LEARN_MS = 60_000;

/** It isn't known who released a hold: look once more. */
export const learnWhoReleased: Handler<"learn-who-released"> = (task, situation) => {
  const { memory, notes, heldAtMs: atMs } = toKnownHold(situation.steps, task.now());
  const detail = "released, and nothing says who did it";
  const noted = { memory, notes: { ...notes, unclear: "yes" }, atMs };
  const step = { step: "hold", state: "done", detail, ...noted } as const;
  return task.end(situation, { changes: { dueAtMs: task.now() + LEARN_MS }, step });
};
