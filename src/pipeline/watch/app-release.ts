import { alertOnce } from "../../alerts/alert-once.ts";
import type { HoldRelease, StepOutcome } from "../../platform/enforcement-step.ts";
import { toProblemChanges } from "../../store/orders/timeline.ts";
import type { OrderRecord, StepRecord } from "../../store/store.ts";
import { takeStep, type StepToTake } from "../enforce/enforcement.ts";
import { HELD_AGAIN, mayHoldAgain } from "../enforce/step-plan.ts";
import type { OrderTask } from "../tasks.ts";
import { toGapProblem, toReleaseEntry, toTimelineEntry } from "../timeline.ts";
import { release as releaseOrder } from "../work/save-order.ts";
import { toHoldDeadlineMs } from "./hold-deadline.ts";
import { toWarningsMs, type HoldNotes } from "./hold-warnings.ts";
import { toNextLookMs } from "./next-look.ts";

/** The release of a hold that was let go: who did it is known from an earlier look. */
export const BY_APP: HoldRelease = { by: "app" };

/** Whether an app released the hold and it isn't there any more. The order stays in review. */
export function isLetGo(notes: HoldNotes): boolean {
  return notes["letGo"] !== undefined;
}

interface ReleasedHold {
  readonly memory: StepRecord["memory"];
  readonly notes: HoldNotes;
  readonly heldAtMs: number;
}

/**
 * An app released our hold. That isn't a verdict about the order, so it stays in review until a person decides or it ends on
 * the platform. Depending on the policy, it's held again, once: if the app releases it again, somebody means it.
 */
export async function followAppRelease(
  task: OrderTask,
  { order, decision, policy }: Omit<StepToTake, "memory">,
  hold: ReleasedHold,
  release: HoldRelease,
): Promise<null> {
  if (!isLetGo(hold.notes)) await warn(task, order);
  if (!mayHoldAgain(policy, hold.notes)) return letGo(task, order, hold, release);
  const held = await takeStep(task, "hold", { order, decision, policy, memory: {} });
  if (held.outcome !== "done" && held.outcome !== "partial") return letGo(task, order, hold, release);
  const { letGo: _letGo, ...notes } = hold.notes;
  const nowMs = task.now();
  const holdDeadlineMs = order.holdDeadlineMs ?? toHoldDeadlineMs(policy, nowMs);
  const gap = held.outcome === "partial" ? { gap: held.gap } : {};
  const problems = [...toOthers(order), ...(held.outcome === "partial" ? [toGapProblem(held.gap)] : [])];
  const entries = [
    ...(isLetGo(hold.notes) ? [] : [toReleaseEntry(nowMs, release)]),
    toTimelineEntry(nowMs, { kind: "held-again" }, held.detail),
  ];
  return releaseOrder(task, order, {
    changes: { ...toProblemChanges(problems), holdDeadlineMs, ...toNextLook(task, order, held) },
    entries,
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

/** The hold stays released. The order is watched until it ends, and has no deadline: nothing is left that could pass it. */
function letGo(
  task: OrderTask,
  order: OrderRecord,
  { memory, notes, heldAtMs }: ReleasedHold,
  release: HoldRelease,
): Promise<null> {
  const next = toNextLook(task, order);
  if (isLetGo(notes)) return releaseOrder(task, order, { changes: next });
  const problems = [...toOthers(order), { step: "hold", code: "released-by-app" } as const];
  return releaseOrder(task, order, {
    changes: { ...toProblemChanges(problems), holdDeadlineMs: null, ...next },
    entries: [toReleaseEntry(task.now(), release)],
    step: {
      step: "hold",
      state: "done",
      detail: "released by an app",
      memory,
      notes: { ...notes, letGo: "yes" },
      atMs: heldAtMs,
    },
  });
}

function toNextLook({ now }: OrderTask, order: OrderRecord, held?: StepOutcome) {
  const attempts = order.attempts + 1;
  const dueAtMs = toNextLookMs(order.holdDeadlineMs, attempts, now(), toWarningsMs(order));
  return held?.outcome === "partial" ? { dueAtMs: held.retryAtMs } : { dueAtMs, attempts };
}

/** Problems of the order besides its hold. */
function toOthers({ problems }: OrderRecord): OrderRecord["problems"] {
  return problems.filter(({ step }) => step !== "hold");
}

const DAY_MS = 24 * 3_600_000;

/** An app that releases every hold would cause an alert for each order. */
async function warn(task: OrderTask, { tenant, orderId }: OrderRecord): Promise<void> {
  await alertOnce(
    task,
    { tenant, name: "hold_released_by_app", quietMs: DAY_MS },
    { alert: "hold_released_by_app", tenant, orderId },
    "another app or a workflow released a hold: nobody has decided about the order",
  );
}

/** Platforms may record who released a hold a moment later. */
const LEARN_MS = 60_000;

/** If it isn't known who released a hold, look once more. Resolves to whether the order waits for that. */
export async function waitToLearn(
  task: OrderTask,
  order: OrderRecord,
  { memory, notes, heldAtMs: atMs }: ReleasedHold,
  { by }: HoldRelease,
): Promise<boolean> {
  if (by !== "unknown" || notes["unclear"] !== undefined) return false;
  const detail = "released, not known by whom";
  const step = {
    step: "hold",
    state: "done",
    detail,
    memory,
    notes: { ...notes, unclear: "yes" },
    atMs,
  } as const;
  await releaseOrder(task, order, { changes: { dueAtMs: task.now() + LEARN_MS }, step });
  return true;
}
