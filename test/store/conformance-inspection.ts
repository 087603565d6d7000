import type { Reason } from "../../src/order/reasons.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OrderChanges, Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import {
  attempt,
  claim,
  decision,
  delivery,
  entry,
  MINUTE_MS,
  order,
  OTHER_TENANT,
  T0,
  TENANT,
} from "./samples.ts";

const HOUR_MS = 60 * MINUTE_MS;

export function describeInspection(open: OpenStore): void {
  describe("inspection", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const look = (nowMs = T0) =>
      store.figures.inspectWork({
        nowMs,
        lateMs: nowMs - 5 * MINUTE_MS,
        soonMs: nowMs + 6 * HOUR_MS,
        sinceMs: nowMs - 24 * HOUR_MS,
      });

    /** Store an order and bring it into a state. */
    async function put(orderId: string, changes: OrderChanges, receivedAtMs = T0): Promise<void> {
      await store.orders.receive(order(orderId, { receivedAtMs }), entry("received"));
      await store.orders.claim(claim(orderId, { nowMs: receivedAtMs, limit: 100 }));
      await store.orders.save({ tenant: TENANT, orderId }, orderId, { changes, release: true });
    }

    it("finds nothing in an empty store", async () => {
      expect(await look()).toEqual({
        late: 0,
        failed: [],
        holdsOverdue: 0,
        holdsExpiring: 0,
        stuckDeliveries: [],
        recentOrders: 0,
        recentDegraded: 0,
        newestDeliveryAtMs: null,
      });
      expect(await store.figures.listCircuits()).toEqual([]);
      expect(await store.tenants.list()).toEqual([]);
      expect(await store.figures.listSpenders(0)).toEqual([]);
      expect(await store.figures.findKnown(TENANT, ["1"])).toEqual([]);
    });

    it("counts as late what is due and not claimed, not what is being worked on or waiting", async () => {
      await store.deliveries.save([delivery("a", { receivedAtMs: T0 - 9 * MINUTE_MS })]);
      await put("waiting", { state: "waiting", dueAtMs: T0 + HOUR_MS }, T0 - HOUR_MS);
      await store.orders.receive(order("1", { receivedAtMs: T0 - 6 * MINUTE_MS }), entry("received"));
      await store.orders.receive(order("2", { receivedAtMs: T0 - 4 * MINUTE_MS }), entry("received"));

      expect(await look()).toMatchObject({ late: 2, newestDeliveryAtMs: T0 - 9 * MINUTE_MS });

      await store.orders.claim(claim("p1"));
      expect(await look()).toMatchObject({ late: 1 });
    });

    it("counts failed orders by the error that stopped them", async () => {
      const failed = (problem: string | null) => ({ state: "failed", dueAtMs: null, problem }) as const;
      await put("1", failed("INTERNAL"));
      await put("2", failed("cancel:already-fulfilled"));
      await put("3", failed("cancel:already-fulfilled"));
      await put("4", failed(null));

      expect((await look()).failed).toEqual([
        { problem: "cancel:already-fulfilled", orders: 2 },
        { problem: "INTERNAL", orders: 1 },
        { problem: "unknown", orders: 1 },
      ]);
    });

    it("separates holds past their deadline from holds that are close to it", async () => {
      const held = (holdDeadlineMs: number) => ({ state: "review", holdDeadlineMs }) as const;
      await put("past", held(T0));
      await put("soon", held(T0 + 6 * HOUR_MS));
      await put("later", held(T0 + 6 * HOUR_MS + 1));
      await put("ended", { state: "settled", holdDeadlineMs: T0 - 1, dueAtMs: null });

      expect(await look()).toMatchObject({ holdsOverdue: 1, holdsExpiring: 1 });
    });

    it("counts deliveries that keep failing, by error", async () => {
      await store.deliveries.save([delivery("a"), delivery("b"), delivery("c"), delivery("d")]);
      await store.deliveries.claim(claim("p1"));
      for (const deliveryId of ["a", "b"]) {
        await store.deliveries.retry({ tenant: TENANT, deliveryId }, "p1", T0 + HOUR_MS, "INTERNAL");
      }
      await store.deliveries.retry({ tenant: TENANT, deliveryId: "c" }, "p1", T0 + HOUR_MS, null);
      await store.deliveries.finish({ tenant: TENANT, deliveryId: "d" }, "p1", "done");

      expect(await look()).toMatchObject({
        stuckDeliveries: [{ problem: "INTERNAL", deliveries: 2 }],
        newestDeliveryAtMs: T0,
      });
    });

    it("counts a day's orders, and how many were decided without the service", async () => {
      const decided = (degraded: boolean, reasons: readonly Reason[] = []) =>
        ({ state: "settled", dueAtMs: null, decision: decision({ degraded, reasons }) }) as const;
      await put("old", decided(true), T0 - 25 * HOUR_MS);
      await put("degraded", decided(true));
      await put("answered", decided(false));
      // A rule's name is the merchant's own text.
      await put("tricky", decided(false, ['rule:"degraded":true']));

      expect(await look()).toMatchObject({ recentOrders: 3, recentDegraded: 1 });
    });

    it("lists what blocks calls", async () => {
      const block = { code: "VERIFICATION_NO_CREDITS", untilMs: T0 + MINUTE_MS, pause: false } as const;
      await store.ledger.saveBlock("key:1", block);
      await store.ledger.saveBlock("key:2", block);
      await store.ledger.saveBlock("key:2", null);

      expect(await store.figures.listCircuits()).toEqual([{ name: "key:1", ...block, trialUntilMs: 0 }]);
    });

    it("lists installed tenants with and without access", async () => {
      for (const tenant of [TENANT, OTHER_TENANT, "shopify:three.example"]) {
        await store.tenants.saveCredential(tenant, "shopify", "secret", "installed", T0);
      }
      await store.tenants.discardCredential(OTHER_TENANT, "expired", T0);
      await store.tenants.uninstall("shopify:three.example", T0 + 1, entry("uninstalled"));

      expect(await store.tenants.list()).toEqual([
        { tenant: TENANT, platform: "shopify", installedAtMs: T0, hasAccess: true },
        { tenant: OTHER_TENANT, platform: "shopify", installedAtMs: T0, hasAccess: false },
      ]);
    });

    it("lists who has called the service recently", async () => {
      await store.ledger.begin(attempt("f1"));
      await store.ledger.begin(attempt("f2"));
      await store.ledger.begin(attempt("f1", { tenant: "default", nowMs: T0 - HOUR_MS }));

      expect(await store.figures.listSpenders(T0 - HOUR_MS)).toEqual(["default", TENANT]);
      expect(await store.figures.listSpenders(T0 - HOUR_MS + 1)).toEqual([TENANT]);
    });

    it("reports which of any number of a tenant's orders are stored", async () => {
      await put("1", { state: "settled", dueAtMs: null, decision: decision({ action: "tag" }) });
      await store.orders.receive(order("2"), entry("received"));
      await store.orders.receive(order("1", { tenant: OTHER_TENANT }), entry("received"));
      const ids = Array.from({ length: 1_200 }, (_, index) => String(index));

      expect((await store.figures.findKnown(TENANT, ids)).toSorted()).toEqual(["1", "2"]);
    });

    it("reports which orders are for the record only", async () => {
      await store.orders.receive(order("1", { effects: "record" }), entry("found"));
      await store.orders.receive(order("2"), entry("received"));

      const claimed = await store.orders.claim(claim("p1"));

      expect(claimed.map(({ orderId, effects }) => [orderId, effects])).toEqual([
        ["1", "record"],
        ["2", "live"],
      ]);
      expect(await store.orders.get({ tenant: TENANT, orderId: "1" })).toMatchObject({ effects: "record" });
    });
  });
}
