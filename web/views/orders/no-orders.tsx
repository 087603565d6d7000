import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/panel.tsx";
import { navigate, useRoute } from "../../data/route.ts";
import { FILTERS } from "./order-filters.tsx";
import type { ListKind } from "./order-row.tsx";

/** Says why a list is empty, and what can be done about it. */
export function NoOrders({ kind, search }: { readonly kind: ListKind; readonly search: string }) {
  const { query } = useRoute();
  const isFiltered = search !== "" || FILTERS.some((name) => query[name] !== undefined);
  if (!isFiltered) {
    return kind === "queue" ? (
      <Empty title="No orders to review" icon="check">
        <p>Orders that need your decision appear here.</p>
      </Empty>
    ) : (
      <Empty title="No orders yet" icon="orders">
        <p>Orders appear here when the platform sends them.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No matching orders" icon="search">
      <div class="row">
        <Button onClick={() => navigate({ view: kind })}>Clear search and filters</Button>
        {kind === "queue" && search !== "" && (
          <Button
            onClick={() => navigate({ view: "orders", query: search.includes("@") ? {} : { q: search } })}
          >
            Search all orders
          </Button>
        )}
      </div>
    </Empty>
  );
}
