import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAppFleet, type AppFleet, type AppProcess } from "../support/app-fleet.ts";
import { toExpectedEffects, toShown, type ShopOrder } from "../support/fleet-orders.ts";
import { until } from "../support/until.ts";

const SHOP = "platform-away.myshopify.com";
const ORDERS = 20;

let folder: string;
let fleet: AppFleet;
let app: AppProcess;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-platform-"));
  fleet = await createAppFleet({
    databaseUrl: `sqlite:${join(folder, "holdfast.db")}`,
    service: { latencyMs: 50 },
    throttle: { maximumAvailable: 2_000, restoreRate: 100 },
  });
  app = await fleet.start();
  await fleet.install(app, SHOP);
});
afterEach(async () => {
  await fleet.close();
  await rm(folder, { recursive: true, force: true });
});

async function deliverAll(orders: readonly ShopOrder[]): Promise<void> {
  const receipts = await Promise.all(orders.map((order) => fleet.deliver(app, order)));
  expect(receipts.map(({ status }) => status)).toEqual(orders.map(() => 200));
}

function expectOneCallAndEffectEach(orders: readonly ShopOrder[]): void {
  expect(toShown(fleet.emulator, orders)).toEqual(toExpectedEffects(orders));
  const asked = fleet.service.calls.map(({ orderId = "" }) => orderId);
  expect(asked.toSorted()).toEqual(orders.map(({ orderId }) => orderId).toSorted());
}

describe("a shop whose access is revoked", () => {
  it("keeps its orders waiting, alerts once, and continues when the app is opened again", async ({
    annotate,
  }) => {
    const before = fleet.newOrders(SHOP, 3);
    await deliverAll(before);
    await fleet.untilAtRest(before);
    fleet.emulator.shop(SHOP).tokens.revokeAll();

    const orders = fleet.newOrders(SHOP, ORDERS);
    await deliverAll(orders);
    const countWaiting = () => fleet.count("orders where state = 'waiting' and attempts > 1");
    await until(async () => expect(await countWaiting()).toBe(ORDERS));
    const asked = fleet.emulator.requests.length;
    await sleep(1_000);

    // The app makes no call while it knows that the access is gone.
    expect(fleet.emulator.requests).toHaveLength(asked);
    expect(app.alerts("shop_access_lost")).toHaveLength(1);
    await fleet.install(app, SHOP);
    const openedAtMs = performance.now();
    await fleet.untilAtRest([...before, ...orders]);
    await annotate(
      `${ORDERS} orders followed through ${Math.round(performance.now() - openedAtMs)} ms later`,
    );
    expectOneCallAndEffectEach([...before, ...orders]);
    expect(app.alerts("shop_access_lost")).toHaveLength(1);
  });
});

describe("a platform that throttles a shop", () => {
  it.for(["throttled", "429"] as const)(
    "is asked rarely meanwhile, and every order goes through by itself afterwards (%s)",
    async (kind, { annotate }) => {
      const callOff = fleet.emulator.fail(Number.POSITIVE_INFINITY, kind);
      const orders = fleet.newOrders(SHOP, ORDERS);
      await deliverAll(orders);
      // A fixed time instead of a condition, because the test checks how little happens.
      await sleep(5_000);
      const asked = fleet.emulator.operations.length;
      callOff();
      const overAtMs = performance.now();
      await fleet.untilAtRest(orders);

      await annotate(`${asked} calls in 5 s; over after ${Math.round(performance.now() - overAtMs)} ms`);
      // At most four calls at a time and a pause of about two seconds after each: far from one by each order and try.
      expect(asked).toBeGreaterThan(1);
      expect(asked).toBeLessThan(ORDERS);
      expectOneCallAndEffectEach(orders);
    },
  );
});
