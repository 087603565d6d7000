import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isLook } from "../../src/store/orders/looks.ts";
import type { OrderChanges, Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import {
  attempt,
  claim,
  delivery,
  entry,
  mapped,
  MINUTE_MS,
  order,
  OTHER_TENANT,
  T0,
  TENANT,
} from "./samples.ts";

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How claims share out the work, and what happens to it when the clock is changed. */
export function describeClaims(open: OpenStore): void {
  describe("claims", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const receive = (orderId: string, tenant = TENANT, receivedAtMs = T0) =>
      store.orders.receive(order(orderId, { tenant, receivedAtMs }), entry("received"));
    const claimWith = async (each: number, left: readonly (readonly [string, number])[], limit = 10) => {
      const claimed = await store.orders.claim(claim("p1", { limit, shares: { each, left: new Map(left) } }));
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

    let rested = 0;
    /** An order at rest that was due for a look long before any other work. */
    async function rest(orderId: string, changes: OrderChanges = { state: "settled" }, tenant = TENANT) {
      await receive(orderId, tenant, T0 - DAY_MS);
      await store.orders.claim(claim("rest", { limit: 1, nowMs: T0 - DAY_MS }));
      rested += 1;
      const dueAtMs = T0 - DAY_MS + rested;
      await store.orders.save({ tenant, orderId }, "rest", {
        changes: { dueAtMs, ...changes },
        release: true,
      });
    }
    const claimIds = async (options: Parameters<Store["orders"]["claim"]>[0]) =>
      (await store.orders.claim(options)).map(({ orderId }) => orderId);

    it("take undecided orders first, then holds near their deadline, then other looks, oldest first", async () => {
      for (const id of ["look-1", "look-2"]) await rest(id);
      await rest("held", { state: "review", holdDeadlineMs: T0 + DAY_MS });
      await rest("soon", { state: "review", holdDeadlineMs: T0 + 5 * MINUTE_MS });
      await rest("overdue", { state: "review", holdDeadlineMs: T0 - MINUTE_MS });
      await receive("new");

      expect(await claimIds(claim("p1", { limit: 1 }))).toEqual(["new"]);
      expect(await claimIds(claim("p1", { limit: 2 }))).toEqual(["overdue", "soon"]);
      expect(await claimIds(claim("p1"))).toEqual(["look-1", "look-2", "held"]);
    });

    it("take a hold long past its deadline like any other look", async () => {
      await rest("look");
      await rest("kept", { state: "review", holdDeadlineMs: T0 - HOUR_MS });
      await rest("overdue", { state: "review", holdDeadlineMs: T0 - HOUR_MS + 1 });

      expect(await claimIds(claim("p1"))).toEqual(["overdue", "look", "kept"]);
    });

    it("take looks however many undecided orders are due, each in its own room", async () => {
      for (const id of ["look-1", "look-2", "look-3"]) await rest(id);
      for (let index = 0; index < 20; index += 1)
        await receive(`new-${String(index).padStart(2, "0")}`, TENANT, T0 - 100 + index);

      const first = await claimIds({ ...claim("p1", { limit: 2 }), looks: { limit: 1 } });
      const second = await claimIds({ ...claim("p1", { limit: 0 }), looks: { limit: 1 } });
      const third = await claimIds({ ...claim("p1", { limit: 1 }), looks: { limit: 0 } });

      expect(first).toEqual(["new-00", "new-01", "look-1"]);
      expect(second).toEqual(["look-2"]);
      expect(third).toEqual(["new-02"]);
    });

    it("take an order at rest like an undecided one once it was changed", async () => {
      await rest("look");
      await rest("changed");
      const key = { tenant: TENANT, orderId: "changed" };
      const seen = await store.orders.get(key);
      if (seen === null) throw new Error("the order is gone");
      const content = { mapped: mapped(), amount: 30, currency: "USD" };
      await store.orders.revise(key, {
        asOfMs: T0,
        nowMs: T0,
        revision: { ...content, rescreen: true, enriched: true, attempts: 0, sinceMs: T0 },
        customerId: undefined,
        material: true,
        fields: [],
        entry: entry("context-changed"),
        seen,
      });

      const claimed = await store.orders.claim({ ...claim("p1"), looks: { limit: 0 } });

      expect(claimed.map(({ orderId }) => orderId)).toEqual(["changed"]);
      expect(claimed.map(isLook)).toEqual([false]);
      expect((await store.orders.claim(claim("p1"))).map(isLook)).toEqual([true]);
    });

    it("share looks out fairly between tenants, within each one's share", async () => {
      for (let index = 0; index < 6; index += 1)
        await rest(`f${index}`, { state: "review", holdDeadlineMs: T0 + index });
      await rest("c0", { state: "settled" }, OTHER_TENANT);
      await rest("c1", { state: "review", holdDeadlineMs: T0 }, OTHER_TENANT);

      const looks = { limit: 5, shares: { each: 2, left: new Map() } };
      expect(await claimIds({ ...claim("p1"), looks })).toEqual(["f0", "c1", "f1", "c0"]);
      const rest1 = { limit: 5, shares: { each: 2, left: new Map([[TENANT, 1]]) } };
      expect(await claimIds({ ...claim("p1"), looks: rest1 })).toEqual(["f2"]);
    });

    it("make nothing wait an extra hour after the clock was set back by an hour", async () => {
      await receive("later");
      await receive("held");
      await store.orders.claim(claim("p1", { limit: 2, nowMs: T0 + HOUR_MS }));
      const dueAtMs = T0 + HOUR_MS + 5_000;
      const key = { tenant: TENANT, orderId: "later" };
      await store.orders.save(key, "p1", { changes: { state: "waiting", dueAtMs }, release: true });
      await store.deliveries.save([delivery("d", { receivedAtMs: T0 + HOUR_MS })]);
      await store.leases.acquire("token", "gone", T0 + HOUR_MS, T0 + HOUR_MS + 30_000);
      await store.ledger.begin(attempt("fp", { nowMs: T0 + HOUR_MS }));

      await store.leases.clockSetBack({ byMs: HOUR_MS, nowMs: T0, leaseMs: MINUTE_MS });

      expect(await store.deliveries.claim(claim("p2"))).toHaveLength(1);
      expect(await store.orders.claim(claim("p2", { nowMs: T0 + 4_999 }))).toEqual([]);
      expect(await store.orders.claim(claim("p2", { nowMs: T0 + 5_000 }))).toMatchObject([
        { orderId: "later" },
      ]);
      expect(await store.orders.claim(claim("p2", { nowMs: T0 + MINUTE_MS - 1 }))).toEqual([]);
      expect(await store.orders.claim(claim("p2", { nowMs: T0 + MINUTE_MS }))).toMatchObject([
        { orderId: "held" },
      ]);
      const later = T0 + 5 * MINUTE_MS;
      expect(await store.leases.acquire("token", "other", later, later + 30_000)).toBe(true);
      expect(await store.ledger.begin(attempt("fp", { nowMs: later }))).toMatchObject({ outcome: "granted" });
    });

    it("make an order due immediately if its delivery came before the clock was set back", async () => {
      await receive("1", TENANT, T0 + HOUR_MS);

      expect(await store.orders.claim(claim("p1"))).toHaveLength(1);
    });
  });
}
