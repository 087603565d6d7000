import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HoldfastError } from "../../../src/base/errors.ts";
import {
  createRetentionChore,
  toRetentionLimits,
  type RetentionOptions,
} from "../../../src/pipeline/chores/retention-chore.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { Store } from "../../../src/store/store.ts";
import type { RetentionChunk } from "../../../src/store/retention/aged-rows.ts";
import { toLogFields } from "../../../src/base/log-redaction.ts";
import { createLogRecorder } from "../../support/log-recorder.ts";
import { claim, decision, entry, order, result, T0, TENANT } from "../../store/samples.ts";
import { until } from "../../support/until.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const signal = new AbortController().signal;

let store: Store;
let nowMs: number;
let log: ReturnType<typeof createLogRecorder>;

const retention = (changes: Partial<RetentionOptions> = {}) =>
  createRetentionChore({ store, logger: log.logger, now: () => nowMs, owner: "app:1", ...changes });

const alerts = () => log.lines.filter(({ alert }) => alert !== undefined);

async function settle(orderId: string, receivedAtMs: number): Promise<void> {
  await store.orders.receive(order(orderId, { receivedAtMs }), entry("received", receivedAtMs));
  await store.orders.claim(claim("p1"));
  await store.orders.save({ tenant: TENANT, orderId }, "p1", {
    changes: { state: "settled", dueAtMs: null, decision: decision(), result: result() },
    release: true,
  });
}

/** The state after a recent run, so that the next run sees no jump. */
async function haveRun(atMs: number): Promise<void> {
  await store.cursors.save("", "retention-content", atMs - 30 * DAY_MS);
  await store.cursors.save("", "retention-orders", atMs - 90 * DAY_MS);
}

/** The store with another way to erase. */
function erasing(eraseAged: Store["retention"]["eraseAged"]): Store {
  return { ...store, retention: { ...store.retention, eraseAged } };
}

beforeEach(async () => {
  store = await createTestStore();
  nowMs = T0;
  log = createLogRecorder();
  await haveRun(T0 - HOUR_MS);
});
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
});

describe("toRetentionLimits", () => {
  it("keeps the month's ledger, and deliveries for as long as they may be repeated", () => {
    const limits = toRetentionLimits({ contentDays: 1, ordersDays: 1 }, T0);

    expect(limits.contentBeforeMs).toBe(T0 - DAY_MS);
    expect(limits.ordersBeforeMs).toBe(T0 - DAY_MS);
    expect(limits.ledgerBeforeMs).toBe(Date.UTC(2026, 10, 1));
    expect(limits.deliveriesBeforeMs).toBe(T0 - 7 * DAY_MS);
    expect(limits.quotasBeforeMs).toBeLessThanOrEqual(T0 - 14 * DAY_MS);
  });

  it("erases the ledger with its orders once the month is long over", () => {
    const limits = toRetentionLimits({ contentDays: 30, ordersDays: 90 }, T0);

    expect(limits.ledgerBeforeMs).toBe(T0 - 90 * DAY_MS);
    expect(limits.deliveriesBeforeMs).toBe(T0 - 90 * DAY_MS);
    expect(limits.awaitingBeforeMs).toBe(T0 - 7 * DAY_MS);
  });
});

describe("createRetentionChore", () => {
  it("erases what is too old, and reports how much in one line", async () => {
    await settle("emptied", T0 - 31 * DAY_MS);
    await settle("gone", T0 - 91 * DAY_MS);
    await settle("young", T0 - 29 * DAY_MS);

    expect(await retention().run(signal)).toEqual({ "order-content": 2, orders: 1 });

    const lines = log.lines.filter(({ level }) => level === "info");
    expect(lines.map((line) => toLogFields(line))).toEqual([
      expect.objectContaining({ erased: { "order-content": 2, orders: 1 } }),
    ]);
    const timeline = await store.orders.listTimeline({ tenant: TENANT, orderId: "emptied" });
    expect(timeline.at(-1)).toEqual({
      atMs: T0,
      kind: "erased",
      detail: "content, after 30 days",
      event: { kind: "erased" },
      actor: "holdfast",
    });
  });

  it("keeps data for as long as configured", async () => {
    await settle("a", T0 - 3 * DAY_MS);
    await settle("b", T0 - 6 * DAY_MS);
    await settle("young", T0 - DAY_MS);

    const keeping = retention({ keep: { contentDays: 2, ordersDays: 5 } });
    await keeping.run(signal);
    nowMs += 6 * HOUR_MS;
    expect(await keeping.run(signal)).toEqual({
      "order-content": 2,
      orders: 1,
    });
  });

  it("runs in one process at a time, and not again until the next hour", async () => {
    const { promise: under, resolve: begun } = Promise.withResolvers<void>();
    const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
    const slow = retention({
      store: erasing(async (...args) => {
        begun();
        await until;
        return store.retention.eraseAged(...args);
      }),
    }).run(signal);
    await under;

    expect(await retention({ owner: "app:2" }).run(signal)).toBeNull();
    goOn();
    await slow;
    nowMs += HOUR_MS / 2;
    expect(await retention({ owner: "app:2" }).run(signal)).toBeNull();
    nowMs += HOUR_MS / 2;
    expect(await retention({ owner: "app:2" }).run(signal)).toEqual({});
  });

  it("lets another process continue when one is paused, and doesn't count as done", async () => {
    let chunks = 0;
    const still = retention({
      store: erasing(async (...args) => {
        chunks += 1;
        if (chunks === 2) {
          nowMs += 10 * 60_000;
          expect(await store.leases.acquire("retention", "app:2", nowMs, nowMs + HOUR_MS)).toBe(true);
        }
        return store.retention.eraseAged(...args);
      }),
    });

    expect(await still.run(signal)).toBeNull();

    expect(chunks).toBe(2);
    expect(await store.cursors.load("", "retention-content")).toBe(T0 - HOUR_MS - 30 * DAY_MS);
  });

  it("erases chunk after chunk, each from the end of the one before", async () => {
    const next = { atMs: 1, tenant: TENANT, id: "a" };
    const begins: unknown[] = [];
    const chunked = erasing(async (step, _limits, from) => {
      if (step !== "order-content") return { erased: 0, next: null };
      begins.push(from);
      return from === null ? { erased: 2, next } : { erased: 3, next: null };
    });

    expect(await retention({ store: chunked }).run(signal)).toEqual({ "order-content": 5 });
    expect(begins).toEqual([null, next]);
  });

  it("stops between two chunks, and leaves the rest to the next run", async () => {
    const stopping = new AbortController();
    const endless: RetentionChunk = { erased: 1, next: { atMs: 0, tenant: "", id: "" } };
    let chunks = 0;
    const running = retention({
      store: erasing(async () => {
        chunks += 1;
        if (chunks === 3) stopping.abort(new Error("stopping"));
        return endless;
      }),
    }).run(stopping.signal);

    await expect(running).rejects.toThrow("stopping");

    expect(chunks).toBe(3);
    await settle("old", T0 - 31 * DAY_MS);
    expect(await retention({ owner: "app:2" }).run(signal)).toEqual({ "order-content": 1 });
  });

  it("resumes after a crash in the middle", async () => {
    for (let index = 0; index < 3; index += 1) await settle(`o${index}`, T0 - 91 * DAY_MS - index);
    const crash = new Error("the process is gone");
    const crashing = erasing((step, limits, from) => {
      if (step === "orders") throw crash;
      return store.retention.eraseAged(step, limits, from);
    });
    await expect(retention({ store: crashing }).run(signal)).rejects.toThrow(crash);
    expect(await store.orders.get({ tenant: TENANT, orderId: "o0" })).toMatchObject({ mapped: null });

    expect(await retention({ owner: "app:2" }).run(signal)).toEqual({ orders: 3 });
    expect((await store.orders.list(TENANT, { limit: 10 })).orders).toEqual([]);
  });
});

describe("a sudden jump in what is too old", () => {
  const warnings = () => log.lines.filter(({ level }) => level === "warn");
  const rowsOf = async (...orderIds: string[]) =>
    (await Promise.all(orderIds.map((orderId) => store.orders.get({ tenant: TENANT, orderId })))).map(
      (kept) => kept?.mapped?.outcome ?? null,
    );

  async function keepThree(): Promise<void> {
    await settle("settled", T0);
    await store.orders.receive(order("held"), entry("received"));
    await store.orders.claim(claim("p1"));
    await store.orders.save({ tenant: TENANT, orderId: "held" }, "p1", {
      changes: { state: "review", decision: decision(), dueAtMs: T0 + HOUR_MS },
      release: true,
    });
    await store.orders.receive(order("undecided"), entry("received"));
  }

  const ALL = ["settled", "held", "undecided"] as const;
  const KEPT = ["screenable", "screenable", "screenable"];

  it.each([
    ["has run before", true],
    ["never has", false],
  ])("erases nothing while a clock is temporarily ahead, if it %s", async (_, hasRun) => {
    if (!hasRun) {
      await store.close();
      store = await createTestStore();
    }
    await keepThree();
    if (hasRun) expect(await retention().run(signal)).toEqual({});
    const ahead = retention({ owner: "app:gone" });

    for (const hours of [0, 1, 2]) {
      nowMs = T0 + 100 * DAY_MS + hours * HOUR_MS;
      expect(await ahead.run(signal)).toBeNull();
    }
    nowMs = T0 + 2 * HOUR_MS;
    await retention({ owner: "app:2" }).run(signal);

    expect(await rowsOf(...ALL)).toEqual(KEPT);
  });

  it("runs immediately with a correct clock, despite the lease of a wrong one", async () => {
    await settle("old", T0 - 31 * DAY_MS);
    nowMs = T0 + 100 * DAY_MS;
    await retention({ owner: "app:gone" }).run(signal);
    nowMs = T0 + HOUR_MS;

    expect(await retention({ owner: "app:2" }).run(signal)).toEqual({ "order-content": 1 });
  });

  it("doesn't run for one wrong clock of several, however long it is ahead", async () => {
    await keepThree();
    const [right, ahead] = [retention({ owner: "app:1" }), retention({ owner: "app:2" })];

    for (let hour = 0; hour < 12; hour += 1) {
      nowMs = T0 + hour * HOUR_MS;
      expect(await right.run(signal)).toEqual({});
      nowMs += 100 * DAY_MS;
      expect(await ahead.run(signal)).toBeNull();
    }

    expect(await rowsOf(...ALL)).toEqual(KEPT);
  });

  it("is accepted once it has lasted for hours, even by another process, and logged once", async () => {
    await settle("settled", T0);
    expect(await retention().run(signal)).toEqual({});
    nowMs += 31 * DAY_MS;
    expect(await retention().run(signal)).toBeNull();
    nowMs += 5 * HOUR_MS;
    expect(await retention().run(signal)).toBeNull();
    nowMs += HOUR_MS;

    expect(await retention({ owner: "app:2" }).run(signal)).toEqual({ "order-content": 1 });

    expect(warnings()).toEqual([expect.objectContaining({ jumpDays: 31 })]);
    nowMs += HOUR_MS;
    expect(await retention({ owner: "app:2" }).run(signal)).toEqual({});
  });

  it("can also come from changed settings", async () => {
    await settle("a", T0 - 20 * DAY_MS);
    expect(await retention().run(signal)).toEqual({});
    const mistyped = { keep: { contentDays: 3, ordersDays: 9 } };
    nowMs += HOUR_MS;

    expect(await retention(mistyped).run(signal)).toBeNull();
    nowMs += HOUR_MS;
    expect(await retention().run(signal)).toEqual({});

    expect(await rowsOf("a")).toEqual(["screenable"]);
    expect(warnings()).toEqual([expect.objectContaining({ jumpDays: 81 })]);
  });

  it("isn't assumed after a weekend without runs", async () => {
    await settle("a", T0 - 28 * DAY_MS);
    expect(await retention().run(signal)).toEqual({});
    nowMs += 2.5 * DAY_MS;

    expect(await retention().run(signal)).toEqual({ "order-content": 1 });
  });
});

describe("erasure that keeps failing", () => {
  const failing = () =>
    erasing(() => Promise.reject(new HoldfastError("STORE_UNAVAILABLE", "no", { retryable: true })));

  const rounds = () => log.lines.filter(({ level }) => level !== "error").length;

  /** Starts the chore and lets hours pass; the app's clock moves with the timers. Every round reports how it ended. */
  async function live(hours: number, changes: Partial<RetentionOptions> = {}): Promise<void> {
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval"] });
    const started = retention(changes);
    started.start();
    for (const ms of [60_000, ...Array.from({ length: hours }, () => HOUR_MS)]) {
      const before = rounds();
      nowMs += ms;
      await vi.advanceTimersByTimeAsync(ms);
      // The store's own turns of the event loop are real.
      await until(() => rounds() !== before);
    }
    await started.stop();
  }

  it("causes one alert a day, and only after a day", async () => {
    await live(22, { store: failing() });
    expect(alerts()).toEqual([]);

    await live(48, { store: failing(), owner: "app:2" });
    expect(alerts().map(({ alert }) => alert)).toEqual(["retention_failed", "retention_failed"]);
  });

  it("counts from the last completed run, even before a restart", async () => {
    expect(await retention().run(signal)).toEqual({});
    nowMs += 23 * HOUR_MS;
    await live(2, { store: failing(), owner: "app:2" });

    expect(alerts()).toHaveLength(1);
  });

  it("causes an alert even if the store can't say when a run last finished", async () => {
    const away = () => Promise.reject(new HoldfastError("STORE_UNAVAILABLE", "no", { retryable: true }));

    await live(24, { store: { ...failing(), cursors: { ...failing().cursors, load: away } } });

    expect(alerts()).toHaveLength(1);
  });

  it("causes no alert while it works", async () => {
    await live(49);

    expect(alerts()).toEqual([]);
    expect(log.lines.filter(({ level }) => level === "info")).toHaveLength(50);
  });
});
