import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "./api.ts";
import {
  appendPage,
  mergeFresh,
  putBack,
  removeOrders,
  replaceOrder,
  startList,
  type Order,
  type OrderList,
} from "./order-list.ts";
import type { OrderPage, OrderRow } from "./api-types.ts";
import { undone } from "./undo.ts";
import { useLoad } from "./use-load.ts";
import { useValue } from "./value.ts";

/** A list of orders that keeps itself up to date without moving. */
export type OrderListLoad = ReturnType<typeof useOrderList>;

/** Options of {@link useOrderList}. */
interface OrderListOptions {
  /** Filters, as the API names them. */
  readonly query: Readonly<Record<string, string>>;
  readonly order: Order;
  /** Whether orders leave it when a person decides. */
  readonly isQueue: boolean;
}

const PAGE_SIZE = 50;
const POLL_MS = 5_000;
/** A search may open thousands of orders. */
const SEARCH_POLL_MS = 30_000;
/** A decision may take a while to reach the list. Until then, the order must not reappear as new. */
const DECIDED_FOR_MS = 60_000;

const decided = new Map<string, number>();

function toRecentlyDecided(isQueue: boolean): ReadonlySet<string> {
  if (!isQueue) return new Set();
  const since = Date.now() - DECIDED_FOR_MS;
  for (const [id, atMs] of decided) if (atMs < since) decided.delete(id);
  return new Set(decided.keys());
}

/** Whether an order is one of those that wait for a person. */
function isToDecide({ state }: OrderRow): boolean {
  return state === "review" || state === "failed";
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
    if (!isFirst.current && isQueue) {
      for (const { orderId } of back) decided.delete(orderId);
      change((list) => putBack(list, back.filter(isToDecide), order));
    } else if (!isFirst.current) for (const one of back) change((list) => replaceOrder(list, one));
    isFirst.current = false;
  }, [back]);

  function change(next: (list: OrderList) => OrderList): void {
    if (shown.current === null) return;
    shown.current = { ...shown.current, list: next(shown.current.list) };
    redraw({});
  }

  return {
    list: shown.current?.list ?? null,
    /** It belongs to filters that were just changed, and its successor is on its way. */
    isStale: shown.current !== null && shown.current.key !== key,
    error: first.error,
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
        // Filters may have changed on the way.
        if (shown.current?.key === key) change((list) => appendPage(list, data));
      } finally {
        setLoadingMore(false);
      }
    },
    /** Take decided orders out. */
    remove(ids: ReadonlySet<string>) {
      for (const id of ids) decided.set(id, Date.now());
      change((list) => removeOrders(list, ids));
    },
    /** Update an order in the list. */
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
