import { toStableText } from "../base/stable-text.ts";
import { getSession } from "../api/session.ts";
import { readStored, store } from "../base/storage.ts";

/** Filters of a list, as in its address. */
export type Filters = Readonly<Record<string, string>>;

const KEPT_AT_MOST = 20;

/** Filters saved in this browser, for one list of one shop. A search is never saved, because it may name somebody. */
export function savedFilters(
  list: string,
  storage: () => Pick<Storage, "getItem" | "setItem"> = () => localStorage,
) {
  const key = `holdfast-filters ${list} ${getSession()?.tenant ?? ""}`;

  function read(): readonly Filters[] {
    const kept = readStored(storage, key);
    return Array.isArray(kept) ? kept.filter(isFilters) : [];
  }

  const isSame = (one: Filters, other: Filters) => toStableText(one) === toStableText(other);
  return {
    list: read,
    has: (filters: Filters) => read().some((one) => isSame(one, filters)),
    /** Save these filters, or remove them if they're saved. */
    toggle(filters: Filters): void {
      const kept = read();
      const others = kept.filter((one) => !isSame(one, filters));
      store(storage, key, others.length < kept.length ? others : [...others, filters].slice(-KEPT_AT_MOST));
    },
  };
}

function isFilters(value: unknown): value is Filters {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((text) => typeof text === "string")
  );
}

/**
 * Whether a search can be in the address, which browsers keep in their history: an order number can, a name or an email
 * address can't.
 */
export function isOrderNumber(text: string): boolean {
  return /^#?[\w.-]*\d[\w.-]*$/.test(text);
}

let handed = "";

/** Have the list that opens next search for this. */
export function handSearch(text: string): void {
  handed = text;
}

/** The search text for the list that opens now. Read once. */
export function takeSearch(): string {
  const text = handed;
  handed = "";
  return text;
}
