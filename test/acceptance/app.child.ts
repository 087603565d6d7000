// The real app in a process of its own, so that a test can kill it. Only the way to Shopify is changed: to the emulator.
import { createShopifyPlatform } from "../../adapters/shopify/index.ts";
import { createEmulatorDispatcher } from "../../adapters/shopify/emulator/emulator-dispatcher.ts";
import { startApp } from "../../src/app.ts";
import { parseConfig } from "../../src/config.ts";
import { createPinoLogger } from "../../src/pino-logger.ts";
import { readTlsFixture } from "../support/tls.ts";

const { EMULATOR_PORT: port, ...environment } = process.env;
const config = parseConfig(environment);
const dispatcher = createEmulatorDispatcher({ port: Number(port) }, { ca: readTlsFixture("shop").cert });

const app = await startApp({
  config,
  version: "0.0.0-test",
  logger: createPinoLogger({ level: config.logLevel }),
  platforms: [
    {
      name: "shopify",
      create({ config: { shopify }, ...context }) {
        if (shopify === undefined) return null;
        const { apiKey, apiSecret, appUrl } = shopify;
        return createShopifyPlatform({
          ...context,
          apiKey,
          apiSecret: apiSecret.reveal(),
          appUrl,
          dispatcher,
        });
      },
    },
  ],
});
process.once("SIGTERM", () => void app.stop().then(() => process.exit(0)));
process.send?.({ url: app.url.href });
