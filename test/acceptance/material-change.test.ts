import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEMO_ORDERS, toPayload, type DemoOrder } from "../../tools/demo/demo-orders.ts";
import { atRest, createShopifyStage, type ListedOrder, type ShopifyStage } from "../support/shopify-stage.ts";
import { until } from "../support/until.ts";

const [ORDINARY] = DEMO_ORDERS;
if (ORDINARY === undefined) throw new Error("the demo has no orders");
const { orderId } = ORDINARY;

interface Detail {
  readonly changes: readonly {
    readonly material: boolean;
    readonly fields: readonly { readonly path: string; readonly before: unknown; readonly after: unknown }[];
  }[];
  readonly timeline: readonly { readonly kind: string; readonly detail: string }[];
}

let stage: ShopifyStage;
let shops = 0;
/** Each test has its own shop, and all share one app, which takes long to start. */
let shop: string;
let callsBefore: number;

function toBody(changes: Readonly<Record<string, unknown>> = {}): string {
  const body = toPayload(ORDINARY as DemoOrder, 1);
  const order_status_url = `https://${shop}/1`;
  return `{"id":${orderId},${JSON.stringify({ ...(JSON.parse(body) as object), id: undefined, order_status_url, ...changes }).slice(1)}`;
}

const ADDRESS = (JSON.parse(toPayload(ORDINARY, 1)) as { shipping_address: object }).shipping_address;
const CANADA = {
  email: "high@risk.example",
  contact_email: "high@risk.example",
  shipping_address: { ...ADDRESS, country: "Canada", country_code: "CA" },
};

let seconds = 0;
/** The changed order, a second after its previous change. */
async function update(changes: Readonly<Record<string, unknown>>): Promise<void> {
  seconds += 1;
  const updated_at = new Date(Date.UTC(2026, 10, 20, 10, 0, 1 + seconds)).toISOString();
  const body = toBody({ updated_at, ...changes });
  expect(await stage.deliver({ shop, topic: "orders/updated", body })).toBe(200);
}

async function readDetail(): Promise<Detail> {
  return (await stage.get(shop, `api/orders/${orderId}`)).body as Detail;
}

/** The whole database without the key, which makes it unreadable to others. */
function readFiles(): Buffer {
  const folder = dirname(stage.databasePath);
  const files = readdirSync(folder).filter((file) => !file.endsWith(".key"));
  return Buffer.concat(files.map((file) => readFileSync(join(folder, file))));
}

const isHeld = ([order]: readonly ListedOrder[]): boolean => order?.state === "review";
const shown = () => stage.emulator.shop(shop).order(orderId);
const calls = () => stage.service.calls.slice(callsBefore);

beforeAll(async () => {
  stage = await createShopifyStage();
  await stage.start();
});

beforeEach(async () => {
  shop = `changing-${(shops += 1)}.myshopify.com`;
  callsBefore = stage.service.calls.length;
  stage.emulator.shop(shop).addOrder({ orderId, routed: 1 });
  await stage.install(shop);
  await stage.deliver({ shop, topic: "orders/create", body: toBody() });
  await stage.until(shop, atRest(1));
});

afterAll(() => stage.close());

/** An order that names nobody: the card has the buyer's name. */
async function placeNameless(nameless: string): Promise<void> {
  const card = {
    company: "Visa",
    number: "•••• 4242",
    name: "Card Holder",
    expirationMonth: 3,
    expirationYear: 2029,
  };
  stage.emulator.shop(shop).addOrder({ orderId: nameless, routed: 1, transactions: [{ card }] });
  expect(await stage.deliver({ shop, topic: "orders/create", body: toNameless(nameless, {}) })).toBe(200);
  await stage.until(shop, atRest(2));
}

function toNameless(nameless: string, changes: object): string {
  const place = { ...ADDRESS, name: "", first_name: null, last_name: null };
  return toBody({ billing_address: place, shipping_address: place, customer: null, ...changes }).replaceAll(
    orderId,
    nameless,
  );
}

describe("an order that somebody changes", () => {
  it("is sent under the card holder's name if it names nobody, and a later update isn't a change", async () => {
    await placeNameless("4712");
    expect(calls().at(-1)).toMatchObject({ orderId: "4712", body: { customerName: "Card Holder" } });

    const updated_at = new Date(Date.UTC(2026, 10, 21)).toISOString();
    await stage.deliver({ shop, topic: "orders/updated", body: toNameless("4712", { updated_at }) });
    await stage.untilHeard();

    const { body } = await stage.get(shop, "api/orders/4712");
    expect(body).toMatchObject({ skipReason: null, source: "service", creditsSpent: 1, changes: [] });
    expect(calls()).toHaveLength(2);
  });

  it("is screened again when its destination changes to another country, and held on the new answer", async () => {
    expect(shown().fulfillmentOrders.flatMap(({ holds }) => holds)).toEqual([]);

    await update(CANADA);
    const [order] = await stage.until(shop, isHeld);

    expect(order).toMatchObject({ riskLevel: "high", action: "hold", source: "service", creditsSpent: 2 });
    expect(calls().map(({ customerEmail }) => customerEmail)).toEqual([
      "low@risk.example",
      "high@risk.example",
    ]);
    expect(shown().fulfillmentOrders.flatMap(({ holds }) => holds)).toHaveLength(1);
    expect(shown().tags).toEqual(["holdfast-high"]);
    const { changes, timeline } = await readDetail();
    expect(changes).toMatchObject([
      {
        material: true,
        fields: [
          { path: "customerEmail", before: "low@risk.example", after: "high@risk.example" },
          { path: "shippingAddress.country", before: "US", after: "CA" },
        ],
      },
    ]);
    expect(timeline).toContainEqual(
      expect.objectContaining({
        kind: "changed",
        detail: "customerEmail, shippingAddress.country (to be checked)",
      }),
    );

    // Back again: the answer is stored, and our own hold and tag are removed.
    await update({});
    const [back] = await stage.until(shop, ([one]) => one?.state === "settled");
    expect(back).toMatchObject({ riskLevel: "low", action: "allow", source: "cache", creditsSpent: 2 });
    expect(shown().fulfillmentOrders.flatMap(({ holds }) => holds)).toEqual([]);
    expect(shown().tags).toEqual([]);
  });

  it("costs nothing for a flat number, a note, Holdfast's own tags and updates without news", async () => {
    const before = await readDetail();
    for (let index = 0; index < 20; index += 1) await update({});
    await update({ note: "please ring twice", tags: "vip, holdfast-low" });
    await update({ financial_status: "partially_refunded", current_total_price: "10.00" });
    await stage.untilHeard();
    expect(await readDetail()).toEqual(before);

    const flat = { shipping_address: { ...ADDRESS, address2: "Floor 3, Flat 12" } };
    for (let index = 0; index < 5; index += 1) await update(flat);
    await stage.untilHeard();

    const { changes } = await readDetail();
    expect(changes).toMatchObject([
      {
        material: false,
        fields: [{ path: "shippingAddress.street", after: "350 Fifth Avenue, Floor 3, Flat 12" }],
      },
    ]);
    expect(await stage.listOrders(shop)).toMatchObject([
      { creditsSpent: 1, state: "settled", action: "allow" },
    ]);
    expect(calls()).toHaveLength(1);
    // The change is personal: sealed in the database, and in no log line.
    expect(readFiles().includes("Flat 12")).toBe(false);
    expect(stage.log()).not.toContain("Flat 12");
  });

  it("is screened again for a new recipient at the same address, once", async () => {
    const recipient = { name: "Acme Freight", first_name: "Acme", last_name: "Freight" };
    for (let index = 0; index < 3; index += 1) {
      await update({ shipping_address: { ...ADDRESS, ...recipient } });
      await stage.untilHeard();
    }
    await stage.until(shop, ([order]) => order?.creditsSpent === 2 && order.state === "settled");

    const { changes } = await readDetail();
    expect(changes).toMatchObject([
      { material: true, fields: [{ path: "recipientName", after: "Acme Freight" }] },
    ]);
    expect(calls()).toHaveLength(2);
    expect(JSON.stringify(calls())).not.toContain("Acme Freight");
    expect(readFiles().includes("Acme Freight")).toBe(false);
    expect(stage.log()).not.toContain("Acme Freight");
  });

  it("costs one credit more when the app is killed between the change and the decision on it", async () => {
    // Nothing is asked before the order's detail is there, so the kill falls into this gap.
    stage.emulator.fail(1, "hang", { operation: "OrderDetail" });
    await update(CANADA);
    await until(async () => expect((await readDetail()).changes).toHaveLength(1));
    expect(calls()).toHaveLength(1);
    await stage.kill();

    await stage.start();
    await update(CANADA);
    const [order] = await stage.until(shop, isHeld);

    expect(order).toMatchObject({ creditsSpent: 2, riskLevel: "high" });
    expect(calls()).toHaveLength(2);
    expect((await readDetail()).changes).toHaveLength(1);
  });
});
