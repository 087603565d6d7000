import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MappedOrder } from "../../src/platform/platform.ts";
import type { Store } from "../../src/store/store.ts";
import { paidByCard } from "./conformance-kept-orders.ts";
import type { OpenStore } from "./conformance.ts";
import { claim, decision, entry, order, OTHER_TENANT, RETENTION_LIMITS, T0, TENANT } from "./samples.ts";

const DAY_MS = 86_400_000;
const OLD_MS = T0 - 40 * DAY_MS;
const KEPT = { email: "jane@shop.example", placedAtMs: OLD_MS };

/** Addresses that outlive the content of orders. */
export function describeKeptAddresses(open: OpenStore): void {
  describe("kept addresses", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const key = (orderId: string) => ({ tenant: TENANT, orderId });
    const receive = (
      orderId: string,
      receivedAtMs = T0,
      content: MappedOrder = paidByCard(),
      customerId = "c1",
    ) =>
      store.orders.receive(order(orderId, { mapped: content, receivedAtMs, customerId }), entry("received"));
    /** An order that passed, and whose address is kept. */
    const keep = async (orderId: string, content?: MappedOrder, customerId?: string) => {
      await receive(orderId, OLD_MS, content, customerId);
      const [claimed] = await store.orders.claim(claim("p1"));
      if (claimed === undefined) throw new Error("nothing to work on");
      await store.orders.save(claimed, "p1", {
        changes: {
          state: "settled",
          dueAtMs: null,
          decision: decision({ action: "allow" }),
          decidedAtMs: OLD_MS,
          settledAtMs: OLD_MS,
        },
        release: true,
      });
      await store.buyerChecks.keepAddress(claimed, KEPT);
    };
    const age = () => store.retention.eraseAged("order-content", RETENTION_LIMITS, null);
    const earlier = async (withKept = true) =>
      (await store.buyerChecks.listEarlier(key("now"), { withKept })).map(({ orderId, email }) => [
        orderId,
        email,
      ]);

    it("are found by account or mailbox once the order's content is gone, and only where they are asked for", async () => {
      await keep("old");
      await keep("other-mailbox", paidByCard("x@shop.example"));
      await keep("stranger", paidByCard("s@shop.example"), "c2");
      await receive("now");
      expect(await earlier()).toHaveLength(2);
      await age();

      expect((await store.orders.get(key("old")))?.mapped).toBeNull();
      expect(await earlier()).toEqual([
        ["old", KEPT.email],
        ["other-mailbox", KEPT.email],
      ]);
      expect(await earlier(false)).toEqual([]);
      const [old] = await store.buyerChecks.listEarlier(key("now"), { withKept: true });
      expect(old).toMatchObject({ placedAtMs: OLD_MS, isPaid: true, sharesDetail: true, name: "#old" });
    });

    it("don't count once a bank disputes the order", async () => {
      await keep("old");
      await receive("now");
      await age();
      const dispute = {
        disputeId: "d1",
        orderId: "old",
        kind: "chargeback",
        status: "won",
        reason: "fraudulent",
        isFraud: true,
        initiatedAtMs: T0,
      } as const;
      await store.outcomes.recordDispute(key("old"), dispute, entry("dispute"));

      expect(await earlier()).toEqual([]);
    });

    it("are deleted with their customer, their order or their shop, and when the shop keeps none", async () => {
      const left = async () =>
        (await store.buyerChecks.findAddressesOf({ tenant: TENANT, orderIds: ["a", "b", "c", "d"] })).map(
          (one) => one.orderId,
        );
      await keep("a", undefined, "c3");
      await keep("b", paidByCard("b@shop.example"), "c4");
      await keep("c", paidByCard("c@shop.example"), "c5");
      await keep("d", paidByCard("d@shop.example"), "c6");
      await age();
      const erase = (wish: {
        customerId?: string;
        email?: string;
        orderIds?: readonly string[];
        tenant?: string;
      }) =>
        store.retention.eraseOrders(
          { tenant: TENANT, orderIds: [], customerId: undefined, email: undefined, ...wish },
          entry("erased", T0 + 1),
        );
      await erase({ tenant: OTHER_TENANT, customerId: "c3" });
      expect(await left()).toEqual(["a", "b", "c", "d"]);

      await erase({ customerId: "c3" });
      await erase({ email: "B@shop.example" });
      await erase({ orderIds: ["c"] });
      expect(await left()).toEqual(["d"]);
      await store.buyerChecks.dropAddresses(OTHER_TENANT);
      expect(await left()).toEqual(["d"]);
      await store.retention.eraseAged("orders", { ...RETENTION_LIMITS, ordersBeforeMs: T0 }, null);
      expect(await left()).toEqual([]);
    });

    it("aren't kept of an order that was erased meanwhile", async () => {
      await receive("1", OLD_MS);
      const known = await store.orders.get(key("1"));
      await store.retention.eraseOrders(
        { tenant: TENANT, orderIds: ["1"], customerId: undefined, email: undefined },
        entry("erased"),
      );
      if (known !== null) await store.buyerChecks.keepAddress(known, KEPT);

      expect(await store.buyerChecks.findAddressesOf({ tenant: TENANT, orderIds: ["1"] })).toEqual([]);
    });

    it("are looked for only among orders that passed, once", async () => {
      await keep("old");
      await receive("undecided", OLD_MS);
      const window = { sinceMs: 0, untilMs: T0, limit: 10 };

      expect(await store.buyerChecks.findUnkeptAddresses(TENANT, window)).toEqual([]);
      await store.buyerChecks.dropAddresses(TENANT);
      expect(await store.buyerChecks.findUnkeptAddresses(TENANT, window)).toEqual([
        { orderId: "old", receivedAtMs: OLD_MS },
      ]);
      expect(await store.buyerChecks.findUnkeptAddresses(OTHER_TENANT, window)).toEqual([]);
    });
  });
}
