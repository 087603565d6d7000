// The real app in its own process, so that a test can kill it. It connects to the emulator instead of Shopify.
import { readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { createShopifyPlatform } from "../../adapters/shopify/index.ts";
import { createEmulatorDispatcher } from "../../tools/emulators/shopify/emulator-dispatcher.ts";
import { startApp } from "../../src/app.ts";
import { parseConfig } from "../../src/config.ts";
import { createPinoLogger } from "../../src/base/pino-logger.ts";
import { readTlsFixture } from "./tls.ts";

const { EMULATOR_PORT: port, CLOCK_AHEAD_MS: ahead = "0", UPTIME_FILE: file, ...environment } = process.env;

// How much time passed while the process was frozen, as a file, because it must know before it does anything else.
if (file !== undefined) {
  const uptimeMs = performance.now.bind(performance);
  performance.now = () => uptimeMs() + Number(readFileSync(file, "utf8"));
}
const config = parseConfig(environment);
const dispatcher = createEmulatorDispatcher({ port: Number(port) }, { ca: readTlsFixture("shop").cert });

/** Pretends that this much more time has passed: leases run out without a test that waits for them. */
let aheadMs = Number(ahead);
process.on("message", ({ clockAheadMs }: { readonly clockAheadMs?: number }) => {
  if (clockAheadMs === undefined) return;
  aheadMs = clockAheadMs;
  process.send?.({ clockAheadMs });
});

const app = await startApp({
  config,
  now: () => Date.now() + aheadMs,
  version: "0.0.0-test",
  logger: createPinoLogger({ level: config.logLevel }),
  platforms: [
    {
      name: "shopify",
      create({ config: { shopify }, ...context }) {
        if (shopify === undefined) return null;
        const { apiKey, apiSecret, appUrl, billing } = shopify;
        return createShopifyPlatform({
          ...context,
          apiKey,
          apiSecret: apiSecret.reveal(),
          appUrl,
          billing,
          dispatcher,
        });
      },
    },
  ],
});
// The process that started it is gone: an interrupted run leaves nothing behind.
process.once("disconnect", () => process.exit());
process.once("SIGTERM", () => void app.stop().then(() => process.exit(0)));
// Most of these processes are killed, and so would never save what they compiled.
flushCompileCache();
process.send?.({ url: app.url.href });
