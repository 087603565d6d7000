#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Dispatcher } from "undici";
import { runShopifyDemo } from "../adapters/shopify/demo.ts";
import { createShopifyPlatform } from "../adapters/shopify/index.ts";
import { startApp, type PlatformFactory } from "./app.ts";
import { TERMINAL } from "./cli/output.ts";
import { verifyFile } from "./cli/verify.ts";
import { parseConfig, readConfig } from "./config.ts";
import { HoldfastError, isHoldfastError } from "./errors.ts";
import { createSandboxService, SANDBOX_API_KEY } from "./local/service.ts";
import { createPinoLogger } from "./pino-logger.ts";

const USAGE = `holdfast COMMAND

  serve            the app, configured by the environment
  verify FILE      check one order (a verification request in JSON)
  demo             the whole job on this machine, with nothing to set up

  --json           verify: machine-readable output
  --serve          demo: keep running and print the console's address
  --help, --version`;

/** Every platform this build serves, each only when its configuration is there. */
function toPlatforms(shopifyDispatcher?: Dispatcher): readonly PlatformFactory[] {
  return [
    {
      name: "shopify",
      create({ config, ...context }) {
        if (config.shopify === undefined) return null;
        const { apiKey, apiSecret, previousApiSecret, appUrl } = config.shopify;
        const secrets = { apiSecret: apiSecret.reveal(), apiSecretPrevious: previousApiSecret?.reveal() };
        return createShopifyPlatform({
          ...context,
          ...secrets,
          apiKey,
          appUrl,
          dispatcher: shopifyDispatcher,
        });
      },
    },
  ];
}

async function serve(version: string): Promise<void> {
  const config = readConfig();
  const logger = createPinoLogger({ level: config.logLevel });
  const app = await startApp({ config, platforms: toPlatforms(), logger, version });
  logger.info({ url: app.url.href, role: config.role, version }, "holdfast is listening");
  const stop = (signal: NodeJS.Signals): void => {
    logger.info({ signal }, "holdfast is stopping");
    app.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, "holdfast did not stop cleanly");
        process.exit(1);
      },
    );
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

async function demo(version: string, keepRunning: boolean): Promise<void> {
  const right = await runShopifyDemo({
    output: TERMINAL,
    keepRunning,
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
  if (!right)
    throw new HoldfastError("INTERNAL", "the demo's outcome is not what it has to be", { retryable: false });
}

async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      serve: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
      version: { type: "boolean", short: "v", default: false },
    },
  });
  const version = readVersion();
  const [command, file] = positionals;
  if (values.version) return TERMINAL.line(version);
  if (values.help || command === undefined) return TERMINAL.line(USAGE);
  switch (command) {
    case "serve":
      return serve(version);
    case "verify":
      if (file === undefined) throw toUsageError("verify needs a FILE");
      return verifyFile(file, values.json, readConfig(), TERMINAL);
    case "demo":
      return demo(version, values.serve);
    default:
      throw toUsageError(`unknown command "${command}"`);
  }
}

function toUsageError(message: string): HoldfastError {
  return new HoldfastError("CONFIG_INVALID", `${message}\n\n${USAGE}`, { retryable: false });
}

function readVersion(): string {
  // The sources run from src/, the package from dist/src/.
  const nearest = import.meta.url.includes("/dist/src/") ? "../../package.json" : "../package.json";
  const { version } = JSON.parse(readFileSync(new URL(nearest, import.meta.url), "utf8")) as {
    version: string;
  };
  return version;
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  // A foreign error's message can quote data; its stack is for whoever runs the command in a terminal.
  TERMINAL.problem(isHoldfastError(error) ? `${error.code}: ${error.message}` : String(error));
  process.exitCode = 1;
}
