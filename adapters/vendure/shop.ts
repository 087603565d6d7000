import type { HostShop, ShopOrder } from "../../src/adapter-kit.ts";
import { findServices, type Injector, type Order, type Services, type VendureCore } from "./core.ts";
import type { VendureOptions } from "./from-vendure.ts";
import { readMarks, toFields } from "./marks.ts";
import { cancelOrder, capturePayments } from "./money.ts";
import { FULFILLED, isPart, mapOrder, PARTLY_FULFILLED, RELATIONS, toContent, WHOLE } from "./order.ts";

/**
 * A Vendure shop with the methods that Holdfast calls, for `createHostPlatform`.
 *
 * @param core `import * as core from "@vendure/core"`: your own, of Vendure 3.
 * @param injector Vendure's `Injector`, or the application that `bootstrap` resolves to.
 */
export function createVendureShop(
  core: VendureCore,
  injector: Injector,
  options: VendureOptions = {},
): HostShop {
  return toShop(findServices(core, injector), options);
}

export function toShop(services: Services, options: VendureOptions): HostShop {
  const { orders, newContext } = services;

  async function find(orderId: string): Promise<Order | null> {
    const order = await orders.findOne(await newContext(), orderId, [...RELATIONS]);
    return order?.orderPlacedAt == null || isPart(order) ? null : order;
  }

  return {
    name: "vendure",
    map: (content) => mapOrder(content, options),
    async read(orderId) {
      const order = await find(orderId);
      return order === null ? null : toShopOrder(order);
    },
    async list({ sinceMs, untilMs = Date.now(), offset, limit }) {
      const orderPlacedAt = { between: { start: new Date(sinceMs), end: new Date(untilMs) } };
      const { items } = await orders.findAll(
        await newContext(),
        {
          filter: { orderPlacedAt, ...WHOLE },
          sort: { orderPlacedAt: "ASC", id: "ASC" },
          skip: offset,
          take: limit,
        },
        [...RELATIONS],
      );
      return items.map(toShopOrder);
    },
    async mark(orderId, marks) {
      // Only these columns: saving a loaded order would also overwrite what somebody else changed meanwhile.
      await services
        .repository(await newContext())
        .update({ id: orderId }, { customFields: toFields(marks) });
    },
    async cancel(orderId, how) {
      const order = await find(orderId);
      if (order === null) return { outcome: "impossible", reason: "order-not-found" };
      return cancelOrder(services, await newContext(), order, how);
    },
    async capture(orderId) {
      const order = await find(orderId);
      if (order === null) return { outcome: "impossible", reason: "order-not-found" };
      return capturePayments(services, await newContext(), order);
    },
    async listPayments(orderId) {
      const payments = await orders.getOrderPayments(await newContext(), orderId);
      return payments.map(({ transactionId }) => transactionId ?? "");
    },
    async countOtherOrders({ orderId, customerId }) {
      if (customerId === undefined) return null;
      // Without the drafts that staff prepare.
      const filter = { id: { notEq: orderId }, active: { eq: false }, ...WHOLE };
      const others = { filter, take: 1 };
      return (await orders.findByCustomerId(await newContext(), customerId, others, ["customer"])).totalItems;
    },
  };
}

export function toShopOrder(order: Order): ShopOrder {
  const { id, state, customFields } = order;
  return {
    orderId: String(id),
    content: toContent(order),
    cancelled: state === "Cancelled",
    fulfilled: FULFILLED.has(state),
    partlyFulfilled: PARTLY_FULFILLED.has(state),
    marks: readMarks(customFields),
  };
}
