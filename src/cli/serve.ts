import { startApp, type PlatformFactory } from "../app.ts";
import { readConfig } from "../config.ts";
import { createPinoLogger } from "../base/pino-logger.ts";
import { checkConsole } from "./doctor/configuration.ts";

/** `holdfast serve`: the app, configured by the environment, until it is asked to stop. */
export async function serve(platforms: readonly PlatformFactory[], version: string): Promise<void> {
  const config = readConfig();
  const logger = createPinoLogger({ level: config.logLevel });
  const app = await startApp({ config, platforms, logger, version });
  for (const { id, found, advice } of checkConsole(config)) logger.warn({ check: id }, `${found}: ${advice}`);
  logger.info({ url: app.url.href, role: config.role, version }, "holdfast is listening");
  const stop = (signal: NodeJS.Signals): void => {
    logger.info({ signal }, "holdfast is stopping");
    app.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, "holdfast didn't stop cleanly");
        process.exit(1);
      },
    );
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}
