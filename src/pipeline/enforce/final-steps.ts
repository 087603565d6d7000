import type { Decision } from "../../order/decision.ts";
import type { EnforcementStep, StepOutcome } from "../../platform/enforcement-step.ts";
import type { Policy } from "../../policy/policy.ts";
import { findInquiry } from "../../store/outcomes/disputes.ts";
import type { OrderRecord, StepRecord } from "../../store/store.ts";
import { isToRescreen } from "../decide/detail.ts";
import type { OrderTask } from "../tasks.ts";

/** A decision that the platform is made to follow. */
export interface FollowedDecision {
  readonly order: OrderRecord;
  readonly decision: Decision;
  readonly policy: Policy;
  /** The platform was cancelling the order already. */
  readonly wasBegun: boolean;
}

const HOUR_MS = 3_600_000;
/** At the latest; whoever waits for the service comes back earlier. */
const RESCREEN_MS = 5 * 60_000;

/** Steps that can't be taken back: a cancel, a shipment, or money taken. */
const FINAL: ReadonlySet<EnforcementStep> = new Set(["cancel", "release", "capture"]);

/** What such a step has to wait for, or why there is none. */
export async function holdBack(
  task: OrderTask,
  step: EnforcementStep,
  followed: FollowedDecision,
): Promise<StepOutcome | null> {
  const { decision } = followed;
  if (!FINAL.has(step)) return null;
  // As it is by now: a person may have decided meanwhile, or the platform changed the order.
  const order = (await task.store.getOrder(followed.order)) ?? followed.order;
  if (order.verdict !== null) {
    const retryAtMs = Math.max(task.now(), order.verdict.effectiveAtMs ?? 0);
    return { outcome: "wait", reason: "a-person-decided", retryAtMs };
  }
  if (decision.source === "person") return null;
  return step === "cancel" ? interlock(task, { ...followed, order }) : waitForRescreen(task, order);
}

/** What the answer said was said of another address, amount or buyer. */
function waitForRescreen({ now }: OrderTask, order: OrderRecord): StepOutcome | null {
  if (!isToRescreen(order)) return null;
  return { outcome: "wait", reason: "to-be-checked-again", retryAtMs: now() + RESCREEN_MS };
}

/**
 * What stands between a decided cancel and the platform: a change that is to be checked, a bank that asks about the payment,
 * the time to think again, and the most there may be in an hour.
 */
async function interlock(
  task: OrderTask,
  { order, policy, wasBegun }: FollowedDecision,
): Promise<StepOutcome | null> {
  const { store, logger, now } = task;
  const { tenant, orderId, decidedAtMs } = order;
  const nowMs = now();
  // What has begun cannot be called back: only how it ends is left to be seen.
  if (wasBegun) return null;
  const rescreen = waitForRescreen(task, order);
  if (rescreen !== null) return rescreen;
  // Asked last of all: the inquiry may have come while the steps before this one were taken.
  if ((await findInquiry(store, order)) !== null)
    return { outcome: "wait", reason: "dispute-inquiry", retryAtMs: nowMs };
  const coolMs = (decidedAtMs ?? nowMs) + policy.cancel.coolOffMinutes * 60_000;
  if (policy.cancel.coolOffMinutes > 0 && nowMs < coolMs)
    return { outcome: "wait", reason: "cooling-off", retryAtMs: coolMs };
  const max = policy.cancel.maxPerHour;
  const quota = { tenant, name: "cancel", key: orderId, sinceMs: nowMs - HOUR_MS, max, nowMs };
  // Whoever released the order in the meantime has thought again, and said no.
  if (await isReleased(task, order)) {
    return { outcome: "moot", reason: "released-while-cooling-off" };
  }
  if (await store.takeQuota(quota)) return null;
  logger.error(
    { alert: "cancel_limit_reached", tenant, orderId },
    "more cancels than the policy allows in an hour: held instead",
  );
  return { outcome: "impossible", reason: "cancel-limit-reached" };
}

/** Whether the hold that came before the cancel is gone from an order that can still be cancelled. */
async function isReleased({ store, platform, signal }: OrderTask, order: OrderRecord): Promise<boolean> {
  const steps = await store.listSteps(order);
  const isOfDecision = ({ atMs }: StepRecord) => atMs >= (order.decidedAtMs ?? 0);
  const hold = steps.find((taken) => taken.step === "hold" && taken.state === "done" && isOfDecision(taken));
  if (hold === undefined) return false;
  const asked = { signal, holdMemory: hold.memory };
  const observed = await platform.observe(order.tenant, order.orderId, asked);
  if (observed === null || observed.cancelled || observed.fulfilled) return false;
  return observed.holds.length === 0 && observed.holdsReplaced !== true;
}
