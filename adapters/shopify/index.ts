export { mapOrder } from "./mapping/map-order.ts";
export { createShopifyPlatform } from "./platform.ts";
export type { ShopifyOptions } from "./base/options.ts";
export { createWebhookAuthenticator } from "./intake/webhook.ts";
export type { WebhookAuthenticatorOptions } from "./intake/webhook.ts";
