import { toKnown, SANDBOX_PLATFORM, type MappedOrder } from "../../platform/platform.ts";
import type { ErrorCode } from "../../base/errors.ts";
import { toLinkKeys } from "../../engine/velocity/keys.ts";
import { findListed, findSnoozed, leaveOut, type ListMatch } from "../../policy/lists.ts";
import type { Policy } from "../../policy/policy.ts";
import { toSendable } from "../../policy/sendable.ts";
import { NO_POLICY_VERSION } from "../../settings/current-policy.ts";
import type { Decision } from "../../order/decision.ts";
import type { SkipReason } from "../../order/skip-reasons.ts";
import { isOptedOut } from "../../policy/rules.ts";
import { toOrderFacts, toStoredFacts, type StoredFacts } from "../../policy/order-facts.ts";
import {
  decideOrder,
  toBasis,
  type DecisionBasis,
  type DecisionWithResult,
} from "../../screening/decide-order.ts";
import type { Screened, ScreeningInput, ServiceAccess } from "../../screening/screening-task.ts";
import type { OrderChanges, OrderRecord, TimelineEntry } from "../../store/store.ts";
import { toHoldDeadlineMs } from "../order-life/hold-deadline.ts";
import { toAnswerWaitMs, toPatientRetryAtMs, type WaitingOrder } from "../order-life/retry-delay.ts";
import type { OrderTask } from "../tasks.ts";
import { toDecidedEntry } from "../timeline.ts";

export type DecisionParts = Pick<
  OrderTask,
  "store" | "screening" | "engine" | "velocity" | "policyOf" | "accessOf" | "now" | "upSinceMs"
>;

/** What a decision needs to know about an order besides its content. */
export type OrderToDecide = WaitingOrder &
  Pick<OrderRecord, "tenant" | "platform" | "orderId" | "receivedAtMs" | "recordOnly" | "verdict">;

export type OrderDecided =
  | {
      readonly outcome: "decided";
      readonly decision: Decision;
      readonly changes: OrderChanges;
      readonly entries: readonly TimelineEntry[];
      /** When the service may be asked again, if it couldn't be asked now and the time is known. */
      readonly askAgainAtMs?: number | undefined;
    }
  /** The service can't be asked now, and it's worth waiting for. */
  | { readonly outcome: "postponed"; readonly retryAtMs: number; readonly problem: string };

/**
 * Decide one order: ask the service if possible, and otherwise decide without it. With `kept`, the service isn't asked, and the
 * decision is based on that.
 */
export async function makeDecision(
  parts: DecisionParts,
  order: OrderToDecide,
  mapped: MappedOrder,
  signal: AbortSignal,
  kept?: DecisionBasis,
): Promise<OrderDecided> {
  const { engine, now } = parts;
  const { policy: own, version: policyVersion } = await parts.policyOf(order.tenant);
  const isSandbox = order.platform === SANDBOX_PLATFORM;
  // A sandbox order is always judged by the local engine, whatever `testOrders` says, and costs nothing.
  const whole: Policy = isSandbox ? { ...own, testOrders: "local" } : own;
  const { policy, listed, snoozed } = applyLists(parts, order, mapped, whole);
  const counted = count(parts, order, mapped);
  const waiting = toWaiting(parts, order);
  const ask = async (): Promise<JudgedBasis> => {
    const access = await parts.accessOf(order.tenant);
    const limits = { signal, deadlineMs: toAnswerWaitMs(waiting, now()) };
    const found = await findBasis(parts, order, mapped, { policy, listed, access }, limits);
    const isChosen = found.basis.kind === "skipped" && SAVED_BY_CHOICE.has(found.basis.reason);
    if (isChosen && !isSandbox) parts.screening.noteSaving(order.tenant, "skipped");
    return found;
  };
  const { basis, screened }: JudgedBasis = kept === undefined ? await ask() : { basis: kept };
  let askAgainAtMs: number | undefined;
  if (basis.kind === "unavailable" && kept === undefined) {
    // The service didn't cause these. A decision couldn't be saved, or this process is stopping.
    if (NOT_THE_SERVICE.has(basis.error.code)) throw basis.error;
    const retryAtMs = toPatientRetryAtMs(basis.error, waiting, now());
    if (retryAtMs !== null) return { outcome: "postponed", retryAtMs, problem: basis.error.code };
    askAgainAtMs = basis.error.retryAtMs;
  }

  // An answer of the service doesn't need velocity.
  const velocity = basis.kind === "answered" ? undefined : await counted;
  const { context, standIns } = mapped;
  const judged = decideOrder(
    { order: toKnown(mapped), context, standIns, policy, policyVersion, basis, listed, snoozed, velocity },
    engine,
  );
  const judgement = toCarriedOut(order, judged);
  const { decision } = judgement;
  const facts = { ...toKeptFacts(mapped, policy), signals: judged.signals };
  const changes = { ...toChanges(judgement, basis, policy, now()), facts };
  return {
    outcome: "decided",
    decision,
    changes: screened === undefined ? changes : { ...changes, fingerprint: screened.fingerprint },
    entries: [toDecidedEntry(now(), decision)],
    askAgainAtMs,
  };
}

/** The time in which Holdfast itself was down doesn't count: the order is asked about as patiently as one that arrives now. */
function toWaiting(
  { upSinceMs }: DecisionParts,
  { attempts, undecidedSinceMs }: OrderToDecide,
): WaitingOrder {
  return undecidedSinceMs === undefined
    ? { attempts }
    : { attempts, undecidedSinceMs: Math.max(undecidedSinceMs, upSinceMs) };
}

/** What a decision is based on. */
export interface JudgedBasis {
  readonly basis: DecisionBasis;
  /** Undefined if the service wasn't asked. */
  readonly screened?: Screened | undefined;
}

/** A policy and its lists, applied to one order's buyer. */
interface PolicyForBuyer {
  /** The policy without rules that are snoozed. */
  readonly policy: Policy;
  readonly snoozed: readonly string[];
  readonly listed: ListMatch | null;
}

/** Look for an order's buyer on the policy's lists. */
export function applyLists(
  { store: { keyring } }: Pick<DecisionParts, "store">,
  { tenant, receivedAtMs }: Pick<OrderRecord, "tenant" | "receivedAtMs">,
  mapped: MappedOrder,
  policy: Policy,
): PolicyForBuyer {
  // Lists and velocity ignore test orders.
  if (policy.lists.length === 0 || mapped.test) return { policy, snoozed: [], listed: null };
  const keys = toLinkKeys(toKnown(mapped), (purpose, text) => keyring.digest(tenant, purpose, text));
  const snoozed = findSnoozed(policy, { keys, receivedAtMs }) ?? [];
  const listed = findListed(policy.lists, { keys, receivedAtMs }) ?? null;
  return { policy: leaveOut(policy, snoozed), snoozed, listed };
}

/** Ask the service, or say why not. */
export async function findBasis(
  { screening }: Pick<DecisionParts, "screening">,
  { tenant, platform, recordOnly, verdict }: OrderToDecide,
  mapped: MappedOrder,
  { policy, listed, access }: Omit<PolicyForBuyer, "snoozed"> & { readonly access: ServiceAccess | null },
  limits: Pick<ScreeningInput, "callerRetries" | "deadlineMs" | "placedAtMs" | "signal">,
): Promise<JudgedBasis> {
  const sendable = toSendable(mapped, policy, listed);
  if ("skipReason" in sendable) {
    const isMadeUp = platform === SANDBOX_PLATFORM;
    return { basis: { kind: "skipped", reason: sendable.skipReason, hasService: access !== null, isMadeUp } };
  }
  if (access === null) return { basis: { kind: "no-service" } };
  // A person asked for a new paid check. It's made once, however often this runs.
  const answersSinceMs = verdict?.act === "recheck" ? verdict.answersSinceMs : undefined;
  // Imported orders and rechecks don't count as a flood.
  const isNoFlood = recordOnly || answersSinceMs !== undefined;
  const budget = isNoFlood ? { ...policy.budget, perSourceHourly: null } : policy.budget;
  // The worker doesn't wait for retries, so that other orders get its place. A recheck waits.
  const callerRetries = answersSinceMs === undefined;
  const sent = { tenant, request: sendable.request, recipientName: mapped.recipientName };
  const asked = { ...sent, access, budget, answersSinceMs, callerRetries, ...limits };
  const screened = await screening.screen(asked);
  return { basis: toBasis(screened), screened };
}

/** Record the order before the service is asked, so that it counts for orders that arrive meanwhile. Never rejects. */
async function count({ velocity }: DecisionParts, { tenant, orderId }: OrderToDecide, mapped: MappedOrder) {
  // Lists and velocity ignore test orders.
  if (mapped.test) return undefined;
  const known = toKnown(mapped);
  // Use the id that is sent to the service: a shop may give an order its own id only when it's placed.
  return velocity.note({ tenant, orderId: known.orderId ?? orderId, order: known });
}

function toChanges(
  { decision, result }: DecisionWithResult,
  basis: DecisionBasis,
  policy: Policy,
  nowMs: number,
): OrderChanges {
  const holds = decision.enforce && decision.action === "hold";
  return {
    state: "decided",
    attempts: 0,
    result,
    decision,
    decidedAtMs: nowMs,
    skipReason: basis.kind === "skipped" ? basis.reason : null,
    problem: basis.kind === "unavailable" ? basis.error.code : null,
    holdDeadlineMs: holds ? toHoldDeadlineMs(policy, nowMs) : null,
  };
}

/** The decision that may be applied: nothing if the order is only for the record, and no cancel before a policy was saved. */
function toCarriedOut(
  { recordOnly }: OrderToDecide,
  { decision, result }: DecisionWithResult,
): DecisionWithResult {
  // A cancel refunds the customer and can't be undone.
  const cancelsWithoutPolicy = decision.action === "cancel" && decision.policyVersion === NO_POLICY_VERSION;
  const next: Decision = cancelsWithoutPolicy
    ? { ...decision, action: "hold", reasons: ["no-policy-saved", ...decision.reasons] }
    : decision;
  if (!recordOnly) return { result, decision: next };
  return { result, decision: { ...next, enforce: false, reasons: [...next.reasons, "record-only"] } };
}

/** The facts that are stored for replaying policies after the order's content is erased. */
export function toKeptFacts(mapped: MappedOrder, policy: Policy): StoredFacts {
  const facts = toOrderFacts(toKnown(mapped), mapped.context);
  return toStoredFacts(isOptedOut(policy, facts) ? { ...facts, optedOut: true } : facts);
}

/** Skips by choice: the service could have checked these orders. */
const SAVED_BY_CHOICE: ReadonlySet<SkipReason> = new Set(["SKIPPED_BY_RULE", "TEST_ORDER"]);

const NOT_THE_SERVICE: ReadonlySet<ErrorCode> = new Set(["STORE_UNAVAILABLE", "SHUTTING_DOWN"]);
