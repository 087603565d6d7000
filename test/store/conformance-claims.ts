import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { attempt, claim, delivery, entry, MINUTE_MS, order, OTHER_TENANT, T0, TENANT } from "./samples.ts";

const HOUR_MS = 60 * MINUTE_MS;

/** How claims share out the work, and what happens to it when the clock is changed. */
export function describeClaims(open: OpenStore): void {
  describe("claims", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const receive = (orderId: string, tenant = TENANT, receivedAtMs = T0) =>
      store.receiveOrder(order(orderId, { tenant, receivedAtMs }), entry("received"));
    const claimWith = async (each: number, left: readonly (readonly [string, number])[], limit = 10) => {
      const claimed = await store.claimOrders(claim("p1", { limit, shares: { each, left: new Map(left) } }));
      return claimed.map(({ orderId }) => orderId);
    };

    it("give no tenant more than its share", async () => {
      for (let index = 0; index < 6; index += 1) await receive(`f${index}`, TENANT, T0 - 100 + index);
      for (let index = 0; index < 3; index += 1) await receive(`c${index}`, OTHER_TENANT, T0 - 50 + index);

      expect(await claimWith(2, [])).toEqual(["f0", "c0", "f1", "c1"]);
      expect(await claimWith(2, [[OTHER_TENANT, 0]])).toEqual(["f2", "f3"]);
      expect(await claimWith(2, [[TENANT, 1]])).toEqual(["f4", "c2"]);
    });

    it("give the turn of a tenant that has its share to others, even with a single place", async () => {
      for (let index = 0; index < 30; index += 1) await receive(`f${index}`, TENANT, T0 - 100 + index);
      await receive("calm", OTHER_TENANT);

      expect(await claimWith(5, [[TENANT, 0]], 1)).toEqual(["calm"]);
      expect(await claimWith(5, [[TENANT, 0]], 1)).toEqual([]);
    });

    it("make nothing wait an extra hour after the clock was set back by an hour", async () => {
      await receive("later");
      await receive("held");
      await store.claimOrders(claim("p1", { limit: 2, nowMs: T0 + HOUR_MS }));
      const dueAtMs = T0 + HOUR_MS + 5_000;
      const key = { tenant: TENANT, orderId: "later" };
      await store.saveOrder(key, "p1", { changes: { state: "waiting", dueAtMs }, release: true });
      await store.saveDeliveries([delivery("d", { receivedAtMs: T0 + HOUR_MS })]);
      await store.acquireLease("token", "gone", T0 + HOUR_MS, T0 + HOUR_MS + 30_000);
      await store.beginAttempt(attempt("fp", { nowMs: T0 + HOUR_MS }));

      await store.clockSetBack({ byMs: HOUR_MS, nowMs: T0, leaseMs: MINUTE_MS });

      expect(await store.claimDeliveries(claim("p2"))).toHaveLength(1);
      expect(await store.claimOrders(claim("p2", { nowMs: T0 + 4_999 }))).toEqual([]);
      expect(await store.claimOrders(claim("p2", { nowMs: T0 + 5_000 }))).toMatchObject([
        { orderId: "later" },
      ]);
      expect(await store.claimOrders(claim("p2", { nowMs: T0 + MINUTE_MS - 1 }))).toEqual([]);
      expect(await store.claimOrders(claim("p2", { nowMs: T0 + MINUTE_MS }))).toMatchObject([
        { orderId: "held" },
      ]);
      const later = T0 + 5 * MINUTE_MS;
      expect(await store.acquireLease("token", "other", later, later + 30_000)).toBe(true);
      expect(await store.beginAttempt(attempt("fp", { nowMs: later }))).toMatchObject({ outcome: "granted" });
    });

    it("make an order due immediately if its delivery came before the clock was set back", async () => {
      await receive("1", TENANT, T0 + HOUR_MS);

      expect(await store.claimOrders(claim("p1"))).toHaveLength(1);
    });
  });
}
