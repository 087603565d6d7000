import { Component } from "preact";
import { Icon } from "../../components/button.tsx";
import { ActionLabel, OrderLevel, StateLabel } from "../../components/badge.tsx";
import { ReasonChips } from "../../components/chips.tsx";
import { Ago, Deadline } from "../../components/time.tsx";
import type { OrderRow as Order } from "../../data/api/api-types.ts";
import { formatMoney, nameCountry } from "../../data/base/format.ts";
import { getRoute, toPath } from "../../data/shell/route.ts";
import { nameActor, nameSkip } from "../../data/api/words.ts";
import { toDoneKind } from "../../data/orders/undo.ts";
import { toRowId, wantOrderFocus } from "../../data/orders/focus.ts";
import { rich, t } from "../../data/base/texts.ts";

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
  /** A note about it isn't saved yet. */
  readonly hasDraft: boolean;
  /** `isRange`: everything from the last selected order to this one. */
  readonly onToggle: (id: string, isRange?: boolean) => void;
}

function OrderRow(props: OrderRowProps) {
  const { order, kind, isSelected, isOpen, isGone, failure, hasDraft, onToggle } = props;
  const classes = [isOpen && "open", isSelected && "selected", isGone && "gone"].filter(Boolean).join(" ");
  return (
    <tr role="row" id={toRowId(order.orderId)} data-order={order.orderId} class={classes}>
      {kind === "queue" && (
        <td role="cell" class="c-check">
          <input
            type="checkbox"
            aria-label={t("orders.select", { name: order.name })}
            checked={isSelected}
            onClick={(event) => {
              onToggle(order.orderId, event.shiftKey);
              // Of a range, every order is selected, also the one that was before.
              if (event.shiftKey) event.currentTarget.checked = true;
            }}
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
        <NoteMark order={order} hasDraft={hasDraft} />
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
          <span class="soft">{t("orders.why-unchecked", { why: nameSkip(order.skipReason) })}</span>
        )}
      </td>
      <StandingCells {...{ order, kind, isGone, failure }} />
    </tr>
  );
}

/** That people wrote about the order, or are about to. */
function NoteMark({ order: { notes }, hasDraft }: Pick<OrderRowProps, "order" | "hasDraft">) {
  if (notes === 0 && !hasDraft) return null;
  return (
    <span class="soft note-mark">
      <Icon name="note" />
      {notes > 0 && <span>{t("notes.notes", { count: notes })}</span>}
      {hasDraft && <b>{t("notes.draft")}</b>}
    </span>
  );
}

type CellsProps = Pick<OrderRowProps, "order" | "kind" | "isGone" | "failure">;

function StandingCells({ order, kind, isGone, failure }: CellsProps) {
  const { action, decidedBy, holdDeadline, evidenceDueBy } = order;
  return (
    <>
      <td role="cell" class="c-deadline">
        {kind === "orders" && <ActionLabel action={action} />}
        {kind === "orders" && decidedBy !== null && <span class="soft">{nameActor(decidedBy)}</span>}
        {kind === "queue" && (holdDeadline ? <Deadline at={holdDeadline} /> : <span class="soft">–</span>)}
        {evidenceDueBy !== null && (
          <span class="soft">
            {rich("order.bank-deadline", { deadline: <Deadline at={evidenceDueBy} /> })}
          </span>
        )}
      </td>
      <td role="cell" class="c-state">
        {isGone ? (
          <span class="soft">{t("orders.already-decided")}</span>
        ) : (
          <OrderState order={order} kind={kind} />
        )}
        {failure !== undefined && <span class="soft bad">{t("orders.why-undecided", { why: failure })}</span>}
      </td>
    </>
  );
}

function OrderState({ order, kind }: Pick<OrderRowProps, "order" | "kind">) {
  const { assignee, buyerAnswer, claim, degraded, ended, pendingReview } = order;
  return (
    <>
      {pendingReview === null ? (
        <StateLabel order={order} />
      ) : (
        <>
          <span class="no-wrap">{t("orders.pending", { kind: toDoneKind(pendingReview.act, order) })}</span>
          <span class="soft">{t("orders.just-now", { name: nameActor(pendingReview.by) })}</span>
        </>
      )}
      {ended !== null && <span class="soft">{t("orders.ended", { ended })}</span>}
      {degraded && <span class="soft">{t("orders.without-the-service")}</span>}
      {buyerAnswer !== null && <span class="soft">{t("asking.word", { word: buyerAnswer })}</span>}
      {kind === "queue" && assignee !== null && (
        <span class="soft">{t("notes.for", { name: nameActor(assignee) })}</span>
      )}
      {kind === "queue" && claim !== null && (
        <span class="soft">{t("orders.reviewing", { name: nameActor(claim.by) })}</span>
      )}
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
  /** Notes that aren't saved yet, by order. */
  readonly drafts: Readonly<Record<string, string>>;
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

  override render({ rows, kind, openId, selected, gone, failed, drafts, onToggle }: OrderRowsProps) {
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
            hasDraft={drafts[order.orderId] !== undefined}
            onToggle={onToggle}
          />
        ))}
      </tbody>
    );
  }
}

/** The flags of a row, as bits. */
function toFlags({ orderId }: Order, { openId, selected, gone, drafts }: OrderRowsProps): number {
  const flags = [orderId === openId, selected.has(orderId), gone.has(orderId), drafts[orderId] !== undefined];
  return flags.reduce((bits, isOn, place) => bits + (isOn ? 2 ** place : 0), 0);
}
