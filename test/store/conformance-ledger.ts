import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ErrorCode } from "../../src/base/errors.ts";
import type { AttemptRequest, Ledger, Store } from "../../src/store/store.ts";
import { attempt, MINUTE_MS, OTHER_TENANT, result, T0, TENANT } from "./samples.ts";

const FAILED = { state: "failed", error: "VERIFICATION_FAILED" } as const;
const DAY_MS = 86_400_000;

/** What this suite needs from a store. */
export interface LedgerUnderTest {
  readonly ledger: Ledger;
  readonly leases: Pick<Store["leases"], "releaseAll">;
  close(): unknown;
}

export function describeLedger(open: () => Promise<LedgerUnderTest>): void {
  describe("ledger", () => {
    let store: LedgerUnderTest;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const begin = (fingerprint: string, changes: Partial<AttemptRequest> = {}) =>
      store.ledger.begin(attempt(fingerprint, changes));
    async function grant(fingerprint: string, changes: Partial<AttemptRequest> = {}): Promise<string> {
      const granted = await begin(fingerprint, changes);
      if (granted.outcome !== "granted") throw new Error(`not granted but ${granted.outcome}`);
      return granted.attemptId;
    }
    const use = (tenant = TENANT) =>
      store.ledger.creditUse(tenant, {
        dayStartMs: attempt("").budget.dayStartMs,
        monthStartMs: attempt("").budget.monthStartMs,
      });
    const budget = (daily: number | null, monthly: number | null) => ({
      ...attempt("").budget,
      daily,
      monthly,
    });

    it("grants a call to one of a hundred that ask for the same fingerprint at once", async () => {
      const grants = await Promise.all(
        Array.from({ length: 100 }, (_, index) => begin("fp", { owner: `p${index}` })),
      );

      expect(grants.filter((one) => one.outcome === "granted")).toHaveLength(1);
      expect(grants.filter((one) => one.outcome === "busy")).toHaveLength(99);
      expect(grants.find((one) => one.outcome === "busy")).toEqual({
        outcome: "busy",
        leaseUntilMs: T0 + MINUTE_MS,
      });
      expect((await use()).spentToday).toBe(1);
    });

    it("stores an answer for its tenant and its fingerprint", async () => {
      await store.ledger.finish(await grant("fp"), { state: "answered", result: result() }, T0 + 5);

      const answer = { result: result(), answeredAtMs: T0 + 5 };
      expect(await store.ledger.findAnswer(TENANT, "fp", T0)).toEqual(answer);
      expect(await begin("fp")).toEqual({ outcome: "answered", answer });
      expect(await store.ledger.findAnswer(OTHER_TENANT, "fp", T0)).toBeNull();
      expect(await store.ledger.findAnswer(TENANT, "other", T0)).toBeNull();
      expect(await begin("fp", { tenant: OTHER_TENANT })).toMatchObject({ outcome: "granted" });
    });

    it("uses only an answer that is recent enough for the caller's rule", async () => {
      await store.ledger.finish(await grant("fp"), { state: "answered", result: result() }, T0 + 5);

      expect(await store.ledger.findAnswer(TENANT, "fp", T0 + 4)).not.toBeNull();
      expect(await store.ledger.findAnswer(TENANT, "fp", T0 + 5)).toBeNull();
      expect(await begin("fp", { answersSinceMs: T0 + 4 })).toMatchObject({ outcome: "answered" });
      expect(await begin("fp", { answersSinceMs: T0 + 5, nowMs: T0 + 6 })).toMatchObject({
        outcome: "granted",
      });
    });

    it("makes one call for a recheck that was asked for by a clock that is ahead", async () => {
      const asked = { answersSinceMs: T0 + MINUTE_MS };
      await store.ledger.finish(await grant("fp", asked), { state: "answered", result: result() }, T0 + 5);

      expect(await begin("fp", asked)).toMatchObject({ outcome: "answered" });
    });

    it("allows a new call for the same content whenever its answers are too old", async () => {
      for (let day = 0; day < 5; day += 1) {
        const nowMs = T0 + day * DAY_MS;
        const attemptId = await grant("fp", { nowMs, answersSinceMs: nowMs - DAY_MS + 1 });
        await store.ledger.finish(attemptId, { state: "answered", result: result(`day ${day}`) }, nowMs);
      }

      const latest = await store.ledger.findAnswer(TENANT, "fp", 0);
      expect(latest?.result.reasoning).toBe("day 4");
    });

    it("treats a call whose lease ran out as unknown, and counts it", async () => {
      await grant("fp");

      expect(await begin("fp", { nowMs: T0 + MINUTE_MS - 1 })).toEqual({
        outcome: "busy",
        leaseUntilMs: T0 + MINUTE_MS,
      });
      expect(await begin("fp", { nowMs: T0 + MINUTE_MS })).toMatchObject({ outcome: "granted" });
      expect(await begin("fp", { nowMs: T0 + 9 * MINUTE_MS })).toEqual({ outcome: "exhausted" });
      expect((await use()).spentToday).toBe(2);
    });

    it.each([
      { metered: "yes", spent: 2, next: "exhausted" },
      { metered: "unknown", spent: 2, next: "exhausted" },
      { metered: "no", spent: 1, next: "granted" },
    ] as const)(
      "counts a failure with metered=$metered towards the limit or not",
      async ({ metered, spent, next }) => {
        for (let turn = 0; turn < 2; turn += 1) {
          await store.ledger.finish(await grant("fp"), { ...FAILED, metered }, T0);
        }

        expect((await begin("fp")).outcome).toBe(next);
        expect((await use()).spentToday).toBe(spent);
      },
    );

    it("applies the caller's limit of paid attempts", async () => {
      await store.ledger.finish(await grant("fp"), { ...FAILED, metered: "yes" }, T0);

      expect(await begin("fp", { maxPaidAttempts: 1 })).toEqual({
        outcome: "exhausted",
        error: "VERIFICATION_FAILED",
      });
      expect(await begin("fp", { maxPaidAttempts: 2 })).toMatchObject({ outcome: "granted" });
    });

    describe("attempts for one fingerprint", () => {
      const SPREAD = { maxPaidAttempts: 3, retryAfterMs: 3_000 };
      const beginAt = (nowMs: number, changes: Partial<AttemptRequest> = {}, fingerprint = "fp") =>
        begin(fingerprint, { ...SPREAD, nowMs, ...changes });
      async function failAt(nowMs: number, error: ErrorCode = "VERIFICATION_FAILED"): Promise<void> {
        const granted = await beginAt(nowMs);
        if (granted.outcome !== "granted") throw new Error(`not granted but ${granted.outcome}`);
        await store.ledger.finish(granted.attemptId, { state: "failed", metered: "yes", error }, nowMs);
      }
      /** Stores an answer for another order of a tenant. */
      async function answerAt(nowMs: number, tenant = TENANT): Promise<void> {
        const attemptId = await grant(`answered at ${nowMs}`, { nowMs, tenant });
        await store.ledger.finish(attemptId, { state: "answered", result: result() }, nowMs);
      }

      it("are spaced out, and the wait says why the last one failed", async () => {
        await failAt(T0);

        const error = "VERIFICATION_FAILED";
        expect(await beginAt(T0 + 2_999)).toEqual({ outcome: "too-early", retryAtMs: T0 + 3_000, error });
        expect(await beginAt(T0 + 3_000)).toMatchObject({ outcome: "granted" });
      });

      it("wait longer each time", async () => {
        const many = { maxPaidAttempts: 9 };
        await failAt(T0);
        await store.ledger.finish(
          await grant("fp", { ...many, nowMs: T0 + 3_000 }),
          { ...FAILED, metered: "unknown" },
          T0 + 3_000,
        );

        expect(await beginAt(T0 + 8_999, many)).toMatchObject({ retryAtMs: T0 + 9_000 });
        expect(await beginAt(T0 + 9_000, many)).toMatchObject({ outcome: "granted" });
      });

      it("wait after one that was cut off, for an unknown reason", async () => {
        await beginAt(T0, { leaseMs: 1_000 });

        const next = await beginAt(T0 + 1_000);
        expect(next).toEqual({ outcome: "too-early", retryAtMs: T0 + 3_000 });
      });

      it("wait no longer after the clock was set back", async () => {
        await failAt(T0);

        expect(await beginAt(T0 - 60 * MINUTE_MS)).toMatchObject({ outcome: "granted" });
      });

      it("have the last one reserved until the tenant was answered since, and a minute has passed", async () => {
        await failAt(T0);
        await answerAt(T0 + 2_000);
        await failAt(T0 + 3_000, "VERIFICATION_TIMEOUT");

        const reserved = {
          outcome: "reserved",
          failedAtMs: T0 + 3_000,
          error: "VERIFICATION_TIMEOUT",
        } as const;
        expect(await beginAt(T0 + 30 * MINUTE_MS)).toEqual(reserved);
        await answerAt(T0 + 30 * MINUTE_MS, OTHER_TENANT);
        expect(await beginAt(T0 + 30 * MINUTE_MS)).toEqual(reserved);
        await answerAt(T0 + 3_001);
        expect(await beginAt(T0 + 3_000 + MINUTE_MS - 1)).toEqual(reserved);
        expect(await beginAt(T0 + 3_000 + MINUTE_MS)).toMatchObject({ outcome: "granted" });
      });

      it("have the last one reserved while the newest of the tenant's calls that ended failed", async () => {
        const failAnother = async (atMs: number, error: ErrorCode) =>
          store.ledger.finish(
            await grant(`another-${atMs}`, { nowMs: atMs }),
            { state: "failed", metered: "yes", error },
            atMs,
          );
        await failAt(T0);
        await failAt(T0 + 3_000);
        const nowMs = T0 + 3 * MINUTE_MS;

        await answerAt(T0 + MINUTE_MS);
        await failAnother(T0 + 2 * MINUTE_MS, "VERIFICATION_FAILED");
        expect(await beginAt(nowMs)).toMatchObject({ outcome: "reserved" });
        await failAnother(T0 + 2 * MINUTE_MS + 1, "VERIFICATION_REFUSED");
        expect(await beginAt(nowMs)).toMatchObject({ outcome: "reserved" });
        await answerAt(T0 + 2 * MINUTE_MS + 2);
        // Says nothing about the service: the order itself may be the reason.
        await failAnother(T0 + 2 * MINUTE_MS + 3, "VERIFICATION_REFUSED");
        await grant("under way", { nowMs });
        expect(await beginAt(nowMs)).toMatchObject({ outcome: "granted" });
      });

      it("have the last one reserved until nothing failed for half a minute, for ten minutes at most", async () => {
        await failAt(T0);
        await failAt(T0 + 3_000);
        const flap = async (atMs: number): Promise<void> => {
          const attemptId = await grant(`flap ${atMs}`, { nowMs: atMs });
          await store.ledger.finish(attemptId, { ...FAILED, metered: "yes" }, atMs);
          await answerAt(atMs + 1);
        };

        await flap(T0 + 2 * MINUTE_MS);
        await flap(T0 + 2 * MINUTE_MS + 20_000);
        expect(await beginAt(T0 + 2 * MINUTE_MS + 49_999)).toMatchObject({ outcome: "reserved" });
        await flap(T0 + 10 * MINUTE_MS);
        expect(await beginAt(T0 + 10 * MINUTE_MS + 2_999)).toMatchObject({ outcome: "reserved" });
        expect(await beginAt(T0 + 10 * MINUTE_MS + 3_000)).toMatchObject({ outcome: "granted" });
      });

      it("have the last one reserved until the caller has seen the service work since", async () => {
        await failAt(T0);
        await failAt(T0 + 3_000);

        const nowMs = T0 + 2 * MINUTE_MS;
        expect(await beginAt(nowMs, { seenHealthyAtMs: T0 + 3_000 })).toMatchObject({ outcome: "reserved" });
        expect(await beginAt(nowMs, { seenHealthyAtMs: T0 + 3_001 })).toMatchObject({ outcome: "granted" });
      });

      it("grant the reserved one once, however many ask for it at once", async () => {
        await failAt(T0);
        await failAt(T0 + 3_000);

        const nowMs = T0 + 2 * MINUTE_MS;
        const grants = await Promise.all(
          Array.from({ length: 20 }, () => beginAt(nowMs, { seenHealthyAtMs: nowMs })),
        );

        expect(grants.filter(({ outcome }) => outcome === "granted")).toHaveLength(1);
        expect(grants.filter(({ outcome }) => outcome === "busy")).toHaveLength(19);
      });

      it("end with the last real reason, even if the call after it was cut off", async () => {
        await failAt(T0);
        await beginAt(T0 + 3_000, { leaseMs: 1_000 });
        const healthy = { seenHealthyAtMs: T0 + 2 * MINUTE_MS };
        await beginAt(T0 + 2 * MINUTE_MS, { leaseMs: 1_000, ...healthy });

        expect(await beginAt(T0 + 3 * MINUTE_MS, healthy)).toEqual({
          outcome: "exhausted",
          error: "VERIFICATION_FAILED",
        });
      });

      it("have no reserve if only two are allowed", async () => {
        await failAt(T0);

        expect(await beginAt(T0 + 3_000, { maxPaidAttempts: 2 })).toMatchObject({ outcome: "granted" });
      });

      it("count for longer without an answer than an answer is stored", async () => {
        const nowMs = T0 + 30 * MINUTE_MS;
        const since = { answersSinceMs: nowMs - 15 * MINUTE_MS, failuresSinceMs: nowMs - DAY_MS };
        await failAt(T0);
        await failAt(T0 + 3_000);
        await store.ledger.finish(
          await grant("answered", { nowMs: T0 }),
          { state: "answered", result: result() },
          T0,
        );

        expect(await beginAt(nowMs, since)).toMatchObject({ outcome: "reserved" });
        expect(await beginAt(nowMs, since, "answered")).toMatchObject({ outcome: "granted" });
        const nextDay = { ...since, failuresSinceMs: T0 + 3_000 };
        expect(await beginAt(nowMs, nextDay)).toMatchObject({ outcome: "granted" });
      });
    });

    it("never spends more than a cap, however many ask at once", async () => {
      const grants = await Promise.all(
        Array.from({ length: 60 }, (_, index) => begin(`fp${index}`, { budget: budget(7, null) })),
      );

      expect(grants.filter((one) => one.outcome === "granted")).toHaveLength(7);
      expect(grants.filter((one) => one.outcome !== "granted")).toEqual(
        Array.from({ length: 53 }, () => ({ outcome: "over-budget", cap: "daily", outbid: false })),
      );
      expect((await use()).spentToday).toBe(7);
    });

    it("counts a month from its own start, and names the cap that was reached", async () => {
      await grant("yesterday", { nowMs: T0 - DAY_MS });
      await grant("last month", { nowMs: T0 - 40 * DAY_MS });

      expect(await begin("a", { budget: budget(1, 1) })).toEqual({
        outcome: "over-budget",
        cap: "monthly",
        outbid: false,
      });
      expect(await begin("b", { budget: budget(0, null) })).toEqual({
        outcome: "over-budget",
        cap: "daily",
        outbid: false,
      });
      expect(await begin("c", { budget: budget(1, 2) })).toMatchObject({ outcome: "granted" });
      expect(await use()).toEqual({ spentToday: 1, spentMonth: 2, savedMonth: 0, savedByReason: {} });
    });

    it("gives a credit back when it turns out that a call wasn't billed", async () => {
      const attemptId = await grant("a", { budget: budget(1, null) });
      expect(await begin("b", { budget: budget(1, null) })).toEqual({
        outcome: "over-budget",
        cap: "daily",
        outbid: false,
      });

      await store.ledger.finish(attemptId, { ...FAILED, metered: "no" }, T0);

      expect(await begin("b", { budget: budget(1, null) })).toMatchObject({ outcome: "granted" });
    });

    it("keeps tenants' budgets apart", async () => {
      await grant("a", { tenant: OTHER_TENANT });

      expect(await begin("a", { budget: budget(1, 1) })).toMatchObject({ outcome: "granted" });
    });

    it("looks at stored answers before the budget", async () => {
      await store.ledger.finish(await grant("fp"), { state: "answered", result: result() }, T0);

      expect(await begin("fp", { budget: budget(0, 0) })).toMatchObject({ outcome: "answered" });
    });

    it("ends an attempt once", async () => {
      const failed = await grant("a");
      await store.ledger.finish(failed, { ...FAILED, metered: "no" }, T0);
      await store.ledger.finish(failed, { state: "answered", result: result() }, T0 + 1);
      const answered = await grant("b");
      await store.ledger.finish(answered, { state: "answered", result: result("first") }, T0);
      await store.ledger.finish(answered, { state: "answered", result: result("second") }, T0 + 1);
      await store.ledger.finish(answered, { ...FAILED, metered: "no" }, T0 + 2);
      await store.ledger.finish("no-such-attempt", { state: "answered", result: result() }, T0);

      expect(await store.ledger.findAnswer(TENANT, "a", 0)).toBeNull();
      expect((await store.ledger.findAnswer(TENANT, "b", 0))?.result.reasoning).toBe("first");
      expect((await use()).spentToday).toBe(1);
    });

    it("stores the late answer of a call that was recorded as lost", async () => {
      const late = await grant("fp");
      await store.leases.releaseAll();

      await store.ledger.finish(late, { state: "answered", result: result() }, T0 + 9 * MINUTE_MS);

      expect(await store.ledger.findAnswer(TENANT, "fp", 0)).toMatchObject({ result: result() });
      expect((await use()).spentToday).toBe(1);
    });

    it("doesn't let a late answer to an older question replace a newer one", async () => {
      const older = await grant("fp");
      const newer = await grant("fp", { nowMs: T0 + MINUTE_MS });
      await store.ledger.finish(newer, { state: "answered", result: result("newer") }, T0 + MINUTE_MS + 1);

      await store.ledger.finish(older, { state: "answered", result: result("older") }, T0 + MINUTE_MS + 2);

      expect((await store.ledger.findAnswer(TENANT, "fp", 0))?.result.reasoning).toBe("newer");
      expect((await use()).spentToday).toBe(2);
    });

    it("counts the calls saved this month", async () => {
      await store.ledger.recordSaving(TENANT, "cached", 2, T0);
      await store.ledger.recordSaving(TENANT, "cached", 3, T0 + 1);
      await store.ledger.recordSaving(TENANT, "duplicate", 1, T0 - DAY_MS);
      await store.ledger.recordSaving(TENANT, "cached", 50, T0 - 40 * DAY_MS);
      await store.ledger.recordSaving(OTHER_TENANT, "cached", 70, T0);

      expect((await use()).savedMonth).toBe(6);
    });
  });
}
