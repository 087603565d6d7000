import { toKnown, type MappedOrder } from "../../platform/platform.ts";
import type { ErrorCode } from "../../base/errors.ts";
import type { TenantDigest } from "../../engine/velocity/keys.ts";
import { readAgent } from "../../policy/agent-orders.ts";
import { applyLists } from "../../policy/lists.ts";
import type { Policy } from "../../policy/policy.ts";
import { NO_POLICY_VERSION } from "../../settings/current-policy.ts";
import type { Decision } from "../../order/decision.ts";
import { isForRecord, isMadeUp } from "../../order/order-effects.ts";
import type { SkipReason } from "../../order/skip-reasons.ts";
import { isOptedOut } from "../../policy/rules.ts";
import { toMappedFacts, toStoredFacts, type StoredFacts } from "../../policy/order-facts.ts";
import {
  judgeOrder,
  type AskOptions,
  type DecisionBasis,
  type Judgement,
  type OrderToJudge,
} from "../../screening/judge-order.ts";
import type { OrderChanges, OrderRecord, TimelineEntry } from "../../store/store.ts";
import { toHoldDeadlineMs } from "../order-life/hold-deadline.ts";
import { toAnswerWaitMs, toPatientRetryAtMs, type WaitingOrder } from "../order-life/retry-delay.ts";
import { learn } from "../order-life/situation.ts";
import { supersede } from "../order-life/supersede.ts";
import type { Handler, OrderTask } from "../tasks.ts";
import { toDecidedEntry, toProblemEntry } from "../timeline.ts";
import { keepDecision } from "./keep-decision.ts";

/** Ask the service once, and decide. If it can't be asked now, the order waits. */
export const decideFirst: Handler<"decide"> = async (task, situation, { mapped }) => {
  const { order, steps } = situation;
  const undecided = { ...order, undecidedSinceMs: order.receivedAtMs };
  const decided = await makeDecision(task, undecided, mapped, task.signal);
  if (decided.outcome === "decided") {
    const kept = await keepDecision(task, situation, supersede(order, steps, decided));
    return learn(kept, { isDecided: true });
  }
  const { retryAtMs: dueAtMs, problem } = decided;
  const changes = { state: "waiting", dueAtMs, attempts: order.attempts + 1, problem } as const;
  return task.end(situation, { changes, entries: toWaitingEntries(task, problem, order.problem) });
};

/** The timeline entry for a problem that an order waits for, once. */
export function toWaitingEntries(
  { now }: OrderTask,
  problem: string,
  before: string | null,
): readonly TimelineEntry[] {
  return problem === before ? [] : [toProblemEntry(now(), "waiting", [{ code: problem }])];
}

export type DecisionParts = Pick<
  OrderTask,
  "store" | "screening" | "engine" | "velocity" | "policyOf" | "accessOf" | "now" | "upSinceMs"
>;

/** What a decision needs to know about an order besides its content. */
export type OrderToDecide = WaitingOrder &
  Pick<OrderRecord, "tenant" | "orderId" | "receivedAtMs" | "effects" | "review">;

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
  const { now } = parts;
  const waiting = toWaiting(parts, order);
  const toJudge = await prepareToJudge(parts, order, mapped, kept);
  const { policy } = toJudge;
  const deadlineMs = toAnswerWaitMs(waiting, now());
  const judged = await judgeOrder(parts, toJudge, { ...toAskOptions(order, policy), signal, deadlineMs });
  const { basis, screened } = judged;
  let askAgainAtMs: number | undefined;
  if (basis.kind === "unavailable" && kept === undefined) {
    // The service didn't cause these. A decision couldn't be saved, or this process is stopping.
    if (NOT_THE_SERVICE.has(basis.error.code)) throw basis.error;
    const retryAtMs = toPatientRetryAtMs(basis.error, waiting, now());
    if (retryAtMs !== null) return { outcome: "postponed", retryAtMs, problem: basis.error.code };
    askAgainAtMs = basis.error.retryAtMs;
  }
  if (kept === undefined && !isMadeUp(order) && isSavedByChoice(basis))
    parts.screening.noteSaving(order.tenant, "skipped");

  const decision = toCarriedOut(order, judged.decision);
  const facts = { ...toKeptFacts(toJudge.mapped, policy), signals: judged.signals, seen: judged.seen };
  const changes = { ...toChanges(judged, decision, policy, now()), facts };
  return {
    outcome: "decided",
    decision,
    changes: screened === undefined ? changes : { ...changes, fingerprint: screened.fingerprint },
    entries: [toDecidedEntry(now(), decision)],
    askAgainAtMs,
  };
}

function toAskOptions(order: OrderToDecide, { budget }: Policy): AskOptions {
  const { review } = order;
  // A person asked for a new paid check. It's made once, however often this runs.
  const answersSinceMs = review?.act === "recheck" ? review.answersSinceMs : undefined;
  // Imported orders and rechecks don't count as a flood.
  const isNoFlood = isForRecord(order) || answersSinceMs !== undefined;
  return {
    answersSinceMs,
    budget: isNoFlood ? { ...budget, perSourceHourly: null } : budget,
    // The worker doesn't wait for retries, so that other orders get its place. A recheck waits.
    callerRetries: answersSinceMs === undefined,
  };
}

/** What an order is judged by: its tenant's policy and key, and the counts of other orders. */
export async function prepareToJudge(
  { store, velocity, policyOf, accessOf }: DecisionParts,
  order: Pick<OrderRecord, "tenant" | "orderId" | "receivedAtMs" | "effects">,
  given: MappedOrder,
  kept?: DecisionBasis,
): Promise<OrderToJudge> {
  const { tenant, orderId, receivedAtMs } = order;
  const [{ policy: own, version: policyVersion }, access] = await Promise.all([
    policyOf(tenant),
    kept === undefined ? accessOf(tenant) : null,
  ]);
  // A sandbox order is always judged by the local engine, whatever `testOrders` says, and costs nothing.
  const policy: Policy = isMadeUp(order) ? { ...own, testOrders: "local" } : own;
  const digest: TenantDigest = (purpose, text) => store.keyring.digest(tenant, purpose, text);
  const mapped = readAgent(given, policy);
  const known = toKnown(mapped);
  // Record the order before the service is asked, so that it counts for orders that arrive meanwhile. Lists and velocity
  // ignore test orders. Use the id that is sent to the service: a shop may give an order its own id only when it's placed.
  const counted = mapped.test
    ? undefined
    : velocity.note({ tenant, orderId: known.orderId ?? orderId, order: known, bin: mapped.context?.bin });
  return {
    ...applyLists(policy, mapped, receivedAtMs, digest),
    tenant,
    mapped,
    policyVersion,
    isPolicyUnsaved: policyVersion === NO_POLICY_VERSION,
    access,
    // Never rejects, and has a time limit of its own.
    counts: { begin() {}, within: async () => counted },
    // A rule on them can then be tried on this order later.
    keepsCounts: true,
    isMadeUp: isMadeUp(order),
    kept,
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

function toChanges(
  { result, basis }: Judgement,
  decision: Decision,
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

/** The decision that may be applied: nothing if the order is only for the record. */
function toCarriedOut(order: OrderToDecide, decision: Decision): Decision {
  if (!isForRecord(order)) return decision;
  return { ...decision, enforce: false, reasons: [...decision.reasons, "record-only"] };
}

/** The facts that are stored for replaying policies after the order's content is erased. */
export function toKeptFacts(mapped: MappedOrder, policy: Policy): StoredFacts {
  const facts = toMappedFacts(mapped);
  return toStoredFacts(isOptedOut(policy, facts) ? { ...facts, optedOut: true } : facts);
}

/** Skips by choice: the service could have checked these orders. Sandbox orders are never sent. */
const SAVED_BY_CHOICE: ReadonlySet<SkipReason> = new Set(["SKIPPED_BY_RULE", "TEST_ORDER"]);

function isSavedByChoice(basis: DecisionBasis): boolean {
  return basis.kind === "skipped" && SAVED_BY_CHOICE.has(basis.reason);
}

const NOT_THE_SERVICE: ReadonlySet<ErrorCode> = new Set(["STORE_UNAVAILABLE", "SHUTTING_DOWN"]);
