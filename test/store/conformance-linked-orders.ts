import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MappedOrder } from "../../src/platform/platform.ts";
import type { PartialVerificationRequest } from "../../src/order/request.ts";
import { MOST_OF_BUYER } from "../../src/store/orders/buyer-orders.ts";
import { MOST_LINKED } from "../../src/store/orders/linked-orders.ts";
import type { Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { claim, entry, mapped, order, OTHER_TENANT, T0, TENANT } from "./samples.ts";

const PHONE = "+49 151 2345 6789";
const IP = "91.10.20.30";

/** An order that shares nothing with others, except through `changes`. */
function orderOf(orderId: string, changes: PartialVerificationRequest = {}, test = false): MappedOrder {
  const address = {
    street: `${orderId} Side Street`,
    city: "Reno",
    state: "NV",
    postalCode: "89501",
    country: "US",
  };
  const known = { customerEmail: `${orderId}@shop.example`, shippingAddress: address, ...changes };
  return { outcome: "unscreenable", reason: "NO_NAME", known, test };
}

export function describeLinkedOrders(open: OpenStore): void {
  describe("linked orders", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const key = (orderId: string, tenant = TENANT) => ({ tenant, orderId });
    const receive = (orderId: string, of: MappedOrder, changes: Parameters<typeof order>[1] = {}) =>
      store.orders.receive(order(orderId, { mapped: of, ...changes }), entry("received"));
    const linksOf = async (orderId: string, tenant = TENANT) => {
      const { orders = [] } = (await store.orders.listLinked(key(orderId, tenant))) ?? {};
      return orders.map((one) => [one.orderId, ...one.links]);
    };

    it("share a mailbox, network, card, phone or address, however it is written, newest first", async () => {
      const paymentInfo = { brand: "Visa", lastFourDigits: "4242", expiry: "12/30", holderName: "Ann Lee" };
      const first = { customerEmail: "a.nn@gmail.com", customerPhone: PHONE, ipAddress: IP, paymentInfo };
      await receive("1", orderOf("1", first));
      await receive("2", orderOf("2", { customerEmail: "Ann+x@gmail.com", paymentInfo }), {
        receivedAtMs: T0 + 1,
      });
      await receive("3", orderOf("3", { customerPhone: "0151 23456789", ipAddress: IP }), {
        receivedAtMs: T0 + 2,
      });
      const street = { street: "1 side st", city: "Reno", state: "NV", postalCode: "89501", country: "US" };
      await receive("4", orderOf("4", { shippingAddress: street }), { receivedAtMs: T0 + 3 });
      await receive("5", orderOf("5"));

      expect(await linksOf("1")).toEqual([
        ["4", "address"],
        ["3", "network", "phone"],
        ["2", "mailbox", "card"],
      ]);
      expect(await linksOf("5")).toEqual([]);
      expect(await store.orders.listLinked(key("6"))).toBeNull();
    });

    it("belong to the same tenant, and are never tests", async () => {
      await receive("1", orderOf("1", { ipAddress: IP }));
      await receive("2", orderOf("2", { ipAddress: IP }), { tenant: OTHER_TENANT });
      await receive("3", orderOf("3", { ipAddress: IP }, true));

      expect(await linksOf("1")).toEqual([]);
      expect(await linksOf("2", OTHER_TENANT)).toEqual([]);
      expect(await store.orders.listLinked(key("3"))).toEqual({ keys: {}, orders: [] });
    });

    it("of a buyer share an account, too, oldest first, with the order itself", async () => {
      await receive("1", orderOf("1", { ipAddress: IP }), { customerId: "c-1" });
      await receive("2", orderOf("2"), { customerId: "c-1", receivedAtMs: T0 - 1 });
      await receive("3", orderOf("3", { ipAddress: IP }), { receivedAtMs: T0 - 2 });
      await receive("4", orderOf("4"), { customerId: "c-1", tenant: OTHER_TENANT });

      const found = await store.orders.listOfBuyer(key("1"));

      expect(found?.orders.map(({ order: one, links }) => [one.orderId, ...links])).toEqual([
        ["3", "network"],
        ["2", "customer"],
        ["1"],
      ]);
      expect(found?.isCut).toBe(false);
      expect(await store.orders.listOfBuyer(key("5"))).toBeNull();
    });

    it("of a buyer are the newest if there are too many", async () => {
      for (let number = 0; number <= MOST_OF_BUYER + 1; number += 1)
        await receive(`n${number}`, orderOf(`n${number}`, { ipAddress: IP }), { receivedAtMs: T0 + number });

      const { orders = [], isCut } = (await store.orders.listOfBuyer(key("n0"))) ?? {};

      expect(isCut).toBe(true);
      expect(orders.map(({ order: one }) => one.orderId).slice(0, 2)).toEqual(["n0", "n2"]);
      expect(orders).toHaveLength(MOST_OF_BUYER + 1);
    });

    it("are only the newest for each key, however many there are", async () => {
      for (let number = 0; number <= MOST_LINKED + 1; number += 1)
        await receive(`n${number}`, orderOf(`n${number}`, { ipAddress: IP }), { receivedAtMs: T0 + number });

      const found = await linksOf("n0");

      expect(found).toHaveLength(MOST_LINKED);
      expect(found[0]).toEqual([`n${MOST_LINKED + 1}`, "network"]);
    });

    it("include what becomes known about an order later", async () => {
      await receive("1", orderOf("1", { customerPhone: PHONE }));
      await receive("2", orderOf("2"));
      await store.orders.claim(claim("p1"));

      await store.orders.save(key("2"), "p1", {
        changes: { mapped: orderOf("2", { customerPhone: PHONE }) },
        release: true,
      });

      expect(await linksOf("1")).toEqual([["2", "phone"]]);
    });

    it("are forgotten with an order's content", async () => {
      await receive("1", mapped());
      await receive("2", mapped());
      expect(await linksOf("1")).toEqual([["2", "mailbox", "address"]]);

      const request = { tenant: TENANT, orderIds: ["2"], customerId: undefined, email: undefined };
      await store.retention.eraseOrders(request, entry("erased", T0 + 1));

      expect(await linksOf("1")).toEqual([]);
      expect(await store.orders.listLinked(key("2"))).toEqual({ keys: {}, orders: [] });
    });
  });
}
