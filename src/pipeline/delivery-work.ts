import { isHoldfastError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Screening } from "../screening/screening.ts";
import type { ClaimedDelivery, Store, TimelineEntry } from "../store/store.ts";
import { toRetryAtMs } from "./backoff.ts";
import type { Platform, PlatformEvent } from "./platform.ts";

/** Tries of one delivery, over about half an hour: none of them carries an order, those never fail for the platform's sake. */
const MAX_ATTEMPTS = 12;

/** Parts of {@link createDeliveryWork}. */
export interface DeliveryWorkOptions {
  readonly store: Store;
  readonly platforms: ReadonlyMap<string, Platform>;
  readonly screening: Pick<Screening, "forget">;
  readonly owner: string;
  readonly now: () => number;
  readonly logger: Logger;
}

/** Carries out what a kept delivery asks for. Repeating it changes nothing. */
export type DeliveryWork = (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<void>;

type EventOf<Kind extends PlatformEvent["kind"]> = Extract<PlatformEvent, { readonly kind: Kind }>;

/** Create the {@link DeliveryWork} of an app. */
export function createDeliveryWork(options: DeliveryWorkOptions): DeliveryWork {
  const { store, platforms, owner, now, logger } = options;

  function toEntry(kind: string, detail: string): TimelineEntry {
    return { atMs: now(), kind, detail, actor: "platform" };
  }

  /** Whether the tenant left and has not come back: its late deliveries are dropped, nothing is spent on them. */
  async function hasLeft({ tenant, triggeredAtMs, receivedAtMs }: ClaimedDelivery): Promise<boolean> {
    const known = await store.getTenant(tenant);
    return known?.state === "uninstalled" && known.installedAtMs < (triggeredAtMs ?? receivedAtMs);
  }

  async function receive(delivery: ClaimedDelivery, { order }: EventOf<"order">): Promise<string> {
    if (await hasLeft(delivery)) return "tenant-uninstalled";
    const { tenant, platform, receivedAtMs } = delivery;
    const fresh = await store.receiveOrder(
      { tenant, platform, receivedAtMs, ...order },
      toEntry("received", delivery.topic),
    );
    return fresh ? "order-received" : "order-known";
  }

  /** An order came within reach, e.g. its fulfilment was routed: wake it if it waits for that. */
  async function wake(
    delivery: ClaimedDelivery,
    { reference }: EventOf<"order-ready">,
    platform: Platform,
    signal: AbortSignal,
  ): Promise<string> {
    const { tenant } = delivery;
    // This event comes for every order of a shop; only a shop with waiting orders is worth a question to the platform.
    const waiting = await store.listOrders(tenant, { state: "waiting", limit: 1 });
    if (waiting.orders.length === 0) return "nothing-waits";
    const orderId = await platform.locate(tenant, reference, { signal });
    if (orderId === null) return "order-not-found";
    const woken = await store.wakeOrder({ tenant, orderId }, now(), toEntry("ready", delivery.topic));
    return woken ? "order-woken" : "order-does-not-wait";
  }

  async function report(delivery: ClaimedDelivery, event: EventOf<"report-customer">): Promise<string> {
    const { tenant } = delivery;
    const { requestId, orderIds, customerId, email } = event;
    const orders = await store.findCustomerOrders({ tenant, orderIds, customerId, email });
    const content = JSON.stringify({ requestId, preparedAt: new Date(now()).toISOString(), orders });
    await store.saveReport(tenant, requestId, content, now());
    logger.warn(
      { alert: "customer_data_request", requestId, orders: orders.length },
      "a customer asked for their data",
    );
    return "report-prepared";
  }

  async function eraseCustomer(delivery: ClaimedDelivery, event: EventOf<"erase-customer">): Promise<string> {
    const { orderIds, customerId, email } = event;
    const entry = toEntry("erased", delivery.topic);
    const erased = await store.eraseOrders({ tenant: delivery.tenant, orderIds, customerId, email }, entry);
    options.screening.forget(delivery.tenant);
    return `erased-${erased.length}-orders`;
  }

  async function eraseTenant({ tenant, triggeredAtMs, receivedAtMs }: ClaimedDelivery): Promise<string> {
    const known = await store.getTenant(tenant);
    // The platform does not send this to a shop that came back, but may repeat an old one.
    if (known?.state === "installed" && known.installedAtMs > (triggeredAtMs ?? receivedAtMs))
      return "installed-again";
    await store.eraseTenant(tenant);
    options.screening.forget(tenant);
    return "tenant-erased";
  }

  async function uninstall(delivery: ClaimedDelivery): Promise<string> {
    const { tenant, platform, triggeredAtMs, receivedAtMs } = delivery;
    const entry = toEntry("uninstalled", delivery.topic);
    return store.uninstallTenant(tenant, platform, triggeredAtMs ?? receivedAtMs, entry);
  }

  async function carryOut(
    delivery: ClaimedDelivery,
    event: PlatformEvent,
    platform: Platform,
    signal: AbortSignal,
  ): Promise<string> {
    switch (event.kind) {
      case "order":
        return receive(delivery, event);
      case "order-cancelled": {
        const key = { tenant: delivery.tenant, orderId: event.orderId };
        await store.endOrder(key, now(), toEntry("cancelled-on-platform", delivery.topic));
        return "order-ended";
      }
      case "order-ready":
        return wake(delivery, event, platform, signal);
      case "uninstalled":
        return uninstall(delivery);
      case "permissions-changed":
        logger.info({ granted: event.granted }, "the permissions of a tenant changed");
        await store.wakeTenant(delivery.tenant, now());
        return "permissions-noted";
      case "erase-customer":
        return eraseCustomer(delivery, event);
      case "erase-tenant":
        return eraseTenant(delivery);
      case "report-customer":
        return report(delivery, event);
      case "ignored":
        return `ignored:${event.reason}`;
    }
  }

  /** Without access nothing can be asked; what waits is looked at again when it is due and on installation. */
  async function postpone(delivery: ClaimedDelivery, error: unknown): Promise<void> {
    const { tenant, deliveryId, topic, attempts } = delivery;
    const code = isHoldfastError(error) ? error.code : "INTERNAL";
    const retryable = isHoldfastError(error) ? error.retryable && code !== "PLATFORM_UNAUTHORIZED" : true;
    if (retryable && attempts < MAX_ATTEMPTS) {
      const hintMs = isHoldfastError(error) ? error.retryAtMs : undefined;
      await store.retryDelivery({ tenant, deliveryId }, owner, toRetryAtMs(attempts, now(), hintMs), code);
      logger.warn({ err: error, topic, attempts }, "a delivery is tried again later");
      return;
    }
    await store.finishDelivery({ tenant, deliveryId }, owner, `failed:${code}`);
    logger.error({ err: error, topic, alert: "delivery_failed" }, "a delivery could not be carried out");
  }

  return async (delivery, signal) => {
    const { tenant, deliveryId, topic } = delivery;
    const platform = platforms.get(delivery.platform);
    try {
      const outcome =
        platform === undefined
          ? "ignored:unknown-platform"
          : await carryOut(
              delivery,
              platform.interpret({ tenant, topic, body: delivery.body }),
              platform,
              signal,
            );
      await store.finishDelivery({ tenant, deliveryId }, owner, outcome);
      logger.debug({ topic, outcome }, "a delivery was carried out");
    } catch (error) {
      await postpone(delivery, error);
    }
  };
}
