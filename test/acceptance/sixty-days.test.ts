import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ALL_ORDERS_SCOPE } from "../../adapters/shopify/admin/scopes.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import type { EmulatedOrder } from "../../tools/emulators/shopify/emulated-order.ts";
import { startClockedApp, type ClockedApp } from "../support/clocked-app.ts";
import { toShopOrder } from "../support/shop-orders.ts";
import { readTlsFixture } from "../support/tls.ts";
import { until } from "../support/until.ts";

const SHOP = "patient.myshopify.com";
const DAY_MS = 86_400_000;
const LEFT_TO_PEOPLE = { hold: { deadlineHours: 2160, onDeadline: "keep" } };

interface Shown {
  readonly state: string;
  readonly action: string;
  readonly problem: string | null;
  readonly holdDeadline: string | null;
  readonly timeline: readonly { readonly kind: string; readonly detail: string }[];
}

let service: ReturnType<typeof createSandboxService>;
let app: ClockedApp;

beforeEach(async () => {
  service = createSandboxService({ tls: readTlsFixture("service"), latencyMs: 0 });
  const url = await service.listen();
  app = await startClockedApp({
    serviceUrl: new URL(url.href.replace("127.0.0.1", "localhost")),
    environment: { VERIFY_API_KEY: SANDBOX_API_KEY },
    hidesOldOrders: true,
  });
});

afterEach(async () => {
  await app.close();
  await service.close();
});

const shop = () => app.emulator.shop(SHOP);
const show = async (orderId: string) => (await app.get(SHOP, `api/orders/${orderId}`)) as Shown;
const becomes = (orderId: string, shown: Partial<Shown>) =>
  until(async () => expect(await show(orderId)).toMatchObject(shown));
const statuses = (order: EmulatedOrder) => order.fulfillmentOrders.map(({ status }) => status);
const decide = async (orderId: string, act: "approve" | "decline") =>
  app.post(SHOP, `api/orders/${orderId}/${act}`, {});

/** Place an order in the shop, and tell the app. */
async function place(number: number, as: "low" | "high"): Promise<EmulatedOrder & { orderId: string }> {
  const { orderId, body } = toShopOrder(number, { email: `${as}@risk.example`, amount: 120 });
  const order = shop().addOrder({ orderId });
  expect(await app.deliver(SHOP, "orders/create", body)).toBe(200);
  return Object.assign(order, { orderId });
}

/** Let days pass. */
async function passDays(days: number): Promise<void> {
  app.pass(days * DAY_MS);
  await app.orders(SHOP);
}

async function dispute(orderId: string): Promise<void> {
  const body = {
    id: 1,
    type: "inquiry",
    reason: "fraudulent",
    status: "needs_response",
    initiated_at: "2026-11-20T10:00:00Z",
  };
  const text = `{"order_id":${orderId},${JSON.stringify(body).slice(1)}`;
  expect(await app.deliver(SHOP, "disputes/create", text)).toBe(200);
}

describe.each([
  ["without read_all_orders", false],
  ["with read_all_orders", true],
])("an order on day 61 %s", (_scope, isGranted) => {
  beforeEach(() => {
    if (isGranted) shop().grant(ALL_ORDERS_SCOPE);
  });

  it("stays in review on its hold, and people are warned before and told after day 60", async () => {
    expect(await app.put(SHOP, "api/policy", LEFT_TO_PEOPLE)).toBe(200);
    const order = await place(1, "high");
    await becomes(order.orderId, { state: "review" });

    await passDays(58.1);
    if (!isGranted) await until(() => expect(app.alerts("order_hidden_soon")).toHaveLength(1));
    await passDays(2.9);
    if (!isGranted) await until(() => expect(app.alerts("order_hidden")).toHaveLength(1));
    const looks = app.emulator.operations.length;
    await passDays(1);
    await until(() => expect(app.emulator.operations.length).toBeGreaterThan(looks));

    await becomes(order.orderId, { state: "review", action: "hold" });
    expect(statuses(order)).toEqual(["ON_HOLD"]);
    expect(app.alerts("order_failed")).toEqual([]);
    expect(app.alerts("order_hidden_soon").length + app.alerts("order_hidden").length).toBe(
      isGranted ? 0 : 2,
    );
  });

  it("ships when a person approves it", async () => {
    expect(await app.put(SHOP, "api/policy", LEFT_TO_PEOPLE)).toBe(200);
    const order = await place(2, "high");
    await becomes(order.orderId, { state: "review" });

    await passDays(61);
    expect(await decide(order.orderId, "approve")).toBeLessThan(300);
    await passDays(0.1);

    await becomes(order.orderId, { state: "settled", action: "allow" });
    expect(statuses(order)).toEqual(["OPEN"]);
    expect(app.alerts("enforcement_failed")).toEqual([]);
  });

  it("is canceled when a person declines it, or the person is told to do it in Shopify", async () => {
    expect(await app.put(SHOP, "api/policy", LEFT_TO_PEOPLE)).toBe(200);
    const order = await place(3, "high");
    await becomes(order.orderId, { state: "review" });

    await passDays(61);
    expect(await decide(order.orderId, "decline")).toBeLessThan(300);
    await passDays(0.1);

    if (isGranted) await until(() => expect(order.cancelledAt).not.toBeNull());
    else {
      await becomes(order.orderId, { state: "review", action: "cancel", problem: "cancel:order-hidden" });
      expect(statuses(order)).toEqual(["ON_HOLD"]);
      expect(app.alerts("enforcement_failed")).toHaveLength(1);
    }
  });

  it("is released at the policy's deadline, or a day before Shopify hides it", async () => {
    const policy = { hold: { deadlineHours: 2160, onDeadline: "release" } };
    expect(await app.put(SHOP, "api/policy", policy)).toBe(200);
    const order = await place(4, "high");
    await becomes(order.orderId, { state: "review" });
    const placedAtMs = Date.parse(order.createdAt);

    await passDays(1);
    const days = isGranted ? 90 : 59;
    await until(async () => {
      const deadlineMs = Date.parse((await show(order.orderId)).holdDeadline ?? "");
      expect(Math.round((deadlineMs - placedAtMs) / DAY_MS)).toBe(days);
    });

    // After the warning, and before the deadline.
    await passDays(days - 1.2);
    await until(() => expect(app.alerts("hold_expiring")).toHaveLength(1));
    expect(statuses(order)).toEqual(["ON_HOLD"]);

    await passDays(0.3);
    await becomes(order.orderId, { state: "settled" });
    expect(statuses(order)).toEqual(["OPEN"]);
  });

  it("is held when a bank asks about it, or a person is told", async () => {
    const held = await place(5, "high");
    await becomes(held.orderId, { state: "review" });
    expect(await decide(held.orderId, "approve")).toBeLessThan(300);
    await passDays(0.1);
    await becomes(held.orderId, { state: "settled" });
    const allowed = await place(6, "low");
    await becomes(allowed.orderId, { state: "settled" });

    await passDays(61);
    await dispute(held.orderId);
    await dispute(allowed.orderId);

    await becomes(held.orderId, { state: "review", action: "hold" });
    expect(statuses(held)).toEqual(["ON_HOLD"]);
    if (isGranted) await becomes(allowed.orderId, { state: "review", action: "hold" });
    else
      await until(() =>
        expect(app.alerts("order_hidden").map(({ orderId }) => orderId)).toContain(allowed.orderId),
      );
    expect(statuses(allowed)).toEqual([isGranted ? "ON_HOLD" : "OPEN"]);
  });

  it("is held when its pre-ordered goods become due", async () => {
    expect(await app.put(SHOP, "api/policy", LEFT_TO_PEOPLE)).toBe(200);
    const { orderId, body } = toShopOrder(7, { email: "high@risk.example", amount: 120 });
    const order = shop().addOrder({ orderId });
    const [entry] = order.fulfillmentOrders;
    if (entry === undefined) throw new Error("expected a fulfillment order");
    Object.assign(entry, { status: "SCHEDULED", holdable: false });
    expect(await app.deliver(SHOP, "orders/create", body)).toBe(200);
    await becomes(orderId, { state: "waiting", problem: "scheduled" });

    await passDays(61);
    Object.assign(entry, { status: "OPEN", holdable: true });
    const ready = JSON.stringify({ fulfillment_order: { id: entry.id, status: "open" } });
    const topic = "fulfillment_orders/scheduled_fulfillment_order_ready";
    expect(await app.deliver(SHOP, topic, ready)).toBe(200);

    await becomes(orderId, { state: "review", action: "hold" });
    expect(statuses(order)).toEqual(["ON_HOLD"]);
  });

  it("is held again when its goods are merged", async () => {
    expect(await app.put(SHOP, "api/policy", LEFT_TO_PEOPLE)).toBe(200);
    const order = await place(8, "high");
    await becomes(order.orderId, { state: "review" });
    await passDays(61);
    shop().onWebhook = ({ topic, body }) => void app.deliver(SHOP, topic, body);

    const merged = shop().mergeEntries(order.orderId, order.fulfillmentOrders);

    await until(() => expect(merged.status).toBe("ON_HOLD"));
    await becomes(order.orderId, { state: "review" });
  });
});
