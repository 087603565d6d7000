import { useEffect, useRef, useState } from "preact/hooks";
import type { OrderPage, OrderRow } from "../api/api-types.ts";
import { call } from "../api/api.ts";
import { findRecentlyDecided, noteDecided } from "./recent-decisions.ts";
import { undone } from "./undo.ts";
import { useLoad } from "../api/use-load.ts";
import { useValue } from "../base/value.ts";

/** The orders on the page, and later changes of the list. */
export interface OrderList {
  readonly rows: readonly OrderRow[];
  /** Where the next page starts; null if there is none. */
  readonly nextCursor: string | null;
  /** IDs of rows that left the list because someone else decided. */
  readonly gone: ReadonlySet<string>;
  /** The newest first page, when it has orders that are not shown yet. */
  readonly pending: OrderPage | null;
  /** How many of them there are. */
  readonly newCount: number;
}

/** How a list is sorted. */
export type Sorting = (one: OrderRow, other: OrderRow) => number;

/** Nearest deadline first, then highest value; orders without a deadline come last. */
function byDeadline(one: OrderRow, other: OrderRow): number {
  const sooner = toDeadlineMs(one) - toDeadlineMs(other);
  if (sooner !== 0 && !Number.isNaN(sooner)) return sooner;
  return (other.amount ?? -1) - (one.amount ?? -1);
}

function toDeadlineMs({ holdDeadline }: OrderRow): number {
  return holdDeadline === null ? Number.POSITIVE_INFINITY : Date.parse(holdDeadline);
}

/** Nearest deadline of a bank first; orders for which no bank waits come last. */
function byEvidence(one: OrderRow, other: OrderRow): number {
  return toEvidenceMs(one) - toEvidenceMs(other);
}

function toEvidenceMs({ evidenceDueBy }: OrderRow): number {
  return evidenceDueBy === null ? Number.MAX_SAFE_INTEGER : Date.parse(evidenceDueBy);
}

/** Newest first. */
function byAge(one: OrderRow, other: OrderRow): number {
  return Date.parse(other.receivedAt) - Date.parse(one.receivedAt);
}

function withUrgentFirst(order: Sorting): Sorting {
  return (one, other) => Number(other.urgent) - Number(one.urgent) || order(one, other);
}

/** By value in the shop's currency, which the API adds to lists that it sorts by amount. */
function byAmount(one: OrderRow, other: OrderRow): number {
  return toValue(other) - toValue(one);
}

function toValue({ value, amount }: OrderRow): number {
  return (value === undefined ? amount : value) ?? -1;
}

/** How lists can be sorted, as the API names and sorts them. */
const ORDERS = {
  newest: byAge,
  age: (one, other) => byAge(other, one),
  deadline: byDeadline,
  amount: byAmount,
  score: (one, other) => (other.riskScore ?? -1) - (one.riskScore ?? -1),
  evidence: byEvidence,
} satisfies Readonly<Record<string, Sorting>>;
export type OrderSort = keyof typeof ORDERS;

/** The sort that the address asks for: unless it names one, the queue is sorted by deadline and others from the newest on. */
export function toSort(sort: string | undefined, isQueue: boolean): OrderSort {
  if (sort !== undefined && Object.hasOwn(ORDERS, sort)) return sort as OrderSort;
  return isQueue ? "deadline" : "newest";
}

/** However the queue is sorted, urgent orders come first. */
export function toSorting(sort: OrderSort, isQueue: boolean): Sorting {
  return isQueue ? withUrgentFirst(ORDERS[sort]) : ORDERS[sort];
}

/** A list that begins with its first page. `without`: orders that were decided here a moment ago. */
export function startList(page: OrderPage, without: ReadonlySet<string> = new Set()): OrderList {
  const rows = page.orders.filter(({ orderId }) => !without.has(orderId));
  return { rows, nextCursor: page.nextCursor, gone: new Set(), pending: null, newCount: 0 };
}

/**
 * Merge a new first page while somebody reads: update known orders in place, mark orders that are gone, and hold new ones
 * back until requested, so that nothing moves. An empty list takes the page unchanged.
 */
export function mergeFresh(
  list: OrderList,
  page: OrderPage,
  order: Sorting,
  without: ReadonlySet<string> = new Set(),
): OrderList {
  if (list.rows.length === 0) return startList(page, without);
  const fresh = new Map(page.orders.map((one) => [one.orderId, one]));
  const rows = list.rows.map((row) => {
    const now = fresh.get(row.orderId);
    return now === undefined || isSame(row, now) ? row : now;
  });
  const last = page.orders.at(-1);
  // Nothing is known about the list after the page's last order.
  const isCovered = (row: OrderRow) =>
    page.nextCursor === null || (last !== undefined && order(row, last) < 0);
  const gone = rows.filter((row) => !fresh.has(row.orderId) && isCovered(row)).map(({ orderId }) => orderId);
  const known = new Set(rows.map(({ orderId }) => orderId));
  // Orders that sort after all shown ones belong to a later page and aren't new.
  const bottom = list.nextCursor === null ? undefined : rows.toSorted(order).at(-1);
  const newCount = page.orders.filter(
    (one) =>
      !known.has(one.orderId) &&
      !without.has(one.orderId) &&
      (bottom === undefined || order(one, bottom) < 0),
  ).length;
  return {
    rows,
    nextCursor: list.nextCursor,
    gone: new Set(gone),
    pending: newCount > 0 ? page : null,
    newCount,
  };
}

function isSame(one: OrderRow, other: OrderRow): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function appendPage(list: OrderList, page: OrderPage): OrderList {
  const known = new Set(list.rows.map(({ orderId }) => orderId));
  const rows = [...list.rows, ...page.orders.filter(({ orderId }) => !known.has(orderId))];
  return { ...list, rows, nextCursor: page.nextCursor };
}

export function removeOrders(list: OrderList, ids: ReadonlySet<string>): OrderList {
  return { ...list, rows: list.rows.filter(({ orderId }) => !ids.has(orderId)) };
}

/** A list with removed orders put back in their places. Existing entries are replaced. */
export function putBack(list: OrderList, orders: readonly OrderRow[], order: Sorting): OrderList {
  const rows = [...list.rows];
  for (const one of orders) {
    const known = rows.findIndex(({ orderId }) => orderId === one.orderId);
    if (known !== -1) rows[known] = one;
    else {
      const next = rows.findIndex((row) => order(row, one) > 0);
      rows.splice(next === -1 ? rows.length : next, 0, one);
    }
  }
  return { ...list, rows };
}

export function replaceOrder(list: OrderList, order: OrderRow): OrderList {
  return { ...list, rows: list.rows.map((row) => (row.orderId === order.orderId ? order : row)) };
}

/** The order before (-1) or after (1) another one, or that one itself at the end; the first one if nothing is open. */
export function findNeighbour(rows: readonly OrderRow[], id: string | null, step: 1 | -1) {
  const at = rows.findIndex(({ orderId }) => orderId === id);
  if (at === -1) return rows[0];
  return rows[Math.min(rows.length - 1, Math.max(0, at + step))];
}

/** The order to go to when another one leaves the list: the one after it, or else the one before. */
export function findSuccessor(rows: readonly OrderRow[], id: string): OrderRow | undefined {
  const at = rows.findIndex(({ orderId }) => orderId === id);
  return at === -1 ? rows[0] : (rows[at + 1] ?? rows[at - 1]);
}

export type OrderListLoad = ReturnType<typeof useOrderList>;

interface OrderListOptions {
  /** Filters, as the API names them. */
  readonly query: Readonly<Record<string, string>>;
  readonly order: Sorting;
  /** Whether orders leave it when a person decides. */
  readonly isQueue: boolean;
}

const PAGE_SIZE = 50;
const POLL_MS = 5_000;
/** For a search, the server may decrypt thousands of orders. */
const SEARCH_POLL_MS = 30_000;
const toRecentlyDecided = (isQueue: boolean) => (isQueue ? findRecentlyDecided() : new Set<string>());

function needsDecision({ state, action }: OrderRow): boolean {
  return state === "review" || state === "failed" || (state === "waiting" && action === "hold");
}

type Shown = { readonly key: string; readonly page: OrderPage; readonly list: OrderList };

/** Load a list of orders, page by page, and poll its first page. */
export function useOrderList({ query, order, isQueue }: OrderListOptions) {
  const pollMs = query["q"] === undefined ? POLL_MS : SEARCH_POLL_MS;
  const first = useLoad("GET /orders", { query: { ...query, limit: PAGE_SIZE }, pollMs });
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [, redraw] = useState({});
  const shown = useRef<Shown | null>(null);
  const key = JSON.stringify(query);
  if (first.data !== null) shown.current = toShown(shown.current, { key, page: first.data, order, isQueue });

  const isFirst = useRef(true);
  const back = useValue(undone);
  useEffect(() => {
    // Orders undone before this list was loaded are in it.
    if (!isFirst.current && isQueue) change((list) => putBack(list, back.filter(needsDecision), order));
    else if (!isFirst.current) for (const one of back) change((list) => replaceOrder(list, one));
    isFirst.current = false;
  }, [back]);

  function change(next: (list: OrderList) => OrderList): void {
    if (shown.current === null) return;
    shown.current = { ...shown.current, list: next(shown.current.list) };
    redraw({});
  }

  return {
    list: shown.current?.list ?? null,
    /** Whether it belongs to earlier filters, while the new list loads. */
    isStale: shown.current !== null && shown.current.key !== key,
    error: first.error,
    /** How many of the newest orders were searched by their content; undefined if all of them were. */
    searchedNewest: first.data?.searchedNewest,
    /** How many orders the search lists, of more that it found; undefined if it lists all of them. */
    cutAt: first.data?.cutAt,
    isLoadingMore,
    reload: first.reload,
    /** Show new orders, from the top. */
    showNew: () =>
      change((list) => startList(list.pending ?? first.data ?? toPage(list), toRecentlyDecided(isQueue))),
    /** Load the next page. Rejects with an `ApiError`. */
    async loadMore() {
      const cursor = shown.current?.list.nextCursor ?? null;
      if (cursor === null || isLoadingMore) return;
      setLoadingMore(true);
      try {
        const { data } = await call("GET /orders", { query: { ...query, limit: PAGE_SIZE, cursor } });
        // The filters may have changed meanwhile.
        if (shown.current?.key === key) change((list) => appendPage(list, data));
      } finally {
        setLoadingMore(false);
      }
    },
    /** Remove decided orders. */
    remove(ids: ReadonlySet<string>) {
      noteDecided(ids);
      change((list) => removeOrders(list, ids));
    },
    update: (one: OrderRow) => change((list) => replaceOrder(list, one)),
  };
}

type Fresh = Omit<Shown, "list"> & Omit<OrderListOptions, "query">;

function toShown(shown: Shown | null, { key, page, order, isQueue }: Fresh): Shown {
  if (shown === null || shown.key !== key)
    return { key, page, list: startList(page, toRecentlyDecided(isQueue)) };
  if (shown.page === page) return shown;
  return { key, page, list: mergeFresh(shown.list, page, order, toRecentlyDecided(isQueue)) };
}

function toPage({ rows, nextCursor }: OrderList): OrderPage {
  return { orders: rows, nextCursor };
}
