import type { Refused } from "./admission.ts";
import { isHoldfastError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { Screening } from "../../screening/screening.ts";
import type { ClaimedDelivery, Store, TenantRecord } from "../../store/store.ts";
import type { AccessState, Platform } from "../../platform/platform.ts";
import { toTimelineEntry } from "../timeline.ts";

/** Parts of what is done for events about tenants. */
export interface TenantEventOptions {
  readonly store: Store;
  readonly screening: Pick<Screening, "forget">;
  readonly now: () => number;
  readonly logger: Logger;
}

/** A delivery about a tenant, and who can be asked whether it is so. */
export interface TenantEvent {
  readonly delivery: ClaimedDelivery;
  readonly platform: Platform;
  readonly signal: AbortSignal;
}

/**
 * The tenant left, says a delivery that somebody may have sent again. So the platform is asked: while it takes the
 * tenant's access, the app is installed. An error of the platform leaves the delivery to be tried again.
 */
export async function uninstall(
  { store, now, logger }: TenantEventOptions,
  { delivery, platform, signal }: TenantEvent,
): Promise<string | Refused> {
  const { tenant, topic } = delivery;
  // Whoever installs the app from here on has come back.
  const askedAtMs = now();
  const known = await store.getTenant(tenant);
  if (known?.state !== "installed") return "not-installed";
  const access = await findAccess(known, platform, signal);
  if (access === "works") return { refused: "still-installed" };
  if (access === "unknown") {
    // Its access is gone or useless already: there is nothing to take away, and its orders go on waiting.
    logger.warn(
      { tenant },
      "the platform does not say whether a shop uninstalled the app: it stays as it is",
    );
    return "uninstall-unconfirmed";
  }
  const entry = toTimelineEntry(now(), { kind: "uninstalled", topic }, topic, "platform");
  return store.uninstallTenant(tenant, askedAtMs, entry);
}

/** The platform may have said so itself, before anybody asked. */
async function findAccess(
  { tenant, accessRefused }: TenantRecord,
  platform: Platform,
  signal: AbortSignal,
): Promise<AccessState> {
  return accessRefused ? "refused" : platform.confirmAccess(tenant, { signal });
}

/** What the tenant's orders wait for may be allowed now. The body names no tenant, so only its first delivery counts. */
export async function notePermissions(
  { store, now, logger }: TenantEventOptions,
  { delivery, platform, signal }: TenantEvent,
  granted: readonly string[],
): Promise<string | Refused> {
  const { tenant } = delivery;
  const { underAnotherTenant, repeated } = await store.traceBody(delivery);
  if (underAnotherTenant) return { refused: "body-of-another-tenant" };
  if (repeated) return "known-already";
  logger.info({ granted }, "the permissions of a tenant changed");
  // First: what follows may be refused, and is only for what is optional.
  await store.wakeTenant(tenant, now());
  await platform.followPermissions?.(tenant, granted, { signal });
  return "permissions-noted";
}

/** A shop that was closed may refuse to be asked forever, which must not keep it from being erased in time. */
async function findAccessOfLeft(
  known: TenantRecord,
  platform: Platform,
  signal: AbortSignal,
): Promise<AccessState> {
  try {
    return await findAccess(known, platform, signal);
  } catch (error) {
    if (isHoldfastError(error, "PLATFORM_REFUSED")) return "unknown";
    throw error;
  }
}

const DAY_MS = 86_400_000;
/**
 * How long an erasure waits while nobody can tell whether the shop is installed. The law gives 30 days; anybody who
 * opens the app in this time shows that it is.
 */
const UNCONFIRMED_FOR_MS = 25 * DAY_MS;

/** Erase everything of a tenant that left; a moment to look again where nobody can tell yet whether it did. */
export async function eraseTenant(
  { store, screening, now, logger }: TenantEventOptions,
  { delivery, platform, signal }: TenantEvent,
): Promise<string | Refused | { readonly retryAtMs: number }> {
  const { tenant, receivedAtMs } = delivery;
  const askedAtMs = now();
  const known = await store.getTenant(tenant);
  const access = known?.state === "installed" ? await findAccessOfLeft(known, platform, signal) : "refused";
  if (access === "works") return { refused: "still-installed" };
  if (access === "unknown" && askedAtMs < receivedAtMs + UNCONFIRMED_FOR_MS) {
    const incident = { tenant, name: "erasure_unconfirmed", nowMs: askedAtMs, quietMs: DAY_MS };
    if ((await store.openIncident(incident)).isNews) {
      logger.error(
        { alert: "erasure_unconfirmed", tenant },
        "a shop is to be erased, and the platform does not say whether it uninstalled the app",
      );
    }
    return { retryAtMs: askedAtMs + DAY_MS };
  }
  if (!(await store.eraseTenant(tenant, askedAtMs))) return "installed-again";
  screening.forget(tenant);
  return "tenant-erased";
}
