import type { RiskLevel } from "../order/risk-level.ts";
import { createWorthSum, type WorthSum } from "./worth.ts";
import type { Action } from "../order/decision.ts";
import { UNKNOWN_REASONS, type UnknownReason } from "./replay.ts";

/**
 * A chargeback for fraud comes first, then a person's verdict, then what happened on the platform. `handled`: it shipped,
 * and a person took it out of the queue without a verdict.
 */
export const OUTCOMES = [
  "charged-back",
  "approved",
  "declined",
  "handled",
  "cancelled",
  "shipped",
  "open",
  "unknown",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** An order that a policy would have treated differently. */
export interface ReplayExample {
  readonly orderId: string;
  readonly name: string;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly riskLevel: RiskLevel | null;
  readonly from: Action;
  readonly to: Action;
  /** Name of the rule of the tried policy that decides it. */
  readonly rule: string | null;
  readonly outcome: Outcome;
}

/** What a policy would have done with past orders. */
export type ReplaySummary = Readonly<ReturnType<ReturnType<typeof createReplayTally>["total"]>>;

export type ReplayedOrder = Omit<ReplayExample, "outcome">;

const MOST_EXAMPLES = 50;

/**
 * Count a policy's decisions. The memory doesn't grow with the number of orders.
 *
 * @param ruleNames - All rules of the policy that is tried.
 */
export function createReplayTally(ruleNames: readonly string[]) {
  const idle = new Set(ruleNames);
  const [before, after] = [createActionSums(), createActionSums()];
  const changes = new Map<string, { from: Action; to: Action; sum: WorthSum }>();
  const outcomes = new Map<Outcome, number>();
  const unknown = new Map<UnknownReason, number>();
  let examples: readonly ReplayExample[] = [];
  let replayed = 0;

  function addChange(order: ReplayedOrder, outcome: Outcome): void {
    const { from, to, amount, currency } = order;
    const change = changes.get(`${from} ${to}`) ?? { from, to, sum: createWorthSum() };
    changes.set(`${from} ${to}`, change);
    change.sum.add(amount, currency);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    examples = withExample(examples, { ...order, outcome });
  }

  return {
    add(order: ReplayedOrder, outcome: Outcome): void {
      replayed += 1;
      if (order.rule !== null) idle.delete(order.rule);
      before[order.from].add(order.amount, order.currency);
      after[order.to].add(order.amount, order.currency);
      if (order.from !== order.to) addChange(order, outcome);
    },
    addUnknown: (reason: UnknownReason) => void unknown.set(reason, (unknown.get(reason) ?? 0) + 1),
    total() {
      const unknowns = [...unknown.values()].reduce((sum, orders) => sum + orders, 0);
      return {
        /** Decided orders of the window. */
        orders: replayed + unknowns,
        /** Orders whose outcome under the policy is known. Only these are in `before` and `after`. */
        replayed,
        unknown: unknowns,
        /** In words, most frequent first; null when there are no reasons. */
        unknownReason: toWords(unknown),
        before: toTally(before),
        after: toTally(after),
        /** Most orders first. */
        changes: [...changes.values()]
          .map(({ from, to, sum }) => ({ from, to, ...sum.total() }))
          .toSorted((a, b) => b.orders - a.orders),
        /** The changed orders of the highest value, by the number whatever the currency. */
        examples,
        /** Names of the rules that decide none of the replayed orders; empty when there are no such orders. */
        idleRules: replayed === 0 ? [] : [...idle],
        /** Changed orders by outcome. */
        outcomes: toCounts(outcomes),
      };
    },
  };
}

/** In the order of {@link OUTCOMES}. */
function toCounts(outcomes: ReadonlyMap<Outcome, number>): Partial<Record<Outcome, number>> {
  const known = OUTCOMES.filter((outcome) => outcomes.has(outcome));
  return Object.fromEntries(known.map((outcome) => [outcome, outcomes.get(outcome)]));
}

export function createActionSums() {
  return { allow: createWorthSum(), tag: createWorthSum(), hold: createWorthSum(), cancel: createWorthSum() };
}

function toTally({ allow, tag, hold, cancel }: ReturnType<typeof createActionSums>) {
  return { allow: allow.total(), tag: tag.total(), hold: hold.total(), cancel: cancel.total() };
}

/**
 * The examples with one more. If there are too many, the one with the lowest amount is dropped; an unknown amount
 * counts as lowest.
 */
function withExample(examples: readonly ReplayExample[], added: ReplayExample): readonly ReplayExample[] {
  const at = examples.findIndex((example) => toWorth(example) < toWorth(added));
  if (at === -1) return examples.length < MOST_EXAMPLES ? [...examples, added] : examples;
  return examples.toSpliced(at, 0, added).slice(0, MOST_EXAMPLES);
}

function toWorth({ amount }: ReplayExample): number {
  return amount ?? Number.NEGATIVE_INFINITY;
}

function toWords(unknown: ReadonlyMap<UnknownReason, number>): string | null {
  if (unknown.size === 0) return null;
  const parts = [...unknown]
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, orders]) => `${orders} ${orders === 1 ? "order" : "orders"}: ${UNKNOWN_REASONS[reason]}`);
  return parts.join("; ");
}
