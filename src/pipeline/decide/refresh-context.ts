import type { OrderRecord, OrderChanges, TimelineEntry } from "../../store/store.ts";
import { toTimelineEntry } from "../timeline.ts";
import { release } from "../save-order.ts";
import type { OrderTask } from "../tasks.ts";
import { DETAIL_TIMEOUT_MS } from "./read-detail.ts";
import { needsCatchUp, toCatchUpMs } from "../order-life/next-look.ts";
import { makeDecision } from "./make-decision.ts";
import { decideAgain, type Cause } from "./decide-again.ts";
import { keepDecision } from "./decide.ts";
import { findReason } from "../../order/reasons.ts";
import { HoldfastError, isHoldfastError, type ErrorCode } from "../../base/errors.ts";
import { ACTIONS, toMachineDecision, type Decision } from "../../order/decision.ts";
import { SKIP_REASONS } from "../../order/skip-reasons.ts";
import type { OrderContext } from "../../order/order-context.ts";
import { SANDBOX_PLATFORM, type MappedOrder } from "../../platform/platform.ts";
import { toOrderFacts, toStoredFacts } from "../../policy/order-facts.ts";
import type { DecisionBasis } from "../../screening/judge-order.ts";

const RETRY_MS = 5 * 60_000;
/** News from the platform after this time changes little: the order has shipped or was reviewed. */
const WINDOW_MS = 24 * 3_600_000;

/**
 * Read the order's context from the platform again, if the platform reported news or had no payment to read before. Rules of
 * the policy that use the context are applied to the stored answer, at no cost.
 *
 * Resolves to the order for the next phase, or to null if it stays at rest.
 */
export async function refreshContext(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  const { rereadAtMs } = order;
  if (rereadAtMs === null || rereadAtMs > task.now()) return order;
  const read = await readContext(task, order);
  const reread = { seenMs: rereadAtMs, nextMs: read.retryAtMs };
  const mapped = order.mapped === null ? null : merge(order.mapped, read.context);
  if (mapped === null) return goOn(task, order, { changes: { reread } });
  const news = {
    changes: { reread, mapped, ...toFacts(order, mapped) },
    entry: toTimelineEntry(task.now(), { kind: "context-changed" }, toNews(order.mapped, mapped), "platform"),
  };
  return (await applyRules(task, order, mapped, news)) ?? goOn(task, order, news);
}

/** The current context, or null if there is none, with a time to ask again if the call failed. */
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
    // Nothing waits for the context. If reading it failed, retry only while it may still matter.
    const isWorthIt = isHoldfastError(error) && error.retryable && now() < receivedAtMs + WINDOW_MS;
    return { context: null, retryAtMs: isWorthIt ? Math.max(error.retryAtMs ?? 0, now() + RETRY_MS) : null };
  }
}

/** The order with the new context; null if nothing is new. */
function merge(mapped: MappedOrder, read: OrderContext | null): MappedOrder | null {
  const context = { ...mapped.context, ...read };
  return listNews(mapped.context, context).length === 0 ? null : { ...mapped, context };
}

function listNews(before: OrderContext | undefined, after: OrderContext): readonly (keyof OrderContext)[] {
  const fields = Object.keys(after) as (keyof OrderContext)[];
  return fields.filter((field) => JSON.stringify(after[field]) !== JSON.stringify(before?.[field]));
}

/** Fields whose values identify no person and no card. */
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

/** Release an order that is at rest, without asking the service any sooner. Continue with any other. */
function goOn(task: OrderTask, order: OrderRecord, { changes, entry }: News): Promise<OrderRecord | null> {
  const entries = entry === undefined ? [] : [entry];
  const rest = toRest(order, task.now());
  return rest === null
    ? task.save(order, { changes, entries, release: false })
    : release(task, order, { changes: { ...changes, ...rest }, entries });
}

/** When an order at rest is due again; null if there is more to do. Held orders are looked at anyway. */
function toRest(order: OrderRecord, nowMs: number): Pick<OrderChanges, "dueAtMs"> | null {
  const { state, verdict, revision, attempts } = order;
  if (verdict !== null || revision?.rescreen === true) return null;
  if (state === "failed") return { dueAtMs: null };
  if (state !== "settled" && state !== "review") return null;
  if (needsCatchUp(order, nowMs)) return { dueAtMs: toCatchUpMs(order, attempts, nowMs) };
  return state === "settled" ? { dueAtMs: null } : null;
}

interface News {
  readonly changes: OrderChanges;
  readonly entry?: TimelineEntry;
}

/**
 * The order with a new decision, or null if the former decision stands. It stands unless the news changes what the policy
 * decides. Only a rule can make it milder.
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
  if (!shouldFollow(former, before.decision, after.decision)) return null;
  const cause: Cause = { order, mapped, changes, entry, takesGuess: true, kept };
  const again = await decideAgain(task, order, cause);
  if (again.outcome !== "decided") return null;
  return keepDecision(task, order, { ...again, entries: again.entries.toReversed() });
}

/**
 * Whether the decision can't change. A person's decision stands, including the release of a hold on the platform. A cancel
 * isn't taken back, and a failed order waits for a person.
 */
function isFinal({ state, mapped }: OrderRecord, { source, action }: Decision): boolean {
  if (mapped === null || state === "failed" || source === "person" || action === "cancel") return true;
  return action === "hold" && state === "settled";
}

function isSame(one: Decision, other: Decision): boolean {
  return one.action === other.action && one.tags.join("\n") === other.tags.join("\n");
}

/** Whether the news changes the decision, rather than a policy that changed since. */
function shouldFollow(former: Decision, before: Decision, after: Decision): boolean {
  if (isSame(before, after) || isSame(former, after)) return false;
  const isMilder = ACTIONS.indexOf(after.action) < ACTIONS.indexOf(former.action);
  return !isMilder || findReason(after.reasons, "rule") !== undefined;
}

/** What the former decision was based on; null if that isn't stored. */
export function toKeptBasis({
  decision,
  result,
  skipReason: reason,
  platform,
}: OrderRecord): DecisionBasis | null {
  if (decision === null) return null;
  const { unchecked } = decision;
  // If the order is held for a bank's inquiry, use Holdfast's own decision below that.
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
