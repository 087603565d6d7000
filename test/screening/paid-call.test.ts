import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createCircuitSharing } from "../../src/screening/circuit-sharing.ts";
import type { ScreeningParts } from "../../src/screening/screening-task.ts";
import type { Screening } from "../../src/screening/screening.ts";
import { createTestStore } from "../support/test-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createCircuitBreaker } from "../../src/service/circuit-breaker.ts";
import { toCircuitName } from "../../src/service/circuit-rules.ts";
import { createLogRecorder } from "../support/log-recorder.ts";
import { aResult, anOrder } from "../support/orders.ts";
import { ask, failure, startScreening, TENANT } from "../support/screenings.ts";
import { until } from "../support/until.ts";
import { createScriptedVerifier } from "../support/verifier.ts";
import { toTimelineEntry } from "../../src/pipeline/timeline.ts";

const START = Date.UTC(2026, 10, 20, 12);

let nowMs: number;
let store: Store;
const open: Screening[] = [];
const now = () => nowMs;

function screeningOn(at: Store, changes: Partial<ScreeningParts> = {}): Screening {
  const screening = startScreening(at, now, changes);
  open.push(screening);
  return screening;
}

/** The store, which saves no end of a call while it is down. */
function withEnds(isDown: () => boolean): Store {
  const finishAttempt: Store["ledger"]["finish"] = (...ended) =>
    isDown()
      ? Promise.reject(new HoldfastError("STORE_UNAVAILABLE", "gone", { retryable: true }))
      : store.ledger.finish(...ended);
  return { ...store, ledger: { ...store.ledger, finish: finishAttempt } };
}

beforeEach(async () => {
  nowMs = START;
  store = await createTestStore();
});

afterEach(async () => {
  for (const screening of open.splice(0)) await screening.close();
  await store.close();
});

describe("a screening", () => {
  it("answers a known order while a recheck of it is under way", async () => {
    const gate = Promise.withResolvers<void>();
    const verifier = createScriptedVerifier(async (call) => {
      if (call === 2) await gate.promise;
      return { result: aResult() };
    });
    const screening = screeningOn(store);
    await screening.screen(ask(verifier));
    const again = screening.screen(ask(verifier, { answersSinceMs: START }));
    await verifier.called(2);

    expect(await screening.screen(ask(verifier))).toMatchObject({ source: "cache" });
    gate.resolve();
    expect(await again).toMatchObject({ source: "service" });
  });

  it("tries again for as long as its most patient caller waits", async () => {
    const gate = Promise.withResolvers<void>();
    const verifier = createScriptedVerifier(async (call) => {
      if (call > 1) return { result: aResult() };
      await gate.promise;
      const again = { retryable: true, metered: "no", retryAtMs: nowMs + 20 } as const;
      throw new HoldfastError("VERIFICATION_UNREACHABLE", "as scripted", again);
    });
    const screening = screeningOn(store);
    const impatient = screening.screen(ask(verifier, { deadlineMs: 10 }));
    await verifier.called(1);
    const patient = screening.screen(ask(verifier, { deadlineMs: 60_000 }));
    await impatient;
    gate.resolve();

    expect(await patient).toMatchObject({ outcome: "answered", source: "cache", creditsSpent: 0 });
  });

  it.each([
    ["with ids", true],
    ["without ids", false],
  ])(
    "alerts once about a flood of orders %s, and counts each that it stops as a saved call",
    async (_case, hasId) => {
      const verifier = createScriptedVerifier();
      const { logger, lines } = createLogRecorder();
      const screening = screeningOn(store, { logger });
      const budget = { daily: null, monthly: null, perSourceHourly: 1 };
      for (const amount of [10, 20, 30]) {
        const { orderId = "", ...rest } = anOrder({ orderId: `id-${amount}`, orderAmount: amount });
        await screening.screen(ask(verifier, { request: hasId ? { ...rest, orderId } : rest, budget }));
      }
      await screening.close();

      expect(verifier.calls).toHaveLength(1);
      expect(lines.filter(({ alert }) => alert === "burst_braked")).toHaveLength(1);
      const use = await store.ledger.creditUse(TENANT, { dayStartMs: 0, monthStartMs: 0 });
      expect(use.savedMonth).toBe(2);
    },
  );

  it("learns from the ledger that another process holds a key's calls back", async () => {
    const breaker = createCircuitBreaker({ now });
    const screening = screeningOn(store, { breaker });
    const block = { code: "VERIFICATION_NO_CREDITS", untilMs: START + 60_000, pause: false } as const;
    await store.ledger.saveBlock(toCircuitName("key"), block);

    const screened = await screening.screen(ask(createScriptedVerifier(), { callerRetries: true }));

    expect(screened).toMatchObject({ outcome: "unavailable", error: { code: block.code } });
    expect(breaker.circuits()).toEqual([{ tenant: TENANT, blocked: true }]);
  });

  it("ends a trial for the other processes too", async () => {
    const block = { code: "VERIFICATION_NO_CREDITS", untilMs: START - 1, pause: false } as const;
    await store.ledger.saveBlock(toCircuitName("key"), block);
    const sharing = createCircuitSharing({ store, logger: SILENT_LOGGER, now });
    const verifier = createScriptedVerifier();
    await screeningOn(store, { sharing }).screen(ask(verifier));
    await sharing.settle();

    const other = screeningOn(store, { owner: "process-2" });
    const request = anOrder({ orderId: "another" });

    expect(await other.screen(ask(verifier, { request, callerRetries: true }))).toMatchObject({
      outcome: "answered",
    });
  });

  it("says that an order may get credits later if larger ones have priority", async () => {
    const placed = {
      platform: "test",
      name: "",
      customerId: undefined,
      receivedAtMs: START,
      currency: "USD",
    };
    const mapped = { outcome: "screenable", test: false, request: anOrder({ orderId: "large" }) } as const;
    const large = { ...placed, tenant: TENANT, orderId: "large", mapped, amount: 9_000 };
    await store.orders.receive(large, toTimelineEntry(START, { kind: "received" }, ""));
    const verifier = createScriptedVerifier();

    const screened = await screeningOn(store).screen(ask(verifier, { budget: { daily: 1, monthly: null } }));

    expect(screened).toMatchObject({ error: { code: "BUDGET_SPENT", retryable: true } });
    expect(verifier.calls).toEqual([]);
  });

  it("doesn't repeat a failed call for a caller that does so itself, or one that needs a person", async () => {
    const again = { retryable: true, metered: "no", retryAtMs: START + 20 } as const;
    const verifier = createScriptedVerifier((call) => {
      if (call === 1) throw new HoldfastError("VERIFICATION_UNREACHABLE", "as scripted", again);
      throw new HoldfastError("VERIFICATION_NO_CREDITS", "as scripted", again);
    });
    const screening = screeningOn(store);

    expect(await screening.screen(ask(verifier, { callerRetries: true }))).toMatchObject({
      error: { code: "VERIFICATION_UNREACHABLE" },
    });
    // Not even if its caller would wait until somebody may have bought credits.
    expect(await screening.screen(ask(verifier, { deadlineMs: 3_600_000 }))).toMatchObject({
      error: { code: "VERIFICATION_NO_CREDITS" },
    });
    expect(verifier.calls).toHaveLength(2);
  });

  it("records the end of a call later if the store fails at first", async () => {
    const finishAttempt = vi
      .fn<Store["ledger"]["finish"]>((...ended) => store.ledger.finish(...ended))
      .mockRejectedValueOnce(new HoldfastError("STORE_UNAVAILABLE", "gone", { retryable: true }));
    const verifier = createScriptedVerifier();
    await screeningOn({ ...store, ledger: { ...store.ledger, finish: finishAttempt } }).screen(ask(verifier));
    await until(() => finishAttempt.mock.settledResults.at(1)?.type === "fulfilled");

    const other = screeningOn(store, { owner: "process-2" });

    expect(await other.screen(ask(verifier))).toMatchObject({ source: "cache" });
    expect(verifier.calls).toHaveLength(1);
  });

  it("records the end of a call within a second after an outage of the store, however long that was", async () => {
    let isDown = true;
    const failing = withEnds(() => isDown);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await screeningOn(failing).screen(ask(createScriptedVerifier()));
      await vi.advanceTimersByTimeAsync(600_000);
      isDown = false;
      await vi.advanceTimersByTimeAsync(1_000);
    } finally {
      vi.useRealTimers();
    }

    expect((await store.ledger.creditUse(TENANT, { dayStartMs: 0, monthStartMs: 0 })).spentToday).toBe(1);
    const verifier = createScriptedVerifier();
    expect(await screeningOn(store).screen(ask(verifier))).toMatchObject({ source: "cache" });
    expect(verifier.calls).toHaveLength(0);
  });

  it("tries once more to record the end of a call as it closes", async () => {
    let isDown = true;
    const failing = withEnds(() => isDown);
    const screening = screeningOn(failing);
    await screening.screen(ask(createScriptedVerifier()));
    isDown = false;
    await screening.close();

    expect(await screeningOn(store).screen(ask(createScriptedVerifier()))).toMatchObject({ source: "cache" });
  });

  it.each([
    ["a block that another process ended", "VERIFICATION_NO_CREDITS", "answered"],
    ["no pause, which ends by itself", "VERIFICATION_RATE_LIMITED", "unavailable"],
  ] as const)("lifts %s", async (_case, code, outcome) => {
    const breaker = createCircuitBreaker({ now });
    breaker.learn("key", { code, pause: false, retryAtMs: START + 60_000 });
    const sharing = createCircuitSharing({ store, logger: SILENT_LOGGER, now });
    const screening = screeningOn(store, { breaker, sharing });

    const screened = await screening.screen(ask(createScriptedVerifier(), { callerRetries: true }));

    expect(screened).toMatchObject({ outcome });
  });

  it("gives another order the key's trial if the store fails before the call", async () => {
    const verifier = createScriptedVerifier((call) => {
      if (call === 1) throw failure("VERIFICATION_NO_CREDITS", "no");
      return { result: aResult() };
    });
    const screening = screeningOn(store);
    const askFor = (orderId: string) =>
      screening.screen(ask(verifier, { request: anOrder({ orderId }), callerRetries: true }));
    await askFor("1");
    nowMs += 60 * 60_000;
    const broken = vi
      .spyOn(store.ledger, "begin")
      .mockRejectedValueOnce(new HoldfastError("STORE_UNAVAILABLE", "gone", { retryable: true }));
    await askFor("2");
    broken.mockRestore();

    expect(await askFor("3")).toMatchObject({ outcome: "answered" });
  });

  it.each([
    ["if that one was never sent", failure("VERIFICATION_UNREACHABLE", "no"), 3],
    ["but not if that one may have been billed", failure("VERIFICATION_TIMEOUT", "unknown"), 2],
  ])("makes an order's last call although another call failed, %s", async (_case, error, calls) => {
    const verifier = createScriptedVerifier((_call, { orderId }) => {
      throw orderId === "another" ? error : failure("VERIFICATION_FAILED", "yes");
    });
    const screening = screeningOn(store, {
      maxPaidAttempts: 3,
      retryAfterMs: 0,
      probe: async () => undefined,
    });
    await screening.screen(ask(verifier));
    nowMs += 600_000;
    const another = anOrder({ orderId: "another" });
    await screening.screen(ask(verifier, { request: another, callerRetries: true }));

    await screening.screen(ask(verifier));

    expect(verifier.calls.filter(({ orderId }) => orderId === "1001")).toHaveLength(calls);
  });

  it("makes no last call while the free call fails, which it makes once in ten minutes", async () => {
    const verifier = createScriptedVerifier(() => Promise.reject(failure("VERIFICATION_FAILED", "yes")));
    let probes = 0;
    const probe = () => {
      probes += 1;
      return Promise.reject(failure("VERIFICATION_UNREACHABLE", "no"));
    };
    const screening = screeningOn(store, { maxPaidAttempts: 3, retryAfterMs: 0, probe });
    const screen = (orderId: string) => screening.screen(ask(verifier, { request: anOrder({ orderId }) }));
    await screen("1");
    await screen("2");
    nowMs += 3_600_000;

    for (const orderId of ["1", "2"])
      expect(await screen(orderId)).toMatchObject({ error: { code: "VERIFICATION_FAILED" } });
    expect([probes, verifier.calls.length]).toEqual([1, 4]);
    nowMs += 600_000;
    await screen("2");
    expect(probes).toBe(2);
  });
});
