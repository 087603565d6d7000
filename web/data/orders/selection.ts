/** Which orders of a list are selected. */
export interface Selected {
  readonly ids: ReadonlySet<string>;
  /** Where a range starts: the order that was selected last; null for none. */
  readonly anchor: string | null;
  /** What was selected before the range. */
  readonly before: ReadonlySet<string>;
}

export const NOTHING_SELECTED: Selected = toSelected([], null);

export function toSelected(ids: Iterable<string>, anchor: string | null): Selected {
  const set = new Set(ids);
  return { ids: set, anchor, before: set };
}

export function toggle({ ids }: Selected, id: string): Selected {
  return toSelected(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id], id);
}

/**
 * Select everything from the order that was selected last to another one. A range that goes on from the same order replaces the
 * one before, so that it can also become smaller.
 *
 * @param rows - IDs of the list, in its order.
 * @param start - Where the range starts if nothing was selected before.
 */
export function extendTo(now: Selected, rows: readonly string[], to: string, start = to): Selected {
  const anchor = now.anchor !== null && rows.includes(now.anchor) ? now.anchor : start;
  const [first, last] = [rows.indexOf(anchor), rows.indexOf(to)].toSorted((one, other) => one - other);
  const range = rows.slice(first, (last ?? 0) + 1);
  return { ids: new Set([...now.before, ...range]), anchor, before: now.before };
}
