import { getSession } from "./session.ts";

/** Filters of a list, as they stand in its address. */
export type Filters = Readonly<Record<string, string>>;

/** Filters that somebody keeps in this browser, for one list of one shop. Never a search: it may name somebody. */
export interface SavedFilters {
  list(): readonly Filters[];
  has(filters: Filters): boolean;
  /** Keep them, or no longer keep them. */
  toggle(filters: Filters): void;
}

const KEPT_AT_MOST = 20;

/** The saved filters of a list. */
export function savedFilters(
  list: string,
  storage: () => Pick<Storage, "getItem" | "setItem"> = () => localStorage,
): SavedFilters {
  const key = `holdfast-filters ${list} ${getSession()?.tenant ?? ""}`;

  function read(): readonly Filters[] {
    try {
      const kept: unknown = JSON.parse(storage().getItem(key) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isFilters) : [];
    } catch {
      // Storage may be blocked in a platform's frame.
      return [];
    }
  }

  const isSame = (one: Filters, other: Filters) => toText(one) === toText(other);
  return {
    list: read,
    has: (filters) => read().some((one) => isSame(one, filters)),
    toggle(filters) {
      const kept = read();
      const others = kept.filter((one) => !isSame(one, filters));
      const next = others.length < kept.length ? others : [...others, filters].slice(-KEPT_AT_MOST);
      try {
        storage().setItem(key, JSON.stringify(next));
      } catch {
        // As above: then they last as long as the address.
      }
    },
  };
}

/** The same for the same filters, in whatever order. */
export function toText(filters: Filters): string {
  return JSON.stringify(Object.entries(filters).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function isFilters(value: unknown): value is Filters {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((text) => typeof text === "string")
  );
}
