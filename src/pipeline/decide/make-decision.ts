import { toKnown, SANDBOX_PLATFORM, type MappedOrder } from "../../platform/platform.ts";
import type { ErrorCode, HoldfastError } from "../../base/errors.ts";
import type { VelocityCounts } from "../../engine/velocity/velocity-store.ts";
import { toLinkKeys } from "../../engine/velocity/keys.ts";
import { findListed, findSnoozed, leaveOut, type ListMatch } from "../../policy/lists.ts";
import type { Policy } from "../../policy/policy.ts";
import { toSendable } from "../../policy/sendable.ts";
import { NO_POLICY_VERSION } from "../../settings/current-policy.ts";
import type { Decision, SkipReason } from "../../order/decision.ts";
import { isOptedOut, toOrderFacts, toStoredFacts, type StoredFacts } from "../../policy/rules.ts";
import {
  decideOrder,
  toBasis,
  type DecisionBasis,
  type DecisionWithResult,
} from "../../screening/decide-order.ts";
import type { OrderChanges, OrderRecord, TimelineEntry } from "../../store/store.ts";
import { toRetryAtMs } from "../work/retry-delay.ts";
import type { OrderTask } from "../tasks.ts";
import { toDecidedEntry } from "../timeline.ts";
import { PERSON_CODES } from "../../service/circuit-rules.ts";

/** What a decision is made with. */
export type DecisionParts = Pick<
  OrderTask,
  "store" | "screening" | "engine" | "velocity" | "policyOf" | "accessOf" | "now"
>;

/** What a decision needs to know of an order beside its content. */
export type OrderToDecide = Pick<
  OrderRecord,
  "tenant" | "platform" | "orderId" | "receivedAtMs" | "recordOnly" | "verdict" | "attempts"
>;

/** What became of the question. */
export type OrderDecided =
  | {
      readonly outcome: "decided";
      readonly decision: Decision;
      readonly changes: OrderChanges;
      readonly entries: readonly TimelineEntry[];
      /** When the service may be asked again, where it could not be asked now and that is known. */
      readonly askAgainAtMs?: number | undefined;
    }
  /** The service cannot be asked right now; worth waiting for. */
  | { readonly outcome: "postponed"; readonly retryAtMs: number; readonly problem: string };

/**
 * How often an order waits for a service that is down, paused or failing before it is decided without it. The pauses add
 * up to two minutes, and with the circuit's own pauses to about four. Counted in tries, since the time that Holdfast
 * itself was down is not the service's.
 */
const PATIENT_TRIES = 7;
const PATIENCE_MS = 120_000;

/**
 * Decide one order: ask the service if it may be asked, and find the stand-in if not. With `kept`, nobody is asked: it is
 * decided on that.
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
  // Whatever is done with tests: somebody made it up to see it judged, and it is nobody's to pay for.
  const whole: Policy = isSandbox ? { ...own, testOrders: "local" } : own;
  const { policy, listed, snoozed } = applyLists(parts, order, mapped, whole);
  const counted = count(parts, order, mapped);
  const { basis, fingerprint }: Found =
    kept === undefined ? await findBasis(parts, order, mapped, { policy, listed }, signal) : { basis: kept };
  let askAgainAtMs: number | undefined;
  if (basis.kind === "unavailable" && kept === undefined) {
    // Not the service's doing: nothing may be decided that cannot be kept, or because this process is stopping.
    if (NOT_THE_SERVICE.has(basis.error.code)) throw basis.error;
    const retryAtMs = toPatientRetryAtMs(basis.error, order, now());
    if (retryAtMs !== null) return { outcome: "postponed", retryAtMs, problem: basis.error.code };
    askAgainAtMs = basis.error.retryAtMs;
  }

  // An answer of the service needs none of it.
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
    changes: fingerprint === undefined ? changes : { ...changes, fingerprint },
    entries: [toDecidedEntry(now(), decision)],
    askAgainAtMs,
  };
}

/** What an order is decided on, and the fingerprint of what was asked. */
interface Found {
  readonly basis: DecisionBasis;
  readonly fingerprint?: string | undefined;
}

/** What a policy and its lists say of one order's buyer. */
interface PolicyForBuyer {
  /** Without the rules that are snoozed. */
  readonly policy: Policy;
  readonly snoozed: readonly string[];
  /** The entry of the lists that counts for the order. */
  readonly listed: ListMatch | null;
}

/** Look for an order's buyer on the policy's lists. */
export function applyLists(
  { store: { keyring } }: Pick<DecisionParts, "store">,
  { tenant, receivedAtMs }: Pick<OrderRecord, "tenant" | "receivedAtMs">,
  mapped: MappedOrder,
  policy: Policy,
): PolicyForBuyer {
  // A test is nobody's order.
  if (policy.lists.length === 0 || mapped.test) return { policy, snoozed: [], listed: null };
  const keys = toLinkKeys(toKnown(mapped), (purpose, text) => keyring.digest(tenant, purpose, text));
  const snoozed = findSnoozed(policy, { keys, receivedAtMs }) ?? [];
  const listed = findListed(policy.lists, { keys, receivedAtMs }) ?? null;
  return { policy: leaveOut(policy, snoozed), snoozed, listed };
}

/** The service's answer, if it may be asked, or why there is none. */
async function findBasis(
  { screening, accessOf }: DecisionParts,
  { tenant, platform, recordOnly, verdict }: OrderToDecide,
  mapped: MappedOrder,
  { policy, listed }: Pick<PolicyForBuyer, "policy" | "listed">,
  signal: AbortSignal,
): Promise<Found> {
  const sendable = toSendable(mapped, policy, listed);
  if ("skipReason" in sendable) {
    const { skipReason: reason } = sendable;
    const isMadeUp = platform === SANDBOX_PLATFORM;
    if (SAVED_BY_CHOICE.has(reason) && !isMadeUp) screening.noteSaving(tenant, "skipped");
    const hasService = (await accessOf(tenant)) !== null;
    return { basis: { kind: "skipped", reason, hasService, isMadeUp } };
  }
  const access = await accessOf(tenant);
  if (access === null) return { basis: { kind: "no-service" } };
  // Somebody wants to pay for it again: once, however often this is repeated.
  const answersSinceMs = verdict?.act === "recheck" ? verdict.answersSinceMs : undefined;
  // A year of one customer's orders, taken in at once for the record, is no flood; nor is what a person asks for.
  const isNoFlood = recordOnly || answersSinceMs !== undefined;
  const budget = isNoFlood ? { ...policy.budget, perSourceHourly: null } : policy.budget;
  // The worker's place is for others meanwhile. A person who asked for a recheck waits for it.
  const callerRetries = answersSinceMs === undefined;
  const sent = { tenant, request: sendable.request, recipientName: mapped.recipientName };
  const screened = await screening.screen({ ...sent, access, budget, answersSinceMs, callerRetries, signal });
  return { basis: toBasis(screened), fingerprint: screened.fingerprint };
}

/** Begun before anybody is asked, so that an order is known to those that come while it is asked about. Never rejects. */
async function count(
  { velocity }: DecisionParts,
  { tenant, orderId }: OrderToDecide,
  mapped: MappedOrder,
): Promise<VelocityCounts | undefined> {
  // A test is nobody's order.
  if (mapped.test) return undefined;
  const known = toKnown(mapped);
  // By the name the service knows it by: a shop may give an order its own id only once it's placed.
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
    holdDeadlineMs: holds ? nowMs + policy.hold.deadlineHours * 3_600_000 : null,
  };
}

/** What is carried out of a judgement: nothing for the record, and no cancel before the shop has chosen a policy. */
function toCarriedOut(
  { recordOnly }: OrderToDecide,
  { decision, result }: DecisionWithResult,
): DecisionWithResult {
  // A cancel refunds the customer and can't be undone.
  const isToChoose = decision.action === "cancel" && decision.policyVersion === NO_POLICY_VERSION;
  const next: Decision = isToChoose
    ? { ...decision, action: "hold", reasons: ["no-policy-saved", ...decision.reasons] }
    : decision;
  if (!recordOnly) return { result, decision: next };
  return { result, decision: { ...next, enforce: false, reasons: [...next.reasons, "record-only"] } };
}

/** What is kept of an order to replay policies on after its content was erased. */
export function toKeptFacts(mapped: MappedOrder, policy: Policy): StoredFacts {
  const facts = toOrderFacts(toKnown(mapped), mapped.context);
  return toStoredFacts(isOptedOut(policy, facts) ? { ...facts, optedOut: true } : facts);
}

/** The service could have been asked about these. */
const SAVED_BY_CHOICE: ReadonlySet<SkipReason> = new Set(["SKIPPED_BY_RULE", "TEST_ORDER"]);

const NOT_THE_SERVICE: ReadonlySet<ErrorCode> = new Set(["STORE_UNAVAILABLE", "SHUTTING_DOWN"]);

/** When to ask again, or null when waiting would not help or the order has waited long enough. */
function toPatientRetryAtMs(error: HoldfastError, order: OrderToDecide, nowMs: number): number | null {
  if (!error.retryable || PERSON_CODES.has(error.code)) return null;
  const retryAtMs = toRetryAtMs(order.attempts, nowMs, error.retryAtMs);
  return order.attempts >= PATIENT_TRIES || retryAtMs > nowMs + PATIENCE_MS ? null : retryAtMs;
}
