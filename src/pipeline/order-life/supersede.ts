import { isServiceAnswer, isStop, toMachineDecision, type Decision } from "../../order/decision.ts";
import type { Reason } from "../../order/reasons.ts";
import type { OrderChanges, OrderRecord, StepRecord, TimelineEntry } from "../../store/store.ts";
import { findStep, isDone, isHeldForRecheck } from "./step-plan.ts";
import { toDecidedEntry } from "../timeline.ts";

export interface Superseding {
  readonly changes: OrderChanges;
  readonly entries: readonly TimelineEntry[];
  readonly decision: Decision;
}

/** Make a decision the order's first, or replace its former one, and remember which of our holds and tags the platform may show. */
export function supersede(
  order: OrderRecord,
  steps: readonly StepRecord[],
  { decision: next, changes, entries }: Superseding,
): Superseding {
  const { decision: former } = order;
  const supersedes = former === null ? findCheckingHold(steps) : toLeftovers(order, former, steps);
  if (supersedes === null) return { decision: next, changes, entries };
  const decision: Decision = { ...next, supersedes };
  return { decision, entries, changes: { ...changes, decision, decidedAtMs: toAfter(steps, changes) } };
}

/** Have a decision of Holdfast or a person take the place of the order's, to be applied at once. */
export function replaceDecision(
  order: OrderRecord,
  steps: readonly StepRecord[],
  decision: Decision,
  nowMs: number,
  changes?: OrderChanges,
): Superseding {
  const applied = { state: "decided", dueAtMs: nowMs, attempts: 0, decision, decidedAtMs: nowMs } as const;
  return supersede(order, steps, {
    decision,
    changes: { ...applied, problem: null, holdDeadlineMs: null, ...changes },
    entries: [toDecidedEntry(nowMs, decision)],
  });
}

/** Replace another decision with a hold, until a person decides. */
export function holdForPerson(
  order: OrderRecord,
  former: Decision,
  steps: readonly StepRecord[],
  reason: Reason,
  nowMs: number,
  more?: Partial<Decision>,
): Superseding {
  const reasons = [reason, ...former.reasons];
  const machine = toMachineDecision(former);
  return replaceDecision(order, steps, { ...former, action: "hold", reasons, machine, ...more }, nowMs);
}

/** The hold that may have been placed while the order was checked. */
function findCheckingHold(steps: readonly StepRecord[]): Leftovers | null {
  // A waiting hold may exist: a process can die between placing and saving it.
  const state = findStep(steps, "hold")?.state;
  const held = state === "done" || state === "waiting";
  return held ? { held, tags: [], whileChecking: true } : null;
}

/** A step belongs to the latest decision before it. Both can have the same timestamp, so a new decision is a millisecond later. */
function toAfter(steps: readonly StepRecord[], { decidedAtMs }: OrderChanges): number {
  return Math.max(decidedAtMs ?? 0, 1 + Math.max(0, ...steps.map(({ atMs }) => atMs)));
}

type Leftovers = NonNullable<Decision["supersedes"]>;

function toLeftovers(order: OrderRecord, former: Decision, steps: readonly StepRecord[]): Leftovers {
  const left = toShown(order, former, steps);
  if (isHeldForRecheck(steps)) return { ...left, held: true };
  return left.held && isHeldByAnswer(former) ? { ...left, heldByAnswer: true } : left;
}

/** Whether an answer of the service caused the hold. Later guesses don't change that. */
function isHeldByAnswer(decision: Decision): boolean {
  return isServiceAnswer(decision) ? isStop(decision.action) : decision.supersedes?.heldByAnswer === true;
}

/** Which of our hold and tags may be on the platform. */
function toShown(order: OrderRecord, former: Decision, steps: readonly StepRecord[]) {
  const { state } = order;
  const before = former.supersedes ?? { held: false, tags: [] };
  // Nothing was done for this decision, and nothing from the former one was undone.
  if (!former.enforce) return { held: before.held, tags: before.tags };
  if (state === "review" || state === "settled") return toLeft(order, former, steps);
  // Its steps haven't all ended. A step may have worked without being saved, and results of the former decision may still be
  // there. A failed order may have failed before or after it was held. Undoing something that isn't there does nothing.
  const mayBeHeld = (isStop(former.action) || before.held) && !(state === "failed" && isUnheld(steps));
  return { held: mayBeHeld, tags: [...new Set([...former.tags, ...before.tags])] };
}

/** What is on the platform after all steps of a decision have ended. Some steps may not have been taken. */
function toLeft({ state, decidedAtMs }: OrderRecord, former: Decision, steps: readonly StepRecord[]) {
  const before = former.supersedes ?? { held: false, tags: [] };
  const held = state === "review" && (before.held || isDone(steps, "hold"));
  const added = isDone(steps, "tag") ? former.tags : [];
  const untag = findStep(steps, "untag");
  const isUntagged = untag?.state === "done" && untag.atMs >= (decidedAtMs ?? 0);
  return { held, tags: isUntagged ? added : [...new Set([...added, ...before.tags])] };
}

/** Whether there is certainly no hold: nothing could be held, or it was released since. */
function isUnheld(steps: readonly StepRecord[]): boolean {
  const [hold, release] = [findStep(steps, "hold"), findStep(steps, "release")];
  if (hold?.state === "impossible" || hold?.state === "moot") return true;
  return release?.state === "done" && release.atMs >= (hold?.atMs ?? 0);
}
