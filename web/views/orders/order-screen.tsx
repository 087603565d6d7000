import type { ComponentProps } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ActionButton } from "../../components/action-button.tsx";
import { Button } from "../../components/button.tsx";
import { Loading } from "../../components/panel.tsx";
import { announce, showFailure } from "../../data/api/messages.ts";
import type { Act, OrderDetail, OrderRow } from "../../data/api/api-types.ts";
import { explain } from "../../data/api/api.ts";
import { useLoad } from "../../data/api/use-load.ts";
import { saveOrders } from "../../data/orders/export.ts";
import { reviewPause } from "../../data/orders/review-pause.ts";
import { formatCount, formatSum, sumMoney } from "../../data/base/format.ts";
import {
  findNeighbour,
  findSuccessor,
  toSort,
  toSorting,
  type OrderList,
  type OrderListLoad,
  useOrderList,
} from "../../data/orders/order-list.ts";
import { getRoute, navigate, setQuery, useRoute } from "../../data/shell/route.ts";
import { isOrderNumber, takeSearch } from "../../data/shell/search.ts";
import { isBuyerShown } from "../buyer/buyer-path.ts";
import { BuyerView } from "../buyer/buyer-view.tsx";
import { OrderView } from "../order/order-view.tsx";
import { type Asking, BulkBar, BulkDialog } from "./bulk-dialog.tsx";
import { focusRowLater, showRow, wantOrderFocus } from "../../data/orders/focus.ts";
import { FILTERS, toSortWords } from "../../data/orders/filters.ts";
import { OrderFilters } from "./order-filters.tsx";
import type { ListKind } from "./order-row.tsx";
import { NoOrders, OrderTable } from "./order-table.tsx";
import { useListKeys, type Selection, useSelection } from "./use-list-keys.ts";
import { t } from "../../data/base/texts.ts";

function OrderScreen({ kind, title }: { readonly kind: ListKind; readonly title: string }) {
  const { id: openId, query } = useRoute();
  const [search, onSearch] = useSearch(query["q"] ?? "");
  const isQueue = kind === "queue";
  const apiQuery = toApiQuery(kind, query, search);
  const order = toSorting(toSort(query["sort"], isQueue), isQueue);
  const load = useOrderList({ query: apiQuery, order, isQueue });
  const rows = load.list?.rows ?? [];
  const selection = useSelection(rows);
  const [asking, setAsking] = useState<Asking | null>(null);
  const onDecided = (order: OrderDetail, act: Act) => {
    if (kind === "queue" && act !== "recheck") {
      leave(rows, kind, order.orderId);
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
        <ListHead title={title} kind={kind} load={load} query={apiQuery} />
        <OrderFilters {...{ kind, query, search, onSearch }} isBeside={openId !== null} />
        <List {...{ kind, title, load, openId, selection, search }} />
        {selected.length > 0 && (
          <BulkBar orders={selected} onAsk={setAsking} onClear={() => selection.set([])} />
        )}
      </section>
      {openId !== null && (
        <OpenOrder
          key={openId}
          orderId={openId}
          nextId={findNeighbour(rows, openId, 1)?.orderId ?? openId}
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

/** The open order, or its buyer. */
function OpenOrder(props: ComponentProps<typeof OrderView>) {
  return isBuyerShown(useRoute()) ? <BuyerView orderId={props.orderId} /> : <OrderView {...props} />;
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
  const sort = toSort(query["sort"], kind === "queue");
  if (kind === "queue") return { view: "queue", sort, ...all };
  return sort === "newest" ? all : { sort, ...all };
}

/** Before an order leaves the list: open or focus the one after it. */
function leave(rows: readonly OrderRow[], kind: ListKind, id: string): void {
  const { view, id: openId } = getRoute();
  // Somebody who went on while the decision was saved isn't interrupted.
  if (view !== kind || (openId !== null && openId !== id)) return;
  reviewPause.begin();
  const next = findSuccessor(rows, id);
  if (openId === id) {
    wantOrderFocus();
    navigate({ ...getRoute(), view: kind, id: next?.orderId ?? null }, { replace: true });
    if (next !== undefined) return;
  }
  focusRowLater(next?.orderId);
}

interface ListHeadProps extends Pick<ListProps, "title" | "kind" | "load"> {
  readonly query: Readonly<Record<string, string>>;
}

function ListHead({ title, load, query }: ListHeadProps) {
  const { list, error, searchedNewest, cutAt } = load;
  const isAllFound = searchedNewest === undefined && cutAt === undefined;
  return (
    <header class="list-head wrap">
      <h1 tabIndex={-1}>{title}</h1>
      {error !== null && list !== null ? (
        <p class="list-status digits bad" role="status">
          {t("orders.not-updated", { why: explain(error) })}
        </p>
      ) : (
        list !== null && <Totals {...{ list, query, isAllFound }} />
      )}
      {list !== null && list.rows.length > 0 && (
        <ActionButton
          label={t("orders.download-csv")}
          icon="download"
          look="quiet"
          small
          onAct={() => saveOrders(query)}
        />
      )}
      {searchedNewest !== undefined && (
        <p class="hint">{t("orders.searched-newest", { count: searchedNewest })}</p>
      )}
      {cutAt !== undefined && <p class="hint">{t("orders.search-cut", { count: cutAt })}</p>}
    </header>
  );
}

interface TotalsProps extends Pick<ListHeadProps, "query"> {
  readonly list: OrderList;
  /** Whether the list has all orders that its search could find. */
  readonly isAllFound: boolean;
}

/** What the list comes to: from its rows if they are all there, else counted by the server. */
function Totals({ list, query, isAllFound }: TotalsProps) {
  const isMore = list.nextCursor !== null;
  const { sort: _, ...filters } = query;
  const { data } = useLoad(isMore ? "GET /order-totals" : null, { query: filters });
  const { orders, amount, complete } = data ?? {
    orders: list.rows.length,
    amount: sumMoney(list.rows),
    complete: !isMore && isAllFound,
  };
  const more = complete ? "" : "+";
  const count = t("orders.count", { count: orders, shown: `${formatCount(orders)}${more}` });
  const sum = Object.keys(amount).length === 0 ? "" : ` · ${formatSum(amount)}${more}`;
  return <p class="list-status digits soft">{count + sum}</p>;
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
    if (newCount > 0) announce(t("orders.new-press-u", { count: newCount }));
  }, [newCount]);
  if (list === null) return <Loading load={load} lines={12} label={t("orders.loading-orders")} />;
  if (list.rows.length === 0) return <NoOrders kind={kind} search={search} />;
  return (
    <div class="list card" data-stale={isStale ? "true" : undefined}>
      {newCount > 0 && (
        <div class="news">
          <Button
            label={t("orders.new", { count: newCount })}
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
        caption={`${title}, ${toSortWords(toSort(query["sort"], kind === "queue"))}`}
        selected={selection.ids}
        isBusy={isStale}
        hrefKey={location.search}
        onSelectAll={(isOn) => selection.set(isOn ? list.rows.map(({ orderId }) => orderId) : [])}
      />
      {list.nextCursor !== null && (
        <div class="more row center">
          <Button
            label={isLoadingMore ? t("orders.loading") : t("orders.load-more")}
            busy={isLoadingMore}
            onClick={() => void showMore(load)}
          />
        </div>
      )}
    </div>
  );
}

async function showMore(load: OrderListLoad): Promise<void> {
  await load.loadMore().then(() => announce(t("orders.more-orders-shown")), showFailure);
}

export function OrdersView() {
  return <OrderScreen kind="orders" title={t("orders.orders")} />;
}

/** The orders that wait for a person, most urgent first unless sorted otherwise. */
export function QueueView() {
  return <OrderScreen kind="queue" title={t("orders.review-queue")} />;
}
