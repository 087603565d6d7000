import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toMappedOrder } from "../../src/platform/mapped-order.ts";
import type { PartialVerificationRequest } from "../../src/order/request.ts";
import type { Dispute, MappedOrder } from "../../src/platform/platform.ts";
import type { OrderFilter, Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { entry, order, OTHER_TENANT, T0, TENANT } from "./samples.ts";

const ADDRESS = { street: "1 Way", city: "Zürich", state: "ZH", postalCode: "8001", country: "CH" };
const BUYER: PartialVerificationRequest = {
  orderAmount: 1249,
  currency: "USD",
  customerName: "Zoë Müller",
  customerEmail: "zoe.m@mail.acme-shoes.example",
  companyName: "Acme Schuhe AG",
  ipAddress: "203.0.113.77",
  paymentInfo: { lastFourDigits: "4242" },
  items: [{ name: "Écharpe rouge", quantity: 1, price: 1249, sku: "SC-77" }],
  shippingAddress: ADDRESS,
  billingAddress: { ...ADDRESS, country: "Germany" },
};

function mappedFrom(changes: PartialVerificationRequest): MappedOrder {
  return toMappedOrder({ ...BUYER, ...changes }, { test: false, context: {}, cancelled: false });
}

const DISPUTE: Dispute & { readonly orderId: string } = {
  disputeId: "d1",
  orderId: "2",
  kind: "chargeback",
  status: "lost",
  reason: "fraudulent",
  isFraud: true,
  initiatedAtMs: T0,
};

export function describeOrderSearch(open: OpenStore): void {
  describe("the search for orders", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const receive = (orderId: string, changes: Parameters<typeof order>[1] = {}) =>
      store.orders.receive(order(orderId, changes), entry("received", changes.receivedAtMs));

    async function list(filter: OrderFilter): Promise<string> {
      const { orders } = await store.orders.list(TENANT, { ...filter, limit: 50 });
      return orders
        .map(({ orderId }) => orderId)
        .toSorted()
        .join(" ");
    }
    const find = (search: string) => list({ search });

    it("finds orders by content, without accents, and only the tenant's own", async () => {
      await receive("1", { mapped: mappedFrom({}) });
      await receive("other", { tenant: OTHER_TENANT, mapped: mappedFrom({}) });
      await receive("2", {
        mapped: mappedFrom({
          customerName: "Jane Doe",
          customerEmail: "jane@shop.example",
          companyName: "Widgets",
          ipAddress: "198.51.100.7",
          paymentInfo: { lastFourDigits: "1111" },
          items: [{ name: "Red hat", quantity: 1, price: 5 }],
          shippingAddress: { ...ADDRESS, country: "US" },
          billingAddress: { ...ADDRESS, country: "US" },
        }),
      });

      const texts = [
        ["zoe muller", "1"],
        ["ZOË", "1"],
        // Part of the email address, its domain, and its domain with the sign.
        ["oe.m@", "1"],
        ["acme-shoes.example", "1"],
        ["@mail.acme", "1"],
        ["shop.example", "2"],
        ["203.0.113", "1"],
        ["203.0.113.77", "1"],
        ["4242", "1"],
        ["1111", "2"],
        ["echarpe", "1"],
        ["sc-77", "1"],
        ["schuhe", "1"],
        ["Switzerland", "1"],
        ["Germany", "1"],
        ["US", "2"],
        ["United States", "2"],
        ["example", "1 2"],
        ["harpe", ""],
        ["9.9.9", ""],
      ] as const;
      for (const [text, found] of texts) expect([text, await find(text)]).toEqual([text, found]);
    });

    it("finds orders by amount as people write it", async () => {
      await receive("a", { amount: 1249, currency: "USD" });
      await receive("b", { amount: 1249.5, currency: "EUR" });
      await receive("c", { amount: 59.9, currency: "USD" });
      await receive("1249", { amount: 1 });

      const texts = [
        ["1,249.00", "a"],
        ["1249.00", "a"],
        ["$1,249", "a b"],
        ["1.249,50 €", "b"],
        ["1249 EUR", "b"],
        ["USD 59.90", "c"],
        ["59,9", "c"],
        ["59", "c"],
        ["12.49", ""],
        // An order's own number comes first.
        ["1249", "1249"],
      ] as const;
      for (const [text, found] of texts) expect([text, await find(text)]).toEqual([text, found]);
    });

    it("says when only the newest orders were searched by their content", async () => {
      await receive("1");
      const { searchedNewest } = await store.orders.list(TENANT, { search: "jane", limit: 1 });
      expect(searchedNewest).toBeNull();
    });

    it("searches the orders that the other filters keep, and says when it found more than it lists", async () => {
      for (let index = 0; index < 505; index += 1) await receive(`o${index}`, { receivedAtMs: T0 + index });
      const oldest = { untilMs: T0 + 3 };
      // By amount, by the beginning of a name, and by content.
      for (const search of ["19.99", "19", "#o", "jane"]) {
        expect([search, await list({ search, ...oldest })]).toEqual([search, "o0 o1 o2"]);
        const { cutAt } = await store.orders.list(TENANT, { search, ...oldest, limit: 1 });
        expect([search, cutAt]).toEqual([search, null]);
        const page = await store.orders.list(TENANT, { search, limit: 1 });
        expect([search, page.cutAt, page.searchedNewest]).toEqual([search, 500, null]);
        expect([search, await store.orders.totals(TENANT, { search })]).toMatchObject([
          search,
          { isComplete: false },
        ]);
        expect(await store.orders.totals(TENANT, { search, ...oldest })).toMatchObject({
          orders: 3,
          isComplete: true,
        });
      }
      // The order with that ID was meant, so those whose names begin like it aren't found instead.
      expect(await list({ search: "o5", sinceMs: T0 + 6 })).toBe("");
    });

    it("filters by time, country and dispute", async () => {
      await receive("1", { receivedAtMs: T0, mapped: mappedFrom({}) });
      await receive("2", { receivedAtMs: T0 + 1 });
      await receive("3", { receivedAtMs: T0 + 2 });
      const { orderId: _, ...dispute } = DISPUTE;
      await store.outcomes.recordDispute({ tenant: TENANT, orderId: "2" }, DISPUTE, entry("dispute"));
      const inquiry = { ...dispute, orderId: "3", disputeId: "d2", kind: "inquiry", status: "open" } as const;
      await store.outcomes.recordDispute({ tenant: TENANT, orderId: "3" }, inquiry, entry("dispute"));

      expect(await list({ sinceMs: T0 + 1 })).toBe("2 3");
      expect(await list({ untilMs: T0 + 1 })).toBe("1");
      expect(await list({ sinceMs: T0 + 1, untilMs: T0 + 2 })).toBe("2");
      expect(await list({ country: "CH" })).toBe("1");
      expect(await list({ country: "DE" })).toBe("");
      expect(await list({ country: "US" })).toBe("2 3");
      expect(await list({ dispute: "any" })).toBe("2 3");
      expect(await list({ dispute: "chargeback" })).toBe("2");
      expect(await list({ dispute: "lost" })).toBe("2");
      expect(await list({ dispute: "open" })).toBe("3");
      expect(await list({ dispute: "inquiry", country: "CH" })).toBe("");
    });

    it("keeps the orders that are accepted, page by page, and each once", async () => {
      for (let index = 0; index < 450; index += 1) await receive(`o${index}`, { receivedAtMs: T0 + index });
      const accept: OrderFilter["accept"] = async (orders) =>
        new Set(orders.map(({ orderId }) => orderId).filter((id) => id.endsWith("0")));

      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.orders.list(TENANT, { accept, limit: 10, cursor });
        found.push(...page.orders.map(({ orderId }) => orderId));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);

      expect(found).toEqual(Array.from({ length: 45 }, (_, index) => `o${440 - 10 * index}`));
      expect(await store.orders.totals(TENANT, { accept })).toMatchObject({ orders: 45, isComplete: true });
    });

    it("adds up a list by currency", async () => {
      await receive("1", { amount: 0.1 });
      await receive("2", { amount: 0.2 });
      await receive("3", { amount: 1_000, currency: "JPY", receivedAtMs: T0 + 5 });
      await receive("4", { amount: undefined, currency: undefined });
      await receive("other", { tenant: OTHER_TENANT });
      const totals = (filter: OrderFilter) => store.orders.totals(TENANT, filter);

      const amount = { USD: 0.3, JPY: 1_000 };
      expect(await totals({})).toEqual({ orders: 4, amount, isComplete: true });
      expect(await totals({ search: "jane" })).toEqual({ orders: 4, amount, isComplete: true });
      expect(await totals({ sinceMs: T0 + 1 })).toMatchObject({ orders: 1, amount: { JPY: 1_000 } });
      expect(await totals({ view: "queue" })).toEqual({ orders: 0, amount: {}, isComplete: true });
      expect(await totals({ search: "nobody" })).toMatchObject({ orders: 0 });
    });
  });
}
