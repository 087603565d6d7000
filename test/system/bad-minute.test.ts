import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startClockedApp, type ClockedApp, type ShownOrder } from "../support/clocked-app.ts";
import { startFailingService, type FailingService } from "../support/failing-service.ts";
import { passUntil as passTime } from "../support/pass-time.ts";
import { toShopOrder, type ShopOrder } from "../support/shop-orders.ts";
import { until } from "../support/until.ts";

const SHOP = "bad-minute.myshopify.com";
const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];

let service: FailingService;
let app: ClockedApp;
let wake: string;

beforeEach(async () => {
  service = await startFailingService();
  // Long enough for a busy machine: an answered call never times out.
  app = await startClockedApp({
    serviceUrl: service.url,
    environment: { VERIFY_TIMEOUT_MS: "10000" },
  });
  await app.orders(SHOP);
});
afterEach(async () => {
  await app.close();
  await service.close();
});

/** Whether Shopify would let a merchant ship some of it now. */
const isShippable = ({ orderId }: ShopOrder): boolean =>
  app.emulator
    .shop(SHOP)
    .order(orderId)
    .fulfillmentOrders.some(({ status }) => status === "OPEN");

/** Place orders, which the service judges as high unless told otherwise. */
async function place(count: number, first = 1, as?: "low"): Promise<readonly ShopOrder[]> {
  const placed = Array.from({ length: count }, (_, index) => {
    const number = first + index;
    // Each comes from another place, because many orders from one place are treated differently.
    const payload = {
      browser_ip: `198.51.100.${number}`,
      shipping_address: { ...ADDRESS, address1: `${number} Example Street` },
    };
    return toShopOrder(number, {
      email: `${as ?? `score-${65 + (number % 15)}`}@risk.example`,
      amount: 20,
      payload,
    });
  });
  for (const { orderId, body } of placed) {
    app.emulator.shop(SHOP).addOrder({ orderId, routed: 1, payload: body });
    expect(await app.deliver(SHOP, "orders/create", body)).toBe(200);
  }
  wake = placed[0]?.body ?? "{}";
  return placed;
}

const ADDRESS = {
  first_name: "Jane",
  last_name: "Example",
  city: "New York",
  zip: "10118",
  country_code: "US",
  country: "United States",
};

const passUntil = (stepMs: number, condition: (orders: readonly ShownOrder[]) => boolean) =>
  passTime({ app, service, shop: SHOP, wake }, stepMs, condition);
const pass = (stepMs: number) => passUntil(stepMs, () => true);

const isFollowed = ({ state }: ShownOrder): boolean => state === "settled" || state === "review";
const isAnswered = (order: ShownOrder): boolean => isFollowed(order) && order.source === "service";
const all = (count: number, isSo: (order: ShownOrder) => boolean) => (orders: readonly ShownOrder[]) =>
  orders.length === count && orders.every(isSo);
const callsOf = ({ orderId }: ShopOrder): number =>
  service.calls.filter((call) => call.orderId === orderId).length;
const reasonsOf = async ({ orderId }: ShopOrder) =>
  (await app.get(SHOP, `api/orders/${orderId}`)) as { readonly reasons: readonly string[]; problem: string };

describe("a service that fails for a while", () => {
  it("costs a lone order that meets one 500 one more call, within ten seconds", async () => {
    service.behave("server-error");
    app.stopClock();
    const startedAtMs = app.now();
    const [order] = await place(1);
    await until(() => expect(service.calls.length).toBe(1));
    service.behave("answer");

    const [shown] = await passUntil(SECOND_MS, all(1, isAnswered));

    expect(app.now() - startedAtMs).toBeLessThan(10 * SECOND_MS);
    expect(shown).toMatchObject({ riskLevel: "high", degraded: false, creditsSpent: 2 });
    expect(order && callsOf(order)).toBe(2);
  });

  it("is asked about 50 orders that meet a minute of 500s until each has its answer", async ({
    annotate,
  }) => {
    service.behave("server-error");
    const endsAtMs = app.now() + MINUTE_MS;
    const placed = await place(50);
    while (app.now() < endsAtMs) await pass(5 * SECOND_MS);
    const failedCalls = service.calls.length;
    service.behave("answer");

    const orders = await passUntil(10 * SECOND_MS, all(50, isAnswered));

    await annotate(`${failedCalls} calls failed, ${service.calls.length} in all, for 50 orders`);
    expect(failedCalls, "the circuit stops calls early").toBeLessThanOrEqual(12);
    expect(service.calls.length).toBe(50 + failedCalls);
    expect(Math.max(...placed.map(callsOf))).toBeLessThanOrEqual(3);
    expect(orders.every(({ riskLevel, degraded }) => riskLevel === "high" && !degraded)).toBe(true);
    expect(orders.reduce((sum, { creditsSpent }) => sum + creditsSpent, 0)).toBe(service.calls.length);
  });

  it("ships nothing undecided for ten minutes if orders are held while they are checked", async ({
    annotate,
  }) => {
    expect(await app.put(SHOP, "api/policy", { whileChecking: "hold" })).toBe(200);
    service.behave("server-error");
    const endsAtMs = app.now() + 10 * MINUTE_MS;
    const placed = await place(20, 1, "low");
    // Until its webhook is processed, an order is as Shopify left it.
    await until(() => expect(placed.filter(isShippable)).toEqual([]));
    let looks = 0;
    while (app.now() < endsAtMs) {
      await pass(30 * SECOND_MS);
      expect(placed.filter(isShippable)).toEqual([]);
      looks += 1;
    }
    service.behave("answer");

    await passUntil(
      30 * SECOND_MS,
      all(20, (order) => isAnswered(order) && order.state === "settled"),
    );

    await annotate(`${looks} looks in ten minutes, 20 orders held, then released`);
    expect(placed.filter(isShippable)).toHaveLength(20);
  });

  it("doesn't make a decision final when both calls failed: another order's answer opens the third", async () => {
    service.behave("server-error");
    const [order] = await place(1);
    const [without] = await passUntil(SECOND_MS, all(1, isFollowed));
    expect(without).toMatchObject({ degraded: true, creditsSpent: 2 });
    expect(order && (await reasonsOf(order))).toMatchObject({
      reasons: expect.arrayContaining(["degraded:VERIFICATION_FAILED"]) as unknown,
    });
    await pass(30 * SECOND_MS);
    service.behave("answer");
    await place(1, 2);

    await passUntil(30 * SECOND_MS, all(2, isAnswered));

    expect(order && callsOf(order)).toBe(3);
    expect(service.probes, "no free call was needed").toBeLessThanOrEqual(1);
  });

  it("is found working again by the free call when no other order arrives", async () => {
    service.behave("server-error");
    const [order] = await place(1);
    await passUntil(SECOND_MS, all(1, isFollowed));
    service.behave("answer");

    await passUntil(MINUTE_MS, all(1, isAnswered));

    expect(order && callsOf(order)).toBe(3);
  });

  it("is never paid more than three calls for an order in a day, unless a person asks", async () => {
    service.behave("server-error");
    const placed = await place(3);
    for (let minute = 0; minute < 10; minute += 1) await pass(MINUTE_MS);
    for (let hour = 0; hour < 24; hour += 1) await pass(HOUR_MS);

    const calls = placed.map(callsOf);
    expect(Math.max(...calls), `calls per order: ${calls.join(", ")}`).toBe(3);
    expect((await app.orders(SHOP)).every(({ degraded }) => degraded)).toBe(true);

    service.behave("answer");
    const [order] = placed;
    if (order === undefined) throw new Error("no order was placed");
    const before = callsOf(order);
    expect(await app.post(SHOP, `api/orders/${order.orderId}/recheck`, {})).toBe(200);
    await passUntil(MINUTE_MS, (orders) => orders.some(isAnswered));
    expect(callsOf(order)).toBe(before + 1);
  });
});
