import { describe, expect, it } from "vitest";
import {
  createEligibilityCheck,
  createOrderProcess,
  type Checkout,
} from "../../../adapters/vendure/checkout.ts";
import type { Id, Order, Services } from "../../../adapters/vendure/core.ts";
import { createFulfillmentGuard } from "../../../adapters/vendure/fulfillment.ts";
import { toShop } from "../../../adapters/vendure/shop.ts";
import { aShop } from "./shop-services.ts";

const orderPlacedAt = "2026-11-20T09:08:34.124Z";
const WHOLE = { ...aShop("ArrangingPayment", []).order, type: "Aggregate", orderPlacedAt };
// `OrderSplitter.createSellerOrders` of Vendure 3.7 saves one for each seller. Many shops then pay it through the order service.
const PART = { ...WHOLE, id: 2, code: "A2", type: "Seller", aggregateOrderId: 1 };

/** Vendure's services with these orders. Options of lists are kept in `asked`. */
function servicesWith(...orders: readonly Order[]) {
  const asked: object[] = [];
  const find = (id: Id) => orders.find((order) => String(order.id) === String(id));
  const services = {
    newContext: async () => ({}),
    repository: () => ({ find: async ({ where }: { where: { id: Id } }) => [find(where.id)] }),
    orders: {
      findOne: async (_ctx: object, id: Id) => find(id),
      findAll: async (_ctx: object, options: object) => ({ items: [], options: asked.push(options) }),
      findByCustomerId: async (_ctx: object, _id: Id, options: object) => {
        asked.push(options);
        return { totalItems: 3 };
      },
    },
  };
  return { services: services as unknown as Services, asked };
}

describe("a seller's part of a Vendure order", () => {
  it("isn't checked: the customer's whole order is", async () => {
    const ready = () => ({}) as Checkout;
    const ctx = {};

    expect(await createEligibilityCheck(ready, {})(ctx, PART)).toBe(true);
    const placing = createOrderProcess(ready, {});
    expect(await placing("ArrangingPayment", "PaymentSettled", { ctx, order: PART })).toBeUndefined();
    expect(await toShop(servicesWith(WHOLE, PART).services, {}).read("2")).toBeNull();
    expect(await toShop(servicesWith(WHOLE, PART).services, {}).read("1")).toMatchObject({ orderId: "1" });
  });

  it("is neither a missed order nor an earlier order of the customer, and neither is a draft", async () => {
    const { services, asked } = servicesWith();
    const shop = toShop(services, {});

    await shop.list({ sinceMs: 0, untilMs: 1, offset: 0, limit: 10 });
    const count = await shop.countOtherOrders({ orderId: "1", customerId: "3" });

    expect(count).toBe(3);
    const type = { notEq: "Seller" };
    expect(asked).toMatchObject([
      { filter: { type } },
      { filter: { type, id: { notEq: "1" }, active: { eq: false } } },
    ]);
  });

  it.each([
    ["decision", "Holdfast keeps this order on hold. Approve it in the Holdfast console first."],
    [null, undefined],
  ])("ships by the hold of the whole order: %j", async (holdfastHold, refusal) => {
    const { services } = servicesWith({ ...WHOLE, customFields: { holdfastHold } }, PART);
    const guard = createFulfillmentGuard(() => services);

    expect(await guard.onTransitionStart("Created", "Pending", { ctx: {}, orders: [PART] })).toBe(refusal);
  });
});
