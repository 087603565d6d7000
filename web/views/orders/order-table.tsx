import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/panel.tsx";
import type { OrderList } from "../../data/orders/order-list.ts";
import { navigate, useRoute } from "../../data/shell/route.ts";
import { handSearch, isOrderNumber } from "../../data/shell/search.ts";
import { toGroups, useValue } from "../../data/base/value.ts";
import { failures } from "../../data/orders/undo.ts";
import { FILTERS } from "./order-filters.tsx";
import { type ListKind, OrderRows, type OrderRowsProps, ROWS_TOGETHER } from "./order-row.tsx";

interface OrderTableProps extends Omit<OrderRowsProps, "rows" | "gone" | "failed"> {
  readonly list: OrderList;
  readonly caption: string;
  readonly isBusy: boolean;
  readonly onSelectAll: (isSelected: boolean) => void;
}

const COLUMNS = [
  ["Order", "c-name"],
  ["Buyer", "c-buyer"],
  ["Risk", "c-level"],
  ["Amount", "c-amount number"],
  ["Why", "c-why"],
  ["Deadline", "c-deadline"],
  ["State", "c-state"],
] as const;

/** Orders as a table, or as cards in a narrow space. The table roles stay, however it's styled. */
export function OrderTable(props: OrderTableProps) {
  const { list, kind, caption, openId, selected, isBusy, hrefKey, onToggle, onSelectAll } = props;
  const failed = useValue(failures);
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
                aria-label="Select all shown orders"
                checked={isAll}
                onChange={(event) => onSelectAll(event.currentTarget.checked)}
              />
            </th>
          )}
          {COLUMNS.map(([name, cell]) => (
            <th key={name} role="columnheader" scope="col" class={cell}>
              {kind === "orders" && name === "Deadline" ? "Action" : name}
            </th>
          ))}
        </tr>
      </thead>
      {toGroups(list.rows, ROWS_TOGETHER).map((rows, at) => (
        // The key of a group is its position in the list.
        <OrderRows
          key={at}
          {...{ rows, kind, openId, selected, failed, hrefKey, onToggle }}
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
      <Empty title="No orders to review" icon="check">
        <p>Orders that need your decision appear here.</p>
      </Empty>
    ) : (
      <Empty title="No orders yet" icon="orders">
        <p>Orders appear here when the platform sends them.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No matching orders" icon="search">
      <div class="row">
        <Button label="Clear search and filters" onClick={() => navigate({ view: kind })} />
        {kind === "queue" && search !== "" && (
          <Button
            label="Search all orders"
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
