import type { Decision } from "../policy/decision.ts";
import type { OrderChanges, OrderRecord, OrderStore, StepRecord, TimelineEntry } from "../store/store.ts";

/** A decision that takes the place of another one. */
export interface Superseding {
  readonly changes: OrderChanges;
  readonly entries: readonly TimelineEntry[];
  readonly decision: Decision;
}

/** Let `next` take the place of `former`, remembering what the platform shows because of it. */
export async function supersede(
  store: Pick<OrderStore, "listSteps">,
  order: OrderRecord,
  former: Decision,
  next: Decision,
  rest: Omit<Superseding, "decision">,
): Promise<Superseding> {
  return supersedeAfter(await store.listSteps(order), order, former, next, rest);
}

/** {@link supersede} for an order whose steps are known. */
export function supersedeAfter(
  steps: readonly StepRecord[],
  order: OrderRecord,
  former: Decision,
  next: Decision,
  { changes, entries }: Omit<Superseding, "decision">,
): Superseding {
  const decision: Decision = { ...next, supersedes: toLeftovers(order, former, steps) };
  // A step counts for the decision it was taken after, and milliseconds are long.
  const lastStepMs = Math.max(0, ...steps.map(({ atMs }) => atMs));
  const decidedAtMs = Math.max(changes.decidedAtMs ?? 0, lastStepMs + 1);
  return { decision, changes: { ...changes, decision, decidedAtMs }, entries };
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
  { state }: OrderRecord,
  former: Decision,
  steps: readonly StepRecord[],
): Pick<Leftovers, "held" | "tags"> {
  const done = new Set(steps.flatMap((record) => (record.state === "done" ? [record.step] : [])));
  if (state === "review" || state === "settled" || state === "failed") {
    return { held: done.has("hold") && state === "review", tags: done.has("tag") ? former.tags : [] };
  }
  // In the middle of its steps: one may have worked although nobody lived to write it down, and what the decision
  // before it had left may be there still. To take back what is not there does nothing.
  const before = former.supersedes ?? { held: false, tags: [] };
  const holds = former.enforce && (former.action === "hold" || former.action === "cancel");
  const tags = former.enforce ? former.tags : [];
  return { held: holds || before.held, tags: [...new Set([...tags, ...before.tags])] };
}
