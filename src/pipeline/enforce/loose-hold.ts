import type { StepRecord, TimelineEntry } from "../../store/store.ts";
import { toRelease } from "../order-life/hold-deadline.ts";
import { learn, type Loose, type Situation } from "../order-life/situation.ts";
import { HELD_AGAIN, mayHoldAgain } from "../order-life/step-plan.ts";
import type { Handler, OrderTask } from "../tasks.ts";
import { toReleaseEntry } from "../timeline.ts";
import { observeOrder } from "./observe.ts";

/** Look whether the hold that a cancel waits on still covers all goods. */
export const lookAtWaitingHold: Handler<"look-at-waiting-hold"> = async (task, situation, { hold, pass }) =>
  learn(situation, { pass: { ...pass, loose: await findLoose(task, situation, hold) } });

async function findLoose(
  task: OrderTask,
  { order, policy }: Situation,
  hold: StepRecord,
): Promise<Loose | null> {
  const observed = await observeOrder(task, order, { memory: hold.memory, heldAtMs: hold.atMs });
  if (observed === null || observed === "hidden" || observed.cancelled || !observed.holdable) return null;
  const release = toRelease(observed);
  if (release === null) return { why: "rest" };
  return release.by === "app" && mayHoldAgain(policy, hold.notes) ? { why: "release", release } : null;
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
