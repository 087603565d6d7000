import { isMaterial, toCompared } from "../../platform/changed-content.ts";
import type { MappedOrder, PlatformOrder } from "../../platform/platform.ts";
import { toStoreUnavailable } from "../../base/errors.ts";
import { isForRecord } from "../../order/order-effects.ts";
import { compareOrders, type FieldChange } from "../../order/material-change.ts";
import type { OrderRecord, TenantRecord } from "../../store/store.ts";
import { isDone } from "../order-life/step-plan.ts";
import type { DeliveryTask } from "../tasks.ts";
import { endOrder, storeOrder, toPlacedAtMs } from "./order-events.ts";
import type { ChangeCheck } from "../../store/orders/timeline.ts";
import { hasEndedAs, toTimelineEntry } from "../timeline.ts";

/**
 * For this long after an order was placed, an update of an unknown order counts as its creation, which is still on its way. An
 * older unknown order was placed before Holdfast was installed, or its content is deleted: an edit alone asks for no check.
 */
const OVERTAKING_MS = 2 * 3_600_000;
/** How often to look again when others change the order at the same moment. It rarely happens even once. */
const LOOKS = 5;

/**
 * The platform reports the current state of an order. It does so for every tag, note and payment, including Holdfast's own. So
 * an update that changes nothing relevant costs one read, and only its time is stored.
 */
export async function changeOrder(
  task: DeliveryTask,
  tenant: TenantRecord,
  order: PlatformOrder,
): Promise<string> {
  const { store, now } = task;
  const key = { tenant: tenant.tenant, orderId: order.orderId };
  for (let look = 0; look < LOOKS; look += 1) {
    const known = await store.orders.get(key);
    const outcome =
      known === null ? await storeEarly(task, tenant, order) : await changeKnown(task, known, order);
    if (outcome === null) continue;
    // A refund is final, so an old update counts too. A cancellation already implies one.
    if (order.refunded === true && !isCancelled(order))
      await store.outcomes.noteRefund(
        key,
        toTimelineEntry(now(), { kind: "refunded" }, "refunded in full", "platform"),
      );
    return outcome;
  }
  throw toStoreUnavailable("the order keeps being changed");
}

/**
 * A person or workflow asks for a check of an order, however old it is. The order is read from the platform. An unknown order
 * is stored, and a known one is checked again only if it changed since. So asking twice never costs a second credit.
 */
export async function checkOrder(task: DeliveryTask, tenant: TenantRecord, orderId: string): Promise<string> {
  const order = await task.platform.readOrder(tenant.tenant, orderId, { signal: task.signal });
  if (order === null) return "order-not-found";
  const taken = isCancelled(order) ? null : await storeOrder(task, tenant, order);
  return taken ?? changeOrder(task, tenant, order);
}

/** Store an order that an update names before its creation arrived. */
async function storeEarly(
  task: DeliveryTask,
  tenant: TenantRecord,
  order: PlatformOrder,
): Promise<string | null> {
  const { receivedAtMs } = task.delivery;
  const placedAtMs = toPlacedAtMs(order) ?? Number.NaN;
  // If the delivery waited for the installation, the order was placed before it.
  const hasWaited = receivedAtMs < tenant.installedAtMs;
  const isNew =
    placedAtMs >= receivedAtMs - OVERTAKING_MS && (hasWaited || placedAtMs >= tenant.installedAtMs);
  if (!isNew) return "order-unknown";
  return isCancelled(order)
    ? endOrder(task, order.orderId)
    : // Null if its creation was stored a moment earlier, so that this may be a change.
      storeOrder(task, tenant, order);
}

async function changeKnown(
  task: DeliveryTask,
  known: OrderRecord,
  order: PlatformOrder,
): Promise<string | null> {
  // A cancellation can't be undone, so it counts whenever it was reported.
  if (isCancelled(order)) return endKnown(task, known);
  const { updatedAtMs } = order;
  const age = toAge(updatedAtMs, known.asOfMs);
  if (age === "older") return "order-outdated";
  if (known.mapped === null || (await isClosed(task, known))) return "order-closed";
  if (updatedAtMs !== undefined && age === "newer") return takeState(task, known, order, updatedAtMs);
  if (age === "same-second" && findChanges(known, order).length === 0) return "order-unchanged";
  return takePresentState(task, known);
}

/** Whether a state is older or newer than the known one, by the signed times, which have a precision of one second. */
function toAge(updatedAtMs: number | undefined, knownAsOfMs: number | null) {
  if (updatedAtMs === undefined || knownAsOfMs === null) return "unsaid";
  if (updatedAtMs === knownAsOfMs) return "same-second";
  return updatedAtMs < knownAsOfMs ? "older" : "newer";
}

/** The cancellation may be known already: platforms report it under several topics, and go on updating canceled orders. */
async function endKnown(task: DeliveryTask, known: OrderRecord): Promise<string> {
  const isKnown =
    known.skipReason === "CANCELLED" ||
    (await task.store.orders.listTimeline(known)).some(({ kind }) => kind === "cancelled-on-platform");
  return isKnown ? "order-unchanged" : endOrder(task, known.orderId);
}

/**
 * The signed times don't show which of two states is newer: both have the same second, or one has no time. So the current
 * state is read from the platform.
 */
async function takePresentState(task: DeliveryTask, known: OrderRecord): Promise<string | null> {
  const { delivery, platform, signal } = task;
  const order = await platform.readOrder(known.tenant, known.orderId, { signal });
  if (order === null) return "order-not-found";
  // Another process read and stored a newer state meanwhile.
  if (toAge(order.updatedAtMs, known.asOfMs) === "older") return "order-outdated";
  if (isCancelled(order)) return endKnown(task, known);
  return takeState(task, known, order, order.updatedAtMs ?? known.asOfMs ?? delivery.receivedAtMs);
}

/** Accept a state that isn't older than the known one. Null if the order changed since it was compared. */
async function takeState(
  task: DeliveryTask,
  known: OrderRecord,
  order: PlatformOrder,
  asOfMs: number,
): Promise<string | null> {
  if (known.mapped === null) return "order-closed";
  const fields = findChanges(known, order);
  if (fields.length === 0) return confirm(task, known, asOfMs);
  // If the platform's clock is ahead of ours, a report from before the order's end looks newer than it.
  const timeline = await task.store.orders.listTimeline(known);
  if (timeline.some((entry) => hasEndedAs("cancelled", entry))) return "order-closed";
  return keepChange(task, { known, screened: known.mapped, order, fields, asOfMs });
}

/** The differences from the newest known state. */
function findChanges({ revision, mapped }: OrderRecord, order: PlatformOrder): readonly FieldChange[] {
  const present = revision?.mapped ?? mapped;
  return present === null ? [] : compareOrders(toCompared(present), toCompared(order.mapped));
}

/**
 * Nothing is new except the time, which is stored: the later of two updates can arrive first, and the earlier one must not
 * count as a change then. Null if the order was changed meanwhile.
 */
async function confirm({ store }: DeliveryTask, known: OrderRecord, asOfMs: number): Promise<string | null> {
  if (known.asOfMs !== null && asOfMs <= known.asOfMs) return "order-unchanged";
  return (await store.orders.confirm(known, { asOfMs, seen: known })) ? "order-unchanged" : null;
}

/** A difference between the known state and a new one. */
interface OrderDifference {
  readonly known: OrderRecord;
  readonly screened: MappedOrder;
  readonly order: PlatformOrder;
  readonly fields: readonly FieldChange[];
  readonly asOfMs: number;
}

async function keepChange(
  { store, policyOf, now }: DeliveryTask,
  { known, screened, order, fields, asOfMs }: OrderDifference,
): Promise<string | null> {
  // Compared with what was checked, not with the last change: many small changes must not add up unnoticed.
  const material = isMaterial(screened, order.mapped);
  const check = material
    ? toCheck(known, order, (await policyOf(known.tenant)).policy.rescreenOnChange)
    : "not-material";
  const rescreen = check === "to-be-checked";
  const paths = [...new Set(fields.map(({ path }) => path))];
  const kind = material && known.decision?.source === "person" ? "changed-after-person" : "changed";
  const detail = `${paths.join(", ")} (${CHECK_TEXTS[check]})`;
  const entry = toTimelineEntry(now(), { kind, paths, check }, detail, "platform");
  const { mapped, customerId, amount = null, currency = null } = order;
  // The wait for a service that doesn't answer is counted for the order. A further change doesn't start a new count.
  const { attempts, sinceMs } =
    known.revision?.rescreen === true ? known.revision : { attempts: 0, sinceMs: now() };
  const isKept = await store.orders.revise(known, {
    asOfMs,
    nowMs: now(),
    revision: { mapped, amount, currency, rescreen, enriched: false, attempts, sinceMs },
    customerId,
    material,
    fields,
    entry,
    seen: known,
  });
  if (!isKept) return null;
  return rescreen ? "order-revised" : "order-changed";
}

const CHECK_TEXTS = {
  "to-be-checked": "to be checked",
  "not-material": "not material",
  "person-decided": "not checked again: a person has decided",
  "record-only": "on record only",
  shipped: "shipped",
  policy: "not checked again, by policy",
} as const satisfies Partial<Record<ChangeCheck, string>>;

/** Whether an order is checked again after a material change, or why not. */
function toCheck(known: OrderRecord, order: PlatformOrder, rescreenOnChange: boolean) {
  // There is no decision yet, so this isn't a second check: the first one has to use the current content.
  if (known.decision === null) return "to-be-checked";
  if (known.decision.source === "person") return "person-decided";
  if (isForRecord(known)) return "record-only";
  // It can't be held or called back any more.
  if (order.fulfilled === true) return "shipped";
  return rescreenOnChange ? "to-be-checked" : "policy";
}

/** Whether no decision about the order is possible any more. */
async function isClosed({ store }: DeliveryTask, known: OrderRecord): Promise<boolean> {
  const { decision, state, skipReason } = known;
  // It was canceled, or its shop uninstalled the app, before there was a decision.
  if (skipReason === "CANCELLED" || (decision === null && state === "settled")) return true;
  return decision?.action === "cancel" && isDone(await store.orders.listSteps(known), "cancel");
}

function isCancelled({ mapped }: PlatformOrder): boolean {
  return mapped.outcome === "unscreenable" && mapped.reason === "CANCELLED";
}
