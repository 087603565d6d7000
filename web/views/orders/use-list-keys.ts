import { useRef, useState } from "preact/hooks";
import { showToast } from "../../data/api/messages.ts";
import type { OrderRow } from "../../data/api/api-types.ts";
import { type Shortcut, useShortcuts } from "../../data/shell/keyboard.ts";
import { findNeighbour, type OrderListLoad } from "../../data/orders/order-list.ts";
import { extendTo, NOTHING_SELECTED, toggle, toSelected } from "../../data/orders/selection.ts";
import { ACT_WORDS } from "../../data/orders/review.ts";
import { getRoute, navigate } from "../../data/shell/route.ts";
import { toRoleReason } from "../../data/api/session.ts";
import type { Asking } from "./bulk-dialog.tsx";
import { findFocusedOrder, focusRow, focusRowLater, wantOrderFocus } from "../../data/orders/focus.ts";
import { SEARCH_ID } from "./search-field.tsx";
import type { ListKind } from "./order-row.tsx";
import { t } from "../../data/base/texts.ts";

export interface ListKeyParts {
  readonly kind: ListKind;
  readonly load: OrderListLoad;
  readonly selection: Selection;
  readonly openId: string | null;
  readonly onAsk: (asking: Asking) => void;
}

export function useListKeys(parts: ListKeyParts) {
  const { load, selection, openId } = parts;
  const rows = load.list?.rows ?? [];
  const last = useRef<string | null>(null);
  /** The order that keys apply to: the row with the focus, else the open order, else the row that last had the focus. */
  const toTarget = (): OrderRow | undefined => {
    const id = findFocusedOrder() ?? openId ?? last.current;
    return rows.find(({ orderId }) => orderId === id);
  };

  function step(by: 1 | -1): void {
    const isInList = findFocusedOrder() !== null;
    const from = findFocusedOrder() ?? openId ?? last.current;
    const next = findNeighbour(rows, from, by);
    if (next === undefined) return load.list === null ? sayLoading() : undefined;
    if (by === 1 && next === rows.at(-1)) goOnLoading(load, next.orderId === from);
    last.current = next.orderId;
    if (openId !== null) {
      if (!isInList) wantOrderFocus();
      navigate({ ...getRoute(), id: next.orderId }, { replace: true });
    }
    if (openId === null || isInList) focusRow(next.orderId);
  }

  /** Select from the order that was selected last to the one before or after. */
  function extend(by: 1 | -1): void {
    const from = toTarget()?.orderId;
    step(by);
    const to = findNeighbour(rows, from ?? null, by)?.orderId;
    if (to !== undefined) selection.extendTo(to, from);
  }

  function close(): void {
    navigate({ ...getRoute(), id: null });
    focusRowLater(openId ?? undefined);
  }

  useShortcuts(toShortcuts(parts, { step, extend, toTarget }));
  return {
    step,
    close,
    onFocusIn: (): void => {
      last.current = findFocusedOrder() ?? last.current;
    },
  };
}

function sayLoading(): void {
  showToast(t("orders.list-is-still-loading"), "bad");
}

/** At the last of the shown orders, more are loaded. `isStuck`: somebody already wants the next one. */
function goOnLoading(load: OrderListLoad, isStuck: boolean): void {
  if (isStuck && load.list?.nextCursor !== null) showToast(t("orders.more-are-still-loading"), "bad");
  void load.loadMore().catch(() => undefined);
}

interface ListMoves {
  step(by: 1 | -1): void;
  extend(by: 1 | -1): void;
  toTarget(): OrderRow | undefined;
}

function toShortcuts(parts: ListKeyParts, moves: ListMoves): readonly Shortcut[] {
  const { kind, load, openId } = parts;
  // Arrows scroll, except in the list.
  const step = (event: Pick<KeyboardEvent, "key">, by: 1 | -1) =>
    !(event.key.startsWith("Arrow") && (findFocusedOrder() === null || openId !== null)) && moves.step(by);
  return [
    {
      keys: ["j", "ArrowDown"],
      label: t("orders.next-order"),
      repeats: true,
      run: (event) => step(event, 1),
    },
    {
      keys: ["k", "ArrowUp"],
      label: t("orders.previous-order"),
      repeats: true,
      run: (event) => step(event, -1),
    },
    { keys: ["Enter", "o"], label: t("orders.open-order"), run: () => open(moves.toTarget(), kind) },
    ...(kind === "queue" ? toDecisionKeys(parts, moves) : []),
    { keys: ["n"], label: t("orders.write-note"), run: () => open(moves.toTarget(), kind, "note") },
    { keys: ["/"], label: t("orders.search"), run: () => document.getElementById(SEARCH_ID)?.focus() },
    {
      keys: ["u"],
      label: t("orders.show-new-orders"),
      run: () => (load.list?.pending ? load.showNew() : undefined),
    },
  ];
}

function open(order: OrderRow | undefined, kind: ListKind, focus?: "note"): false | void {
  if (order === undefined) return false;
  wantOrderFocus(focus);
  navigate({ ...getRoute(), view: kind, id: order.orderId });
}

function toDecisionKeys(parts: ListKeyParts, moves: ListMoves): readonly Shortcut[] {
  const { load, selection, onAsk } = parts;
  const decideBy = (act: "approve" | "decline") => {
    const reason = toRoleReason("reviewer");
    if (reason !== undefined) return showToast(reason, "bad");
    const orders = selection.of(load.list?.rows ?? []);
    if (orders.length > 0) return onAsk({ act, orders });
    // If an order is only a row in the list, nobody has looked at it.
    showToast(t("orders.open-an-order-first-enter-or"), "bad");
  };
  const select = () => {
    const order = moves.toTarget();
    if (order !== undefined) selection.toggle(order.orderId);
  };
  return [
    {
      keys: [ACT_WORDS.approve.key],
      label: t("orders.approve-selected-orders"),
      run: () => decideBy("approve"),
    },
    {
      keys: [ACT_WORDS.decline.key],
      label: t("orders.decline-selected-orders"),
      run: () => decideBy("decline"),
    },
    { keys: ["x"], label: t("orders.select-order"), run: select },
    {
      keys: ["Shift+j", "Shift+ArrowDown"],
      label: t("orders.extend-down"),
      repeats: true,
      run: () => moves.extend(1),
    },
    {
      keys: ["Shift+k", "Shift+ArrowUp"],
      label: t("orders.extend-up"),
      repeats: true,
      run: () => moves.extend(-1),
    },
    {
      keys: ["Escape"],
      label: t("orders.clear-selection"),
      run: () => (selection.ids.size === 0 ? false : selection.set([])),
    },
  ];
}

export type Selection = ReturnType<typeof useSelection>;

/** Which of `rows` are selected. */
export function useSelection(rows: readonly OrderRow[]) {
  const [now, setNow] = useState(NOTHING_SELECTED);
  const latest = useRef(rows);
  latest.current = rows;
  const extend = (to: string, start?: string) =>
    setNow((before) =>
      extendTo(
        before,
        latest.current.map(({ orderId }) => orderId),
        to,
        start,
      ),
    );
  return {
    ids: now.ids,
    /** The selected ones among these, in their order. */
    of: (some: readonly OrderRow[]) => some.filter(({ orderId }) => now.ids.has(orderId)),
    toggle: (id: string, isRange = false) => (isRange ? extend(id) : setNow((before) => toggle(before, id))),
    extendTo: extend,
    set: (next: Iterable<string>) => setNow(toSelected(next, null)),
  };
}
