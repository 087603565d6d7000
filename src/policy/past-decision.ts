import { toMachineDecision, type Decision, type ListMatch } from "../order/decision.ts";
import { scoreAgain, type KeptSignals } from "../engine/model/kept-signals.ts";
import type { DecisionInput } from "./rating.ts";
import { findListed, findSnoozed, type Listable } from "./lists.ts";
import type { Policy } from "./policy.ts";

/** The basis of a decision, reconstructed from it. */
export type PastDecision = Readonly<ReturnType<typeof toPastDecision>>;

/** Read what Holdfast itself decided, and on what basis, even if a person decided later. */
export function toPastDecision(decision: Decision) {
  const { action, causes, source, degraded, policyVersion } = toMachineDecision(decision);
  const { rule, listed, snoozed, skipReason, skippedBy, problem, holdKept } = causes ?? {};
  return {
    action,
    /** As it was published. */
    level: decision.riskLevel,
    /** What the answer was, published or not; null when nobody judged the order. */
    result: toPastResult(decision),
    /** A service was configured but didn't check the order. */
    isUnchecked: decision.unchecked !== undefined,
    missing: decision.guess?.missing ?? [],
    source,
    degraded,
    problem,
    skipReason: skipReason ?? null,
    skippedBy: skippedBy ?? {},
    rule,
    holdKept: holdKept === true,
    /** There was an earlier decision, which isn't stored. */
    isLater: isLater(decision),
    policyVersion,
    listed: listed ?? null,
    snoozed: snoozed ?? [],
  };
}

function toPastResult({ riskLevel, riskScore, guess }: Decision): DecisionInput["result"] {
  if (guess !== undefined) return guess;
  return riskLevel === null ? null : { riskLevel, riskScore: riskScore ?? 0 };
}

/** A person's decision describes our earlier one; it says more only about a held order. */
function isLater({ machine, supersedes }: Decision): boolean {
  if (machine !== undefined) return supersedes?.heldByAnswer === true;
  return supersedes !== undefined && supersedes.whileChecking !== true;
}

/**
 * A decision with the local engine's answer under a policy's own model, or why that isn't known. If today's engine doesn't
 * reproduce the answer with the model of that time, another release gave it, and it can't be recalculated.
 *
 * @param signals - What the engine saw. Null: not known.
 * @param former - The policy that decided. Null: not known any more.
 */
export function judgeAgain(
  before: PastDecision,
  signals: KeptSignals | null,
  { localModel }: Policy,
  former: Policy | null,
): PastDecision | "content-erased" | "other-judge" {
  const { source, result } = before;
  if (source !== "local" || result === null) return before;
  const isKnown = former !== null || signals === null;
  if (isKnown && toModelText(localModel) === toModelText(former?.localModel)) return before;
  if (signals === null) return "content-erased";
  // Without the policy of that time, this can't be checked.
  const then = former === null ? result : scoreAgain(signals, former.localModel);
  if (then.riskScore !== result.riskScore || then.riskLevel !== result.riskLevel) return "other-judge";
  return { ...before, result: scoreAgain(signals, localModel), missing: signals.missing };
}

/** Equal for equal models, whatever the order of their features. */
function toModelText(model: Policy["localModel"]): string {
  if (model === undefined) return "";
  return JSON.stringify([
    model.center,
    Object.entries(model.points).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

/** What a replay knows of a past order's buyer. A test order has none, so no list applies to it. */
export interface PastBuyer {
  /** Whether it was a platform's test order; null when that was erased. */
  readonly test: boolean | null;
  /** What lists compare. Absent: not known. */
  readonly listable?: Listable | undefined;
}

/** A policy tried on a past order, as far as it is about the buyer. */
export interface BuyerCase {
  readonly policy: Policy;
  /** The policy that decided; null if it isn't known any more. */
  readonly former: Policy | null;
  readonly past: PastBuyer;
  readonly before: PastDecision;
  /** Whether it was a test order; null when that isn't known. */
  readonly test: boolean | null;
}

const NOT_KNOWN: Listable = { keys: null, receivedAtMs: 0 };

/** Whether a past order was a test order; null when that isn't known. */
export function isTestOrder(past: PastBuyer, before: PastDecision, former: Policy | null): boolean | null {
  if (before.skipReason === "TEST_ORDER") return true;
  if (past.test !== null) return past.test;
  if (before.listed !== null || before.snoozed.length > 0) return false;
  // An order that the service was asked about can be a test only if tests are sent to the service.
  return former === null || former.testOrders === "service" ? null : false;
}

/** Rules that are snoozed for the buyer; undefined if the data that decides it was erased. */
export function findSnoozedAgain(tried: BuyerCase): readonly string[] | undefined {
  const { policy, past, former, before, test } = tried;
  if (test === true) return [];
  const snoozed = findSnoozed(policy, past.listable ?? NOT_KNOWN);
  if (snoozed !== undefined && (test === false || snoozed.length === 0)) return snoozed;
  // The same snoozes leave out the same rules, if both policies had them.
  const had = (rule: string | undefined) => former?.rules.some(({ name }) => name === rule) === true;
  const isNew = policy.rules.some(({ name }) => !had(name) && policy.lists.some(({ rule }) => rule === name));
  return haveSameLists(policy, former) && !isNew ? before.snoozed : undefined;
}

function haveSameLists(policy: Policy, former: Policy | null): boolean {
  return former !== null && JSON.stringify(former.lists) === JSON.stringify(policy.lists);
}

/** The entry of the policy's lists that counts for the order; undefined if the data that decides it was erased. */
export function findListedAgain(tried: BuyerCase): ListMatch | null | undefined {
  const { policy, past, former, before, test } = tried;
  if (test === true) return null;
  const listed = findListed(policy.lists, past.listable ?? NOT_KNOWN);
  if (listed === null || (listed !== undefined && test === false)) return listed;
  // The same lists match the same order the same way.
  return haveSameLists(policy, former) ? before.listed : undefined;
}

/** Why it isn't known which entries of the lists count for the order. */
export function toListProblem({ past }: BuyerCase): "content-erased" | "maybe-test" {
  return (past.listable ?? NOT_KNOWN).keys === null ? "content-erased" : "maybe-test";
}
