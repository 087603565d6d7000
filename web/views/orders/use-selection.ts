import { useRef, useState } from "preact/hooks";
import type { OrderRow } from "../../data/api-types.ts";

/** Orders that are ticked. */
export type Selection = ReturnType<typeof useSelection>;

/** The selection after one more click. */
export function toggleOrder(
  rows: readonly OrderRow[],
  ids: ReadonlySet<string>,
  id: string,
  rangeFrom: string | null,
): ReadonlySet<string> {
  const next = new Set(ids);
  const isOn = !ids.has(id);
  const at = rows.findIndex(({ orderId }) => orderId === id);
  const from = rangeFrom === null ? -1 : rows.findIndex(({ orderId }) => orderId === rangeFrom);
  const range = rows.slice(Math.min(at, from), Math.max(at, from) + 1).map(({ orderId }) => orderId);
  for (const one of from === -1 || at === -1 ? [id] : range) {
    if (isOn) next.add(one);
    else next.delete(one);
  }
  return next;
}

/** Which orders of a list are ticked. */
export function useSelection() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  return {
    ids,
    /** The ticked ones among `rows`, in their order. */
    of: (rows: readonly OrderRow[]) => rows.filter(({ orderId }) => ids.has(orderId)),
    /** Tick or untick one; `isRange`: and all from the one before to it. */
    toggle(rows: readonly OrderRow[], id: string, isRange: boolean): void {
      setIds(toggleOrder(rows, ids, id, isRange ? last.current : null));
      last.current = id;
    },
    set: (next: Iterable<string>) => setIds(new Set(next)),
  };
}
