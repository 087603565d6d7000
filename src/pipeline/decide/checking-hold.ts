import { isHoldfastError } from "../../base/errors.ts";
import type { Decision } from "../../order/decision.ts";
import type { StepOutcome } from "../../platform/enforcement-step.ts";
import { readAgent } from "../../policy/agent-orders.ts";
import { applyLists } from "../../policy/lists.ts";
import type { Policy } from "../../policy/policy.ts";
import { toSendable } from "../../policy/sendable.ts";
import type { OrderRecord, StepRecord } from "../../store/store.ts";
import { FOR_RECHECK } from "../order-life/step-plan.ts";
import { takeStep, type StepToTake } from "../enforce/take-step.ts";
import { toStepRecord, toTimelineEntry } from "../timeline.ts";
import { learn, type Situation } from "../order-life/situation.ts";
import type { Handler, OrderTask } from "../tasks.ts";

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

/** Hold an order until it is decided, or decided again. */
export const holdToCheck: Handler<"hold-to-check"> = async (task, received, { placed }) => {
  const tried = learn(received, { triedToHold: true });
  const { order, policy, policyVersion } = tried;
  if (!isSent(task, order, policy) || (await task.accessOf(order.tenant)) === null) return tried;
  const memory = placed?.memory ?? {};
  // Save first, so that the next decision removes the hold even if this process dies before it knows that the hold exists.
  const noted = placed === undefined ? await noteHold(task, tried) : tried;
  const decision = { ...UNTIL_DECIDED, policyVersion };
  const outcome = await tryToHold(task, { order, decision, policy, memory, undecided: true });
  return outcome === null ? noted : recordHold(task, noted, outcome);
};

function noteHold(task: OrderTask, situation: Situation): Promise<Situation> {
  const hold = { step: "hold", state: "waiting", detail: "", memory: {}, atMs: task.now() } as const;
  return task.save(situation, { changes: {}, step: { ...hold, ...toNotes(situation.order) } });
}

function toNotes({ decision }: OrderRecord): Pick<StepRecord, "notes"> {
  return decision === null ? {} : { notes: FOR_RECHECK };
}

/** Save how the hold ended. A first check waits for a hold that isn't possible yet. */
async function recordHold(task: OrderTask, situation: Situation, outcome: StepOutcome) {
  const { order } = situation;
  const step = { ...toStepRecord("hold", outcome, task.now()), ...toNotes(order) };
  const isFirst = order.decision === null;
  if (isFirst && outcome.outcome === "wait" && step.atMs < order.receivedAtMs + HOLD_FIRST_MS) {
    const changes = { state: "waiting", dueAtMs: outcome.retryAtMs } as const;
    return task.end(situation, { changes, step });
  }
  const isHeld = outcome.outcome === "done" || outcome.outcome === "partial";
  const entries = isHeld ? [toTimelineEntry(step.atMs, { kind: "held-to-check" }, outcome.detail)] : [];
  return task.save(situation, { changes: {}, step, entries });
}

/** Only orders that are sent to the service take time to check. */
function isSent({ store }: OrderTask, order: OrderRecord, policy: Policy): boolean {
  const { tenant, receivedAtMs, revision } = order;
  const content = revision?.rescreen === true ? revision.mapped : order.mapped;
  if (content === null) return false;
  const mapped = readAgent(content, policy);
  const own = applyLists(policy, mapped, receivedAtMs, (purpose, text) =>
    store.keyring.digest(tenant, purpose, text),
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
