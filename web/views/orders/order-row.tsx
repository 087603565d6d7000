import { Component } from "preact";
import { ActionLabel, OrderLevel, StateLabel } from "../../components/badge.tsx";
import { ReasonChips } from "../../components/chips.tsx";
import { Ago, Deadline } from "../../components/time.tsx";
import type { OrderRow as Order } from "../../data/api/api-types.ts";
import { formatMoney, nameCountry } from "../../data/base/format.ts";
import { getRoute, toPath } from "../../data/shell/route.ts";
import { nameActor, nameSkip } from "../../data/api/words.ts";
import { toRowId, wantOrderFocus } from "../../data/orders/focus.ts";

/** As many as fit into a row. */
const ROW_CHIPS = 3;

/** Which list a row is in: the queue shows deadlines, the list of all orders what was decided. */
export type ListKind = "queue" | "orders";

interface OrderRowProps {
  readonly order: Order;
  readonly kind: ListKind;
  readonly isSelected: boolean;
  /** It's open beside the list. */
  readonly isOpen: boolean;
  /** Somebody else has decided it. */
  readonly isGone: boolean;
  /** Why the last decision on it failed. */
  readonly failure: string | undefined;
  readonly onToggle: (id: string) => void;
}

function OrderRow({ order, kind, isSelected, isOpen, isGone, failure, onToggle }: OrderRowProps) {
  const classes = [isOpen && "open", isSelected && "selected", isGone && "gone"].filter(Boolean).join(" ");
  return (
    <tr role="row" id={toRowId(order.orderId)} data-order={order.orderId} class={classes}>
      {kind === "queue" && (
        <td role="cell" class="c-check">
          <input
            type="checkbox"
            aria-label={`Select ${order.name}`}
            checked={isSelected}
            onClick={() => onToggle(order.orderId)}
          />
        </td>
      )}
      <td role="cell" class="c-name">
        <a
          href={toPath({ ...getRoute(), view: kind, id: order.orderId })}
          aria-current={isOpen ? "true" : undefined}
          onClick={() => wantOrderFocus()}
        >
          {order.name}
        </a>
        <span class="soft">
          <Ago at={order.receivedAt} />
        </span>
      </td>
      <td role="cell" class="c-buyer">
        <span class="clip" dir="auto">
          {order.buyer ?? "–"}
        </span>
        {order.country !== null && <span class="soft clip">{nameCountry(order.country)}</span>}
      </td>
      <td role="cell" class="c-level">
        <OrderLevel order={order} />
      </td>
      <td role="cell" class="c-amount number">
        {formatMoney(order.amount, order.currency)}
      </td>
      <td role="cell" class="c-why">
        <ReasonChips chips={order.chips} most={ROW_CHIPS} />
        {order.chips.length === 0 && order.skipReason !== null && (
          <span class="soft">Not checked: {nameSkip(order.skipReason)}</span>
        )}
      </td>
      <StandingCells {...{ order, kind, isGone, failure }} />
    </tr>
  );
}

type CellsProps = Pick<OrderRowProps, "order" | "kind" | "isGone" | "failure">;

function StandingCells({ order, kind, isGone, failure }: CellsProps) {
  const { action, decidedBy, holdDeadline } = order;
  return (
    <>
      <td role="cell" class="c-deadline">
        {kind === "orders" && <ActionLabel action={action} />}
        {kind === "orders" && decidedBy !== null && <span class="soft">{nameActor(decidedBy)}</span>}
        {kind === "queue" && (holdDeadline ? <Deadline at={holdDeadline} /> : <span class="soft">–</span>)}
      </td>
      <td role="cell" class="c-state">
        {isGone ? <span class="soft">Already decided</span> : <OrderState order={order} kind={kind} />}
        {failure !== undefined && <span class="soft bad">Not decided: {failure}</span>}
      </td>
    </>
  );
}

function OrderState({ order, kind }: Pick<OrderRowProps, "order" | "kind">) {
  const { claim, degraded, pendingReview } = order;
  return (
    <>
      {pendingReview === null ? (
        <StateLabel order={order} />
      ) : (
        <>
          <span class="no-wrap">{pendingReview.act === "approve" ? "Approved" : "Declined"}</span>
          <span class="soft">{nameActor(pendingReview.by)}, just now</span>
        </>
      )}
      {degraded && <span class="soft">without the service</span>}
      {kind === "queue" && claim !== null && <span class="soft">{nameActor(claim.by)} is reviewing</span>}
    </>
  );
}

export interface OrderRowsProps extends Pick<OrderRowProps, "kind" | "onToggle"> {
  readonly rows: readonly Order[];
  /** Changes when the links of all rows do. */
  readonly hrefKey: string;
  readonly openId: string | null;
  readonly selected: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
  readonly failed: ReadonlyMap<string, string>;
}

/** How many rows are drawn, and skipped while they are out of sight, together. */
export const ROWS_TOGETHER = 50;

/** A group of rows, drawn again only when one of them changed: a list may have thousands. */
export class OrderRows extends Component<OrderRowsProps> {
  override shouldComponentUpdate(next: OrderRowsProps): boolean {
    const { props } = this;
    if (props.rows.length !== next.rows.length || props.kind !== next.kind || props.hrefKey !== next.hrefKey)
      return true;
    return next.rows.some((row, at) => {
      const isSame = props.failed.get(row.orderId) === next.failed.get(row.orderId);
      return !isSame || row !== props.rows[at] || toFlags(row, props) !== toFlags(row, next);
    });
  }

  override render({ rows, kind, openId, selected, gone, failed, onToggle }: OrderRowsProps) {
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
            failure={failed.get(order.orderId)}
            onToggle={onToggle}
          />
        ))}
      </tbody>
    );
  }
}

/** The flags of a row, as bits. */
function toFlags({ orderId }: Order, { openId, selected, gone }: OrderRowsProps): number {
  return (orderId === openId ? 1 : 0) + (selected.has(orderId) ? 2 : 0) + (gone.has(orderId) ? 4 : 0);
}
