import { raiseAlert } from "../base/alerts.ts";
import { LRUCache } from "lru-cache";
import { atMost } from "../base/entry-limit.ts";
import type { Logger } from "../base/logger.ts";
import type { TenantId } from "../platform/platform.ts";
import type { Store } from "../store/store.ts";
import { parseSettings, UNSET, type TenantSettings } from "./tenant-settings.ts";

/** The current settings of tenants, for every decision. */
export type CurrentSettings = ReturnType<typeof createCurrentSettings>;

/** How long settings count as current without asking the store, in milliseconds. */
export const SETTINGS_KEPT_MS = 3_000;
const TENANTS_KEPT = 10_000;

/** A tenant's settings, read from the store without the cache. */
export async function loadSettings(
  store: Pick<Store, "settings">,
  tenant: TenantId,
): Promise<TenantSettings> {
  const kept = await store.settings.load(tenant);
  return kept === null ? UNSET : parseSettings(kept.version, kept.content);
}

interface Reading {
  readonly settings: Promise<TenantSettings>;
  readonly atMs: number;
}

/** Create {@link CurrentSettings} over a store. */
export function createCurrentSettings(options: {
  readonly store: Pick<Store, "settings">;
  readonly logger: Logger;
  readonly now: () => number;
}) {
  const { store, logger, now } = options;
  const readings = new LRUCache<TenantId, Reading>(atMost(TENANTS_KEPT));
  /** Versions that turned out to be unreadable, so that each process logs each one once. */
  const reported = new LRUCache<TenantId, number>(atMost(TENANTS_KEPT));

  async function read(tenant: TenantId): Promise<TenantSettings> {
    const settings = await loadSettings(store, tenant);
    const { version } = settings;
    if (!settings.isReadable && reported.get(tenant) !== version) {
      reported.set(tenant, version);
      raiseAlert(
        logger,
        "settings_unreadable",
        { tenant, version },
        "a tenant's settings can't be decrypted, so its service key isn't used; check DATA_KEY",
      );
    }
    return settings;
  }

  return {
    /**
     * A tenant's settings. If another process saved them, they may be {@link SETTINGS_KEPT_MS} old.
     *
     * @throws {HoldfastError} `STORE_UNAVAILABLE`.
     */
    of(tenant: TenantId): Promise<TenantSettings> {
      const atMs = now();
      const known = readings.get(tenant);
      // If the clock is set back, the settings are read again instead of counting as current for longer.
      if (known !== undefined && Math.abs(atMs - known.atMs) < SETTINGS_KEPT_MS) return known.settings;
      const reading: Reading = { settings: read(tenant), atMs };
      readings.set(tenant, reading);
      reading.settings.catch(() => {
        if (readings.peek(tenant) === reading) readings.delete(tenant);
      });
      return reading.settings;
    },
    /** Call this after saving settings in this process, so that the next reader sees them. */
    forget: (tenant: TenantId) => void readings.delete(tenant),
  };
}
