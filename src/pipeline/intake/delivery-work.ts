import { isHoldfastError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { Metrics } from "../metrics.ts";
import type { Screening } from "../../screening/screening.ts";
import type { ClaimedDelivery, Store } from "../../store/store.ts";
import { createAdmission, type Refused } from "./admission.ts";
import { toRetryAtMs } from "../work/order-task.ts";
import type { Claim } from "../work/claimer.ts";
import { eraseCustomer, reportCustomer } from "./customer-events.ts";
import { noteDispute } from "./dispute-events.ts";
import { changeOrder, checkOrder, type OrderChangeOptions } from "./order-changes.ts";
import { endOrder, receiveOrder, rereadOrder, wakeOrder } from "./order-events.ts";
import type { Platform, PlatformEvent } from "../../platform/platform.ts";
import { eraseTenant, notePermissions, uninstall } from "./tenant-events.ts";

/** Tries over about half an hour. After them a delivery is tried every hour: it was acknowledged, so it is never given up. */
const FREQUENT_ATTEMPTS = 12;
const SLOW_RETRY_MS = 3_600_000;

/** Parts of {@link createDeliveryWork}. */
export interface DeliveryWorkOptions {
  readonly store: Store;
  readonly platforms: ReadonlyMap<string, Platform>;
  readonly screening: Pick<Screening, "forget">;
  readonly policyOf: OrderChangeOptions["policyOf"];
  readonly metrics: Pick<Metrics, "saved" | "webhooks">;
  readonly now: () => number;
  readonly logger: Logger;
}

/** Carries out what a kept delivery asks for. Repeating it changes nothing. */
export type DeliveryWork = (delivery: ClaimedDelivery, claim: Claim) => Promise<void>;

/** The outcome of a delivery, or a time to look again. Null: it waits for the installation, which is written. */
type Carried = string | Refused | { readonly retryAtMs: number } | null;

/** Create the {@link DeliveryWork} of an app. */
export function createDeliveryWork(options: DeliveryWorkOptions): DeliveryWork {
  const { store, platforms, logger } = options;
  const admit = createAdmission({ ...options, onDropped: (delivery) => sayDropped(options, delivery) });

  return async (delivery, { owner, signal }) => {
    const { tenant, deliveryId, topic } = delivery;
    const platform = platforms.get(delivery.platform);
    let event: PlatformEvent | undefined;
    try {
      event = platform?.interpret({ tenant, topic, body: delivery.body });
      const carried: Carried =
        platform === undefined || event === undefined
          ? "ignored:unknown-platform"
          : await carryOut({ ...options, admit }, { delivery, platform, owner, signal }, event);
      if (carried === null) return;
      if (typeof carried === "object" && "retryAtMs" in carried) {
        await store.retryDelivery({ tenant, deliveryId }, owner, carried.retryAtMs, null);
        return;
      }
      if (typeof carried === "object") await sayRefused(options, delivery, carried);
      const outcome = typeof carried === "object" ? `refused:${carried.refused}` : carried;
      await store.finishDelivery({ tenant, deliveryId }, owner, outcome);
      logger.debug({ topic, outcome }, "a delivery was carried out");
    } catch (error) {
      await postpone(options, delivery, owner, error, event?.kind === "order-ready");
    }
  };
}

/** A delivery that is being carried out. */
interface Work {
  readonly delivery: ClaimedDelivery;
  readonly platform: Platform;
  readonly owner: string;
  readonly signal: AbortSignal;
}

type Carrying = DeliveryWorkOptions & { readonly admit: ReturnType<typeof createAdmission> };

async function carryOut(options: Carrying, work: Work, event: PlatformEvent): Promise<Carried> {
  if (isHint(event)) return carryOutHint(options, work, event);
  switch (event.kind) {
    case "order":
    case "order-changed":
    case "order-cancelled":
    case "check-requested":
      return carryOutOrder(options, work, event);
    case "dispute":
      return noteDispute(options, work, event.dispute);
    case "refused":
      return { refused: event.reason };
    case "ignored":
      return `ignored:${event.reason}`;
    default:
      return carryOutForTenant(options, work, event);
  }
}

type TenantEvents = Extract<
  PlatformEvent,
  {
    readonly kind:
      | "uninstalled"
      | "permissions-changed"
      | "erase-customer"
      | "erase-tenant"
      | "report-customer";
  }
>;

async function carryOutForTenant(options: Carrying, work: Work, event: TenantEvents): Promise<Carried> {
  switch (event.kind) {
    case "uninstalled":
      return uninstall(options, work);
    case "permissions-changed":
      return notePermissions(options, work, event.granted);
    case "erase-customer":
      return eraseCustomer(options, work.delivery, event);
    case "erase-tenant":
      return eraseTenant(options, work);
    case "report-customer":
      return reportCustomer(options, work.delivery, event);
  }
}

type Hint = Extract<PlatformEvent, { readonly kind: "order-ready" | "context-changed" }>;

function isHint(event: PlatformEvent): event is Hint {
  return event.kind === "order-ready" || event.kind === "context-changed";
}

/** Its content isn't believed: the state is read from the platform. */
async function carryOutHint(
  options: Carrying,
  { delivery, platform, signal }: Work,
  event: Hint,
): Promise<Carried> {
  return event.kind === "order-ready"
    ? wakeOrder(options, delivery, event.reference, platform, signal)
    : rereadOrder(options, delivery, event.orderId);
}

type OrderEvent = Extract<
  PlatformEvent,
  { readonly kind: "order" | "order-changed" | "order-cancelled" | "check-requested" }
>;

async function carryOutOrder(options: Carrying, work: Work, event: OrderEvent): Promise<Carried> {
  const { delivery, platform, signal } = work;
  const isEnd = event.kind === "order-cancelled";
  const orderId = "order" in event ? event.order.orderId : event.orderId;
  const admission = await options.admit({ ...work, orderId, isEnd });
  if (admission.state === "awaiting") return null;
  if (admission.state === "ended") return admission.outcome;
  if (event.kind === "order-cancelled") return endOrder(options, delivery, orderId, event.asFraud);
  const { tenant, repeated } = admission;
  if (event.kind === "check-requested") {
    return checkOrder(options, { delivery, tenant, orderId, platform, signal });
  }
  const { order } = event;
  return event.kind === "order"
    ? receiveOrder(options, { delivery, tenant, repeated }, order)
    : changeOrder(options, { delivery, tenant, order, platform, signal });
}

const SAID_EVERY_MS = 3_600_000;

/**
 * Deliveries that are not believed are each counted, and reported once an hour: whoever sends them chooses how many. The
 * tenant is not named, since they choose that too.
 */
async function sayRefused(
  { store, metrics, logger, now }: DeliveryWorkOptions,
  { platform, topic }: ClaimedDelivery,
  { refused: reason }: Refused,
): Promise<void> {
  metrics.webhooks(platform)("refused");
  const name = `webhooks_refused:${platform}:${reason}`;
  if (!(await store.openIncident({ name, nowMs: now(), quietMs: SAID_EVERY_MS })).isNews) return;
  logger.error(
    { alert: "webhooks_refused", platform, topic, reason },
    "signed deliveries came with headers that are not theirs: somebody is sending them again",
  );
}

async function sayDropped(
  { store, logger, now }: DeliveryWorkOptions,
  { platform }: ClaimedDelivery,
): Promise<void> {
  const name = `orders_not_kept:${platform}`;
  if (!(await store.openIncident({ name, nowMs: now(), quietMs: SAID_EVERY_MS })).isNews) return;
  logger.error(
    { alert: "orders_not_kept", platform },
    "too many orders of shops that have not installed the app wait already: new ones are dropped",
  );
}

/**
 * Try again later, for as long as it takes: what was acknowledged is not given up. Only a mere hint may be, since what
 * it would have woken is looked at again when it is due and on installation.
 */
async function postpone(
  { store, now, logger }: DeliveryWorkOptions,
  delivery: ClaimedDelivery,
  owner: string,
  error: unknown,
  isHint: boolean,
): Promise<void> {
  const { tenant, deliveryId, topic, attempts } = delivery;
  const code = isHoldfastError(error) ? error.code : "INTERNAL";
  const retryable = isHoldfastError(error) && error.retryable && code !== "PLATFORM_UNAUTHORIZED";
  if (isHint && !retryable) {
    await store.finishDelivery({ tenant, deliveryId }, owner, `failed:${code}`);
    logger.warn({ err: error, topic }, "a delivery could not be carried out");
    return;
  }
  const slow = !retryable || attempts >= FREQUENT_ATTEMPTS;
  const hintMs = isHoldfastError(error) ? error.retryAtMs : undefined;
  const dueAtMs = slow ? now() + SLOW_RETRY_MS : toRetryAtMs(attempts, now(), hintMs);
  await store.retryDelivery({ tenant, deliveryId }, owner, dueAtMs, code);
  if (slow) logger.error({ err: error, alert: "delivery_stuck", tenant, topic }, "a delivery keeps failing");
  else logger.warn({ err: error, topic, attempts }, "a delivery is tried again later");
}
