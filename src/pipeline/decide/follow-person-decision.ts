import type { OrderRecord, TimelineEntry } from "../../store/store.ts";
import type { PersonRuling } from "../../store/orders/person-decisions.ts";
import type { PendingDecision } from "../../store/orders/order-record.ts";
import { enrich } from "./detail.ts";
import { findInquiry } from "../../store/outcomes/disputes.ts";
import { release, saveUnlessWithdrawn } from "../work/order-lease.ts";
import type { OrderTask } from "../tasks.ts";
import { decideAgain, keepDecision, recheckByPerson } from "./decide.ts";
import { toProblemEntry, toTimelineEntry } from "../timeline.ts";
import { isUndoable, judgePersonDecision, type PersonDecisionContext } from "./person-decision.ts";

/**
 * While a person may undo their decision nothing is done about the order, so that nothing automatic releases what they
 * declined or cancels what they approved.
 */
export async function waitWhileUndoable(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  const { verdict } = order;
  if (verdict === null || !isUndoable(verdict, task.now())) return order;
  return release(task, order, { changes: { dueAtMs: verdict.effectiveAtMs ?? task.now() } });
}

/**
 * Take up what a person has said of the order. Resolves to the order as it is then, to be worked on as any other; null
 * when it was released.
 */
export async function followPersonDecision(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  const { verdict } = order;
  if (verdict === null) return order;
  return verdict.act === "recheck" ? recheck(task, order, verdict) : carryOutDecision(task, order, verdict);
}

/** What was said while somebody else was working on the order, by what the order is like now. */
async function carryOutDecision(
  task: OrderTask,
  order: OrderRecord,
  verdict: PendingDecision,
): Promise<OrderRecord | null> {
  const { now, metrics } = task;
  if (await isApprovedBeforeInquiry(task, order, verdict))
    return refuse(task, order, toRefused(now(), verdict, ASKED_SINCE));
  // Which former decision it may overrule was judged when it was pressed.
  const seen = verdict.judgedDecidedAtMs === order.decidedAtMs ? { seenDecidedAtMs: order.decidedAtMs } : {};
  const { ruling, timeline } = await judgeNow(task, order, verdict, seen);
  if (ruling.outcome === "decided") {
    const { changes, entries = [] } = ruling.transition;
    const told = [...entries, ...toChangedMeanwhile(order, verdict, timeline, now())];
    const transition = { changes, entries: told, release: false, takesUp: verdict };
    const taken = await saveUnlessWithdrawn(task, order, transition);
    if (taken === null) return withdraw(task, order);
    if (taken.decision !== null) metrics.decided({ platform: order.platform, ...taken.decision });
    return taken;
  }
  return refuse(task, order, toRefused(now(), verdict, toWhy(ruling)));
}

const ASKED_SINCE = "a bank asks about the payment: look at the order again before you decide";

/** Whether a bank has asked about the payment since the order was approved: the person didn't know. */
async function isApprovedBeforeInquiry(
  { store }: OrderTask,
  order: OrderRecord,
  { act, atMs }: PendingDecision,
): Promise<boolean> {
  if (act !== "approve") return false;
  const inquiry = await findInquiry(store, order);
  return inquiry !== null && inquiry.seenAtMs >= atMs;
}

function toWhy(ruling: Exclude<PersonRuling, { readonly outcome: "decided" }>): string {
  if (ruling.outcome === "impossible") return ruling.detail;
  return ruling.outcome === "changed" ? ASKED_SINCE : "it had been done already";
}

/** It was undone in the moment in which it was to be taken up: the order goes on without it. */
async function withdraw(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  if (order.state !== "failed") return { ...order, verdict: null };
  return release(task, order, { changes: { dueAtMs: null } });
}

/** What the platform changed between the press and its effect is told: the person had not seen it. */
function toChangedMeanwhile(
  { revision }: OrderRecord,
  verdict: PendingDecision,
  timeline: readonly TimelineEntry[],
  nowMs: number,
): readonly TimelineEntry[] {
  const isNews = timeline.some(({ kind, atMs }) => kind === "changed" && atMs > verdict.atMs);
  if (revision?.rescreen !== true || !isNews) return [];
  const event = { kind: "changed-after-person", paths: [], check: "person-decided" } as const;
  return [toTimelineEntry(nowMs, event, "not checked again: a person has decided")];
}

/** What a person's word comes to by what the order is like now. */
async function judgeNow(
  { store, now }: OrderTask,
  order: OrderRecord,
  verdict: PendingDecision,
  seen: Pick<PersonDecisionContext, "seenDecidedAtMs">,
) {
  const [steps, timeline] = await Promise.all([store.listSteps(order), store.listTimeline(order)]);
  const situation = { order: { ...order, verdict: null }, steps, timeline };
  const ruling = judgePersonDecision(situation, verdict, { policyVersion: 0, nowMs: now(), ...seen });
  return { ruling, timeline };
}

function toRefused(atMs: number, { act }: PendingDecision, why: string) {
  return toTimelineEntry(atMs, { kind: "verdict-refused" }, `${act}: ${why}`);
}

/** The order stays as it is; one that needs an operator goes on needing one. */
async function refuse(
  task: OrderTask,
  order: OrderRecord,
  entry: ReturnType<typeof toTimelineEntry>,
): Promise<OrderRecord | null> {
  const isFailed = order.state === "failed";
  const changes = { verdict: null, ...(isFailed ? { dueAtMs: null } : {}) };
  const takesUp = order.verdict === null ? {} : { takesUp: order.verdict };
  const transition = { changes, entries: [entry], release: isFailed, ...takesUp };
  const saved = await saveUnlessWithdrawn(task, order, transition);
  if (saved === null) return withdraw(task, order);
  return isFailed ? null : saved;
}

/** Ask the service again, once for each time that somebody asked for it. */
async function recheck(
  task: OrderTask,
  received: OrderRecord,
  verdict: PendingDecision,
): Promise<OrderRecord | null> {
  const { now } = task;
  const { decision: former, mapped } = received;
  // Which decision it may overrule was judged when it was asked for.
  const { ruling } = await judgeNow(task, received, verdict, { seenDecidedAtMs: received.decidedAtMs });
  // The order may have ended meanwhile.
  if (ruling.outcome === "impossible")
    return refuse(task, received, toRefused(now(), verdict, ruling.detail));
  // Erased in the moment before: nobody may be asked about it.
  if (mapped === null) return refuse(task, received, toFailed(now(), "ERASED_BEFORE_DECISION"));
  // Nobody has decided on it yet: it is tried again like one that has just come.
  if (former === null) return tryAgain(task, received);
  const order = await takeUpContent(task, received);
  if (order.mapped === null) return refuse(task, order, toFailed(now(), "ERASED_BEFORE_DECISION"));
  const cause = recheckByPerson(order, order.mapped, verdict, now());
  const again = await decideAgain(task, order, cause);
  if (again.outcome !== "decided") {
    // The decision stands, and so does what was being done for it. Whoever asks next asks the very same question.
    const { revision } = order;
    return refuse(task, { ...received, revision }, toFailed(now(), again.problem));
  }
  return keepDecision(task, order, again);
}

function toFailed(atMs: number, code: string) {
  return toProblemEntry(atMs, "recheck-failed", [{ code }]);
}

async function tryAgain(task: OrderTask, order: OrderRecord): Promise<OrderRecord> {
  const changes = { state: "screening", problem: null, attempts: 0, verdict: null } as const;
  return task.save(order, { changes, release: false });
}

/** The order as the platform shows it by now, with the detail that it has on it; kept, so that a repeat asks the same. */
async function takeUpContent(task: OrderTask, order: OrderRecord): Promise<OrderRecord> {
  const { revision, revisedAtMs } = order;
  if (revision === null) return order;
  const { mapped, amount, currency, enriched } = revision;
  if (enriched) return { ...order, mapped, amount, currency };
  const detailed = await enrich(task, order, mapped);
  const kept = { ...revision, mapped: detailed.mapped, enriched: true };
  const saved = await task.save(order, {
    changes: { revise: { revisedAtMs, kept } },
    release: false,
  });
  return saved.revision === null ? saved : { ...saved, mapped: detailed.mapped, amount, currency };
}
