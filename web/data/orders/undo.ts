import { ApiError, call, explain, sendOnLeaving } from "../api/api.ts";
import type { Decided, OrderDetail, OrderRow, PendingReview } from "../api/api-types.ts";
import { formatPlural } from "../base/format.ts";
import { createValue, doWithEach, toGroups } from "../base/value.ts";
import { forgetDecided } from "./recent-decisions.ts";

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

const DONE: Readonly<Record<Decided, string>> = { approve: "approved", decline: "declined" };

/** What a decision did to an order. Nothing is left to approve about an order that has shipped. */
export function toDoneWord(act: Decided, { ended }: Pick<DecidedOrder, "ended">): string {
  return act === "approve" && ended === "shipped" ? "marked as handled" : DONE[act];
}

/** What a decision did: "#1001 approved." or "2 orders approved, 1 order marked as handled." */
export function toDoneText(act: Decided, orders: readonly DecidedOrder[]): string {
  const [first] = orders;
  if (orders.length === 1 && first !== undefined) return `${first.name} ${toDoneWord(act, first)}.`;
  const words = orders.map((order) => toDoneWord(act, order));
  const toPart = (word: string) =>
    `${formatPlural(words.filter((one) => one === word).length, "order")} ${word}`;
  return `${[...new Set(words)].map(toPart).join(", ")}.`;
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
