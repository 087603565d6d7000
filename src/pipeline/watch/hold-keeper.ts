import type { Reason } from "../../order/reasons.ts";
import { toMachineDecision, type Decision } from "../../order/decision.ts";
import type { Policy } from "../../policy/policy.ts";
import type { OrderChanges, OrderRecord, StepRecord, TimelineEntry } from "../../store/store.ts";
import { toProblemChanges, type TimelineEvent } from "../../store/orders/timeline.ts";
import { release } from "../work/save-order.ts";
import type { OrderTask } from "../tasks.ts";
import { takeStep } from "../enforce/take-step.ts";
import { isToCatchUp, toCatchUpMs } from "./catch-up.ts";
import { toNextLookMs } from "./next-look.ts";
import { toWarningsMs, judgeHold, type HoldFinding, warnOfLateHold, warnOfLosses } from "./hold-deadline.ts";
import type { ObservedOrder } from "../../platform/platform.ts";
import type { OrderEnd } from "../../platform/enforcement-step.ts";
import { isPaymentDisputed } from "../../store/outcomes/disputes.ts";
import { toEnd, toGapProblem, toPartialHoldEntry, toStepDetail, toTimelineEntry } from "../timeline.ts";

interface Watched {
  readonly order: OrderRecord;
  readonly decision: Decision;
  readonly policy: Policy;
}

/** A held order, and what the platform shows for it. `seen` is null in shadow mode, when nothing may be touched. */
interface HeldOrder extends Watched {
  readonly seen: { readonly observed: ObservedOrder; readonly finding: StillHeld } | null;
}

type StillHeld = Extract<HoldFinding, { readonly kind: "overdue" | "held" }>;

/** Look at a held order on the platform. Null if its hold is gone or the order has ended: then it is at rest. */
export async function lookAtHold(task: OrderTask, order: OrderRecord): Promise<HeldOrder | null> {
  const { platform, signal, now } = task;
  const { decision, tenant, orderId } = order;
  if (decision === null) throw new TypeError("an order without a decision cannot be held");
  const { policy } = await task.policyOf(tenant);
  const watched: Watched = { order, decision, policy };
  if (policy.mode === "shadow" && decision.source !== "person") return { ...watched, seen: null };
  const memory = await readMemory(task, order);
  const observed = await platform.observe(tenant, orderId, { signal, holdMemory: memory });
  if (observed === null)
    return rest(task, order, { kind: "failed", problems: LOST }, "the platform no longer has the order");
  const finding = judgeHold(order, observed, policy, now());
  switch (finding.kind) {
    case "ended":
      return restEnded(task, order, finding.ended);
    case "overridden":
      // If a process died between releasing the hold and saving that, we released it ourselves.
      return memory["releasing"] === undefined
        ? rest(task, order, { kind: "hold-overridden" }, OVERRIDDEN, "platform")
        : restReleased(task, order);
    default:
      return { ...watched, seen: { observed, finding } };
  }
}

/**
 * Watch a held order: repair what other tools changed, warn before the deadline, and apply the default outcome at the deadline.
 * Resolves to the order if it has a new decision to apply.
 */
export async function keepHold(
  task: OrderTask,
  { seen, ...watched }: HeldOrder,
): Promise<OrderRecord | null> {
  const { order } = watched;
  // Shadow mode touches nothing. Look again later, when it may be over.
  if (seen === null) return lookAgain(task, order, toNextLookMs(null, order.attempts + 1, task.now()));
  const { observed, finding } = seen;
  return finding.kind === "overdue"
    ? meetDeadline(task, watched, observed, finding)
    : stay(task, watched, observed, finding);
}

const LOST = [{ code: "order-not-found" }];
const OVERRIDDEN = "a person released the hold on the platform";

function restReleased(task: OrderTask, order: OrderRecord): Promise<null> {
  return rest(task, order, { kind: "hold-released" }, "released at its deadline");
}

async function restEnded(task: OrderTask, order: OrderRecord, ended: OrderEnd): Promise<null> {
  const detail = ended === "shipped" ? "fulfilled" : "cancelled-on-platform";
  await rest(task, order, { kind: "settled", problems: [], ended }, detail);
  if (ended === "shipped") {
    task.logger.error(
      { alert: "held_order_fulfilled", tenant: order.tenant, orderId: order.orderId },
      "an order shipped despite its hold",
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
  return release(task, order, {
    changes: { state, ...toProblemChanges(problems), dueAtMs: null, attempts: 0, holdDeadlineMs: null },
    entries: [toTimelineEntry(task.now(), event, detail, actor)],
  });
}

/** A hold that stays. `overdue`: its deadline has passed, and this is why it stays. */
interface Stay {
  readonly holdable: boolean;
  readonly expiring?: boolean;
  readonly overdue?: string;
}

async function stay(
  task: OrderTask,
  watched: Watched,
  observed: ObservedOrder,
  { holdable, ...moment }: Stay,
): Promise<null> {
  const { now } = task;
  const { order, decision } = watched;
  const before = await readMemory(task, order);
  const rest = await holdRest(task, watched, holdable, before);
  const { memory } = rest;
  const entries = [...rest.entries];
  const missing = decision.enforce ? decision.tags.filter((tag) => !observed.tags.includes(tag)) : [];
  if (missing.length > 0 && memory["tagged"] === undefined) {
    await takeStep(task, "tag", { ...watched, memory: {} });
    entries.push(toTimelineEntry(now(), { kind: "tag-repaired" }, missing.join(", ")));
  }
  const warned = warnOfDeadline(task, order, moment, memory);
  const losses = warnOfLosses(task, order, memory);
  entries.push(...warned.entries, ...losses.entries);
  const kept = {
    ...memory,
    ...losses.memory,
    // Restore a tag once. If it is removed again, somebody means it.
    ...(missing.length > 0 ? { tagged: "again" } : {}),
    ...warned.memory,
  };
  const step = toHeld(kept, now());
  const looks = order.attempts + 1;
  const next = moment.overdue === undefined ? order : { ...order, holdDeadlineMs: null };
  const lookMs = Math.min(toNextLook(task, next, looks), rest.retryAtMs);
  const dueAtMs = isToCatchUp(order, now()) ? Math.min(lookMs, toCatchUpMs(order, looks, now())) : lookMs;
  // A look only for the rest of the goods doesn't count as one of the regular looks.
  const attempts = rest.retryAtMs === Number.POSITIVE_INFINITY ? looks : order.attempts;
  return release(task, order, { changes: { dueAtMs, attempts, ...rest.changes }, entries, step });
}

/** Say once that the deadline is near, and once that it has passed. */
function warnOfDeadline(
  { logger, now }: OrderTask,
  { tenant, orderId }: OrderRecord,
  { expiring = false, overdue }: Omit<Stay, "holdable">,
  memory: StepRecord["memory"],
): { readonly entries: readonly TimelineEntry[]; readonly memory: StepRecord["memory"] } {
  if (overdue !== undefined && memory["overdue"] === undefined) {
    logger.error(
      { alert: "hold_overdue", tenant, orderId },
      "a hold is past its deadline and nobody decided",
    );
    const entry = toTimelineEntry(now(), { kind: "hold-overdue" }, overdue);
    return { entries: [entry], memory: { overdue: "yes" } };
  }
  if (expiring && memory["warned"] === undefined) {
    logger.error({ alert: "hold_expiring", tenant, orderId }, "a hold is about to reach its deadline");
    const entry = toTimelineEntry(now(), { kind: "hold-expiring" }, "the deadline of the hold is near");
    return { entries: [entry], memory: { warned: "yes" } };
  }
  return { entries: [], memory: {} };
}

function toNextLook({ now }: OrderTask, order: OrderRecord, looks: number): number {
  return toNextLookMs(order.holdDeadlineMs, looks, now(), toWarningsMs(order));
}

/** The result of a look for goods that aren't on hold. */
interface HeldRest {
  readonly memory: StepRecord["memory"];
  readonly changes: Pick<OrderChanges, "problem" | "problems">;
  readonly entries: readonly TimelineEntry[];
  readonly retryAtMs: number;
}

/** Hold goods that the hold doesn't cover: after splits, moves or late routing, or at a fulfillment service. */
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
  observed: ObservedOrder,
  { outcome, holdable }: Extract<HoldFinding, { readonly kind: "overdue" }>,
): Promise<OrderRecord | null> {
  // A person decided at the last moment. Their decision is applied next.
  const latest = await task.store.getOrder(watched.order);
  if (latest?.verdict != null) return lookAgain(task, watched.order, task.now());
  if (outcome === "cancel") return cancelAtDeadline(task, watched);
  // Goods that leave the hold after its deadline must not ship either.
  if (outcome === "keep") return stay(task, watched, observed, { holdable, overdue: "kept, by policy" });
  // An inquiry may have come in shadow mode, and a chargeback puts no order on hold.
  return (await isPaymentDisputed(task.store, watched.order))
    ? stay(task, watched, observed, { holdable, overdue: "kept: a bank disputes the payment" })
    : releaseAtDeadline(task, watched);
}

async function releaseAtDeadline(task: OrderTask, watched: Watched): Promise<null> {
  const { now, save } = task;
  const { order } = watched;
  const memory = { ...(await readMemory(task, order)), releasing: "at its deadline" };
  await save(order, { changes: {}, step: toHeld(memory, now()), release: false });
  const released = await takeStep(task, "release", { ...watched, memory: {} });
  if (released.outcome === "done" || released.outcome === "moot") return restReleased(task, order);
  const attempts = order.attempts + 1;
  const dueAtMs = released.outcome === "wait" ? released.retryAtMs : toNextLookMs(null, attempts, now());
  return release(task, order, { changes: { dueAtMs, attempts, problem: toStepDetail(released) } });
}

async function cancelAtDeadline(task: OrderTask, { order, decision }: Watched): Promise<OrderRecord> {
  const { save } = task;
  const nowMs = task.now();
  // A decision made in shadow mode wasn't applied. This one is.
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
  // From now on the hold belongs to this decision: releasing it stops the cancel. A new deadline gets a new warning.
  const { warned: _warned, ...memory } = await readMemory(task, order);
  return save(order, { changes, entries, step: toHeld(memory, nowMs), release: false });
}

function toHeld(memory: StepRecord["memory"], atMs: number): StepRecord {
  return { step: "hold", state: "done", detail: "still held", memory, atMs };
}

async function readMemory({ store }: OrderTask, order: OrderRecord): Promise<StepRecord["memory"]> {
  return (await store.listSteps(order)).find(({ step }) => step === "hold")?.memory ?? {};
}
