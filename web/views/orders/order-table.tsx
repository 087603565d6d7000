import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/panel.tsx";
import { type OrderList, type OrderSort, toSort } from "../../data/orders/order-list.ts";
import { navigate, setQuery, useRoute } from "../../data/shell/route.ts";
import { handSearch, isOrderNumber } from "../../data/shell/search.ts";
import { toGroups, useValue } from "../../data/base/value.ts";
import { useNoteDrafts } from "../../data/orders/note-drafts.ts";
import { failures } from "../../data/orders/undo.ts";
import { FILTERS } from "../../data/orders/filters.ts";
import { type ListKind, OrderRows, type OrderRowsProps, ROWS_TOGETHER } from "./order-row.tsx";
import { t } from "../../data/base/texts.ts";

interface OrderTableProps extends Omit<OrderRowsProps, "rows" | "gone" | "failed" | "drafts"> {
  readonly list: OrderList;
  readonly caption: string;
  readonly isBusy: boolean;
  readonly onSelectAll: (isSelected: boolean) => void;
}

const COLUMNS: readonly (readonly [name: string, cell: string, sort?: OrderSort])[] = [
  [t("orders.order"), "c-name", "newest"],
  [t("orders.buyer"), "c-buyer"],
  [t("orders.risk"), "c-level", "score"],
  [t("orders.amount"), "c-amount number", "amount"],
  [t("orders.why"), "c-why"],
  [t("orders.deadline"), "c-deadline", "deadline"],
  [t("orders.state"), "c-state"],
];

/** Other lists show an action in the place of the deadline. */
function isSortedBy(kind: ListKind, sort: OrderSort | undefined): boolean {
  return sort !== undefined && (kind === "queue" || sort !== "deadline");
}

interface ColumnHeadProps {
  readonly cell: string;
  readonly sort: OrderSort | undefined;
  readonly children: string;
}

/** A column's name. A click sorts by it: highest first, and orders from the newest on, or from the oldest if they are. */
function ColumnHead({ cell, sort, children }: ColumnHeadProps) {
  const { query, view } = useRoute();
  const current = toSort(query["sort"], view === "queue");
  const isSorted = sort !== undefined && (current === sort || (sort === "newest" && current === "age"));
  const next = sort === "newest" && current === "newest" ? "age" : sort;
  const direction = current === "age" || current === "deadline" ? "ascending" : "descending";
  return (
    <th role="columnheader" scope="col" class={cell} aria-sort={isSorted ? direction : undefined}>
      {next === undefined ? (
        children
      ) : (
        <button type="button" class="sort" onClick={() => setQuery({ sort: next })}>
          {children}
          {isSorted && <span aria-hidden="true">{direction === "ascending" ? " ↑" : " ↓"}</span>}
        </button>
      )}
    </th>
  );
}

/** Orders as a table, or as cards in a narrow space. The table roles stay, however it's styled. */
export function OrderTable(props: OrderTableProps) {
  const { list, kind, caption, openId, selected, isBusy, hrefKey, onToggle, onSelectAll } = props;
  const failed = useValue(failures);
  const drafts = useNoteDrafts();
  const isAll = list.rows.length > 0 && list.rows.every(({ orderId }) => selected.has(orderId));
  return (
    <table role="table" class="orders" data-kind={kind} aria-busy={isBusy ? "true" : undefined}>
      <caption class="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {kind === "queue" && (
            <th role="columnheader" scope="col" class="c-check">
              <input
                type="checkbox"
                aria-label={t("orders.select-all-shown-orders")}
                checked={isAll}
                onChange={(event) => onSelectAll(event.currentTarget.checked)}
              />
            </th>
          )}
          {COLUMNS.map(([name, cell, sort]) => (
            <ColumnHead key={name} cell={cell} sort={isSortedBy(kind, sort) ? sort : undefined}>
              {kind === "orders" && cell === "c-deadline" ? t("orders.action") : name}
            </ColumnHead>
          ))}
        </tr>
      </thead>
      {toGroups(list.rows, ROWS_TOGETHER).map((rows, at) => (
        // The key of a group is its position in the list.
        <OrderRows
          key={at}
          {...{ rows, kind, openId, selected, failed, drafts, hrefKey, onToggle }}
          gone={list.gone}
        />
      ))}
    </table>
  );
}

export function NoOrders({ kind, search }: { readonly kind: ListKind; readonly search: string }) {
  const { query } = useRoute();
  const isFiltered = search !== "" || FILTERS.some((name) => query[name] !== undefined);
  if (!isFiltered) {
    return kind === "queue" ? (
      <Empty title={t("orders.no-orders-to-review")} icon="check">
        <p>{t("orders.orders-that-need-your-decision-appear")}</p>
      </Empty>
    ) : (
      <Empty title={t("orders.no-orders-yet")} icon="orders">
        <p>{t("orders.orders-appear-here-when-the-platform")}</p>
      </Empty>
    );
  }
  return (
    <Empty title={t("orders.no-matching-orders")} icon="search">
      <div class="row">
        <Button label={t("orders.clear-search-and-filters")} onClick={() => navigate({ view: kind })} />
        {kind === "queue" && search !== "" && (
          <Button
            label={t("orders.search-all-orders")}
            onClick={() => {
              if (!isOrderNumber(search)) handSearch(search);
              navigate({ view: "orders", query: isOrderNumber(search) ? { q: search } : {} });
            }}
          />
        )}
      </div>
    </Empty>
  );
}
