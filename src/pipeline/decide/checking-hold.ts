import { isHoldfastError } from "../../base/errors.ts";
import { isStop, type Decision } from "../../order/decision.ts";
import { SANDBOX_PLATFORM } from "../../platform/platform.ts";
import type { StepOutcome } from "../../platform/enforcement-step.ts";
import { applyLists } from "../../policy/lists.ts";
import type { Policy } from "../../policy/policy.ts";
import { toSendable } from "../../policy/sendable.ts";
import type { OrderRecord, StepRecord } from "../../store/store.ts";
import { findStep, FOR_RECHECK, isHeldForRecheck } from "../order-life/step-plan.ts";
import { takeStep, type StepToTake } from "../enforce/enforcement.ts";
import { toStepRecord, toTimelineEntry } from "../timeline.ts";
import { release } from "../save-order.ts";
import type { OrderTask } from "../tasks.ts";
import { needsRecheck } from "../order-life/changed-order.ts";

/**
 * An order that can't be held yet can't ship yet: platforms route it for fulfillment seconds after it was placed. So the hold
 * comes first, and the check waits at most this long for it.
 */
const HOLD_FIRST_MS = 60_000;

const UNTIL_DECIDED: Omit<Decision, "policyVersion"> = {
  action: "hold",
  tags: [],
  reasons: ["held-to-check"],
  source: "policy",
  degraded: false,
  riskLevel: null,
  riskScore: null,
  enforce: true,
};

/** Hold an order until it is decided, or decided again, if the policy says so (`whileChecking: "hold"`). */
export async function holdWhileChecking(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  const { store, save, now } = task;
  if (needsNoHold(order) || order.recordOnly || order.platform === SANDBOX_PLATFORM) return order;
  const { policy, version: policyVersion } = await task.policyOf(order.tenant);
  if (!needsHold(task, order, policy) || (await task.accessOf(order.tenant)) === null) return order;
  const former = findCheckingHold(order, await store.listSteps(order));
  if (former !== undefined && former.state !== "waiting") return order;
  const memory = former?.memory ?? {};
  // Save first, so that the next decision removes the hold even if this process dies before it knows that the hold exists.
  const note: StepRecord = {
    step: "hold",
    state: "waiting",
    detail: "",
    memory,
    ...toNotes(order),
    atMs: now(),
  };
  const noted = former === undefined ? await save(order, { changes: {}, step: note, release: false }) : order;
  const decision = { ...UNTIL_DECIDED, policyVersion };
  const outcome = await tryToHold(task, { order, decision, policy, memory, undecided: true });
  return outcome === null ? noted : recordHold(task, noted, outcome);
}

/**
 * Whether no hold is needed before the next decision: no decision is due, or the order is already held, was released by a
 * person, or is being canceled.
 */
function needsNoHold(order: OrderRecord): boolean {
  if (order.decision === null) return false;
  return !needsRecheck(order) || isStop(order.decision.action);
}

function findCheckingHold({ decision }: OrderRecord, steps: readonly StepRecord[]): StepRecord | undefined {
  return decision === null || isHeldForRecheck(steps) ? findStep(steps, "hold") : undefined;
}

function toNotes({ decision }: OrderRecord): Pick<StepRecord, "notes"> {
  return decision === null ? {} : { notes: FOR_RECHECK };
}

/** Save how the hold ended. A first check waits for a hold that isn't possible yet. */
async function recordHold(
  task: OrderTask,
  order: OrderRecord,
  outcome: StepOutcome,
): Promise<OrderRecord | null> {
  const step = { ...toStepRecord("hold", outcome, task.now()), ...toNotes(order) };
  const isFirst = order.decision === null;
  if (isFirst && outcome.outcome === "wait" && step.atMs < order.receivedAtMs + HOLD_FIRST_MS) {
    const changes = { state: "waiting", dueAtMs: outcome.retryAtMs } as const;
    return release(task, order, { changes, step });
  }
  const isHeld = outcome.outcome === "done" || outcome.outcome === "partial";
  const entries = isHeld ? [toTimelineEntry(step.atMs, { kind: "held-to-check" }, outcome.detail)] : [];
  return task.save(order, { changes: {}, step, entries, release: false });
}

/** Only orders that are sent to the service take time to check. */
function needsHold(task: OrderTask, order: OrderRecord, policy: Policy): boolean {
  const mapped = order.revision?.rescreen === true ? order.revision.mapped : order.mapped;
  if (policy.whileChecking !== "hold" || policy.mode === "shadow" || mapped === null) return false;
  const { tenant, receivedAtMs } = order;
  const own = applyLists(policy, mapped, receivedAtMs, (purpose, text) =>
    task.store.keyring.digest(tenant, purpose, text),
  );
  return "request" in toSendable(mapped, own.policy, own.listed);
}

/** Null if the call to the platform failed. */
async function tryToHold(task: OrderTask, hold: StepToTake): Promise<StepOutcome | null> {
  try {
    return await takeStep(task, "hold", hold);
  } catch (error) {
    task.signal.throwIfAborted();
    if (!isHoldfastError(error)) throw error;
    // The check continues. If the platform still fails, applying the decision reports it.
    const { orderId } = hold.order;
    task.logger.warn({ err: error, orderId }, "an order couldn't be held during its check");
    return null;
  }
}
