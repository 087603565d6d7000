import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { claim, delivery, MINUTE_MS, OTHER_TENANT, T0, TENANT } from "./samples.ts";

export function describeDeliveries(open: OpenStore): void {
  describe("deliveries", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const claimedIds = async (changes: Parameters<typeof claim>[1] = {}, owner = "p1") =>
      (await store.deliveries.claim(claim(owner, changes))).map((claimed) => claimed.deliveryId);

    it("are returned byte for byte as they were stored", async () => {
      const body = Buffer.from([0, 255, 10, 128, 0]);
      const kept = [
        delivery("a", { body }),
        delivery("b", { body: Buffer.alloc(0), receivedAtMs: T0 + 1, topic: "orders/cancelled" }),
      ];

      await store.deliveries.save(kept);

      const claimed = await store.deliveries.claim(claim("p1", { nowMs: T0 + 1 }));
      expect(claimed).toEqual(kept.map((one) => ({ ...one, attempts: 0 })));
    });

    it("are told apart as new or repeated, within a batch and across batches", async () => {
      const first = await store.deliveries.save([delivery("a"), delivery("a"), delivery("b")]);
      const second = await store.deliveries.save([delivery("b"), delivery("c"), delivery("c")]);
      const third = await store.deliveries.save([]);

      expect(first).toEqual([true, false, true]);
      expect(second).toEqual([false, true, false]);
      expect(third).toEqual([]);
    });

    it("with the same id are different deliveries for different tenants", async () => {
      await store.deliveries.save([delivery("a")]);

      expect(await store.deliveries.save([delivery("a", { tenant: OTHER_TENANT })])).toEqual([true]);
    });

    it("are new exactly once, however many repeats arrive at once", async () => {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => store.deliveries.save([delivery("a")])),
      );

      expect(answers.filter(([isNew]) => isNew === true)).toHaveLength(1);
      expect(await claimedIds()).toEqual(["a"]);
    });

    it("are stored even if one call has more rows than a statement allows", async () => {
      const many = Array.from({ length: 1_203 }, (_, index) => delivery(`d${index}`));

      const answers = await store.deliveries.save(many);

      expect(answers).toHaveLength(1_203);
      expect(answers.every(Boolean)).toBe(true);
      expect((await store.figures.backlog()).pending).toBe(1_203);
    });

    it("that wait for an installation can't be claimed until their tenant installs the app", async () => {
      const body = Buffer.from("an order");
      await store.deliveries.save([delivery("a", { body }), delivery("b", { tenant: OTHER_TENANT })]);
      await store.deliveries.claim(claim("p1"));
      const awaiting = { tenant: TENANT, deliveryId: "a" };

      expect(await store.deliveries.awaitInstallation(awaiting, "p1")).toBe(true);
      expect(await store.deliveries.awaitInstallation({ tenant: OTHER_TENANT, deliveryId: "b" }, "p1")).toBe(
        true,
      );

      expect(await store.deliveries.countAwaiting(TENANT)).toEqual({ ofTenant: 1, inAll: 2 });
      expect(await store.figures.backlog()).toEqual({ pending: 0, oldestReceivedAtMs: null });
      expect(await store.orders.nextDueAtMs()).toBeNull();
      expect(await claimedIds({ nowMs: T0 + 365 * 24 * 60 * MINUTE_MS })).toEqual([]);
      expect(await store.retention.countUndecided(TENANT, T0 + 1)).toBe(0);
      expect(await store.deliveries.save([delivery("a", { body })])).toEqual([false]);

      await store.tenants.saveCredential(TENANT, "shopify", "s1", "installed", T0 + 5);

      const claimed = await store.deliveries.claim(claim("p2", { nowMs: T0 + 5 }));
      expect(claimed).toEqual([{ ...delivery("a", { body }), attempts: 1 }]);
      expect(await store.deliveries.countAwaiting(TENANT)).toEqual({ ofTenant: 0, inAll: 1 });
    });

    it("don't wait for an installation that already exists", async () => {
      await store.deliveries.save([delivery("a")]);
      await store.deliveries.claim(claim("p1"));
      await store.tenants.saveCredential(TENANT, "shopify", "s1", "installed", T0);

      expect(await store.deliveries.awaitInstallation({ tenant: TENANT, deliveryId: "a" }, "p1")).toBe(false);

      expect(await claimedIds({ nowMs: T0 + MINUTE_MS }, "p2")).toEqual(["a"]);
    });

    it("never wait past an installation that happens at the same moment", async () => {
      const ids = Array.from({ length: 10 }, (_, index) => `d${index}`);
      await store.deliveries.save(ids.map((id) => delivery(id)));
      await store.deliveries.claim(claim("p1"));

      const [, ...answers] = await Promise.all([
        store.tenants.saveCredential(TENANT, "shopify", "s1", "installed", T0),
        ...ids.map((deliveryId) => store.deliveries.awaitInstallation({ tenant: TENANT, deliveryId }, "p1")),
      ]);

      expect(answers).toHaveLength(10);
      expect(await store.deliveries.countAwaiting(TENANT)).toEqual({ ofTenant: 0, inAll: 0 });
      expect((await claimedIds({ nowMs: T0 + MINUTE_MS }, "p2")).toSorted()).toEqual(ids.toSorted());
    });

    it("are recognized by a body that came before, under the same tenant or another", async () => {
      const body = Buffer.from("an order");
      const key = (deliveryId: string, tenant = TENANT) => ({ tenant, deliveryId });
      const at = (ms: number) => ({ body, receivedAtMs: T0 + ms });
      await store.deliveries.save([
        delivery("first", at(0)),
        delivery("other", { ...at(1), tenant: OTHER_TENANT }),
        delivery("again", at(2)),
        delivery("topic", { ...at(2), topic: "orders/updated" }),
        delivery("apart", { receivedAtMs: T0 + 2 }),
      ]);

      const none = { underAnotherTenant: false, repeated: false };
      expect(await store.deliveries.traceBody(key("first"))).toEqual(none);
      expect(await store.deliveries.traceBody(key("apart"))).toEqual(none);
      expect(await store.deliveries.traceBody(key("other", OTHER_TENANT))).toEqual({
        underAnotherTenant: true,
        repeated: false,
      });
      // The first one hasn't been processed yet.
      expect(await store.deliveries.traceBody(key("again"))).toEqual({
        underAnotherTenant: true,
        repeated: false,
      });

      await store.deliveries.claim(claim("p1", { nowMs: T0 + 2 }));
      await store.deliveries.finish(key("first"), "p1", "ignored:unreadable-body");
      expect(await store.deliveries.traceBody(key("again"))).toMatchObject({ repeated: false });
      await store.deliveries.finish(key("again"), "p1", "refused:other-topic");
      await store.deliveries.finish(key("topic"), "p1", "order-unchanged");
      await store.deliveries.save([delivery("late", at(3)), delivery("later", at(4))]);
      expect(await store.deliveries.traceBody(key("late"))).toMatchObject({ repeated: false });

      await store.deliveries.claim(claim("p1", { nowMs: T0 + 4 }));
      await store.deliveries.finish(key("late"), "p1", "order-known");
      expect(await store.deliveries.traceBody(key("later"))).toMatchObject({ repeated: true });
    });

    it("belong to one owner until the lease has run out", async () => {
      await store.deliveries.save([delivery("a")]);

      const [first, second] = await Promise.all([
        store.deliveries.claim(claim("p1")),
        store.deliveries.claim(claim("p2")),
      ]);
      expect([...first, ...second]).toHaveLength(1);
      expect(await claimedIds({ nowMs: T0 + MINUTE_MS - 1 }, "p3")).toEqual([]);

      const [again] = await store.deliveries.claim(claim("p3", { nowMs: T0 + MINUTE_MS }));
      expect(again).toMatchObject({ deliveryId: "a", attempts: 1 });
    });

    it("that aren't due yet can't be claimed", async () => {
      await store.deliveries.save([delivery("later")]);
      await store.deliveries.claim(claim("p1"));
      await store.deliveries.retry({ tenant: TENANT, deliveryId: "later" }, "p1", T0 + 1, null);

      expect(await claimedIds()).toEqual([]);
      expect(await claimedIds({ nowMs: T0 + 1 })).toEqual(["later"]);
    });

    it("are claimed oldest first, and no more than requested", async () => {
      const ages = [5, 3, 1, 4, 2];
      await store.deliveries.save(ages.map((age) => delivery(`d${age}`, { receivedAtMs: T0 - age })));

      expect(await claimedIds({ limit: 0 })).toEqual([]);
      expect(await claimedIds({ limit: 2 })).toEqual(["d5", "d4"]);
      expect(await claimedIds({ limit: 2 })).toEqual(["d3", "d2"]);
      expect(await claimedIds({ limit: 2 })).toEqual(["d1"]);
    });

    it.each([{ flood: 30 }, { flood: 2_000 }])(
      "of a flood of $flood don't delay another tenant's first",
      async ({ flood }) => {
        const older = Array.from({ length: flood }, (_, index) =>
          delivery(`flood${index}`, { receivedAtMs: T0 - 10_000 + index }),
        );
        await store.deliveries.save(older);
        await store.deliveries.save([
          delivery("calm1", { tenant: OTHER_TENANT, receivedAtMs: T0 - 2 }),
          delivery("calm2", { tenant: OTHER_TENANT, receivedAtMs: T0 - 1 }),
          delivery("third", { tenant: "shopify:three.example", receivedAtMs: T0 }),
        ]);

        expect(await claimedIds({ limit: 4 })).toEqual(["flood0", "calm1", "third", "flood1"]);
        expect(await claimedIds({ limit: 3 })).toEqual(["flood2", "calm2", "flood3"]);
      },
    );

    it("of the oldest tenants get their turn when there are more tenants than room", async () => {
      const many = Array.from({ length: 40 }, (_, index) =>
        delivery("a", { tenant: `shopify:t${index}.example`, receivedAtMs: T0 - index }),
      );
      await store.deliveries.save(many);

      const claimed = await store.deliveries.claim(claim("p1", { limit: 3 }));

      expect(claimed.map((one) => one.receivedAtMs)).toEqual([T0 - 39, T0 - 38, T0 - 37]);
    });

    it("are claimed once each by owners that claim at the same time", async () => {
      const many = Array.from({ length: 60 }, (_, index) => delivery(`d${index}`));
      await store.deliveries.save(many);

      const claims = await Promise.all(
        Array.from({ length: 12 }, (_, owner) => store.deliveries.claim(claim(`p${owner}`, { limit: 7 }))),
      );

      const ids = claims.flat().map((claimed) => claimed.deliveryId);
      expect(ids).toHaveLength(60);
      expect(new Set(ids).size).toBe(60);
    });

    it("that are finished are never claimed again, and their ids are still recognized", async () => {
      await store.deliveries.save([delivery("a")]);
      await claimedIds();

      await store.deliveries.finish({ tenant: TENANT, deliveryId: "a" }, "p1", "order-received");

      expect(await claimedIds({ nowMs: T0 + 100 * MINUTE_MS })).toEqual([]);
      expect(await store.deliveries.save([delivery("a")])).toEqual([false]);
      expect(await store.figures.backlog()).toEqual({ pending: 0, oldestReceivedAtMs: null });
      expect(await store.orders.nextDueAtMs()).toBeNull();
    });

    it("that are postponed can be claimed when they are due again, with their number of tries", async () => {
      await store.deliveries.save([delivery("a")]);
      await claimedIds();

      await store.deliveries.retry({ tenant: TENANT, deliveryId: "a" }, "p1", T0 + 5, "STORE_UNAVAILABLE");

      expect(await store.orders.nextDueAtMs()).toBe(T0 + 5);
      expect(await claimedIds({ nowMs: T0 + 4 })).toEqual([]);
      const [again] = await store.deliveries.claim(claim("p2", { nowMs: T0 + 5 }));
      expect(again).toEqual({ ...delivery("a"), attempts: 1 });
    });

    it("with a fractional due time, computed from a hint, aren't due before it", async () => {
      await store.deliveries.save([delivery("a")]);
      await claimedIds();

      await store.deliveries.retry({ tenant: TENANT, deliveryId: "a" }, "p1", T0 + 4.2, "STORE_UNAVAILABLE");

      expect(await store.orders.nextDueAtMs()).toBe(T0 + 5);
    });

    it("can be listened for, and no longer after unsubscribing", async () => {
      const stop = store.onWork(() => {});
      await store.deliveries.save([delivery("a")]);

      stop();
      stop();

      expect(await claimedIds()).toEqual(["a"]);
    });

    it("ignore an owner that lost its lease", async () => {
      await store.deliveries.save([delivery("a")]);
      const key = { tenant: TENANT, deliveryId: "a" };
      await claimedIds();
      const now = T0 + MINUTE_MS;
      await claimedIds({ nowMs: now }, "p2");

      await store.deliveries.finish(key, "p1", "too-late");
      await store.deliveries.retry(key, "p1", T0, "STORE_UNAVAILABLE");

      expect(await store.orders.nextDueAtMs()).toBe(now + MINUTE_MS);
      const [third] = await store.deliveries.claim(claim("p3", { nowMs: now + MINUTE_MS }));
      expect(third).toEqual({ ...delivery("a"), attempts: 2 });
    });
  });
}
