import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { surveyTenant } from "../../../src/cli/backfill/survey.ts";
import type { OrderWindow, Platform, PlatformOrder } from "../../../src/platform/platform.ts";
import { DEFAULT_POLICY } from "../../../src/policy/policy.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { mapped, order, entry, T0, TENANT } from "../../store/samples.ts";
import { createTestPlatform } from "../../support/platform.ts";

const DAY_MS = 86_400_000;

let store: Store;

beforeEach(async () => {
  store = await createTestStore();
});
afterEach(() => store.close());

const anOrder = (orderId: string, changes: Partial<PlatformOrder> = {}): PlatformOrder => ({
  orderId,
  name: `#${orderId}`,
  customerId: undefined,
  mapped: mapped(),
  amount: 20,
  currency: "USD",
  ...changes,
});

/** Survey a shop that lists these orders, for any window, one a page. */
async function survey(orders: readonly PlatformOrder[], changes: object = {}) {
  const windows: OrderWindow[] = [];
  const platform: Platform = {
    ...createTestPlatform(),
    async recentOrders(_tenant, window) {
      windows.push(window);
      const index = Number(window.cursor ?? 0);
      const nextCursor = index + 1 < orders.length ? String(index + 1) : null;
      return { orders: orders.slice(index, index + 1), nextCursor };
    },
  };
  const result = await surveyTenant(TENANT, {
    store,
    platform,
    policyOf: async () => ({ policy: DEFAULT_POLICY, version: 0 }),
    nowMs: T0,
    sinceMs: T0 - 30 * DAY_MS,
    recordBeforeMs: T0 - DAY_MS,
    isPaid: true,
    limit: 100,
    onListed() {},
    ...changes,
  });
  const ids = result.found.map(
    ({ order: { orderId }, effects }) => `${orderId}${effects === "record" ? " old" : ""}`,
  );
  return { ...result, ids, windows };
}

describe("surveyTenant", () => {
  it("surveys the old orders first, and counts one on the border as old", async () => {
    const { ids, windows, listed } = await survey([anOrder("1"), anOrder("2")]);

    expect(ids).toEqual(["1 old", "2 old"]);
    expect(listed).toBe(2);
    expect(windows.map(({ sinceMs, untilMs }) => [T0 - sinceMs, T0 - (untilMs ?? 0)])).toEqual([
      [30 * DAY_MS, DAY_MS],
      [30 * DAY_MS, DAY_MS],
      [DAY_MS, 0],
      [DAY_MS, 0],
    ]);
  });

  it("needs one window when all orders are old, or none is", async () => {
    expect((await survey([anOrder("1")], { recordBeforeMs: T0 - 30 * DAY_MS })).ids).toEqual(["1"]);
    expect((await survey([anOrder("1")], { recordBeforeMs: T0 + 1 })).ids).toEqual(["1 old"]);
  });

  it("stops at the limit, and says that there is more only when there is", async () => {
    const orders = ["1", "2", "3"].map((orderId) => anOrder(orderId));

    expect(await survey(orders, { limit: 2 })).toMatchObject({
      ids: ["1 old", "2 old"],
      more: true,
      paid: 2,
    });
    expect(await survey(orders, { limit: 3 })).toMatchObject({ more: false });
    expect(await survey(orders, { limit: 0 })).toMatchObject({ ids: [], more: true });
    await store.orders.receive(order("3"), entry("received"));
    expect(await survey(orders, { limit: 2 })).toMatchObject({ ids: ["1 old", "2 old"], more: false });
  });

  it("leaves alone what has shipped, and plans no credit without a service", async () => {
    const orders = [anOrder("1", { fulfilled: true }), anOrder("2")];

    expect(await survey(orders, { isPaid: false })).toMatchObject({ ids: ["2 old"], shipped: 1, paid: 0 });
  });
});
