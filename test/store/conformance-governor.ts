import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AttemptRequest, Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { attempt, entry, MINUTE_MS, order, OTHER_TENANT, result, T0, TENANT } from "./samples.ts";

const HOUR_MS = 60 * MINUTE_MS;
const KEY = "key:k";
const BLOCK = { code: "VERIFICATION_NO_CREDITS", untilMs: T0 + 2 * MINUTE_MS, pause: false } as const;
const PAUSE = { code: "VERIFICATION_RATE_LIMITED", untilMs: T0 + MINUTE_MS, pause: true } as const;

/** What prevents wasted credits: the burst brake, shared circuits, and reserving the last credits by order value. */
export function describeGovernor(open: OpenStore): void {
  describeBrakes(open);
  describeLastCredits(open);
}

/** Also works with a store that has no orders. */
export function describeBrakes(open: () => Promise<Pick<Store, "ledger"> & { close(): unknown }>): void {
  describe("brakes", () => {
    let store: Awaited<ReturnType<typeof open>>;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const begin = (fingerprint: string, changes: Partial<AttemptRequest> = {}) =>
      store.ledger.begin(attempt(fingerprint, changes));

    describe("burst brake", () => {
      const from = (...sources: string[]) => ({ burst: { limit: 3, atMs: T0, sources } });
      const at = (nowMs: number, source: string) => ({
        burst: { limit: 3, atMs: nowMs, sources: [source] },
        nowMs,
      });

      it("lets a source use up its limit, reports the flood once, and spends nothing on it", async () => {
        const outcomes = [];
        for (let index = 0; index < 30; index += 1) outcomes.push(await begin(`fp-${index}`, from("ip:a")));

        expect(outcomes.filter(({ outcome }) => outcome === "granted")).toHaveLength(3);
        const braked = outcomes.filter((one) => one.outcome === "braked");
        expect(braked).toHaveLength(27);
        expect(braked.filter(({ isNew }) => isNew)).toEqual([
          { outcome: "braked", sources: ["ip:a"], isNew: true },
        ]);
        expect(await begin("elsewhere", from("ip:b"))).toMatchObject({ outcome: "granted" });
        expect(await begin("other", { ...from("ip:a"), tenant: OTHER_TENANT })).toMatchObject({
          outcome: "granted",
        });
      });

      it("allows no more when a hundred ask at once", async () => {
        const outcomes = await Promise.all(
          Array.from({ length: 100 }, (_, index) => begin(`fp-${index}`, from("ip:a", "email:a"))),
        );

        expect(outcomes.filter(({ outcome }) => outcome === "granted")).toHaveLength(3);
        expect(outcomes.filter((one) => one.outcome === "braked" && one.isNew)).toHaveLength(1);
      });

      it("stops an order when any of its sources is over the limit, in one incident", async () => {
        for (const index of [1, 2, 3]) await begin(`fp-${index}`, from("ip:a", `email:${index}`));

        expect(await begin("fp-4", from("ip:a", "email:1"))).toMatchObject({
          sources: ["ip:a"],
          isNew: true,
        });
        for (const index of [5, 6]) {
          expect(await begin(`fp-${index}`, from("ip:a", "email:1"))).toMatchObject({ isNew: false });
        }
      });

      it("lasts as long as the flood, and ends half an hour after it", async () => {
        for (const index of [1, 2, 3, 4]) await begin(`fp-${index}`, from("ip:a"));
        for (let minutes = 20; minutes <= 120; minutes += 20) {
          const nowMs = T0 + minutes * MINUTE_MS;
          expect(await begin(`late-${minutes}`, at(nowMs, "ip:a"))).toMatchObject({
            outcome: "braked",
            isNew: false,
          });
        }
        const afterMs = T0 + 2 * HOUR_MS + 31 * MINUTE_MS;
        expect(await begin("after", at(afterMs, "ip:a"))).toMatchObject({
          outcome: "granted",
        });
      });

      it("counts a repeated question once", async () => {
        for (let tries = 0; tries < 10; tries += 1) {
          const granted = await begin("fp", at(T0 + tries, "ip:a"));
          if (granted.outcome !== "granted") throw new Error(`not granted but ${granted.outcome}`);
          const end = { state: "failed", metered: "no", error: "VERIFICATION_UNREACHABLE" } as const;
          await store.ledger.finish(granted.attemptId, end, T0 + tries);
        }
      });

      it("neither fills up nor lets a flood through when the clock is set back", async () => {
        for (const index of [1, 2, 3, 4]) await begin(`fp-${index}`, from("ip:a"));

        expect(await begin("back", at(T0 - HOUR_MS, "ip:a"))).toMatchObject({
          outcome: "braked",
        });
        expect(await begin("again", from("ip:a"))).toMatchObject({ outcome: "braked" });
        expect(await begin("calm", from("ip:b"))).toMatchObject({ outcome: "granted" });
        expect(await begin("calm back", at(T0 - HOUR_MS, "ip:b"))).toMatchObject({ outcome: "granted" });
      });

      it("doesn't mistake orders placed hours apart for a flood when they arrive at once", async () => {
        for (let hours = 0; hours < 12; hours += 1) {
          const burst = { limit: 3, atMs: T0 - (12 - hours) * HOUR_MS, sources: ["ip:a"] };
          for (const order of [1, 2]) {
            expect(await begin(`fp-${hours}-${order}`, { burst })).toMatchObject({ outcome: "granted" });
          }
        }
      });

      it("doesn't stay on because one order is asked about again and again", async () => {
        for (const index of [1, 2, 3, 4]) await begin(`fp-${index}`, from("ip:a"));
        for (let minutes = 1; minutes < 59; minutes += 5) {
          const again = await begin("fp-4", at(T0 + minutes * MINUTE_MS, "ip:a"));
          expect(again).toMatchObject({ outcome: "braked", isNew: false });
        }

        expect(await begin("fp-5", at(T0 + 60 * MINUTE_MS, "ip:a"))).toMatchObject({ outcome: "granted" });
        expect(await begin("fp-4", at(T0 + 61 * MINUTE_MS, "ip:a"))).toMatchObject({ outcome: "granted" });
      });

      it("stops everything when the limit is 0", async () => {
        for (let index = 0; index < 6; index += 1) {
          const burst = { limit: 0, atMs: T0, sources: ["ip:a"] };
          expect(await begin(`fp-${index}`, { burst })).toMatchObject({ outcome: "braked" });
        }
      });

      it("is off without a limit", async () => {
        for (let index = 0; index < 50; index += 1) {
          const burst = { limit: null, atMs: T0, sources: ["ip:a"] };
          expect(await begin(`fp-${index}`, { burst })).toMatchObject({ outcome: "granted" });
        }
      });
    });

    describe("shared circuits", () => {
      const on = (nowMs: number) => ({
        circuit: KEY,
        nowMs,
        trialUntilMs: nowMs + MINUTE_MS,
      });

      it("stop every process once one has found the service unavailable", async () => {
        await store.ledger.saveBlock(KEY, BLOCK);

        expect(await begin("fp", on(T0))).toEqual({
          outcome: "blocked",
          code: BLOCK.code,
          retryAtMs: BLOCK.untilMs,
          pause: false,
        });
        expect(await begin("other", { ...on(T0), circuit: "key:another" })).toMatchObject({
          outcome: "granted",
          isTrial: false,
        });
        expect(await store.ledger.findBlocks([KEY], T0)).toEqual([{ ...BLOCK, name: KEY, trialUntilMs: 0 }]);
      });

      it("allow exactly one of a hundred to try when the time has come, and another if that one is lost", async () => {
        await store.ledger.saveBlock(KEY, BLOCK);
        const dueMs = BLOCK.untilMs;

        const outcomes = await Promise.all(
          Array.from({ length: 100 }, (_, index) => begin(`fp-${index}`, on(dueMs))),
        );

        expect(outcomes.filter(({ outcome }) => outcome === "granted")).toEqual([
          {
            outcome: "granted",
            attemptId: expect.any(String),
            isTrial: true,
            sinceUptimeMs: expect.any(Number),
          },
        ]);
        expect(outcomes.filter(({ outcome }) => outcome === "blocked")).toHaveLength(99);
        expect(await begin("lost", on(dueMs + MINUTE_MS))).toMatchObject({ outcome: "granted" });
      });

      it("close when a caller reports it", async () => {
        await store.ledger.saveBlock(KEY, BLOCK);
        await store.ledger.saveBlock(KEY, null);

        expect(await begin("fp", on(T0))).toMatchObject({ outcome: "granted", isTrial: false });
        expect(await store.ledger.findBlocks([KEY], T0)).toEqual([]);
      });

      it("end a pause without a call, for all processes at once", async () => {
        await store.ledger.saveBlock(KEY, PAUSE);

        expect(await begin("fp", on(T0))).toMatchObject({ outcome: "blocked", pause: true });
        for (const fingerprint of ["a", "b", "c"]) {
          expect(await begin(fingerprint, on(PAUSE.untilMs))).toMatchObject({
            outcome: "granted",
            isTrial: false,
          });
        }
      });

      it("ignore a time written by a clock that was far ahead", async () => {
        await store.ledger.saveBlock(KEY, { ...BLOCK, untilMs: T0 + 24 * HOUR_MS });
        expect(await begin("a", on(T0))).toMatchObject({ outcome: "granted", isTrial: true });

        const farMs = T0 + 24 * HOUR_MS;
        expect(await begin("b", { ...on(farMs), trialUntilMs: farMs + MINUTE_MS })).toMatchObject({
          isTrial: true,
        });
        expect(await begin("c", on(T0 + 2 * MINUTE_MS)), "a trial of tomorrow").toMatchObject({
          isTrial: true,
        });

        await store.ledger.saveBlock(KEY, { ...PAUSE, untilMs: T0 + 24 * HOUR_MS });
        expect(await begin("d", on(T0))).toMatchObject({ outcome: "granted", isTrial: false });
      });

      it("spend no trial on a question that needs none", async () => {
        await store.ledger.saveBlock(KEY, { ...BLOCK, untilMs: T0 - 1 });

        const spentUp = { ...attempt("").budget, daily: 0 };
        expect(await begin("fp", { ...on(T0), budget: spentUp })).toMatchObject({ outcome: "over-budget" });
        expect(await begin("other", on(T0))).toMatchObject({ outcome: "granted", isTrial: true });
      });
    });

    it("count an order that needs no call at its addresses too, each time", async () => {
      const burst = { limit: 3, atMs: T0, sources: ["email:a"] };
      expect(await begin("fp", { burst })).toMatchObject({ outcome: "granted" });

      expect(await store.ledger.countAtSources(TENANT, burst)).toBeNull();
      expect(await store.ledger.countAtSources(TENANT, burst)).toBeNull();
      const braked = { outcome: "braked", sources: ["email:a"] };
      expect(await store.ledger.countAtSources(TENANT, burst)).toEqual({ ...braked, isNew: true });
      expect(await store.ledger.countAtSources(TENANT, burst)).toEqual({ ...braked, isNew: false });
      expect(await store.ledger.countAtSources(OTHER_TENANT, burst)).toBeNull();
    });

    it("never repeat a question that the service refused because of its content", async () => {
      const granted = await begin("fp");
      if (granted.outcome !== "granted") throw new Error(`not granted but ${granted.outcome}`);
      const end = { state: "failed", metered: "yes", error: "VERIFICATION_REFUSED" } as const;
      await store.ledger.finish(granted.attemptId, end, T0);

      expect(await begin("fp")).toEqual({ outcome: "exhausted", error: "VERIFICATION_REFUSED" });
    });
  });
}

function describeLastCredits(open: OpenStore): void {
  describe("the last credits of a budget", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const begin = (fingerprint: string, changes: Partial<AttemptRequest> = {}) =>
      store.ledger.begin(attempt(fingerprint, changes));
    const budget = (daily: number) => ({ ...attempt("").budget, daily });
    const ask = (orderId: string, amount: number, daily: number) =>
      begin(`fp-${orderId}`, { orderId, amount, budget: budget(daily) });

    beforeEach(async () => {
      for (const amount of [10, 20, 30, 40, 50]) {
        await store.orders.receive(order(String(amount), { amount }), entry("received"));
      }
    });

    it("go to the orders with the most at risk", async () => {
      const outcomes = [];
      for (const amount of [10, 20, 30, 40, 50]) {
        outcomes.push((await ask(String(amount), amount, 2)).outcome);
      }

      expect(outcomes).toEqual(["over-budget", "over-budget", "over-budget", "granted", "granted"]);
      expect(await ask("20", 20, 2), "spent is spent").toMatchObject({ outbid: false });
    });

    it("aren't reserved for orders in another currency, for the record only, of the sandbox, or due later", async () => {
      const others = [
        order("yen", { amount: 9_000, currency: "JPY" }),
        order("old", { amount: 9_000, effects: "record" }),
        order("made-up", { amount: 9_000, effects: "none" }),
        order("later", { amount: 9_000, dueAtMs: T0 + HOUR_MS }),
      ];
      for (const other of others) await store.orders.receive(other, entry("received"));

      expect(await ask("50", 50, 1)).toMatchObject({ outcome: "granted" });
    });

    it("aren't reserved for the order itself, whose amount was lowered", async () => {
      expect(await ask("50", 5, 5)).toMatchObject({ outcome: "granted" });
    });

    it("make cheaper orders wait instead of giving up", async () => {
      expect(await ask("10", 10, 2)).toEqual({ outcome: "over-budget", cap: "daily", outbid: true });
    });

    it("aren't reserved for an order that has already been asked about", async () => {
      const first = await ask("50", 50, 3);
      if (first.outcome !== "granted") throw new Error(`not granted but ${first.outcome}`);
      expect(await ask("30", 30, 3)).toMatchObject({ outcome: "granted" });
      await store.ledger.finish(first.attemptId, { state: "answered", result: result() }, T0);

      expect(await ask("20", 20, 3)).toMatchObject({ outcome: "over-budget" });
      expect(await ask("40", 40, 3)).toMatchObject({ outcome: "granted" });
    });

    it("go to any order while there are enough", async () => {
      expect(await ask("10", 10, 5)).toMatchObject({ outcome: "granted" });
    });
  });
}
