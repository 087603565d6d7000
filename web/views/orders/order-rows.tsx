import { Component } from "preact";
import type { OrderRow as Order } from "../../data/api-types.ts";
import { OrderRow, type ListKind, type RowHandlers } from "./order-row.tsx";

/** What is the same for all rows of a list. */
export interface RowsContext {
  readonly kind: ListKind;
  readonly openId: string | null;
  readonly selected: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
  readonly hrefKey: string;
  readonly handlers: RowHandlers;
}

interface OrderRowsProps extends RowsContext {
  readonly rows: readonly Order[];
}

/** How many rows are drawn, and skipped while they are out of sight, together. */
export const ROWS_TOGETHER = 50;

/** Rows in groups of {@link ROWS_TOGETHER}. */
export function toGroups(rows: readonly Order[]): readonly (readonly Order[])[] {
  const count = Math.ceil(rows.length / ROWS_TOGETHER);
  return Array.from({ length: count }, (_, at) => rows.slice(at * ROWS_TOGETHER, (at + 1) * ROWS_TOGETHER));
}

/** A group of rows, drawn again only when one of them changed: a list may have thousands. */
export class OrderRows extends Component<OrderRowsProps> {
  override shouldComponentUpdate(next: OrderRowsProps): boolean {
    const { props } = this;
    if (props.rows.length !== next.rows.length || props.kind !== next.kind || props.hrefKey !== next.hrefKey)
      return true;
    return next.rows.some((row, at) => row !== props.rows[at] || toSigns(row, props) !== toSigns(row, next));
  }

  override render({ rows, kind, openId, selected, gone, hrefKey, handlers }: OrderRowsProps) {
    return (
      <tbody role="rowgroup">
        {rows.map((order) => (
          <OrderRow
            key={order.orderId}
            order={order}
            kind={kind}
            isSelected={selected.has(order.orderId)}
            isOpen={order.orderId === openId}
            isGone={gone.has(order.orderId)}
            hrefKey={hrefKey}
            handlers={handlers}
          />
        ))}
      </tbody>
    );
  }
}

/** What a row shows beside its order, as bits. */
function toSigns({ orderId }: Order, { openId, selected, gone }: RowsContext): number {
  return (orderId === openId ? 1 : 0) + (selected.has(orderId) ? 2 : 0) + (gone.has(orderId) ? 4 : 0);
}
