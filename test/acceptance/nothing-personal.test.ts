import { readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import {
  APP_SECRET,
  atRest,
  CONSOLE_TOKEN,
  createShopifyStage,
  type ShopifyStage,
} from "../support/shopify-stage.ts";
import { until } from "../support/until.ts";

const SHOP = "canaries.myshopify.com";
const ORDER_ID = "7700000000000000001";

/** Planted where a buyer's data arrives; none of it may be found in the clear afterwards. */
const CANARIES = {
  firstName: "Canaryfirst",
  lastName: "Canarylast",
  email: "canary.mail@canary-mail.example",
  phone: "+12025550143",
  street: "77 Canarystreet",
  city: "Canaryville",
  zip: "77177",
  ip: "198.51.100.177",
  note: "Canarynote",
  holder: "Canaryholder",
  attribute: "Canaryattribute",
  customerId: "7733445566778899",
  userAgent: "Canaryagent",
  orderTag: "Canaryordertag",
  customerTag: "Canarycustomertag",
  gateway: "Canarygateway",
  shipping: "Canaryshipping",
  bin: "77177177",
};

let stage: ShopifyStage;

function toBody(orderId: string): string {
  const { firstName, lastName, street, city, zip, phone } = CANARIES;
  const address = {
    first_name: firstName,
    last_name: lastName,
    name: `${firstName} ${lastName}`,
    address1: street,
    city,
    zip,
    province: "New York",
    country_code: "US",
    country: "United States",
    phone,
  };
  return JSON.stringify({
    admin_graphql_api_id: `gid://shopify/Order/${orderId}`,
    name: "#7701",
    email: CANARIES.email,
    phone,
    note: CANARIES.note,
    note_attributes: [{ name: "gift", value: CANARIES.attribute }],
    currency: "USD",
    total_price: "59.00",
    processed_at: "2026-11-20T10:00:00Z",
    browser_ip: CANARIES.ip,
    client_details: { user_agent: CANARIES.userAgent },
    source_name: "web",
    tags: `vip, ${CANARIES.orderTag}`,
    payment_gateway_names: [CANARIES.gateway],
    shipping_lines: [{ title: CANARIES.shipping }],
    customer: {
      id: 1,
      admin_graphql_api_id: `gid://shopify/Customer/${CANARIES.customerId}`,
      email: CANARIES.email,
      first_name: firstName,
      last_name: lastName,
    },
    billing_address: address,
    shipping_address: address,
    line_items: [{ name: "Mug", quantity: 1, price: "59.00", sku: "MUG" }],
  });
}

/** Every file of the database: pages, log, lock. The key is what makes them unreadable to others. */
function readDatabase(): Buffer {
  const folder = dirname(stage.databasePath);
  const files = readdirSync(folder).filter((file) => !file.endsWith(".key"));
  expect(files).toContain(basename(stage.databasePath));
  return Buffer.concat(files.map((file) => readFileSync(join(folder, file))));
}

function findAll(haystack: Buffer | string, needles: Readonly<Record<string, string>>): string[] {
  const bytes = Buffer.from(haystack);
  const lower = Buffer.from(bytes.toString("latin1").toLowerCase(), "latin1");
  return Object.entries(needles).flatMap(([name, needle]) => {
    const forms = [needle, needle.toLowerCase(), Buffer.from(needle).toString("base64").replace(/=+$/, "")];
    return forms.some((form) => bytes.includes(form) || lower.includes(form)) ? [name] : [];
  });
}

beforeAll(async () => {
  stage = await createShopifyStage();
  await stage.start();
  stage.emulator.shop(SHOP).addOrder({
    orderId: ORDER_ID,
    customer: {
      createdAt: "2026-01-01T00:00:00Z",
      numberOfOrders: 1,
      amountSpent: { amount: "59.00", currencyCode: "USD" },
      tags: [CANARIES.customerTag],
    },
    transactions: [
      {
        card: {
          company: "Visa",
          number: "•••• •••• •••• 7771",
          name: CANARIES.holder,
          expirationMonth: 12,
          expirationYear: 2030,
          bin: CANARIES.bin,
        },
      },
    ],
  });
  await stage.listOrders(SHOP);
});

afterAll(() => stage.close());

describe("personal data and secrets", () => {
  it("appear in the clear in no file, log line, metric or error, even when things go wrong", async () => {
    await stage.deliver({ shop: SHOP, topic: "orders/create", body: toBody(ORDER_ID) });
    await stage.until(SHOP, atRest(1));
    const call = stage.service.calls.find(({ orderId }) => orderId === ORDER_ID);
    expect(call?.body, "the service was asked with the buyer's data").toMatchObject({
      customerEmail: CANARIES.email,
      paymentInfo: { holderName: CANARIES.holder },
    });

    // Unknown to the platform, so that following through fails.
    await stage.deliver({ shop: SHOP, topic: "orders/create", body: toBody("7700000000000000002") });
    await stage.until(SHOP, atRest(2));
    const answers = await Promise.all([
      stage.get(SHOP, `api/orders/${ORDER_ID}`),
      stage.get(SHOP, `api/orders/${CANARIES.email}`),
      stage.get(SHOP, "api/orders?level=canary"),
      post("orders/create", `${toBody("3")}}`),
      post("orders/create", toBody("4").slice(0, -40)),
      post("orders/create", toBody("5"), { "x-shopify-hmac-sha256": "AAAA" }),
    ]);
    const metrics = await (await request(new URL("metrics", stage.url()))).body.text();

    const secrets = {
      apiKey: SANDBOX_API_KEY,
      appSecret: APP_SECRET,
      consoleToken: CONSOLE_TOKEN,
      accessToken: stage.emulator.shop(SHOP).tokens.issue().access_token.slice(0, 6),
    };
    expect(findAll(readDatabase(), { ...CANARIES, ...secrets })).toEqual([]);
    expect(findAll(stage.log(), { ...CANARIES, ...secrets })).toEqual([]);
    expect(findAll(JSON.stringify(answers.slice(1)), { ...CANARIES, ...secrets })).toEqual([]);
    expect(findAll(metrics, { ...CANARIES, shop: "canaries.myshopify" })).toEqual([]);
    expect(stage.log().length, "a silent log would prove nothing").toBeGreaterThan(1_000);
  });

  it("are deleted, not only sealed, once the customer asks for it", async () => {
    const shop = "forgotten.myshopify.com";
    const orderId = "7700000000000000009";
    stage.emulator.shop(shop).addOrder({ orderId });
    await stage.deliver({ shop, topic: "orders/create", body: toBody(orderId) });
    await stage.until(shop, atRest(1));
    const readOrder = async () => (await stage.get(shop, `api/orders/${orderId}`)).body;
    const before = (await readOrder()) as { readonly action: string; readonly reasoning: string | null };
    expect(before.reasoning).not.toBeNull();

    const customer = { id: 1, email: CANARIES.email, phone: CANARIES.phone };
    const body = JSON.stringify({ shop_id: 1, shop_domain: shop, customer, orders_to_redact: [] });
    await stage.deliver({ shop, topic: "customers/redact", body });

    await until(async () =>
      expect(await readOrder()).toMatchObject({ factors: [], reasoning: null, action: before.action }),
    );
    expect(await readOrder()).toHaveProperty(
      "timeline",
      expect.arrayContaining([expect.objectContaining({ kind: "erased" })]),
    );
  });

  it("would be found by this search", () => {
    expect(findAll(Buffer.from(`..${CANARIES.street.toUpperCase()}..`), CANARIES)).toEqual(["street"]);
    expect(findAll(JSON.stringify({ a: CANARIES.email }), CANARIES)).toEqual(["email"]);
  });
});

async function post(topic: string, body: string, headers: Record<string, string> = {}) {
  const answer = await request(new URL("webhooks/shopify", stage.url()), {
    method: "POST",
    headers: { "x-shopify-topic": topic, "x-shopify-shop-domain": SHOP, ...headers },
    body,
  });
  return { status: answer.statusCode, body: await answer.body.text() };
}
