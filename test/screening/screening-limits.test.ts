import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import type { ScreeningInput, ScreeningParts } from "../../src/screening/screening-task.ts";
import type { Screening } from "../../src/screening/screening.ts";
import { createPostgresStore } from "../../src/store/opening/postgres-store.ts";
import { createTestStore } from "../support/test-store.ts";
import type { Store } from "../../src/store/store.ts";
import type { Verifier } from "../../src/service/client.ts";
import { createLogRecorder } from "../support/log-recorder.ts";
import { createDatabase } from "../support/postgres-database.ts";
import { aResult, anOrder } from "../support/orders.ts";
import { createScriptedVerifier } from "../support/verifier.ts";
import { ask, startScreening } from "../support/screenings.ts";
import { until } from "../support/until.ts";

const SHUTTING_DOWN = {
  outcome: "unavailable",
  error: { code: "SHUTTING_DOWN", retryable: true },
};

let store: Store;
const open: Screening[] = [];

function screeningOn(at: Store, changes: Partial<ScreeningParts> = {}): Screening {
  const screening = startScreening(at, changes.now ?? Date.now, changes);
  open.push(screening);
  return screening;
}

const askFor = (verifier: Verifier, orderId: string, changes: Partial<ScreeningInput> = {}): ScreeningInput =>
  ask(verifier, { request: anOrder({ orderId }), ...changes });

/** A verifier that answers when the test says so. */
function createHeldVerifier() {
  const held = Promise.withResolvers<void>();
  const verifier = createScriptedVerifier(async () => {
    await held.promise;
    return { result: aResult() };
  });
  return { verifier, release: () => held.resolve() };
}

beforeEach(async () => {
  store = await createTestStore();
});

afterEach(async () => {
  vi.useRealTimers();
  for (const screening of open.splice(0)) await screening.close();
  await store.close();
});

describe("closing a screening", () => {
  it("finishes the call under way and starts no waiting one", async () => {
    const { verifier, release } = createHeldVerifier();
    const screening = screeningOn(store, { maxInFlight: 1 });
    const underWay = screening.screen(askFor(verifier, "1"));
    const waiting = ["2", "3"].map((orderId) => screening.screen(askFor(verifier, orderId)));
    await verifier.called(1);

    const closed = screening.close();
    for (const one of waiting) expect(await one).toMatchObject({ ...SHUTTING_DOWN, creditsSpent: 0 });
    release();

    expect(await underWay).toMatchObject({ outcome: "answered" });
    await closed;
    expect(verifier.calls).toHaveLength(1);
  });

  it("retries no question that pauses after a failure", async () => {
    const verifier = createScriptedVerifier(() => {
      throw new HoldfastError("VERIFICATION_FAILED", "as scripted", { retryable: true, metered: "yes" });
    });
    const finished = vi.spyOn(store.ledger, "finish");
    const screening = screeningOn(store);
    const asked = screening.screen(askFor(verifier, "1"));
    await until(() => finished.mock.settledResults[0]?.type === "fulfilled");

    await screening.close();

    expect(await asked).toMatchObject({ ...SHUTTING_DOWN, creditsSpent: 1 });
    expect(verifier.calls).toHaveLength(1);
  });

  it("starts no call whose ledger entry was being written, and cancels the entry", async () => {
    const { verifier } = createHeldVerifier();
    const writing = Promise.withResolvers<void>();
    const beginAttempt = vi.fn(async (...given: Parameters<Store["ledger"]["begin"]>) => {
      const grant = await store.ledger.begin(...given);
      await writing.promise;
      return grant;
    });
    const screening = screeningOn({ ...store, ledger: { ...store.ledger, begin: beginAttempt } });
    const asked = screening.screen(askFor(verifier, "1"));
    await until(() => beginAttempt.mock.calls.length > 0);

    const closed = screening.close();
    writing.resolve();
    await closed;

    expect(await asked).toMatchObject({ ...SHUTTING_DOWN, creditsSpent: 0 });
    expect(verifier.calls).toHaveLength(0);
    const use = await store.ledger.creditUse("test:shop", { dayStartMs: 0, monthStartMs: 0 });
    expect(use.spentToday).toBe(0);
    // Another process needn't wait for the entry's end.
    const next = askFor(createScriptedVerifier(), "1", { deadlineMs: 5_000 });
    expect(await screeningOn(store).screen(next)).toMatchObject({ outcome: "answered" });
  });

  it("leaves no ledger entry for a call whose entry waited for its turn until the store closed", async () => {
    const database = await createDatabase();
    const other = new Client(database.url);
    await other.connect();
    await other.query(`select pg_advisory_lock(hashtextextended('holdfast:ledger:test:shop', 0))`);
    const postgres = await createPostgresStore({ url: database.url, dataKey: randomBytes(32) });
    const { verifier } = createHeldVerifier();
    const screening = screeningOn(postgres);
    const asked = ["1", "2"].map((orderId) => screening.screen(askFor(verifier, orderId)));
    const waiting =
      "select count(*) from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";
    await until(async () => expect(await database.query(waiting)).toEqual([{ count: "1" }]));

    const closed = [screening.close(), postgres.close()];
    await other.end();

    for (const one of asked) expect(await one).toMatchObject({ ...SHUTTING_DOWN, creditsSpent: 0 });
    await Promise.all(closed);
    expect(await database.query("select state from attempts")).toEqual([]);
    expect(verifier.calls).toHaveLength(0);
    await database.drop();
  });

  it("rejects later questions", async () => {
    const verifier = createScriptedVerifier();
    const screening = screeningOn(store);
    await screening.close();
    await store.close();

    expect(await screening.screen(askFor(verifier, "1"))).toMatchObject(SHUTTING_DOWN);
    expect(verifier.calls).toHaveLength(0);
  });

  it("waits for a call that never ends for its time limit and five seconds, however often it is called", async () => {
    const { verifier, release } = createHeldVerifier();
    const screening = screeningOn(store);
    const asked = screening.screen(askFor(verifier, "1"));
    await verifier.called(1);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let closed = 0;

    void screening.close().then(() => (closed += 1));
    void screening.close().then(() => (closed += 1));
    await vi.advanceTimersByTimeAsync(14_999);
    expect(closed).toBe(0);
    await vi.advanceTimersByTimeAsync(1);

    await until(() => closed === 2);
    release();
    await asked;
  });
});

describe("limits set by a caller", () => {
  it("end the wait for a place, but not the question", async () => {
    const { verifier, release } = createHeldVerifier();
    const screening = screeningOn(store, { maxInFlight: 1 });
    const first = screening.screen(askFor(verifier, "1"));
    await verifier.called(1);

    const late = await screening.screen(askFor(verifier, "2", { deadlineMs: 20 }));
    if (late.outcome !== "unavailable") throw new Error("expected no answer in time");
    expect(late).toMatchObject({ error: { code: "VERIFICATION_TIMEOUT" }, creditsSpent: 0 });
    release();
    await first;

    expect(await late.late).toMatchObject({ outcome: "answered", source: "service", creditsSpent: 1 });
  });

  it("don't hide why the last call failed, which is logged", async () => {
    const failure = new HoldfastError("VERIFICATION_FAILED", "as scripted", {
      retryable: true,
      metered: "yes",
    });
    const verifier = createScriptedVerifier(() => Promise.reject(failure));
    const { lines, logger } = createLogRecorder();

    // The second call would come after three seconds.
    const late = await screeningOn(store, { logger }).screen(askFor(verifier, "1", { deadlineMs: 1_500 }));

    expect(late).toMatchObject({ outcome: "unavailable", error: failure, creditsSpent: 1 });
    expect(lines).toEqual([
      {
        level: "warn",
        code: "VERIFICATION_FAILED",
        tenant: "test:shop",
        orderId: "1",
        err: failure,
        message: "a call to the verification service failed",
      },
    ]);
  });

  it("end the wait for the store, but the question is still asked", async () => {
    const verifier = createScriptedVerifier();
    const reading = Promise.withResolvers<null>();
    const screening = screeningOn({
      ...store,
      ledger: { ...store.ledger, findAnswer: () => reading.promise },
    });

    const late = await screening.screen(askFor(verifier, "1", { deadlineMs: 20 }));
    if (late.outcome !== "unavailable") throw new Error("expected no answer in time");
    expect(late).toMatchObject({ error: { code: "VERIFICATION_TIMEOUT" }, creditsSpent: 0 });
    reading.resolve(null);

    expect(await late.late).toMatchObject({ outcome: "answered", creditsSpent: 1 });
  });

  it("end the wait for the store when the caller cancels, without a paid call", async () => {
    const verifier = createScriptedVerifier();
    const reading = Promise.withResolvers<null>();
    const findAnswer = vi.fn<Store["ledger"]["findAnswer"]>(() => reading.promise);
    const screening = screeningOn({ ...store, ledger: { ...store.ledger, findAnswer } });
    const quitter = new AbortController();

    const asked = screening.screen(askFor(verifier, "1", { signal: quitter.signal }));
    quitter.abort(new Error("gave up"));
    await expect(asked).rejects.toThrow("gave up");
    reading.resolve(null);
    await screening.screen(askFor(verifier, "2"));

    expect(verifier.calls.map(({ orderId }) => orderId)).toEqual(["2"]);
  });

  it("don't charge a caller for a shared call that they joined and got late", async () => {
    const { verifier, release } = createHeldVerifier();
    const screening = screeningOn(store);
    const first = screening.screen(askFor(verifier, "1"));
    await verifier.called(1);

    const joined = await screening.screen(askFor(verifier, "1", { deadlineMs: 20 }));
    if (joined.outcome !== "unavailable") throw new Error("expected no answer in time");
    release();

    expect(await first).toMatchObject({ source: "service", creditsSpent: 1 });
    expect(await joined.late).toMatchObject({ outcome: "answered", source: "cache", creditsSpent: 0 });
  });
});

describe("after a pause that the service asked for", () => {
  it("two calls find out whether it is over before all others start", async () => {
    let nowMs = Date.UTC(2026, 10, 20, 12);
    const held = Promise.withResolvers<void>();
    const verifier = createScriptedVerifier(async (call) => {
      if (call === 2) {
        const wait = { retryable: true, metered: "no", retryAtMs: nowMs + 60_000 } as const;
        throw new HoldfastError("VERIFICATION_RATE_LIMITED", "as scripted", wait);
      }
      if (call > 2) await held.promise;
      return { result: aResult() };
    });
    const screening = screeningOn(store, { now: () => nowMs });
    const screen = (orderId: string) => screening.screen(askFor(verifier, orderId));
    expect(await screen("1"), "the key works").toMatchObject({ outcome: "answered" });
    expect(await screen("2")).toMatchObject({ error: { code: "VERIFICATION_RATE_LIMITED" } });
    const begun = vi.spyOn(store.ledger, "begin");

    nowMs += 60_000;
    const waiting = ["2", "3", "4", "5", "6", "7"].map(screen);
    await verifier.called(4);
    expect(begun).toHaveBeenCalledTimes(2);

    held.resolve();
    for (const one of waiting) expect(await one).toMatchObject({ outcome: "answered" });
    expect(verifier.calls).toHaveLength(8);
  });
});

describe("a service that allows twelve calls a minute", () => {
  it("gets no more of a backlog than that, and at most two to refuse", async () => {
    const nowMs = Date.UTC(2026, 10, 20, 12);
    const resetAtMs = nowMs + 60_000;
    const verifier = createScriptedVerifier(async (call) => {
      await new Promise(setImmediate);
      const remaining = 12 - call;
      if (remaining >= 0) return { result: aResult(), rateLimit: { limit: 12, remaining, resetAtMs } };
      const wait = { retryable: true, metered: "no", retryAtMs: resetAtMs } as const;
      throw new HoldfastError("VERIFICATION_RATE_LIMITED", "as scripted", wait);
    });
    const screening = screeningOn(store, { now: () => nowMs });

    const orderIds = Array.from({ length: 40 }, (_, index) => String(index));
    await Promise.all(
      orderIds.map((orderId) => screening.screen(askFor(verifier, orderId, { callerRetries: true }))),
    );

    expect(verifier.calls.length).toBeGreaterThan(10);
    expect(verifier.calls.length).toBeLessThanOrEqual(14);
  });

  it("gets a backlog as a whole once it no longer names a limit", async () => {
    const held = Promise.withResolvers<void>();
    const verifier = createScriptedVerifier(async (call) => {
      if (call > 2) await held.promise;
      const rateLimit = { limit: 12, remaining: 0, resetAtMs: undefined };
      return { result: aResult(), rateLimit: call === 1 ? rateLimit : undefined };
    });
    const screening = screeningOn(store);
    for (const orderId of ["1", "2"]) await screening.screen(askFor(verifier, orderId));

    const backlog = ["3", "4", "5", "6", "7"].map((orderId) => screening.screen(askFor(verifier, orderId)));
    await verifier.called(7);
    held.resolve();
    for (const one of backlog) expect(await one).toMatchObject({ outcome: "answered" });
  });
});
