import type { Reason } from "../../order/reasons.ts";
import { toMachineDecision, type Decision } from "../../order/decision.ts";
import type { Policy } from "../../policy/policy.ts";
import type { OrderChanges, OrderRecord, StepRecord, TimelineEntry } from "../../store/store.ts";
import { toProblemChanges, type TimelineEvent } from "../../store/orders/timeline.ts";
import { release } from "../work/order-lease.ts";
import type { OrderTask } from "../tasks.ts";
import { takeStep } from "../enforce/take-step.ts";
import { isToCatchUp, toCatchUpMs, toNextLookMs } from "./next-look.ts";
import {
  judgeHold,
  toWarnedDeadlineMs,
  toWarningsMs,
  warnOfLateHold,
  warnOfLosses,
  type HoldFinding,
  type HoldNotes,
} from "./hold-deadline.ts";
import type { ObservedOrder } from "../../platform/platform.ts";
import type { OrderEnd } from "../../platform/enforcement-step.ts";
import { isPaymentDisputed } from "../../store/outcomes/disputes.ts";
import { toEnd, toGapProblem, toPartialHoldEntry, toStepDetail, toTimelineEntry } from "../timeline.ts";

interface Watched {
  readonly order: OrderRecord;
  readonly decision: Decision;
  readonly policy: Policy;
}

/** A held order, and what the platform shows of it; `seen` is null while nothing of it may be touched. */
interface HeldOrder extends Watched {
  readonly seen: Seen<StillHeld> | null;
}

interface Seen<Finding extends HoldFinding> {
  readonly observed: ObservedOrder;
  readonly finding: Finding;
  readonly known: KnownHold;
}

/** What is known of a hold: what the platform's adapter remembers, and what Holdfast noted. */
interface KnownHold {
  readonly memory: StepRecord["memory"];
  readonly notes: HoldNotes;
}

type StillHeld = Extract<HoldFinding, { readonly kind: "overdue" | "held" }>;

/** Look at a held order on the platform. Null when its hold is gone there or the order has ended: then it rests. */
export async function lookAtHold(task: OrderTask, order: OrderRecord): Promise<HeldOrder | null> {
  const { platform, signal, now } = task;
  const { decision, tenant, orderId } = order;
  if (decision === null) throw new TypeError("an order without a decision cannot be held");
  const { policy } = await task.policyOf(tenant);
  const watched: Watched = { order, decision, policy };
  if (policy.mode === "shadow" && decision.source !== "person") return { ...watched, seen: null };
  const observed = await platform.observe(tenant, orderId, { signal });
  if (observed === null)
    return rest(task, order, { kind: "failed", problems: LOST }, "the platform lost the order");
  const known = await readHold(task, order);
  const isWarned = known.notes["warned"] !== undefined;
  const finding = judgeHold(order, observed, policy, { nowMs: now(), isWarned });
  switch (finding.kind) {
    case "ended":
      return restEnded(task, order, finding.ended);
    case "overridden":
      // Ours it was, if this process or the one before it ended between releasing the hold and saying so.
      return known.notes["releasing"] === undefined ? restOverridden(task, order) : restReleased(task, order);
    default:
      return { ...watched, seen: { observed, finding, known } };
  }
}

/**
 * Look after an order that is held: notice what other tools did to it, warn before the deadline and carry out its default
 * outcome. The order goes on when it has a new decision to carry out.
 */
export async function keepHold(
  task: OrderTask,
  { seen, ...watched }: HeldOrder,
): Promise<OrderRecord | null> {
  const { order } = watched;
  // Shadow mode touches nothing: the order is looked at again when it may be touched.
  if (seen === null) return lookAgain(task, order, toNextLookMs(null, order.attempts + 1, task.now()));
  const { finding } = seen;
  return finding.kind === "overdue"
    ? meetDeadline(task, watched, finding.outcome)
    : stay(task, watched, { ...seen, finding });
}

const LOST = [{ code: "order-not-found" }];
const OVERRIDDEN = "a person released the hold on the platform";

/** A person released the hold on the platform: the order rests. */
export function restOverridden(task: OrderTask, order: OrderRecord): Promise<null> {
  return rest(task, order, { kind: "hold-overridden" }, OVERRIDDEN, "platform");
}

function restReleased(task: OrderTask, order: OrderRecord): Promise<null> {
  return rest(task, order, { kind: "hold-released" }, "released at its deadline");
}

async function restEnded(task: OrderTask, order: OrderRecord, ended: OrderEnd): Promise<null> {
  const detail = ended === "shipped" ? "fulfilled" : "cancelled-on-platform";
  await rest(task, order, { kind: "settled", problems: [], ended }, detail);
  if (ended === "shipped") {
    task.logger.error(
      { alert: "held_order_fulfilled", tenant: order.tenant, orderId: order.orderId },
      "an order shipped in spite of its hold",
    );
  }
  return null;
}

function lookAgain(task: OrderTask, order: OrderRecord, dueAtMs: number): Promise<null> {
  return release(task, order, { changes: { dueAtMs, attempts: order.attempts + 1 } });
}

/** Nothing is left to watch. */
function rest(
  task: OrderTask,
  order: OrderRecord,
  event: TimelineEvent,
  detail: string,
  actor?: "platform",
): Promise<null> {
  const problems = "problems" in event ? event.problems : [];
  const state = event.kind === "failed" ? "failed" : "settled";
  const nowMs = task.now();
  const settledAtMs = order.settledAtMs ?? nowMs;
  const changes = { state, ...toProblemChanges(problems), dueAtMs: null, attempts: 0, settledAtMs } as const;
  return release(task, order, {
    changes: { ...changes, holdDeadlineMs: null },
    entries: [toTimelineEntry(nowMs, event, detail, actor)],
  });
}

async function stay(
  task: OrderTask,
  watched: Watched,
  { observed, finding, known: { memory, notes } }: Seen<Extract<HoldFinding, { readonly kind: "held" }>>,
): Promise<null> {
  const { logger, now } = task;
  const { order, decision, policy } = watched;
  const rest = await holdRest(task, watched, finding.holdable, memory);
  const entries = [...rest.entries];
  const missing = decision.enforce ? decision.tags.filter((tag) => !observed.tags.includes(tag)) : [];
  if (missing.length > 0 && notes["tagged"] === undefined) {
    await takeStep(task, "tag", { ...watched, memory: {} });
    entries.push(toTimelineEntry(now(), { kind: "tag-repaired" }, missing.join(", ")));
  }
  const warn = finding.expiring && notes["warned"] === undefined;
  const holdDeadlineMs = warn ? toWarnedDeadlineMs(policy, order, now()) : order.holdDeadlineMs;
  if (warn) {
    entries.push(toTimelineEntry(now(), { kind: "hold-expiring" }, toWarning(order, holdDeadlineMs)));
    logger.error(
      { alert: "hold_expiring", tenant: order.tenant, orderId: order.orderId },
      "a hold is about to reach its deadline",
    );
  }
  const losses = warnOfLosses(task, order, notes);
  entries.push(...losses.entries);
  const noted = {
    ...notes,
    ...losses.notes,
    // A tag that is taken off again is taken off by somebody who means it.
    ...(missing.length > 0 ? { tagged: "again" } : {}),
    ...(warn ? { warned: "yes" } : {}),
  };
  const step = toHeld({ memory: rest.memory, notes: noted }, now());
  const looks = order.attempts + 1;
  const lookMs = Math.min(toNextLook(task, { ...order, holdDeadlineMs }, looks), rest.retryAtMs);
  const dueAtMs = isToCatchUp(order, now()) ? Math.min(lookMs, toCatchUpMs(order, looks, now())) : lookMs;
  // A look for the rest alone does not make the others rarer.
  const attempts = rest.retryAtMs === Number.POSITIVE_INFINITY ? looks : order.attempts;
  return release(task, order, {
    changes: { dueAtMs, attempts, holdDeadlineMs, ...rest.changes },
    entries,
    step,
  });
}

/** What the timeline says when the deadline of a hold is warned of. */
function toWarning({ holdDeadlineMs: formerMs }: OrderRecord, holdDeadlineMs: number | null): string {
  if (holdDeadlineMs === null || holdDeadlineMs === formerMs) return "the deadline of the hold is near";
  return `nobody could be warned in time: the deadline is ${new Date(holdDeadlineMs).toISOString()} now`;
}

function toNextLook({ now }: OrderTask, order: OrderRecord, looks: number): number {
  return toNextLookMs(order.holdDeadlineMs, looks, now(), toWarningsMs(order));
}

/** What came of a look for goods that are not on hold. */
interface HeldRest {
  readonly memory: StepRecord["memory"];
  readonly changes: Pick<OrderChanges, "problem" | "problems">;
  readonly entries: readonly TimelineEntry[];
  readonly retryAtMs: number;
}

/** Hold what came after the hold, or was out of reach then: splits, moves, late routing, goods at a fulfillment service. */
async function holdRest(
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
    const problems = [toGapProblem(held.gap)];
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
  return { ...untouched, memory: remembered, changes: isHeld ? toProblemChanges([]) : {}, entries: [entry] };
}

async function meetDeadline(
  task: OrderTask,
  watched: Watched,
  outcome: "keep" | "release" | "cancel",
): Promise<OrderRecord | null> {
  // A person has decided in the last moment: what they said is taken up next.
  const heard = await task.store.getOrder(watched.order);
  if (heard?.verdict != null) return lookAgain(task, watched.order, task.now());
  if (outcome === "cancel") return cancelAtDeadline(task, watched);
  if (outcome === "keep") return keepPastDeadline(task, watched, "kept, by policy");
  // An inquiry may have come while nothing was to be touched, and a chargeback holds no order.
  return (await isPaymentDisputed(task.store, watched.order))
    ? keepPastDeadline(task, watched, "kept: a bank disputes the payment")
    : releaseAtDeadline(task, watched);
}

async function releaseAtDeadline(task: OrderTask, watched: Watched): Promise<null> {
  const { now, save } = task;
  const { order } = watched;
  const { memory, notes } = await readHold(task, order);
  const step = toHeld({ memory, notes: { ...notes, releasing: "at its deadline" } }, now());
  await save(order, { changes: {}, step, release: false });
  const released = await takeStep(task, "release", { ...watched, memory: {} });
  if (released.outcome === "done" || released.outcome === "moot") return restReleased(task, order);
  const attempts = order.attempts + 1;
  const dueAtMs = released.outcome === "wait" ? released.retryAtMs : toNextLookMs(null, attempts, now());
  return release(task, order, { changes: { dueAtMs, attempts, problem: toStepDetail(released) } });
}

async function cancelAtDeadline(task: OrderTask, { order, decision }: Watched): Promise<OrderRecord> {
  const { save } = task;
  const nowMs = task.now();
  // A decision made in shadow mode wasn't to be carried out; this one is.
  const former = decision.reasons.filter((reason) => reason !== "shadow");
  const reasons: readonly Reason[] = ["deadline:cancel", ...former];
  const event = { kind: "decided", action: "cancel", source: decision.source, reasons } as const;
  const changes: OrderChanges = {
    state: "decided",
    attempts: 0,
    decision: { ...decision, machine: toMachineDecision(decision), action: "cancel", reasons, enforce: true },
    decidedAtMs: nowMs,
    holdDeadlineMs: null,
  };
  const entries = [toTimelineEntry(nowMs, event, "cancel (deadline of the hold)")];
  // The hold is this decision's from now on: who releases it stops the cancel. Another deadline is warned of again.
  const { memory, notes } = await readHold(task, order);
  const { warned: _warned, ...kept } = notes;
  return save(order, { changes, entries, step: toHeld({ memory, notes: kept }, nowMs), release: false });
}

async function keepPastDeadline(task: OrderTask, watched: Watched, detail: string): Promise<null> {
  const { logger, now } = task;
  const { order } = watched;
  const { memory, notes } = await readHold(task, order);
  const isFirst = notes["overdue"] === undefined;
  const entries = isFirst ? [toTimelineEntry(now(), { kind: "hold-overdue" }, detail)] : [];
  if (isFirst) {
    const alert = "hold_overdue";
    logger.error(
      { alert, tenant: order.tenant, orderId: order.orderId },
      "a hold is past its deadline and nobody decided",
    );
  }
  const attempts = order.attempts + 1;
  const losses = warnOfLosses(task, order, notes);
  const dueAtMs = toNextLook(task, { ...order, holdDeadlineMs: null }, attempts);
  const step = toHeld({ memory, notes: { ...notes, ...losses.notes, overdue: "yes" } }, now());
  const told = [...entries, ...losses.entries];
  return release(task, order, { changes: { dueAtMs, attempts }, entries: told, step });
}

function toHeld(known: KnownHold, atMs: number): StepRecord {
  return { step: "hold", state: "done", detail: "still held", ...known, atMs };
}

async function readHold({ store }: OrderTask, order: OrderRecord): Promise<KnownHold> {
  const { memory = {}, notes = {} } =
    (await store.listSteps(order)).find(({ step }) => step === "hold") ?? {};
  return { memory, notes };
}
