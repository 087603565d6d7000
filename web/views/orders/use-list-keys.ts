import { useRef, useState } from "preact/hooks";
import { showToast } from "../../data/api/messages.ts";
import type { Decided, OrderRow } from "../../data/api/api-types.ts";
import { type Shortcut, useShortcuts } from "../../data/shell/keyboard.ts";
import { findNeighbour, type OrderListLoad } from "../../data/orders/order-list.ts";
import { ACT_WORDS } from "../../data/orders/review.ts";
import { getRoute, navigate } from "../../data/shell/route.ts";
import { toRoleReason } from "../../data/api/session.ts";
import type { Asking } from "./bulk-dialog.tsx";
import { findFocusedOrder, focusRow, focusRowLater, wantOrderFocus } from "../../data/orders/focus.ts";
import { SEARCH_ID } from "./order-filters.tsx";
import type { ListKind } from "./order-row.tsx";

export interface ListKeyParts {
  readonly kind: ListKind;
  readonly load: OrderListLoad;
  readonly selection: Selection;
  readonly openId: string | null;
  readonly onAsk: (asking: Asking) => void;
}

export function useListKeys(parts: ListKeyParts) {
  const { load, openId } = parts;
  const rows = load.list?.rows ?? [];
  const last = useRef<string | null>(null);
  /** The order that keys apply to: the row with the focus, else the open order, else the row that last had the focus. */
  const toTarget = (): OrderRow | undefined => {
    const id = findFocusedOrder() ?? openId ?? last.current;
    return rows.find(({ orderId }) => orderId === id);
  };

  function step(by: 1 | -1): void {
    const isInList = findFocusedOrder() !== null;
    const next = findNeighbour(rows, findFocusedOrder() ?? openId ?? last.current, by);
    if (next === undefined) return;
    last.current = next.orderId;
    if (by === 1 && rows.at(-1)?.orderId === next.orderId) void load.loadMore().catch(() => undefined);
    if (openId !== null) {
      if (!isInList) wantOrderFocus();
      navigate({ ...getRoute(), id: next.orderId }, { replace: true });
    }
    if (openId === null || isInList) focusRow(next.orderId);
  }

  function close(): void {
    navigate({ ...getRoute(), id: null });
    focusRowLater(openId ?? undefined);
  }

  useShortcuts(toShortcuts(parts, { step, toTarget }));
  return {
    step,
    close,
    onFocusIn: (): void => {
      last.current = findFocusedOrder() ?? last.current;
    },
  };
}

interface ListMoves {
  step(by: 1 | -1): void;
  toTarget(): OrderRow | undefined;
}

function toShortcuts(parts: ListKeyParts, moves: ListMoves): readonly Shortcut[] {
  const { kind, load, openId } = parts;
  // Arrows scroll, except in the list.
  const step = (event: KeyboardEvent, by: 1 | -1) =>
    !(event.key.startsWith("Arrow") && (findFocusedOrder() === null || openId !== null)) && moves.step(by);
  return [
    { keys: ["j", "ArrowDown"], label: "Next order", repeats: true, run: (event) => step(event, 1) },
    { keys: ["k", "ArrowUp"], label: "Previous order", repeats: true, run: (event) => step(event, -1) },
    { keys: ["Enter", "o"], label: "Open order", run: () => open(moves.toTarget(), kind) },
    ...(kind === "queue" ? toDecisionKeys(parts, moves) : []),
    { keys: ["n"], label: "Write note", run: () => open(moves.toTarget(), kind, "note") },
    { keys: ["/"], label: "Search", run: () => document.getElementById(SEARCH_ID)?.focus() },
    { keys: ["u"], label: "Show new orders", run: () => (load.list?.pending ? load.showNew() : undefined) },
  ];
}

function open(order: OrderRow | undefined, kind: ListKind, focus?: "note"): false | void {
  if (order === undefined) return false;
  wantOrderFocus(focus);
  navigate({ ...getRoute(), view: kind, id: order.orderId });
}

function toDecisionKeys(parts: ListKeyParts, moves: ListMoves): readonly Shortcut[] {
  const { load, selection, onAsk } = parts;
  const decideBy = (act: Decided) => {
    const reason = toRoleReason("reviewer");
    if (reason !== undefined) return showToast(reason, "bad");
    const orders = selection.of(load.list?.rows ?? []);
    if (orders.length > 0) return onAsk({ act, orders });
    // If an order is only a row in the list, nobody has looked at it.
    showToast("Open an order first (Enter), or select orders (x).", "bad");
  };
  const select = () => {
    const order = moves.toTarget();
    if (order !== undefined) selection.toggle(order.orderId);
  };
  return [
    { keys: [ACT_WORDS.approve.key], label: "Approve selected orders", run: () => decideBy("approve") },
    { keys: [ACT_WORDS.decline.key], label: "Decline selected orders", run: () => decideBy("decline") },
    { keys: ["x"], label: "Select order", run: select },
  ];
}

export type Selection = ReturnType<typeof useSelection>;

export function useSelection() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids,
    /** The ticked ones among `rows`, in their order. */
    of: (rows: readonly OrderRow[]) => rows.filter(({ orderId }) => ids.has(orderId)),
    toggle: (id: string) =>
      setIds((now) => new Set(now.has(id) ? [...now].filter((one) => one !== id) : [...now, id])),
    set: (next: Iterable<string>) => setIds(new Set(next)),
  };
}
