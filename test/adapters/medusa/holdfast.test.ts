import { describe, expect, it } from "vitest";
import { createHoldfast, createMedusaShop, ORDER_EVENTS } from "../../../adapters/medusa/index.ts";

/** A container whose query answers with these fulfillments, and which offers nothing else. */
function aContainer(fulfillments: Readonly<Record<string, object | null>>) {
  const graph = async ({ entity, filters }: { entity: string; filters: { id: string } }) => {
    if (entity !== "fulfillment") throw new Error(`not expected: ${entity}`);
    const order = fulfillments[filters.id];
    return { data: order === undefined ? [] : [{ order }] };
  };
  return { resolve: (name: string) => (name === "query" ? { graph } : {}) };
}

const HELD = "Holdfast keeps this order on hold. Approve it in the Holdfast console first.";

describe("Medusa's fulfillment hooks", () => {
  const holdfast = createHoldfast({ settings: {} });
  const container = aContainer({
    held: { id: "order_1", metadata: { holdfast: { hold: "decision" } } },
    free: { id: "order_2", metadata: null },
    alone: null,
  });
  const ways = [
    ["made", (id: string) => holdfast.assertNotHeld({ fulfillment: { id } }, container)],
    ["marked as shipped", (id: string) => holdfast.assertNotHeldShipment({ shipment: { id } }, container)],
  ] as const;

  it.each(ways)("refuse the fulfillment of a held order that is %s", async (_case, assert) => {
    await expect(assert("held")).rejects.toMatchObject({ type: "not_allowed", message: HELD });
    await expect(assert("free")).resolves.toBeUndefined();
  });

  it.each(ways)("refuse a fulfillment without an order that is %s", async (_case, assert) => {
    await expect(assert("alone")).rejects.toThrow("order wasn't found");
    await expect(assert("unknown")).rejects.toThrow("order wasn't found");
  });

  it.each([[0], [Number.NaN], [2 ** 31]])("can't be created with a deadline of %d ms", (deadlineMs) => {
    expect(() => createHoldfast({ settings: {}, deadlineMs })).toThrow("deadlineMs");
  });
});

it("refuses a database that `medusa build` would delete", () => {
  const open = (DATABASE_URL: string) => createHoldfast({ settings: { DATABASE_URL } });

  expect(() => open("sqlite:/srv/shop/.medusa/server/data/holdfast.db")).toThrow("`medusa build` deletes");
  expect(() => open("sqlite:./.medusa/server/holdfast.db")).toThrow("settings.DATABASE_URL");
  expect(() => open("sqlite:/srv/shop/holdfast.db")).not.toThrow();
  expect(() => open("sqlite::memory:")).not.toThrow();
  expect(() => open("postgres://shop:secret@localhost/.medusa")).not.toThrow();
});

// Medusa 2.21, core-flows: `confirmOrderEditRequestWorkflow` emits only this event. It changes lines and total.
it("follows an order whose edit is confirmed", () => {
  expect(ORDER_EVENTS).toContain("order-edit.confirmed");
});

it("doesn't count drafts that staff prepared as a customer's earlier orders", async () => {
  const asked: unknown[] = [];
  const graph = async (query: { filters: unknown }) => {
    asked.push(query.filters);
    return { data: [], metadata: { count: 2 } };
  };
  const shop = createMedusaShop({ resolve: (name: string) => (name === "query" ? { graph } : {}) });

  const earlier = await shop.countOtherOrders({ orderId: "order_1", customerId: "cus_1" });

  expect(earlier).toBe(2);
  expect(asked).toEqual([{ customer_id: "cus_1", id: { $ne: "order_1" }, is_draft_order: false }]);
});
