import { randomUUID } from "node:crypto";
import type { PlatformFactory } from "../app.ts";
import type { Config } from "../config.ts";
import { SILENT_LOGGER } from "../base/logger.ts";
import { createCredentials } from "../pipeline/credentials.ts";
import type { Platform } from "../platform/platform.ts";
import type { Store } from "../store/store.ts";

/** What {@link openPlatforms} needs. */
export interface OpenPlatformsOptions {
  readonly config: Config;
  readonly store: Store;
  readonly factories: readonly PlatformFactory[];
  readonly now: () => number;
}

/**
 * The configured platforms, beside an app that may be running: access that has to be refreshed is kept for both, and
 * access that is refused stays where it is, for the app to say so. Close each when done.
 */
export function openPlatforms({ config, store, factories, now }: OpenPlatformsOptions): readonly Platform[] {
  const owner = `command:${randomUUID()}`;
  return factories.flatMap((factory) => {
    const kept = createCredentials({ store, platform: factory.name, owner, now, onInstalled() {} });
    const credentials = { ...kept, discard: async () => {} };
    return factory.create({ config, credentials, logger: SILENT_LOGGER, now }) ?? [];
  });
}
