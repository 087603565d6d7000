import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLevelShiftWatch, listLevelShifts } from "../../../src/pipeline/chores/level-shift-watch.ts";
import type { RiskLevel } from "../../../src/order/risk-level.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { createLogRecorder } from "../../support/log-recorder.ts";
import { createTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { claim, decision, entry, order } from "../../store/samples.ts";

const TENANT = "test:shop";
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** A Friday at noon in UTC. */
const NOON = Date.UTC(2026, 10, 20, 12);
const signal = new AbortController().signal;

let store: Store;
let platform: TestPlatform;
let nowMs: number;
let received: number;
let log: ReturnType<typeof createLogRecorder>;

beforeEach(async () => {
  store = await createTestStore();
  platform = createTestPlatform();
  nowMs = NOON;
  received = 0;
  log = createLogRecorder();
  await store.tenants.saveCredential(TENANT, "test", "secret", "installed", NOON);
});
afterEach(() => store.close());

async function receive(count: number, riskLevel: RiskLevel, receivedAtMs: number): Promise<void> {
  const first = received;
  received += count;
  for (let at = first; at < received; at += 1) {
    await store.orders.receive(
      order(`o${at}`, { tenant: TENANT, platform: "test", receivedAtMs }),
      entry("received"),
    );
  }
  await store.orders.claim(claim("p1", { nowMs: NOON, limit: 1_000 }));
  for (let at = first; at < received; at += 1) {
    const changes = { state: "settled", dueAtMs: null, decision: decision({ riskLevel }) } as const;
    await store.orders.save({ tenant: TENANT, orderId: `o${at}` }, "p1", { changes, release: true });
  }
}

/** 60 orders at 11 on each of the four Fridays before, one of them critical. */
async function receiveUsual(): Promise<void> {
  for (const week of [1, 2, 3, 4]) {
    const atMs = NOON - week * 7 * DAY_MS - 60 * MINUTE_MS;
    await receive(59, "low", atMs);
    await receive(1, "critical", atMs);
  }
}

const look = (owner = "app:1", of: Store = store) =>
  createLevelShiftWatch({
    store: of,
    platforms: [platform],
    owner,
    now: () => nowMs,
    logger: log.logger,
  }).run(signal);

const told = () =>
  log.lines.map(({ alert, resolved, problem }) => [
    alert === undefined ? "over" : "begins",
    alert ?? resolved,
    problem,
  ]);
const BEGINS = ["begins", "levels_shifted", "high-critical-up"];
const OVER = ["over", "levels_shifted", "high-critical-up"];

describe("createLevelShiftWatch", () => {
  it("reports a shift once, and its end with the day", async () => {
    await receiveUsual();
    await receive(50, "low", NOON - 30 * MINUTE_MS);
    await look();
    expect(told()).toEqual([]);

    await receive(8, "high", NOON - 20 * MINUTE_MS);
    nowMs += 30 * MINUTE_MS;
    await look();
    nowMs += 30 * MINUTE_MS;
    await look("app:2");
    expect(told()).toEqual([BEGINS]);
    expect(log.lines[0]).toMatchObject({
      level: "warn",
      tenant: TENANT,
      found: 8,
      today: { orders: 58, elevated: 8, medium: 0 },
      before: { orders: 240, elevated: 4, medium: 0 },
    });
    expect(await listLevelShifts(store, TENANT, 0)).toEqual(["high-critical-up"]);

    nowMs += DAY_MS;
    await look();
    await look();
    expect(told()).toEqual([BEGINS, OVER]);
    expect(await listLevelShifts(store, TENANT, 0)).toEqual([]);
  });

  it("starts over on each day that differs, even without a look in between", async () => {
    await receiveUsual();
    await receive(60, "high", NOON - 20 * MINUTE_MS);
    await look();
    const saturday = NOON + 12 * 60 * MINUTE_MS;
    for (const week of [1, 2, 3, 4]) {
      const atMs = saturday + 60 * MINUTE_MS - week * 7 * DAY_MS;
      await receive(59, "low", atMs);
      await receive(1, "critical", atMs);
    }
    nowMs = saturday + 120 * MINUTE_MS;
    await receive(60, "high", nowMs - 60 * MINUTE_MS);
    expect(await listLevelShifts(store, TENANT, saturday)).toEqual([]);

    await look();

    expect(told()).toEqual([BEGINS, OVER, BEGINS]);
    expect(await listLevelShifts(store, TENANT, saturday)).toEqual(["high-critical-up"]);
  });

  it("uses the shop's days", async () => {
    // 11:01 in UTC is a minute past midnight in Auckland: today has no orders yet.
    platform.readLocale = async () => ({ timeZone: "Pacific/Auckland", currency: null });
    nowMs = Date.UTC(2026, 10, 20, 11, 1);
    await receiveUsual();
    await receive(60, "high", nowMs - 2 * MINUTE_MS);

    await look();

    expect(told()).toEqual([]);
  });

  it("compares nothing while the shop's clock isn't known", async () => {
    platform.readLocale = async () => {
      throw new Error("not now");
    };
    await receiveUsual();
    await receive(60, "high", NOON - MINUTE_MS);

    await look();

    expect(await listLevelShifts(store, TENANT, 0)).toEqual([]);
    expect(log.lines).toHaveLength(1);
  });

  it("measures a tenant in one process at a time", async () => {
    let measured = 0;
    const counted: Store = {
      ...store,
      figures: {
        ...store.figures,
        tallyDays: async () => {
          measured += 1;
          return [];
        },
      },
    };

    await Promise.all([look("app:1", counted), look("app:2", counted)]);

    expect(measured).toBe(5);
  });
});
