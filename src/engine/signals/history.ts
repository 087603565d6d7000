import type { OrderFacts } from "../facts/order-facts.ts";
import type { EvidenceGroup, Observation } from "./signal.ts";

/** The minimum of orders for a meaningful share. */
const ENOUGH = { some: 3, several: 4, many: 5 } as const;
const GOOD_BAD_SHARE = 0.2;
const BAD_SHARE = 0.7;

interface Record {
  readonly total: number;
  readonly cancelled: number | undefined;
  readonly returned: number | undefined;
}

function toRecord({ totalOrders, cancelledOrders, returnedOrders }: OrderFacts): Record | null {
  if (totalOrders === undefined || totalOrders < 1) return null;
  return { total: totalOrders, cancelled: cancelledOrders, returned: returnedOrders };
}

function toPercent(count: number, total: number): number {
  return Math.min(100, Math.round((100 * count) / total));
}

function observeGood(facts: OrderFacts): Observation | null {
  const record = toRecord(facts);
  const fulfilled = facts.fulfilledOrders ?? 0;
  // Trust needs the whole record, because an unknown part could be bad.
  if (record?.cancelled === undefined || record.returned === undefined || fulfilled < ENOUGH.some)
    return null;
  if ((record.cancelled + record.returned) / record.total >= GOOD_BAD_SHARE) return null;
  return fulfilled >= 10
    ? { points: -12, description: "ten or more earlier orders went well" }
    : { points: -8, description: "earlier orders went well" };
}

function observeCancelled(facts: OrderFacts): Observation | null {
  const record = toRecord(facts);
  if (record?.cancelled === undefined) return null;
  const share = record.cancelled / record.total;
  const description = `${toPercent(record.cancelled, record.total)} % of the customer's orders were canceled.`;
  if (record.total >= ENOUGH.many && share >= 0.6) return { points: 16, description };
  return record.total >= ENOUGH.some && share >= 0.4 ? { points: 10, description } : null;
}

function observeReturned(facts: OrderFacts): Observation | null {
  const record = toRecord(facts);
  if (record?.returned === undefined || record.total < ENOUGH.several) return null;
  const share = record.returned / record.total;
  if (share < 0.25) return null;
  const description = `${toPercent(record.returned, record.total)} % of the customer's orders were returned.`;
  return { points: share >= 0.5 ? 8 : 4, description };
}

function observeBadEnds(facts: OrderFacts): Observation | null {
  const record = toRecord(facts);
  if (record === null || record.total < ENOUGH.many) return null;
  const bad = (record.cancelled ?? 0) + (record.returned ?? 0);
  return bad / record.total >= BAD_SHARE
    ? { points: 24, description: `${toPercent(bad, record.total)} % of the customer's orders ended badly.` }
    : null;
}

/** Platforms include the current order, and a returned order was fulfilled before, so neither is a contradiction. */
function contradictsItself(facts: OrderFacts): boolean {
  const { totalOrders, cancelledOrders = 0, returnedOrders = 0, fulfilledOrders = 0 } = facts;
  if (totalOrders === undefined) return false;
  return (
    (facts.firstOrder === true && totalOrders > 1) ||
    cancelledOrders + Math.max(fulfilledOrders, returnedOrders) > totalOrders
  );
}

export const HISTORY_SIGNALS: EvidenceGroup = {
  name: "history",
  isKnown: ({ totalOrders }) => totalOrders !== undefined,
  limitation: "The customer's earlier orders are not known.",
  signals: [
    {
      code: "HISTORY_GOOD",
      category: "behavioral",
      title: "Good record",
      observe: observeGood,
    },
    {
      code: "HISTORY_CANCELLED",
      category: "behavioral",
      title: "Many canceled orders",
      observe: observeCancelled,
    },
    {
      code: "HISTORY_RETURNED",
      category: "behavioral",
      title: "Many returned orders",
      observe: observeReturned,
    },
    {
      code: "HISTORY_BAD_ENDS",
      category: "behavioral",
      title: "Most orders ended badly",
      shakesTrust: true,
      observe: observeBadEnds,
    },
    {
      code: "HISTORY_INCONSISTENT",
      category: "behavioral",
      title: "Contradictory order counts",
      observe: (facts) =>
        contradictsItself(facts)
          ? { points: 6, description: "The counts of earlier orders can't all be true." }
          : null,
    },
  ],
};
