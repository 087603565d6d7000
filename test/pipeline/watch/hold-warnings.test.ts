import { describe, expect, it } from "vitest";
import type { OrderContext } from "../../../src/order/order-context.ts";
import type { MappedOrder } from "../../../src/platform/platform.ts";
import { toCoverWarningMs } from "../../../src/pipeline/order-life/warning-times.ts";
import { warnOfLosses } from "../../../src/pipeline/watch/hold-warnings.ts";
import { toNextLookMs } from "../../../src/pipeline/order-life/next-look.ts";
import type { OrderRecord } from "../../../src/store/store.ts";
import { anOrder } from "../../support/orders.ts";

const DAY_MS = 86_400_000;
const PLACED_MS = Date.parse("2026-11-01T08:00:00Z");
const COVER_WARNS_AT_MS = PLACED_MS + 5 * DAY_MS;

function held(
  context?: OrderContext,
  orderTimestamp: string | undefined = "2026-11-01T08:00:00Z",
): OrderRecord {
  const mapped: MappedOrder = {
    outcome: "screenable",
    request: anOrder({ orderTimestamp }),
    test: false,
    context,
  };
  return { tenant: "test:shop", orderId: "1", receivedAtMs: PLACED_MS + 60_000, mapped } as OrderRecord;
}

function warn(order: OrderRecord, nowMs: number, notes: Readonly<Record<string, string>> = {}) {
  const alerts: unknown[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (fields: unknown) => void alerts.push(fields) };
  return { ...warnOfLosses({ logger, now: () => nowMs }, order, notes), alerts };
}

describe("warnOfLosses", () => {
  it("warns two days before the cover of a held order ends, once", () => {
    const order = held({ protect: "active", protectEligibility: "eligible" });

    expect(warn(order, COVER_WARNS_AT_MS - 1)).toEqual({ notes: {}, entries: [], alerts: [] });
    const warned = warn(order, COVER_WARNS_AT_MS);
    expect(warned.alerts).toEqual([{ alert: "protection_lapsing", tenant: "test:shop", orderId: "1" }]);
    expect(warned.entries).toMatchObject([{ kind: "protection-lapsing", actor: "holdfast" }]);
    expect(warn(order, COVER_WARNS_AT_MS + DAY_MS, warned.notes)).toEqual({
      notes: {},
      entries: [],
      alerts: [],
    });
  });

  it.each<[string, OrderContext | undefined, number | null]>([
    ["an active cover", { protect: "active" }, COVER_WARNS_AT_MS],
    ["one that is not decided yet", { protect: "pending", protectEligibility: "pending" }, COVER_WARNS_AT_MS],
    ["an order that can't be covered", { protect: "pending", protectEligibility: "not-eligible" }, null],
    ["an order without cover", { protect: "inactive" }, null],
    ["a chargeback that was paid back", { protect: "protected" }, null],
    ["a shop without Shopify Protect", {}, null],
    ["an order whose context isn't known", undefined, null],
  ])("finds when to warn about %s", (_what, context, expected) => {
    expect(toCoverWarningMs(held(context))).toBe(expected);
  });

  it("uses the time of arrival if the order's own time isn't known, and nothing after an erasure", () => {
    expect(toCoverWarningMs(held({ protect: "active" }, "no time"))).toBe(COVER_WARNS_AT_MS + 60_000);
    expect(toCoverWarningMs({ mapped: null, receivedAtMs: 0 })).toBeNull();
  });

  it("schedules a look at the held order for then", () => {
    expect(toNextLookMs(null, 9, COVER_WARNS_AT_MS - 1_000, [COVER_WARNS_AT_MS])).toBe(COVER_WARNS_AT_MS);
    expect(toNextLookMs(null, 9, COVER_WARNS_AT_MS, [COVER_WARNS_AT_MS])).toBe(COVER_WARNS_AT_MS + DAY_MS);
  });
});
