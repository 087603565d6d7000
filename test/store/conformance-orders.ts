import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OrderChanges, Store, StepRecord } from "../../src/store/store.ts";
import { toProblemChanges, type TimelineEvent } from "../../src/store/orders/timeline.ts";
import { until } from "../support/until.ts";
import type { OpenStore } from "./conformance.ts";
import {
  attempt,
  claim,
  decision,
  delivery,
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

export function describeOrders(open: OpenStore): void {
  describe("orders", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const receive = (orderId = "1", changes: Parameters<typeof order>[1] = {}) =>
      store.orders.receive(order(orderId, changes), entry("received"));
    const save = (changes: OrderChanges, release = true, owner = "p1") =>
      store.orders.save(KEY, owner, { changes, release });
    const kinds = async () => (await store.orders.listTimeline(KEY)).map((line) => line.kind);
    /** An order in the given state, with no worker. */
    async function leave(changes: OrderChanges): Promise<void> {
      await receive();
      await store.orders.claim(claim("p1"));
      await save(changes);
    }

    it("tells listeners which tenants' orders change, until they stop", async () => {
      const heard = new Set<string | null>();
      const stop = store.onChange((tenant) => heard.add(tenant));
      await receive();
      await until(() => expect(heard).toContain(TENANT));

      await receive("2", { tenant: OTHER_TENANT });
      await until(() => expect(heard).toContain(OTHER_TENANT));

      heard.clear();
      await store.reviews.note(KEY, { ...entry("note"), note: "called" });
      await until(() => expect(heard).toContain(TENANT));
      stop();
    });

    it("stores a received order unchanged, due immediately", async () => {
      // Larger than 2^53, like platform ids.
      const orderId = "90071992547409931234";
      const fresh = order(orderId, { customerId: "90071992547409939999" });

      expect(await store.orders.receive(fresh, entry("received"))).toBe(true);

      expect(await store.orders.get({ tenant: TENANT, orderId })).toEqual({
        ...fresh,
        state: "received",
        dueAtMs: T0,
        attempts: 0,
        enriched: false,
        fingerprint: null,
        result: null,
        decision: null,
        decidedAtMs: null,
        settledAtMs: null,
        skipReason: null,
        problem: null,
        problems: [],
        holdDeadlineMs: null,
        creditsSpent: 0,
        effects: "live",
        asOfMs: null,
        revisedAtMs: null,
        revision: null,
        rereadAtMs: null,
        facts: null,
        review: null,
      });
    });

    it("stores an order without any optional fields", async () => {
      const known = { outcome: "unscreenable", reason: "NO_EMAIL", known: {}, test: false } as const;
      await receive("1", { mapped: known, amount: undefined, currency: undefined });

      expect(await store.orders.get(KEY)).toMatchObject({
        mapped: known,
        amount: null,
        currency: null,
        customerId: null,
      });
    });

    it("adds only a timeline entry when an order comes again", async () => {
      await receive();

      const again = order("1", { name: "#other", mapped: mapped("other@shop.example") });
      expect(await store.orders.receive(again, entry("received", T0 + 1))).toBe(false);

      expect(await store.orders.get(KEY)).toMatchObject({ name: "#1", mapped: mapped() });
      expect(await store.orders.listTimeline(KEY)).toEqual([entry("received"), entry("received", T0 + 1)]);
    });

    it("stores an order once when it is received many times at once", async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => receive()));

      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(await store.orders.listTimeline(KEY)).toHaveLength(50);
    });

    it("shows other tenants nothing of an order", async () => {
      await receive();
      const theirs = { tenant: OTHER_TENANT, orderId: "1" };

      expect(await store.orders.get(theirs)).toBeNull();
      expect(await store.orders.listTimeline(theirs)).toEqual([]);
      expect((await store.orders.list(OTHER_TENANT, { limit: 10 })).orders).toEqual([]);
    });

    it("gives a claimed order to nobody else until its lease has run out", async () => {
      await receive();

      const claims = await Promise.all(["p1", "p2", "p3"].map((owner) => store.orders.claim(claim(owner))));

      expect(claims.flat()).toHaveLength(1);
      expect(claims.flat()[0]).toEqual(await store.orders.get(KEY));
      expect(await store.orders.nextDueAtMs()).toBe(T0 + MINUTE_MS);
      expect(await store.orders.claim(claim("p4", { nowMs: T0 + MINUTE_MS - 1 }))).toEqual([]);
      expect(await store.orders.claim(claim("p4", { nowMs: T0 + MINUTE_MS }))).toHaveLength(1);
    });

    it("doesn't let a flood of one tenant's orders starve another", async () => {
      await Promise.all(
        Array.from({ length: 200 }, (_, index) => receive(`f${index}`, { receivedAtMs: T0 - 1_000 + index })),
      );
      await receive("calm", { tenant: OTHER_TENANT });

      const claimed = await store.orders.claim(claim("p1", { limit: 3 }));

      expect(claimed.map((one) => one.orderId)).toEqual(["f0", "calm", "f1"]);
    });

    it("extends the lease only for its owner", async () => {
      await receive();
      await store.orders.claim(claim("p1"));

      expect(await store.orders.renew(KEY, "p1", { nowMs: T0, leaseMs: 5 * MINUTE_MS })).toBe(true);
      expect(await store.orders.renew(KEY, "p2", { nowMs: T0, leaseMs: 9 * MINUTE_MS })).toBe(false);

      expect(await store.orders.nextDueAtMs()).toBe(T0 + 5 * MINUTE_MS);
      expect(await store.orders.claim(claim("p2", { nowMs: T0 + 5 * MINUTE_MS - 1 }))).toEqual([]);
    });

    it("stores every field of a transition", async () => {
      await receive();
      await store.orders.claim(claim("p1"));
      const changes = {
        state: "enforcing",
        dueAtMs: T0 + 7,
        attempts: 3,
        enriched: true,
        mapped: mapped("new@shop.example"),
        fingerprint: "fp",
        result: result(),
        decision: decision(),
        decidedAtMs: T0 + 1,
        settledAtMs: T0 + 2,
        skipReason: "TEST_ORDER",
        problem: "PLATFORM_THROTTLED",
        holdDeadlineMs: T0 + 3,
      } as const;

      expect(await save(changes)).toBe(true);

      expect(await store.orders.get(KEY)).toMatchObject(changes);
    });

    it("doesn't make orders due before a fractional time, computed from hints and hours", async () => {
      await leave({ dueAtMs: T0 + 0.1, holdDeadlineMs: T0 + 1.9 });

      expect(await store.orders.get(KEY)).toMatchObject({ dueAtMs: T0 + 1, holdDeadlineMs: T0 + 2 });
    });

    it("leaves absent fields unchanged and clears fields that are null", async () => {
      await leave({
        result: result(),
        problem: "P",
        skipReason: "CANCELLED",
        holdDeadlineMs: 1,
        dueAtMs: T0,
      });
      await store.orders.claim(claim("p1"));

      await save({ result: null, problem: null, skipReason: null, holdDeadlineMs: null, dueAtMs: null });

      expect(await store.orders.get(KEY)).toMatchObject({
        state: "received",
        mapped: mapped(),
        result: null,
        problem: null,
        skipReason: null,
        holdDeadlineMs: null,
        dueAtMs: null,
      });
      expect(await store.orders.nextDueAtMs()).toBeNull();
    });

    it("stores what entries, steps and problems say as data", async () => {
      const problems = [{ step: "hold", code: "goods-open" } as const, { code: "PLATFORM_THROTTLED" }];
      const events: TimelineEvent[] = [
        { kind: "decided", action: "hold", source: "service", reasons: ["level:high", "rule:A, b: c"] },
        { kind: "settled", problems, ended: "shipped" },
        { kind: "hold-moot", ended: "cancelled" },
      ];
      const entries = events.map((event) => ({ ...entry("received"), kind: event.kind, event }));
      const step = {
        step: "hold",
        state: "moot",
        detail: "-",
        memory: {},
        cause: "shadow",
        atMs: T0,
      } as const;
      await receive();
      await store.orders.claim(claim("p1"));
      await store.orders.save(KEY, "p1", {
        changes: toProblemChanges(problems),
        entries,
        step,
        release: false,
      });

      expect((await store.orders.listTimeline(KEY)).slice(1)).toEqual(entries);
      expect(await store.orders.listSteps(KEY)).toEqual([step]);
      expect(await store.orders.get(KEY)).toMatchObject({
        problem: "hold:goods-open PLATFORM_THROTTLED",
        problems,
      });

      // Without parts, it is one code.
      await save({ problem: "tag:tags-refused" }, false);
      expect(await store.orders.get(KEY)).toMatchObject({ problems: [{ code: "tag:tags-refused" }] });
      await save({ problem: null });
      expect(await store.orders.get(KEY)).toMatchObject({ problem: null, problems: [] });
    });

    it("writes changes, entries and the step together", async () => {
      await receive();
      await store.orders.claim(claim("p1"));
      const step: StepRecord = {
        step: "hold",
        state: "waiting",
        detail: "not routed",
        memory: { job: "7" },
        notes: { warned: "yes" },
        atMs: T0,
      };

      await store.orders.save(KEY, "p1", {
        changes: { state: "enforcing" },
        entries: [entry("found"), entry("rechecked")],
        step,
        release: false,
      });
      expect(await store.orders.listSteps(KEY)).toEqual([step]);
      await store.orders.save(KEY, "p1", {
        changes: {},
        step: { ...step, state: "done", memory: {}, notes: undefined, atMs: T0 + 1 },
        release: false,
      });

      expect(await kinds()).toEqual(["received", "found", "rechecked"]);
      expect(await store.orders.listSteps(KEY)).toEqual([
        { ...step, state: "done", memory: {}, notes: undefined, atMs: T0 + 1 },
      ]);
    });

    it("changes nothing for an owner that lost the lease", async () => {
      await receive();
      await store.orders.claim(claim("p1"));
      await store.orders.claim(claim("p2", { nowMs: T0 + MINUTE_MS }));
      const before = await store.orders.get(KEY);
      const step: StepRecord = { step: "tag", state: "done", detail: "", memory: {}, atMs: T0 };

      const saved = await store.orders.save(KEY, "p1", {
        changes: { state: "settled" },
        entries: [entry("caught-up")],
        step,
        release: true,
      });

      expect(saved).toBe(false);
      expect(await store.orders.get(KEY)).toEqual(before);
      expect(await kinds()).toEqual(["received"]);
      expect(await store.orders.listSteps(KEY)).toEqual([]);
    });

    it("changes nothing for an owner that has released the order", async () => {
      await leave({ state: "settled", dueAtMs: null });

      expect(await save({ state: "failed" })).toBe(false);
      expect(await store.orders.renew(KEY, "p1", { nowMs: T0, leaseMs: MINUTE_MS })).toBe(false);
      expect(await store.orders.get(KEY)).toMatchObject({ state: "settled" });
    });

    it("keeps the lease unless told to release it", async () => {
      await receive();
      await store.orders.claim(claim("p1"));

      await save({ state: "screening" }, false);
      expect(await store.orders.claim(claim("p2"))).toEqual([]);

      await save({ state: "decided", dueAtMs: T0 }, true);
      expect(await store.orders.claim(claim("p2"))).toHaveLength(1);
    });

    it("isn't due after a lost lease before the order's own time", async () => {
      await receive();
      await store.orders.claim(claim("p1"));
      await save({ dueAtMs: T0 + 3 * MINUTE_MS }, false);

      expect(await store.orders.nextDueAtMs()).toBe(T0 + 3 * MINUTE_MS);
      expect(await store.orders.claim(claim("p2", { nowMs: T0 + 2 * MINUTE_MS }))).toEqual([]);
      expect(await store.orders.claim(claim("p2", { nowMs: T0 + 3 * MINUTE_MS }))).toHaveLength(1);
    });

    it("wakes a waiting order, and no other", async () => {
      await leave({ state: "waiting", dueAtMs: T0 + 60 * MINUTE_MS });

      expect(await store.orders.wake(KEY, T0 + 1, entry("ready"))).toBe(true);
      expect(await store.orders.claim(claim("p2", { nowMs: T0 + 1 }))).toHaveLength(1);
      await save({ state: "settled", dueAtMs: null }, true, "p2");
      expect(await store.orders.wake(KEY, T0 + 2, entry("ready"))).toBe(false);
      expect(await store.orders.wake({ tenant: TENANT, orderId: "none" }, T0, entry("ready"))).toBe(false);

      expect(await kinds()).toEqual(["received", "ready"]);
      expect(await store.orders.nextDueAtMs()).toBeNull();
    });

    it("wakes the waiting orders of one tenant", async () => {
      for (const tenant of [TENANT, OTHER_TENANT]) {
        for (const orderId of ["1", "2", "3"]) await receive(orderId, { tenant });
      }
      await store.orders.claim(claim("p1"));
      const later = T0 + 60 * MINUTE_MS;
      for (const tenant of [TENANT, OTHER_TENANT]) {
        for (const orderId of ["1", "2", "3"]) {
          const state = orderId === "3" ? "enforcing" : "waiting";
          await store.orders.save({ tenant, orderId }, "p1", {
            changes: { state, dueAtMs: later },
            release: true,
          });
        }
      }

      expect(await store.orders.wakeTenant(TENANT, T0 + 1)).toBe(2);

      const claimed = await store.orders.claim(claim("p2", { nowMs: T0 + 1 }));
      expect(claimed.map((one) => `${one.tenant} ${one.orderId}`).toSorted()).toEqual([
        `${TENANT} 1`,
        `${TENANT} 2`,
      ]);
    });

    it("settles an order that ended on the platform for good", async () => {
      await leave({ state: "review", dueAtMs: T0 + 5, holdDeadlineMs: T0 + 5, problem: "P" });

      await store.orders.end(KEY, "shopify", T0 + 1, entry("cancelled-on-platform"));

      expect(await store.orders.get(KEY)).toMatchObject({
        state: "settled",
        settledAtMs: T0 + 1,
        dueAtMs: null,
        holdDeadlineMs: null,
        problem: null,
      });
      expect(await store.orders.claim(claim("p2", { nowMs: T0 + 100 * MINUTE_MS }))).toEqual([]);
      expect(await kinds()).toEqual(["received", "cancelled-on-platform"]);
    });

    it("keeps the newer time of an order's content when the order ends", async () => {
      await store.orders.receive(order("1", { asOfMs: T0 + 100 }), entry("received"));

      await store.orders.end(KEY, "shopify", T0 + 1, entry("cancelled-on-platform"));

      expect(await store.orders.get(KEY)).toMatchObject({ asOfMs: T0 + 100 });
    });

    it("settles an order that ended while leased when its owner releases it", async () => {
      await receive();
      await store.orders.claim(claim("p1"));

      await store.orders.end(KEY, "shopify", T0 + 1, entry("cancelled-on-platform"));

      expect(await store.orders.get(KEY)).toMatchObject({ state: "received", dueAtMs: T0 });
      expect(await save({ state: "review", dueAtMs: T0 + 5 })).toBe(true);
      expect(await store.orders.get(KEY)).toMatchObject({
        state: "settled",
        settledAtMs: T0 + 1,
        dueAtMs: null,
      });
      expect(await kinds()).toEqual(["received", "cancelled-on-platform"]);
    });

    it("keeps the time at which its owner settled an order that ended meanwhile", async () => {
      await receive();
      await store.orders.claim(claim("p1"));
      await store.orders.end(KEY, "shopify", T0 + 1, entry("cancelled-on-platform"));

      await save({ state: "settled", dueAtMs: null, settledAtMs: T0 + 5 });

      expect(await store.orders.get(KEY)).toMatchObject({ state: "settled", settledAtMs: T0 + 5 });
    });

    it("settles an order whose lease has run out, and shuts out its former owner", async () => {
      await receive();
      await store.orders.claim(claim("p1"));

      await store.orders.end(KEY, "shopify", T0 + MINUTE_MS, entry("cancelled-on-platform"));

      expect(await save({ state: "decided" })).toBe(false);
      expect(await store.orders.get(KEY)).toMatchObject({ state: "settled" });
    });

    it("doesn't settle twice, and remembers an order that ended before it was received", async () => {
      await leave({ state: "settled", settledAtMs: T0, dueAtMs: null });

      await store.orders.end(KEY, "shopify", T0 + 9, entry("cancelled-on-platform"));
      await store.orders.end(
        { tenant: TENANT, orderId: "none" },
        "shopify",
        T0,
        entry("cancelled-on-platform"),
      );

      expect(await store.orders.get(KEY)).toMatchObject({ settledAtMs: T0 });
      expect(await store.orders.get({ tenant: TENANT, orderId: "none" })).toMatchObject({
        state: "settled",
        skipReason: "CANCELLED",
        decision: null,
      });
      expect(await store.orders.receive(order("none"), entry("received"))).toBe(false);
    });

    it("reads an order's credits from the ledger", async () => {
      await receive();
      const begin = async (fingerprint: string) => {
        const grant = await store.ledger.begin(attempt(fingerprint, { orderId: "1" }));
        if (grant.outcome !== "granted") throw new Error(grant.outcome);
        return grant.attemptId;
      };
      const failed = { state: "failed", error: "VERIFICATION_FAILED" } as const;
      await store.ledger.finish(await begin("a"), { state: "answered", result: result() }, T0);
      await store.ledger.finish(await begin("b"), { ...failed, metered: "yes" }, T0);
      await store.ledger.finish(await begin("c"), { ...failed, metered: "unknown" }, T0);
      await store.ledger.finish(await begin("d"), { ...failed, metered: "no" }, T0);
      await begin("open");
      await store.ledger.begin(attempt("theirs", { orderId: "1", tenant: OTHER_TENANT }));

      expect(await store.orders.get(KEY)).toMatchObject({ creditsSpent: 3 });
      expect((await store.orders.list(TENANT, { limit: 1 })).orders[0]).toMatchObject({ creditsSpent: 3 });
      expect((await store.orders.claim(claim("p1")))[0]).toMatchObject({ creditsSpent: 3 });
    });

    it("takes back every lease and every open call", async () => {
      await receive();
      await store.deliveries.save([delivery("a")]);
      await store.orders.claim(claim("p1"));
      await store.deliveries.claim(claim("p1"));
      await store.leases.acquire("sweep", "p1", T0, T0 + MINUTE_MS);
      await store.ledger.begin(attempt("fp", { orderId: "1", owner: "app:p1" }));
      await store.ledger.begin(attempt("storefront", { owner: "p9" }));

      await store.leases.releaseAll();

      expect(await store.orders.claim(claim("p2"))).toHaveLength(1);
      expect(await store.deliveries.claim(claim("p2"))).toHaveLength(1);
      expect(await store.leases.acquire("sweep", "p2", T0, T0 + MINUTE_MS)).toBe(true);
      expect(await save({ state: "decided" })).toBe(false);
      expect(await store.orders.get(KEY)).toMatchObject({ creditsSpent: 1 });
      expect(await store.ledger.begin(attempt("fp", { maxPaidAttempts: 1 }))).toEqual({
        outcome: "exhausted",
      });
      expect(
        await store.ledger.begin(attempt("storefront")),
        "a storefront's own call goes on",
      ).toMatchObject({
        outcome: "busy",
      });
    });

    it("wakes an order that is being worked on once it is released", async () => {
      await receive();
      await store.orders.claim(claim("p1"));

      expect(await store.orders.wake(KEY, T0 + 7, entry("ready"))).toBe(true);
      await save({ state: "waiting", dueAtMs: T0 + 10 * MINUTE_MS });

      expect(await store.orders.get(KEY)).toMatchObject({ state: "waiting", dueAtMs: T0 + 7 });
    });

    it("wakes an order in review, but not a settled one", async () => {
      await leave({ state: "review", dueAtMs: T0 + MINUTE_MS });
      expect(await store.orders.wake(KEY, T0 + 2, entry("ready"))).toBe(true);
      expect(await store.orders.get(KEY)).toMatchObject({ dueAtMs: T0 + 2 });

      await store.orders.end(KEY, "shopify", T0 + 3, entry("cancelled-on-platform"));
      expect(await store.orders.wake(KEY, T0 + 4, entry("ready"))).toBe(false);
    });

    it("has an order at rest read again immediately, and one under lease once it is at rest", async () => {
      await leave({ state: "settled", dueAtMs: null });
      expect(await store.orders.reread(KEY, T0 + 2)).toBe(true);
      expect(await store.orders.get(KEY)).toMatchObject({ dueAtMs: T0 + 2, rereadAtMs: T0 + 2 });

      await store.orders.claim(claim("p1", { nowMs: T0 + 3 }));
      expect(await store.orders.reread(KEY, T0 + 4)).toBe(true);
      // What was seen earlier doesn't undo what came later.
      await save({ dueAtMs: null, reread: { seenMs: T0 + 2, nextMs: null } });

      expect(await store.orders.get(KEY)).toMatchObject({ dueAtMs: T0 + 4, rereadAtMs: T0 + 4 });
    });

    it("reads an order again at the time that was stored with its first answer", async () => {
      const reread = { seenMs: null, nextMs: T0 + MINUTE_MS };
      await leave({ state: "screening", dueAtMs: T0 + 2, reread });
      // The order becomes due earlier, without being woken.
      expect(await store.orders.get(KEY)).toMatchObject({ dueAtMs: T0 + 2, rereadAtMs: T0 + MINUTE_MS });

      await store.orders.claim(claim("p1", { nowMs: T0 + 3 }));
      await save({ state: "settled", dueAtMs: null });

      expect(await store.orders.get(KEY)).toMatchObject({ dueAtMs: T0 + MINUTE_MS });
    });

    it("doesn't read again an order that has ended or doesn't exist", async () => {
      await leave({ state: "settled", dueAtMs: null });
      await store.orders.reread(KEY, T0 + 2);
      await store.orders.end(KEY, "shopify", T0 + 3, entry("cancelled-on-platform"));

      expect(await store.orders.get(KEY)).toMatchObject({ dueAtMs: null, rereadAtMs: null });
      expect(await store.orders.reread({ tenant: TENANT, orderId: "none" }, T0)).toBe(false);
    });
  });
}
