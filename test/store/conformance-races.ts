import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { attempt, claim, entry, order, result, T0, TENANT } from "./samples.ts";

/** Often enough that the statements of the two sides interleave in every way. */
const ROUNDS = 60;

/** Two concurrent operations end as if one had followed the other, in either order. */
export function describeRaces(open: OpenStore): void {
  describe("races", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const key = (orderId: string) => ({ tenant: TENANT, orderId });
    async function takeOrder(orderId: string): Promise<void> {
      await store.orders.receive(order(orderId), entry("received"));
      expect(await store.orders.claim(claim("p1"))).toHaveLength(1);
    }
    const release = (orderId: string) =>
      store.orders.save(key(orderId), "p1", {
        changes: { state: "waiting", dueAtMs: T0 + 1_000_000 },
        release: true,
      });
    async function inRounds(round: (orderId: string) => Promise<void>): Promise<void> {
      for (let index = 0; index < ROUNDS; index += 1) await round(`o${index}`);
    }

    it("ask once, although others ask while the answer is being stored", async () => {
      let granted = 0;
      const ask = async (fingerprint: string): Promise<void> => {
        for (;;) {
          const grant = await store.ledger.begin(attempt(fingerprint));
          if (grant.outcome === "answered") return;
          if (grant.outcome !== "granted") continue;
          granted += 1;
          await store.ledger.finish(grant.attemptId, { state: "answered", result: result() }, T0);
        }
      };

      await inRounds(async (fingerprint) => {
        await Promise.all([ask(fingerprint), ask(fingerprint), ask(fingerprint)]);
      });

      expect(granted).toBe(ROUNDS);
    });

    it("store no answer for an order that is erased while its call begins and ends", async () => {
      await inRounds(async (orderId) => {
        await takeOrder(orderId);
        const ask = async (): Promise<void> => {
          const grant = await store.ledger.begin(attempt(orderId, { orderId }));
          if (grant.outcome !== "granted") throw new Error(grant.outcome);
          await store.ledger.finish(grant.attemptId, { state: "answered", result: result() }, T0);
        };
        const request = { tenant: TENANT, orderIds: [orderId], customerId: undefined, email: undefined };

        await Promise.all([ask(), store.retention.eraseOrders(request, entry("erased"))]);

        expect(await store.ledger.findAnswer(TENANT, orderId, 0)).toBeNull();
      });
    });

    it("settle an order that ends while it is being released", async () => {
      await inRounds(async (orderId) => {
        await takeOrder(orderId);

        await Promise.all([
          release(orderId),
          store.orders.end(key(orderId), "shopify", T0, entry("cancelled-on-platform")),
        ]);

        expect(await store.orders.get(key(orderId))).toMatchObject({ state: "settled", dueAtMs: null });
      });
    });

    it("settle an order that ends while it is being claimed", async () => {
      await inRounds(async (orderId) => {
        await store.orders.receive(order(orderId), entry("received"));

        const [claimed] = await Promise.all([
          store.orders.claim(claim("p1")),
          store.orders.end(key(orderId), "shopify", T0, entry("cancelled-on-platform")),
        ]);
        if (claimed.length > 0) await release(orderId);

        expect(await store.orders.get(key(orderId))).toMatchObject({ state: "settled", dueAtMs: null });
      });
    });

    it("wake an order that is woken while it is being released", async () => {
      await inRounds(async (orderId) => {
        await takeOrder(orderId);

        await Promise.all([release(orderId), store.orders.wake(key(orderId), T0, entry("ready"))]);

        expect(await store.orders.get(key(orderId))).toMatchObject({ dueAtMs: T0 });
        expect(await store.orders.claim(claim("p1"))).toHaveLength(1);
      });
    });
  });
}
