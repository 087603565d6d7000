import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needsCatchUp } from "../../../src/pipeline/order-life/next-look.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { Decision } from "../../../src/order/decision.ts";
import type { OrderRecord, Store } from "../../../src/store/store.ts";
import { decision, entry, order, T0, TENANT } from "../../store/samples.ts";

const HOUR_MS = 3_600_000;

let store: Store;
let received: OrderRecord;

beforeAll(async () => {
  store = await createTestStore();
  await store.orders.receive(order("1"), entry("received"));
  const found = await store.orders.get({ tenant: TENANT, orderId: "1" });
  if (found === null) throw new Error("not stored");
  received = found;
});
afterAll(() => store.close());

function needs(changes: Partial<OrderRecord>, decided: Partial<Decision> = {}, nowMs = T0 + HOUR_MS) {
  const degraded = decision({ degraded: true, source: "local", ...decided });
  return needsCatchUp({ ...received, decidedAtMs: T0, decision: degraded, ...changes }, nowMs);
}

describe("needsCatchUp", () => {
  it("is over for an order whose hold was released, but not for one that was only recorded as held", () => {
    expect(needs({ state: "review" })).toBe(true);
    expect(needs({ state: "settled" })).toBe(false);
    expect(needs({ state: "settled" }, { enforce: false })).toBe(true);
  });

  it("spends a new day's credits only on orders that are still held from the day before", () => {
    const spent = { unchecked: "BUDGET_SPENT" } as const;
    const nextDayMs = T0 + 20 * HOUR_MS;

    expect(needs({ state: "review" }, spent, nextDayMs)).toBe(true);
    expect(needs({ state: "settled" }, { ...spent, action: "tag" }, nextDayMs)).toBe(false);
    expect(needs({ state: "settled" }, { ...spent, action: "tag" }, T0 + 1)).toBe(true);
  });

  it("lasts a day from the order's arrival or its latest change", () => {
    const nowMs = T0 + 30 * HOUR_MS;

    expect(needs({ state: "review" }, {}, nowMs)).toBe(false);
    expect(needs({ state: "review", revisedAtMs: nowMs - HOUR_MS }, {}, nowMs)).toBe(true);
  });
});
