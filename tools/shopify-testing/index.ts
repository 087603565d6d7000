import { throwMissingPackage } from "../../src/adapter-kit.ts";
import { createSandboxService, SANDBOX_API_KEY, type SandboxServiceOptions } from "../../src/testing.ts";
import type { ShopifyTest, ShopifyTestOptions as SharedOptions } from "./shopify-test.ts";

export { sendShopifyOrder } from "./send-order.ts";
export type { NewShopifyOrder, SentShopifyOrder, WebhookTarget } from "./send-order.ts";
export type { FollowedOrder, ShopifyTest, TestOrder } from "./shopify-test.ts";
export type { AdminEmulator } from "../emulators/shopify/admin-emulator.ts";
export type { EmulatedShop } from "../emulators/shopify/emulated-shop.ts";

/** Options of {@link startShopifyTest}. */
export interface ShopifyTestOptions extends SharedOptions {
  /** How the verification service behaves. @default at once, with credits without end */
  readonly service?: Omit<SandboxServiceOptions, "tls"> | undefined;
}

/**
 * Start the app between a sandbox of the verification service and an emulated Admin API of Shopify, which refuses what the
 * published schema refuses. Everything runs in this process, on free ports, with data in memory.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` with the command that installs a missing package, or naming a wrong variable.
 */
export async function startShopifyTest(options: ShopifyTestOptions = {}): Promise<ShopifyTest> {
  // Loaded when used, so that a missing package has a message.
  const [{ runShopifyTest }, { loadApp }, { createShopifyPlatform }] = await Promise.all([
    import("./shopify-test.ts"),
    import("../../src/in-host.ts"),
    import("../../adapters/shopify/index.ts"),
  ]).catch(throwMissingPackage);
  const { startApp, parseConfig, createPinoLogger } = await loadApp().catch(throwMissingPackage);
  return runShopifyTest({
    environment: options.environment,
    service: createSandboxService(options.service),
    serviceKey: SANDBOX_API_KEY,
    startApp(environment, dispatcher) {
      const config = parseConfig({ DATABASE_URL: "sqlite::memory:", ...environment });
      return startApp({
        config,
        platforms: [
          {
            name: "shopify",
            create({ config: { shopify }, ...context }) {
              if (shopify === undefined) return null;
              const { apiSecret, previousApiSecret, ...registration } = shopify;
              const secrets = {
                apiSecret: apiSecret.reveal(),
                apiSecretPrevious: previousApiSecret?.reveal(),
              };
              return createShopifyPlatform({ ...context, ...registration, ...secrets, dispatcher });
            },
          },
        ],
        logger: createPinoLogger({ level: config.logLevel }),
        version: "test",
      });
    },
  });
}
