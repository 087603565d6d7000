import type { Dispatcher } from "undici";
import { createShopifyPlatform } from "../adapters/shopify/index.ts";
import type { PlatformFactory } from "./app.ts";
import { toDispatcher } from "./base/proxy.ts";

/** Every platform this build serves, each only when its configuration is there. */
export function toPlatforms(shopifyDispatcher?: Dispatcher): readonly PlatformFactory[] {
  return [
    {
      name: "shopify",
      create({ config, ...context }) {
        if (config.shopify === undefined) return null;
        const { apiSecret, previousApiSecret, ...registration } = config.shopify;
        const secrets = { apiSecret: apiSecret.reveal(), apiSecretPrevious: previousApiSecret?.reveal() };
        const dispatcher = shopifyDispatcher ?? toDispatcher(config.proxy);
        return createShopifyPlatform({ ...context, ...registration, ...secrets, dispatcher });
      },
    },
  ];
}
