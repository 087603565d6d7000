import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import type { ScreeningParts } from "../../src/screening/screening-task.ts";
import type { Screening } from "../../src/screening/screening.ts";
import { createTestStore } from "../support/test-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createLogRecorder } from "../support/log-recorder.ts";
import { aResult, anOrder } from "../support/orders.ts";
import { ask, failure, startScreening, TENANT } from "../support/screenings.ts";
import { createScriptedVerifier, type ScriptedVerifier } from "../support/verifier.ts";
import { toTimelineEntry } from "../../src/pipeline/timeline.ts";

const START = Date.UTC(2026, 10, 20, 12);

let nowMs: number;
let store: Store;
const open: Screening[] = [];

function screeningOn(at: Store, changes: Partial<ScreeningParts> = {}): Screening {
  const screening = startScreening(at, changes.now ?? (() => nowMs), changes);
  open.push(screening);
  return screening;
}

const countCalls = ({ calls }: ScriptedVerifier, orderId: string | undefined): number =>
  calls.filter((call) => call.orderId === orderId).length;

const spent = async (tenant = TENANT) =>
  (
    await store.ledger.creditUse(tenant, {
      dayStartMs: Date.UTC(2026, 10, 20),
      monthStartMs: Date.UTC(2026, 10, 1),
    })
  ).spentToday;

beforeEach(async () => {
  nowMs = START;
  store = await createTestStore();
});

afterEach(async () => {
  for (const screening of open.splice(0)) await screening.close();
  await store.close();
});

describe("createScreening", () => {
  it("asks once for a hundred concurrent callers with the same order", async () => {
    const gate = Promise.withResolvers<void>();
    const verifier = createScriptedVerifier(async () => {
      await gate.promise;
      return { result: aResult("high") };
    });
    const screening = screeningOn(store);

    const asked = Promise.all(Array.from({ length: 100 }, () => screening.screen(ask(verifier))));
    await verifier.called(1);
    gate.resolve();
    const answers = await asked;

    expect(verifier.calls).toHaveLength(1);
    expect(
      answers.every((answer) => answer.outcome === "answered" && answer.result.riskLevel === "high"),
    ).toBe(true);
    expect(answers.reduce((sum, { creditsSpent }) => sum + creditsSpent, 0)).toBe(1);
    expect(await spent()).toBe(1);
  });

  it("asks once for two processes that share a store", async () => {
    const gate = Promise.withResolvers<void>();
    const verifier = createScriptedVerifier(async () => {
      await gate.promise;
      return { result: aResult() };
    });
    const one = screeningOn(store);
    const other = screeningOn(store, { owner: "process-2" });

    const asked = Promise.all([one, other].map((screening) => screening.screen(ask(verifier))));
    await verifier.called(1);
    gate.resolve();
    const answers = await asked;

    expect(verifier.calls).toHaveLength(1);
    expect(answers.map(({ outcome }) => outcome)).toEqual(["answered", "answered"]);
  });

  it("makes no call that could outlast its ledger entry after the process was paused", async () => {
    const verifier = createScriptedVerifier(async () => ({ result: aResult() }));
    let grants = 0;
    const still: Store = {
      ...store,
      ledger: {
        ...store.ledger,
        async begin(request) {
          const grant = await store.ledger.begin(request);
          if (grant.outcome !== "granted") return grant;
          grants += 1;
          // Six seconds of a lease that is five seconds longer than a call.
          return grants === 1 ? { ...grant, sinceUptimeMs: grant.sinceUptimeMs - 6_000 } : grant;
        },
      },
    };

    const screened = await screeningOn(still).screen(ask(verifier));

    expect(screened).toMatchObject({ outcome: "answered", creditsSpent: 1 });
    expect(grants).toBe(2);
    expect(verifier.calls).toHaveLength(1);
    expect(await spent()).toBe(1);
  });

  it("answers a repeat from the store in a process that has never seen the order", async () => {
    const verifier = createScriptedVerifier();
    await screeningOn(store).screen(ask(verifier));

    const repeat = await screeningOn(store, { owner: "process-2" }).screen(ask(verifier));

    expect(repeat).toMatchObject({ outcome: "answered", source: "cache", creditsSpent: 0 });
    expect(verifier.calls).toHaveLength(1);
  });

  it("asks again if the content changed, but not for another IP address or a longer history", async () => {
    const verifier = createScriptedVerifier();
    const screening = screeningOn(store);
    await screening.screen(ask(verifier));

    await screening.screen(ask(verifier, { request: anOrder({ ipAddress: "203.0.113.7", totalOrders: 9 }) }));
    expect(verifier.calls).toHaveLength(1);

    await screening.screen(ask(verifier, { request: anOrder({ customerEmail: "other@example.com" }) }));
    expect(verifier.calls).toHaveLength(2);
  });

  it("asks again 15 minutes later for an order without an id, but not for one with an id", async () => {
    const verifier = createScriptedVerifier();
    const screening = screeningOn(store);
    const { orderId: _, ...anonymous } = anOrder();
    await screening.screen(ask(verifier));
    await screening.screen(ask(verifier, { request: anonymous }));
    expect(verifier.calls).toHaveLength(2);

    nowMs = START + 15 * 60_000 - 1;
    await screening.screen(ask(verifier, { request: anonymous }));
    expect(verifier.calls).toHaveLength(2);
    nowMs = START + 15 * 60_000 + 1;
    await screening.screen(ask(verifier));
    await screening.screen(ask(verifier, { request: anonymous }));

    expect(verifier.calls).toHaveLength(3);
  });

  it("answers a known order without an id that can't be counted, and asks about no new one", async () => {
    const verifier = createScriptedVerifier();
    const screening = screeningOn(store);
    const { orderId: _, ...anonymous } = anOrder();
    await screening.screen(ask(verifier, { request: anonymous }));
    const away = new HoldfastError("STORE_UNAVAILABLE", "away", { retryable: true });
    const counting = vi.spyOn(store.ledger, "countAtSources").mockRejectedValue(away);

    const known = await screening.screen(ask(verifier, { request: anonymous }));
    const other = { ...anonymous, customerEmail: "other@example.com" };
    const unknown = await screening.screen(ask(verifier, { request: other }));
    counting.mockRestore();

    expect(known).toMatchObject({ outcome: "answered", source: "cache" });
    expect(unknown).toMatchObject({ outcome: "unavailable", error: { code: "STORE_UNAVAILABLE" } });
    expect(verifier.calls).toHaveLength(1);
  });

  it("keeps tenants apart: the same order in two shops is two questions", async () => {
    const verifier = createScriptedVerifier();
    const screening = screeningOn(store);

    const here = await screening.screen(ask(verifier));
    const there = await screening.screen(ask(verifier, { tenant: "test:other" }));

    expect(verifier.calls).toHaveLength(2);
    expect(here.fingerprint).not.toBe(there.fingerprint);
  });

  describe("calls without an answer", () => {
    const failing = (): ScriptedVerifier =>
      createScriptedVerifier(() => Promise.reject(failure("VERIFICATION_FAILED", "yes")));
    /** Fails that many times, then answers. */
    const failingFor = (calls: number) =>
      createScriptedVerifier((call) => {
        if (call <= calls) throw failure("VERIFICATION_FAILED", "yes");
        return { result: aResult() };
      });
    const three = { maxPaidAttempts: 3, retryAfterMs: 0 };
    const MINUTE_MS = 60_000;

    it("are repeated once, seconds later, and end with their own reason", async () => {
      const verifier = failing();
      const screening = screeningOn(store, three);

      const screened = await screening.screen(ask(verifier));

      const failed = { outcome: "unavailable", error: { code: "VERIFICATION_FAILED", retryable: false } };
      expect(screened).toMatchObject({ ...failed, creditsSpent: 2 });
      expect(await screening.screen(ask(verifier))).toMatchObject({ ...failed, creditsSpent: 0 });
      expect(verifier.calls).toHaveLength(2);
      expect(await spent()).toBe(2);
    });

    it("are three seconds apart, and a caller that retries later doesn't wait for that", async () => {
      const verifier = failingFor(1);
      const screening = screeningOn(store, { maxPaidAttempts: 3 });

      const postponed = await screening.screen(ask(verifier, { callerRetries: true }));
      expect(postponed).toMatchObject({
        error: { code: "VERIFICATION_FAILED", retryable: true, retryAtMs: START + 3_000 },
        creditsSpent: 1,
      });
      nowMs = START + 3_000;

      expect(await screening.screen(ask(verifier, { callerRetries: true }))).toMatchObject({
        outcome: "answered",
      });
      expect(verifier.calls).toHaveLength(2);
    });

    it("make every other caller wait for them", async () => {
      const verifier = failingFor(1);
      const startMs = performance.now();
      const screening = screeningOn(store, { now: Date.now });

      expect(await screening.screen(ask(verifier))).toMatchObject({ outcome: "answered", creditsSpent: 2 });
      expect(performance.now() - startMs).toBeGreaterThan(2_900);
    });

    it("count for a caller whose clock is ahead, and so does the answer", async () => {
      const verifier = failingFor(2);
      const screening = screeningOn(store, three);
      const recheck = (ahead: number) => ask(verifier, { answersSinceMs: START + ahead * MINUTE_MS });

      expect(await screening.screen(recheck(60))).toMatchObject({ error: { code: "VERIFICATION_FAILED" } });
      expect(verifier.calls).toHaveLength(2);
      expect(await screening.screen(recheck(61))).toMatchObject({ outcome: "answered", source: "service" });
      const restarted = screeningOn(store, three);
      expect(await restarted.screen(recheck(61))).toMatchObject({ outcome: "answered", source: "cache" });

      expect(verifier.calls).toHaveLength(3);
    });

    it("give a recheck an answer of its own, even at the moment at which the previous one was written", async () => {
      const verifier = createScriptedVerifier(async () => ({ result: aResult() }));
      // Writing takes a moment.
      const finishAttempt: Store["ledger"]["finish"] = async (...ended) => {
        await store.ledger.finish(...ended);
        nowMs += 5;
      };
      const screening = screeningOn({ ...store, ledger: { ...store.ledger, finish: finishAttempt } });
      await screening.screen(ask(verifier, { answersSinceMs: START - 1 }));

      // What the ledger has about the first one.
      const again = await screening.screen(ask(verifier, { answersSinceMs: START }));

      expect(again).toMatchObject({ source: "service", creditsSpent: 1 });
      expect(verifier.calls).toHaveLength(2);
    });

    it("lead to the last one only after another order was answered", async () => {
      const verifier = failingFor(2);
      const screening = screeningOn(store, three);
      await screening.screen(ask(verifier));
      nowMs += 10 * MINUTE_MS;
      expect(await screening.screen(ask(verifier))).toMatchObject({ error: { code: "VERIFICATION_FAILED" } });

      await screening.screen(ask(verifier, { request: anOrder({ orderId: "another" }) }));

      expect(await screening.screen(ask(verifier))).toMatchObject({ outcome: "answered", creditsSpent: 1 });
      expect(verifier.calls.map(({ orderId }) => orderId)).toEqual(["1001", "1001", "another", "1001"]);
    });

    it("count the answers that another process got", async () => {
      const verifier = failingFor(2);
      await screeningOn(store, three).screen(ask(verifier));
      nowMs += MINUTE_MS;
      const other = screeningOn(store, { ...three, owner: "process-2" });
      await other.screen(ask(verifier, { request: anOrder({ orderId: "another" }) }));

      const restarted = screeningOn(store, { ...three, owner: "process-3" });
      expect(await restarted.screen(ask(verifier))).toMatchObject({ outcome: "answered" });
    });

    it("lead to the last one if no other order arrives and the free call works, once in ten minutes", async () => {
      let probes = 0;
      const probe = async () => void (probes += 1);
      const verifier = failing();
      const screening = screeningOn(store, { ...three, probe });
      const orders = ["1", "2"].map((orderId) => ask(verifier, { request: anOrder({ orderId }) }));
      const screenBoth = async () => {
        for (const order of orders) await screening.screen(order);
      };
      await screenBoth();
      expect(verifier.calls).toHaveLength(4);

      nowMs += 3 * MINUTE_MS - 1;
      await screenBoth();
      expect([probes, verifier.calls.length], "answers to others come first").toEqual([0, 4]);
      nowMs += 1;
      await screenBoth();
      expect([probes, verifier.calls.length], "one finds out").toEqual([1, 5]);
      nowMs += 10 * MINUTE_MS;
      await screenBoth();
      await screenBoth();

      expect([probes, verifier.calls.length]).toEqual([2, 6]);
      const perOrder = orders.map(({ request: { orderId } }) => countCalls(verifier, orderId));
      expect(perOrder).toEqual([3, 3]);
    });

    it("are at most three a day, whoever asks, even without an id", async () => {
      const verifier = failing();
      const { orderId: _, ...anonymous } = anOrder();
      const screening = screeningOn(store, { ...three, probe: async () => undefined });
      for (let minutes = 0; minutes < 24 * 60; minutes += 20) {
        nowMs = START + minutes * MINUTE_MS;
        await screening.screen(ask(verifier));
        await screening.screen(ask(verifier, { request: anonymous }));
      }

      expect(verifier.calls).toHaveLength(6);
    });

    it("are counted afresh for a recheck", async () => {
      const verifier = failing();
      const screening = screeningOn(store, three);
      await screening.screen(ask(verifier));
      nowMs += 1;

      const again = await screening.screen(ask(verifier, { answersSinceMs: nowMs - 1 }));

      expect(again).toMatchObject({ error: { code: "VERIFICATION_FAILED" }, creditsSpent: 2 });
      expect(verifier.calls).toHaveLength(4);
    });
  });

  it("doesn't ask again after a refusal, and counts its cost", async () => {
    const verifier = createScriptedVerifier(() =>
      Promise.reject(failure("VERIFICATION_REFUSED", "yes", false)),
    );

    const screened = await screeningOn(store).screen(ask(verifier));

    expect(screened).toMatchObject({ error: { code: "VERIFICATION_REFUSED" }, creditsSpent: 1 });
    expect(verifier.calls).toHaveLength(1);
  });

  it("counts nothing for a call that was never sent", async () => {
    const verifier = createScriptedVerifier(() =>
      Promise.reject(failure("VERIFICATION_UNREACHABLE", "no", false)),
    );

    const screened = await screeningOn(store).screen(ask(verifier));

    expect(screened).toMatchObject({ outcome: "unavailable", creditsSpent: 0 });
    expect(await spent()).toBe(0);
  });

  it("responds at the deadline, lets the call finish and stores its answer", async () => {
    const gate = Promise.withResolvers<void>();
    const verifier = createScriptedVerifier(async () => {
      await gate.promise;
      return { result: aResult("medium") };
    });
    const screening = screeningOn(store);

    const screened = await screening.screen(ask(verifier, { deadlineMs: 1_500 }));
    if (screened.outcome !== "unavailable") throw new Error("expected no answer in time");
    expect(screened).toMatchObject({ error: { code: "VERIFICATION_TIMEOUT" }, creditsSpent: 1 });
    gate.resolve();

    expect(await screened.late).toMatchObject({ outcome: "answered", result: { riskLevel: "medium" } });
    expect(await screening.screen(ask(verifier))).toMatchObject({ source: "cache", creditsSpent: 0 });
    expect(verifier.calls).toHaveLength(1);
  });

  it("doesn't stop the call if one of its callers gives up", async () => {
    const gate = Promise.withResolvers<void>();
    const verifier = createScriptedVerifier(async () => {
      await gate.promise;
      return { result: aResult() };
    });
    const screening = screeningOn(store);
    const quitter = new AbortController();

    const given = screening.screen(ask(verifier, { signal: quitter.signal }));
    const stayed = screening.screen(ask(verifier));
    await verifier.called(1);
    quitter.abort(new Error("gave up"));
    await expect(given).rejects.toThrow("gave up");
    gate.resolve();

    expect(await stayed).toMatchObject({ outcome: "answered" });
    expect(verifier.calls).toHaveLength(1);
  });

  it("spends no more with the operator's key than a tenant's share, whatever the tenant's policy says", async () => {
    const verifier = createScriptedVerifier();
    const screening = screeningOn(store);
    const access = { verifier, keyId: "environment", tenantDailyCap: 2 };
    const budget = { daily: 1_000, monthly: null, perSourceHourly: null };
    const askAs = (tenant: string, orderId: string) =>
      screening.screen(ask(verifier, { tenant, access, budget, request: anOrder({ orderId }) }));

    const screened = await Promise.all(["1", "2", "3", "4", "5"].map((orderId) => askAs(TENANT, orderId)));

    expect(verifier.calls).toHaveLength(2);
    expect(screened.filter(({ outcome }) => outcome === "unavailable")).toMatchObject([
      { error: { code: "BUDGET_SPENT" } },
      { error: { code: "BUDGET_SPENT" } },
      { error: { code: "BUDGET_SPENT" } },
    ]);
    expect(await askAs("test:other", "6")).toMatchObject({ outcome: "answered" });
  });

  it("never spends more than the daily budget, however many ask at once", async () => {
    const verifier = createScriptedVerifier();
    const screening = screeningOn(store);
    const budget = { daily: 3, monthly: null };

    const screened = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        screening.screen(ask(verifier, { request: anOrder({ orderId: `order-${index}` }), budget })),
      ),
    );

    expect(verifier.calls).toHaveLength(3);
    const refused = screened.filter(
      (one) => one.outcome === "unavailable" && one.error.code === "BUDGET_SPENT",
    );
    expect(refused).toHaveLength(17);
  });

  it("counts a call as paid if its process died before the answer", async () => {
    const request = anOrder();
    const dead = screeningOn(store, { owner: "dead" });
    const fingerprint = dead.fingerprint(TENANT, request);
    const periods = { dayStartMs: 0, monthStartMs: 0 };
    const attempt = { tenant: TENANT, fingerprint, answersSinceMs: 0, orderId: "1001", owner: "dead", nowMs };
    const limits = {
      leaseMs: 15_000,
      maxPaidAttempts: 2,
      failuresSinceMs: 0,
      retryAfterMs: 0,
      reserveAfterMs: 0,
      seenHealthyAtMs: 0,
      budget: { daily: null, monthly: null, ...periods },
      amount: undefined,
      currency: undefined,
      burst: { limit: null, atMs: START, sources: [] },
      circuit: "key:none",
      trialUntilMs: START,
    };
    expect(await store.ledger.begin({ ...attempt, ...limits })).toMatchObject({ outcome: "granted" });
    nowMs = START + 15_001;

    const verifier = createScriptedVerifier();
    const screened = await screeningOn(store).screen(ask(verifier));

    expect(screened).toMatchObject({ outcome: "answered", creditsSpent: 1 });
    expect(await spent(), "the lost call and the new one").toBe(2);
  });

  it("doesn't ask while the key is refused", async () => {
    const verifier = createScriptedVerifier(() =>
      Promise.reject(failure("VERIFICATION_FORBIDDEN", "no", false)),
    );
    const screening = screeningOn(store);
    await screening.screen(ask(verifier));

    const next = await screening.screen(ask(verifier, { request: anOrder({ orderId: "1002" }) }));

    expect(next).toMatchObject({ outcome: "unavailable", error: { code: "VERIFICATION_FORBIDDEN" } });
    expect(verifier.calls).toHaveLength(1);
  });

  it("doesn't let one tenant's failing orders block another tenant that shares the key", async () => {
    const verifier = createScriptedVerifier((_call, { customerName }) => {
      if (customerName === "Poison") throw failure("VERIFICATION_FAILED", "yes", false);
      return { result: aResult() };
    });
    const screening = screeningOn(store);
    const screen = (tenant: string, orderId: string, changes = {}) =>
      screening.screen(ask(verifier, { tenant, request: anOrder({ orderId, ...changes }) }));
    for (let order = 1; order <= 6; order += 1) {
      await screen("test:a", `a${order}`, { customerName: "Poison" });
    }
    expect(verifier.calls).toHaveLength(5);

    expect(await screen("test:b", "b1")).toMatchObject({ outcome: "answered" });
  });

  it("alerts about a refused request with the names of its invalid fields, but not their values", async () => {
    const { lines, logger } = createLogRecorder();
    const refusal = new HoldfastError("VERIFICATION_REFUSED", "as scripted", {
      retryable: false,
      metered: "yes",
      fields: [{ path: "items[0].price", message: "refused by the verification service" }],
    });
    const verifier = createScriptedVerifier(() => Promise.reject(refusal));

    await screeningOn(store, { logger }).screen(ask(verifier));

    expect(lines).toEqual([
      {
        level: "error",
        alert: "verification_request_refused",
        code: "VERIFICATION_REFUSED",
        tenant: TENANT,
        orderId: "1001",
        fields: ["items[0].price"],
        err: refusal,
        message: "the verification service refused the request for an order",
      },
    ]);
  });

  it("reports a store that can't be reached instead of failing", async () => {
    const verifier = createScriptedVerifier();
    const screening = screeningOn(store);
    const broken = vi
      .spyOn(store.ledger, "findAnswer")
      .mockRejectedValue(new HoldfastError("STORE_UNAVAILABLE", "gone", { retryable: true }));

    const screened = await screening.screen(ask(verifier));
    broken.mockRestore();

    expect(screened).toMatchObject({ outcome: "unavailable", error: { code: "STORE_UNAVAILABLE" } });
    expect(verifier.calls).toHaveLength(0);
  });

  it("doesn't answer from memory what was erased while the service was being asked", async () => {
    const gate = Promise.withResolvers<void>();
    const verifier = createScriptedVerifier(async () => {
      await gate.promise;
      return { result: aResult() };
    });
    const screening = screeningOn(store);
    const asked = screening.screen(ask(verifier));
    await verifier.called(1);

    const entry = toTimelineEntry(nowMs, { kind: "erased" }, "", "platform");
    const erasure = { tenant: TENANT, orderIds: ["1001"], customerId: undefined, email: undefined };
    await store.retention.eraseOrders(erasure, entry);
    screening.forget(TENANT);
    gate.resolve();
    await asked;

    expect(await screening.screen(ask(verifier))).not.toMatchObject({ source: "cache" });
  });

  it("counts the calls that it saved", async () => {
    const verifier = createScriptedVerifier();
    const screening = screeningOn(store);
    await screening.screen(ask(verifier));
    await screening.screen(ask(verifier));
    await screening.screen(ask(verifier));
    await screening.close();

    const use = await store.ledger.creditUse(TENANT, { dayStartMs: 0, monthStartMs: Date.UTC(2026, 10, 1) });

    expect(use.savedMonth).toBe(2);
  });
});
