import { isHoldfastError } from "../../base/errors.ts";
import type { Platform, PlatformEvent } from "../../platform/platform.ts";
import type { ClaimedDelivery } from "../../store/store.ts";
import { noteDispute } from "../decide/disputes.ts";
import type { Claim } from "../work/claimer.ts";
import { toRetryAtMs } from "../work/retry-delay.ts";
import { createAdmission } from "./admission.ts";
import type { Carried, DeliveryParts, DeliveryTask, Refused } from "../tasks.ts";
import { changeOrder, checkOrder } from "./order-changes.ts";
import { endOrder, receiveOrder, rereadOrder, wakeOrder } from "./order-events.ts";
import { eraseTenant, notePermissions, uninstall } from "./tenant-events.ts";
import { eraseCustomer, reportCustomer } from "./customer-events.ts";

/** Tries over about half an hour. After that, one try every hour: the delivery was acknowledged, so Holdfast doesn't give up. */
const FREQUENT_ATTEMPTS = 12;
const SLOW_RETRY_MS = 3_600_000;

type Admit = ReturnType<typeof createAdmission>;

/** Create the function that processes an app's deliveries. Processing one again changes nothing. */
export function createDeliveryWork({
  platforms,
  ...parts
}: DeliveryParts & { readonly platforms: ReadonlyMap<string, Platform> }) {
  const admit = createAdmission(parts);

  return async (delivery: ClaimedDelivery, { owner, signal }: Claim): Promise<void> => {
    const { store, logger } = parts;
    const { tenant, topic, body } = delivery;
    const platform = platforms.get(delivery.platform);
    let event: PlatformEvent | undefined;
    try {
      event = platform?.interpret({ tenant, topic, body });
      const carried =
        platform === undefined || event === undefined
          ? "ignored:unknown-platform"
          : await carryOut({ ...parts, delivery, platform, owner, signal }, event, admit);
      if (carried === null) return;
      if (typeof carried === "object" && "retryAtMs" in carried) {
        await store.retryDelivery(delivery, owner, carried.retryAtMs, null);
        return;
      }
      if (typeof carried === "object") await sayRefused(parts, delivery, carried);
      const outcome = typeof carried === "object" ? `refused:${carried.refused}` : carried;
      await store.finishDelivery(delivery, owner, outcome);
      logger.debug({ topic, outcome }, "a delivery was processed");
    } catch (error) {
      await postpone(parts, delivery, owner, error, event?.kind === "order-ready");
    }
  };
}

/** Null if the delivery waits for the installation, which is already stored. */
async function carryOut(task: DeliveryTask, event: PlatformEvent, admit: Admit): Promise<Carried | null> {
  switch (event.kind) {
    case "order":
    case "order-changed":
    case "order-cancelled":
    case "check-requested":
      return carryOutForOrder(task, event, admit);
    // The content of these two isn't trusted: the state is read from the platform.
    case "order-ready":
      return wakeOrder(task, event.reference);
    case "context-changed":
      return rereadOrder(task, event.orderId);
    case "dispute":
      return noteDispute(task, event.dispute);
    case "refused":
      return { refused: event.reason };
    case "ignored":
      return `ignored:${event.reason}`;
    default:
      return carryOutForTenant(task, event);
  }
}

type EventOf<Kind extends PlatformEvent["kind"]> = Extract<PlatformEvent, { readonly kind: Kind }>;
type OrderEvent = EventOf<"order" | "order-changed" | "order-cancelled" | "check-requested">;
type TenantEvent = EventOf<
  "uninstalled" | "permissions-changed" | "erase-customer" | "erase-tenant" | "report-customer"
>;

async function carryOutForOrder(
  task: DeliveryTask,
  event: OrderEvent,
  admit: Admit,
): Promise<Carried | null> {
  const isEnd = event.kind === "order-cancelled";
  const orderId = "order" in event ? event.order.orderId : event.orderId;
  const admission = await admit(task, { orderId, isEnd });
  if (admission.state === "awaiting") return null;
  if (admission.state === "ended") return admission.outcome;
  switch (event.kind) {
    case "order":
      return receiveOrder(task, admission, event.order);
    case "order-changed":
      return changeOrder(task, admission.tenant, event.order);
    case "order-cancelled":
      return endOrder(task, orderId, event.asFraud);
    case "check-requested":
      return checkOrder(task, admission.tenant, orderId);
  }
}

async function carryOutForTenant(task: DeliveryTask, event: TenantEvent): Promise<Carried> {
  switch (event.kind) {
    case "uninstalled":
      return uninstall(task);
    case "permissions-changed":
      return notePermissions(task, event.granted);
    case "erase-customer":
      return eraseCustomer(task, event);
    case "erase-tenant":
      return eraseTenant(task);
    case "report-customer":
      return reportCustomer(task, event);
  }
}

const SAID_EVERY_MS = 3_600_000;

/**
 * Deliveries that aren't trusted are each counted, and reported once an hour, because the sender chooses how many there are.
 * The sender also chooses the tenant, so it isn't named.
 */
async function sayRefused(
  { store, metrics, logger, now }: DeliveryParts,
  { platform, topic }: ClaimedDelivery,
  { refused: reason }: Refused,
): Promise<void> {
  metrics.webhooks(platform)("refused");
  const name = `webhooks_refused:${platform}:${reason}`;
  if (!(await store.openIncident({ name, nowMs: now(), quietMs: SAID_EVERY_MS })).isNews) return;
  logger.error(
    { alert: "webhooks_refused", platform, topic, reason },
    "signed deliveries arrived with altered headers: somebody captured them and is sending them again",
  );
}

/**
 * Try again later, for as long as it takes, because the delivery was acknowledged. Only a hint can be dropped: the order that it
 * would have woken is worked on anyway when it is due, and on installation.
 */
async function postpone(
  { store, now, logger }: DeliveryParts,
  delivery: ClaimedDelivery,
  owner: string,
  error: unknown,
  isHint: boolean,
): Promise<void> {
  const { tenant, topic, attempts } = delivery;
  const { code, retryable, retryAtMs } = isHoldfastError(error) ? error : UNKNOWN;
  const isRetryable = retryable && code !== "PLATFORM_UNAUTHORIZED";
  if (isHint && !isRetryable) {
    await store.finishDelivery(delivery, owner, `failed:${code}`);
    logger.warn({ err: error, topic }, "a delivery couldn't be processed");
    return;
  }
  const slow = !isRetryable || attempts >= FREQUENT_ATTEMPTS;
  const dueAtMs = slow ? now() + SLOW_RETRY_MS : toRetryAtMs(attempts, now(), retryAtMs);
  await store.retryDelivery(delivery, owner, dueAtMs, code);
  if (slow) logger.error({ err: error, alert: "delivery_stuck", tenant, topic }, "a delivery keeps failing");
  else logger.warn({ err: error, topic, attempts }, "a delivery couldn't be processed; retrying later");
}

const UNKNOWN = { code: "INTERNAL", retryable: false, retryAtMs: undefined } as const;
