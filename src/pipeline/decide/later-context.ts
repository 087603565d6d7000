import type { OrderRecord, OrderChanges, TimelineEntry } from "../../store/store.ts";
import { toTimelineEntry } from "../timeline.ts";
import { release } from "../work/order-lease.ts";
import type { OrderTask } from "../tasks.ts";
import { DETAIL_TIMEOUT_MS } from "./detail.ts";
import { isToCatchUp, toCatchUpMs } from "../watch/next-look.ts";
import { makeDecision } from "./order-decision.ts";
import { decideAgain, keepDecision, type Cause } from "./decide.ts";
import { findReason } from "../../order/reasons.ts";
import { HoldfastError, isHoldfastError, type ErrorCode } from "../../base/errors.ts";
import { ACTIONS, SKIP_REASONS, toMachineDecision, type Decision } from "../../order/decision.ts";
import type { OrderContext } from "../../order/order-context.ts";
import { SANDBOX_PLATFORM, type MappedOrder } from "../../platform/platform.ts";
import { toOrderFacts, toStoredFacts } from "../../policy/rules.ts";
import type { DecisionBasis } from "../../screening/decide-order.ts";

const RETRY_MS = 5 * 60_000;
/** Later than this, news from the platform changes little: the order has shipped or was reviewed. */
const WINDOW_MS = 24 * 3_600_000;

/**
 * Read again what the platform says beyond the order, where it said that there is news or had no payment to read yet. A rule
 * of the policy that asks about it is applied to what is known already: nobody is paid for it.
 *
 * Resolves to the order to go on with, or null when it was at rest and stays there.
 */
export async function refreshContext(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  const { rereadAtMs } = order;
  if (rereadAtMs === null || rereadAtMs > task.now()) return order;
  const read = await readContext(task, order);
  const reread = { seenMs: rereadAtMs, nextMs: read.retryAtMs };
  const mapped = read.context === null || order.mapped === null ? null : merge(order.mapped, read.context);
  if (mapped === null) return goOn(task, order, { changes: { reread } });
  const news = {
    changes: { reread, mapped, ...toFacts(order, mapped) },
    entry: toTimelineEntry(task.now(), { kind: "context-changed" }, toNews(order.mapped, mapped), "platform"),
  };
  return (await applyRules(task, order, mapped, news)) ?? goOn(task, order, news);
}

/** What the platform says by now; null when that is nothing, with the time to ask again if asking failed. */
async function readContext(
  { platform, signal, now }: OrderTask,
  { tenant, orderId, mapped, receivedAtMs }: OrderRecord,
): Promise<{ readonly context: OrderContext | null; readonly retryAtMs: number | null }> {
  if (mapped === null || platform.readContext === undefined) return { context: null, retryAtMs: null };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DETAIL_TIMEOUT_MS)]);
  try {
    return { context: await platform.readContext(tenant, orderId, { signal: limit }), retryAtMs: null };
  } catch (error) {
    signal.throwIfAborted();
    // It is detail: nothing waits for it, and what can't be read now is asked for only while it may still matter.
    const isWorthIt = isHoldfastError(error) && error.retryable && now() < receivedAtMs + WINDOW_MS;
    return { context: null, retryAtMs: isWorthIt ? Math.max(error.retryAtMs ?? 0, now() + RETRY_MS) : null };
  }
}

/** The order with what is new; null when nothing is. */
function merge(mapped: MappedOrder, read: OrderContext): MappedOrder | null {
  const context = { ...mapped.context, ...read };
  return listNews(mapped.context, context).length === 0 ? null : { ...mapped, context };
}

function listNews(before: OrderContext | undefined, after: OrderContext): readonly (keyof OrderContext)[] {
  const fields = Object.keys(after) as (keyof OrderContext)[];
  return fields.filter((field) => JSON.stringify(after[field]) !== JSON.stringify(before?.[field]));
}

/** Fields whose values name nobody and no card. */
const SHOWN = ["platformRisk", "protect", "avs", "cvv"] as const satisfies readonly (keyof OrderContext)[];

function toNews(before: MappedOrder | null, { context = {} }: MappedOrder): string {
  const news = listNews(before?.context, context);
  return news
    .map((field) => {
      const shown = SHOWN.find((name) => name === field);
      return shown === undefined ? field : `${field}: ${String(context[shown])}`;
    })
    .join(", ");
}

function toFacts({ facts }: OrderRecord, mapped: MappedOrder): Pick<OrderChanges, "facts"> {
  if (facts === null) return {};
  const { context } = toStoredFacts(toOrderFacts({}, mapped.context));
  return { facts: { ...facts, context } };
}

/** An order at rest goes back there, without asking the service any sooner; any other goes on. */
function goOn(task: OrderTask, order: OrderRecord, { changes, entry }: News): Promise<OrderRecord | null> {
  const entries = entry === undefined ? [] : [entry];
  const rest = toRest(order, task.now());
  return rest === null
    ? task.save(order, { changes, entries, release: false })
    : release(task, order, { changes: { ...changes, ...rest }, entries });
}

/** When an order that came to rest is due again; null for one that has more to do. A hold is looked at anyway. */
function toRest(order: OrderRecord, nowMs: number): Pick<OrderChanges, "dueAtMs"> | null {
  const { state, verdict, revision, attempts } = order;
  if (verdict !== null || revision?.rescreen === true) return null;
  if (state === "failed") return { dueAtMs: null };
  if (state !== "settled" && state !== "review") return null;
  if (isToCatchUp(order, nowMs)) return { dueAtMs: toCatchUpMs(order, attempts, nowMs) };
  return state === "settled" ? { dueAtMs: null } : null;
}

interface News {
  readonly changes: OrderChanges;
  readonly entry?: TimelineEntry;
}

/**
 * The order with a new decision on what is known of it, or null when the former one stands. It stands unless the policy makes
 * something else of the order because of the news, and it never becomes milder unless a rule says so.
 */
async function applyRules(
  task: OrderTask,
  order: OrderRecord,
  mapped: MappedOrder,
  { changes, entry }: Required<News>,
): Promise<OrderRecord | null> {
  const { decision: former } = order;
  const kept = toKeptBasis(order);
  if (former === null || kept === null || isFinal(order, former)) return null;
  const before = await makeDecision(task, order, order.mapped ?? mapped, task.signal, kept);
  const after = await makeDecision(task, order, mapped, task.signal, kept);
  if (before.outcome !== "decided" || after.outcome !== "decided") return null;
  if (!isToFollow(former, before.decision, after.decision)) return null;
  const cause: Cause = { order, mapped, changes, entry, takesGuess: true, kept };
  const again = await decideAgain(task, order, cause);
  if (again.outcome !== "decided") return null;
  return keepDecision(task, order, { ...again, entries: again.entries.toReversed() });
}

/**
 * A person's decision stands, also when they release a hold on the platform. A cancel isn't called back, and an order
 * that failed waits for a person.
 */
function isFinal({ state, mapped }: OrderRecord, { source, action }: Decision): boolean {
  if (mapped === null || state === "failed" || source === "person" || action === "cancel") return true;
  return action === "hold" && state === "settled";
}

function isSame(one: Decision, other: Decision): boolean {
  return one.action === other.action && one.tags.join("\n") === other.tags.join("\n");
}

/** Whether the news, and not a policy that changed since, changes the decision. */
function isToFollow(former: Decision, before: Decision, after: Decision): boolean {
  if (isSame(before, after) || isSame(former, after)) return false;
  const isMilder = ACTIONS.indexOf(after.action) < ACTIONS.indexOf(former.action);
  return !isMilder || findReason(after.reasons, "rule") !== undefined;
}

/** What the former decision rests on; null when that is not kept. */
function toKeptBasis({ decision, result, skipReason: reason, platform }: OrderRecord): DecisionBasis | null {
  if (decision === null) return null;
  const { unchecked } = decision;
  // Under a hold for a bank's inquiry is what Holdfast itself made of the order.
  const { source, degraded } = toMachineDecision(decision);
  if (source === "service" || source === "cache") {
    return result === null || degraded ? null : { kind: "answered", result, source };
  }
  if (reason !== null) {
    const isMadeUp = platform === SANDBOX_PLATFORM;
    return { kind: "skipped", reason, hasService: unchecked !== undefined, isMadeUp };
  }
  if (unchecked === undefined) return { kind: "no-service" };
  const isError = !SKIP_REASONS.some((known) => known === unchecked);
  if (!isError) return null;
  const error = new HoldfastError(unchecked as ErrorCode, "not asked again", { retryable: false });
  return { kind: "unavailable", error };
}
