import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { NewBuyerCheck } from "../../src/store/buyer-checks/buyer-check.ts";
import type { Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { entry, order, OTHER_TENANT, T0, TENANT } from "./samples.ts";

const DAY_MS = 86_400_000;

/** A question about an order, which went to an earlier address. */
export function question(changes: Partial<NewBuyerCheck> = {}): NewBuyerCheck {
  return {
    tenant: TENANT,
    orderId: "1",
    checkId: "c".repeat(32),
    tokenDigest: "digest",
    decidedAtMs: T0,
    effect: "release",
    isStrong: true,
    methods: { "earlier-address": true, "card-code": "not-chosen", evidence: "not-chosen" },
    route: "email",
    recipient: { kind: "email", address: "old@shop.example", ofOrder: "#0999" },
    askedAtMs: T0,
    expiresAtMs: T0 + DAY_MS,
    retryAtMs: null,
    ...changes,
  };
}

export function describeBuyerChecks(open: OpenStore): void {
  describe("buyer checks", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
      await store.orders.receive(order("1"), entry("received"));
    });
    afterEach(() => store.close());

    const issue = (changes: Partial<NewBuyerCheck> = {}) =>
      store.buyerChecks.issue(question(changes), T0, entry("found"));
    const list = () => store.buyerChecks.list({ tenant: TENANT, orderId: "1" });
    const erase = (wish: { email?: string; orderIds?: readonly string[]; tenant?: string }) =>
      store.retention.eraseOrders(
        { tenant: TENANT, orderIds: [], customerId: undefined, email: undefined, ...wish },
        entry("erased", T0 + 1),
      );

    it("ask once about a state of an order, and not about an order that isn't there", async () => {
      expect(await issue()).toBe(true);
      expect(await issue({ checkId: "d".repeat(32), tokenDigest: "another" })).toBe(false);
      expect(await issue({ orderId: "2", tokenDigest: "third" })).toBe(false);

      expect(await list()).toMatchObject([{ ...question(), sendAtMs: T0, answer: null, revokedAtMs: null }]);
      expect((await store.buyerChecks.findByToken("digest"))?.order.orderId).toBe("1");
      expect(await store.buyerChecks.findByToken("another")).toBeNull();
    });

    it("forget an erased customer's address, although another order's question went there, and close the link", async () => {
      await issue();
      await erase({ email: "somebody@else.example" });
      await erase({ email: "old@shop.example", tenant: OTHER_TENANT });
      expect((await list())[0]?.recipient?.address).toBe("old@shop.example");

      await erase({ email: "Old@Shop.example" });

      expect(await list()).toMatchObject([{ recipient: null, sendAtMs: null, revokedAtMs: T0 + 1 }]);
      expect((await store.orders.get({ tenant: TENANT, orderId: "1" }))?.mapped).not.toBeNull();
    });

    it("are found for a data request by the order, and by the address that they went to", async () => {
      await issue();
      const owner = { tenant: TENANT, orderIds: [] };
      const found = async (asked: object) =>
        (await store.buyerChecks.listOf({ ...owner, ...asked })).map(({ recipient }) => recipient?.address);

      expect(await found({ email: "Old@shop.example" })).toEqual(["old@shop.example"]);
      expect(await found({ orderIds: ["1"], email: "old@shop.example" })).toEqual(["old@shop.example"]);
      expect(await found({ email: "somebody@else.example" })).toEqual([]);
      expect(await found({ tenant: OTHER_TENANT, email: "old@shop.example", orderIds: ["1"] })).toEqual([]);
    });

    it("keep nothing personal that is written after an erasure", async () => {
      await issue();
      const key = { tenant: TENANT, orderId: "1", checkId: question().checkId };
      const late = { recipient: question().recipient, kept: { "card-code": "c" }, retries: 1 };
      await erase({ email: "old@shop.example" });
      await store.buyerChecks.update(key, late);
      expect(await list()).toMatchObject([{ recipient: null, kept: {}, retries: 1 }]);

      await store.buyerChecks.update(key, { revokedAtMs: null });
      await erase({ orderIds: ["1"] });
      await store.buyerChecks.update(key, late);
      expect(await list()).toMatchObject([{ recipient: null, kept: {} }]);
    });

    it("forget the address with the order's content", async () => {
      await issue();
      await erase({ orderIds: ["1"] });

      expect(await list()).toMatchObject([{ recipient: null, sendAtMs: null }]);
    });
  });
}
