import type { HoldRelease } from "../../platform/enforcement-step.ts";
import type { StepRecord, TimelineEntry } from "../../store/store.ts";
import { needsRecheck } from "../order-life/changed-order.ts";
import type { OrderTask } from "../tasks.ts";
import { toReleaseEntry } from "../timeline.ts";
import { toRelease } from "../order-life/hold-deadline.ts";
import type { DecisionToApply } from "./final-step-guard.ts";
import { HELD_AGAIN, mayHoldAgain } from "../order-life/step-plan.ts";
import { observeOrder } from "./observe.ts";

/**
 * Why the hold that a cancel waits on is placed once more. `rest`: goods are no longer covered by it, after a split, a move, a
 * merge or late routing. `release`: an app released it, which isn't a verdict against the cancel.
 */
export type Loose = { readonly why: "rest" } | { readonly why: "release"; readonly release: HoldRelease };

/** Whether a cancel waits on hold first. Not if a person decided it, or if it has already begun. */
export function needsCoolOff({ order, decision, policy, wasBegun }: DecisionToApply): boolean {
  if (decision.source === "person" || wasBegun) return false;
  return policy.cancel.coolOffMinutes > 0 || needsRecheck(order);
}

/** Whether a cancel waits on this hold, which covered all goods. */
function isWaitedOn(
  applying: DecisionToApply,
  hold: StepRecord | undefined,
  inShadow: boolean,
): hold is StepRecord {
  if (applying.decision.action !== "cancel" || !needsCoolOff(applying) || inShadow) return false;
  return hold?.state === "done" && hold.memory["gap"] === undefined;
}

/** Whether the hold that a cancel waits on has to be placed once more; null if not. */
export async function findLoose(
  task: OrderTask,
  applying: DecisionToApply,
  hold: StepRecord | undefined,
  inShadow: boolean,
): Promise<Loose | null> {
  if (!isWaitedOn(applying, hold, inShadow)) return null;
  const observed = await observeOrder(task, applying.order, { memory: hold.memory, heldAtMs: hold.atMs });
  if (observed === null || observed === "hidden" || observed.cancelled || !observed.holdable) return null;
  const release = toRelease(observed);
  if (release === null) return { why: "rest" };
  return release.by === "app" && mayHoldAgain(applying.policy, hold.notes)
    ? { why: "release", release }
    : null;
}

/** What a hold continues from. After a release it starts over, since it never undoes one otherwise. */
export function toBefore(record: StepRecord | undefined, loose: Loose | null): StepRecord | undefined {
  if (record === undefined || loose?.why !== "release") return record;
  return { ...record, memory: {}, notes: { ...record.notes, ...HELD_AGAIN } };
}

/** A hold that was placed again stays marked as one. */
export function keepNotes(before: StepRecord | undefined): Pick<StepRecord, "notes"> {
  return before?.notes?.["again"] === undefined ? {} : { notes: HELD_AGAIN };
}

export function toLooseEntries(loose: Loose | null, atMs: number): readonly TimelineEntry[] {
  return loose?.why === "release" ? [toReleaseEntry(atMs, loose.release)] : [];
}
