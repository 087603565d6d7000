import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toStoredFacts, toOrderFacts } from "../../src/policy/order-facts.ts";
import type { ObservedOutcome } from "../../src/store/outcomes/outcomes.ts";
import type { DecidedContent, DecidedOrder } from "../../src/store/figures/replay-source.ts";
import type { NewOrder, OrderChanges, Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import {
  attempt,
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
  RETENTION_LIMITS,
} from "./samples.ts";

const DAY_MS = 86_400_000;
const WINDOW = { sinceMs: T0 - DAY_MS, untilMs: T0 + DAY_MS };
const sample = mapped();
const FACTS = toStoredFacts(toOrderFacts(sample.outcome === "screenable" ? sample.request : sample.known));

export function describeReplay(open: OpenStore): void {
  let store: Store;

  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  async function keep(orderId: string, changes: Partial<NewOrder> = {}, decided: OrderChanges | null = {}) {
    const received = order(orderId, changes);
    await store.orders.receive(received, entry("received"));
    if (decided === null) return;
    await store.orders.claim(claim("p1", { nowMs: T0 + DAY_MS, limit: 1_000 }));
    await store.orders.save(received, "p1", {
      changes: { state: "settled", dueAtMs: null, decision: decision(), facts: FACTS, ...decided },
      release: true,
    });
  }

  async function listAll(content: DecidedContent = "none", limit = 2, tenant = TENANT) {
    const found: DecidedOrder[] = [];
    let after = null;
    do {
      const page = await store.figures.listDecided(tenant, { ...WINDOW, content, limit, after });
      found.push(...page.orders);
      after = page.next;
    } while (after !== null);
    return found;
  }

  describe("decided orders", () => {
    it("come page by page, newest first, without gaps or repeats, even with equal times", async () => {
      for (const orderId of ["a", "b", "c", "d"]) await keep(orderId);
      await keep("newer", { receivedAtMs: T0 + 1 });

      expect((await listAll()).map(({ orderId }) => orderId)).toEqual(["newer", "d", "c", "b", "a"]);
    });

    it("belong to the tenant, the window and one platform only", async () => {
      await keep("in");
      await keep("undecided", {}, null);
      await keep("first", { receivedAtMs: WINDOW.sinceMs });
      await keep("early", { receivedAtMs: WINDOW.sinceMs - 1 });
      await keep("late", { receivedAtMs: WINDOW.untilMs });
      await keep("made-up", { platform: "sandbox", effects: "none" });
      await keep("other", { tenant: OTHER_TENANT });

      expect((await listAll()).map(({ orderId }) => orderId)).toEqual(["in", "first"]);
      expect(await store.figures.countReceived(TENANT, WINDOW)).toEqual({ orders: 3, decided: 2 });
      expect(await store.figures.countReceived("shopify:nobody.example", WINDOW)).toEqual({
        orders: 0,
        decided: 0,
      });
    });

    it("are decrypted only as far as requested", async () => {
      await keep("1");

      expect(await listAll("none")).toMatchObject([
        { name: "#1", amount: 19.99, currency: "USD", decision: decision(), facts: null, mapped: null },
      ]);
      expect(await listAll("facts")).toMatchObject([{ facts: { amount: 19.99 }, mapped: null }]);
      expect(await listAll("all")).toMatchObject([{ facts: { amount: 19.99 }, mapped: mapped() }]);
    });

    it("keep their facts if their content was erased by age, but not if it was erased on request", async () => {
      await keep("1");
      await store.retention.eraseAged(
        "order-content",
        { ...RETENTION_LIMITS, contentBeforeMs: T0 + 1 },
        null,
      );
      for (const content of ["facts", "all"] as const) {
        expect(await listAll(content)).toMatchObject([
          { facts: { amount: 19.99, shippingCountry: "us" }, mapped: null },
        ]);
      }

      const request = { tenant: TENANT, orderIds: ["1"], customerId: undefined, email: undefined };
      await store.retention.eraseOrders(request, entry("erased"));
      expect(await listAll("all")).toMatchObject([{ facts: null, mapped: null }]);
    });
  });

  describe("credits of a window", () => {
    it("match the ledger and the savings", async () => {
      for (const [fingerprint, nowMs] of [
        ["f1", T0],
        ["f2", T0 - 2 * DAY_MS],
        ["f3", T0 + 1],
      ] as const) {
        const grant = await store.ledger.begin(attempt(fingerprint, { nowMs }));
        if (grant.outcome !== "granted") throw new Error(grant.outcome);
        const end =
          fingerprint === "f3"
            ? ({ state: "failed", metered: "no", error: "VERIFICATION_TIMEOUT" } as const)
            : ({ state: "answered", result: result() } as const);
        await store.ledger.finish(grant.attemptId, end, nowMs + 1);
      }
      await store.ledger.recordSaving(TENANT, "cached", 3, T0);
      await store.ledger.recordSaving(TENANT, "skipped", 2, T0 - 2 * DAY_MS);
      await store.ledger.recordSaving(OTHER_TENANT, "cached", 9, T0);

      expect(await store.figures.creditsBetween(TENANT, WINDOW)).toEqual({ spent: 1, saved: 3 });
      expect(await store.figures.creditsBetween(OTHER_TENANT, WINDOW)).toEqual({ spent: 0, saved: 9 });
    });
  });

  describe("versions of a policy", () => {
    it("are listed newest first, each unchanged", async () => {
      expect(await store.policies.list(TENANT, { before: null, limit: 5 })).toEqual([]);
      await store.policies.save(TENANT, { mode: "shadow" }, undefined, T0, "person:7");
      await store.policies.save(TENANT, {}, undefined, T0 + 1);
      await store.policies.save(OTHER_TENANT, { mode: "active" }, undefined, T0);

      const second = { version: 2, savedAtMs: T0 + 1, actor: null };
      const first = { version: 1, savedAtMs: T0, actor: "person:7" };
      expect(await store.policies.list(TENANT, { before: null, limit: 5 })).toEqual([second, first]);
      expect(await store.policies.list(TENANT, { before: null, limit: 1 })).toEqual([second]);
      expect(await store.policies.list(TENANT, { before: 2, limit: 5 })).toEqual([first]);
      expect(await store.policies.get(TENANT, 1)).toEqual({ ...first, document: { mode: "shadow" } });
      expect(await store.policies.get(OTHER_TENANT, 2)).toBeNull();
    });
  });

  describe("outcomes", () => {
    const seen = (changes: Partial<ObservedOutcome> = {}): ObservedOutcome => {
      return {
        observedAtMs: T0,
        known: true,
        cancelled: false,
        shipped: true,
        platformRisk: "accept",
        ...changes,
      };
    };
    const look = (changes: object = {}) =>
      store.outcomes.findUnobserved(TENANT, {
        fromMs: T0 - DAY_MS,
        untilMs: T0,
        ageMs: DAY_MS,
        limit: 10,
        ...changes,
      });

    it("are looked up for orders that were to be held or canceled, oldest first", async () => {
      await keep("hold");
      await keep("cancel", { receivedAtMs: T0 - MINUTE_MS }, { decision: decision({ action: "cancel" }) });
      await keep("tag", {}, { decision: decision({ action: "tag" }) });
      await keep("late", { receivedAtMs: T0 + 1 });
      await keep("old", { receivedAtMs: T0 - DAY_MS - 1 });
      await keep("made-up", { platform: "sandbox", effects: "none" });
      await keep("other", { tenant: OTHER_TENANT });

      expect(await look()).toEqual([
        { orderId: "cancel", receivedAtMs: T0 - MINUTE_MS },
        { orderId: "hold", receivedAtMs: T0 },
      ]);
      expect(await look({ limit: 1 })).toHaveLength(1);
    });

    it("are looked up again at another age", async () => {
      await keep("1");
      await store.outcomes.save({ tenant: TENANT, orderId: "1" }, seen({ observedAtMs: T0 + DAY_MS - 1 }));
      expect(await look()).toHaveLength(1);
      await store.outcomes.save({ tenant: TENANT, orderId: "1" }, seen({ observedAtMs: T0 + DAY_MS }));
      expect(await look()).toEqual([]);
      expect(await look({ ageMs: 14 * DAY_MS })).toHaveLength(1);
    });

    it("include how the order ended according to the timeline, as of the last lookup", async () => {
      for (const orderId of ["1", "2", "3"]) await keep(orderId);
      await store.orders.end({ tenant: TENANT, orderId: "1" }, "shopify", T0, entry("cancelled-on-platform"));
      await store.outcomes.save({ tenant: TENANT, orderId: "2" }, seen());
      await store.outcomes.save(
        { tenant: TENANT, orderId: "2" },
        seen({ cancelled: true, observedAtMs: T0 + 1 }),
      );

      const traces = await store.outcomes.loadTraces(TENANT, ["1", "2", "3", "4"]);

      expect(Object.fromEntries(traces)).toEqual({
        1: {
          events: [{ kind: "cancelled-on-platform", event: { kind: "cancelled-on-platform" } }],
          observed: null,
          disputes: [],
        },
        2: { events: [], observed: seen({ cancelled: true, observedAtMs: T0 + 1 }), disputes: [] },
      });
      expect(await store.outcomes.loadTraces(OTHER_TENANT, ["1", "2"])).toEqual(new Map());
      expect(await store.outcomes.loadTraces(TENANT, [])).toEqual(new Map());
    });

    it("aren't stored for an order that is gone, and are deleted with their tenant", async () => {
      const key = { tenant: TENANT, orderId: "1" };
      await store.outcomes.save(key, seen());
      expect(await store.outcomes.loadTraces(TENANT, ["1"])).toEqual(new Map());

      await keep("1");
      await store.outcomes.save(key, seen());
      await store.retention.eraseTenant(TENANT);
      await keep("1");
      expect(await store.outcomes.loadTraces(TENANT, ["1"])).toEqual(new Map());
    });

    it("are deleted with their order when it gets too old", async () => {
      const received = { receivedAtMs: T0 - 91 * DAY_MS };
      await keep("1", received);
      const key = { tenant: TENANT, orderId: "1" };
      await store.outcomes.save(key, seen());
      await store.retention.eraseAged("order-content", RETENTION_LIMITS, null);
      expect(await store.retention.eraseAged("orders", RETENTION_LIMITS, null)).toMatchObject({ erased: 1 });

      await keep("1", received);
      expect(await store.outcomes.loadTraces(TENANT, ["1"])).toEqual(new Map());
    });
  });
}
