import { alertOnce } from "../../alerts/alert-once.ts";
import { LRUCache } from "lru-cache";
import { isHoldfastError } from "../../base/errors.ts";
import type { AwaitingCounts, Store, TenantRecord } from "../../store/store.ts";
import type { DeliveryParts, DeliveryTask, Refused } from "../tasks.ts";

/**
 * Whether a delivery about an order may have an effect. `admitted`: yes, its tenant has installed the app. `ended`: no, with
 * the outcome. `awaiting`: it is stored until the tenant installs the app.
 */
export type Admission =
  | {
      readonly state: "admitted";
      readonly tenant: TenantRecord;
      /** Whether the same tenant received the same body before under the same topic. */
      readonly repeated: boolean;
    }
  | { readonly state: "ended"; readonly outcome: string | Refused }
  | { readonly state: "awaiting" };

interface TenantOrder {
  readonly orderId: string;
  /** Whether the delivery only says that the order ended. */
  readonly isEnd: boolean;
}

/**
 * The most deliveries stored for one tenant that hasn't installed the app, and for all such tenants together. A shop usually
 * opens the app within minutes of its installation, so this is plenty.
 */
export const MOST_AWAITING: AwaitingCounts = { ofTenant: 10_000, inAll: 100_000 };

/**
 * Create the check that every delivery about an order has to pass. Its tenant can come from a header that nobody signed. So
 * nothing is paid for a tenant that never installed the app. And a body that another tenant received before has no effect,
 * unless the platform confirms that the order belongs to this one.
 */
export function createAdmission({ store, now }: Pick<DeliveryParts, "store" | "now">) {
  const isFull = createAwaitingLimit(store, now);

  return async function admit(task: DeliveryTask, order: TenantOrder): Promise<Admission> {
    const { delivery, owner } = task;
    for (;;) {
      const tenant = await store.tenants.get(delivery.tenant);
      const { underAnotherTenant, repeated } = await store.deliveries.traceBody(delivery);
      if (tenant?.state === "installed") {
        return !underAnotherTenant || (await isOwn(task, order))
          ? { state: "admitted", tenant, repeated }
          : ended({ refused: "body-of-another-tenant" });
      }
      // The tenant isn't installed, so the platform can't be asked whose order it is.
      if (underAnotherTenant) return ended({ refused: "body-of-another-tenant" });
      if (repeated) return ended("known-already");
      if (order.isEnd && (await store.deliveries.countAwaiting(delivery.tenant)).ofTenant === 0) {
        return ended("not-installed");
      }
      if (await isFull(delivery.tenant)) {
        await reportDropped(task);
        return ended("dropped:too-many-await-installation");
      }
      if (await store.deliveries.awaitInstallation(delivery, owner)) return { state: "awaiting" };
      // The tenant was installed meanwhile, so check again.
    }
  };
}

function ended(outcome: string | Refused): Admission {
  return { state: "ended", outcome };
}

/** Whether the order belongs to the tenant, although another tenant received its body before. */
async function isOwn(
  { store, delivery: { tenant }, platform, signal }: DeliveryTask,
  { orderId }: TenantOrder,
): Promise<boolean> {
  if ((await store.orders.get({ tenant, orderId })) !== null) return true;
  try {
    return (await platform.observe(tenant, orderId, { signal })) !== null;
  } catch (error) {
    // Without the platform's confirmation the delivery isn't trusted. If the order is genuine, the next look for missed
    // orders finds it.
    if (isHoldfastError(error, "PLATFORM_UNAUTHORIZED", "PLATFORM_REFUSED", "PLATFORM_CALL_INVALID"))
      return false;
    throw error;
  }
}

const REPORTED_EVERY_MS = 3_600_000;

async function reportDropped(task: DeliveryTask): Promise<void> {
  const { platform } = task.delivery;
  await alertOnce(
    task,
    { name: `orders_not_kept:${platform}`, quietMs: REPORTED_EVERY_MS },
    "orders_not_kept",
    { platform },
    "too many orders are waiting for shops that haven't installed the app: new ones are dropped",
  );
}

/** How long counts stay valid, in milliseconds. */
const COUNTS_GOOD_FOR_MS = 5_000;
const TENANTS_COUNTED = 1_000;

/** Whether the limit of waiting deliveries is reached. Asked for each delivery of a flood, so rows are counted only every few seconds. */
function createAwaitingLimit(store: Pick<Store, "deliveries">, now: () => number) {
  const counted = new LRUCache<string, { counts: AwaitingCounts; atMs: number; since: number }>({
    max: TENANTS_COUNTED,
  });
  return async (tenant: string): Promise<boolean> => {
    let known = counted.get(tenant);
    if (known === undefined || Math.abs(now() - known.atMs) > COUNTS_GOOD_FOR_MS) {
      known = { counts: await store.deliveries.countAwaiting(tenant), atMs: now(), since: 0 };
      counted.set(tenant, known);
    }
    const { counts, since } = known;
    known.since += 1;
    return counts.ofTenant + since >= MOST_AWAITING.ofTenant || counts.inAll + since >= MOST_AWAITING.inAll;
  };
}
