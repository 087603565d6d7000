import { isHoldfastError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { Decision } from "../policy/decision.ts";
import type { OrderRecord, OrderStore, OrderTransition, StepRecord } from "../store/store.ts";
import { toRetryAtMs } from "./backoff.ts";
import type { CurrentPolicy } from "./order-decision.ts";
import type { EnforcementStep, Platform, StepOutcome, TenantId } from "./platform.ts";
import { toFinalState, toProblem, toSteps } from "./steps.ts";
import { toTimelineEntry } from "./timeline.ts";

/** Parts of {@link createEnforcement}. */
export interface EnforcementOptions {
  readonly store: Pick<OrderStore, "listSteps">;
  readonly policyOf: (tenant: TenantId) => Promise<CurrentPolicy>;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly now: () => number;
}

/** Writes a transition of the order at hand; throws when its lease was lost. */
export type SaveOrder = (transition: OrderTransition) => Promise<void>;

/** Makes the platform follow a decided order, step by step, and releases the order. */
export type EnforcementWork = (
  order: OrderRecord,
  platform: Platform,
  signal: AbortSignal,
  save: SaveOrder,
) => Promise<void>;

type Waiting = Extract<StepOutcome, { readonly outcome: "wait" }>;

/** An order that is being followed through. */
interface Following {
  readonly order: OrderRecord;
  readonly decision: Decision;
  readonly platform: Platform;
  readonly signal: AbortSignal;
}

/** Create the {@link EnforcementWork} of an app. */
export function createEnforcement(options: EnforcementOptions): EnforcementWork {
  const { store, now } = options;

  return async (order, platform, signal, save) => {
    const { decision, skipReason } = order;
    if (decision === null) throw new TypeError("an order without a decision cannot be enforced");
    const following = { order, decision, platform, signal };
    const records = new Map((await store.listSteps(order)).map((record) => [record.step, record]));
    const waits = new Map<EnforcementStep, Waiting>();

    // Planned anew after each step: a cancel that turns out impossible asks for a hold.
    const nextStep = (): EnforcementStep | undefined =>
      toSteps(decision, skipReason, [...records.values()]).find(
        (step) => !waits.has(step) && (records.get(step)?.state ?? "waiting") === "waiting",
      );

    for (let step = nextStep(); step !== undefined; step = nextStep()) {
      signal.throwIfAborted();
      const outcome = await take(options, step, following, records.get(step)?.memory ?? {});
      if (outcome.outcome === "wait") waits.set(step, outcome);
      const record = toRecord(step, outcome, now());
      const entries =
        record.state === "waiting" ? [] : [toTimelineEntry(now(), `${step}-${record.state}`, record.detail)];
      await save({ changes: { state: "enforcing" }, step: record, entries, release: false });
      records.set(step, record);
    }
    await (waits.size > 0
      ? wait(options, order, [...waits.values()], save)
      : settle(options, order, [...records.values()], save));
  };
}

async function take(
  { policyOf, metrics, now }: EnforcementOptions,
  step: EnforcementStep,
  { order, decision, platform, signal }: Following,
  memory: StepRecord["memory"],
): Promise<StepOutcome> {
  const { tenant, orderId, result } = order;
  const { policy } = await policyOf(tenant);
  const target = { tenant, orderId, decision, result, cancel: policy.cancel, memory };
  try {
    const outcome = await platform.enforce(step, target, { signal });
    metrics.enforced(step, outcome.outcome);
    return outcome;
  } catch (error) {
    signal.throwIfAborted();
    metrics.enforced(step, "error");
    if (!isHoldfastError(error)) throw error;
    if (!error.retryable) return { outcome: "impossible", reason: error.code };
    const retryAtMs = toRetryAtMs(order.attempts, now(), error.retryAtMs);
    return { outcome: "wait", reason: error.code, retryAtMs, memory };
  }
}

/** Every step has ended: the order comes to rest. */
async function settle(
  { policyOf, metrics, logger, now }: EnforcementOptions,
  order: OrderRecord,
  records: readonly StepRecord[],
  save: SaveOrder,
): Promise<void> {
  const state = toFinalState(records);
  const problem = toProblem(records);
  const settledAtMs = now();
  const entries = [toTimelineEntry(settledAtMs, state, problem ?? "the platform follows the decision")];
  const { policy } = await policyOf(order.tenant);
  const deadlineMs = settledAtMs + policy.hold.deadlineHours * 3_600_000;
  const holdDeadlineMs = state === "review" ? (order.holdDeadlineMs ?? deadlineMs) : null;
  const changes = { state, problem, dueAtMs: null, attempts: 0, settledAtMs, holdDeadlineMs };
  await save({ changes, entries, release: true });
  metrics.settled(settledAtMs - order.receivedAtMs);
  if (problem !== null)
    logger.error({ alert: "enforcement_failed", problem }, "the platform does not follow a decision");
}

/** Some steps cannot be done yet: the order is due again when the first of them may be. */
async function wait(
  { now }: EnforcementOptions,
  order: OrderRecord,
  waits: readonly Waiting[],
  save: SaveOrder,
): Promise<void> {
  const dueAtMs = Math.min(...waits.map(({ retryAtMs }) => retryAtMs));
  const problem = waits.map(({ reason }) => reason).join(" ");
  const entries = order.problem === problem ? [] : [toTimelineEntry(now(), "waiting", problem)];
  const changes = { state: "waiting", dueAtMs, problem, attempts: order.attempts + 1 } as const;
  await save({ changes, entries, release: true });
}

function toRecord(step: EnforcementStep, outcome: StepOutcome, atMs: number): StepRecord {
  switch (outcome.outcome) {
    case "done":
      return { step, state: "done", detail: outcome.detail, memory: {}, atMs };
    case "wait":
      return { step, state: "waiting", detail: outcome.reason, memory: outcome.memory ?? {}, atMs };
    default:
      return { step, state: outcome.outcome, detail: outcome.reason, memory: {}, atMs };
  }
}
