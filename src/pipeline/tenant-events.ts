import type { Logger } from "../logger.ts";
import type { Screening } from "../screening/screening.ts";
import type { ClaimedDelivery, TenantStore, Store } from "../store/store.ts";
import { toTimelineEntry } from "./timeline.ts";

/** Parts of what is done for events about tenants. */
export interface TenantEventOptions {
  readonly store: Store;
  readonly screening: Pick<Screening, "forget">;
  readonly now: () => number;
  readonly logger: Logger;
}

/** Whether the tenant left and has not come back: its late deliveries are dropped, nothing is spent on them. */
export async function hasLeft(
  store: Pick<TenantStore, "getTenant">,
  { tenant, triggeredAtMs, receivedAtMs }: ClaimedDelivery,
): Promise<boolean> {
  const known = await store.getTenant(tenant);
  // What happened after it left happened because it is back, also before somebody opened the app again.
  return (
    known?.state === "uninstalled" &&
    known.uninstalledAtMs !== null &&
    (triggeredAtMs ?? receivedAtMs) <= known.uninstalledAtMs
  );
}

/** The tenant left. */
export async function uninstall(
  { store, now }: TenantEventOptions,
  { tenant, platform, topic, triggeredAtMs, receivedAtMs }: ClaimedDelivery,
): Promise<string> {
  const entry = toTimelineEntry(now(), "uninstalled", topic, "platform");
  return store.uninstallTenant(tenant, platform, triggeredAtMs ?? receivedAtMs, entry);
}

/** What the tenant's orders wait for may be allowed now. */
export async function notePermissions(
  { store, now, logger }: TenantEventOptions,
  { tenant }: ClaimedDelivery,
  granted: readonly string[],
): Promise<string> {
  logger.info({ granted }, "the permissions of a tenant changed");
  await store.wakeTenant(tenant, now());
  return "permissions-noted";
}

/** Erase everything of a tenant that left. */
export async function eraseTenant(
  { store, screening }: TenantEventOptions,
  { tenant, triggeredAtMs, receivedAtMs }: ClaimedDelivery,
): Promise<string> {
  const known = await store.getTenant(tenant);
  // The platform does not send this to a shop that came back, but may repeat an old one.
  if (known?.state === "installed" && known.installedAtMs > (triggeredAtMs ?? receivedAtMs))
    return "installed-again";
  await store.eraseTenant(tenant);
  screening.forget(tenant);
  return "tenant-erased";
}
