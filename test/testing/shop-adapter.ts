import { createHostPlatform, HOST_SIGNATURE_HEADER, toMappedOrder, NO_MARKS } from "../../src/adapter-kit.ts";
import type { HostShop, ShopMarks, ShopOrder } from "../../src/adapter-kit.ts";
import type { AdapterUnderTest } from "../../src/testing.ts";
import { anOrder } from "../support/orders.ts";

const AT_MS = Date.UTC(2026, 10, 20, 10);

/** An order of a {@link MemoryShop}. */
export interface PlacedInMemory extends ShopOrder {
  readonly placedAtMs: number;
  /** Fields of its content that differ from the default. */
  readonly change: object;
}

/** A shop in memory, which runs Holdfast in its own process. */
export interface MemoryShop extends HostShop {
  place(order?: Partial<PlacedInMemory>): ShopOrder;
  /** Every call fails while it's set. */
  failing: Error | null;
}

/** Create a {@link MemoryShop}. Its orders are placed a minute apart. */
export function createMemoryShop(): MemoryShop {
  const orders = new Map<string, ShopOrder & { readonly placedAtMs: number }>();
  const change = (orderId: string, changes: Partial<ShopOrder>) => {
    const order = orders.get(orderId);
    if (order === undefined) throw new Error("no such order");
    orders.set(orderId, { ...order, ...changes });
  };
  const shop: MemoryShop = {
    name: "memory",
    failing: null,
    place({ change: changed, ...order } = {}) {
      const orderId = String(orders.size + 1);
      const content = { ...anOrder({ orderId }), ...changed, id: orderId };
      const state = { cancelled: false, fulfilled: false, partlyFulfilled: false, marks: NO_MARKS };
      const placed = { orderId, content, ...state, placedAtMs: AT_MS + orders.size * 60_000, ...order };
      orders.set(orderId, placed);
      return placed;
    },
    map(content) {
      const { id, ...order } = content as ReturnType<typeof anOrder> & { id: string };
      const mapped = toMappedOrder(order, { test: false, cancelled: false });
      const { orderAmount: amount, currency } = order;
      return { orderId: id, name: `#${id}`, customerId: undefined, mapped, amount, currency };
    },
    async read(orderId) {
      if (shop.failing !== null) throw shop.failing;
      return orders.get(orderId) ?? null;
    },
    async list({ sinceMs, untilMs = Infinity, offset, limit }) {
      if (shop.failing !== null) throw shop.failing;
      const within = [...orders.values()].filter(
        ({ placedAtMs }) => placedAtMs >= sinceMs && placedAtMs <= untilMs,
      );
      return within.slice(offset, offset + limit);
    },
    async mark(orderId, marks: Partial<ShopMarks>) {
      change(orderId, { marks: { ...(orders.get(orderId)?.marks ?? NO_MARKS), ...marks } });
    },
    async cancel(orderId) {
      change(orderId, { cancelled: true });
      return { outcome: "done", detail: "canceled" };
    },
    capture: async () => ({ outcome: "moot", reason: "nothing-to-capture" }),
    async countOtherOrders() {
      if (shop.failing !== null) throw shop.failing;
      return 2;
    },
  };
  return shop;
}

/** The platform of a shop in memory, for the contract suite. */
export function createShopAdapter(): AdapterUnderTest {
  const shop = createMemoryShop();
  const platform = createHostPlatform({ shop });
  let placed = 0;
  return {
    platform,
    tenant: platform.tenant,
    signatureHeader: HOST_SIGNATURE_HEADER,
    unknownOrderId: "999",
    sign: (body) => platform.sign("order", body),
    async placeOrder() {
      const createdAtMs = AT_MS + placed * 60_000;
      placed += 1;
      const order = shop.place();
      return { orderId: order.orderId, delivery: platform.report("order", order), createdAtMs };
    },
    async deprive(what) {
      if (what !== "connection") return null;
      shop.failing = new Error("the database is gone");
      return () => void (shop.failing = null);
    },
    close: async () => undefined,
  };
}
