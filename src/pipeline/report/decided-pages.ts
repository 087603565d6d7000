import type { TenantId } from "../../platform/platform.ts";
import type { DecidedContent, DecidedOrder, ReceivedWindow } from "../../store/figures/replay-source.ts";
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

/** Which decided orders to read. */
export interface DecidedWindow extends ReceivedWindow {
  readonly content?: DecidedContent;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A tenant's decided orders with what happened to them, page by page, newest first. Others are served between
 * two pages; the signal ends it there, which rejects then.
 *
 * @param window - `content` is how much of each is opened. Default: nothing that is sealed.
 */
export async function* readDecidedPages(
  store: PageStore,
  tenant: TenantId,
  { signal, content = "none", ...window }: DecidedWindow,
): AsyncGenerator<readonly TracedOrder[]> {
  let after: OrderPosition | null = null;
  do {
    // Reading SQLite waits for nobody, so without this nobody else would have a turn.
    await store.nextTurn(tenant, signal);
    const page = { ...window, limit: ORDERS_PER_PAGE, content, after };
    const { orders, next }: Awaited<ReturnType<Store["listDecided"]>> = await store.listDecided(tenant, page);
    const ids = orders.map(({ orderId }) => orderId);
    const traces = await store.loadTraces(tenant, ids);
    yield orders.map((order) => ({ order, trace: traces.get(order.orderId) }));
    after = next;
  } while (after !== null);
}
