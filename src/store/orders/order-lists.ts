import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import { parseCursor, toCursor, type CursorPosition } from "../sealing/page-cursor.ts";
import {
  openList,
  readRows,
  toAccepted,
  type Listed,
  type ListedRow,
  type OrderList,
} from "./listed-orders.ts";
import type { OrderListing } from "./order-filter.ts";
import type { OrderRecord } from "./order-record.ts";
import { toOrderRecord } from "./order-rows.ts";
import { toPosition } from "./order-sorts.ts";

export interface OrderPage {
  /** `customerId` and `facts` stay sealed, and are null. */
  readonly orders: readonly OrderRecord[];
  readonly nextCursor: string | null;
  /** How many of the list's newest orders were searched by their content; null if all of them, or without a search. */
  readonly searchedNewest: number | null;
  /** How many orders a search lists at most, if it found more; null otherwise. */
  readonly cutAt: number | null;
}

/** Orders that are read at once, where only some are kept. */
const BATCH = 200;
/** Orders that are read for one page, where only some are kept. Others are on the next one, even if this one is empty. */
const READ_PER_PAGE = 25 * BATCH;
/** Orders that are read at once where all pages are: a few milliseconds of work before other requests get their turn. */
const READ_AT_ONCE = 100;

export async function listOrders(
  context: StoreContext,
  tenant: TenantId,
  { cursor, limit, ...asked }: OrderListing,
  signal?: AbortSignal,
): Promise<OrderPage> {
  const { keyring } = context;
  const listed = await openList(context, tenant, asked, signal);
  const { purpose } = listed.list;
  const page = await readPage(listed, parseCursor(keyring, tenant, purpose, cursor), limit);
  const nextCursor = page.next === null ? null : toCursor(keyring, tenant, purpose, page.next);
  return { orders: page.orders, nextCursor, searchedNewest: listed.searchedNewest, cutAt: listed.cutAt };
}

/** The orders of a page, and the place of the last one that was read; null if there are no others. */
async function readPage(listed: Listed, after: CursorPosition | undefined, limit: number) {
  const { filter, list } = listed;
  const orders: OrderRecord[] = [];
  // One more than needed, to know whether there is another page.
  const most = 1 + (filter.accept === undefined ? limit : READ_PER_PAGE);
  let position = after;
  let read = 0;
  for await (const rows of readRows(listed, {
    after,
    size: Math.min(most, Math.max(BATCH, limit + 1)),
    most,
  })) {
    const accepted = await toAccepted(filter, rows);
    for (const row of rows) {
      read += 1;
      if (orders.length === limit || read === most) return { orders, next: position ?? null };
      position = toPosition(list, row);
      if (accepted(row)) orders.push(toListedOrder(listed, row));
    }
  }
  return { orders, next: null };
}

/** All orders of a list, some at a time. */
export async function* readOrders(
  context: StoreContext,
  tenant: TenantId,
  asked: OrderList,
  signal?: AbortSignal,
): AsyncGenerator<readonly OrderRecord[]> {
  const listed = await openList(context, tenant, asked, signal);
  const all = { after: undefined, size: READ_AT_ONCE, most: Number.MAX_SAFE_INTEGER };
  for await (const rows of readRows(listed, all)) {
    const accepted = await toAccepted(listed.filter, rows);
    yield rows.filter(accepted).map((row) => toListedOrder(listed, row));
    await context.pace(tenant, signal);
  }
}

function toListedOrder({ context: { sealer } }: Listed, row: ListedRow): OrderRecord {
  return toOrderRecord(sealer, { ...row, customer_id: null, facts: null });
}
