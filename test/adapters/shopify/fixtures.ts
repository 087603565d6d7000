import { readFileSync, readdirSync } from "node:fs";
import type { JsonObject } from "../../../adapters/shopify/base/payload.ts";
import type { PlatformOrder } from "../../../src/adapter-kit.ts";
import { interpretDelivery } from "../../../adapters/shopify/intake/interpret.ts";

const ROOT = new URL("../../fixtures/", import.meta.url);

/** Shop that the deliveries of these tests come from. */
export const TENANT = "shopify:demo.myshopify.com";

/** The names of a fixture folder's files. */
export function fixtureNames(folder: "shopify" | "shopify-topics"): string[] {
  return readdirSync(new URL(`${folder}/`, ROOT)).toSorted();
}

/** A fixture's bytes. */
export function fixtureBody(folder: "shopify" | "shopify-topics", name: string): Buffer {
  return readFileSync(new URL(`${folder}/${name}`, ROOT));
}

/** An order fixture, parsed. Each call gives a fresh copy. */
export function orderFixture(name: string): Record<string, unknown> {
  return JSON.parse(fixtureBody("shopify", name).toString("utf8"));
}

/** The order that `orders/create` with this body describes. */
export function receiveOrder(body: Buffer | JsonObject): PlatformOrder {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const event = interpretDelivery({ tenant: TENANT, topic: "orders/create", body: bytes });
  if (event.kind !== "order") throw new Error(`expected an order, got ${JSON.stringify(event)}`);
  return event.order;
}

/** A small order that can be sent to the service, for tests that change one thing. */
export function sampleOrder(changes: JsonObject = {}): Record<string, unknown> {
  const address = {
    name: "Jane Example",
    address1: "1 Example Street",
    city: "Springfield",
    province: "Oregon",
    province_code: "OR",
    zip: "97477",
    country: "United States",
    country_code: "US",
  };
  return {
    id: 1,
    admin_graphql_api_id: "gid://shopify/Order/820982911946154508",
    name: "#1001",
    email: "jane@example.com",
    currency: "USD",
    total_price: "42.50",
    processed_at: "2026-10-01T12:00:00-04:00",
    source_name: "web",
    billing_address: { ...address },
    shipping_address: { ...address },
    line_items: [{ name: "Mug", quantity: 1, price: "42.50", sku: "MUG-1" }],
    ...changes,
  };
}
