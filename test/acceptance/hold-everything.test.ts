import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { THIRD_PARTY_SCOPE } from "../../adapters/shopify/admin/scopes.ts";
import { DEMO_ORDERS, toPayload, type DemoOrder } from "../../tools/demo/demo-orders.ts";
import type { EmulatedFulfillmentOrder } from "../../tools/emulators/shopify/emulated-order.ts";
import { createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { until } from "../support/until.ts";

const [, , HIGH] = DEMO_ORDERS as [DemoOrder, DemoOrder, DemoOrder];
const { orderId } = HIGH;
const line_items = [toLine("Own", 2), toLine("Sent", 3)];

interface Shown {
  readonly state: string;
  readonly problem: string | null;
  readonly creditsSpent: number;
  readonly timeline: readonly { readonly kind: string; readonly detail: string }[];
}

let stage: ShopifyStage;
let shops = 0;
/** Each test has its own shop, and all share one app, which takes long to start. */
let domain: string;
let body: string;
let callsBefore: number;
let operationsBefore: number;
/** Deliveries that the shop sent by itself. */
let sending: Promise<unknown>[];

beforeAll(async () => {
  stage = await createShopifyStage();
  await stage.start();
});

beforeEach(async () => {
  domain = `two-warehouses-${(shops += 1)}.myshopify.com`;
  const payload = { ...HIGH.payload, line_items, order_status_url: `https://${domain}/1` };
  body = toPayload({ ...HIGH, payload }, 1);
  callsBefore = stage.service.calls.length;
  operationsBefore = stage.emulator.operations.length;
  await stage.listOrders(domain);
  sending = [];
  const from = domain;
  shop().onWebhook = (webhook) => void sending.push(stage.deliver({ shop: from, ...webhook }));
});

afterEach(() => Promise.allSettled(sending));
afterAll(() => stage.close());

const shop = () => stage.emulator.shop(domain);
const countCalls = () => stage.service.calls.length - callsBefore;
const entries = () => shop().order(orderId).fulfillmentOrders;

function toLine(title: string, quantity: number) {
  return { name: title, title, quantity, price: "100.00", sku: title, gift_card: false };
}

/** An order of which the merchant ships two units and a fulfillment service three. */
function addMixedOrder(): { own: EmulatedFulfillmentOrder; sent: EmulatedFulfillmentOrder } {
  shop().addOrder({ orderId, routed: 0, payload: JSON.parse(body) as Record<string, unknown> });
  const [own] = shop().routeOrder(orderId, 1, { units: 2 });
  const [sent] = shop().routeOrder(orderId, 1, { units: 3, service: "ACME" });
  if (own === undefined || sent === undefined) throw new Error("expected two fulfillment orders");
  return { own, sent };
}

async function show(): Promise<Shown> {
  return (await stage.get(domain, `api/orders/${orderId}`)).body as Shown;
}

async function place(): Promise<void> {
  expect(await stage.deliver({ shop: domain, topic: "orders/create", body })).toBe(200);
  await until(async () => expect(await show()).toMatchObject({ state: "review" }));
}

/** Units that could ship now. */
function countLoose(): number {
  return entries()
    .filter(({ status }) => status === "OPEN" || status === "IN_PROGRESS")
    .reduce((sum, { units }) => sum + (units ?? 0), 0);
}

/** How many deliveries of a topic had each outcome. */
function countOutcomes(topic: string): Readonly<Record<string, number>> {
  const database = new DatabaseSync(stage.databasePath, { readOnly: true });
  const rows = database
    .prepare(
      "SELECT outcome, count(*) AS count FROM deliveries WHERE tenant = ? AND topic = ? GROUP BY outcome",
    )
    .all(`shopify:${domain}`, `fulfillment_orders/${topic}`);
  database.close();
  return Object.fromEntries(rows.map(({ outcome, count }) => [String(outcome), Number(count)]));
}

const callsTo = (name: string) =>
  stage.emulator.operations.slice(operationsBefore).filter((operation) => operation.name === name).length;

describe("a held order of which a fulfillment service ships a part", () => {
  it("doesn't ship before it is approved, even if split or moved, and is released as a whole then", async () => {
    const { own, sent } = addMixedOrder();
    shop().submitEntry(sent);
    await place();
    expect(countLoose()).toBe(0);

    shop().splitEntry(orderId, own, 1);
    await until(() => expect(countLoose()).toBe(0));
    const [first] = entries();
    if (first === undefined) throw new Error("expected a fulfillment order");
    shop().moveEntry(orderId, first, { units: 1, service: "OTHER" });
    await until(() => expect(countLoose()).toBe(0));
    expect(await show()).toMatchObject({ state: "review", problem: null, creditsSpent: 1 });

    expect((await stage.send(domain, "POST", `api/orders/${orderId}/approve`)).status).toBe(200);
    await until(async () => expect(await show()).toMatchObject({ state: "settled" }));
    expect(countLoose()).toBe(5);
  });

  it("is held again when its parts are merged, but not if a person released it first", async () => {
    addMixedOrder();
    await place();

    const merged = shop().mergeEntries(orderId, [...entries()]);
    await until(() => expect(countLoose()).toBe(0));
    expect(merged.holds).toMatchObject([{ handle: "holdfast" }]);
    expect(await show()).toMatchObject({ state: "review", problem: null });

    shop().releaseHold(orderId);
    await until(async () => expect(await show()).toMatchObject({ state: "settled" }));
    expect(countLoose()).toBe(5);
  });

  it("is taken back from a service that gives it back, and is shown as partly held until then", async () => {
    const { sent } = addMixedOrder();
    shop().submitEntry(sent);
    shop().answerRequest(orderId, sent, "accept");
    await place();
    expect(await show()).toMatchObject({ problem: "hold:goods-recalling" });

    shop().answerRequest(orderId, sent, "accept");

    await until(async () => expect(await show()).toMatchObject({ state: "review", problem: null }));
    expect(countLoose()).toBe(0);
    expect((await show()).timeline.filter(({ kind }) => kind.startsWith("hold-"))).toMatchObject([
      {
        kind: "hold-partial",
        detail:
          "Part of the order can still ship: a fulfillment service was asked to give it back. (1 of 2 fulfillment orders on hold)",
      },
      {
        kind: "hold-done",
        detail: "2 of 2 fulfillment orders on hold, 1 taken back from a fulfillment service",
      },
    ]);
  });

  it("is never shown as held while a part is hidden, and is held once the scope is granted", async () => {
    // Beside the scope for old orders, since this order has a fixed date.
    const granted = shop().scopes;
    shop().scopes = granted.filter((scope) => scope !== THIRD_PARTY_SCOPE);
    addMixedOrder();
    await place();

    const shown = await show();
    expect(shown).toMatchObject({ problem: "hold:goods-hidden" });
    expect(shown.timeline.map(({ kind }) => kind)).not.toContain("hold-done");
    expect(shown.timeline.find(({ kind }) => kind === "hold-partial")?.detail).toBe(
      "Part of the order can still ship: the platform doesn't show it to Holdfast. (1 of 1 fulfillment orders on hold, units not on hold: 3)",
    );
    const setup = (await stage.get(domain, "api/setup")).body as {
      findings: { id: string; status: string }[];
    };
    expect(setup.findings).toContainEqual(
      expect.objectContaining({ id: "shopify.scopes", status: "problem" }),
    );
    shop().scopes = granted;

    await until(async () => expect(await show()).toMatchObject({ state: "review", problem: null }));
    expect(countLoose()).toBe(0);
  });
});

describe("a held order", () => {
  it("is left alone when a person releases the hold in Shopify, after one webhook", async () => {
    addMixedOrder();
    await place();
    const before = callsTo("ObserveOrder");

    shop().releaseHold(orderId);

    await until(async () => expect(await show()).toMatchObject({ state: "settled" }));
    expect((await show()).timeline.map(({ kind }) => kind)).toContain("hold-overridden");
    expect(callsTo("ObserveOrder") - before).toBeLessThanOrEqual(2);
    expect(entries().map(({ status }) => status)).toEqual(["OPEN", "OPEN"]);
    expect(countCalls()).toBe(1);
  });

  it("isn't held again where a person released one part, and is left alone when they release the last", async () => {
    const { own, sent } = addMixedOrder();
    await place();

    shop().release(shop().order(orderId), own, () => true, "staff");
    await until(() => expect(countOutcomes("hold_released")).toEqual({ "order-woken": 1 }));
    await until(() => expect(callsTo("OrderFulfillmentOrders")).toBeGreaterThanOrEqual(2));
    expect([own.status, sent.status]).toEqual(["OPEN", "ON_HOLD"]);
    shop().release(shop().order(orderId), sent, () => true, "staff");

    await until(async () => expect(await show()).toMatchObject({ state: "settled" }));
    expect([own.status, sent.status]).toEqual(["OPEN", "OPEN"]);
    expect(callsTo("HoldFulfillmentOrder")).toBe(2);
  });

  it("costs no call for the echo of Holdfast's own holds, and the echo of a release is ignored", async () => {
    addMixedOrder();
    await place();
    await until(() => expect(countOutcomes("placed_on_hold")).toEqual({ "ignored:own-hold": 2 }));
    expect(callsTo("LocateFulfillmentOrders")).toBe(0);
    expect(callsTo("HoldFulfillmentOrder")).toBe(2);

    await stage.send(domain, "POST", `api/orders/${orderId}/approve`);
    await until(async () => expect(await show()).toMatchObject({ state: "settled" }));
    await until(() =>
      expect(Object.values(countOutcomes("hold_released")).reduce((sum, count) => sum + count, 0)).toBe(2),
    );

    expect(await show()).toMatchObject({ state: "settled", creditsSpent: 1 });
    expect(callsTo("HoldFulfillmentOrder")).toBe(2);
    expect(countCalls()).toBe(1);
  });
});
