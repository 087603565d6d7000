import type { OrderFacts } from "../facts/order-facts.ts";
import type { EvidenceGroup, Observation } from "./signal.ts";
import { say, type Sentence } from "./sentence.ts";

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

function observeGood(facts: OrderFacts): Observation | null {
  const record = toRecord(facts);
  const fulfilled = facts.fulfilledOrders ?? 0;
  // Trust needs the whole record, because an unknown part could be bad.
  if (record?.cancelled === undefined || record.returned === undefined || fulfilled < ENOUGH.some)
    return null;
  if ((record.cancelled + record.returned) / record.total >= GOOD_BAD_SHARE) return null;
  const says =
    record.cancelled + record.returned === 0
      ? say("{count} earlier orders were fulfilled, and none was canceled or returned", { count: fulfilled })
      : say("{count} earlier orders were fulfilled, and few were canceled or returned", { count: fulfilled });
  return { points: fulfilled >= 10 ? -12 : -8, says };
}

function observeCancelled(facts: OrderFacts): Observation | null {
  const record = toRecord(facts);
  // Reported only once.
  if (record?.cancelled === undefined || hasBadEnds(record)) return null;
  const share = record.cancelled / record.total;
  const says = sayShare(record.cancelled, record.total, "canceled");
  if (record.total >= ENOUGH.many && share >= 0.6) return { points: 16, says };
  return record.total >= ENOUGH.some && share >= 0.4 ? { points: 10, says } : null;
}

function observeReturned(facts: OrderFacts): Observation | null {
  const record = toRecord(facts);
  if (record?.returned === undefined || record.total < ENOUGH.several || hasBadEnds(record)) return null;
  const share = record.returned / record.total;
  if (share < 0.25) return null;
  const says = sayShare(record.returned, record.total, "returned");
  return { points: share >= 0.5 ? 8 : 4, says };
}

/** Counts of a shop can contradict each other. Then they are named as such. */
function sayShare(count: number, total: number, end: "canceled" | "returned"): Sentence {
  return count > total
    ? say("The shop counts {count} {end} orders of the customer, and {total} in all.", { count, end, total })
    : say("{count} of the customer's {total} orders were {end}.", { count, end, total });
}

function sayBadEnds({ cancelled = 0, returned = 0, total }: Record): Sentence {
  if (returned === 0) return sayShare(cancelled, total, "canceled");
  if (cancelled === 0) return sayShare(returned, total, "returned");
  if (cancelled > total || returned > total)
    return say("The shop counts {cancelled} canceled and {returned} returned orders, and {total} in all.", {
      total,
      cancelled,
      returned,
    });
  return say("Of the customer's {total} orders, {cancelled} were canceled and {returned} returned.", {
    total,
    cancelled,
    returned,
  });
}

function hasBadEnds({ cancelled = 0, returned = 0, total }: Record): boolean {
  return total >= ENOUGH.many && (cancelled + returned) / total >= BAD_SHARE;
}

function observeBadEnds(facts: OrderFacts): Observation | null {
  const record = toRecord(facts);
  return record !== null && hasBadEnds(record) ? { points: 29, says: sayBadEnds(record) } : null;
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
      title: "Most orders were canceled or returned",
      shakesTrust: true,
      observe: observeBadEnds,
    },
    {
      code: "HISTORY_INCONSISTENT",
      category: "behavioral",
      title: "Contradictory order counts",
      observe: (facts) =>
        contradictsItself(facts)
          ? { points: 6, says: say("The counts of earlier orders can't all be true.") }
          : null,
    },
  ],
};
