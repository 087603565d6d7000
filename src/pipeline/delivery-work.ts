import { isHoldfastError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { Screening } from "../screening/screening.ts";
import type { ClaimedDelivery, Store } from "../store/store.ts";
import { toRetryAtMs } from "./backoff.ts";
import type { Claim } from "./claimer.ts";
import { eraseCustomer, reportCustomer } from "./customer-events.ts";
import { changeOrder, type OrderChangeOptions } from "./order-changes.ts";
import { endOrder, receiveOrder, wakeOrder } from "./order-events.ts";
import type { Platform, PlatformEvent } from "./platform.ts";
import { eraseTenant, notePermissions, uninstall } from "./tenant-events.ts";

/** Tries over about half an hour. After them a delivery is tried every hour: it was acknowledged, so it is never given up. */
const FREQUENT_ATTEMPTS = 12;
const SLOW_RETRY_MS = 3_600_000;
const NOT_YET_MS = 5_000;

/** Parts of {@link createDeliveryWork}. */
export interface DeliveryWorkOptions {
  readonly store: Store;
  readonly platforms: ReadonlyMap<string, Platform>;
  readonly screening: Pick<Screening, "forget">;
  readonly policyOf: OrderChangeOptions["policyOf"];
  readonly metrics: Pick<Metrics, "saved">;
  readonly now: () => number;
  readonly logger: Logger;
}

/** Carries out what a kept delivery asks for. Repeating it changes nothing. */
export type DeliveryWork = (delivery: ClaimedDelivery, claim: Claim) => Promise<void>;

/** Create the {@link DeliveryWork} of an app. */
export function createDeliveryWork(options: DeliveryWorkOptions): DeliveryWork {
  const { store, platforms, logger, now } = options;

  return async (delivery, { owner, signal }) => {
    const { tenant, deliveryId, topic } = delivery;
    const platform = platforms.get(delivery.platform);
    let event: PlatformEvent | undefined;
    try {
      event = platform?.interpret({ tenant, topic, body: delivery.body });
      const outcome =
        platform === undefined || event === undefined
          ? "ignored:unknown-platform"
          : await carryOut(options, delivery, event, platform, signal);
      if (outcome === null) {
        await store.retryDelivery({ tenant, deliveryId }, owner, now() + NOT_YET_MS, null);
        return;
      }
      await store.finishDelivery({ tenant, deliveryId }, owner, outcome);
      logger.debug({ topic, outcome }, "a delivery was carried out");
    } catch (error) {
      await postpone(options, delivery, owner, error, event?.kind === "order-ready");
    }
  };
}

/** Do what the delivery asks for; resolves to what came of it, or to null when its time has not come yet. */
async function carryOut(
  options: DeliveryWorkOptions,
  delivery: ClaimedDelivery,
  event: PlatformEvent,
  platform: Platform,
  signal: AbortSignal,
): Promise<string | null> {
  switch (event.kind) {
    case "order":
      return receiveOrder(options, delivery, event.order);
    case "order-changed":
      return changeOrder(options, delivery, event.order);
    case "order-cancelled":
      return endOrder(options, delivery, event.orderId);
    case "order-ready":
      return wakeOrder(options, delivery, event.reference, platform, signal);
    case "uninstalled":
      return uninstall(options, delivery);
    case "permissions-changed":
      return notePermissions(options, delivery, event.granted);
    case "erase-customer":
      return eraseCustomer(options, delivery, event);
    case "erase-tenant":
      return eraseTenant(options, delivery);
    case "report-customer":
      return reportCustomer(options, delivery, event);
    case "ignored":
      return `ignored:${event.reason}`;
  }
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
