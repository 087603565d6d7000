import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startClockedApp, type ClockedApp, type ShownOrder } from "../support/clocked-app.ts";
import { startFailingService, type FailingService } from "../support/failing-service.ts";
import { createDatabase, type TestDatabase } from "../support/postgres-database.ts";
import { toShopOrder } from "../support/shop-orders.ts";
import { until } from "../support/until.ts";

const SHOP = "two-processes.myshopify.com";

let service: FailingService;
let database: TestDatabase;
let one: ClockedApp;
let other: ClockedApp;

beforeEach(async () => {
  placed = 0;
  service = await startFailingService();
  database = await createDatabase();
  // However busy this machine is, an answered call isn't given up: it would be repeated.
  const environment = {
    DATABASE_URL: database.url,
    DATA_KEY: randomBytes(32).toString("base64"),
    VERIFY_TIMEOUT_MS: "10000",
  };
  one = await startClockedApp({ serviceUrl: service.url, environment });
  other = await startClockedApp({ serviceUrl: service.url, environment, emulator: one.emulator });
  // All orders of this test are of one customer.
  expect(await one.put(SHOP, "api/policy", { budget: { perSourceHourly: null } })).toBe(200);
});
afterEach(async () => {
  await other.close();
  await one.close();
  await database.drop();
  await service.close();
});

const isFollowed = ({ state }: ShownOrder): boolean => state === "settled" || state === "review";

let placed = 0;

async function place(first: number, count: number): Promise<void> {
  placed += count;
  for (let number = first; number < first + count; number += 1) {
    const { orderId, body } = toShopOrder(number, { email: "low@risk.example", amount: number * 10 });
    one.emulator.shop(SHOP).addOrder({ orderId, routed: 1 });
    await (number % 2 === 0 ? one : other).deliver(SHOP, "orders/create", body);
  }
}

/** Wait until every order that was placed has arrived and been followed through. */
function untilFollowed(): Promise<readonly ShownOrder[]> {
  return one.until(SHOP, (all) => all.length === placed && all.every(isFollowed));
}

function pass(ms: number): void {
  one.pass(ms);
  other.pass(ms);
}

/**
 * A minute in parts, each shorter than a trial's time. After each, wait until the result of a trial call that has begun meanwhile is
 * stored, or time would pass that only a call that hangs takes.
 */
async function passMinute(): Promise<void> {
  for (let part = 0; part < 3; part += 1) {
    pass(20_000);
    await until(async () =>
      expect(await database.query("select 1 from circuits where trial_until > 0")).toEqual([]),
    );
  }
}

describe("two processes on one Postgres", () => {
  it("share that there are no credits, and that there are credits again", async () => {
    service.behave("no-credits");
    await place(1, 6);
    await untilFollowed();
    // Each may have had its first call under way before the other one's returned.
    expect(service.calls.length).toBeLessThanOrEqual(4);
    const before = service.calls.length;
    await place(11, 6);
    await untilFollowed();
    expect(service.calls.length).toBe(before);
    expect(await other.get(SHOP, "api/credits")).toMatchObject({ circuit: "open" });
    expect(await one.get(SHOP, "api/credits")).toMatchObject({ circuit: "open" });

    // Nine minutes without credits: one real order every three minutes, in whichever process.
    for (let minute = 0; minute < 9; minute += 1) {
      await passMinute();
      await place(100 + minute, 1);
      await untilFollowed();
    }
    expect(service.calls.length - before).toBeLessThanOrEqual(4);

    service.behave("answer");
    for (let round = 0; ; round += 1) {
      pass(600_000);
      await place(200 + round, 1);
      const orders = await untilFollowed();
      if (orders.every(({ degraded }) => !degraded)) break;
    }
    expect(await other.get(SHOP, "api/credits")).toMatchObject({ circuit: "closed" });
    const answered = await one.orders(SHOP);
    expect(answered.every(({ creditsSpent }) => creditsSpent === 1)).toBe(true);
    // Thirty waits for two processes. Each takes a busy machine seconds.
  }, 300_000);

  it("share a pause that the service asked for", async () => {
    const resetMs = one.now() + 30_000;
    service.behave({ rateLimitedUntilMs: resetMs, unit: "s" });
    await place(1, 6);
    await one.until(SHOP, (all) => all.length === 6 && all.every(({ state }) => state === "waiting"));
    const during = service.calls.length;
    expect(during).toBeLessThanOrEqual(4);

    service.behave("answer");
    pass(10_000);
    await place(7, 4);
    await one.until(SHOP, (all) => all.length === 10 && all.every(({ state }) => state === "waiting"));
    expect(service.calls.length, "nobody calls before the reset").toBe(during);

    pass(25_000);
    const orders = await one.until(SHOP, (all) => all.every(isFollowed));
    expect(orders.every(({ source, creditsSpent }) => source === "service" && creditsSpent === 1)).toBe(true);
  });
});
