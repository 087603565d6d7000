import { afterEach, expect, it } from "vitest";
import { startClockedApp, type ClockedApp, type ShownOrder } from "../support/clocked-app.ts";
import { startFailingService, type FailingService } from "../support/failing-service.ts";
import { toShopOrder } from "../support/shop-orders.ts";

const FLOODED = "flooded.myshopify.com";
const QUIET = "quiet.myshopify.com";
const LIMIT = 5;
const FLOOD = 10 * LIMIT;

let service: FailingService;
let app: ClockedApp;

afterEach(async () => {
  await app.close();
  await service.close();
});

async function flood(payload: (number: number) => Readonly<Record<string, unknown>>): Promise<void> {
  service = await startFailingService();
  app = await startClockedApp({ serviceUrl: service.url });
  expect(await app.put(FLOODED, "api/policy", { budget: { perSourceHourly: LIMIT } })).toBe(200);
  await app.orders(QUIET);
  await Promise.all(
    Array.from({ length: FLOOD }, async (_, index) => {
      const fields = payload(index);
      const email = typeof fields["email"] === "string" ? fields["email"] : "low@risk.example";
      const order = toShopOrder(index + 1, { email, amount: 20, payload: fields });
      app.emulator.shop(FLOODED).addOrder({ orderId: order.orderId, routed: 1, payload: order.body });
      expect(await app.deliver(FLOODED, "orders/create", order.body)).toBe(200);
    }),
  );
}

const address = (index: number) => ({ ...ADDRESS, address1: `${index} Example Street` });
const ADDRESS = {
  first_name: "Jane",
  last_name: "Example",
  city: "New York",
  zip: "10118",
  country_code: "US",
  country: "United States",
};

it.each<[what: string, payload: (index: number) => Readonly<Record<string, unknown>>]>([
  ["IP address", (index) => ({ email: `bot-${index}@shop.example`, shipping_address: address(index) })],
  ["mailbox", (index) => ({ browser_ip: `198.51.100.${index}`, shipping_address: address(index) })],
  [
    "delivery address",
    (index) => ({ email: `bot-${index}@shop.example`, browser_ip: `198.51.100.${index}` }),
  ],
])(
  "a flood of one %s costs no more than the brake's credits, and all of it is held",
  async (_what, payload) => {
    await flood(payload);
    const isFollowed = ({ state }: ShownOrder) => state === "settled" || state === "review";
    const orders = await app.until(FLOODED, (all) => all.length === FLOOD && all.every(isFollowed));

    expect(service.calls.length).toBe(LIMIT);
    const asked = orders.filter(({ source }) => source === "service");
    expect(asked).toHaveLength(LIMIT);
    const braked = orders.filter(({ source }) => source === "local");
    expect(braked).toHaveLength(FLOOD - LIMIT);
    expect(new Set(braked.map(({ state, action }) => `${state} ${action}`))).toEqual(
      new Set(["review hold"]),
    );
    expect(app.alerts("burst_braked"), "one alert").toHaveLength(1);
    expect(JSON.stringify(app.lines), "without personal data").not.toContain('shop.example"');
    expect(await app.get(FLOODED, "api/credits")).toMatchObject({ spentToday: LIMIT });

    // Another shop, whose order comes from the same addresses, is not affected.
    const other = toShopOrder(1, { email: "low@risk.example", amount: 20, payload: payload(0) });
    app.emulator.shop(QUIET).addOrder({ orderId: other.orderId, routed: 1, payload: other.body });
    await app.deliver(QUIET, "orders/create", other.body);
    const [quiet] = await app.until(QUIET, (all) => all.length === 1 && all.every(isFollowed));
    expect(quiet).toMatchObject({ source: "service", creditsSpent: 1 });

    // The flood is not asked about later either.
    for (let hour = 0; hour < 4; hour += 1) {
      app.pass(3_600_000);
      await app.deliver(
        FLOODED,
        "orders/create",
        toShopOrder(1, { email: "low@risk.example", amount: 20 }).body,
      );
    }
    // New work comes after work that was due before it.
    const last = toShopOrder(2, { email: "last@risk.example", amount: 20, payload: payload(1) });
    app.emulator.shop(QUIET).addOrder({ orderId: last.orderId, routed: 1, payload: last.body });
    await app.deliver(QUIET, "orders/create", last.body);
    await app.until(QUIET, (all) => all.length === 2 && all.every(isFollowed));
    await app.until(FLOODED, (all) => all.every(isFollowed));
    expect(service.calls.length).toBe(LIMIT + 2);
  },
);
