import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FieldChange } from "../../src/order/material-change.ts";
import type { OrderRevision } from "../../src/store/orders/order-record.ts";
import type { Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import {
  claim,
  decision,
  entry,
  mapped,
  MINUTE_MS,
  order,
  OTHER_TENANT,
  result,
  T0,
  TENANT,
} from "./samples.ts";

const KEY = { tenant: TENANT, orderId: "1" };
const FIELDS: readonly FieldChange[] = [
  { path: "customerEmail", before: "jane@shop.example", after: "robert@shop.example", material: true },
];

function revision(changes: Partial<OrderRevision> = {}): OrderRevision {
  return {
    mapped: mapped("robert@shop.example"),
    amount: 30,
    currency: "USD",
    rescreen: true,
    enriched: false,
    attempts: 0,
    sinceMs: T0,
    ...changes,
  };
}

/** What the platform changes about orders, and what happens to those changes. */
export function describeRevisions(open: OpenStore): void {
  describe("revisions", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
      await store.orders.receive(order("1", { asOfMs: T0 - 10 }), entry("received"));
    });
    afterEach(() => store.close());

    async function read() {
      const known = await store.orders.get(KEY);
      if (known === null) throw new Error("the order is gone");
      return known;
    }
    async function revise(asOfMs = T0, changes: Partial<OrderRevision> = {}, fields = FIELDS) {
      return store.orders.revise(KEY, {
        asOfMs,
        nowMs: T0 + 5,
        revision: revision(changes),
        customerId: undefined,
        material: true,
        fields,
        entry: entry("context-changed"),
        seen: await read(),
      });
    }
    /** Decided and at rest. */
    async function settle(): Promise<void> {
      await store.orders.claim(claim("p1"));
      const changes = { state: "settled", dueAtMs: null, decision: decision(), decidedAtMs: T0 } as const;
      await store.orders.save(KEY, "p1", { changes: { ...changes, result: result() }, release: true });
    }

    it("store the change and the new content beside what was screened, and make the order due", async () => {
      await settle();

      expect(await revise()).toBe(true);

      expect(await read()).toMatchObject({
        state: "settled",
        mapped: mapped(),
        amount: 19.99,
        revision: revision(),
        asOfMs: T0,
        dueAtMs: T0 + 5,
      });
      expect(await store.orders.listChanges(KEY)).toEqual([{ atMs: T0, material: true, fields: FIELDS }]);
      expect((await store.orders.listTimeline(KEY)).map(({ kind }) => kind)).toContain("context-changed");
      expect(await store.orders.claim(claim("p2", { nowMs: T0 + 5 }))).toMatchObject([
        { revision: revision() },
      ]);
    });

    it("leave an order at rest if it doesn't have to be screened again", async () => {
      await settle();

      await revise(T0, { rescreen: false });

      expect(await read()).toMatchObject({ dueAtMs: null, revision: { rescreen: false } });
      expect(await store.orders.nextDueAtMs()).toBeNull();
    });

    it("are listed oldest first, even two with the same time", async () => {
      await revise(T0);
      await revise(T0, {}, [{ path: "currency", before: "USD", after: "EUR", material: true }]);
      await revise(T0 + 50, { rescreen: false }, []);

      const changes = await store.orders.listChanges(KEY);

      expect(changes.map(({ atMs, fields }) => [atMs, fields.map(({ path }) => path)])).toEqual([
        [T0, ["customerEmail"]],
        [T0 + 1, ["currency"]],
        [T0 + 50, []],
      ]);
      expect(await store.orders.listChanges({ tenant: OTHER_TENANT, orderId: "1" })).toEqual([]);
    });

    it("are refused if the order changed since they were compared with it", async () => {
      const seen = await read();
      const change = {
        asOfMs: T0,
        nowMs: T0,
        revision: revision(),
        customerId: undefined,
        material: true,
        fields: FIELDS,
        entry: entry("context-changed"),
        seen,
      };

      expect(await store.orders.revise(KEY, { ...change, seen: { ...seen, decidedAtMs: T0 } })).toBe(false);
      expect(await store.orders.revise(KEY, { ...change, seen: { ...seen, revisedAtMs: T0 } })).toBe(false);
      expect(await store.orders.revise(KEY, { ...change, seen: { ...seen, revision: revision() } })).toBe(
        false,
      );
      expect(await store.orders.revise({ ...KEY, orderId: "none" }, change)).toBe(false);
      expect(await store.orders.revise(KEY, { ...change, asOfMs: T0 - 11 })).toBe(false);
      expect(await store.orders.listChanges(KEY)).toEqual([]);

      const both = await Promise.all([store.orders.revise(KEY, change), store.orders.revise(KEY, change)]);
      expect(both.toSorted()).toEqual([false, true]);
    });

    it("are refused if the platform has since reported the order's state at that time", async () => {
      const seen = await read();
      expect(await store.orders.confirm(KEY, { asOfMs: T0, seen })).toBe(true);

      const change = { asOfMs: T0, nowMs: T0, customerId: undefined, material: true, fields: FIELDS };
      const revised = { ...change, revision: revision(), entry: entry("context-changed"), seen };
      expect(await store.orders.revise(KEY, revised)).toBe(false);
      expect(await store.orders.revise(KEY, { ...revised, seen: await read() })).toBe(true);
    });

    it("aren't hidden by an earlier one of the same moment", async () => {
      await revise(T0);
      await revise(T0);

      expect(await revise(T0)).toBe(true);
      expect(await store.orders.listChanges(KEY)).toHaveLength(3);
    });

    it("that change nothing only record their time, which never goes back", async () => {
      await settle();
      const before = await read();

      expect(await store.orders.confirm(KEY, { asOfMs: T0 + 5, seen: before })).toBe(true);
      expect(await store.orders.confirm(KEY, { asOfMs: T0 + 4, seen: before })).toBe(false);

      expect(await read()).toEqual({ ...before, asOfMs: T0 + 5 });
      expect(await revise(T0 + 4)).toBe(false);
      expect(await store.orders.listChanges(KEY)).toEqual([]);
      expect(await revise(T0 + 6)).toBe(true);
    });

    it("aren't confirmed if the order differs from what was compared, or is erased or gone", async () => {
      const seen = await read();
      await revise(T0);

      expect(await store.orders.confirm(KEY, { asOfMs: T0 + 5, seen })).toBe(false);
      expect(await store.orders.confirm({ ...KEY, orderId: "none" }, { asOfMs: T0 + 5, seen })).toBe(false);
      const request = { tenant: TENANT, orderIds: ["1"], customerId: undefined, email: undefined };
      await store.retention.eraseOrders(request, entry("erased"));
      expect(await store.orders.confirm(KEY, { asOfMs: T0 + 5, seen: await read() })).toBe(false);

      expect(await read()).toMatchObject({ asOfMs: T0 });
    });

    it("are carried out even if they were confirmed while being worked on", async () => {
      await settle();
      await revise();
      const [claimed] = await store.orders.claim(claim("p1", { nowMs: T0 + 5 }));
      expect(await store.orders.confirm(KEY, { asOfMs: T0 + 60, seen: await read() })).toBe(true);

      const taken = { revisedAtMs: claimed?.revisedAtMs ?? null, kept: null };
      await store.orders.save(KEY, "p1", { changes: { dueAtMs: null, revise: taken }, release: true });

      expect(await read()).toMatchObject({ revision: null, asOfMs: T0 + 60, dueAtMs: null });
    });

    it("make an order under lease due when it is released, even if it came to rest", async () => {
      await store.orders.claim(claim("p1"));
      await revise();
      expect(await store.orders.claim(claim("p2", { nowMs: T0 + 5 }))).toEqual([]);

      const changes = { state: "settled", dueAtMs: null, decision: decision(), decidedAtMs: T0 } as const;
      await store.orders.save(KEY, "p1", { changes, release: true });

      expect(await read()).toMatchObject({ state: "settled", dueAtMs: T0 + 5, revision: revision() });
    });

    it("are carried out together with the decision on them", async () => {
      await settle();
      await revise();
      const [claimed] = await store.orders.claim(claim("p1", { nowMs: T0 + 5 }));

      const taken = revision().mapped;
      await store.orders.save(KEY, "p1", {
        changes: {
          mapped: taken,
          amount: 30,
          currency: "EUR",
          dueAtMs: null,
          decidedAtMs: T0 + 6,
          revise: { revisedAtMs: claimed?.revisedAtMs ?? null, kept: null },
        },
        release: true,
      });

      expect(await read()).toMatchObject({
        mapped: taken,
        amount: 30,
        currency: "EUR",
        revision: null,
        asOfMs: T0,
        dueAtMs: null,
      });
    });

    it("stay if a newer one came while they were being worked on", async () => {
      await settle();
      await revise();
      const [claimed] = await store.orders.claim(claim("p1", { nowMs: T0 + 5 }));
      const revisedAtMs = claimed?.revisedAtMs ?? null;
      await revise(T0 + 60, { amount: 99 });

      await store.orders.save(KEY, "p1", {
        changes: { revise: { revisedAtMs, kept: revision({ enriched: true }) } },
        release: false,
      });
      await store.orders.save(KEY, "p1", {
        changes: { mapped: revision().mapped, dueAtMs: null, revise: { revisedAtMs, kept: null } },
        release: true,
      });

      expect(await read()).toMatchObject({
        revision: { amount: 99, enriched: false },
        asOfMs: T0 + 60,
        dueAtMs: T0 + 5,
      });
    });

    it("prevent a decision on the order's earlier content", async () => {
      await settle();
      await revise();
      const [claimed] = await store.orders.claim(claim("p1", { nowMs: T0 + 5 }));
      const changes = {
        mapped: revision().mapped,
        decidedAtMs: T0 + 6,
        revise: { revisedAtMs: claimed?.revisedAtMs ?? null, kept: null, isLatest: true },
      } as const;
      await revise(T0 + 60, { amount: 99 });
      const before = await read();

      expect(await store.orders.save(KEY, "p1", { changes, release: true })).toBe("withdrawn");
      expect(await store.orders.save(KEY, "p2", { changes, release: true })).toBe(false);
      expect(await read()).toEqual(before);

      const latest = { ...changes, revise: { ...changes.revise, revisedAtMs: before.revisedAtMs } };
      expect(await store.orders.save(KEY, "p1", { changes: latest, release: true })).toBe(true);
      expect(await read()).toMatchObject({ revision: null, decidedAtMs: T0 + 6 });
    });

    it("don't take a decision away from an order that has ended since", async () => {
      const [claimed] = await store.orders.claim(claim("p1"));
      await store.orders.end(KEY, "shopify", T0 + 20, entry("cancelled-on-platform"));

      const revise = { revisedAtMs: claimed?.revisedAtMs ?? null, kept: null, isLatest: true } as const;
      const changes = { state: "decided", decision: decision(), decidedAtMs: T0 + 6, revise } as const;
      expect(await store.orders.save(KEY, "p1", { changes, release: true })).toBe(true);

      expect(await read()).toMatchObject({ state: "settled", decidedAtMs: T0 + 6, revision: null });
    });

    it("can be stored with what was found out about them", async () => {
      await revise();
      await store.orders.claim(claim("p1", { nowMs: T0 + 5 }));

      const kept = revision({ enriched: true, attempts: 2 });
      await store.orders.save(KEY, "p1", { changes: { revise: { revisedAtMs: T0, kept } }, release: false });

      expect((await read()).revision).toEqual(kept);
    });

    it("end with the order, and older ones don't count after that", async () => {
      await settle();
      await revise();

      await store.orders.end(KEY, "shopify", T0 + 20, entry("cancelled-on-platform"));

      expect(await read()).toMatchObject({
        state: "settled",
        dueAtMs: null,
        revision: null,
        asOfMs: T0 + 20,
      });
      expect(await store.orders.listChanges(KEY)).toHaveLength(1);
    });

    it("remember when an order ended that hadn't been received yet", async () => {
      const key = { ...KEY, orderId: "2" };
      await store.orders.end(key, "shopify", T0, entry("cancelled-on-platform"));

      expect(await store.orders.get(key)).toMatchObject({ asOfMs: T0, revision: null });
    });

    it("make a customer findable who was added", async () => {
      const request = { tenant: TENANT, orderIds: [], customerId: "4711", email: undefined };
      await store.orders.revise(KEY, {
        asOfMs: T0,
        nowMs: T0,
        revision: revision({ rescreen: false }),
        customerId: "4711",
        material: false,
        fields: FIELDS,
        entry: entry("context-changed"),
        seen: await read(),
      });

      expect(await read()).toMatchObject({ customerId: "4711" });
      expect(await store.retention.findCustomerOrders(request)).toMatchObject([{ orderId: "1" }]);
    });

    it("are included in a customer's data, by the address before and the one after", async () => {
      await revise();
      const request = { tenant: TENANT, orderIds: [], customerId: undefined };

      for (const email of ["jane@shop.example", "Robert@shop.example"]) {
        expect(await store.retention.findCustomerOrders({ ...request, email })).toEqual([
          {
            orderId: "1",
            request: expect.objectContaining({ customerEmail: "jane@shop.example" }),
            revised: expect.objectContaining({ customerEmail: "robert@shop.example" }),
            changes: [{ atMs: T0, material: true, fields: FIELDS }],
          },
        ]);
      }
      expect(await store.retention.findCustomerOrders({ ...request, email: "other@shop.example" })).toEqual(
        [],
      );
    });

    it("are erased with their order, even by an address that it no longer has", async () => {
      await settle();
      await revise();
      await store.orders.claim(claim("p1", { nowMs: T0 + 5 }));
      const changes = { mapped: revision().mapped, dueAtMs: null, revise: { revisedAtMs: T0, kept: null } };
      await store.orders.save(KEY, "p1", { changes, release: true });
      await revise(T0 + 60, { rescreen: false });

      const request = { tenant: TENANT, orderIds: [], customerId: undefined, email: "jane@shop.example" };
      expect(await store.retention.eraseOrders(request, entry("erased"))).toEqual(["1"]);

      expect(await read()).toMatchObject({ mapped: null, revision: null });
      expect(await store.orders.listChanges(KEY)).toEqual([
        { atMs: T0, material: true, fields: [] },
        { atMs: T0 + 60, material: true, fields: [] },
      ]);
      expect(await revise(T0 + 120)).toBe(false);
    });

    it("aren't written back by a worker that had them", async () => {
      await revise();
      await store.orders.claim(claim("p1", { nowMs: T0 + 5 }));
      const request = { tenant: TENANT, orderIds: ["1"], customerId: undefined, email: undefined };
      await store.retention.eraseOrders(request, entry("erased"));

      const changes = { revise: { revisedAtMs: T0, kept: revision({ enriched: true }) } };
      expect(await store.orders.save(KEY, "p1", { changes, release: false })).toBe("erased");

      expect((await read()).revision).toBeNull();
    });

    it("are due again after a lease ran out", async () => {
      await settle();
      await revise();
      await store.orders.claim(claim("p1", { nowMs: T0 + 5 }));

      const again = await store.orders.claim(claim("p2", { nowMs: T0 + 5 + MINUTE_MS }));

      expect(again).toMatchObject([{ orderId: "1", revision: revision() }]);
    });
  });
}
