import { isHoldfastError, type HoldfastError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { Metrics } from "../metrics.ts";
import type { Decision } from "../../order/decision.ts";
import type { Policy } from "../../policy/policy.ts";
import type {
  IncidentStore,
  OrderRecord,
  OrderState,
  OrderStore,
  StepRecord,
  QuotaStore,
  TimelineEntry,
} from "../../store/store.ts";
import { toProblemChanges, toProblemText, type OrderProblem } from "../../store/orders/timeline.ts";
import { toRetryAtMs, REFUSED_RETRY_MS, type PlatformWork, type SaveOrder } from "../work/order-lease.ts";
import type { CurrentPolicy } from "../decide/order-decision.ts";
import type { EnforcementStep, Platform, StepOutcome, TenantId } from "../../platform/platform.ts";
import { findInquiry } from "../decide/inquiry-hold.ts";
import { isToRescreen } from "../decide/decide-again.ts";
import type { DisputeStore } from "../../store/outcomes/disputes.ts";
import { warnOfLateHold } from "../watch/hold-deadline.ts";
import { isHeldStill, toFinalState, toFormerTags, toStepProblems, toSteps } from "./step-plan.ts";
import {
  toEnd,
  toGapProblem,
  toPartialHoldEntry,
  toProblemEntry,
  toStepRecord,
  toTimelineEntry,
  type TakenStep,
} from "../timeline.ts";

/** Parts of {@link createEnforcement}. */
export interface EnforcementOptions {
  readonly store: Pick<OrderStore, "listSteps" | "getOrder"> &
    QuotaStore &
    Pick<IncidentStore, "openIncident"> &
    Pick<DisputeStore, "listDisputes">;
  readonly policyOf: (tenant: TenantId) => Promise<CurrentPolicy>;
  /** When an order that came to rest is looked at again; null for never. */
  readonly nextLook: (
    order: OrderRecord,
    state: OrderState,
    holdDeadlineMs: number | null,
  ) => Promise<number | null>;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly now: () => number;
}

/** To be tried again: nothing is done yet, or only some of the goods are held. */
type Waiting = Extract<StepOutcome, { readonly outcome: "wait" | "partial" }>;

/** An order that is being followed through. */
interface Following {
  readonly order: OrderRecord;
  readonly decision: Decision;
  readonly policy: Policy;
  readonly platform: Platform;
  readonly signal: AbortSignal;
  /** What was done before, for earlier decisions too. */
  readonly kept: readonly StepRecord[];
  /** The platform was cancelling the order already. */
  readonly wasBegun: boolean;
}

const HOUR_MS = 3_600_000;
/** At the latest; whoever waits for the service comes back earlier. */
const RESCREEN_MS = 5 * 60_000;

/** Make the platform follow decided orders, step by step, and release them. */
export function createEnforcement(options: EnforcementOptions): PlatformWork {
  const { store, policyOf, now } = options;

  return async (order, platform, signal, save) => {
    const { decision, decidedAtMs } = order;
    if (decision === null) throw new TypeError("an order without a decision cannot be enforced");
    const { policy } = await policyOf(order.tenant);
    const kept = await store.listSteps(order);
    // What was done for an earlier decision doesn't count for this one.
    const tried = kept.filter(({ atMs }) => atMs >= (decidedAtMs ?? 0));
    const records = new Map(tried.map((record) => [record.step, record]));
    const wasBegun = isBegun(records.get("cancel")?.memory ?? {});
    let following = { order, decision, policy, platform, signal, kept, wasBegun };
    const coolOff = isToCoolOff(following);
    const waits = new Map<EnforcementStep, Waiting>();

    // Planned again after each step: a cancel that turns out impossible asks for a hold.
    const nextStep = (): EnforcementStep | undefined =>
      toSteps({
        decision,
        skipReason: order.skipReason,
        records: [...records.values()],
        coolOff,
        capture: policy.captureWhenApproved && policy.mode === "active",
      }).find((step) => !waits.has(step) && isToTry(records.get(step)));

    for (let step = nextStep(); step !== undefined; step = nextStep()) {
      signal.throwIfAborted();
      const outcome = await take(options, step, following, records.get(step)?.memory ?? {});
      if (outcome.outcome === "wait" || outcome.outcome === "partial") waits.set(step, outcome);
      const record = toStepRecord(step, outcome, now());
      const entries = toStepEntries(record, outcome, records.get(step));
      const transition = { changes: { state: "enforcing" }, step: record, entries, release: false } as const;
      following = { ...following, order: await save(following.order, transition) };
      records.set(step, record);
    }
    // Nobody else would: no step of this decision touches the order.
    if ([...records.values()].every(({ cause }) => cause === "shadow"))
      await platform.endCheckoutHold?.(order.tenant, order.orderId, { signal });
    const isWaiting = [...waits.values()].some(({ outcome }) => outcome === "wait");
    await (isWaiting
      ? wait(options, following.order, waits, save)
      : settle(options, following, { records: [...records.values()], partial: waits.get("hold") }, save));
    return null;
  };
}

/** A step that was not tried, that waits, or whose hold does not cover all of the goods. */
function isToTry(record: StepRecord | undefined): boolean {
  return record === undefined || record.state === "waiting" || record.memory["gap"] !== undefined;
}

/** What the timeline says about a step. The same gap is told once. */
function toStepEntries(
  { step, state, detail, memory, atMs }: StepRecord,
  outcome: StepOutcome,
  before: StepRecord | undefined,
): readonly TimelineEntry[] {
  if (state === "waiting") return [];
  if (outcome.outcome !== "partial")
    return [toTimelineEntry(atMs, { kind: `${step}-${state}`, ended: toEnd(outcome) }, detail)];
  return memory["gap"] === before?.memory["gap"] ? [] : [toPartialHoldEntry(atMs, outcome.gap, detail)];
}

/** Whoever says to cancel has thought about it, and what has begun is not to be thought about any more. */
function isToCoolOff({ order, decision, policy, wasBegun }: Following): boolean {
  if (decision.source === "person" || wasBegun) return false;
  return policy.cancel.coolOffMinutes > 0 || isToRescreen(order);
}

async function take(
  options: EnforcementOptions,
  step: EnforcementStep,
  following: Following,
  memory: StepRecord["memory"],
): Promise<TakenStep> {
  const { order, decision, policy, platform, signal } = following;
  // Whoever turns to shadow mode wants nothing touched any more, also not what was decided before, but what they decide
  // themselves.
  if (policy.mode === "shadow" && decision.source !== "person")
    return { outcome: "moot", reason: "shadow-mode", cause: "shadow" };
  const held = isFinal(step) ? await holdBack(options, step, following, memory) : null;
  if (held !== null) return held;
  const { tenant, orderId, result } = order;
  const formerTags = toFormerTags(decision);
  const target = { tenant, orderId, decision, formerTags, result, cancel: policy.cancel, memory };
  try {
    const outcome = await platform.enforce(step, target, { signal });
    options.metrics.enforced(step, outcome.outcome);
    return outcome;
  } catch (error) {
    signal.throwIfAborted();
    options.metrics.enforced(step, "error");
    if (!isHoldfastError(error)) throw error;
    return toOutcome(options, order, error, memory);
  }
}

/** Whether the platform is at it, by what the step left behind. */
function isBegun(memory: StepRecord["memory"]): boolean {
  return Object.keys(memory).length > 0;
}

type FinalStep = "cancel" | "release" | "capture";

/** Whether a step can't be taken back: a cancel, a shipment, or money taken. */
function isFinal(step: EnforcementStep): step is FinalStep {
  return step === "cancel" || step === "release" || step === "capture";
}

/** What such a step has to wait for, or why there is none. */
async function holdBack(
  options: EnforcementOptions,
  step: FinalStep,
  following: Following,
  memory: StepRecord["memory"],
): Promise<StepOutcome | null> {
  const { order, decision } = following;
  // A person has decided meanwhile.
  const heard = await options.store.getOrder(order);
  if (heard?.verdict != null) {
    const retryAtMs = Math.max(options.now(), heard.verdict.effectiveAtMs ?? 0);
    return { outcome: "wait", reason: "a-person-decided", retryAtMs, memory };
  }
  if (decision.source === "person" || step === "release") return null;
  return step === "cancel" ? interlock(options, following, memory) : waitForRescreen(options, order, memory);
}

/** What the answer said was said of another address, amount or buyer. */
function waitForRescreen(
  { now }: EnforcementOptions,
  order: OrderRecord,
  memory: StepRecord["memory"],
): StepOutcome | null {
  if (!isToRescreen(order)) return null;
  return { outcome: "wait", reason: "to-be-checked-again", retryAtMs: now() + RESCREEN_MS, memory };
}

/**
 * What stands between a decided cancel and the platform: a change that is to be checked, a bank that asks about the payment,
 * the time to think again, and the most there may be in an hour.
 */
async function interlock(
  options: EnforcementOptions,
  following: Following,
  memory: StepRecord["memory"],
): Promise<StepOutcome | null> {
  const { store, logger, now } = options;
  const { order, policy } = following;
  const { tenant, orderId, decidedAtMs } = order;
  const nowMs = now();
  // What has begun cannot be called back: only how it ends is left to be seen.
  if (isBegun(memory)) return null;
  const rescreen = waitForRescreen(options, order, memory);
  if (rescreen !== null) return rescreen;
  // Asked last of all: the inquiry may have come while the steps before this one were taken.
  if ((await findInquiry(store, order)) !== null)
    return { outcome: "wait", reason: "dispute-inquiry", retryAtMs: nowMs, memory };
  const coolMs = (decidedAtMs ?? nowMs) + policy.cancel.coolOffMinutes * 60_000;
  if (nowMs < coolMs) return { outcome: "wait", reason: "cooling-off", retryAtMs: coolMs, memory };
  const max = policy.cancel.maxPerHour;
  const quota = { tenant, name: "cancel", key: orderId, sinceMs: nowMs - HOUR_MS, max, nowMs };
  // Whoever released the order in the meantime has thought again, and said no.
  if (policy.cancel.coolOffMinutes > 0 && (await isReleased(store, following))) {
    return { outcome: "moot", reason: "released-while-cooling-off" };
  }
  if (await store.takeQuota(quota)) return null;
  logger.error(
    { alert: "cancel_limit_reached", tenant, orderId },
    "more cancels than the policy allows in an hour: held instead",
  );
  return { outcome: "impossible", reason: "cancel-limit-reached" };
}

/** Whether the hold that came first is gone from an order that can still be cancelled. */
async function isReleased(
  store: EnforcementOptions["store"],
  { order, platform, signal }: Following,
): Promise<boolean> {
  const steps = await store.listSteps(order);
  if (!steps.some(({ step, state }) => step === "hold" && state === "done")) return false;
  const observed = await platform.observe(order.tenant, order.orderId, { signal });
  return observed !== null && !observed.cancelled && !observed.fulfilled && observed.holds.length === 0;
}

/** A failed call is tried again; one that was refused as a whole waits for a person, who is told. */
function toOutcome(
  { logger, now }: EnforcementOptions,
  order: OrderRecord,
  error: HoldfastError,
  memory: StepRecord["memory"],
): StepOutcome {
  const { code } = error;
  if (error.retryable) {
    return {
      outcome: "wait",
      reason: code,
      retryAtMs: toRetryAtMs(order.attempts, now(), error.retryAtMs),
      memory,
    };
  }
  if (code !== "PLATFORM_REFUSED") return { outcome: "impossible", reason: code };
  if (!order.problems.some((problem) => problem.code === code)) {
    logger.error(
      { err: error, alert: "platform_refused", tenant: order.tenant, orderId: order.orderId },
      "the platform refuses what a decision needs",
    );
  }
  return { outcome: "wait", reason: code, retryAtMs: now() + REFUSED_RETRY_MS, memory };
}

/** Every step has ended, or only the rest of a hold is missing, which is looked after at rest: the order comes to rest. */
async function settle(
  options: EnforcementOptions,
  { order, decision, policy, kept, wasBegun }: Following,
  { records, partial }: { readonly records: readonly StepRecord[]; readonly partial: Waiting | undefined },
  save: SaveOrder,
): Promise<void> {
  const { metrics, logger, now, nextLook } = options;
  const isHeld = isHeldStill(decision, [...records, ...kept]);
  // A hold goes on having an owner and a deadline.
  const state = isHeld ? "review" : toFinalState(records);
  const failed = toStepProblems(records);
  const problems = [...failed, ...toGaps(partial)];
  const settledAtMs = now();
  const detail = isHeld ? "nothing is touched: our hold stays" : "the platform follows the decision";
  const changed = toProblemChanges(problems);
  const entries = [toTimelineEntry(settledAtMs, { kind: state, problems }, changed.problem ?? detail)];
  const deadlineMs = settledAtMs + policy.hold.deadlineHours * HOUR_MS;
  const holdDeadlineMs = state === "review" ? (order.holdDeadlineMs ?? deadlineMs) : null;
  // A change that came too late to stop the cancel was left until it had ended.
  const isUnchecked = wasBegun && isToRescreen(order);
  const lookMs = isUnchecked ? settledAtMs : await nextLook(order, state, holdDeadlineMs);
  const dueAtMs = toEarlier(lookMs, partial?.retryAtMs);
  const changes = { state, ...changed, dueAtMs, attempts: 0, settledAtMs, holdDeadlineMs };
  await save(order, { changes, entries, release: true });
  if (order.settledAtMs === null) metrics.settled(settledAtMs - order.receivedAtMs);
  if (partial !== undefined) await warnOfLateHold(options, order, toGaps(partial));
  if (failed.length > 0)
    logger.error(
      {
        alert: "enforcement_failed",
        problem: toProblemText(failed),
        tenant: order.tenant,
        orderId: order.orderId,
      },
      "the platform does not follow a decision",
    );
}

/** Some steps cannot be done yet: the order is due again when the first of them may be. */
async function wait(
  options: EnforcementOptions,
  order: OrderRecord,
  waiting: ReadonlyMap<EnforcementStep, Waiting>,
  save: SaveOrder,
): Promise<void> {
  const { now } = options;
  const waits = [...waiting.values()];
  const dueAtMs = Math.min(...waits.map(({ retryAtMs }) => retryAtMs));
  const problems = waits.flatMap((waiting) =>
    waiting.outcome === "wait" ? [{ code: waiting.reason }] : toGaps(waiting),
  );
  if (waiting.has("hold")) await warnOfLateHold(options, order, problems);
  const changed = toProblemChanges(problems);
  const entries = order.problem === changed.problem ? [] : [toProblemEntry(now(), "waiting", problems)];
  const changes = { state: "waiting", dueAtMs, ...changed, attempts: order.attempts + 1 } as const;
  await save(order, { changes, entries, release: true });
}

function toGaps(waiting: Waiting | undefined): readonly OrderProblem[] {
  return waiting?.outcome === "partial" ? [toGapProblem(waiting.gap)] : [];
}

function toEarlier(lookMs: number | null, retryAtMs: number | undefined): number | null {
  return retryAtMs === undefined ? lookMs : Math.min(lookMs ?? retryAtMs, retryAtMs);
}
