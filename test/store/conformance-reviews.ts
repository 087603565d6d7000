import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeRefusal } from "../../src/base/refusals.ts";
import { RECHECK_QUOTA } from "../../src/store/quotas.ts";
import type { Store } from "../../src/store/store.ts";
import type { OrderSituation } from "../../src/store/orders/locked-order.ts";
import type { ReviewRequest, ReviewJudgement } from "../../src/store/orders/reviews.ts";
import type { OpenStore } from "./conformance.ts";
import { attempt, claim, decision, entry, MINUTE_MS, order, OTHER_TENANT, T0, TENANT } from "./samples.ts";

const KEY = { tenant: TENANT, orderId: "1" };
const PRESS: ReviewRequest = { act: "approve", actor: "person:7", atMs: T0 + 10, note: null };
const APPROVED = decision({ action: "allow", tags: [], source: "person", actor: "person:7" });
const approve = (): ReviewJudgement => ({
  outcome: "decided",
  transition: {
    changes: { state: "decided", decision: APPROVED, decidedAtMs: T0 + 10, dueAtMs: T0 + 10, review: null },
    entries: [{ ...entry("decided-again", T0 + 10), actor: "person:7" }],
  },
});
const ask = (): ReviewJudgement => ({ outcome: "asked" });

export function describeReviews(open: OpenStore): void {
  describe("people's decisions on orders", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
      await store.orders.receive(order("1"), entry("received"));
      await store.orders.claim(claim("p1"));
    });
    afterEach(() => store.close());

    async function rest(state: "review" | "failed" | "settled" = "review"): Promise<void> {
      const changes = { state, dueAtMs: T0 + MINUTE_MS, decision: decision(), decidedAtMs: T0 } as const;
      const step = { step: "hold", state: "done", detail: "held", memory: {}, atMs: T0 } as const;
      await store.orders.save(KEY, "p1", { changes, step, entries: [entry("decided-again")], release: true });
    }
    const read = () => store.orders.get(KEY);
    const kinds = async () => (await store.orders.listTimeline(KEY)).map(({ kind }) => kind);

    it("take effect immediately if nobody works on the order, judged by its current state", async () => {
      await rest();
      const seen: OrderSituation[] = [];

      const pressed = await store.reviews.decide(KEY, PRESS, (standing) => {
        seen.push(standing);
        return approve();
      });

      expect(pressed).toMatchObject({ outcome: "decided", order: { state: "decided", decision: APPROVED } });
      expect(seen.at(-1)).toMatchObject({
        order: { state: "review", decision: decision() },
        steps: [{ step: "hold", state: "done" }],
        timeline: [{ kind: "received" }, { kind: "decided-again" }],
      });
      expect(await read()).toMatchObject({ dueAtMs: T0 + 10, decision: APPROVED, review: null });
      expect(await store.orders.claim(claim("p2", { nowMs: T0 + 10 }))).toHaveLength(1);
    });

    it("wait for the work under way, and lose none of it", async () => {
      expect(await store.reviews.decide(KEY, PRESS, approve)).toEqual({ outcome: "queued" });

      const review = { act: "approve", actor: "person:7", atMs: T0 + 10 };
      expect(await read()).toMatchObject({ decision: null, review });
      expect(await store.orders.claim(claim("p2", { nowMs: T0 + 10 }))).toEqual([]);
      // The worker finishes and leaves nothing due.
      const changes = { state: "settled", dueAtMs: null, decision: decision(), decidedAtMs: T0 } as const;
      expect(await store.orders.save(KEY, "p1", { changes, release: true })).toBe(true);
      const [claimed] = await store.orders.claim(claim("p2", { nowMs: T0 + 11 }));
      expect(claimed).toMatchObject({ state: "settled", decision: decision(), review });
      await store.orders.save(KEY, "p2", { changes: { review: null, dueAtMs: null }, release: true });
      expect(await read()).toMatchObject({ review: null, dueAtMs: null });
    });

    it("take effect if the lease ran out, and its former holder can't write any more", async () => {
      const late = T0 + 2 * MINUTE_MS;

      const pressed = await store.reviews.decide(KEY, { ...PRESS, atMs: late }, approve);

      expect(pressed).toMatchObject({ outcome: "decided" });
      const stale = { changes: { state: "settled" as const }, release: true };
      expect(await store.orders.save(KEY, "p1", stale)).toBe(false);
    });

    it("are dropped when the order ends on the platform", async () => {
      await store.reviews.decide(KEY, PRESS, approve);
      await store.orders.end(KEY, "shopify", T0 + 20, entry("cancelled-on-platform"));
      await store.orders.save(KEY, "p1", { changes: { dueAtMs: T0 + 30 }, release: true });

      expect(await read()).toMatchObject({ state: "settled", review: null, dueAtMs: null });
    });

    it("are dropped when an order at rest ends before the worker gets to them", async () => {
      await rest("settled");
      await store.reviews.decide(KEY, { ...PRESS, act: "recheck" }, ask);
      await store.orders.end(KEY, "shopify", T0 + 20, entry("cancelled-on-platform"));

      expect(await read()).toMatchObject({ state: "settled", review: null, dueAtMs: null });
    });

    it("that the worker has to carry out make the order due, whatever its state", async () => {
      await rest("settled");

      expect(await store.reviews.decide(KEY, { ...PRESS, act: "recheck" }, ask)).toEqual({
        outcome: "queued",
      });

      const [claimed] = await store.orders.claim(claim("p2", { nowMs: T0 + 10 }));
      expect(claimed?.review).toMatchObject({ act: "recheck", answersSinceMs: T0 + 10 });
      expect(await kinds()).toContain("recheck");
    });

    it("ignore calls that were made before them, whatever the clock says", async () => {
      await rest("settled");
      const grant = await store.ledger.begin(attempt("f1", { orderId: "1", nowMs: T0 + MINUTE_MS }));
      if (grant.outcome !== "granted") throw new Error("not granted");
      const failed = { state: "failed", metered: "yes", error: "VERIFICATION_MALFORMED" } as const;
      await store.ledger.finish(grant.attemptId, failed, T0 + 2 * MINUTE_MS);

      await store.reviews.decide(KEY, { ...PRESS, act: "recheck" }, ask);

      expect((await read())?.review?.answersSinceMs).toBe(T0 + 2 * MINUTE_MS);
      expect(await store.orders.listCalls(KEY)).toEqual([
        {
          startedAtMs: T0 + MINUTE_MS,
          state: "failed",
          metered: "yes",
          error: "VERIFICATION_MALFORMED",
        },
      ]);
    });

    it.each([
      { outcome: "already" },
      { outcome: "impossible", obstacle: "undecided", why: describeRefusal("undecided") },
      { outcome: "changed" },
    ] as const)("change nothing if they end in $outcome", async (judgement) => {
      await rest();
      const before = [await read(), await store.orders.listTimeline(KEY)];

      const pressed = await store.reviews.decide(KEY, { ...PRESS, note: "why" }, () => judgement);

      expect(pressed).toEqual(judgement);
      expect([await read(), await store.orders.listTimeline(KEY)]).toEqual(before);
    });

    it("keep the note of a second person who decides the same, but no repeat by the first", async () => {
      await rest();
      const already = (): ReviewJudgement => ({ outcome: "already" });
      await store.reviews.decide(KEY, { ...PRESS, note: "looks fine" }, approve);

      await store.reviews.decide(KEY, { ...PRESS, note: "looks fine" }, already);
      await store.reviews.decide(KEY, { ...PRESS, actor: "person:8", note: "called them" }, already);

      const notes = (await store.orders.listTimeline(KEY)).filter(({ kind }) => kind === "note");
      expect(notes).toMatchObject([
        { actor: PRESS.actor, note: "looks fine" },
        { actor: "person:8", note: "called them" },
      ]);
    });

    it("by two people are judged one after the other", async () => {
      await rest();
      const judge = (standing: OrderSituation): ReviewJudgement =>
        standing.order.decision?.source === "person" ? { outcome: "already" } : approve();

      const pressed = await Promise.all([
        store.reviews.decide(KEY, PRESS, judge),
        store.reviews.decide(KEY, { ...PRESS, actor: "person:8" }, judge),
      ]);

      expect(pressed.map(({ outcome }) => outcome).toSorted()).toEqual(["already", "decided"]);
    });

    it("are never lost to a worker that claims at the same moment, and lose none of its work", async () => {
      await rest();
      const late = T0 + 2 * MINUTE_MS;

      const [claimed, pressed] = await Promise.all([
        store.orders.claim(claim("p2", { nowMs: late })),
        store.reviews.decide(KEY, { ...PRESS, atMs: late }, approve),
      ]);

      const after = await read();
      if (pressed.outcome === "queued") {
        expect(claimed).toHaveLength(1);
        expect(after?.review).toMatchObject({ act: "approve" });
      } else {
        expect(pressed.outcome).toBe("decided");
        expect(after?.decision).toEqual(APPROVED);
        for (const order of claimed) expect(order.decision).toEqual(APPROVED);
      }
    });

    it("are answered as unknown for orders that don't exist or belong to another tenant", async () => {
      const other = { ...KEY, tenant: OTHER_TENANT };

      expect(await store.reviews.decide(other, PRESS, approve)).toEqual({ outcome: "unknown" });
      expect(await store.reviews.note(other, { ...entry("note"), note: "x" })).toBe("unknown");
      expect(await store.orders.listCalls(other)).toEqual([]);
    });
  });

  describe("a decision that can be undone", () => {
    let store: Store;
    const UNDO_MS = 8_000;
    const DELAYED = { ...PRESS, effectiveAtMs: PRESS.atMs + UNDO_MS };
    const BY = { actor: "person:7", atMs: PRESS.atMs + 100 };

    beforeEach(async () => {
      store = await open();
      await store.orders.receive(order("1"), entry("received"));
      await store.orders.claim(claim("p1"));
    });
    afterEach(() => store.close());

    async function rest(state: "review" | "failed" = "review"): Promise<void> {
      const dueAtMs = state === "failed" ? null : T0 + MINUTE_MS;
      const changes = { state, dueAtMs, decision: decision(), decidedAtMs: T0 } as const;
      await store.orders.save(KEY, "p1", { changes, release: true });
    }
    const read = () => store.orders.get(KEY);
    const due = (nowMs: number) => store.orders.claim(claim("p2", { nowMs }));
    const kinds = async () => (await store.orders.listTimeline(KEY)).map(({ kind }) => kind);

    it("is stored with its time, changes nothing else, and is due then", async () => {
      await rest();
      expect(await store.reviews.decide(KEY, { ...DELAYED, note: "Called." }, approve)).toEqual({
        outcome: "queued",
      });

      expect(await read()).toMatchObject({
        state: "review",
        decision: decision(),
        dueAtMs: DELAYED.effectiveAtMs,
        review: { act: "approve", actor: "person:7", effectiveAtMs: DELAYED.effectiveAtMs },
      });
      expect(await due(DELAYED.effectiveAtMs - 1)).toEqual([]);
      const [claimed] = await due(DELAYED.effectiveAtMs);
      expect(claimed?.review).toMatchObject({ act: "approve", judgedDecidedAtMs: T0 });
    });

    it.each([
      ["review", BY.atMs],
      ["failed", null],
    ] as const)("leaves an order in %s unchanged once it is undone", async (state, dueAtMs) => {
      await rest(state);
      await store.reviews.decide(KEY, DELAYED, approve);

      expect(await store.reviews.undo(KEY, { ...BY, actor: "person:8" })).toBe("undone");

      expect(await read()).toMatchObject({ state, decision: decision(), dueAtMs, review: null });
      expect(await store.orders.listTimeline(KEY)).toMatchObject([
        { kind: "received" },
        { kind: "approve", actor: "person:7" },
        { kind: "undone", detail: "approve", actor: "person:8" },
      ]);
      expect(await store.reviews.undo(KEY, BY)).toBe("none");
    });

    it("isn't carried out by a worker that claimed it before it was undone", async () => {
      await rest();
      await store.reviews.decide(KEY, DELAYED, approve);
      const [claimed] = await due(DELAYED.effectiveAtMs);
      const takesUp = claimed?.review;
      if (takesUp === null || takesUp === undefined) throw new Error("nothing to take up");

      expect(await store.reviews.undo(KEY, { ...BY, atMs: DELAYED.effectiveAtMs + 1 })).toBe("undone");

      const changes = { state: "decided", decision: APPROVED, review: null } as const;
      expect(await store.orders.save(KEY, "p2", { changes, release: false, takesUp })).toBe("withdrawn");
      expect(await read()).toMatchObject({ state: "review", decision: decision() });
      // The worker still has its lease, and the order is claimed again after it.
      expect(
        await store.orders.save(KEY, "p2", { changes: { dueAtMs: T0 + MINUTE_MS }, release: true }),
      ).toBe(true);
      expect(await read()).toMatchObject({ dueAtMs: DELAYED.effectiveAtMs + 1 });
    });

    it("isn't confused with another one that was made after it was undone", async () => {
      await rest();
      await store.reviews.decide(KEY, DELAYED, approve);
      const [claimed] = await due(DELAYED.effectiveAtMs);
      await store.reviews.undo(KEY, BY);
      await store.reviews.decide(KEY, { ...DELAYED, act: "decline", atMs: BY.atMs + 1 }, approve);

      const changes = { decision: APPROVED, review: null } as const;
      const takesUp = claimed?.review ?? undefined;
      const saved = await store.orders.save(KEY, "p2", {
        changes,
        release: true,
        ...(takesUp && { takesUp }),
      });

      expect(saved).toBe("withdrawn");
      expect(await read()).toMatchObject({ decision: decision(), review: { act: "decline" } });
    });

    it("is carried out once, and can't be undone after that", async () => {
      await rest();
      await store.reviews.decide(KEY, DELAYED, approve);
      const [claimed] = await due(DELAYED.effectiveAtMs);
      const changes = { state: "decided", decision: APPROVED, review: null } as const;
      const takesUp = claimed?.review ?? undefined;
      expect(
        await store.orders.save(KEY, "p2", { changes, release: false, ...(takesUp && { takesUp }) }),
      ).toBe(true);

      expect(await store.reviews.undo(KEY, BY)).toBe("none");
      expect(await kinds()).not.toContain("undone");
    });

    it("waits for the work under way, and for its time", async () => {
      await store.reviews.decide(KEY, DELAYED, approve);
      await store.orders.save(KEY, "p1", { changes: { dueAtMs: T0 + MINUTE_MS }, release: true });

      expect(await read()).toMatchObject({ dueAtMs: DELAYED.effectiveAtMs });
    });

    it("takes effect immediately when it is repeated without that time, or by the same person", async () => {
      await rest();
      const already = (): ReviewJudgement => ({ outcome: "already" });
      await store.reviews.decide(KEY, DELAYED, approve);
      expect(await store.reviews.decide(KEY, DELAYED, already)).toEqual({ outcome: "already" });
      expect(await store.reviews.hasten(KEY, { ...BY, actor: "person:8" })).toBe(false);
      expect(await read()).toMatchObject({ dueAtMs: DELAYED.effectiveAtMs });

      expect(await store.reviews.hasten(KEY, BY)).toBe(true);
      expect(await store.reviews.hasten(KEY, BY)).toBe(false);
      expect(await read()).toMatchObject({ dueAtMs: BY.atMs, review: { effectiveAtMs: BY.atMs } });

      await store.reviews.undo(KEY, BY);
      await store.reviews.decide(KEY, { ...DELAYED, atMs: T0 + 20 }, approve);
      expect(await store.reviews.decide(KEY, { ...PRESS, atMs: T0 + 30 }, already)).toEqual({
        outcome: "queued",
      });
      expect(await read()).toMatchObject({ dueAtMs: T0 + 30 });
    });

    it("is dropped when the order ends on the platform", async () => {
      await rest();
      await store.reviews.decide(KEY, DELAYED, approve);
      await store.orders.end(KEY, "shopify", T0 + 20, entry("cancelled-on-platform"));

      expect(await read()).toMatchObject({ state: "settled", review: null, dueAtMs: null });
      expect(await store.reviews.undo(KEY, BY)).toBe("none");
    });

    it("is unknown for another tenant's order, and never a recheck", async () => {
      await rest();
      await store.reviews.decide(KEY, { ...PRESS, act: "recheck" }, ask);
      const other = { ...KEY, tenant: OTHER_TENANT };

      expect(await store.reviews.undo(KEY, BY)).toBe("none");
      expect(await store.reviews.undo(other, BY)).toBe("unknown");
      expect(await store.reviews.hasten(other, BY)).toBe(false);
    });
  });

  describe("notes", () => {
    let store: Store;
    const NOTE = { ...entry("note", T0 + 5), actor: "person:7", note: "Spoke to Jane Example." };
    const request = { tenant: TENANT, orderIds: ["1"], customerId: undefined, email: undefined };

    beforeEach(async () => {
      store = await open();
      await store.orders.receive(order("1"), entry("received"));
    });
    afterEach(() => store.close());

    const notes = async () => (await store.orders.listTimeline(KEY)).map(({ note }) => note);

    it("are stored with the timeline, including those sent with a decision", async () => {
      await store.reviews.decide(KEY, { ...PRESS, note: "Called." }, approve);
      expect(await store.reviews.note(KEY, NOTE)).toBe("noted");

      expect(await notes()).toEqual([undefined, undefined, "Called.", NOTE.note]);
    });

    it("are erased with the order's content, and not stored after that", async () => {
      await store.reviews.note(KEY, NOTE);
      await store.retention.eraseOrders(request, entry("erased"));

      expect(await notes()).toEqual([undefined, undefined, undefined]);
      expect(await store.reviews.note(KEY, NOTE)).toBe("erased");
      expect(await store.reviews.decide(KEY, { ...PRESS, note: "why" }, approve)).toEqual({
        outcome: "erased",
      });
      expect((await store.orders.get(KEY))?.decision).toBeNull();
      expect(await store.reviews.decide(KEY, PRESS, approve)).toMatchObject({ outcome: "decided" });
    });
  });

  describe("rechecks", () => {
    const DAY_MS = 86_400_000;
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const receive = (orderId: string, tenant = TENANT) =>
      store.orders.receive(order(orderId, { tenant }), entry("received"));
    const recheck = async (orderId: string, atMs: number, tenant = TENANT) => {
      const press: ReviewRequest = { act: "recheck", actor: "person:7", atMs, note: null };
      return store.reviews.decide({ tenant, orderId }, press, ask);
    };

    it("are limited per order and day, and a refused one leaves no trace", async () => {
      for (const [orderId, tenant] of [
        ["1", TENANT],
        ["2", TENANT],
        ["1", OTHER_TENANT],
      ] as const) {
        await receive(orderId, tenant);
      }
      for (let time = 0; time < RECHECK_QUOTA.perOrder; time += 1) {
        expect(await recheck("1", T0 + time)).toEqual({ outcome: "queued" });
      }
      const before = [await store.orders.get(KEY), await store.orders.listTimeline(KEY)];

      const limited = await recheck("1", T0 + MINUTE_MS);

      expect(limited).toEqual({ outcome: "limited", of: "order", retryAtMs: T0 + DAY_MS });
      expect([await store.orders.get(KEY), await store.orders.listTimeline(KEY)]).toEqual(before);
      expect(await recheck("2", T0 + MINUTE_MS)).toEqual({ outcome: "queued" });
      expect(await recheck("1", T0 + MINUTE_MS, OTHER_TENANT)).toEqual({ outcome: "queued" });
      expect(await recheck("1", T0 + DAY_MS)).toEqual({ outcome: "queued" });
      expect(await recheck("1", T0 + DAY_MS)).toMatchObject({ outcome: "limited" });
    });

    it("are limited per tenant, however many ask at once", async () => {
      const orderIds = Array.from({ length: 25 }, (_, index) => `o${index}`);
      await Promise.all(orderIds.map((orderId) => receive(orderId)));
      await receive("1", OTHER_TENANT);
      const times = RECHECK_QUOTA.perTenant / orderIds.length;
      for (let time = 1; time < times; time += 1) {
        await Promise.all(orderIds.map((orderId) => recheck(orderId, T0 + time)));
      }
      // All but the last have one left; the last asks for one more together with them.
      const late = await Promise.all([...orderIds, "o0"].map((orderId) => recheck(orderId, T0 + MINUTE_MS)));

      const limited = late.filter(({ outcome }) => outcome === "limited");
      expect(limited).toEqual([{ outcome: "limited", of: "tenant", retryAtMs: T0 + 1 + DAY_MS }]);
      expect(await recheck("1", T0 + MINUTE_MS, OTHER_TENANT)).toEqual({ outcome: "queued" });
      expect(await recheck("o1", T0 + 1 + DAY_MS)).toEqual({ outcome: "queued" });
    });
  });

  describe("facts", () => {
    let store: Store;
    const facts = { amount: 19.99, currency: "usd", shippingCountry: "us", skus: ["a"], products: [] };
    const kept = {
      ...facts,
      billingCountry: "us",
      firstTimeCustomer: true,
      shippingCountryDiffers: false,
      ipCountryDiffers: false,
      accountAgeDays: 3,
      totalOrders: 0,
      timesAverage: 2.5,
      paymentBrand: "visa",
      context: {},
      seen: { factors: ["customer"], counts: { emailOrders1h: 1 } },
    };

    beforeEach(async () => {
      store = await open();
      await store.orders.receive(order("1"), entry("received"));
      await store.orders.claim(claim("p1"));
    });
    afterEach(() => store.close());

    it("are stored with the decision, and erased on request", async () => {
      await store.orders.save(KEY, "p1", { changes: { decision: decision(), facts: kept }, release: true });
      expect((await store.orders.get(KEY))?.facts).toEqual(kept);

      const request = { tenant: TENANT, orderIds: ["1"], customerId: undefined, email: undefined };
      await store.retention.eraseOrders(request, entry("erased"));

      expect((await store.orders.get(KEY))?.facts).toBeNull();
    });

    it("aren't stored by a worker that was deciding while they were erased", async () => {
      const request = { tenant: TENANT, orderIds: ["1"], customerId: undefined, email: undefined };
      await store.retention.eraseOrders(request, entry("erased"));

      const changes = { decision: decision(), facts: kept, result: null };
      expect(await store.orders.save(KEY, "p1", { changes, release: true })).toBe("erased");

      expect((await store.orders.get(KEY))?.facts).toBeNull();
    });
  });
}
