import { findListed, findSnoozed, type Listable, type ListMatch } from "./lists.ts";
import type { PastDecision } from "./past-decision.ts";
import type { Policy } from "./policy.ts";

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
export function findSnoozedAgain({
  policy,
  past,
  former,
  before,
  test,
}: BuyerCase): readonly string[] | undefined {
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
export function findListedAgain({
  policy,
  past,
  former,
  before,
  test,
}: BuyerCase): ListMatch | null | undefined {
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
