import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseAction } from "../../src/policy/choose-action.ts";
import { toCheckFacts } from "../../src/policy/check-facts.ts";
import { toOrderFacts } from "../../src/policy/order-facts.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import type { OrderChanges, Store } from "../../src/store/store.ts";
import { anOrder } from "../support/orders.ts";
import {
  RETENTION_STEPS,
  type RetentionLimits,
  type RetentionStep,
} from "../../src/store/retention/retention.ts";
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
  RETENTION_LIMITS,
} from "./samples.ts";
import { someAtOnce } from "./some-at-once.ts";

const DAY_MS = 86_400_000;
const key = (orderId: string) => ({ tenant: TENANT, orderId });
const ERASED = entry("erased", T0);

export function describeRetention(open: OpenStore): void {
  describe("erasure by age", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    /** Runs every step to its end, or a single one; returns how many rows each erased. */
    async function erase(
      changes: Partial<RetentionLimits> = {},
      steps: readonly RetentionStep[] = RETENTION_STEPS,
    ) {
      const counts: Partial<Record<RetentionStep, number>> = {};
      for (const step of steps) {
        let from = null;
        do {
          const chunk = await store.retention.eraseAged(step, { ...RETENTION_LIMITS, ...changes }, from);
          if (chunk.erased > 0) counts[step] = (counts[step] ?? 0) + chunk.erased;
          from = chunk.next;
        } while (from !== null);
      }
      return counts;
    }

    async function keep(
      orderId: string,
      ageDays: number,
      changes: OrderChanges = {},
      tenant = TENANT,
    ): Promise<void> {
      const receivedAtMs = T0 - ageDays * DAY_MS;
      await store.orders.receive(
        order(orderId, { tenant, receivedAtMs, customerId: "c1", mapped: mapped(`${orderId}@shop.example`) }),
        entry("received", receivedAtMs),
      );
      await store.orders.claim(claim("p1", { limit: 1_000 }));
      await store.orders.save({ tenant, orderId }, "p1", {
        changes: {
          state: "settled",
          dueAtMs: null,
          result: result(),
          decision: decision(),
          decidedAtMs: receivedAtMs + 1,
          settledAtMs: receivedAtMs + 2,
          fingerprint: `fp-${orderId}`,
          ...changes,
        },
        step: { step: "tag", state: "done", detail: "added", memory: {}, atMs: receivedAtMs },
        release: true,
      });
    }

    async function call(
      fingerprint: string,
      ageDays: number,
      orderId?: string,
      tenant = TENANT,
      answer = result(),
    ): Promise<void> {
      const nowMs = T0 - ageDays * DAY_MS;
      const grant = await store.ledger.begin(attempt(fingerprint, { orderId, tenant, nowMs }));
      if (grant.outcome !== "granted") throw new Error(grant.outcome);
      await store.ledger.finish(grant.attemptId, { state: "answered", result: answer }, nowMs);
    }

    it("empties orders after the content period and keeps what isn't personal", async () => {
      await keep("old", 31);
      await keep("young", 29);
      await call("fp-old", 31, "old");

      expect(await erase()).toEqual({ "order-content": 1, "answer-content": 1 });

      expect(await store.orders.get(key("old"))).toMatchObject({
        name: "#old",
        state: "settled",
        mapped: null,
        result: null,
        customerId: null,
        problem: null,
        decision: decision(),
        fingerprint: "fp-old",
        amount: 19.99,
        creditsSpent: 1,
      });
      expect(await store.orders.listTimeline(key("old"))).toEqual([
        entry("received", T0 - 31 * DAY_MS),
        ERASED,
      ]);
      expect(await store.orders.listSteps(key("old"))).toHaveLength(1);
      expect(await store.orders.get(key("young"))).toMatchObject({ mapped: mapped("young@shop.example") });
      const listed = await store.orders.list(TENANT, { limit: 10, level: "high" });
      expect(listed.orders.map(({ orderId }) => orderId)).toEqual(["young", "old"]);
      expect(await erase()).toEqual({});
    });

    it("leaves nothing by which the customer could be found, since nothing is left to erase", async () => {
      await keep("old", 31);
      await erase();

      const wish = { tenant: TENANT, orderIds: [], customerId: "c1", email: "old@shop.example" };
      expect(await store.retention.findCustomerOrders(wish)).toEqual([]);
      expect(await store.retention.eraseOrders({ ...wish, orderIds: ["old"] }, ERASED)).toEqual([]);
    });

    it("waits for orders that aren't at rest, up to the hard limit", async () => {
      await keep("review", 89, { state: "review", dueAtMs: T0 + DAY_MS });
      await keep("waiting", 89, { state: "waiting", dueAtMs: T0 + DAY_MS });
      await keep("to-be-looked-at", 89, { dueAtMs: T0 + DAY_MS });
      await keep("forgotten", 91, { state: "review", dueAtMs: T0 + DAY_MS });

      expect(await erase()).toEqual({ "order-content": 1 });

      for (const orderId of ["review", "waiting", "to-be-looked-at"])
        expect((await store.orders.get(key(orderId)))?.mapped, orderId).not.toBeNull();
      // Its hold still has to be watched.
      expect(await store.orders.get(key("forgotten"))).toMatchObject({
        state: "review",
        mapped: null,
        dueAtMs: T0 + DAY_MS,
      });
    });

    it("keeps the content of a failed order until somebody has seen it", async () => {
      await keep("failed", 40, { state: "failed", problem: "cancel:already-fulfilled" });
      const see = (atMs: number, what: "order" | "data-request" = "order") =>
        store.accessLog.record(TENANT, { atMs, actor: "operator", what, subject: "failed" }, 1);
      await see(T0 - 40 * DAY_MS);
      await see(T0, "data-request");
      expect(await erase()).toEqual({});

      await see(T0 - DAY_MS);

      expect(await erase()).toEqual({ "order-content": 1 });
    });

    it("doesn't let a worker that had an order write its content back", async () => {
      await keep("busy", 91, { state: "waiting", dueAtMs: T0 });
      await store.orders.claim(claim("p2"));

      await erase();
      const saved = await store.orders.save(key("busy"), "p2", {
        changes: { mapped: mapped(), result: result() },
        release: true,
      });

      expect(saved).toBe("erased");
      expect(await store.orders.get(key("busy"))).toMatchObject({ mapped: null, result: null });
    });

    it("deletes orders at rest after their period, with all that belongs to them", async () => {
      await keep("old", 91);
      await keep("failed", 91, { state: "failed" });
      await keep("held", 91, { state: "review", dueAtMs: T0 + DAY_MS });
      await keep("theirs", 89, {}, OTHER_TENANT);

      expect(await erase()).toMatchObject({ orders: 2 });

      expect(await store.orders.get(key("old"))).toBeNull();
      expect(await store.orders.get(key("failed"))).toBeNull();
      expect(await store.orders.listTimeline(key("old"))).toEqual([]);
      expect(await store.orders.listSteps(key("old"))).toEqual([]);
      expect(await store.orders.get(key("held"))).toMatchObject({ state: "review" });
      expect(await store.orders.get({ tenant: OTHER_TENANT, orderId: "theirs" })).not.toBeNull();
      // As new as any other, if it really comes again.
      expect(await store.orders.receive(order("old"), entry("received"))).toBe(true);
    });

    it("lets a stored answer count for as long as orders are stored, without its texts", async () => {
      await call("fp-old", 31, "1");
      await call("fp-young", 29, "2");
      await call("fp-gone", 91, "3");
      await call("fp-basket", 31);

      expect(await erase()).toEqual({
        "answer-content": 3,
        answers: 1,
        attempts: 1,
        "credit-days": 1,
      });

      const find = async (fingerprint: string) =>
        (await store.ledger.findAnswer(TENANT, fingerprint, 0))?.result;
      expect(await find("fp-old")).toEqual({
        riskLevel: "high",
        riskScore: 70,
        riskFactors: [{ factor: "address", severity: "high", category: "address", description: "" }],
        reasoning: "",
        recommendations: [],
      });
      expect(await find("fp-young")).toEqual(result());
      expect(await find("fp-gone")).toBeUndefined();
      expect(await find("fp-basket")).toBeUndefined();
      expect(await store.ledger.begin(attempt("fp-old", { orderId: "1" }))).toMatchObject({
        outcome: "answered",
      });
    });

    it("decides the same by a stored answer's factors after its texts are erased", async () => {
      const description = "Jane Doe's address is far away [ADDRESS_FAR]";
      const factor = {
        factor: "Jane's address",
        severity: "high",
        description,
        category: "address",
      } as const;
      await call("fp", 31, "1", TENANT, { ...result(), riskFactors: [factor] });
      const decide = async (when: object, action: string) => {
        const answer = await store.ledger.findAnswer(TENANT, "fp", 0);
        const policy = parsePolicy({ rules: [{ name: "r", when, then: { action } }] });
        const seen = toCheckFacts(answer!.result.riskFactors, undefined);
        const facts = toOrderFacts(anOrder());
        const asked = { policy, policyVersion: 1, facts, seen, source: "cache", degraded: false } as const;
        return chooseAction({ ...asked, result: answer!.result }).causes?.rule ?? null;
      };
      const decideAll = async () => [
        await decide({ factor: "ADDRESS_FAR" }, "hold"),
        await decide({ factor: "address" }, "hold"),
        await decide({ not: { factor: "address" } }, "cancel"),
        await decide({ not: { factor: "ADDRESS_FAR" } }, "cancel"),
        await decide({ not: { factor: "technical" } }, "hold"),
      ];
      expect(await decideAll()).toEqual(["r", "r", null, null, "r"]);

      expect(await erase({}, ["answer-content"])).toEqual({ "answer-content": 1 });

      expect(JSON.stringify(await store.ledger.findAnswer(TENANT, "fp", 0))).not.toMatch(/Jane|far away/);
      expect(await decideAll()).toEqual(["r", "r", null, null, "r"]);
    });

    it("stores the texts of a new answer that replaces an emptied one", async () => {
      await call("fp", 100, "1");
      await erase({}, ["answer-content"]);
      const nowMs = T0 - 31 * DAY_MS;
      const grant = await store.ledger.begin(
        attempt("fp", { orderId: "1", nowMs, answersSinceMs: nowMs - DAY_MS }),
      );
      if (grant.outcome !== "granted") throw new Error(grant.outcome);
      await store.ledger.finish(grant.attemptId, { state: "answered", result: result() }, nowMs);
      expect((await store.ledger.findAnswer(TENANT, "fp", 0))?.result.reasoning).not.toBe("");

      expect(await erase({}, ["answer-content"])).toEqual({ "answer-content": 1 });

      expect((await store.ledger.findAnswer(TENANT, "fp", 0))?.result.reasoning).toBe("");
    });

    it("never changes what was spent and saved this month, or the credits of a stored order", async () => {
      await keep("held", 120, { state: "review", dueAtMs: T0 + DAY_MS });
      await call("fp-held", 120, "held");
      await call("fp-month", 15, "gone");
      await call("fp-older", 25, "gone");
      await store.ledger.recordSaving(TENANT, "cached", 3, T0 - 15 * DAY_MS);
      await store.ledger.recordSaving(TENANT, "cached", 5, T0 - 25 * DAY_MS);
      const monthStartMs = T0 - 19.5 * DAY_MS;
      const periods = { dayStartMs: T0 - DAY_MS / 2, monthStartMs };
      const before = await store.ledger.creditUse(TENANT, periods);
      expect(before).toMatchObject({ spentMonth: 1, savedMonth: 3 });
      const aDay = T0 - DAY_MS;

      const counts = await erase({
        contentBeforeMs: aDay,
        ordersBeforeMs: aDay,
        ledgerBeforeMs: monthStartMs,
      });

      expect(counts).toMatchObject({ attempts: 1, savings: 1 });
      expect(await store.ledger.creditUse(TENANT, periods)).toEqual(before);
      expect(await store.orders.get(key("held"))).toMatchObject({ creditsSpent: 1 });
    });

    it("deletes deliveries that waited too long for an installation", async () => {
      const receivedAtMs = T0 - 40 * DAY_MS;
      await store.deliveries.save([delivery("old", { receivedAtMs }), delivery("new")]);
      await store.deliveries.claim(claim("p1"));
      for (const deliveryId of ["old", "new"]) {
        await store.deliveries.awaitInstallation({ tenant: TENANT, deliveryId }, "p1");
      }

      // Only afterwards: it must not be deleted while it waits.
      expect(await erase({}, ["deliveries"])).toEqual({});
      expect(await erase()).toEqual({ "awaiting-deliveries": 1, deliveries: 1 });

      expect(await store.deliveries.countAwaiting(TENANT)).toEqual({ ofTenant: 1, inAll: 1 });
    });

    it("deletes finished deliveries that won't be repeated, and ends those that nobody could process", async () => {
      const at = (ageDays: number) => ({ receivedAtMs: T0 - ageDays * DAY_MS });
      await store.deliveries.save([delivery("done", at(31)), delivery("recent", at(29))]);
      await store.deliveries.claim(claim("p1"));
      for (const deliveryId of ["done", "recent"])
        await store.deliveries.finish({ tenant: TENANT, deliveryId }, "p1", "order-received");
      await store.deliveries.save([delivery("stuck", at(89)), delivery("lost", at(91))]);

      expect(await erase()).toEqual({ "stuck-deliveries": 1, deliveries: 2 });

      expect(await store.deliveries.save([delivery("recent"), delivery("done")])).toEqual([false, true]);
      const left = await store.deliveries.claim(claim("p2", { nowMs: T0 + MINUTE_MS }));
      expect(left.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(["done", "stuck"]);
    });

    it("leaves a delivery that waits on purpose, but not one that keeps failing or waits for months", async () => {
      const ages = { patient: 20, failing: 20, forgotten: 31 };
      await store.deliveries.save(
        Object.entries(ages).map(([id, days]) => delivery(id, { receivedAtMs: T0 - days * DAY_MS })),
      );
      await store.deliveries.claim(claim("p1"));
      for (const deliveryId of Object.keys(ages)) {
        const error = deliveryId === "failing" ? "INTERNAL" : null;
        await store.deliveries.retry({ tenant: TENANT, deliveryId }, "p1", T0 + MINUTE_MS, error);
      }

      const keptForTenDays = { ordersBeforeMs: T0 - 10 * DAY_MS };
      expect(await erase(keptForTenDays, ["stuck-deliveries"])).toEqual({ "stuck-deliveries": 2 });

      const left = await store.deliveries.claim(claim("p2", { nowMs: T0 + 2 * MINUTE_MS }));
      expect(left.map(({ deliveryId }) => deliveryId)).toEqual(["patient"]);
    });

    it("leaves a delivery that is being processed", async () => {
      await store.deliveries.save([delivery("lost", { receivedAtMs: T0 - 91 * DAY_MS })]);
      await store.deliveries.claim(claim("p1"));

      expect(await erase()).toEqual({});
    });

    it("keeps reports for 30 days, however short content is kept", async () => {
      await store.reports.save(TENANT, "due", "report", T0 - 31 * DAY_MS);
      await store.reports.save(TENANT, "kept", "report", T0 - 29 * DAY_MS);

      expect(await erase({ contentBeforeMs: T0 - DAY_MS }, ["reports"])).toEqual({ reports: 1 });

      expect(await store.reports.list(TENANT)).toMatchObject([{ requestId: "kept" }]);
    });

    it("deletes reports, the access log, quotas, and what is needed only for minutes", async () => {
      for (const [name, ageDays] of [
        ["old", 91],
        ["young", 1],
      ] as const) {
        const atMs = T0 - ageDays * DAY_MS;
        await store.reports.save(TENANT, name, "report", atMs);
        await store.accessLog.record(TENANT, { atMs, actor: "operator", what: "order", subject: name }, 1);
        // Taking a place clears the tenant's own old ones.
        const quota = { tenant: name, name: "cancel", sinceMs: atMs - 1, max: 1, nowMs: atMs };
        await store.ledger.takeQuota({ ...quota, key: name });
        await store.leases.acquire(`lease-${name}`, "p1", atMs, atMs + 1);
        await store.ledger.saveBlock(name, { code: "VERIFICATION_FAILED", untilMs: atMs, pause: false });
        await store.ledger.begin(
          attempt(name, { nowMs: atMs, burst: { limit: 9, atMs, sources: [name] }, orderId: name }),
        );
      }

      expect(await erase()).toEqual({
        reports: 1,
        attempts: 1,
        "credit-days": 1,
        sources: 1,
        quotas: 1,
        "access-log": 1,
        leases: 1,
        circuits: 1,
      });

      expect(await store.reports.list(TENANT)).toEqual([{ requestId: "young", savedAtMs: T0 - DAY_MS }]);
      expect((await store.accessLog.list(TENANT, { limit: 9 })).entries).toMatchObject([
        { subject: "young" },
      ]);
      expect(await store.ledger.findBlocks(["old", "young"], T0)).toMatchObject([{ name: "young" }]);
    });

    it("deletes incidents two days after they ended or could be reported again, but no open ones", async () => {
      const incident = (name: string) => ({ tenant: TENANT, name });
      const reportedAtMs = T0 - 9 * DAY_MS;
      const report = (name: string, quietMs?: number) =>
        store.incidents.open({ ...incident(name), nowMs: reportedAtMs, quietMs });
      await report("quiet for long", 8 * DAY_MS);
      await report("quiet for a day", DAY_MS);
      await report("open");
      await report("over");
      await store.incidents.resolve(incident("over"), T0 - 3 * DAY_MS);
      await report("just over");
      await store.incidents.resolve(incident("just over"), T0 - DAY_MS);

      expect(await erase()).toEqual({ incidents: 2 });

      const remind = (name: string) =>
        store.incidents.remind({ ...incident(name), nowMs: reportedAtMs, quietMs: 1 });
      expect(await remind("quiet for long")).toBe("quiet");
      expect(await remind("open")).toBe("quiet");
      expect(await remind("just over")).toBe("over");
    });

    it("handles more rows than a chunk holds, skips those that have to stay, and resumes after a crash", async () => {
      const count = 1_100;
      const ids = Array.from({ length: count }, (_, index) => `o${index}`);
      const receivedAtMs = T0 - 40 * DAY_MS;
      await someAtOnce(ids, (orderId) =>
        store.orders.receive(order(orderId, { receivedAtMs }), entry("received")),
      );
      const release = { changes: { state: "settled", dueAtMs: null }, release: true } as const;
      await store.orders.claim(claim("p1", { limit: count }));
      // Every eleventh is still being worked on.
      const settled = ids.filter((_, index) => index % 11 !== 0);
      await someAtOnce(settled, (orderId) => store.orders.save(key(orderId), "p1", release));

      const first = await store.retention.eraseAged("order-content", RETENTION_LIMITS, null);
      expect(first.next).not.toBeNull();
      expect(first.erased).toBeLessThanOrEqual(500);

      // The position is lost with the process.
      expect(await erase({}, ["order-content"])).toEqual({ "order-content": settled.length - first.erased });
      const backlog = await someAtOnce(ids, (orderId) => store.orders.get(key(orderId)));
      expect(backlog.filter((one) => one?.mapped !== null)).toHaveLength(100);

      const longAgo = { ordersBeforeMs: T0 - 39 * DAY_MS };
      expect(await erase(longAgo, ["orders"])).toEqual({ orders: settled.length });
    });
  });
}
