import { createHmac, randomUUID } from "node:crypto";

/** A delivery as Shopify would send it. */
export interface SignedDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sign a delivery with the app's secret. `webhookId` stays the same when the platform delivers again. */
export function signDelivery(
  secret: string,
  delivery: {
    readonly shop: string;
    readonly topic: string;
    readonly body: string;
    readonly webhookId?: string;
  },
): SignedDelivery {
  const { shop, topic, body, webhookId = randomUUID() } = delivery;
  const headers = {
    "content-type": "application/json",
    "x-shopify-topic": topic,
    "x-shopify-shop-domain": shop,
    "x-shopify-webhook-id": webhookId,
    "x-shopify-api-version": "2026-10",
    "x-shopify-triggered-at": new Date().toISOString(),
    "x-shopify-hmac-sha256": createHmac("sha256", secret).update(body).digest("base64"),
  };
  return { headers, body };
}
