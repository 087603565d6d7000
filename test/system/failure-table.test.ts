import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startClockedApp, type ClockedApp, type ShownOrder } from "../support/clocked-app.ts";
import { startFailingService, type Behaviour, type FailingService } from "../support/failing-service.ts";
import { passUntil as passTime } from "../support/pass-time.ts";
import { toShopOrder, type ShopOrder } from "../support/shop-orders.ts";

const SHOP = "failure-table.myshopify.com";
const MINUTE_MS = 60_000;

let service: FailingService;
let app: ClockedApp;
let payloads: string[] = [];

beforeEach(async () => {
  payloads = [];
  service = await startFailingService();
  app = await startClockedApp({ serviceUrl: service.url });
  expect(await app.put(SHOP, "api/policy", {})).toBe(200);
});
afterEach(async () => {
  await app.close();
  await service.close();
});

/**
 * Place `count` orders, the smallest first, so that the order of asking isn't that of placing. The sandbox engine judges each
 * as `level`.
 */
async function place(count: number, level = "low"): Promise<readonly ShopOrder[]> {
  const email = `${level}@risk.example`;
  const placed = Array.from({ length: count }, (_, index) =>
    toShopOrder(index + 1, { email, amount: (index + 1) * 100 }),
  );
  for (const { orderId, body } of placed) {
    app.emulator.shop(SHOP).addOrder({ orderId, routed: 1, payload: body });
    payloads.push(body);
    expect(await app.deliver(SHOP, "orders/create", body)).toBe(200);
  }
  return placed;
}

const isFollowed = ({ state }: ShownOrder): boolean => state === "settled" || state === "review";
const allFollowed = (count: number) => (orders: readonly ShownOrder[]) =>
  orders.length === count && orders.every(isFollowed);
const allAnswered = (count: number) => (orders: readonly ShownOrder[]) =>
  allFollowed(count)(orders) && orders.every(({ degraded }) => !degraded);

/** Let time pass in steps, as it would, until the condition holds. */
const passUntil = (stepMs: number, condition: (orders: readonly ShownOrder[]) => boolean) =>
  passTime({ app, service, shop: SHOP, wake: payloads[0] ?? "{}" }, stepMs, condition);

const paid = (): number => service.calls.filter((call) => call.paid).length;
const credits = (orders: readonly ShownOrder[]): number =>
  orders.reduce((sum, { creditsSpent }) => sum + creditsSpent, 0);
const cancellations = (placed: readonly ShopOrder[]): number =>
  placed.flatMap(({ orderId }) => app.emulator.shop(SHOP).findOrder(orderId)?.cancellations ?? []).length;
/** Holds on goods that haven't shipped yet: the holds of a canceled order end with it. */
const holds = (placed: readonly ShopOrder[]): number =>
  placed.flatMap(({ orderId }) =>
    (app.emulator.shop(SHOP).findOrder(orderId)?.fulfillmentOrders ?? []).flatMap((one) =>
      one.status === "CANCELLED" ? [] : one.holds,
    ),
  ).length;

describe("the failure table", () => {
  it("402: three calls at most for ten orders, one alert, and everything is asked again afterwards, the highest value first", async () => {
    // All orders are decided at one moment, however slow the machine is. So only their amounts say when they are due again.
    app.stopClock();
    service.behave("no-credits");
    const placed = await place(10, "critical");
    const without = await app.until(SHOP, allFollowed(10));

    expect(service.calls.length).toBeLessThanOrEqual(3);
    expect(without.every(({ degraded, source }) => degraded && source === "local")).toBe(true);
    expect(credits(without)).toBe(0);
    expect(cancellations(placed), "a guess never cancels").toBe(0);
    expect(app.alerts("verification_no_credits")).toHaveLength(1);

    const before = service.calls.length;
    service.behave("answer");
    // In steps smaller than the time between their next calls.
    const after = await passUntil(5_000, allAnswered(10));

    expect(credits(after)).toBe(10);
    expect(paid()).toBe(10);
    expect(cancellations(placed), "the service's answer does").toBe(10);
    expect(holds(placed)).toBe(0);
    // Orders that are due in one step of time are asked about at once, so only the ends of the list are certain.
    // test/pipeline/catching-up.test.ts shows the whole order.
    const amounts = service.calls.slice(before).map(({ orderAmount }) => orderAmount);
    const places = (asked: readonly number[]) => asked.map((amount) => amounts.indexOf(amount));
    expect(Math.max(...places([1_000, 900, 800])), `asked in the order ${amounts.join(", ")}`).toBeLessThan(
      Math.min(...places([300, 200, 100])),
    );
    expect(app.alerts("verification_no_credits"), "one incident").toHaveLength(1);
  });

  it("402 that lasts: one real order every few minutes tests the service, no more", async () => {
    service.behave("no-credits");
    await place(10);
    await app.until(SHOP, allFollowed(10));
    const before = service.calls.length;

    for (let minute = 0; minute < 12; minute += 1) {
      app.pass(MINUTE_MS);
      await passUntil(0, () => true);
    }

    // Twelve minutes at one probe every three.
    expect(service.calls.length - before).toBeLessThanOrEqual(4);
    expect(app.alerts("verification_no_credits")).toHaveLength(1);
  });

  it.each(["unauthorized", "forbidden"] as const)(
    "%s: opens at once, closes after the free call, and releases what the answers don't support",
    async (behaviour) => {
      service.behave(behaviour);
      expect(await app.put(SHOP, "api/policy", { whenUnavailable: "hold" })).toBe(200);
      const placed = await place(10, "low");
      await app.until(SHOP, allFollowed(10));
      expect(service.calls.length).toBeLessThanOrEqual(3);
      expect(holds(placed)).toBe(10);
      expect(app.alerts("verification_key_refused")).toHaveLength(1);

      service.behave("answer");
      const after = await passUntil(30_000, allAnswered(10));

      expect(service.probes).toBeGreaterThan(0);
      expect(credits(after)).toBe(10);
      expect(holds(placed), "no hold stays without a reason").toBe(0);
      expect(after.map(({ action }) => action)).toEqual(after.map(() => "allow"));
    },
  );

  it.each(["s", "ms"] as const)(
    "429 with a reset in %s: waits for it, spends nothing and then asks once for each",
    async (unit) => {
      const resetMs = app.now() + 40_000;
      service.behave({ rateLimitedUntilMs: resetMs, unit });
      await place(10);
      await app.until(
        SHOP,
        (orders) => orders.every(({ state }) => state === "waiting") && orders.length === 10,
      );
      const during = service.calls.length;
      expect(during).toBeLessThanOrEqual(10);
      app.pass(20_000);
      await passUntil(0, () => true);
      expect(service.calls.length, "nothing before the reset").toBe(during);

      service.behave("answer");
      app.pass(25_000);
      const after = await app.until(SHOP, allFollowed(10));

      expect(after.every(({ source, creditsSpent }) => source === "service" && creditsSpent === 1)).toBe(
        true,
      );
      expect(paid()).toBe(10);
    },
  );

  it("connection refused: costs nothing, and every order is asked about once the service listens again", async () => {
    await service.goDown();
    const placed = await place(5, "critical");
    const without = await passUntil(20_000, allFollowed(5));
    expect(without.every(({ degraded }) => degraded)).toBe(true);
    expect(credits(without)).toBe(0);
    expect(cancellations(placed)).toBe(0);
    expect(app.alerts("verification_unavailable")).toHaveLength(1);

    await service.comeBack();
    const after = await passUntil(30_000, allAnswered(5));

    expect(credits(after)).toBe(5);
    expect(paid()).toBe(5);
    expect(cancellations(placed)).toBe(5);
  });

  it.each<Behaviour>([
    "server-error",
    "unavailable-page",
    "reset",
    "silence",
    "truncated",
    "oversized",
    "page",
    "unknown-level",
  ])(
    "%s: isn't an answer, costs two calls at most, never cancels, and is asked again later",
    async (behaviour) => {
      service.behave(behaviour);
      expect(await app.put(SHOP, "api/policy", { whenUnavailable: "hold" })).toBe(200);
      const placed = await place(4, "critical");
      const without = await passUntil(20_000, allFollowed(4));

      const callsPerOrder = (): readonly number[] =>
        placed.map(({ orderId }) => service.calls.filter((call) => call.orderId === orderId).length);
      const perOrder = callsPerOrder();
      expect(Math.max(...perOrder), `calls per order: ${perOrder.join(", ")}`).toBeLessThanOrEqual(2);
      expect(without.every(({ degraded, source }) => degraded && source === "policy")).toBe(true);
      expect(without.map(({ action }) => action)).toEqual(without.map(() => "hold"));
      expect(cancellations(placed)).toBe(0);
      expect(credits(without), "the ledger has every call").toBe(service.calls.length);

      service.behave("answer");
      const after = await passUntil(30_000, allAnswered(4));

      expect(callsPerOrder(), "one more each").toEqual(perOrder.map((calls) => calls + 1));
      expect(credits(after)).toBe(service.calls.length);
      expect(cancellations(placed)).toBe(4);
      expect(after.map(({ state }) => state)).toEqual(after.map(() => "settled"));
    },
  );

  it("wrong-shape: an answer whose level can be read decides, and is paid for once", async () => {
    service.behave("wrong-shape");
    // The service answers "critical" and a score that is text; the local engine finds nothing.
    const placed = await place(2, "low");
    const orders = await app.until(SHOP, allFollowed(2));

    const answered = { source: "service", degraded: false, riskLevel: "critical", action: "cancel" };
    expect(orders).toMatchObject([answered, answered]);
    expect(cancellations(placed)).toBe(2);
    expect(service.calls.length).toBe(2);
    expect(credits(orders)).toBe(2);
  });

  it("400: one paid call, no second, reported as Holdfast's own defect", async () => {
    service.behave("refuse-content");
    const placed = await place(3);
    const orders = await app.until(SHOP, allFollowed(3));
    expect(orders.every(({ degraded }) => degraded)).toBe(true);
    expect(app.alerts("verification_request_refused")).toHaveLength(3);

    service.behave("answer");
    for (let minute = 0; minute < 5; minute += 1) {
      app.pass(MINUTE_MS);
      await passUntil(0, () => true);
    }

    expect(service.calls.length).toBe(placed.length);
    expect(new Set(service.calls.map(({ orderId }) => orderId))).toEqual(
      new Set(placed.map(({ orderId }) => orderId)),
    );
    expect(credits(await app.orders(SHOP))).toBe(3);
  });
});
