import { parseConfig } from "./config.ts";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  type SandboxServiceOptions,
} from "./sandbox/sandbox-service.ts";
import { throwMissingPackage } from "./base/missing-package.ts";
import type {
  ShopifyTest,
  ShopifyTestOptions as SharedOptions,
} from "../tools/emulators/shopify/shopify-test.ts";

export { sendShopifyOrder } from "../tools/emulators/shopify/send-order.ts";
export type {
  NewShopifyOrder,
  SentShopifyOrder,
  WebhookTarget,
} from "../tools/emulators/shopify/send-order.ts";
export type { FollowedOrder, ShopifyTest, TestOrder } from "../tools/emulators/shopify/shopify-test.ts";
export type { AdminEmulator } from "../tools/emulators/shopify/admin-emulator.ts";
export type { EmulatedShop } from "../tools/emulators/shopify/emulated-shop.ts";

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
  const [{ runShopifyTest }, { startApp }, { createPinoLogger }, { toPlatforms }] = await Promise.all([
    import("../tools/emulators/shopify/shopify-test.ts"),
    import("./app.ts"),
    import("./base/pino-logger.ts"),
    import("./platforms.ts"),
  ]).catch(throwMissingPackage);
  return runShopifyTest({
    environment: options.environment,
    service: createSandboxService(options.service),
    serviceKey: SANDBOX_API_KEY,
    startApp(environment, dispatcher) {
      const config = parseConfig({ DATABASE_URL: "sqlite::memory:", ...environment });
      const logger = createPinoLogger({ level: config.logLevel });
      return startApp({ config, platforms: toPlatforms(dispatcher), logger, version: "test" });
    },
  });
}
