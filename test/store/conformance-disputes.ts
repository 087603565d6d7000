import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Dispute } from "../../src/platform/platform.ts";
import type { Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { claim, decision, entry, MINUTE_MS, order, OTHER_TENANT, T0, TENANT } from "./samples.ts";

const KEY = { tenant: TENANT, orderId: "1" };
const noted = entry("dispute", T0 + MINUTE_MS);

/** What is stored about disputes, and a new decision because of one. */
export function describeDisputes(open: OpenStore): void {
  describe("disputes", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
      await store.orders.receive(order("1"), entry("received"));
    });
    afterEach(() => store.close());

    const dispute = (changes: Partial<Dispute> = {}): Dispute => ({
      disputeId: "d1",
      orderId: "1",
      kind: "inquiry",
      status: "open",
      reason: "fraudulent",
      isFraud: true,
      initiatedAtMs: T0,
      ...changes,
    });
    const record = (changes: Partial<Dispute> = {}) =>
      store.outcomes.recordDispute(KEY, dispute(changes), noted);
    const kinds = async () => (await store.orders.listTimeline(KEY)).map(({ kind }) => kind);

    it("are stored once, with a timeline entry", async () => {
      const kept = { ...dispute(), seenAtMs: noted.atMs };
      expect(await record()).toEqual({ kept, isNews: true });
      expect(await record()).toEqual({ kept, isNews: false });

      expect(await store.outcomes.listDisputes(TENANT, ["1", "2"])).toEqual(new Map([["1", [kept]]]));
      expect(await kinds()).toEqual(["received", "dispute"]);
    });

    it("record a refund of an order once, however often and concurrently it is reported", async () => {
      const refund = entry("refunded", T0 + MINUTE_MS);
      const news = await Promise.all([1, 2, 3].map(() => store.outcomes.noteRefund(KEY, refund)));
      expect(news.filter(Boolean)).toHaveLength(1);
      expect(await store.outcomes.noteRefund(KEY, refund)).toBe(false);
      expect(await kinds()).toEqual(["received", "refunded"]);
      expect((await store.outcomes.loadTraces(TENANT, ["1"])).get("1")?.events).toMatchObject([
        { kind: "refunded" },
      ]);

      expect(await store.outcomes.noteRefund({ tenant: TENANT, orderId: "2" }, refund)).toBe(false);
      expect(await store.outcomes.noteRefund({ tenant: OTHER_TENANT, orderId: "1" }, refund)).toBe(false);
      expect((await store.outcomes.loadTraces(OTHER_TENANT, ["1"])).size).toBe(0);
    });

    it("aren't stored for an order that doesn't exist or belongs to another tenant", async () => {
      expect(
        await store.outcomes.recordDispute({ tenant: TENANT, orderId: "2" }, dispute(), noted),
      ).toBeNull();
      expect(
        await store.outcomes.recordDispute({ tenant: OTHER_TENANT, orderId: "1" }, dispute(), noted),
      ).toBeNull();
      expect((await store.outcomes.listDisputes(OTHER_TENANT, ["1"])).size).toBe(0);
    });

    it.each<[string, Partial<Dispute>, Partial<Dispute>, boolean]>([
      ["an inquiry becomes a chargeback", {}, { kind: "chargeback" }, true],
      ["an inquiry that was won becomes a chargeback", { status: "won" }, { kind: "chargeback" }, true],
      ["an open dispute ends", {}, { status: "lost" }, true],
      ["a lost dispute is won after all", { status: "lost" }, { status: "won" }, true],
      [
        "a chargeback doesn't become an inquiry",
        { kind: "chargeback" },
        { kind: "inquiry", status: "won" },
        false,
      ],
      ["an ended dispute doesn't reopen", { status: "lost" }, { status: "open" }, false],
    ])("follow the rule: %s", async (_case, first, second, isNews) => {
      await record(first);
      const later = await record({ ...first, ...second });
      expect(later).toMatchObject({ isNews, kept: isNews ? { ...first, ...second } : first });
      expect((await store.outcomes.listDisputes(TENANT, ["1"])).get("1")).toEqual([later?.kept]);
    });

    it("are listed with the traces of orders", async () => {
      await record({ disputeId: "d2", initiatedAtMs: T0 + 1 });
      await record();
      const trace = (await store.outcomes.loadTraces(TENANT, ["1"])).get("1");
      expect(trace?.disputes.map(({ disputeId }) => disputeId)).toEqual(["d1", "d2"]);
    });

    it("are deleted with their order by age, and with their tenant", async () => {
      await store.orders.claim(claim("p1"));
      const done = { state: "settled", dueAtMs: null, settledAtMs: T0 } as const;
      await store.orders.save(KEY, "p1", { changes: done, release: true });
      await record();
      const limit = T0 + 365 * 24 * 60 * MINUTE_MS;
      const limits = {
        nowMs: limit,
        contentBeforeMs: limit,
        deliveriesBeforeMs: limit,
        awaitingBeforeMs: limit,
        ordersBeforeMs: limit,
        ledgerBeforeMs: limit,
        quotasBeforeMs: limit,
        passingBeforeMs: limit,
        circuitsBeforeMs: limit,
        entry: entry("erased"),
      };
      await store.retention.eraseAged("order-content", limits, null);
      expect((await store.outcomes.listDisputes(TENANT, ["1"])).size).toBe(1);
      await store.retention.eraseAged("orders", limits, null);
      expect((await store.outcomes.listDisputes(TENANT, ["1"])).size).toBe(0);

      await store.orders.receive(order("1"), entry("received"));
      await store.orders.receive(order("1", { tenant: OTHER_TENANT }), entry("received"));
      await record();
      await store.outcomes.recordDispute({ tenant: OTHER_TENANT, orderId: "1" }, dispute(), noted);
      await store.retention.eraseTenant(TENANT);
      expect((await store.outcomes.listDisputes(TENANT, ["1"])).size).toBe(0);
      expect((await store.outcomes.listDisputes(OTHER_TENANT, ["1"])).size).toBe(1);
    });
  });

  describe("a decision on an order at rest", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
      await store.orders.receive(order("1"), entry("received"));
    });
    afterEach(() => store.close());

    const hold = () => ({
      changes: {
        state: "decided",
        dueAtMs: T0,
        decision: decision({ action: "hold" }),
        decidedAtMs: T0,
      } as const,
      entries: [entry("decided-again")],
    });

    async function settle(): Promise<void> {
      await store.orders.claim(claim("p1"));
      const done = { state: "settled", dueAtMs: null, decision: decision(), decidedAtMs: T0 } as const;
      await store.orders.save(KEY, "p1", { changes: done, release: true });
    }

    it("replaces the present one and makes the order due", async () => {
      await settle();
      const seen: unknown[] = [];
      const decided = await store.orders.decideAtRest(KEY, T0, (standing) => {
        seen.push(standing.order.state);
        return hold();
      });
      expect([decided, ...seen]).toEqual(["decided", "settled"]);
      expect(await store.orders.get(KEY)).toMatchObject({ state: "decided", decision: { action: "hold" } });
      expect(await store.orders.claim(claim("p2"))).toHaveLength(1);
    });

    it("changes nothing while a worker has the order, or a person's decision waits", async () => {
      await settle();
      const review = {
        act: "decline",
        actor: "person:7",
        atMs: T0,
        note: null,
        effectiveAtMs: T0 + MINUTE_MS,
      };
      await store.reviews.decide(KEY, review as never, () => ({ outcome: "decided", transition: hold() }));
      expect(await store.orders.decideAtRest(KEY, T0, hold)).toBe("busy");

      await store.reviews.undo(KEY, { actor: "person:7", atMs: T0 });
      await store.orders.claim(claim("p1"));
      expect(await store.orders.decideAtRest(KEY, T0, hold)).toBe("busy");
      expect(await store.orders.get(KEY)).toMatchObject({ state: "settled" });
    });

    it("changes nothing when there is nothing to decide, or no order", async () => {
      await settle();
      expect(await store.orders.decideAtRest(KEY, T0, () => null)).toBe("unchanged");
      expect(await store.orders.decideAtRest({ ...KEY, tenant: OTHER_TENANT }, T0, hold)).toBe("unknown");
    });
  });
}
