import { useNarrow } from "../../data/base/narrow.ts";
import { setQuery } from "../../data/shell/route.ts";
import { t } from "../../data/base/texts.ts";
import { FilterFields } from "./filter-fields.tsx";
import { FilterSheet } from "./filter-sheet.tsx";
import type { ListKind } from "./order-row.tsx";
import { SavedViews } from "./saved-views.tsx";
import { SearchField } from "./search-field.tsx";

interface OrderFiltersProps {
  readonly kind: ListKind;
  readonly query: Readonly<Record<string, string>>;
  readonly search: string;
  readonly onSearch: (text: string) => void;
  /** Whether an order is open beside the list, which leaves little room. */
  readonly isBeside: boolean;
}

/** All filters are in the address, and the search unless it may name a person. */
export function OrderFilters({ kind, query, search, onSearch, isBeside }: OrderFiltersProps) {
  const isNarrow = useNarrow() || isBeside;
  return (
    <div class="filters row" role="search" aria-label={t("orders.filter-orders")}>
      <SearchField search={search} onSearch={onSearch} />
      {isNarrow ? (
        <FilterSheet kind={kind} query={query} />
      ) : (
        <FilterFields kind={kind} query={query} onChange={setQuery} hideLabels />
      )}
      <SavedViews kind={kind} query={query} />
    </div>
  );
}
