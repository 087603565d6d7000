import { createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

/** Signs the deliveries of the benchmark. Not a real secret. */
export const WEBHOOK_SECRET = "bench-webhook-secret";
/** Opens the console of the benchmark. */
export const BENCH_TOKEN = "bench-console-token";
/** Where deliveries are sent. */
export const WEBHOOK_PATH = "/webhooks/shopify";

// 7.2 KB as Shopify sends it, without white space: about the median of real orders.
const ORDER = new URL("../test/fixtures/shopify/07-docs-webhook-2023-07-create.json", import.meta.url);

/** The body of an `orders/create` delivery. */
export function toDeliveryBody(): Buffer {
  return Buffer.from(JSON.stringify(JSON.parse(readFileSync(ORDER, "utf8"))));
}

/** The headers of a delivery of `body`, without its id. */
export function toDeliveryHeaders(body: Buffer): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    "x-shopify-topic": "orders/create",
    "x-shopify-shop-domain": "bench.myshopify.com",
    "x-shopify-api-version": "2026-10",
    "x-shopify-triggered-at": "2026-11-20T10:00:00.000Z",
    "x-shopify-hmac-sha256": createHmac("sha256", WEBHOOK_SECRET).update(body).digest("base64"),
  };
}

/** The header that makes a delivery new. */
export const DELIVERY_ID_HEADER = "x-shopify-webhook-id";

/** A delivery's id, as a header. */
export function toDeliveryId(): { readonly [DELIVERY_ID_HEADER]: string } {
  return { [DELIVERY_ID_HEADER]: randomUUID() };
}
