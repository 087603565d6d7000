import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Loading } from "../../components/panel.tsx";
import { announce, showFailure } from "../../data/api/messages.ts";
import type { Act, OrderDetail, OrderRow } from "../../data/api/api-types.ts";
import { explain } from "../../data/api/api.ts";
import { reviewPause } from "../../data/orders/review-pause.ts";
import { formatCount, formatPlural, formatSum, sumMoney } from "../../data/base/format.ts";
import {
  byAge,
  findSuccessor,
  QUEUE_ORDERS,
  toQueueOrder,
  type OrderListLoad,
  useOrderList,
} from "../../data/orders/order-list.ts";
import { getRoute, navigate, setQuery, useRoute } from "../../data/shell/route.ts";
import { isOrderNumber, takeSearch } from "../../data/shell/search.ts";
import { OrderView } from "../order/order-view.tsx";
import { type Asking, BulkBar, BulkDialog } from "./bulk-dialog.tsx";
import { focusRowLater, showRow, wantOrderFocus } from "../../data/orders/focus.ts";
import { FILTERS, OrderFilters, toSortWords } from "./order-filters.tsx";
import type { ListKind } from "./order-row.tsx";
import { NoOrders, OrderTable } from "./order-table.tsx";
import { useListKeys, type Selection, useSelection } from "./use-list-keys.ts";

function OrderScreen({ kind, title }: { readonly kind: ListKind; readonly title: string }) {
  const { id: openId, query } = useRoute();
  const [search, onSearch] = useSearch(query["q"] ?? "");
  const load = useOrderList({
    query: toApiQuery(kind, query, search),
    order: kind === "queue" ? QUEUE_ORDERS[toQueueOrder(query["sort"])] : byAge,
    isQueue: kind === "queue",
  });
  const selection = useSelection();
  const [asking, setAsking] = useState<Asking | null>(null);
  const rows = load.list?.rows ?? [];
  const goOn = (id: string) => leave(rows, kind, id, openId);
  const onDecided = (order: OrderDetail, act: Act) => {
    if (kind === "queue" && act !== "recheck") {
      goOn(order.orderId);
      load.remove(new Set([order.orderId]));
    } else load.update(order);
  };
  const onBulkDone = (orders: readonly OrderRow[]) => {
    const done = new Set(orders.map(({ orderId }) => orderId));
    setAsking(null);
    if (done.size === 0) return;
    const first = rows.findIndex(({ orderId }) => done.has(orderId));
    const isLeft = ({ orderId }: OrderRow) => !done.has(orderId);
    focusRowLater((rows.slice(first).find(isLeft) ?? rows.findLast(isLeft))?.orderId);
    selection.set([...selection.ids].filter((id) => !done.has(id)));
    load.remove(done);
  };
  useListPlace(openId, load.list !== null);
  const keys = useListKeys({ kind, load, selection, openId, onAsk: setAsking });
  const selected = selection.of(rows);
  return (
    <div class="split" data-open={openId === null ? undefined : "true"}>
      <section class="list-pane stack gap-3" aria-label={title} onFocusIn={keys.onFocusIn}>
        <ListHead title={title} kind={kind} load={load} />
        <OrderFilters kind={kind} query={query} search={search} onSearch={onSearch} />
        <List {...{ kind, title, load, openId, selection, search }} />
        {selected.length > 0 && (
          <BulkBar orders={selected} onAsk={setAsking} onClear={() => selection.set([])} />
        )}
      </section>
      {openId !== null && (
        <OrderView
          key={openId}
          orderId={openId}
          isBulk={kind === "queue" && selected.length > 0}
          onDecided={onDecided}
          onStep={keys.step}
          onClose={keys.close}
        />
      )}
      {asking !== null && <BulkDialog {...asking} onClose={onBulkDone} />}
    </div>
  );
}

/** The open order is in sight in its list, and the list is where it was once the order is closed. */
function useListPlace(openId: string | null, isLoaded: boolean): void {
  const place = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (openId !== null) return;
    if (place.current !== null) scrollTo(0, place.current);
    const note = () => {
      place.current = scrollY;
    };
    note();
    addEventListener("scroll", note, { passive: true });
    return () => removeEventListener("scroll", note);
  }, [openId === null]);
  useLayoutEffect(() => {
    if (openId !== null && isLoaded) showRow(openId);
  }, [openId, isLoaded]);
}

/** A name or an email address is personal data: it's used for the search but kept out of the URL, which lands in histories. */
function useSearch(inAddress: string): [string, (text: string) => void] {
  const [personal, setPersonal] = useState(takeSearch);
  const onSearch = (text: string) => {
    const isPersonal = !isOrderNumber(text);
    setPersonal(isPersonal ? text : "");
    setQuery({ q: isPersonal ? "" : text }, { replace: true });
  };
  return [personal === "" ? inAddress : personal, onSearch];
}

function toApiQuery(
  kind: ListKind,
  query: Readonly<Record<string, string>>,
  q: string,
): Record<string, string> {
  const filters = FILTERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]]));
  const all = { ...Object.fromEntries(filters), ...(q === "" ? {} : { q }) };
  return kind === "queue" ? { view: "queue", sort: toQueueOrder(query["sort"]), ...all } : all;
}

/** Before an order leaves the list: open or focus the one after it. */
function leave(rows: readonly OrderRow[], kind: ListKind, id: string, openId: string | null): void {
  reviewPause.begin();
  const next = findSuccessor(rows, id);
  if (openId === id) {
    wantOrderFocus();
    navigate({ ...getRoute(), view: kind, id: next?.orderId ?? null }, { replace: true });
    if (next !== undefined) return;
  }
  focusRowLater(next?.orderId);
}

function ListHead({ title, kind, load }: Pick<ListProps, "title" | "kind" | "load">) {
  const { list, error } = load;
  const isMore = list?.nextCursor !== null;
  const count =
    list === null
      ? ""
      : `${formatCount(list.rows.length)}${isMore ? "+" : ""} ${list.rows.length === 1 ? "order" : "orders"}`;
  const sum =
    list === null || list.rows.length === 0 ? "" : ` · ${formatSum(sumMoney(list.rows))}${isMore ? "+" : ""}`;
  return (
    <header class="list-head wrap">
      <h1 tabIndex={-1}>{title}</h1>
      {error !== null && list !== null ? (
        <p class="list-status digits bad" role="status">
          Couldn't update the list. {explain(error)}
        </p>
      ) : (
        <p class="list-status digits soft">{kind === "queue" ? count + sum : count}</p>
      )}
    </header>
  );
}

interface ListProps {
  readonly kind: ListKind;
  readonly title: string;
  readonly load: OrderListLoad;
  readonly openId: string | null;
  readonly selection: Selection;
  readonly search: string;
}

function List({ kind, title, load, openId, selection, search }: ListProps) {
  const { query } = useRoute();
  const { list, isStale, isLoadingMore } = load;
  const newCount = list?.newCount ?? 0;
  useEffect(() => {
    if (newCount > 0) announce(`${formatPlural(newCount, "new order")}. Press u to show.`);
  }, [newCount]);
  if (list === null) return <Loading load={load} lines={12} label="Loading orders" />;
  if (list.rows.length === 0) return <NoOrders kind={kind} search={search} />;
  return (
    <div class="list card" data-stale={isStale ? "true" : undefined}>
      {newCount > 0 && (
        <div class="news">
          <Button
            label={formatPlural(newCount, "new order")}
            look="primary"
            small
            icon="refresh"
            shortcut="u"
            onClick={load.showNew}
          />
        </div>
      )}
      <OrderTable
        {...{ list, kind, openId }}
        onToggle={selection.toggle}
        caption={`${title}, ${kind === "queue" ? toSortWords(query["sort"]) : "newest first"}`}
        selected={selection.ids}
        isBusy={isStale}
        hrefKey={location.search}
        onSelectAll={(isOn) => selection.set(isOn ? list.rows.map(({ orderId }) => orderId) : [])}
      />
      {list.nextCursor !== null && (
        <div class="more row center">
          <Button
            label={isLoadingMore ? "Loading…" : "Load more"}
            busy={isLoadingMore}
            onClick={() => void showMore(load)}
          />
        </div>
      )}
    </div>
  );
}

async function showMore(load: OrderListLoad): Promise<void> {
  await load.loadMore().then(() => announce("More orders shown."), showFailure);
}

export function OrdersView() {
  return <OrderScreen kind="orders" title="Orders" />;
}

/** The orders that wait for a person, most urgent first unless sorted otherwise. */
export function QueueView() {
  return <OrderScreen kind="queue" title="Review queue" />;
}
