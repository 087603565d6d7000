import type { Decision } from "../../order/decision.ts";
import type { OrderChanges, OrderRecord, StepRecord, TimelineEntry } from "../../store/store.ts";

/** A decision as it is written. */
export interface Superseding {
  readonly changes: OrderChanges;
  readonly entries: readonly TimelineEntry[];
  readonly decision: Decision;
}

/** Let a decision take the place of the order's, or be its first, remembering what the platform shows of ours by then. */
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

/** What an order may have been held by while it was checked. */
function findCheckingHold(steps: readonly StepRecord[]): Leftovers | null {
  // A hold that is still waiting may be there: a process can end between placing it and saying so.
  const held = steps.some(({ step, state }) => step === "hold" && (state === "done" || state === "waiting"));
  return held ? { held, tags: [], whileChecking: true } : null;
}

/** A step belongs to the latest decision before it. Both can have the same timestamp, so a new decision is a millisecond later. */
function toAfter(steps: readonly StepRecord[], { decidedAtMs }: OrderChanges): number {
  return Math.max(decidedAtMs ?? 0, 1 + Math.max(0, ...steps.map(({ atMs }) => atMs)));
}

type Leftovers = NonNullable<Decision["supersedes"]>;

function toLeftovers(order: OrderRecord, former: Decision, steps: readonly StepRecord[]): Leftovers {
  const left = toShown(order, former, steps);
  return left.held && isHeldByAnswer(former) ? { ...left, heldByAnswer: true } : left;
}

/** Whether the service asked for the hold; guesses that came since do not change that, whatever they said. */
function isHeldByAnswer({ source, degraded, action, supersedes }: Decision): boolean {
  const isAnswer = (source === "service" || source === "cache") && !degraded;
  return isAnswer ? action === "hold" || action === "cancel" : supersedes?.heldByAnswer === true;
}

/** What may be there of ours. */
function toShown(
  order: OrderRecord,
  former: Decision,
  steps: readonly StepRecord[],
): Pick<Leftovers, "held" | "tags"> {
  const { state } = order;
  const before = former.supersedes ?? { held: false, tags: [] };
  // Nothing was done for it, nor taken back of what the one before it had left.
  if (!former.enforce) return { held: before.held, tags: before.tags };
  if (state === "review" || state === "settled") return toLeft(order, former, steps);
  // In the middle of its steps: one may have worked although nobody lived to write it down, and what the decision
  // before it had left may be there still; one that failed may have been given up there, or while it was held. To take
  // back what is not there does nothing.
  const holds = former.action === "hold" || former.action === "cancel";
  const mayBeHeld = (holds || before.held) && !(state === "failed" && isUnheld(steps));
  return { held: mayBeHeld, tags: [...new Set([...former.tags, ...before.tags])] };
}

/** What is there once all steps of a decision have ended, some of which were perhaps not to be taken. */
function toLeft(
  { state, decidedAtMs }: OrderRecord,
  former: Decision,
  steps: readonly StepRecord[],
): Pick<Leftovers, "held" | "tags"> {
  const before = former.supersedes ?? { held: false, tags: [] };
  const done = steps.filter((record) => record.state === "done");
  const held = state === "review" && (before.held || done.some(({ step }) => step === "hold"));
  const added = done.some(({ step }) => step === "tag") ? former.tags : [];
  const isUntagged = done.some(({ step, atMs }) => step === "untag" && atMs >= (decidedAtMs ?? 0));
  return { held, tags: isUntagged ? added : [...new Set([...added, ...before.tags])] };
}

/** Whether there is no hold for certain: there was nothing to hold, or it was released since. */
function isUnheld(steps: readonly StepRecord[]): boolean {
  const find = (name: StepRecord["step"]) => steps.find(({ step }) => step === name);
  const [hold, release] = [find("hold"), find("release")];
  if (hold?.state === "impossible" || hold?.state === "moot") return true;
  return release?.state === "done" && release.atMs >= (hold?.atMs ?? 0);
}
