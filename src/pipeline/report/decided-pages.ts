import type { TenantId } from "../../platform/platform.ts";
import type { DecidedOrder, ReceivedWindow } from "../../store/figures/replay-source.ts";
import type { OrderPosition } from "../../store/orders/order-cursor.ts";
import type { OrderTrace } from "../../store/outcomes/outcomes.ts";
import type { Store } from "../../store/store.ts";
import { ORDERS_PER_PAGE } from "./replay-run.ts";

/** What {@link readDecidedPages} reads. */
export type PageStore = Pick<Store, "listDecided" | "loadTraces" | "nextTurn">;

/** A decided order and what happened to it. */
export interface TracedOrder {
  readonly order: DecidedOrder;
  readonly trace: OrderTrace | undefined;
}

/**
 * A tenant's decided orders with what happened to them, page by page, newest first. Nothing that is sealed is opened. Others
 * are served between two pages; the signal ends it there, which rejects then.
 */
export async function* readDecidedPages(
  store: PageStore,
  tenant: TenantId,
  { signal, ...window }: ReceivedWindow & { readonly signal?: AbortSignal | undefined },
): AsyncGenerator<readonly TracedOrder[]> {
  let after: OrderPosition | null = null;
  do {
    // Reading SQLite waits for nobody, so without this nobody else would have a turn.
    await store.nextTurn(tenant, signal);
    const page = { ...window, limit: ORDERS_PER_PAGE, content: "none", after } as const;
    const { orders, next }: Awaited<ReturnType<Store["listDecided"]>> = await store.listDecided(tenant, page);
    const ids = orders.map(({ orderId }) => orderId);
    const traces = await store.loadTraces(tenant, ids);
    yield orders.map((order) => ({ order, trace: traces.get(order.orderId) }));
    after = next;
  } while (after !== null);
}
