export { mapOrder } from "./map-order.ts";
export { createShopifyPlatform } from "./platform.ts";
export type { ShopifyOptions } from "./platform.ts";
export { createWebhookAuthenticator } from "./webhook.ts";
export type { WebhookAuthenticatorOptions } from "./webhook.ts";
