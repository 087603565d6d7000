import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Action, DecisionSource } from "../../src/order/decision.ts";
import type { OrderTransition, Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { claim, decision, delivery, entry, MINUTE_MS, order, OTHER_TENANT, T0, TENANT } from "./samples.ts";

/** A decision's changes to an order. */
function decided(action: Action, decidedAtMs: number, source: DecisionSource = "service") {
  return { decision: decision({ action, source }), decidedAtMs };
}

export function describeTenants(open: OpenStore): void {
  describe("tenants", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const install = (secret = "s1", nowMs = T0, tenant = TENANT) =>
      store.tenants.saveCredential(tenant, "shopify", secret, "installed", nowMs);

    it("return an installed tenant and its secret", async () => {
      expect(await store.tenants.get(TENANT)).toBeNull();
      expect(await store.tenants.loadCredential(TENANT)).toBeNull();

      await install();

      expect(await store.tenants.get(TENANT)).toEqual({
        tenant: TENANT,
        platform: "shopify",
        state: "installed",
        installedAtMs: T0,
        uninstalledAtMs: null,
        accessRefused: false,
      });
      expect(await store.tenants.loadCredential(TENANT)).toBe("s1");
      expect(await store.tenants.loadCredential(OTHER_TENANT)).toBeNull();
    });

    it("move the time of installation on `installed`, and only the secret on `refreshed`", async () => {
      await install();

      await store.tenants.saveCredential(TENANT, "shopify", "s2", "refreshed", T0 + 1);
      expect(await store.tenants.loadCredential(TENANT)).toBe("s2");
      expect(await store.tenants.get(TENANT)).toMatchObject({ installedAtMs: T0 });

      await install("s3", T0 + 2);
      expect(await store.tenants.loadCredential(TENANT)).toBe("s3");
      expect(await store.tenants.get(TENANT)).toMatchObject({ installedAtMs: T0 + 2 });
    });

    it("are listed with the newest version of their policy, if they are installed and saved one", async () => {
      await install();
      await install("s2", T0 + 1, OTHER_TENANT);
      expect(await store.policies.listNewest()).toEqual([]);
      await store.policies.save(TENANT, {}, undefined, T0);
      await store.policies.save(TENANT, {}, undefined, T0);
      await store.policies.save("shopify:gone.example", {}, undefined, T0);
      const newest = { tenant: TENANT, platform: "shopify", installedAtMs: T0, version: 2 };
      expect(await store.policies.listNewest()).toEqual([newest]);

      await store.tenants.discardCredential(TENANT, "expired", T0);
      expect(await store.policies.listNewest()).toEqual([]);
    });

    it("can lose their secret and stay", async () => {
      await install();

      await store.tenants.discardCredential(TENANT, "expired", T0);

      expect(await store.tenants.loadCredential(TENANT)).toBeNull();
      expect(await store.tenants.get(TENANT)).toMatchObject({ state: "installed", accessRefused: false });
    });

    it("stay marked as refused until there is new access", async () => {
      await install();
      await store.tenants.discardCredential(TENANT, "refused", T0 + 1);
      expect(await store.tenants.get(TENANT)).toMatchObject({ state: "installed", accessRefused: true });

      await store.tenants.saveCredential(TENANT, "shopify", "s2", "refreshed", T0 + 2);
      expect(await store.tenants.get(TENANT)).toMatchObject({ accessRefused: false });
      await store.tenants.discardCredential(TENANT, "refused", T0 + 3);
      await install("s3", T0 + 4);
      expect(await store.tenants.get(TENANT)).toMatchObject({ accessRefused: false });
    });

    it("are erased unless they were installed in the meantime", async () => {
      await install("s1", T0 + 5);

      expect(await store.retention.eraseTenant(TENANT, T0 + 4)).toBe(false);
      expect(await store.retention.findErasure(TENANT)).toBeNull();
      expect(await store.tenants.loadCredential(TENANT)).toBe("s1");

      expect(await store.retention.eraseTenant(TENANT, T0 + 5)).toBe(true);
      expect(await store.retention.findErasure(TENANT)).toBe(T0 + 5);
      expect(await store.retention.findErasure(OTHER_TENANT)).toBeNull();
      expect(await store.tenants.get(TENANT)).toBeNull();
    });

    it("aren't brought back by a refresh that comes after they left", async () => {
      await install();
      await store.tenants.uninstall(TENANT, T0 + 1, entry("uninstalled"));

      await store.tenants.saveCredential(TENANT, "shopify", "s2", "refreshed", T0 + 2);
      await store.tenants.saveCredential(OTHER_TENANT, "shopify", "s2", "refreshed", T0 + 2);

      expect(await store.tenants.loadCredential(TENANT)).toBeNull();
      expect(await store.tenants.get(TENANT)).toMatchObject({ state: "uninstalled" });
      expect(await store.tenants.get(OTHER_TENANT)).toBeNull();
    });

    it("settle their unfinished orders when they leave", async () => {
      await install();
      for (const orderId of ["open", "held", "done"]) {
        await store.orders.receive(order(orderId), entry("received"));
      }
      await store.orders.receive(order("open", { tenant: OTHER_TENANT }), entry("received"));
      await store.orders.claim(claim("p1"));
      const key = (orderId: string) => ({ tenant: TENANT, orderId });
      await store.orders.save(key("held"), "p1", {
        changes: { state: "review", holdDeadlineMs: T0 + 9 },
        release: true,
      });
      await store.orders.save(key("done"), "p1", {
        changes: { state: "settled", settledAtMs: T0, dueAtMs: null },
        release: true,
      });

      const left = await store.tenants.uninstall(TENANT, T0 + 1, entry("uninstalled", T0 + 2));

      expect(left).toBe("uninstalled");
      expect(await store.tenants.loadCredential(TENANT)).toBeNull();
      for (const orderId of ["open", "held"]) {
        expect(await store.orders.get(key(orderId))).toMatchObject({
          state: "settled",
          settledAtMs: T0 + 2,
          dueAtMs: null,
          holdDeadlineMs: null,
        });
        expect(await store.orders.listTimeline(key(orderId))).toEqual([
          entry("received"),
          entry("uninstalled", T0 + 2),
        ]);
      }
      expect(await store.orders.get(key("done"))).toMatchObject({ settledAtMs: T0 });
      expect(await store.orders.listTimeline(key("done"))).toHaveLength(1);
      // The worker that had one of them loses it.
      expect(
        await store.orders.save(key("open"), "p1", { changes: { state: "decided" }, release: true }),
      ).toBe(false);
      expect(await store.orders.get({ tenant: OTHER_TENANT, orderId: "open" })).toMatchObject({
        state: "received",
      });
    });

    describe("that come back", () => {
      const key = (orderId: string) => ({ tenant: TENANT, orderId });
      const HELD = { step: "hold", state: "done", detail: "", memory: {}, atMs: T0 + 4 } as const;
      const save = (orderId: string, { changes, step }: Pick<OrderTransition, "changes" | "step">) =>
        store.orders.save(key(orderId), "p1", { changes, ...(step && { step }), release: true });

      it("find their held orders in review again, and no others", async () => {
        await install();
        for (const orderId of ["held", "watched", "approved", "unchecked", "open", "released"])
          await store.orders.receive(order(orderId), entry("received"));
        await store.orders.claim(claim("p1"));
        const review = { state: "review", holdDeadlineMs: T0 + 9 } as const;
        await save("held", { changes: { ...review, ...decided("hold", T0 + 3) }, step: HELD });
        // Held by the previous decision; shadow mode left it in place.
        await save("watched", { changes: { ...review, ...decided("allow", T0 + 5) }, step: HELD });
        const approval = decided("allow", T0 + 5, "person");
        await save("approved", { changes: { state: "decided", ...approval }, step: HELD });
        await save("unchecked", { changes: { state: "waiting" }, step: HELD });
        await save("open", { changes: { state: "decided", ...decided("hold", T0 + 3) } });
        await save("released", { changes: { state: "decided", ...decided("allow", T0 + 5) }, step: HELD });
        await store.orders.claim(claim("p1", { nowMs: T0 + 5 }));
        await save("released", {
          changes: { state: "enforcing" },
          step: { ...HELD, step: "release", atMs: T0 + 6 },
        });
        await store.tenants.uninstall(TENANT, T0 + 7, entry("uninstalled", T0 + 7));

        await install("s2", T0 + 10);

        const states = { held: "review", watched: "review", approved: "decided", unchecked: "received" };
        for (const [orderId, state] of Object.entries(states))
          expect(await store.orders.get(key(orderId))).toMatchObject({
            state,
            dueAtMs: T0 + 10,
            holdDeadlineMs: null,
          });
        for (const orderId of ["open", "released"])
          expect(await store.orders.get(key(orderId))).toMatchObject({ state: "settled", dueAtMs: null });
        expect((await store.orders.listTimeline(key("held"))).map(({ kind }) => kind)).toEqual([
          "received",
          "uninstalled",
          "review",
        ]);
      });

      it("have new undecided orders checked, but not old, ended or erased ones", async () => {
        const dayMs = 24 * 60 * MINUTE_MS;
        await install();
        await store.orders.receive(order("old", { receivedAtMs: T0 - dayMs }), entry("received", T0 - dayMs));
        for (const orderId of ["new", "ended", "erased"])
          await store.orders.receive(order(orderId, { receivedAtMs: T0 + 20 }), entry("received", T0 + 20));
        await store.orders.end(key("ended"), "shopify", T0 + 30, entry("cancelled-on-platform", T0 + 30));
        await store.tenants.uninstall(TENANT, T0 + 30, entry("uninstalled", T0 + 30));
        const erased = { tenant: TENANT, orderIds: ["erased"], customerId: undefined, email: undefined };
        await store.retention.eraseOrders(erased, entry("erased", T0 + 31));

        await install("s2", T0 + 40);

        expect(await store.orders.get(key("new"))).toMatchObject({ state: "received", dueAtMs: T0 + 40 });
        expect((await store.orders.listTimeline(key("new"))).at(-1)).toMatchObject({
          event: { kind: "ready" },
        });
        for (const orderId of ["old", "ended", "erased"])
          expect(await store.orders.get(key(orderId))).toMatchObject({ state: "settled", dueAtMs: null });

        await store.tenants.uninstall(TENANT, T0 + 50, entry("uninstalled", T0 + 50));
        await install("s3", T0 + 50 + dayMs);
        expect(await store.orders.get(key("new")), "a day later").toMatchObject({ state: "settled" });
      });

      it("find what was at rest and due for another look, which waits until then", async () => {
        await install();
        for (const orderId of ["guess", "news", "checked"])
          await store.orders.receive(order(orderId), entry("received"));
        await store.orders.claim(claim("p1"));
        const { decision: answer, decidedAtMs } = decided("allow", T0 + 1);
        const guess = { ...answer, degraded: true };
        const settled = { state: "settled", settledAtMs: T0 + 1, decidedAtMs, dueAtMs: T0 + 9 } as const;
        await save("guess", { changes: { ...settled, decision: guess } });
        const reread = { seenMs: null, nextMs: T0 + 9 };
        await save("news", { changes: { ...settled, decision: answer, reread } });
        await save("checked", { changes: { ...settled, decision: answer, dueAtMs: null } });

        await store.tenants.uninstall(TENANT, T0 + 2, entry("uninstalled", T0 + 2));
        expect(await store.orders.reread(key("guess"), T0 + 3), "a webhook that comes late").toBe(false);
        expect(await store.orders.nextDueAtMs()).toBeNull();

        await install("s2", T0 + 20);
        for (const orderId of ["guess", "news"]) {
          const resumed = { state: "settled", settledAtMs: T0 + 1, dueAtMs: T0 + 20 };
          expect(await store.orders.get(key(orderId))).toMatchObject(resumed);
          expect(await store.orders.listTimeline(key(orderId))).toHaveLength(1);
        }
        expect(await store.orders.get(key("checked"))).toMatchObject({ state: "settled", dueAtMs: null });
      });
    });

    it("ignore an uninstall from before their latest installation", async () => {
      await install("s1", T0 + 5);
      await store.orders.receive(order("1"), entry("received"));

      const answer = await store.tenants.uninstall(TENANT, T0 + 4, entry("uninstalled"));

      expect(answer).toBe("installed-again");
      expect(await store.tenants.loadCredential(TENANT)).toBe("s1");
      expect(await store.orders.get({ tenant: TENANT, orderId: "1" })).toMatchObject({ state: "received" });
    });

    it("store nothing for a tenant that leaves without having been there, or a second time", async () => {
      expect(await store.tenants.uninstall(TENANT, T0, entry("uninstalled"))).toBe("not-installed");
      expect(await store.tenants.get(TENANT)).toBeNull();

      await install();
      await store.tenants.uninstall(TENANT, T0 + 1, entry("uninstalled"));
      expect(await store.tenants.uninstall(TENANT, T0 + 2, entry("uninstalled"))).toBe("not-installed");
      expect(await store.tenants.get(TENANT)).toMatchObject({ uninstalledAtMs: T0 + 1 });

      await install("s1", T0 + 3);
      expect(await store.tenants.get(TENANT)).toMatchObject({ state: "installed", installedAtMs: T0 + 3 });
    });

    it("give a named lease to one owner at a time", async () => {
      const owners = Array.from({ length: 20 }, (_, index) => `p${index}`);
      const answers = await Promise.all(
        owners.map((owner) => store.leases.acquire("sweep", owner, T0, T0 + MINUTE_MS)),
      );

      expect(answers.filter(Boolean)).toHaveLength(1);
      const owner = owners[answers.indexOf(true)] ?? "";
      expect(await store.leases.acquire("other", "p99", T0, T0 + MINUTE_MS)).toBe(true);
      expect(await store.leases.acquire("sweep", owner, T0 + 1, T0 + 2 * MINUTE_MS)).toBe(true);
      expect(await store.leases.acquire("sweep", "p99", T0 + 2 * MINUTE_MS - 1, T0 + 9 * MINUTE_MS)).toBe(
        false,
      );
      expect(await store.leases.acquire("sweep", "p99", T0 + 2 * MINUTE_MS, T0 + 9 * MINUTE_MS)).toBe(true);
    });

    it("reassign a lease that only a clock far ahead can have taken", async () => {
      const [hourMs, dayMs] = [60 * MINUTE_MS, 24 * 60 * MINUTE_MS];
      await store.leases.acquire("sweep", "ahead", T0 + dayMs, T0 + dayMs + MINUTE_MS);
      await store.leases.acquire("long", "p1", T0, T0 + hourMs);

      expect(await store.leases.acquire("sweep", "p2", T0, T0 + MINUTE_MS)).toBe(true);
      expect(await store.leases.acquire("sweep", "p3", T0, T0 + MINUTE_MS)).toBe(false);
      expect(await store.leases.acquire("long", "p2", T0, T0 + 1)).toBe(false);
    });

    it("release a named lease for its owner only", async () => {
      await store.leases.acquire("sweep", "p1", T0, T0 + MINUTE_MS);

      await store.leases.release("sweep", "p2");
      expect(await store.leases.acquire("sweep", "p2", T0, T0 + MINUTE_MS)).toBe(false);

      await store.leases.release("sweep", "p1");
      expect(await store.leases.acquire("sweep", "p2", T0, T0 + MINUTE_MS)).toBe(true);
    });

    it("store every version of a policy and return the newest", async () => {
      expect(await store.policies.load(TENANT)).toBeNull();

      expect(await store.policies.save(TENANT, { mode: "shadow" }, 0, T0)).toEqual({
        version: 1,
        document: { mode: "shadow" },
        savedAtMs: T0,
      });
      await store.policies.save(TENANT, { mode: "active" }, 1, T0 + 1);

      expect(await store.policies.load(TENANT)).toEqual({
        version: 2,
        document: { mode: "active" },
        savedAtMs: T0 + 1,
      });
      expect(await store.policies.load(OTHER_TENANT)).toBeNull();
    });

    it("refuse to save over a version that the caller hasn't seen", async () => {
      const saves = await Promise.all(
        Array.from({ length: 10 }, (_, index) => store.policies.save(TENANT, { index }, 0, T0)),
      );

      expect(saves.filter((saved) => saved !== null)).toHaveLength(1);
      expect(await store.policies.save(TENANT, {}, 5, T0)).toBeNull();
      expect(await store.policies.save(TENANT, {}, undefined, T0)).toMatchObject({ version: 2 });
    });

    it("store reports for their tenant, newest first", async () => {
      await store.reports.save(TENANT, "r1", "one", T0);
      await store.reports.save(TENANT, "r2", "two", T0 + 1);
      await store.reports.save(OTHER_TENANT, "r1", "theirs", T0);
      await store.reports.save(TENANT, "r1", "one again", T0 + 2);

      expect(await store.reports.list(TENANT)).toEqual([
        { requestId: "r1", savedAtMs: T0 + 2 },
        { requestId: "r2", savedAtMs: T0 + 1 },
      ]);
      expect(await store.reports.get(TENANT, "r1")).toBe("one again");
      expect(await store.reports.get(TENANT, "none")).toBeNull();
    });

    it("give out a quota's places once each, let a key through again, and free them with time", async () => {
      const take = (key: string, nowMs = T0) =>
        store.ledger.takeQuota({
          tenant: TENANT,
          name: "cancel",
          key,
          sinceMs: nowMs - 60 * MINUTE_MS,
          max: 2,
          nowMs,
        });

      const taken = await Promise.all(["1", "2", "3", "4"].map((key) => take(key)));
      expect(taken.filter(Boolean)).toHaveLength(2);
      const winner = String(taken.indexOf(true) + 1);
      expect(await take(winner)).toBe(true);
      expect(await take("5")).toBe(false);

      expect(await take("5", T0 + 61 * MINUTE_MS)).toBe(true);
      expect(
        await store.ledger.takeQuota({
          tenant: OTHER_TENANT,
          name: "cancel",
          key: "1",
          sinceMs: 0,
          max: 1,
          nowMs: T0,
        }),
      ).toBe(true);
    });

    it("don't count a quota's place that only a clock far ahead can have taken", async () => {
      const dayMs = 24 * 60 * MINUTE_MS;
      const take = (key: string, nowMs: number) =>
        store.ledger.takeQuota({
          tenant: TENANT,
          name: "cancel",
          key,
          sinceMs: nowMs - 60 * MINUTE_MS,
          max: 1,
          nowMs,
        });
      expect(await take("1", T0 + dayMs)).toBe(true);

      expect(await take("2", T0)).toBe(true);
      expect(await take("3", T0 + MINUTE_MS)).toBe(false);
      expect(await take("4", T0 - 30 * MINUTE_MS), "a clock that differs a little").toBe(false);
    });

    it("count what was received before a moment and isn't decided", async () => {
      await store.deliveries.save([delivery("a")]);
      await store.orders.receive(order("1"), entry("received"));

      expect(await store.retention.countUndecided(TENANT, T0 + 1)).toBe(2);
      expect(await store.retention.countUndecided(TENANT, T0)).toBe(0);
      expect(await store.retention.countUndecided(OTHER_TENANT, T0 + 1)).toBe(0);

      await store.orders.claim(claim("p1"));
      const changes = { state: "waiting", decision: decision(), dueAtMs: T0 + 9 } as const;
      await store.orders.save({ tenant: TENANT, orderId: "1" }, "p1", { changes, release: true });
      expect(await store.retention.countUndecided(TENANT, T0 + 1)).toBe(1);
    });
  });
}
