import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MappedOrder } from "../../src/platform/platform.ts";
import type { Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { claim, entry, mapped, order, OTHER_TENANT, RETENTION_LIMITS, T0, TENANT } from "./samples.ts";

const DAY_MS = 86_400_000;
const CARD = { brand: "Visa", lastFourDigits: "4242", expiry: "12/29", holderName: "Jane Example" };
const ALL = { sinceMs: 0, untilMs: T0 + DAY_MS };

/** An order that a later dispute of the same card can use. */
export function paidByCard(email = "jane@shop.example", changes: object = {}): MappedOrder {
  const known = mapped(email);
  if (known.outcome !== "screenable") throw new Error("expected an order with a request");
  const request = { ...known.request, ipAddress: "203.0.113.7", paymentInfo: CARD, ...changes };
  return { ...known, request };
}

/** What is kept for the disputes of later orders. */
export function describeKeptOrders(open: OpenStore): void {
  describe("orders kept for disputes", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const key = (orderId: string) => ({ tenant: TENANT, orderId });
    const receive = (orderId: string, receivedAtMs = T0, content = paidByCard(), customerId?: string) =>
      store.orders.receive(order(orderId, { mapped: content, receivedAtMs, customerId }), entry("received"));
    const keep = async (orderId: string, ...rest: [number?, MappedOrder?, string?]) => {
      await receive(orderId, ...rest);
      const kept = await store.orders.get(key(orderId));
      if (kept !== null) await store.outcomes.keepOrder(kept, 0);
    };
    const found = async (orderId: string, window = ALL) =>
      (await store.outcomes.findKept(key(orderId), window)).map((kept) => kept.orderId);
    const dispute = {
      disputeId: "d1",
      kind: "chargeback",
      status: "open",
      reason: "fraudulent",
      isFraud: true,
      initiatedAtMs: T0,
    } as const;

    it("are found by the same card, newest first, within the window and the shop", async () => {
      await keep("old", T0 - 400 * DAY_MS);
      await keep("one", T0 - 200 * DAY_MS);
      await keep("two", T0 - 150 * DAY_MS);
      await keep(
        "other-card",
        T0 - 150 * DAY_MS,
        paidByCard("x@shop.example", { paymentInfo: { ...CARD, lastFourDigits: "1111" } }),
      );
      await receive("now");

      const window = { sinceMs: T0 - 365 * DAY_MS, untilMs: T0 - 120 * DAY_MS };
      expect(await found("now", window)).toEqual(["two", "one"]);
      expect(await store.outcomes.findKept({ tenant: OTHER_TENANT, orderId: "now" }, ALL)).toEqual([]);
      expect((await store.outcomes.findKept(key("now"), window))[0]).toEqual({
        orderId: "two",
        placedAtMs: T0 - 150 * DAY_MS,
        isDisputed: false,
        content: {
          name: "#two",
          amount: 19.99,
          currency: "USD",
          items: [],
          ip: "203.0.113.7",
          email: "jane@shop.example",
          address: "1 Example Street, Springfield, IL, 62701, US",
          brand: "Visa",
        },
      });
    });

    it("aren't kept without a card or an IP address, as a test, or once erased", async () => {
      await keep("no-card", T0, mapped());
      await keep("no-ip", T0, paidByCard("jane@shop.example", { ipAddress: undefined }));
      await keep("test", T0, { ...paidByCard(), test: true });
      await receive("erased");
      const kept = await store.orders.get(key("erased"));
      await store.retention.eraseOrders(
        { tenant: TENANT, orderIds: ["erased"], customerId: undefined, email: undefined },
        entry("erased"),
      );
      if (kept !== null) await store.outcomes.keepOrder(kept, 0);
      await receive("now");
      expect(await found("now")).toEqual([]);
    });

    it("are disputed if a bank disputes them, before or after they are kept, even when their order is gone", async () => {
      await receive("before");
      await store.outcomes.recordDispute(key("before"), { ...dispute, orderId: "before" }, entry("dispute"));
      const kept = await store.orders.get(key("before"));
      if (kept !== null) await store.outcomes.keepOrder(kept, 0);
      await keep("after");
      await store.outcomes.recordDispute(
        key("after"),
        { ...dispute, disputeId: "d2", orderId: "after" },
        entry("dispute"),
      );
      await receive("now");
      const disputed = (await store.outcomes.findKept(key("now"), ALL)).map((one) => one.isDisputed);
      expect(disputed).toEqual([true, true]);
    });

    it.each([
      ["order", { orderIds: ["1"] }],
      ["customer", { customerId: "c1" }],
      ["email address", { email: "JANE@shop.example" }],
    ])("are listed for the customer and erased by their %s", async (_by, wish) => {
      await keep("1", T0, paidByCard(), "c1");
      await keep("2", T0, paidByCard("other@shop.example"), "c2");
      const owner = { tenant: TENANT, orderIds: [], customerId: undefined, email: undefined, ...wish };
      expect((await store.outcomes.findKeptOf(owner)).map(({ orderId }) => orderId)).toEqual(["1"]);

      await store.retention.eraseOrders(owner, entry("erased"));

      expect(await store.outcomes.findKeptOf(owner)).toEqual([]);
      await receive("now");
      expect(await found("now")).toEqual(["2"]);
    });

    it("go by age, one by one, all at once, and with the shop", async () => {
      for (const [orderId, days] of [
        ["1", 600],
        ["2", 500],
        ["3", 10],
        ["4", 5],
      ] as const)
        await keep(orderId, T0 - days * DAY_MS);
      await receive("now");
      await store.retention.eraseAged("kept-orders", RETENTION_LIMITS, null);
      expect(await found("now")).toEqual(["4", "3", "2"]);
      expect(await store.outcomes.dropKept(TENANT, T0 - 400 * DAY_MS)).toBe(1);
      await store.outcomes.dropKeptOrder(key("3"));
      expect(await found("now")).toEqual(["4"]);
      expect(await store.outcomes.dropKept(OTHER_TENANT)).toBe(0);
      expect(await store.outcomes.dropKept(TENANT)).toBe(1);
      await keep("5");
      await store.retention.eraseTenant(TENANT);
      expect(await store.outcomes.dropKept(TENANT)).toBe(0);
    });

    it("are found for an order whose content was erased, by the card of its own kept row", async () => {
      await keep("earlier", T0 - 200 * DAY_MS);
      await keep("disputed", T0 - 40 * DAY_MS);
      await store.orders.claim(claim("p1"));
      const done = { state: "settled", dueAtMs: null, settledAtMs: T0 } as const;
      await store.orders.save(key("disputed"), "p1", { changes: done, release: true });
      await store.retention.eraseAged("order-content", RETENTION_LIMITS, null);

      expect((await store.orders.get(key("disputed")))?.mapped).toBeNull();
      expect(await found("disputed")).toEqual(["earlier"]);
    });

    it("are kept by when they were placed, and not if that was before the opt-in", async () => {
      const placedMs = T0 - 10 * DAY_MS;
      const placed = paidByCard("jane@shop.example", { orderTimestamp: new Date(placedMs).toISOString() });
      await receive("late", T0, placed);
      const late = await store.orders.get(key("late"));
      if (late === null) throw new Error("expected the order");
      await receive("now");
      await store.outcomes.keepOrder(late, placedMs + 1);
      expect(await found("now")).toEqual([]);
      await store.outcomes.keepOrder(late, placedMs);
      expect(await store.outcomes.findKept(key("now"), ALL)).toMatchObject([{ placedAtMs: placedMs }]);
    });

    it("aren't imported orders, and none that were canceled, also if that happens after they were found", async () => {
      for (const effects of ["record", "none"] as const) {
        const content = { mapped: paidByCard(), effects };
        await store.orders.receive(order(effects, content), entry("received"));
      }
      for (const orderId of ["open", "settled", "sold"]) await receive(orderId);
      await store.orders.claim(claim("p1"));
      const done = { state: "settled", dueAtMs: null, settledAtMs: T0 } as const;
      await store.orders.save(key("settled"), "p1", { changes: done, release: true });
      for (const orderId of ["open", "settled"])
        await store.orders.end(key(orderId), "shopify", T0, {
          ...entry("found"),
          kind: "cancelled-on-platform",
        });

      const look = { sinceMs: T0, untilMs: T0 + 1, limit: 10 };
      expect(await store.outcomes.findUnkept(TENANT, look)).toEqual([{ orderId: "sold", receivedAtMs: T0 }]);
      for (const orderId of ["record", "none", "open", "settled"]) {
        const kept = await store.orders.get(key(orderId));
        if (kept !== null) await store.outcomes.keepOrder(kept, 0);
      }
      expect(await store.outcomes.dropKept(TENANT)).toBe(0);
    });

    it.each(["brand", "expiry", "holderName"])("aren't kept without the card's %s", async (part) => {
      await keep("1", T0, paidByCard("jane@shop.example", { paymentInfo: { ...CARD, [part]: undefined } }));
      expect(await store.outcomes.dropKept(TENANT)).toBe(0);
    });

    it("are looked for once each", async () => {
      await receive("no-card", T0, mapped());
      await keep("kept");
      await receive("1", T0 + 1);
      await receive("2", T0 + 2);
      const look = { sinceMs: T0, untilMs: T0 + 10, limit: 1 };
      expect(await store.outcomes.findUnkept(TENANT, look)).toEqual([{ orderId: "1", receivedAtMs: T0 + 1 }]);
    });
  });
}
