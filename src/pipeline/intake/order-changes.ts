import { toKnown, type MappedOrder, type PlatformOrder } from "../../platform/platform.ts";
import { HoldfastError } from "../../base/errors.ts";
import { compareOrders, type ComparedOrder, type FieldChange } from "../../order/material-change.ts";
import type { OrderRecord, TenantRecord } from "../../store/store.ts";
import type { DeliveryTask } from "../tasks.ts";
import { endOrder, takeIn, toPlacedAtMs } from "./order-events.ts";
import type { ChangeCheck } from "../../store/orders/timeline.ts";
import { hasEndedAs, toTimelineEntry } from "../timeline.ts";

/**
 * An order that is not known is taken in from an update for this long after it was placed: its creation is still on its
 * way. An older one was placed before Holdfast looked, or given up on; a merchant who edits it asks for nothing.
 */
const OVERTAKING_MS = 2 * 3_600_000;
/** Others change the order at the same moment: rarely once, never so often. */
const LOOKS = 5;

/**
 * The platform says what an order is like now. Platforms say so for every tag, note and payment, also for those that
 * Holdfast itself made, so an update that changes nothing that was screened costs one look and a note of its time.
 */
export async function changeOrder(
  task: DeliveryTask,
  tenant: TenantRecord,
  order: PlatformOrder,
): Promise<string> {
  const { store, now } = task;
  const key = { tenant: tenant.tenant, orderId: order.orderId };
  for (let look = 0; look < LOOKS; look += 1) {
    const known = await store.getOrder(key);
    const outcome =
      known === null ? await takeInEarly(task, tenant, order) : await changeKnown(task, known, order);
    if (outcome === null) continue;
    // A refund is final, so an old update counts too. A cancellation already implies one.
    if (order.refunded === true && !isCancelled(order))
      await store.noteRefund(
        key,
        toTimelineEntry(now(), { kind: "refunded" }, "refunded in full", "platform"),
      );
    return outcome;
  }
  throw new HoldfastError("STORE_UNAVAILABLE", "an order is being changed by others", { retryable: true });
}

/**
 * Somebody asks for a check of an order, however old it is. It is read from the platform: one that isn't known is taken in,
 * and a known one is checked again only if it changed since. So asking twice never costs a second credit.
 */
export async function checkOrder(task: DeliveryTask, tenant: TenantRecord, orderId: string): Promise<string> {
  const order = await task.platform.readOrder(tenant.tenant, orderId, { signal: task.signal });
  if (order === null) return "order-not-found";
  const taken = isCancelled(order) ? null : await takeIn(task, tenant, order);
  return taken ?? changeOrder(task, tenant, order);
}

/** Updates overtake creations. */
async function takeInEarly(
  task: DeliveryTask,
  tenant: TenantRecord,
  order: PlatformOrder,
): Promise<string | null> {
  const { receivedAtMs } = task.delivery;
  const placedAtMs = toPlacedAtMs(order) ?? Number.NaN;
  // An order whose deliveries waited for the installation was placed before it.
  const hasWaited = receivedAtMs < tenant.installedAtMs;
  const isNew =
    placedAtMs >= receivedAtMs - OVERTAKING_MS && (hasWaited || placedAtMs >= tenant.installedAtMs);
  if (!isNew) return "order-unknown";
  return isCancelled(order)
    ? endOrder(task, order.orderId)
    : // Null: its creation was faster by a moment, and this may be news.
      takeIn(task, tenant, order);
}

async function changeKnown(
  task: DeliveryTask,
  known: OrderRecord,
  order: PlatformOrder,
): Promise<string | null> {
  // Nothing undoes it, so it is so whenever it was said.
  if (isCancelled(order)) return endKnown(task, known);
  const { updatedAtMs } = order;
  const age = toAge(updatedAtMs, known.asOfMs);
  if (age === "older") return "order-outdated";
  if (known.mapped === null || (await isClosed(task, known))) return "order-closed";
  if (updatedAtMs !== undefined && age === "newer") return takeState(task, known, order, updatedAtMs);
  if (age === "same-second" && findChanges(known, order).length === 0) return "order-unchanged";
  return takePresentState(task, known);
}

/** How a state stands to the known one by the platform's signed words, which count whole seconds. */
function toAge(
  updatedAtMs: number | undefined,
  knownAsOfMs: number | null,
): "older" | "same-second" | "newer" | "unsaid" {
  if (updatedAtMs === undefined || knownAsOfMs === null) return "unsaid";
  if (updatedAtMs === knownAsOfMs) return "same-second";
  return updatedAtMs < knownAsOfMs ? "older" : "newer";
}

/** Its end may be known: platforms tell it by more than one topic, and update ended orders for long. */
async function endKnown(task: DeliveryTask, known: OrderRecord): Promise<string> {
  const isKnown =
    known.skipReason === "CANCELLED" ||
    (await task.store.listTimeline(known)).some(({ kind }) => kind === "cancelled-on-platform");
  return isKnown ? "order-unchanged" : endOrder(task, known.orderId);
}

/**
 * Which of two states is the later one cannot be told from the signed words: they are of the same second, or one does
 * not say when it is from. So the platform is asked what the order is like now.
 */
async function takePresentState(task: DeliveryTask, known: OrderRecord): Promise<string | null> {
  const { delivery, platform, signal } = task;
  const order = await platform.readOrder(known.tenant, known.orderId, { signal });
  if (order === null) return "order-not-found";
  // Read before somebody else's look was written.
  if (toAge(order.updatedAtMs, known.asOfMs) === "older") return "order-outdated";
  if (isCancelled(order)) return endKnown(task, known);
  return takeState(task, known, order, order.updatedAtMs ?? known.asOfMs ?? delivery.receivedAtMs);
}

/** Take a state that is not older than the known one. Null when the order is no longer what it was compared with. */
async function takeState(
  task: DeliveryTask,
  known: OrderRecord,
  order: PlatformOrder,
  asOfMs: number,
): Promise<string | null> {
  if (known.mapped === null) return "order-closed";
  const fields = findChanges(known, order);
  if (fields.length === 0) return confirm(task, known, asOfMs);
  // Word of an order from before its end counts as new where the platform's clock is ahead of ours.
  if (await hasEnded(task, known)) return "order-closed";
  return keepChange(task, { known, screened: known.mapped, order, fields, asOfMs });
}

/** Whether the order was cancelled or deleted on the platform, by anybody. */
async function hasEnded({ store }: DeliveryTask, known: OrderRecord): Promise<boolean> {
  return (await store.listTimeline(known)).some((entry) => hasEndedAs("cancelled", entry));
}

/** What is different from the newest known state. */
function findChanges({ revision, mapped }: OrderRecord, order: PlatformOrder): readonly FieldChange[] {
  const present = revision?.mapped ?? mapped;
  return present === null ? [] : compareOrders(toCompared(present), toCompared(order.mapped));
}

/**
 * Nothing is new but the moment. It still counts: of two updates the later one can come first, and when that one
 * says that all is as before, the earlier one must not pass for news. Null when the order was changed meanwhile.
 */
async function confirm({ store }: DeliveryTask, known: OrderRecord, asOfMs: number): Promise<string | null> {
  if (known.asOfMs !== null && asOfMs <= known.asOfMs) return "order-unchanged";
  return (await store.confirmOrder(known, { asOfMs, seen: known })) ? "order-unchanged" : null;
}

/** A change that was found. */
interface Found {
  readonly known: OrderRecord;
  readonly screened: MappedOrder;
  readonly order: PlatformOrder;
  readonly fields: readonly FieldChange[];
  readonly asOfMs: number;
}

async function keepChange(
  { store, policyOf, now }: DeliveryTask,
  { known, screened, order, fields, asOfMs }: Found,
): Promise<string | null> {
  // Against what was screened, not against the change before: small steps must not lead far away unseen.
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
  const isKept = await store.reviseOrder(known, {
    asOfMs,
    nowMs: now(),
    revision: { mapped, amount, currency, rescreen, enriched: false, attempts: toAttempts(known) },
    customerId,
    material,
    fields,
    entry,
    seen: known,
  });
  if (!isKept) return null;
  return rescreen ? "order-revised" : "order-changed";
}

/** The patience with a service that does not answer is the order's: it does not start again with each change. */
function toAttempts({ revision }: OrderRecord): number {
  return revision?.rescreen === true ? revision.attempts : 0;
}

/** Whether the service, which knows the one, would have to be asked about the other. */
function isMaterial(before: MappedOrder, after: MappedOrder): boolean {
  if (before.outcome === "unscreenable" && after.outcome === "screenable") return true;
  return compareOrders(toCompared(before), toCompared(after)).some(({ material }) => material);
}

const CHECK_TEXTS = {
  "to-be-checked": "to be checked",
  "not-material": "not material",
  "person-decided": "not checked again: a person has decided",
  "record-only": "on record only",
  shipped: "shipped",
  policy: "not checked again, by policy",
} as const satisfies Partial<Record<ChangeCheck, string>>;

/** Whether a material change of an order has it checked again, or why not. */
function toCheck(
  known: OrderRecord,
  order: PlatformOrder,
  rescreenOnChange: boolean,
): keyof typeof CHECK_TEXTS {
  // Nobody has decided yet: this is no second check, and it should not be one of what is no longer so.
  if (known.decision === null) return "to-be-checked";
  if (known.decision.source === "person") return "person-decided";
  if (known.recordOnly) return "record-only";
  // It can't be held or called back any more.
  if (order.fulfilled === true) return "shipped";
  return rescreenOnChange ? "to-be-checked" : "policy";
}

/** Whether nothing is to be decided about the order any more, whatever becomes of it. */
async function isClosed({ store }: DeliveryTask, known: OrderRecord): Promise<boolean> {
  const { decision, state, skipReason } = known;
  // Ended, or left behind by a shop that went, before anybody decided on it.
  if (skipReason === "CANCELLED" || (decision === null && state === "settled")) return true;
  if (decision?.action !== "cancel") return false;
  if (decision.source === "person") return true;
  const steps = await store.listSteps(known);
  return steps.some((record) => record.step === "cancel" && record.state === "done");
}

function isCancelled({ mapped }: PlatformOrder): boolean {
  return mapped.outcome === "unscreenable" && mapped.reason === "CANCELLED";
}

function toCompared(mapped: MappedOrder): ComparedOrder {
  const known = toKnown(mapped);
  return { ...known, recipientName: mapped.recipientName };
}
