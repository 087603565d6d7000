import { alertOnce } from "../../alerts/alert-once.ts";
import { isHoldfastError } from "../../base/errors.ts";
import type { AccessState } from "../../platform/platform.ts";
import type { TenantRecord } from "../../store/store.ts";
import { toTimelineEntry } from "../timeline.ts";
import type { Carried, DeliveryTask, Refused } from "../tasks.ts";

/**
 * A delivery says that the tenant uninstalled the app, but somebody may have captured it and sent it again. So the platform is
 * asked: while it accepts the tenant's access, the app is installed. If the platform fails, the delivery is tried again.
 */
export async function uninstall(task: DeliveryTask): Promise<string | Refused> {
  const { store, now, logger } = task;
  const { tenant, topic } = task.delivery;
  // An installation after this moment is a new one.
  const askedAtMs = now();
  const known = await store.tenants.get(tenant);
  if (known?.state !== "installed") return "not-installed";
  const access = await findAccess(task, known);
  if (access === "works") return { refused: "still-installed" };
  if (access === "unknown") {
    // The access is gone or can't be used: there is nothing to take away, and its orders wait.
    logger.warn(
      { tenant },
      "the platform doesn't say whether a shop uninstalled the app: nothing was changed",
    );
    return "uninstall-unconfirmed";
  }
  const entry = toTimelineEntry(now(), { kind: "uninstalled", topic }, topic, "platform");
  return store.tenants.uninstall(tenant, askedAtMs, entry);
}

/** The platform may have refused the access before. */
async function findAccess({ platform, signal }: DeliveryTask, { tenant, accessRefused }: TenantRecord) {
  return accessRefused ? "refused" : platform.confirmAccess(tenant, { signal });
}

/** The tenant's permissions changed, and its orders may have waited for that. The body names no tenant, so only its first delivery counts. */
export async function notePermissions(
  { store, now, logger, delivery, platform, signal }: DeliveryTask,
  granted: readonly string[],
): Promise<string | Refused> {
  const { tenant } = delivery;
  const { underAnotherTenant, repeated } = await store.deliveries.traceBody(delivery);
  if (underAnotherTenant) return { refused: "body-of-another-tenant" };
  if (repeated) return "known-already";
  logger.info({ granted }, "a shop's permissions changed");
  // First, because the next call may be refused, and is optional.
  await store.orders.wakeTenant(tenant, now());
  await platform.followPermissions?.(tenant, granted, { signal });
  return "permissions-noted";
}

/** A closed shop may refuse all calls forever. That must not delay its erasure. */
async function findAccessOfLeft(task: DeliveryTask, known: TenantRecord): Promise<AccessState> {
  try {
    return await findAccess(task, known);
  } catch (error) {
    if (isHoldfastError(error, "PLATFORM_REFUSED")) return "unknown";
    throw error;
  }
}

const DAY_MS = 86_400_000;
/**
 * How long an erasure waits while it isn't known whether the app is installed. The law gives 30 days. Opening the app in this
 * time shows that it is installed.
 */
const UNCONFIRMED_FOR_MS = 25 * DAY_MS;

/** Erase everything of a tenant that uninstalled the app, or say when to try again if that isn't known yet. */
export async function eraseTenant(task: DeliveryTask): Promise<Carried> {
  const { store, screening, now } = task;
  const { tenant, receivedAtMs } = task.delivery;
  const askedAtMs = now();
  const known = await store.tenants.get(tenant);
  const access = known?.state === "installed" ? await findAccessOfLeft(task, known) : "refused";
  if (access === "works") return { refused: "still-installed" };
  if (access === "unknown" && askedAtMs < receivedAtMs + UNCONFIRMED_FOR_MS) {
    await alertOnce(
      task,
      { tenant, name: "erasure_unconfirmed", quietMs: DAY_MS },
      "erasure_unconfirmed",
      { tenant },
      "a shop is due to be erased, and the platform doesn't say whether it uninstalled the app",
    );
    return { retryAtMs: askedAtMs + DAY_MS };
  }
  if (!(await store.retention.eraseTenant(tenant, askedAtMs))) return "installed-again";
  screening.forget(tenant);
  return "tenant-erased";
}
