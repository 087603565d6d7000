import { raiseAlert } from "../../base/alerts.ts";
import type { Reason } from "../../order/reasons.ts";
import { toMachineDecision } from "../../order/decision.ts";
import type { OrderChanges, OrderRecord, StepRecord, TimelineEntry } from "../../store/store.ts";
import { toProblemChanges, type OrderProblem } from "../../store/orders/timeline.ts";
import { release } from "../save-order.ts";
import type { OrderTask } from "../tasks.ts";
import { findStep, isHoldingAgain, mayHoldAgain } from "../order-life/step-plan.ts";
import { takeStep } from "../enforce/enforcement.ts";
import { observeOrder } from "../enforce/observe.ts";
import { needsRecheck } from "../order-life/changed-order.ts";
import { needsCatchUp, toCatchUpMs, toNextLookMs } from "../order-life/next-look.ts";
import {
  HIDDEN_DETAIL,
  isHidingSoon,
  toCappedEntry,
  toHiddenChanges,
  toHidingWarningMs,
  warnOfHiding,
} from "./hidden-order.ts";
import { holdRest, type Watched } from "./hold-rest.ts";
import {
  judgeHold,
  toVisibleDeadlineMs,
  toWarnedDeadlineMs,
  type HoldFinding,
} from "../order-life/hold-deadline.ts";
import { toWarningsMs, type HoldNotes } from "../order-life/warning-times.ts";
import { warnOfLosses, type Warned } from "./hold-warnings.ts";
import type { ObservedOrder } from "../../platform/platform.ts";
import type { HoldRelease, OrderEnd } from "../../platform/enforcement-step.ts";
import { BY_APP, followAppRelease, isLetGo, waitToLearn } from "./app-release.ts";
import { isPaymentDisputed } from "../../store/outcomes/disputes.ts";
import { toReleaseEntry, toStepDetail, toTimelineEntry } from "../timeline.ts";

/** A held order, and what the platform shows for it. `seen` is null in shadow mode, when nothing may be touched. */
interface HeldOrder extends Watched {
  readonly seen: Seen<StillHeld> | null;
}

interface Seen<Finding extends HoldFinding> {
  readonly observed: ObservedOrder;
  /** The platform hides the order before the policy's deadline, so the deadline is earlier. */
  readonly isCapped: boolean;
  readonly finding: Finding;
  readonly known: KnownHold;
}

/** The notes about a hold, from the platform's adapter and from Holdfast. */
interface KnownHold {
  readonly memory: StepRecord["memory"];
  readonly notes: HoldNotes;
  /** When it was last known to be there. */
  readonly heldAtMs: number;
}

type StillHeld = Extract<HoldFinding, { readonly kind: "overdue" | "held" | "released" }>;

/** Look at a held order on the platform. Null if its hold is gone or the order has ended: then it is at rest. */
export async function lookAtHold(task: OrderTask, order: OrderRecord): Promise<HeldOrder | null> {
  const { now } = task;
  const { decision, tenant } = order;
  if (decision === null) throw new TypeError("an order without a decision cannot be held");
  const { policy } = await task.policyOf(tenant);
  const watched: Watched = { order, decision, policy };
  if (policy.mode === "shadow" && decision.source !== "person") return { ...watched, seen: null };
  const known = await readHold(task, order);
  const observed = await observeHold(task, order, known);
  if (observed === null) return restLost(task, order);
  if (observed === "hidden") return stayHidden(task, order, known);
  const isWarned = known.notes["warned"] !== undefined;
  const holdDeadlineMs = toVisibleDeadlineMs(order, observed, now());
  const capped = { ...order, holdDeadlineMs };
  const finding = judgeHold(capped, observed, policy, { nowMs: now(), isWarned });
  switch (finding.kind) {
    case "ended":
      return restEnded(task, order, finding.ended);
    case "overridden":
    case "released":
      return followRelease(task, watched, { observed, isCapped: false, finding, known });
    default: {
      const isCapped = holdDeadlineMs !== order.holdDeadlineMs;
      return { ...watched, order: capped, seen: { observed, isCapped, finding, known } };
    }
  }
}

async function observeHold(task: OrderTask, order: OrderRecord, known: KnownHold) {
  const { memory, notes, heldAtMs } = known;
  if (!isLetGo(notes)) return observeOrder(task, order, { memory, heldAtMs });
  const observed = await observeOrder(task, order, { memory });
  return observed === null || observed === "hidden" ? observed : { ...observed, released: BY_APP };
}

/** Our hold is gone. Null if the order is at rest now, or waits to learn who released the hold. */
async function followRelease(
  task: OrderTask,
  watched: Watched,
  seen: Seen<Extract<HoldFinding, { readonly kind: "overridden" | "released" }>>,
): Promise<HeldOrder | null> {
  const { order } = watched;
  const { finding, known } = seen;
  // If a process died between releasing the hold and saving that, we released it ourselves.
  if (known.notes["releasing"] !== undefined) return restReleased(task, order);
  if (finding.kind === "released")
    return { ...watched, seen: { ...seen, finding: { ...finding, kind: "released" } } };
  const isOpen = await waitToLearn(task, order, known, finding.release);
  return isOpen ? null : restOverridden(task, order, finding.release);
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
  const { finding, known } = seen;
  if (finding.kind === "released") return followAppRelease(task, watched, known, finding.release);
  if (isHoldingAgain(known.notes) && mayHoldAgain(watched.policy, known.notes))
    return followAppRelease(task, watched, known, BY_APP);
  return finding.kind === "overdue"
    ? meetDeadline(task, watched, { ...seen, finding })
    : stay(task, watched, seen, finding);
}

const LOST = [{ code: "order-not-found" }];

/** Neither the order nor its goods can be seen, so nothing can be done with it. It stays in review for a person. */
async function stayHidden(task: OrderTask, order: OrderRecord, known: KnownHold): Promise<null> {
  const { memory, notes, heldAtMs } = known;
  const { notes: noted, entries } = await warnOfHiding(task, order, { hidden: true }, notes);
  return release(task, order, {
    changes: { dueAtMs: toNextLookMs(null, order.attempts + 1, task.now()), ...toHiddenChanges(order, true) },
    entries,
    step: toHeld({ memory, notes: { ...notes, ...noted } }, heldAtMs),
  });
}

export function restOverridden(task: OrderTask, order: OrderRecord, release: HoldRelease): Promise<null> {
  return rest(task, order, "settled", toReleaseEntry(task.now(), release));
}

function restReleased(task: OrderTask, order: OrderRecord): Promise<null> {
  const entry = toTimelineEntry(task.now(), { kind: "hold-released" }, "released at its deadline");
  return rest(task, order, "settled", entry);
}

function restEnded(task: OrderTask, order: OrderRecord, ended: OrderEnd): Promise<null> {
  const detail = ended === "shipped" ? "fulfilled" : "cancelled-on-platform";
  // Before it is saved: nobody looks at the order again after that.
  if (ended === "shipped") {
    raiseAlert(
      task.logger,
      "held_order_fulfilled",
      { tenant: order.tenant, orderId: order.orderId },
      "an order shipped despite its hold",
    );
  }
  const entry = toTimelineEntry(task.now(), { kind: "settled", problems: [], ended }, detail);
  return rest(task, order, "settled", entry);
}

function lookAgain(task: OrderTask, order: OrderRecord, dueAtMs: number): Promise<null> {
  return release(task, order, { changes: { dueAtMs, attempts: order.attempts + 1 } });
}

function restLost(task: OrderTask, order: OrderRecord): Promise<null> {
  const { tenant, orderId } = order;
  raiseAlert(
    task.logger,
    "order_failed",
    { problem: "order-not-found", tenant, orderId },
    "the platform no longer has an order that was held",
  );
  const event = { kind: "failed", problems: LOST } as const;
  const entry = toTimelineEntry(task.now(), event, "the platform no longer has the order");
  return rest(task, order, "failed", entry, LOST);
}

/** Nothing is left to watch. */
function rest(
  task: OrderTask,
  order: OrderRecord,
  state: "settled" | "failed",
  entry: TimelineEntry,
  problems: readonly OrderProblem[] = [],
) {
  const settledAtMs = order.settledAtMs ?? task.now();
  const changes = { state, ...toProblemChanges(problems), dueAtMs: null, attempts: 0, settledAtMs };
  return release(task, order, { changes: { ...changes, holdDeadlineMs: null }, entries: [entry] });
}

/** A hold that stays. `expiring`: its deadline is near. `overdue`: its deadline has passed, and this is why it stays. */
interface Stay {
  readonly holdable: boolean;
  readonly expiring?: boolean;
  readonly overdue?: string;
}

async function stay(
  task: OrderTask,
  watched: Watched,
  { observed, isCapped, known: { memory, notes } }: Seen<StillHeld>,
  { holdable, ...deadline }: Stay,
): Promise<null> {
  const { now } = task;
  const { order, decision } = watched;
  // The last look before the platform hides the order notes which goods to look at from then on.
  const isLast = isHidingSoon(observed, notes, now());
  const rest = await holdRest(task, watched, holdable || isLast, memory);
  const entries = [...rest.entries];
  const isTagged = decision.enforce && observed.hidden !== true;
  const missing = isTagged ? decision.tags.filter((tag) => !observed.tags.includes(tag)) : [];
  if (missing.length > 0 && notes["tagged"] === undefined) {
    await takeStep(task, "tag", { ...watched, memory: {} });
    entries.push(toTimelineEntry(now(), { kind: "tag-repaired" }, missing.join(", ")));
  }
  const warned = warnOfDeadline(task, watched, deadline, notes);
  const losses = warnOfLosses(task, order, notes);
  const hiding = await warnOfHiding(task, order, observed, notes);
  if (isCapped) entries.push(toCappedEntry(order, now()));
  entries.push(...warned.entries, ...losses.entries, ...hiding.entries);
  const noted = {
    ...notes,
    ...losses.notes,
    ...hiding.notes,
    // Restore a tag once. If it is removed again, somebody means it.
    ...(missing.length > 0 ? { tagged: "again" } : {}),
    ...warned.notes,
  };
  const step = toHeld({ memory: rest.memory, notes: noted }, now());
  const looks = order.attempts + 1;
  const { holdDeadlineMs } = warned;
  const warningsMs = [...toWarningsMs(order), toHidingWarningMs(observed)];
  const lookMs = Math.min(toNextLookMs(holdDeadlineMs, looks, now(), warningsMs), rest.retryAtMs);
  const dueAtMs = needsCatchUp(order, now()) ? Math.min(lookMs, toCatchUpMs(order, looks, now())) : lookMs;
  // A look only for the rest of the goods doesn't count as one of the regular looks.
  const attempts = rest.retryAtMs === Number.POSITIVE_INFINITY ? looks : order.attempts;
  return release(task, order, {
    changes: { dueAtMs, attempts, holdDeadlineMs, ...toHiddenChanges(order, false), ...rest.changes },
    entries,
    step,
  });
}

function toWarning({ holdDeadlineMs: formerMs }: OrderRecord, holdDeadlineMs: number | null): string {
  if (holdDeadlineMs === null || holdDeadlineMs === formerMs) return "the deadline of the hold is near";
  return `nobody could be warned in time: the deadline is ${new Date(holdDeadlineMs).toISOString()} now`;
}

/** Say once that the deadline is near, and once that it has passed. A late warning moves the deadline. */
function warnOfDeadline(
  { logger, now }: OrderTask,
  { order, policy }: Watched,
  { expiring = false, overdue }: Omit<Stay, "holdable">,
  notes: HoldNotes,
): Warned & { readonly holdDeadlineMs: number | null } {
  const { tenant, orderId, holdDeadlineMs } = order;
  if (overdue !== undefined && notes["overdue"] === undefined) {
    raiseAlert(logger, "hold_overdue", { tenant, orderId }, "a hold is past its deadline and nobody decided");
    const entry = toTimelineEntry(now(), { kind: "hold-overdue" }, overdue);
    return { entries: [entry], notes: { overdue: "yes" }, holdDeadlineMs };
  }
  if (expiring && notes["warned"] === undefined) {
    raiseAlert(logger, "hold_expiring", { tenant, orderId }, "a hold is about to reach its deadline");
    const warnedMs = toWarnedDeadlineMs(policy, order, now());
    const entry = toTimelineEntry(now(), { kind: "hold-expiring" }, toWarning(order, warnedMs));
    return { entries: [entry], notes: { warned: "yes" }, holdDeadlineMs: warnedMs };
  }
  return { entries: [], notes: {}, holdDeadlineMs };
}

async function meetDeadline(
  task: OrderTask,
  watched: Watched,
  seen: Seen<Extract<HoldFinding, { readonly kind: "overdue" }>>,
): Promise<OrderRecord | null> {
  const { outcome, holdable } = seen.finding;
  // A person decided at the last moment, or the order changed. That comes first.
  const latest = (await task.store.getOrder(watched.order)) ?? watched.order;
  if (latest.verdict !== null || needsRecheck(latest)) return lookAgain(task, watched.order, task.now());
  if (outcome === "cancel" && seen.observed.hidden !== true) return cancelAtDeadline(task, watched);
  // Goods that lose their hold after its deadline must not ship either.
  if (outcome === "cancel") return stay(task, watched, seen, { holdable, overdue: HIDDEN_DETAIL });
  if (outcome === "keep") return stay(task, watched, seen, { holdable, overdue: "kept, by policy" });
  // An inquiry may have arrived in shadow mode, and a chargeback doesn't put an order on hold.
  return (await isPaymentDisputed(task.store, watched.order))
    ? stay(task, watched, seen, { holdable, overdue: "kept: a bank disputes the payment" })
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
  // The former decision was made in shadow mode and not applied. This one is.
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
  const { memory, notes } = await readHold(task, order);
  const { warned: _warned, ...kept } = notes;
  return save(order, { changes, entries, step: toHeld({ memory, notes: kept }, nowMs), release: false });
}

function toHeld({ memory, notes }: Omit<KnownHold, "heldAtMs">, atMs: number): StepRecord {
  return { step: "hold", state: "done", detail: "still held", memory, notes, atMs };
}

async function readHold({ store, now }: OrderTask, order: OrderRecord): Promise<KnownHold> {
  const { memory = {}, notes = {}, atMs = now() } = findStep(await store.listSteps(order), "hold") ?? {};
  return { memory, notes, heldAtMs: atMs };
}
