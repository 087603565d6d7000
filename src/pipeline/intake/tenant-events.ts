import { isHoldfastError } from "../../base/errors.ts";
import type { AccessState, PlatformEvent } from "../../platform/platform.ts";
import type { TenantRecord } from "../../store/store.ts";
import { toTimelineEntry } from "../timeline.ts";
import type { Carried, DeliveryTask, Refused } from "../tasks.ts";

/**
 * The tenant left, says a delivery that somebody may have sent again. So the platform is asked: while it takes the
 * tenant's access, the app is installed. An error of the platform leaves the delivery to be tried again.
 */
export async function uninstall(task: DeliveryTask): Promise<string | Refused> {
  const { store, now, logger } = task;
  const { tenant, topic } = task.delivery;
  // Whoever installs the app from here on has come back.
  const askedAtMs = now();
  const known = await store.getTenant(tenant);
  if (known?.state !== "installed") return "not-installed";
  const access = await findAccess(task, known);
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
  { platform, signal }: DeliveryTask,
  { tenant, accessRefused }: TenantRecord,
): Promise<AccessState> {
  return accessRefused ? "refused" : platform.confirmAccess(tenant, { signal });
}

/** What the tenant's orders wait for may be allowed now. The body names no tenant, so only its first delivery counts. */
export async function notePermissions(
  { store, now, logger, delivery, platform, signal }: DeliveryTask,
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
 * How long an erasure waits while nobody can tell whether the shop is installed. The law gives 30 days; anybody who
 * opens the app in this time shows that it is.
 */
const UNCONFIRMED_FOR_MS = 25 * DAY_MS;

/** Erase everything of a tenant that left; a moment to look again where nobody can tell yet whether it did. */
export async function eraseTenant(task: DeliveryTask): Promise<Carried> {
  const { store, screening, now, logger } = task;
  const { tenant, receivedAtMs } = task.delivery;
  const askedAtMs = now();
  const known = await store.getTenant(tenant);
  const access = known?.state === "installed" ? await findAccessOfLeft(task, known) : "refused";
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

/** A customer asked what is kept of them: prepare it for the tenant to fetch. */
export async function reportCustomer(
  { store, now, logger, delivery }: DeliveryTask,
  event: Extract<PlatformEvent, { readonly kind: "report-customer" }>,
): Promise<string> {
  const { tenant } = delivery;
  if ((await store.traceBody(delivery)).repeated) return "known-already";
  const { requestId, orderIds, customerId, email } = event;
  const orders = await store.findCustomerOrders({ tenant, orderIds, customerId, email });
  const content = JSON.stringify({ requestId, preparedAt: new Date(now()).toISOString(), orders });
  await store.saveReport(tenant, requestId, content, now());
  logger.warn(
    { alert: "customer_data_request", tenant, requestId, orders: orders.length },
    "a customer asked for their data",
  );
  return "report-prepared";
}

/** Requests to be forgotten have weeks; an order that is stuck for longer than this does not hold them up. */
const ERASURE_PATIENCE_MS = 24 * 3_600_000;

/** While an order that the customer may have placed is being decided, or another customer is erased, in milliseconds. */
const NOT_YET_MS = 5_000;
/** Longer than an erasure takes. */
const ERASURE_LEASE_MS = 600_000;

type ErasureTask = Pick<DeliveryTask, "store" | "screening" | "now" | "delivery">;
type Erasure = Extract<PlatformEvent, { readonly kind: "erase-customer" }>;

/**
 * A customer asked to be forgotten. What came before the request is decided first, so that erasing its content does not
 * lose an order. The same request again reaches the orders that it names, and nothing that the customer ordered since.
 */
export async function eraseCustomer(task: ErasureTask, event: Erasure): Promise<Carried> {
  const { store, now } = task;
  const { tenant, deliveryId, receivedAtMs } = task.delivery;
  const patient = now() < receivedAtMs + ERASURE_PATIENCE_MS;
  if (patient && (await store.countUndecided(tenant, receivedAtMs)) > 0)
    return { retryAtMs: now() + NOT_YET_MS };
  // One customer of a tenant after the other: two who share an address would each keep what blocks it because of the other.
  // The delivery has the lease and not the process, so that what goes on after a crash has it already.
  const turn = `erasure:${tenant}`;
  const untilMs = now() + ERASURE_LEASE_MS;
  if (!(await store.acquireLease(turn, deliveryId, now(), untilMs, { endsWithProcess: true })))
    return { retryAtMs: now() + NOT_YET_MS };
  try {
    return await erase(task, event);
  } finally {
    await store.releaseLease(turn, deliveryId);
  }
}

async function erase({ store, screening, now, delivery }: ErasureTask, event: Erasure): Promise<string> {
  const { tenant, topic } = delivery;
  const { repeated } = await store.traceBody(delivery);
  const { orderIds } = event;
  const customerId = repeated ? undefined : event.customerId;
  const email = repeated ? undefined : event.email;
  const entry = toTimelineEntry(now(), { kind: "erased", topic }, topic, "platform");
  const erased = await store.eraseOrders({ tenant, orderIds, customerId, email }, entry);
  screening.forget(tenant);
  return `erased-${erased.length}-orders`;
}
