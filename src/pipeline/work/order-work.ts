import { HoldfastError } from "../../base/errors.ts";
import type { Metrics } from "../metrics.ts";
import { toLoggedReasons } from "../../base/log-fields.ts";
import type { OrderRecord, OrderStore, OrderTransition } from "../../store/store.ts";
import type { PendingVerdict } from "../../store/orders/order-record.ts";
import { catchUp, isToCatchUp, toCatchUpMs } from "../decide/catch-up.ts";
import type { EnforcementWork } from "../enforce/enforcement.ts";
import { enrich } from "../decide/enrichment.ts";
import type { HoldKeeper } from "../watch/hold-keeper.ts";
import type { OrderDecided, OrderDecision } from "../decide/order-decision.ts";
import { failOrder, letGoOfOrder, saveOrder, type OrderLeaseOptions } from "./order-lease.ts";
import type { Platform } from "../../platform/platform.ts";
import {
  enrichRevision,
  followMeanwhile,
  isToRescreen,
  rescreen,
  takeUpRevision,
} from "../decide/rescreen.ts";
import type { Superseding } from "../decide/supersede.ts";
import { takeUpVerdict } from "../decide/take-up-verdict.ts";
import { toTimelineEntry } from "../timeline.ts";
import { isUndoable } from "../decide/verdict.ts";
import type { Claim } from "./claimer.ts";

/** Parts of {@link createOrderWork}. */
export interface OrderWorkOptions extends Omit<OrderLeaseOptions, "owner"> {
  readonly store: Pick<OrderStore, "saveOrder" | "listSteps" | "listTimeline">;
  readonly platforms: ReadonlyMap<string, Platform>;
  readonly decideOrder: OrderDecision;
  readonly enforce: EnforcementWork;
  readonly keepHold: HoldKeeper;
  readonly metrics: Pick<Metrics, "decided">;
}

/** Carries one claimed order as far as it goes now, and releases it. */
export type OrderWork = (order: OrderRecord, claim: Claim) => Promise<void>;

/** The same, under one claim. */
type Leased = OrderWorkOptions & OrderLeaseOptions;

/** Create the {@link OrderWork} of an app: enrich, decide, enforce, each kept before the next begins. */
export function createOrderWork(options: OrderWorkOptions): OrderWork {
  return async (order, { owner, signal }) => {
    const leased = { ...options, owner };
    const platform = options.platforms.get(order.platform);
    let current = order;
    try {
      if (current.verdict !== null && isUndoable(current.verdict, options.now())) {
        await rest(leased, current, current.verdict);
        return;
      }
      if (platform === undefined) {
        throw new HoldfastError("CONFIG_INVALID", "the order's platform is not configured", {
          retryable: false,
        });
      }
      if (current.verdict !== null) {
        const taken = await takeUpVerdict(leased, current, platform, signal);
        if (taken === null) return;
        current = taken;
      }
      current = await prepare(leased, current, platform, signal);
      const next = await advance(leased, current, platform, signal);
      if (next === null) return;
      current = next;
      await options.enforce(current, platform, signal, (transition) => save(leased, current, transition));
    } catch (error) {
      await letGoOfOrder(leased, current, error, signal);
    }
  };
}

/**
 * A person has decided and may undo it: nothing is done about the order until then, lest something automatic lets go of
 * what they declined, or cancels what they approved.
 */
async function rest(options: Leased, order: OrderRecord, { effectiveAtMs }: PendingVerdict): Promise<void> {
  await saveOrder(options, order, { changes: { dueAtMs: effectiveAtMs ?? options.now() }, release: true });
}

/** Whatever the order needs before it can be enforced; null when it was released. */
async function advance(
  options: Leased,
  received: OrderRecord,
  platform: Platform,
  signal: AbortSignal,
): Promise<OrderRecord | null> {
  const cancel = isToRescreen(received) ? await findCancel(options, received) : null;
  // What has begun on the platform cannot be called back: how it ends is seen before anything else is decided.
  if (cancel === "begun") return received;
  const order = cancel === "done" ? await leaveUnchecked(options, received) : received;
  if (isToRescreen(order)) return decideAgain(options, order, platform, signal);
  return isAtRest(order) ? revisit(options, order, platform, signal) : decide(options, order, signal);
}

/** How far the platform is with cancelling a decided order; null when it has not begun. */
async function findCancel({ store }: Leased, order: OrderRecord): Promise<"begun" | "done" | null> {
  const { decision, decidedAtMs } = order;
  if (decision?.action !== "cancel") return null;
  const steps = await store.listSteps(order);
  const cancel = steps.find(({ step, atMs }) => step === "cancel" && atMs >= (decidedAtMs ?? 0));
  if (cancel?.state === "done") return "done";
  return cancel?.state === "waiting" && Object.keys(cancel.memory).length > 0 ? "begun" : null;
}

/** Nothing is left to decide about an order that was cancelled while its change came: nobody is paid to look at it. */
async function leaveUnchecked(options: Leased, order: OrderRecord): Promise<OrderRecord> {
  const { revision, revisedAtMs } = order;
  if (revision === null) return order;
  const kept = { ...revision, rescreen: false };
  const detail = "not checked again: the order was cancelled meanwhile";
  const entries = [toTimelineEntry(options.now(), "changed", detail)];
  await saveOrder(options, order, { changes: { revise: { revisedAtMs, kept } }, entries, release: false });
  return { ...order, revision: kept };
}

/** Fix the request before anything is paid for it, so that a repeat asks the very same question. */
async function prepare(
  options: Leased,
  received: OrderRecord,
  platform: Platform,
  signal: AbortSignal,
): Promise<OrderRecord> {
  if (received.decision !== null) return prepareRevision(options, received, platform, signal);
  const order = await takeUp(options, received);
  if (order.mapped === null || order.enriched) return order;
  const { mapped, limitations } = await enrich(order, order.mapped, platform, signal);
  signal.throwIfAborted();
  const changes = { mapped, enriched: true, state: "screening" } as const;
  const entries =
    limitations.length === 0 ? [] : [toTimelineEntry(options.now(), "less-detail", limitations.join(", "))];
  const saved = await saveOrder(options, order, { changes, entries, release: false });
  // Erased while it was being enriched: nobody may be asked about it any more.
  return { ...order, ...changes, mapped: saved === "erased" ? null : mapped };
}

/** An order that was changed before anybody decided on it is decided on as it is now. */
async function takeUp(options: Leased, order: OrderRecord): Promise<OrderRecord> {
  if (!isToRescreen(order)) return order;
  const changes = takeUpRevision(order);
  const saved = await saveOrder(options, order, { changes, release: false });
  const mapped = saved === "erased" ? null : (changes.mapped ?? order.mapped);
  return { ...order, ...changes, mapped, revision: null };
}

async function prepareRevision(
  options: Leased,
  order: OrderRecord,
  platform: Platform,
  signal: AbortSignal,
): Promise<OrderRecord> {
  if (!isToRescreen(order)) return order;
  const prepared = await enrichRevision(options, order, platform, signal);
  if (prepared === null) return order;
  const saved = await saveOrder(options, order, prepared.transition);
  return saved === "erased" ? { ...order, mapped: null, revision: null } : prepared.order;
}

/** The order with a decision on its new content, or null when it was released to wait. */
async function decideAgain(
  options: Leased,
  order: OrderRecord,
  platform: Platform,
  signal: AbortSignal,
): Promise<OrderRecord | null> {
  const rescreened = await rescreen(options, order, signal);
  if (rescreened.outcome === "decided") return keep(options, order, rescreened);
  const { retryAtMs: dueAtMs, problem, revise } = rescreened;
  if (isFollowed(order)) {
    // Once: from here on the problem that shows is the platform's.
    const isFirst = revise.kept?.attempts === 1;
    const entries = isFirst ? [toTimelineEntry(options.now(), "waiting", problem)] : [];
    await saveOrder(options, order, { changes: { revise }, entries, release: false });
    const saveThis = (transition: OrderTransition): Promise<void> => save(options, order, transition);
    await options.enforce(order, platform, signal, followMeanwhile(saveThis, rescreened));
    return null;
  }
  // The state stays: what was done for the former decision is still looked after.
  const entries = order.problem === problem ? [] : [toTimelineEntry(options.now(), "waiting", problem)];
  await saveOrder(options, order, { changes: { dueAtMs, problem, revise }, entries, release: true });
  return null;
}

/** Whether the platform does not follow the order's decision yet. */
function isFollowed({ state }: OrderRecord): boolean {
  return state === "decided" || state === "enforcing" || state === "waiting";
}

/** Keep a decision that takes the place of another one. */
async function keep(
  options: Leased,
  order: OrderRecord,
  { changes, entries, decision }: Superseding,
): Promise<OrderRecord> {
  await saveOrder(options, order, { changes, entries, release: false });
  report(options, order, { outcome: "decided", changes, entries, decision });
  return { ...order, ...changes, revision: null };
}

/** The decided order, or null when it was released: to wait, or to an operator. */
async function decide(options: Leased, order: OrderRecord, signal: AbortSignal): Promise<OrderRecord | null> {
  if (order.decision !== null) return order;
  if (order.mapped === null) {
    const unreadable = order.problem === "DATA_UNREADABLE";
    await failOrder(options, order, unreadable ? order.problem : "ERASED_BEFORE_DECISION");
    return null;
  }
  const decided = await options.decideOrder(order, order.mapped, signal);
  if (decided.outcome === "decided") {
    await saveOrder(options, order, { changes: decided.changes, entries: decided.entries, release: false });
    report(options, order, decided);
    return { ...order, ...decided.changes };
  }
  const { retryAtMs: dueAtMs, problem } = decided;
  const attempts = order.attempts + 1;
  const entries = order.problem === problem ? [] : [toTimelineEntry(options.now(), "waiting", problem)];
  const changes = { state: "waiting", dueAtMs, attempts, problem } as const;
  await saveOrder(options, order, { changes, entries, release: true });
  return null;
}

async function save(options: Leased, order: OrderRecord, transition: OrderTransition): Promise<void> {
  await saveOrder(options, order, transition);
}

/** Whether an order was followed through, and is claimed to be looked at again. */
function isAtRest({ state, decision }: OrderRecord): boolean {
  return decision !== null && (state === "review" || state === "settled");
}

/** Look again at an order that came to rest; resolves to it when it has a new decision, null when it was released. */
async function revisit(
  options: Leased,
  order: OrderRecord,
  platform: Platform,
  signal: AbortSignal,
): Promise<OrderRecord | null> {
  const { now } = options;
  const saveThis = (transition: OrderTransition): Promise<void> => save(options, order, transition);
  if (isToCatchUp(order, now())) {
    const caughtUp = await catchUp(options, order, signal);
    if (caughtUp.outcome === "answered") return keep(options, order, caughtUp.superseding);
    if (caughtUp.outcome === "trial-under-way") {
      await saveThis({ changes: { dueAtMs: caughtUp.dueAtMs }, release: true });
      return null;
    }
    if (order.state === "settled") {
      const attempts = order.attempts + 1;
      await saveThis({ changes: { attempts, dueAtMs: toCatchUpMs(order, attempts, now()) }, release: true });
      return null;
    }
  }
  if (order.state !== "review") {
    await saveThis({ changes: { dueAtMs: null }, release: true });
    return null;
  }
  const changes = await options.keepHold(order, platform, signal, saveThis);
  return changes === null ? null : { ...order, ...changes };
}

/** Count a decision once it is kept, and tell the operator what somebody has to mend. */
function report(
  { metrics, logger }: OrderWorkOptions,
  { platform, tenant, orderId }: OrderRecord,
  { decision, changes }: Extract<OrderDecided, { readonly outcome: "decided" }>,
): void {
  metrics.decided({ platform, ...decision });
  if (changes.skipReason === "PERSONAL_DATA_NOT_GRANTED") {
    const alert = "personal_data_not_granted";
    logger.error(
      { alert, tenant, orderId },
      "the platform withholds the personal data that verification needs: ask it for access",
    );
  }
  if (decision.degraded)
    logger.warn({ reasons: toLoggedReasons(decision.reasons) }, "an order was decided without the service");
}
