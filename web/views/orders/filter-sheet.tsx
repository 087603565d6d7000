import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { FILTERS } from "../../data/orders/filters.ts";
import { setQuery } from "../../data/shell/route.ts";
import { t } from "../../data/base/texts.ts";
import { FilterFields } from "./filter-fields.tsx";
import type { ListKind } from "./order-row.tsx";

interface FilterSheetProps {
  readonly kind: ListKind;
  readonly query: Readonly<Record<string, string>>;
}

/** Where there is no room for all filters: a button that says how many are on, and a sheet with them. */
export function FilterSheet({ kind, query }: FilterSheetProps) {
  const [isOpen, setOpen] = useState(false);
  const count = FILTERS.filter((name) => query[name]).length;
  return (
    <>
      <Button label={t("orders.filters", { count })} icon="policy" onClick={() => setOpen(true)} />
      {isOpen && <Sheet kind={kind} query={query} onClose={() => setOpen(false)} />}
    </>
  );
}

type SheetProps = FilterSheetProps & { readonly onClose: () => void };

/** What is chosen applies once the person says so. */
function Sheet({ kind, query, onClose }: SheetProps) {
  const [chosen, setChosen] = useState(query);
  const apply = (changes: Readonly<Record<string, string>>) => {
    setQuery(changes);
    onClose();
  };
  return (
    <Dialog
      title={t("orders.filter-orders")}
      isSheet
      keepsInput
      onClose={onClose}
      onSubmit={() => apply(chosen)}
      foot={
        <>
          <Button
            label={t("orders.clear-filters")}
            onClick={() => apply(Object.fromEntries(FILTERS.map((name) => [name, ""])))}
          />
          <Button label={t("orders.show-orders")} type="submit" look="primary" />
        </>
      }
    >
      <div class="sheet-fields">
        <FilterFields
          kind={kind}
          query={chosen}
          onChange={(changes) => setChosen((before) => ({ ...before, ...changes }))}
        />
      </div>
    </Dialog>
  );
}
