import { raiseAlert } from "../../base/alerts.ts";
import type { OrderRecord, StepRecord } from "../../store/store.ts";
import { takeStep } from "../enforce/take-step.ts";
import { needsPerson, toNextRetryMs, toNextSendMs } from "../order-life/buyer-check.ts";
import { toWarnedDeadlineMs } from "../order-life/hold-deadline.ts";
import { toCapped, toKnownHold, type KnownHold, type Stay } from "../order-life/hold-look.ts";
import { needsCatchUp, toCatchUpMs, toNextLookMs } from "../order-life/next-look.ts";
import { toWarningsMs, type HoldNotes } from "../order-life/warning-times.ts";
import { decisionOf } from "../order-life/situation.ts";
import type { Handler, OrderTask } from "../tasks.ts";
import { toTimelineEntry } from "../timeline.ts";
import {
  isHidingSoon,
  toCappedEntry,
  toHiddenChanges,
  toHidingWarningMs,
  warnOfHiding,
} from "./hidden-order.ts";
import { holdRest, type Watched } from "./hold-rest.ts";
import { warnOfLosses, type Warned } from "./hold-warnings.ts";

/** Watch a held order: repair what other tools changed, and warn before and after the deadline. */
export const keepHold: Handler<"keep-hold"> = async (task, situation, { observed, stay }) => {
  const { now } = task;
  const { order: uncapped, steps, policy, nowMs } = situation;
  const { memory, notes } = toKnownHold(steps, nowMs);
  const order = toCapped(uncapped, observed, nowMs);
  const decision = decisionOf(order);
  const watched = { order, decision, policy };
  // The last look before the platform hides the order notes which goods to look at from then on.
  const isLast = isHidingSoon(observed, notes, now());
  const rest = await holdRest(task, watched, stay.holdable || isLast, memory);
  const entries = [...rest.entries];
  const isTagged = decision.enforce && observed.hidden !== true;
  const missing = isTagged ? decision.tags.filter((tag) => !observed.tags.includes(tag)) : [];
  if (missing.length > 0 && notes["tagged"] === undefined) {
    await takeStep(task, "tag", { ...watched, memory: {} });
    entries.push(toTimelineEntry(now(), { kind: "tag-repaired" }, missing.join(", ")));
  }
  const warned = warnOfDeadline(task, watched, stay, notes, needsPerson(situation));
  const losses = warnOfLosses(task, order, notes);
  const hiding = await warnOfHiding(task, order, observed, notes);
  if (order !== uncapped) entries.push(toCappedEntry(order, now()));
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
  const askingMs = [toNextSendMs(situation, now()), toNextRetryMs(situation, now())];
  const warningsMs = [...toWarningsMs(order), toHidingWarningMs(observed), ...askingMs];
  const lookMs = Math.min(toNextLookMs(holdDeadlineMs, looks, now(), warningsMs), rest.retryAtMs);
  const dueAtMs = needsCatchUp(order, now()) ? Math.min(lookMs, toCatchUpMs(order, looks, now())) : lookMs;
  // A look only for the rest of the goods doesn't count as one of the regular looks.
  const attempts = rest.retryAtMs === Number.POSITIVE_INFINITY ? looks : order.attempts;
  return task.end(situation, {
    changes: { dueAtMs, attempts, holdDeadlineMs, ...toHiddenChanges(order, false), ...rest.changes },
    entries,
    step,
  });
};

/** Why a hold stays after its deadline, for people. */
const OVERDUE = {
  policy: "kept, by policy",
  hidden: "kept: the platform no longer shows the order to Holdfast",
  disputed: "kept: a bank disputes the payment",
  buyer: "kept: a person has to look at the buyer's answer",
} as const;

function toWarning({ holdDeadlineMs: formerMs }: OrderRecord, holdDeadlineMs: number | null): string {
  if (holdDeadlineMs === null || holdDeadlineMs === formerMs) return "the deadline of the hold is near";
  return `nobody could be warned in time: the deadline is ${new Date(holdDeadlineMs).toISOString()} now`;
}

/** Say once that the deadline is near, and once that it has passed. A late warning moves the deadline. */
function warnOfDeadline(
  { logger, now }: OrderTask,
  { order, policy }: Watched,
  { expiring = false, overdue }: Stay,
  notes: HoldNotes,
  isForPerson: boolean,
): Warned & { readonly holdDeadlineMs: number | null } {
  const { tenant, orderId, holdDeadlineMs } = order;
  if (overdue !== undefined && notes["overdue"] === undefined) {
    raiseAlert(logger, "hold_overdue", { tenant, orderId }, "a hold is past its deadline and nobody decided");
    const entry = toTimelineEntry(now(), { kind: "hold-overdue" }, OVERDUE[overdue]);
    return { entries: [entry], notes: { overdue: "yes" }, holdDeadlineMs };
  }
  if (expiring && notes["warned"] === undefined) {
    raiseAlert(logger, "hold_expiring", { tenant, orderId }, "a hold is about to reach its deadline");
    const warnedMs = toWarnedDeadlineMs(policy, order, now(), isForPerson);
    const entry = toTimelineEntry(now(), { kind: "hold-expiring" }, toWarning(order, warnedMs));
    return { entries: [entry], notes: { warned: "yes" }, holdDeadlineMs: warnedMs };
  }
  return { entries: [], notes: {}, holdDeadlineMs };
}

export function toHeld({ memory, notes }: Omit<KnownHold, "heldAtMs">, atMs: number): StepRecord {
  return { step: "hold", state: "done", detail: "still held", memory, notes, atMs };
}
