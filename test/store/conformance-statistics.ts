import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { NewOrder, OrderChanges, OrderFilter, Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { claim, decision, delivery, entry, MINUTE_MS, order, OTHER_TENANT, T0, TENANT } from "./samples.ts";

const DAY_MS = 86_400_000;
const TODAY = Math.floor(T0 / DAY_MS);
const WINDOW = { sinceMs: T0 - 2 * DAY_MS, untilMs: T0 + DAY_MS };
const SANDBOX = { platform: "sandbox", effects: "none" } as const;

/** The figures behind the overview. */
export function describeStatistics(open: OpenStore): void {
  describe("statistics", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    /** An order that was decided `afterMs` after it was received. */
    async function decided(
      orderId: string,
      received: Partial<NewOrder> = {},
      changes: OrderChanges = {},
      afterMs = 1_000,
    ): Promise<void> {
      const given = order(orderId, received);
      const { tenant, receivedAtMs } = given;
      await store.orders.receive(given, entry("received", receivedAtMs));
      const claimed = await store.orders.claim(claim("p1", { nowMs: receivedAtMs + MINUTE_MS }));
      expect(claimed.map((one) => one.orderId)).toEqual([orderId]);
      const done = { state: "settled", dueAtMs: null, decision: decision(), ...changes } as const;
      const decidedAtMs = receivedAtMs + afterMs;
      await store.orders.save({ tenant, orderId }, "p1", {
        changes: { ...done, decidedAtMs },
        release: true,
      });
    }

    it("tally days by level, action and who decided, without the sandbox and other tenants", async () => {
      const degraded = { decision: decision({ action: "hold", degraded: true, source: "local" }) };
      await decided("early", { receivedAtMs: T0 - 3 * DAY_MS });
      await decided("a", { receivedAtMs: T0 - DAY_MS });
      await decided("b", { receivedAtMs: T0 - DAY_MS + 1 });
      await decided("c", {}, degraded);
      await decided("d", {}, { decision: decision({ riskLevel: null, riskScore: null, action: "allow" }) });
      await decided("sandbox-1", SANDBOX);
      await decided("other", { tenant: OTHER_TENANT });
      await store.orders.receive(order("undecided"), entry("received"));

      const tallies = await store.figures.tallyDays(TENANT, WINDOW);

      const { riskLevel: level, action } = decision();
      expect(tallies).toHaveLength(4);
      expect(tallies).toEqual(
        expect.arrayContaining([
          { day: TODAY - 1, level, action, degraded: false, orders: 2 },
          { day: TODAY, level, action: "hold", degraded: true, orders: 1 },
          { day: TODAY, level: null, action: "allow", degraded: false, orders: 1 },
          { day: TODAY, level: null, action: null, degraded: false, orders: 1 },
        ]),
      );
    });

    it("count sold orders: without imported ones and the sandbox, and without cancels that were carried out", async () => {
      const cancel = { decision: decision({ action: "cancel" }) };
      await decided("sold");
      await decided("imported", { effects: "record" });
      await decided("sandbox-1", SANDBOX);
      await decided("other", { tenant: OTHER_TENANT });
      await decided("only decided", {}, cancel);
      for (const [orderId, state] of [
        ["canceled", "done"],
        ["shipped", "impossible"],
      ] as const) {
        await decided(orderId, {}, { ...cancel, state: "enforcing", dueAtMs: T0 });
        await store.orders.claim(claim("p2", { nowMs: T0 + 5 * MINUTE_MS }));
        const step = { step: "cancel", state, detail: "", memory: {}, atMs: T0 } as const;
        const changes = { state: "settled", dueAtMs: null } as const;
        await store.orders.save({ tenant: TENANT, orderId }, "p2", { changes, step, release: true });
      }
      expect(await store.figures.countSold(TENANT, WINDOW)).toBe(3);
    });

    it("count an order that was decided again by its last decision", async () => {
      await decided("a", {}, { decision: decision({ degraded: true }), state: "waiting", dueAtMs: T0 });
      await store.orders.claim(claim("p1", { nowMs: T0 + 2 * MINUTE_MS }));
      const changes = { decision: decision({ action: "hold" }), decidedAtMs: T0 + DAY_MS };
      await store.orders.save({ tenant: TENANT, orderId: "a" }, "p1", { changes, release: true });

      expect(await store.figures.tallyDays(TENANT, WINDOW)).toMatchObject([
        { action: "hold", degraded: false, orders: 1 },
      ]);
      expect(await store.figures.decisionTimes(TENANT, WINDOW)).toMatchObject({ p50Ms: 1_000, orders: 1 });
    });

    it("measure the time to the first decision exactly, for real orders only", async () => {
      expect(await store.figures.decisionTimes(TENANT, WINDOW)).toEqual({
        p50Ms: null,
        p99Ms: null,
        orders: 0,
      });
      for (let index = 1; index <= 100; index += 1) await decided(`o${index}`, {}, {}, index * 10);
      await decided("record", { effects: "record" }, {}, 900_000);
      await decided("sandbox-1", SANDBOX, {}, 900_000);
      await decided("other", { tenant: OTHER_TENANT }, {}, 900_000);
      await store.orders.receive(order("undecided"), entry("received"));

      expect(await store.figures.decisionTimes(TENANT, WINDOW)).toEqual({
        p50Ms: 500,
        p99Ms: 990,
        orders: 100,
      });
    });

    it("never report a negative time", async () => {
      await decided("a", {}, {}, -5_000);

      expect(await store.figures.decisionTimes(TENANT, WINDOW)).toEqual({ p50Ms: 0, p99Ms: 0, orders: 1 });
    });

    it("count what waits for a person, the way the queue lists it", async () => {
      const held = (holdDeadlineMs: number | null) => ({ state: "review", holdDeadlineMs }) as const;
      const soonMs = T0 + 10 * MINUTE_MS;
      await decided("overdue", {}, held(T0));
      await decided("soon", {}, { ...held(T0 + 1), decision: decision({ degraded: true }) });
      await decided("later", {}, held(soonMs + 1));
      await decided("unlimited", {}, held(null));
      await decided("failed", {}, { state: "failed" });
      await decided("unheld", {}, { state: "waiting", decision: decision({ action: "hold" }) });
      await decided("untagged", {}, { state: "waiting", decision: decision({ action: "tag" }) });
      await decided("settled");
      await decided("sandbox-1", SANDBOX, held(T0));
      await decided("other", { tenant: OTHER_TENANT }, held(T0));

      expect(await store.figures.queueFigures(TENANT, { nowMs: T0, soonMs })).toEqual({
        held: 5,
        failed: 1,
        waiting: 1,
        expiringSoon: 1,
        overdue: 2,
        degraded: 1,
      });
      const list = async (filter: Omit<OrderFilter, "limit" | "view">) => {
        const { orders } = await store.orders.list(TENANT, { view: "queue", limit: 50, ...filter });
        return orders.map(({ orderId }) => orderId).toSorted();
      };
      expect(await list({})).toHaveLength(7);
      expect(await list({ state: "waiting" })).toEqual(["unheld"]);
      expect(await list({ state: "review" })).toHaveLength(5);
      expect(await list({ held: { afterMs: T0, untilMs: soonMs } })).toEqual(["soon"]);
      expect(await list({ held: { afterMs: -1, untilMs: T0 } })).toEqual(["overdue", "sandbox-1"]);
      expect(await list({ degraded: true })).toEqual(["soon"]);
    });

    it("say whether orders, and sandbox orders, were ever decided", async () => {
      await store.orders.receive(order("undecided"), entry("received"));
      expect(await store.figures.findDecided(TENANT)).toEqual({ real: false, sandbox: false });
      await store.orders.end(
        { tenant: TENANT, orderId: "undecided" },
        "shopify",
        T0,
        entry("cancelled-on-platform"),
      );

      await decided("sandbox-1", SANDBOX);
      expect(await store.figures.findDecided(TENANT)).toEqual({ real: false, sandbox: true });

      await decided("a");
      expect(await store.figures.findDecided(TENANT)).toEqual({ real: true, sandbox: true });
      expect(await store.figures.findDecided(OTHER_TENANT)).toEqual({ real: false, sandbox: false });
    });

    it("report a tenant's unfinished work, and since when", async () => {
      await decided("done");
      expect(await store.figures.backlog(TENANT)).toEqual({ pending: 0, oldestReceivedAtMs: null });
      await store.orders.receive(order("a", { receivedAtMs: T0 + 5 }), entry("received"));
      await store.orders.receive(
        order("b", { receivedAtMs: T0 + 7, tenant: OTHER_TENANT }),
        entry("received"),
      );
      await store.deliveries.save([delivery("d", { receivedAtMs: T0 + 3 })]);

      expect(await store.figures.backlog(TENANT)).toEqual({ pending: 2, oldestReceivedAtMs: T0 + 3 });
      expect(await store.figures.backlog(OTHER_TENANT)).toEqual({ pending: 1, oldestReceivedAtMs: T0 + 7 });
    });
  });
}
