import { isHoldfastError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { Decision } from "../../order/decision.ts";
import {
  SANDBOX_PLATFORM,
  type EnforcementTarget,
  type Platform,
  type StepOutcome,
  type TenantId,
} from "../../platform/platform.ts";
import type { Policy } from "../../policy/policy.ts";
import type { ServiceAccess } from "../../screening/screening-task.ts";
import type { Keyring } from "../../store/sealing/keyring.ts";
import type { OrderRecord, OrderStore, StepRecord } from "../../store/store.ts";
import type { Metrics } from "../metrics.ts";
import { toStepRecord, toTimelineEntry } from "../timeline.ts";
import type { PlatformWork, SaveOrder } from "../work/order-lease.ts";
import { applyLists, toSendable } from "./order-decision.ts";
import type { CurrentPolicy, PolicyOf } from "../../settings/current-policy.ts";

/** Parts of {@link createCheckingHold}. */
export interface CheckingHoldOptions {
  readonly store: Pick<OrderStore, "listSteps">;
  /** Recognizes buyers on the policy's lists. */
  readonly keyring: Pick<Keyring, "digest">;
  readonly policyOf: PolicyOf;
  /** The service a tenant's orders are asked of; null for the local engine alone. */
  readonly accessOf: (tenant: TenantId) => Promise<ServiceAccess | null> | ServiceAccess | null;
  readonly metrics: Pick<Metrics, "enforced">;
  readonly logger: Logger;
  readonly now: () => number;
}

/**
 * What can't be held yet can't ship yet: platforms route an order for fulfilment seconds after it came. So the hold goes
 * first, and the check waits for it this long at most.
 */
const HOLD_FIRST_MS = 60_000;

/** Keep orders from shipping until they are decided, where the policy says so (`whileChecking: "hold"`). */
export function createCheckingHold(options: CheckingHoldOptions): PlatformWork {
  const { store, policyOf, accessOf, now } = options;

  return async (order, platform, signal, save) => {
    if (order.decision !== null || order.recordOnly || order.platform === SANDBOX_PLATFORM) return order;
    const current = await policyOf(order.tenant);
    if (!isToHold(options, order, current.policy) || (await accessOf(order.tenant)) === null) return order;
    const former = (await store.listSteps(order)).find(({ step }) => step === "hold");
    if (former !== undefined && former.state !== "waiting") return order;
    const memory = former?.memory ?? {};
    // Noted first: whoever finds the note takes the hold back, even if this process ends before it hears that it is there.
    const note: StepRecord = { step: "hold", state: "waiting", detail: "", memory, atMs: now() };
    const noted =
      former === undefined ? await save(order, { changes: {}, step: note, release: false }) : order;
    const outcome = await place(options, platform, toTarget(order, current, memory), signal);
    return outcome === null ? noted : keep(noted, outcome, now(), save);
  };
}

async function keep(
  order: OrderRecord,
  outcome: StepOutcome,
  nowMs: number,
  save: SaveOrder,
): Promise<OrderRecord | null> {
  const step = toStepRecord("hold", outcome, nowMs);
  if (outcome.outcome === "wait" && nowMs < order.receivedAtMs + HOLD_FIRST_MS) {
    const changes = { state: "waiting", dueAtMs: outcome.retryAtMs } as const;
    await save(order, { changes, step, release: true });
    return null;
  }
  const isHeld = outcome.outcome === "done" || outcome.outcome === "partial";
  const entries = isHeld ? [toTimelineEntry(nowMs, { kind: "held-to-check" }, outcome.detail)] : [];
  return save(order, { changes: {}, step, entries, release: false });
}

function toTarget(
  { tenant, orderId }: OrderRecord,
  { policy: { cancel }, version: policyVersion }: CurrentPolicy,
  memory: StepRecord["memory"],
): EnforcementTarget {
  const decision = { ...UNTIL_DECIDED, policyVersion };
  return { tenant, orderId, decision, undecided: true, formerTags: [], result: null, cancel, memory };
}

/** Only what the service is asked about takes time to check. */
function isToHold(options: CheckingHoldOptions, order: OrderRecord, policy: Policy): boolean {
  const { mapped } = order;
  if (policy.whileChecking !== "hold" || policy.mode === "shadow" || mapped === null) return false;
  const own = applyLists(options, order, mapped, policy);
  return "request" in toSendable(mapped, own.policy, own.listed);
}

/** What the platform is given in place of a decision. */
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

/** Null when the platform could not be asked. */
async function place(
  { metrics, logger }: CheckingHoldOptions,
  platform: Platform,
  target: EnforcementTarget,
  signal: AbortSignal,
): Promise<StepOutcome | null> {
  try {
    const outcome = await platform.enforce("hold", target, { signal });
    metrics.enforced("hold", outcome.outcome);
    return outcome;
  } catch (error) {
    signal.throwIfAborted();
    metrics.enforced("hold", "error");
    if (!isHoldfastError(error)) throw error;
    // The check goes on: its decision meets the same platform, and says what is wrong with it.
    logger.warn({ err: error, orderId: target.orderId }, "an order can't be held while it is checked");
    return null;
  }
}
