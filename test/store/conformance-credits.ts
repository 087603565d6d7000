import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RETENTION_STEPS } from "../../src/store/retention/retention.ts";
import type { AttemptRequest, Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { attempt, entry, MINUTE_MS, order, result, T0, TENANT } from "./samples.ts";

const DAY_MS = 86_400_000;
const { dayStartMs, monthStartMs } = attempt("").budget;
const UNBILLED = { state: "failed", metered: "no", error: "VERIFICATION_UNREACHABLE" } as const;

/** The count of credits, which a call's caps rest on, is the ledger's at every moment. */
export function describeCredits(open: OpenStore): void {
  describe("the count of credits", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const begin = (fingerprint: string, changes: Partial<AttemptRequest> = {}) =>
      store.ledger.begin(attempt(fingerprint, changes));
    async function call(fingerprint: string, nowMs: number, changes: Partial<AttemptRequest> = {}) {
      const granted = await begin(fingerprint, { nowMs, ...changes });
      if (granted.outcome !== "granted") throw new Error(`not granted but ${granted.outcome}`);
      return granted.attemptId;
    }
    /** The counts of the day and month, after they were compared with the ledger, counted call by call. */
    async function count() {
      const untilMs = Number.MAX_SAFE_INTEGER;
      const { spentToday, spentMonth } = await store.ledger.creditUse(TENANT, { dayStartMs, monthStartMs });
      const ofDay = await store.figures.creditsBetween(TENANT, { sinceMs: dayStartMs, untilMs });
      const ofMonth = await store.figures.creditsBetween(TENANT, { sinceMs: monthStartMs, untilMs });
      expect({ spentToday, spentMonth }).toEqual({ spentToday: ofDay.spent, spentMonth: ofMonth.spent });
      return [spentToday, spentMonth];
    }

    it("agrees with the ledger however and whenever calls end", async () => {
      const moments = [monthStartMs - 1, monthStartMs, dayStartMs - 1, dayStartMs, T0];
      const ids = new Map<string, string>();
      for (const [index, atMs] of moments.entries())
        for (const end of ["answered", "unbilled", "billed", "unknown", "open"])
          ids.set(`${end}-${index}`, await call(`${end}-${index}`, atMs));
      expect(await count()).toEqual([10, 20]);

      for (const [name, id] of ids) {
        if (name.startsWith("answered"))
          await store.ledger.finish(id, { state: "answered", result: result() }, T0);
        if (name.startsWith("unbilled")) await store.ledger.finish(id, UNBILLED, T0);
        if (name.startsWith("billed")) await store.ledger.finish(id, { ...UNBILLED, metered: "yes" }, T0);
        if (name.startsWith("unknown"))
          await store.ledger.finish(id, { ...UNBILLED, metered: "unknown" }, T0);
      }
      expect(await count()).toEqual([8, 16]);

      const braked = { burst: { limit: 0, atMs: T0, sources: ["ip:a"] } };
      expect(await begin("braked", braked)).toMatchObject({ outcome: "braked" });
      expect(await count()).toEqual([8, 16]);
    });

    it("gives the credit of an earlier day back when its lost call turns out not to be billed", async () => {
      const budget = { ...attempt("").budget, monthly: 1 };
      const lost = await call("lost", dayStartMs - 1, { budget });
      const next = { nowMs: T0, budget };
      expect(await begin("lost", { ...next, maxPaidAttempts: 1 })).toMatchObject({ outcome: "exhausted" });
      expect(await begin("other", next)).toMatchObject({ outcome: "over-budget", cap: "monthly" });

      await store.ledger.finish(lost, UNBILLED, T0);

      expect(await count()).toEqual([0, 0]);
      expect(await begin("other", next)).toMatchObject({ outcome: "granted" });
      expect(await begin("third", next)).toMatchObject({ outcome: "over-budget", cap: "monthly" });
    });

    it("holds to the last credit when calls begin and end at once", async () => {
      const budget = { ...attempt("").budget, daily: 20, monthly: 20 };
      const outcomes = await Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          const granted = await begin(`fp-${index}`, { budget });
          const isUnbilled = granted.outcome === "granted" && index % 3 === 0;
          if (isUnbilled) await store.ledger.finish(granted.attemptId, UNBILLED, T0);
          return isUnbilled ? "unbilled" : granted.outcome;
        }),
      );

      const spent = outcomes.filter((outcome) => outcome === "granted").length;
      expect(spent).toBeLessThanOrEqual(20);
      expect(await count()).toEqual([spent, spent]);
      for (let index = spent; index < 20; index += 1) await call(`rest-${index}`, T0, { budget });
      expect(await begin("one more", { budget })).toMatchObject({ outcome: "over-budget" });
    });

    it("keeps an erased order's credits, and drops those of an erased tenant or of a former month", async () => {
      await store.orders.receive(order("1"), entry("received"));
      await store.ledger.finish(
        await call("1", T0, { orderId: "1" }),
        { state: "answered", result: result() },
        T0,
      );
      await call("former", monthStartMs - 1);
      await store.retention.eraseOrders(
        { tenant: TENANT, orderIds: ["1"], customerId: undefined, email: undefined },
        entry("erased"),
      );
      expect(await count()).toEqual([1, 1]);

      const beforeMs = T0 - 365 * DAY_MS;
      const limits = {
        nowMs: T0,
        contentBeforeMs: beforeMs,
        deliveriesBeforeMs: beforeMs,
        awaitingBeforeMs: beforeMs,
        ordersBeforeMs: beforeMs,
        ledgerBeforeMs: monthStartMs,
        quotasBeforeMs: beforeMs,
        passingBeforeMs: beforeMs,
        circuitsBeforeMs: beforeMs,
        entry: entry("erased"),
      };
      for (const step of RETENTION_STEPS) await store.retention.eraseAged(step, limits, null);
      const all = { dayStartMs: 0, monthStartMs: 0 };
      expect(await store.ledger.creditUse(TENANT, all)).toMatchObject({ spentMonth: 1 });
      expect(await count()).toEqual([1, 1]);

      await store.retention.eraseTenant(TENANT);
      expect(await store.ledger.creditUse(TENANT, all)).toMatchObject({ spentMonth: 0 });
      const budget = { ...attempt("").budget, monthly: 1 };
      expect(await begin("fresh", { budget, nowMs: T0 + MINUTE_MS })).toMatchObject({ outcome: "granted" });
      expect(await count()).toEqual([1, 1]);
    });
  });
}
