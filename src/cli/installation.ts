import { randomUUID } from "node:crypto";
import { toConfigError } from "../base/errors.ts";
import type { Config } from "../config.ts";
import { SILENT_LOGGER } from "../base/logger.ts";
import { createCredentials } from "../store/tenants/credentials.ts";
import type { Platform, TenantId } from "../platform/platform.ts";
import { openConfiguredStore } from "../store/opening/open-store.ts";
import { probeDatabase } from "../store/opening/probe.ts";
import type { Store } from "../store/store.ts";
import type { CommandContext } from "./command.ts";

/** If no shop is installed, the orders belong to a storefront. */
const STOREFRONT: TenantId = "default";

/**
 * Work on the configured database. Safe beside a running app. A database that isn't created or migrated yet is left
 * alone, since only the app does that.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for such a database, `STORE_UNAVAILABLE`.
 */
export async function withPreparedStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  const { schema, expectedSchema } = await probeDatabase(config);
  if (schema !== expectedSchema) {
    throw toConfigError("the database isn't migrated to this version; start the app once");
  }
  const store = await openConfiguredStore(config, { exclusive: false });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/**
 * The given tenant, or else the one shop that is installed, or the storefront if there is none.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` if the given tenant is unknown here, or if several shops are installed.
 */
export async function findTenant(
  store: Pick<Store, "tenants">,
  given: TenantId | undefined,
): Promise<TenantId> {
  if (given === STOREFRONT || (given !== undefined && (await store.tenants.get(given)) !== null))
    return given;
  const installed = (await store.tenants.list()).map(({ tenant }) => tenant);
  const [only = STOREFRONT] = installed;
  if (given === undefined && installed.length <= 1) return only;
  const names = installed.length === 0 ? STOREFRONT : installed.join(", ");
  throw toConfigError(`--tenant: expected one of ${names}${given === undefined ? "" : `, got ${given}`}`);
}

/**
 * Work with the configured platforms, beside an app that may be running: refreshed access is saved for both, and refused access
 * isn't removed, so that the app can report it.
 */
export async function withPlatforms<T>(
  store: Store,
  context: Pick<CommandContext, "platforms" | "now"> & { readonly config: Config },
  work: (platforms: readonly Platform[]) => Promise<T>,
): Promise<T> {
  const { config, now } = context;
  const owner = `command:${randomUUID()}`;
  const platforms = context.platforms.flatMap((factory) => {
    const kept = createCredentials({ store, platform: factory.name, owner, now, onInstalled() {} });
    const credentials = { ...kept, discard: async () => {} };
    return factory.create({ config, credentials, logger: SILENT_LOGGER, now }) ?? [];
  });
  try {
    return await work(platforms);
  } finally {
    for (const platform of platforms) await platform.close();
  }
}
