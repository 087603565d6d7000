import { raiseAlert } from "../../base/alerts.ts";
import type { EnforcementStep, StepOutcome } from "../../platform/enforcement-step.ts";
import type { OrderRecord } from "../../store/store.ts";
import { needsRecheck } from "../order-life/changed-order.ts";
import { isFinal } from "../order-life/hold-deadline.ts";
import { findInquiry } from "../order-life/inquiry.ts";
import { toTried, type Applying } from "../order-life/step-pass.ts";
import { findStep } from "../order-life/step-plan.ts";
import type { OrderTask } from "../tasks.ts";
import { findRelease } from "./observe.ts";

interface ToApply extends Applying {
  /** The platform was already canceling the order. */
  readonly wasBegun: boolean;
}

const HOUR_MS = 3_600_000;
/** Look again after this, or earlier if the service can be asked again. */
const RESCREEN_MS = 5 * 60_000;

/** Steps that can't be undone: the order is canceled, can ship, or its payment is captured. */
const FINAL: ReadonlySet<EnforcementStep> = new Set(["cancel", "release", "capture"]);

/** What such a step has to wait for, or why it isn't taken; null to take it. */
export async function holdBack(
  task: OrderTask,
  step: EnforcementStep,
  toApply: ToApply,
): Promise<StepOutcome | null> {
  const { decision } = toApply;
  if (!FINAL.has(step)) return null;
  // Use the order as it is now: a person may have decided meanwhile, or the platform changed the order.
  const order = (await task.store.orders.get(toApply.order)) ?? toApply.order;
  if (order.review !== null) {
    const retryAtMs = Math.max(task.now(), order.review.effectiveAtMs ?? 0);
    return { outcome: "wait", reason: "a-person-decided", retryAtMs };
  }
  if (decision.source === "person") return null;
  return step === "cancel" ? guardCancel(task, { ...toApply, order }) : waitForRescreen(task, order);
}

/** The order changed: the answer was about another address, amount or buyer. */
function waitForRescreen({ now }: OrderTask, order: OrderRecord): StepOutcome | null {
  if (!needsRecheck(order)) return null;
  return { outcome: "wait", reason: "to-be-checked-again", retryAtMs: now() + RESCREEN_MS };
}

/**
 * What can stop or delay a decided cancel: a change that has to be checked, a bank that asks about the payment, the cool-off,
 * a person who released the hold, and the hourly limit.
 */
async function guardCancel(task: OrderTask, toApply: ToApply): Promise<StepOutcome | null> {
  const { store, logger, now } = task;
  const { order, policy, wasBegun } = toApply;
  const { tenant, orderId, decidedAtMs } = order;
  const nowMs = now();
  // A cancel that has begun can't be stopped. Only its end is still open.
  if (wasBegun) return null;
  const rescreen = waitForRescreen(task, order);
  if (rescreen !== null) return rescreen;
  // Ask right before the cancel: the inquiry may have come during the steps before.
  const disputes = (await store.outcomes.listDisputes(tenant, [orderId])).get(orderId) ?? [];
  if (findInquiry(disputes) !== undefined)
    return { outcome: "wait", reason: "dispute-inquiry", retryAtMs: nowMs };
  const coolMs = (decidedAtMs ?? nowMs) + policy.cancel.coolOffMinutes * 60_000;
  if (policy.cancel.coolOffMinutes > 0 && nowMs < coolMs)
    return { outcome: "wait", reason: "cooling-off", retryAtMs: coolMs };
  const max = policy.cancel.maxPerHour;
  const quota = { tenant, name: "cancel", key: orderId, sinceMs: nowMs - HOUR_MS, max, nowMs };
  // A person who released the hold meanwhile has decided against the cancel.
  if (await isReleased(task, toApply)) {
    return { outcome: "moot", reason: "released-while-cooling-off" };
  }
  if (await store.ledger.takeQuota(quota)) return null;
  raiseAlert(
    logger,
    "cancel_limit_reached",
    { tenant, orderId },
    "the policy's hourly limit for cancels is reached: the order is held instead",
  );
  return { outcome: "impossible", reason: "cancel-limit-reached" };
}

/** Whether the hold that came before the cancel is gone, and the order can still be canceled. */
async function isReleased(task: OrderTask, toApply: ToApply): Promise<boolean> {
  const hold = findStep(toTried(toApply), "hold");
  const release = hold?.state === "done" ? await findRelease(task, toApply.order, hold) : null;
  return release !== null && isFinal(release);
}
