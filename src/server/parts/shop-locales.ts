import { LRUCache } from "lru-cache";
import { isHoldfastError } from "../../base/errors.ts";
import { findPlatform, type ShopLocale, type TenantId } from "../../platform/platform.ts";
import { createOffsets, toKnownZone } from "../../base/day-spans.ts";
import { createSharedAnswers } from "../http/shared-answers.ts";
import type { ServerParts } from "./server-parts.ts";

/** A tenant's time zone and currency. Never rejects; a value that can't be read is unknown. */
export type ShopLocales = (tenant: TenantId) => Promise<ShopLocale>;

export interface LocalParts extends ServerParts {
  readonly localeOf: ShopLocales;
}

/** A shop's locale rarely changes. */
const KEPT_MS = 10 * 60_000;
/** A failing platform is asked again after this time: until then, days and amounts may be shown in another zone or currency. */
const RETRY_MS = 10_000;
const TENANTS_KEPT = 1_000;
/** Somebody waits for the page, which works without it. */
const TIME_LIMIT_MS = 2_000;
const UNKNOWN: ShopLocale = { timeZone: null, currency: null };

/** Asks the platforms every ten minutes per tenant. While one fails, what it said last counts. */
export function createShopLocales({
  platforms,
  now,
  logger,
}: Pick<ServerParts, "platforms" | "now" | "logger">): ShopLocales {
  const known = new LRUCache<TenantId, { readonly locale: ShopLocale; readonly atMs: number }>({
    max: TENANTS_KEPT,
  });
  const reads = createSharedAnswers<ShopLocale | null>({ forMs: RETRY_MS, now });

  /** Null if that failed. */
  async function read(tenant: TenantId): Promise<ShopLocale | null> {
    const platform = findPlatform(platforms, tenant);
    try {
      const read = await platform?.readLocale?.(tenant, { signal: AbortSignal.timeout(TIME_LIMIT_MS) });
      return read === undefined ? UNKNOWN : { ...read, timeZone: toKnownZone(read.timeZone) };
    } catch (error) {
      const code = isHoldfastError(error) ? error.code : undefined;
      logger.warn({ code, err: error }, "a shop's time zone and currency couldn't be read");
      return null;
    }
  }

  return async (tenant) => {
    const last = known.get(tenant);
    // If the clock is set back, ask again.
    if (last !== undefined && Math.abs(now() - last.atMs) < KEPT_MS) return last.locale;
    const locale = await reads(tenant, () => read(tenant));
    if (locale === null) return last?.locale ?? UNKNOWN;
    known.set(tenant, { locale, atMs: now() });
    return locale;
  };
}

/** `2026-11-20T15:04:05-05:00`, or UTC with a Z if the zone isn't known. */
export function toZonedIso(ms: number, timeZone: string | null): string {
  const utc = new Date(ms).toISOString();
  if (timeZone === null) return utc;
  const offsetMs = createOffsets(timeZone)(ms);
  const minutes = Math.abs(offsetMs) / 60_000;
  const toDigits = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const offset = `${offsetMs < 0 ? "-" : "+"}${toDigits(minutes / 60)}:${toDigits(minutes % 60)}`;
  return `${new Date(ms + offsetMs).toISOString().slice(0, 19)}${offset}`;
}
