import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Dispute } from "../../src/platform/platform.ts";
import type { OrderFilter, Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import {
  claim,
  decision,
  entry,
  MINUTE_MS,
  order,
  OTHER_TENANT,
  RETENTION_LIMITS,
  T0,
  TENANT,
} from "./samples.ts";

const DAY_MS = 86_400_000;

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

    it("take the evidence's deadline and its end, which may come with the same state", async () => {
      const dueMs = T0 + 5 * MINUTE_MS;
      await record({ evidenceDueAtMs: dueMs, networkCode: "10.4" });
      expect(await record({ evidenceDueAtMs: dueMs + 1 })).toMatchObject({
        isNews: false,
        kept: { evidenceDueAtMs: dueMs + 1, networkCode: "10.4" },
      });
      await record({ evidenceSentAtMs: T0 });
      // An older webhook arrives late.
      await record({ evidenceDueAtMs: dueMs });
      const kept = (await store.outcomes.listDisputes(TENANT, ["1"])).get("1");
      expect(kept).toMatchObject([{ evidenceDueAtMs: dueMs + 1, evidenceSentAtMs: T0 }]);

      // A chargeback takes evidence of its own.
      await record({ kind: "chargeback" });
      const later = (await store.outcomes.listDisputes(TENANT, ["1"])).get("1");
      expect(later?.[0]).toMatchObject({ networkCode: "10.4" });
      expect(later?.[0]?.evidenceDueAtMs).toBeUndefined();
      expect(later?.[0]?.evidenceSentAtMs).toBeUndefined();
      expect(await kinds()).toEqual(["received", "dispute", "dispute"]);
    });

    it("are listed by deadline while a bank waits, page by page, and counted by month", async () => {
      const at = (ms: number) => ({ evidenceDueAtMs: T0 + ms });
      await record({ disputeId: "past", ...at(0) });
      await record({ disputeId: "b", ...at(10) });
      await record({ disputeId: "a", ...at(10) });
      await record({ disputeId: "last", ...at(20), kind: "chargeback" });
      await record({ disputeId: "later", ...at(21), kind: "chargeback", initiatedAtMs: T0 - 1 });
      await record({ disputeId: "sent", ...at(10), evidenceSentAtMs: T0 });
      await record({ disputeId: "won", ...at(10), status: "won" });
      await record({ disputeId: "prevented", kind: "chargeback", status: "prevented" });
      const look = { afterMs: T0, untilMs: T0 + 20, limit: 2 };

      const first = await store.outcomes.listDue(look);
      const second = await store.outcomes.listDue({ ...look, after: first.at(-1) });

      expect(first.map(({ disputeId }) => disputeId)).toEqual(["a", "b"]);
      expect(second).toMatchObject([{ disputeId: "last", tenant: TENANT, orderId: "1" }]);
      const month = { sinceMs: T0, untilMs: T0 + 1 };
      expect(await store.outcomes.countChargebacks(TENANT, month)).toBe(1);
      expect(await store.outcomes.countChargebacks(OTHER_TENANT, month)).toBe(0);
    });

    it("sort orders by until when a bank waits, page by page, those for which none waits last", async () => {
      const waiting = [
        ["a", { evidenceDueAtMs: T0 + 30 }],
        ["b", { evidenceDueAtMs: T0 }],
        ["c", { evidenceDueAtMs: T0 + 10 }],
        ["d", { evidenceDueAtMs: T0 + 5, evidenceSentAtMs: T0 }],
        ["e", { evidenceDueAtMs: T0 + 5, status: "won" }],
        ["f", { evidenceDueAtMs: T0 + 20 }],
        ["g", {}],
      ] as const;
      for (const [orderId, changes] of waiting) {
        await store.orders.receive(order(orderId), entry("received"));
        const about = { disputeId: orderId, orderId, ...changes };
        await store.outcomes.recordDispute({ tenant: TENANT, orderId }, dispute(about), noted);
      }
      await record({ disputeId: "g2", evidenceDueAtMs: T0 + 40 });
      const later = dispute({ disputeId: "a2", orderId: "a", evidenceDueAtMs: T0 + 1 });
      await store.outcomes.recordDispute({ tenant: TENANT, orderId: "a" }, later, noted);
      const theirs = { tenant: OTHER_TENANT, orderId: "g" };
      await store.orders.receive(order("g", { tenant: OTHER_TENANT }), entry("received"));
      await store.outcomes.recordDispute(theirs, dispute({ orderId: "g", evidenceDueAtMs: T0 + 2 }), noted);
      const sorted = async (limit: number, nowMs: number, filter: OrderFilter = {}) => {
        const asked = { sort: "evidence", nowMs, ...filter } as const;
        let ids = "";
        let cursor: string | undefined;
        do {
          const page = await store.orders.list(TENANT, { ...asked, limit, cursor });
          ids += page.orders.map(({ orderId }) => orderId).join("");
          cursor = page.nextCursor ?? undefined;
        } while (cursor !== undefined);
        for await (const all of store.orders.readAll(TENANT, asked))
          expect(all.map(({ orderId }) => orderId).join("")).toBe(ids);
        return ids;
      };

      for (const limit of [1, 3, 20]) {
        expect(await sorted(limit, T0)).toBe("acf1bdeg");
        expect(await sorted(limit, T0 + 1)).toBe("cfa1bdeg");
        expect(await sorted(limit, T0, { dispute: "open" })).toBe("acf1bdg");
        expect(await sorted(limit, T0, { dispute: "won" })).toBe("e");
      }
    });

    it("are listed with the traces of orders", async () => {
      await record({ disputeId: "d2", initiatedAtMs: T0 + 1 });
      await record();
      const trace = (await store.outcomes.loadTraces(TENANT, ["1"])).get("1");
      expect(trace?.disputes.map(({ disputeId }) => disputeId)).toEqual(["d1", "d2"]);
    });

    it.each<[string, Partial<Dispute>, boolean]>([
      ["a bank waits for evidence", {}, true],
      ["the deadline has passed", { evidenceDueAtMs: T0 }, false],
      ["the deadline can't be true", { evidenceDueAtMs: T0 + 61 * DAY_MS }, false],
      ["evidence was sent", { evidenceSentAtMs: T0 - 1 }, false],
      ["it is over", { status: "lost" }, false],
      ["no deadline is known", { evidenceDueAtMs: undefined }, false],
    ])("keep their order and its content from age: %s", async (_case, changes, isKept) => {
      const old = { tenant: TENANT, orderId: "old" };
      await store.orders.receive(order("old", { receivedAtMs: T0 - 100 * DAY_MS }), entry("received"));
      await store.orders.claim(claim("p1"));
      const done = { state: "settled", dueAtMs: null, settledAtMs: T0 } as const;
      await store.orders.save(old, "p1", { changes: done, release: true });
      const due = { orderId: "old", evidenceDueAtMs: T0 + DAY_MS };
      await store.outcomes.recordDispute(old, dispute({ ...due, ...changes }), noted);

      await store.retention.eraseAged("order-content", RETENTION_LIMITS, null);
      const content = (await store.orders.get(old))?.mapped ?? null;
      await store.retention.eraseAged("orders", RETENTION_LIMITS, null);

      expect(content !== null).toBe(isKept);
      expect((await store.orders.get(old)) !== null).toBe(isKept);
    });

    it("keep an order without content from deletion while a bank waits", async () => {
      const old = { tenant: TENANT, orderId: "old" };
      await store.orders.receive(order("old", { receivedAtMs: T0 - 100 * DAY_MS }), entry("received"));
      await store.orders.claim(claim("p1"));
      const done = { state: "settled", dueAtMs: null, settledAtMs: T0 } as const;
      await store.orders.save(old, "p1", { changes: done, release: true });
      await store.retention.eraseAged("order-content", RETENTION_LIMITS, null);
      const due = { orderId: "old", evidenceDueAtMs: T0 + DAY_MS };
      await store.outcomes.recordDispute(old, dispute(due), noted);

      await store.retention.eraseAged("orders", RETENTION_LIMITS, null);
      expect(await store.outcomes.listDisputes(TENANT, ["old"])).toHaveProperty("size", 1);
      const later = { ...RETENTION_LIMITS, nowMs: T0 + DAY_MS };
      await store.retention.eraseAged("orders", later, null);
      expect(await store.outcomes.listDisputes(TENANT, ["old"])).toHaveProperty("size", 0);
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
