import { raiseAlert } from "../../base/alerts.ts";
import { alertOnce } from "../../alerts/alert-once.ts";
import { isHoldfastError } from "../../base/errors.ts";
import type { Platform, PlatformEvent } from "../../platform/platform.ts";
import type { ClaimedDelivery } from "../../store/store.ts";
import { noteDispute } from "./disputes.ts";
import { toRetryAtMs } from "../order-life/retry-delay.ts";
import { type Admission, createAdmission } from "./admission.ts";
import type { Carried, Claim, DeliveryParts, DeliveryTask, Refused } from "../tasks.ts";
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
        await store.deliveries.retry(delivery, owner, carried.retryAtMs, null);
        return;
      }
      if (typeof carried === "object") await reportRefused(parts, delivery, carried);
      const outcome = typeof carried === "object" ? `refused:${carried.refused}` : carried;
      await store.deliveries.finish(delivery, owner, outcome);
      logger.debug({ topic, outcome }, "a delivery was processed");
    } catch (error) {
      await postpone(parts, delivery, owner, error, event?.kind === "order-ready");
    }
  };
}

type EventOf<Kind extends PlatformEvent["kind"]> = Extract<PlatformEvent, { readonly kind: Kind }>;
type OrderKind = "order" | "order-changed" | "order-cancelled" | "check-requested";
type OtherKind = Exclude<PlatformEvent["kind"], OrderKind>;
type Admitted = Extract<Admission, { readonly state: "admitted" }>;

/** What is done for an event about an order whose tenant is admitted. */
const ORDER_WORK: {
  readonly [Kind in OrderKind]: (
    task: DeliveryTask,
    event: EventOf<Kind>,
    admitted: Admitted,
  ) => Promise<Carried>;
} = {
  order: (task, event, admitted) => receiveOrder(task, admitted, event.order),
  "order-changed": (task, event, { tenant }) => changeOrder(task, tenant, event.order),
  "order-cancelled": (task, event) => endOrder(task, event.orderId, event.asFraud),
  "check-requested": (task, event, { tenant }) => checkOrder(task, tenant, event.orderId),
};

const OTHER_WORK: {
  readonly [Kind in OtherKind]: (task: DeliveryTask, event: EventOf<Kind>) => Carried | Promise<Carried>;
} = {
  // The content of these two isn't trusted: the state is read from the platform.
  "order-ready": (task, { reference }) => wakeOrder(task, reference),
  "context-changed": (task, { orderId }) => rereadOrder(task, orderId),
  dispute: (task, event) => noteDispute(task, event.dispute),
  uninstalled: uninstall,
  "permissions-changed": (task, { granted }) => notePermissions(task, granted),
  "erase-customer": eraseCustomer,
  "erase-tenant": eraseTenant,
  "report-customer": reportCustomer,
  refused: (_task, { reason }) => ({ refused: reason }),
  ignored: (task, event) => {
    if (event.isUnreadable) reportUnreadable(task, event.reason);
    return `ignored:${event.reason}`;
  },
};

function isAboutOrder(event: PlatformEvent): event is EventOf<OrderKind> {
  return event.kind in ORDER_WORK;
}

/** Null if the delivery waits for the installation, which is already stored. */
async function carryOut(task: DeliveryTask, event: PlatformEvent, admit: Admit): Promise<Carried | null> {
  if (!isAboutOrder(event)) return OTHER_WORK[event.kind](task, event as never);
  const orderId = "order" in event ? event.order.orderId : event.orderId;
  const admission = await admit(task, { orderId, isEnd: event.kind === "order-cancelled" });
  if (admission.state === "awaiting") return null;
  if (admission.state === "ended") return admission.outcome;
  return ORDER_WORK[event.kind](task, event as never, admission);
}

/** An order in it isn't lost: the next look for missed orders finds it. */
function reportUnreadable({ metrics, logger, delivery }: DeliveryTask, reason: string): void {
  const { platform, tenant, topic } = delivery;
  metrics.webhooks(platform)("unusable");
  logger.warn({ tenant, topic, reason }, "a delivery lacks what its topic needs, so it has no effect");
}

const REPORTED_EVERY_MS = 3_600_000;

/**
 * Deliveries that aren't trusted are each counted, and reported once an hour, because the sender chooses how many there are.
 * The sender also chooses the tenant, so it isn't named.
 */
async function reportRefused(
  parts: DeliveryParts,
  { platform, topic }: ClaimedDelivery,
  { refused: reason }: Refused,
): Promise<void> {
  parts.metrics.webhooks(platform)("refused");
  const incident = { name: `webhooks_refused:${platform}:${reason}`, quietMs: REPORTED_EVERY_MS };
  const message =
    "signed deliveries arrived with altered headers: somebody captured them and is sending them again";
  await alertOnce(parts, incident, "webhooks_refused", { platform, topic, reason }, message);
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
    await store.deliveries.finish(delivery, owner, `failed:${code}`);
    logger.warn({ err: error, topic }, "a delivery couldn't be processed");
    return;
  }
  const slow = !isRetryable || attempts >= FREQUENT_ATTEMPTS;
  const dueAtMs = slow ? now() + SLOW_RETRY_MS : toRetryAtMs(attempts, now(), retryAtMs);
  await store.deliveries.retry(delivery, owner, dueAtMs, code);
  if (slow) raiseAlert(logger, "delivery_stuck", { err: error, tenant, topic }, "a delivery keeps failing");
  else logger.warn({ err: error, topic, attempts }, "a delivery couldn't be processed; retrying later");
}

const UNKNOWN = { code: "INTERNAL", retryable: false, retryAtMs: undefined } as const;
