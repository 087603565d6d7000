#!/usr/bin/env node
import type { Dispatcher } from "undici";
import { createShopifyPlatform } from "../adapters/shopify/index.ts";
import type { PlatformFactory } from "./app.ts";
import type { DemoOptions } from "./cli/command.ts";
import { runCommand } from "./cli/commands.ts";
import { TERMINAL } from "./cli/output.ts";
import { toDispatcher } from "./base/proxy.ts";
import { parseConfig } from "./config.ts";
import manifest from "../package.json" with { type: "json" };
import { HoldfastError, isHoldfastError } from "./base/errors.ts";
import { createSandboxService, SANDBOX_API_KEY } from "./sandbox/sandbox-service.ts";
import { toMissingPackage } from "./base/missing-package.ts";

/** Every platform this build serves, each only when its configuration is there. */
function toPlatforms(shopifyDispatcher?: Dispatcher): readonly PlatformFactory[] {
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

async function demo(version: string, options: DemoOptions): Promise<void> {
  const [{ runShopifyDemo }, { startApp }, { createPinoLogger }] = await Promise.all([
    import("../tools/demo/demo.ts"),
    import("./app.ts"),
    import("./base/pino-logger.ts"),
  ]);
  const right = await runShopifyDemo({
    output: TERMINAL,
    ...options,
    startApp(environment, dispatcher) {
      const config = parseConfig(environment);
      const logger = createPinoLogger({ level: config.logLevel });
      return startApp({ config, platforms: toPlatforms(dispatcher), logger, version });
    },
    async startService() {
      const service = createSandboxService();
      const url = await service.listen();
      const credits = (): number => service.calls.filter(({ metered }) => metered).length;
      return { url, apiKey: SANDBOX_API_KEY, credits, stop: () => service.close() };
    },
  });
  if (!right) throw new HoldfastError("INTERNAL", "the demo's result is wrong", { retryable: false });
}

try {
  const { version } = manifest;
  const isSound = await runCommand(process.argv.slice(2), {
    terminal: TERMINAL,
    version,
    platforms: toPlatforms(),
    orderFormats: async () => (await import("../tools/verify/order-formats.ts")).ORDER_FORMATS,
    demo: (options) => demo(version, options),
    now: Date.now,
  });
  if (!isSound) process.exitCode = 1;
} catch (cause) {
  const error = toMissingPackage(cause) ?? cause;
  // Another library's error message can quote data. It goes only to the terminal.
  TERMINAL.problem(isHoldfastError(error) ? `${error.code}: ${error.message}` : String(error));
  process.exitCode = 1;
  // A supervisor's channel (node:cluster, pm2) would keep the process alive.
  process.disconnect?.();
}
