import { isDeepStrictEqual } from "node:util";
import type { OrderRecord, OrderChanges, TimelineEntry } from "../../store/store.ts";
import { toTimelineEntry } from "../timeline.ts";
import type { Handler, OrderTask } from "../tasks.ts";
import { learn, type Situation } from "../order-life/situation.ts";
import { askPlatform, DETAIL_TIMEOUT_MS } from "./ask-platform.ts";
import { makeDecision } from "./make-decision.ts";
import { decideAgain, type Cause } from "./decide-again.ts";
import { keepDecision } from "./keep-decision.ts";
import { toKeptBasis } from "./kept-basis.ts";
import { isHoldfastError } from "../../base/errors.ts";
import { ACTIONS, type Decision } from "../../order/decision.ts";
import type { OrderContext } from "../../order/order-context.ts";
import { isPassing, mayCome } from "../../order/unread-detail.ts";
import { toKnown, type LateDetail, type MappedOrder } from "../../platform/platform.ts";
import { toMappedFacts, toStoredFacts } from "../../policy/order-facts.ts";

const SHORTEST_PAUSE_MS = 5 * 60_000;
/** News from the platform after this time changes little: the order has shipped or was reviewed. */
const WINDOW_MS = 24 * 3_600_000;

/**
 * Read the order's context from the platform again, if the platform reported news or had no payment to read before. Rules of
 * the policy that use the context are applied to the stored answer, at no cost.
 */
export const refreshContext: Handler<"refresh-context"> = async (task, situation, { seenMs }) => {
  const { order } = situation;
  const [read, detail] = await Promise.all([readContext(task, order), readLateDetail(task, order)]);
  const retries = [read.retryAtMs, detail?.retryAtMs ?? null].filter((atMs) => atMs !== null);
  const reread = { seenMs, nextMs: retries.length === 0 ? null : Math.min(...retries) };
  const mapped = order.mapped === null ? null : merge(order.mapped, read.context, detail?.mapped ?? null);
  if (mapped === null) return learn(situation, { news: { changes: { reread } } });
  const changes = { reread, mapped, ...toFacts(order, mapped) };
  const news = toNews(order.mapped, mapped);
  const entry = toTimelineEntry(task.now(), { kind: "context-changed" }, news, "platform");
  const decided = await applyRules(task, situation, mapped, { changes, entry });
  return decided ?? learn(situation, { news: { changes, entries: [entry] } });
};

/** Save what is new, and continue, or leave the order at rest. */
export const keepNews: Handler<"keep-news"> = async (task, situation, { news, rest }) => {
  if (rest === null) return task.save(learn(situation, { news: undefined }), news);
  return task.end(situation, { ...news, changes: { ...news.changes, dueAtMs: rest.untilMs } });
};

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
    return { context: null, retryAtMs: isWorthIt ? toRetryAtMs(receivedAtMs, now(), error.retryAtMs) : null };
  }
}

/**
 * When to ask again: as long from now as the order is old, so that the pause doubles, and never before the platform wants
 * to be asked. Many orders may wait for a platform that limits requests.
 */
function toRetryAtMs(receivedAtMs: number, nowMs: number, hintMs = 0): number {
  return Math.max(nowMs + Math.max(SHORTEST_PAUSE_MS, nowMs - receivedAtMs), hintMs);
}

/**
 * What the platform couldn't provide before the check, if a later look may find it: customer history and card facts.
 * It isn't sent: the answer was about the order as it was known then.
 */
async function readLateDetail(
  task: OrderTask,
  order: OrderRecord,
): Promise<{ readonly mapped: MappedOrder; readonly retryAtMs: number | null } | null> {
  const { mapped, receivedAtMs } = order;
  if (mapped === null || !mayCome(mapped.unread ?? {})) return null;
  const { mapped: read, retryAtMs } = await askPlatform(task, order, mapped);
  task.signal.throwIfAborted();
  const nowMs = task.now();
  const isWorthIt = isPassing(read.unread ?? {}) && nowMs < receivedAtMs + WINDOW_MS;
  return { mapped: read, retryAtMs: isWorthIt ? toRetryAtMs(receivedAtMs, nowMs, retryAtMs) : null };
}

/** The order with the new context and detail; null if nothing is new. */
function merge(
  mapped: MappedOrder,
  read: OrderContext | null,
  detailed: MappedOrder | null,
): MappedOrder | null {
  const context = { ...mapped.context, ...detailed?.context, ...read };
  const late = detailed === null ? mapped.late : toLate(mapped, detailed);
  const unread = detailed === null ? mapped.unread : detailed.unread;
  const isSame =
    listNews(mapped.context, context).length === 0 &&
    isDeepStrictEqual(late, mapped.late) &&
    isDeepStrictEqual(unread, mapped.unread);
  return isSame ? null : { ...mapped, context, late, unread };
}

const LATE_FIELDS = [
  "paymentInfo",
  "accountAgeInDays",
  "totalOrders",
  "cancelledOrders",
  "returnedOrders",
  "fulfilledOrders",
] as const satisfies readonly (keyof LateDetail)[];

/** The fields that the order lacked when it was checked. */
function toLate(mapped: MappedOrder, detailed: MappedOrder): LateDetail | undefined {
  const [before, after] = [toKnown(mapped), toKnown(detailed)];
  const found = LATE_FIELDS.filter((field) => before[field] === undefined && after[field] !== undefined);
  const late = { ...mapped.late, ...Object.fromEntries(found.map((field) => [field, after[field]])) };
  return Object.keys(late).length === 0 ? undefined : late;
}

function listNews(before: OrderContext | undefined, after: OrderContext): readonly (keyof OrderContext)[] {
  const fields = Object.keys(after) as (keyof OrderContext)[];
  return fields.filter((field) => JSON.stringify(after[field]) !== JSON.stringify(before?.[field]));
}

/** Fields whose values identify no person and no card. */
const SHOWN = ["platformRisk", "protect", "avs", "cvv"] as const satisfies readonly (keyof OrderContext)[];

function toNews(before: MappedOrder | null, { context = {}, late = {} }: MappedOrder): string {
  const news = listNews(before?.context, context);
  const filled = Object.keys(late).filter((field) => !(field in (before?.late ?? {})));
  return [...news, ...filled]
    .map((field) => {
      const shown = SHOWN.find((name) => name === field);
      return shown === undefined ? field : `${field}: ${String(context[shown])}`;
    })
    .join(", ");
}

function toFacts({ facts }: OrderRecord, mapped: MappedOrder): Pick<OrderChanges, "facts"> {
  if (facts === null) return {};
  const { context } = toStoredFacts(toMappedFacts(mapped));
  return { facts: { ...facts, context } };
}

interface News {
  readonly changes: OrderChanges;
  readonly entry: TimelineEntry;
}

/**
 * The situation with a new decision, or null if the former decision stands. It stands unless the news changes what the policy
 * decides. Only a rule can make it milder.
 */
async function applyRules(
  task: OrderTask,
  situation: Situation,
  mapped: MappedOrder,
  { changes, entry }: News,
): Promise<Situation | null> {
  const { order } = situation;
  const { decision: former } = order;
  const kept = toKeptBasis(order);
  if (former === null || kept === null || canOnlyStay(order, former)) return null;
  const before = await makeDecision(task, order, order.mapped ?? mapped, task.signal, kept);
  const after = await makeDecision(task, order, mapped, task.signal, kept);
  if (before.outcome !== "decided" || after.outcome !== "decided") return null;
  if (!shouldFollow(former, before.decision, after.decision)) return null;
  const cause: Cause = { order, mapped, changes, entry, takesGuess: true, kept };
  const again = await decideAgain(task, situation, cause);
  if (again.outcome !== "decided") return null;
  return keepDecision(task, situation, { ...again, entries: again.entries.toReversed() });
}

/**
 * Whether the decision can't change. A person's decision stands, including the release of a hold on the platform. A cancel
 * isn't taken back, and a failed order waits for a person.
 */
function canOnlyStay({ state, mapped }: OrderRecord, { source, action }: Decision): boolean {
  if (mapped === null || state === "failed" || source === "person" || action === "cancel") return true;
  return action === "hold" && state === "settled";
}

function isSame(one: Decision, other: Decision): boolean {
  return one.action === other.action && one.tags.join("\n") === other.tags.join("\n");
}

/** Whether the news changes the decision, rather than a policy that changed since. */
function shouldFollow(former: Decision, before: Decision, after: Decision): boolean {
  if (isSame(before, after) || isSame(former, after)) return false;
  // What the buyer confirmed was already held: news that only holds it again says nothing new.
  const confirmedAt = former.confirmed?.effect === "release" ? former.machine?.action : undefined;
  if (confirmedAt !== undefined && ACTIONS.indexOf(after.action) <= ACTIONS.indexOf(confirmedAt))
    return false;
  const isMilder = ACTIONS.indexOf(after.action) < ACTIONS.indexOf(former.action);
  return !isMilder || (after.causes?.rule !== undefined && after.causes.atLeast === undefined);
}
