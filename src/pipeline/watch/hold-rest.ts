import type { Decision } from "../../order/decision.ts";
import type { Policy } from "../../policy/policy.ts";
import { toProblemChanges } from "../../store/orders/timeline.ts";
import type { OrderChanges, OrderRecord, StepRecord, TimelineEntry } from "../../store/store.ts";
import { takeStep } from "../enforce/take-step.ts";
import type { OrderTask } from "../tasks.ts";
import { toEnd, toGapProblem, toPartialHoldEntry, toStepDetail, toTimelineEntry } from "../timeline.ts";
import { warnOfLateHold } from "../enforce/late-hold.ts";

/** A held order, as it was decided. */
export interface Watched {
  readonly order: OrderRecord;
  readonly decision: Decision;
  readonly policy: Policy;
}

/** The result of a look for goods that aren't on hold. */
interface HeldRest {
  readonly memory: StepRecord["memory"];
  readonly changes: Pick<OrderChanges, "problem" | "problems">;
  readonly entries: readonly TimelineEntry[];
  readonly retryAtMs: number;
}

/** Hold goods that the hold doesn't cover: after splits, moves or late routing, or at a fulfillment service. */
export async function holdRest(
  task: OrderTask,
  watched: Watched,
  holdable: boolean,
  { gap: former, ...memory }: StepRecord["memory"],
): Promise<HeldRest> {
  const { now } = task;
  const kept = former === undefined ? memory : { ...memory, gap: former };
  const untouched = { memory: kept, changes: {}, entries: [], retryAtMs: Number.POSITIVE_INFINITY };
  if (!holdable && former === undefined) return untouched;
  const held = await takeStep(task, "hold", { ...watched, memory: kept });
  if (held.outcome === "wait")
    return { ...untouched, memory: { ...kept, ...held.memory }, retryAtMs: held.retryAtMs };
  if (held.outcome === "partial") {
    const problems = [...toOtherProblems(watched.order), toGapProblem(held.gap)];
    await warnOfLateHold(task, watched.order, problems);
    const entries = held.gap === former ? [] : [toPartialHoldEntry(now(), held.gap, held.detail)];
    const remembered = { ...memory, ...held.memory, gap: held.gap };
    return { memory: remembered, changes: toProblemChanges(problems), entries, retryAtMs: held.retryAtMs };
  }
  const isHeld = held.outcome === "done";
  const remembered = isHeld ? { ...memory, ...held.memory } : memory;
  if (former === undefined) return { ...untouched, memory: remembered };
  const event = { kind: isHeld ? "hold-done" : "hold-impossible", ended: toEnd(held) } as const;
  const entry = toTimelineEntry(now(), event, toStepDetail(held));
  return {
    ...untouched,
    memory: remembered,
    changes: isHeld ? toProblemChanges(toOtherProblems(watched.order)) : {},
    entries: [entry],
  };
}

/** Problems of the order besides its hold, for example a cancel that the platform refused. */
export function toOtherProblems({ problems }: OrderRecord): OrderRecord["problems"] {
  return problems.filter(({ step }) => step !== "hold");
}
