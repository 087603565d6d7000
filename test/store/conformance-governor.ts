import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AttemptRequest, Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { attempt, entry, MINUTE_MS, order, OTHER_TENANT, result, T0 } from "./samples.ts";

const HOUR_MS = 60 * MINUTE_MS;
const KEY = "key:k";
const BLOCK = { code: "VERIFICATION_NO_CREDITS", untilMs: T0 + 2 * MINUTE_MS, pause: false } as const;
const PAUSE = { code: "VERIFICATION_RATE_LIMITED", untilMs: T0 + MINUTE_MS, pause: true } as const;

/** What keeps credits from being spent for nothing: the burst brake, shared circuits, the last credits by value. */
export function describeGovernor(open: OpenStore): void {
  describe("credit governor", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const begin = (fingerprint: string, changes: Partial<AttemptRequest> = {}) =>
      store.beginAttempt(attempt(fingerprint, changes));

    describe("burst brake", () => {
      const from = (...sources: string[]) => ({ burst: { limit: 3, sources } });

      it("lets a source spend its limit at once, tells of the flood once, and spends nothing on it", async () => {
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

      it("spends no more when a hundred ask at once", async () => {
        const outcomes = await Promise.all(
          Array.from({ length: 100 }, (_, index) => begin(`fp-${index}`, from("ip:a", "email:a"))),
        );

        expect(outcomes.filter(({ outcome }) => outcome === "granted")).toHaveLength(3);
        expect(outcomes.filter((one) => one.outcome === "braked" && one.isNew)).toHaveLength(1);
      });

      it("brakes by any of an order's sources, in one incident", async () => {
        for (const index of [1, 2, 3]) await begin(`fp-${index}`, from("ip:a", `email:${index}`));

        expect(await begin("fp-4", from("ip:a", "email:1"))).toMatchObject({
          sources: ["ip:a"],
          isNew: true,
        });
        for (const index of [5, 6]) {
          expect(await begin(`fp-${index}`, from("ip:a", "email:1"))).toMatchObject({ isNew: false });
        }
      });

      it("goes on while the flood does, and lets go half an hour after it", async () => {
        for (const index of [1, 2, 3, 4]) await begin(`fp-${index}`, from("ip:a"));
        for (let minutes = 10; minutes <= 120; minutes += 10) {
          const nowMs = T0 + minutes * MINUTE_MS;
          expect(await begin(`late-${minutes}`, { ...from("ip:a"), nowMs })).toMatchObject({
            outcome: "braked",
            isNew: false,
          });
        }
        const afterMs = T0 + 2 * HOUR_MS + 31 * MINUTE_MS;
        expect(await begin("after", { ...from("ip:a"), nowMs: afterMs })).toMatchObject({
          outcome: "granted",
        });
      });

      it("counts a question that is asked again once", async () => {
        for (let tries = 0; tries < 10; tries += 1) {
          const granted = await begin("fp", { ...from("ip:a"), nowMs: T0 + tries });
          if (granted.outcome !== "granted") throw new Error(`not granted but ${granted.outcome}`);
          const end = { state: "failed", metered: "no", error: "VERIFICATION_UNREACHABLE" } as const;
          await store.finishAttempt(granted.attemptId, end, T0 + tries);
        }
      });

      it("does not fill up when the clock is set back, and does not let a flood through", async () => {
        for (const index of [1, 2, 3, 4]) await begin(`fp-${index}`, from("ip:a"));

        expect(await begin("back", { ...from("ip:a"), nowMs: T0 - HOUR_MS })).toMatchObject({
          outcome: "braked",
        });
        expect(await begin("calm", { ...from("ip:b"), nowMs: T0 - HOUR_MS })).toMatchObject({
          outcome: "granted",
        });
      });

      it("is off without a limit", async () => {
        for (let index = 0; index < 50; index += 1) {
          const burst = { limit: null, sources: ["ip:a"] };
          expect(await begin(`fp-${index}`, { burst })).toMatchObject({ outcome: "granted" });
        }
      });
    });

    describe("shared circuits", () => {
      const on = (nowMs: number) => ({
        circuits: [KEY, "tenant:k:a"],
        nowMs,
        trialUntilMs: nowMs + MINUTE_MS,
      });

      it("holds back every process once one has found out", async () => {
        await store.saveCircuit(KEY, BLOCK);

        expect(await begin("fp", on(T0))).toEqual({
          outcome: "held-back",
          name: KEY,
          code: BLOCK.code,
          retryAtMs: BLOCK.untilMs,
          pause: false,
        });
        expect(await begin("other", { ...on(T0), circuits: ["key:another"] })).toMatchObject({
          outcome: "granted",
          trials: [],
        });
        expect(await store.findBlocks([KEY], T0)).toEqual([{ ...BLOCK, name: KEY, trialUntilMs: 0 }]);
      });

      it("lets exactly one of a hundred try when the time has come, and another when that one is lost", async () => {
        await store.saveCircuit(KEY, BLOCK);
        const dueMs = BLOCK.untilMs;

        const outcomes = await Promise.all(
          Array.from({ length: 100 }, (_, index) => begin(`fp-${index}`, on(dueMs))),
        );

        expect(outcomes.filter(({ outcome }) => outcome === "granted")).toEqual([
          { outcome: "granted", attemptId: expect.any(String), trials: [KEY] },
        ]);
        expect(outcomes.filter(({ outcome }) => outcome === "held-back")).toHaveLength(99);
        expect(await begin("lost", on(dueMs + MINUTE_MS))).toMatchObject({ outcome: "granted" });
      });

      it("is over when somebody says so", async () => {
        await store.saveCircuit(KEY, BLOCK);
        await store.saveCircuit(KEY, null);

        expect(await begin("fp", on(T0))).toMatchObject({ outcome: "granted", trials: [] });
        expect(await store.findBlocks([KEY], T0)).toEqual([]);
      });

      it("ends a pause by itself, for all at once", async () => {
        await store.saveCircuit(KEY, PAUSE);

        expect(await begin("fp", on(T0))).toMatchObject({ outcome: "held-back", pause: true });
        for (const fingerprint of ["a", "b", "c"]) {
          expect(await begin(fingerprint, on(PAUSE.untilMs))).toMatchObject({
            outcome: "granted",
            trials: [],
          });
        }
      });

      it("does not hold back for longer than ever was meant when the clock is set back", async () => {
        await store.saveCircuit(KEY, { ...BLOCK, untilMs: T0 + 24 * HOUR_MS });

        expect(await begin("fp", on(T0))).toMatchObject({ retryAtMs: T0 + 3 * MINUTE_MS });
      });

      it("spends no trial on a question that needs none", async () => {
        await store.saveCircuit(KEY, { ...BLOCK, untilMs: T0 - 1 });

        const spentUp = { ...attempt("").budget, daily: 0 };
        expect(await begin("fp", { ...on(T0), budget: spentUp })).toMatchObject({ outcome: "over-budget" });
        expect(await begin("other", on(T0))).toMatchObject({ outcome: "granted", trials: [KEY] });
      });
    });

    describe("the last credits of a budget", () => {
      const budget = (daily: number) => ({ ...attempt("").budget, daily });
      const ask = (orderId: string, amount: number, daily: number) =>
        begin(`fp-${orderId}`, { orderId, amount, budget: budget(daily) });

      beforeEach(async () => {
        for (const amount of [10, 20, 30, 40, 50]) {
          await store.receiveOrder(order(String(amount), { amount }), entry("received"));
        }
      });

      it("go to the orders that risk most", async () => {
        const outcomes = [];
        for (const amount of [10, 20, 30, 40, 50]) {
          outcomes.push((await ask(String(amount), amount, 2)).outcome);
        }

        expect(outcomes).toEqual(["over-budget", "over-budget", "over-budget", "granted", "granted"]);
      });

      it("are not kept for an order that has been asked about", async () => {
        const first = await ask("50", 50, 3);
        if (first.outcome !== "granted") throw new Error(`not granted but ${first.outcome}`);
        expect(await ask("30", 30, 3)).toMatchObject({ outcome: "granted" });
        await store.finishAttempt(first.attemptId, { state: "answered", result: result() }, T0);

        expect(await ask("20", 20, 3)).toMatchObject({ outcome: "over-budget" });
        expect(await ask("40", 40, 3)).toMatchObject({ outcome: "granted" });
      });

      it("go to whoever comes while there are enough", async () => {
        expect(await ask("10", 10, 5)).toMatchObject({ outcome: "granted" });
      });
    });

    it("never asks again what the service refused for its content", async () => {
      const granted = await begin("fp");
      if (granted.outcome !== "granted") throw new Error(`not granted but ${granted.outcome}`);
      const end = { state: "failed", metered: "yes", error: "VERIFICATION_REFUSED" } as const;
      await store.finishAttempt(granted.attemptId, end, T0);

      expect(await begin("fp")).toEqual({ outcome: "exhausted" });
    });
  });
}
