import { ApiError, call, explain, sendOnLeaving, toReason } from "../api/api.ts";
import { showToast } from "../api/messages.ts";
import type { Act, Decided, OrderDetail, OrderRow, PendingReview } from "../api/api-types.ts";
import { formatList } from "../base/format.ts";
import { createValue, doWithEach, toGroups } from "../base/value.ts";
import { forgetDecided } from "./recent-decisions.ts";
import { t } from "../base/texts.ts";

export const UNDO_SECONDS = 8;
/** A batch gets one more second for this many orders, because sending them takes time. */
const ORDERS_PER_SECOND = 5;
/** The server's maximum. */
const UNDO_SECONDS_AT_MOST = 60;

/** How long a batch of decisions can be undone, in seconds: all of them, from the first to the last. */
export function toUndoSeconds(count: number): number {
  return Math.min(UNDO_SECONDS + Math.floor(count / ORDERS_PER_SECOND), UNDO_SECONDS_AT_MOST);
}

export type NamedOrder = Pick<OrderRow, "orderId" | "name">;

/** `ended`: how the order had ended on the platform before the decision, if that is known. */
export type DecidedOrder = NamedOrder & Partial<Pick<OrderDetail, "ended">>;

/** What became of an order. An order that has shipped can't be canceled, and nothing is left to approve about it. */
export function toDoneKind(act: Act, { ended }: Pick<DecidedOrder, "ended">): Act | "late" {
  if (ended !== "shipped") return act;
  return act === "approve" ? "handle" : act === "decline" ? "late" : act;
}

/** What a decision did: "#1001 approved." or "2 orders approved, 1 order marked as handled." */
export function toDoneText(act: Act, orders: readonly DecidedOrder[]): string {
  const [first] = orders;
  if (orders.length === 1 && first !== undefined)
    return t("review.done-one", { name: first.name, kind: toDoneKind(act, first) });
  const kinds = orders.map((order) => toDoneKind(act, order));
  const parts = [...new Set(kinds)].map((kind) =>
    t("review.done-part", { count: kinds.filter((one) => one === kind).length, kind }),
  );
  return t("review.done-many", { parts: formatList(parts) });
}

/** A saved decision that hasn't taken effect yet. */
export interface Undoable {
  readonly id: number;
  readonly act: Decided;
  readonly orders: readonly DecidedOrder[];
  /** Until when it can be undone, by this machine's clock. */
  readonly untilMs: number;
  readonly isUndoing: boolean;
}

/** The decisions that can be undone now, newest last. */
export const undoables = createValue<readonly Undoable[]>([]);

/** The last undone orders; lists show them again. */
export const undone = createValue<readonly OrderDetail[]>([]);

/** Until when a decision that was requested at `askedAtMs` can certainly be undone, by this machine's clock. */
export function toUntilMs({ at, effectiveAt }: PendingReview, askedAtMs: number): number {
  return askedAtMs + Date.parse(effectiveAt) - Date.parse(at);
}

/** The last decision on its way to the server, and whether the person can undo it then; null if there is none. */
let sending: Promise<boolean> | null = null;

/** Note that a decision is on its way. `work` resolves to whether the person can undo it. */
export function markSending(work: Promise<boolean>): void {
  const mine = work
    .catch(() => false)
    .finally(() => {
      if (sending === mine) sending = null;
    });
  sending = mine;
}

/** Wait until the last decision is saved. False if it failed, or was a colleague's. */
export async function untilSaved(): Promise<boolean> {
  return (await sending) ?? true;
}

let last = 0;

export function offerUndo(act: Decided, orders: readonly DecidedOrder[], untilMs: number): void {
  last += 1;
  const id = last;
  undoables.set([...undoables.get(), { id, act, orders, untilMs, isUndoing: false }]);
  setTimeout(
    () => undoables.set(undoables.get().filter((one) => one.id !== id || one.isUndoing)),
    Math.max(untilMs - Date.now(), 0),
  );
}

/** Few enough for the server's limits. */
const AT_ONCE = 6;

/**
 * Undo a decision on each of its orders. `back`: orders that wait for a person again; `kept`: orders that couldn't be undone,
 * and why.
 */
export async function undo({ id, orders }: Pick<Undoable, "id" | "orders">) {
  undoables.set(undoables.get().map((one) => (one.id === id ? { ...one, isUndoing: true } : one)));
  const back: OrderDetail[] = [];
  const kept: { readonly order: NamedOrder; readonly why: string }[] = [];
  await doWithEach(orders, AT_ONCE, async (order) => {
    try {
      const { data } = await call("POST /orders/:orderId/undo", { params: { orderId: order.orderId } });
      back.push(data);
      if (data.listProblem !== undefined)
        showToast(t("review.still-blocked", { name: order.name, why: toReason(data.listProblem) }), "bad");
      forgetDecided(order.orderId);
    } catch (error) {
      kept.push({ order, why: explain(error) });
    }
  });
  undoables.set(undoables.get().filter((one) => one.id !== id));
  if (back.length > 0) undone.set(back);
  return { back, kept };
}

/** Why the last decision on an order failed, by the order's ID. Shown until the next decision on it. */
export const failures = createValue<ReadonlyMap<string, string>>(new Map());

export function markFailed(failed: readonly { readonly order: NamedOrder; readonly why: string }[]): void {
  failures.set(
    new Map([...failures.get(), ...failed.map(({ order, why }) => [order.orderId, why] as const)]),
  );
}

export function unmarkFailed(orderId: string): void {
  if (failures.get().has(orderId))
    failures.set(new Map([...failures.get()].filter(([id]) => id !== orderId)));
}

/** Forget what the person did, because another one signed in. */
export function forgetDecisions(): void {
  undoables.set([]);
  undone.set([]);
  failures.set(new Map());
}

/** The server's maximum. */
const ORDERS_PER_CALL = 100;

function takeOrders(): readonly (readonly string[])[] {
  const open = undoables.get().filter(({ isUndoing }) => !isUndoing);
  undoables.set(undoables.get().filter(({ isUndoing }) => isUndoing));
  const ids = open.flatMap(({ orders }) => orders.map(({ orderId }) => orderId));
  return toGroups(ids, ORDERS_PER_CALL);
}

/** Apply all pending decisions now, because nobody can undo them after leaving. */
export async function sendNow(): Promise<void> {
  for (const orderIds of takeOrders()) {
    try {
      await call("POST /decisions/apply", { body: { orderIds } });
    } catch (error) {
      // The server applies each decision on its own when it is due.
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

/** The same while the page unloads, without waiting for a response. */
export function sendNowOnLeaving(): void {
  for (const orderIds of takeOrders()) sendOnLeaving("/decisions/apply", { orderIds });
}
