import { t } from "../base/texts.ts";
import type { OrderSort } from "./order-list.ts";

/** Filters of a list of orders, as the address and the API name them. */
export const FILTERS = [
  "level",
  "since",
  "until",
  "action",
  "state",
  "outcome",
  "dispute",
  "buyerAnswer",
  "country",
  "due",
  "degraded",
] as const;

/** How a list is sorted, for people: `nearest deadline first`. */
export function toSortWords(sort: OrderSort): string {
  return t("orders.sorted", { sort });
}

/** The filters and the sort of an address, which a saved view keeps. A search isn't saved, because it may name somebody. */
export function toSavedQuery(query: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const names = [...FILTERS, "sort"] as const;
  return Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
}
