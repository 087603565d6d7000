import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { CursorPosition } from "../sealing/page-cursor.ts";
import type { Database } from "../schema/schema.ts";
import { toSlices, type Scan, type TimeWindow } from "../slices.ts";
import { inChunks } from "../statements.ts";
import { isFiltered, isOfFew, toConditions } from "./order-filter.ts";
import type { OrderFilter, OrderListing } from "./order-filter.ts";
import type { OrderRecord } from "./order-record.ts";
import { selectOrders } from "./order-rows.ts";
import { findOrders } from "./order-search.ts";
import { comparePositions, toListOrder, toPosition, toSorting } from "./order-sorts.ts";
import type { ListOrder, Rates } from "./order-sorts.ts";

/** A list that is being read. */
export interface Listed {
  readonly context: StoreContext;
  readonly tenant: TenantId;
  readonly filter: OrderFilter;
  readonly list: ListOrder;
  readonly conditions: readonly RawBuilder<SqlBool>[];
  /** Nothing was found. */
  readonly isEmpty: boolean;
  /** How many of the list's newest orders were searched by their content; null if all of them, or without a search. */
  readonly searchedNewest: number | null;
  /** How many orders a search lists at most, if it found more; null otherwise. */
  readonly cutAt: number | null;
  readonly signal: AbortSignal | undefined;
}

/** Which orders, and how they are sorted. */
export type OrderList = Omit<OrderListing, "cursor" | "limit">;

export type ListedRow = Awaited<ReturnType<typeof select>>[number];

const NO_RATES: Rates = new Map();

/** Say which orders a list has: its search runs once, however many pages are read then. */
export async function openList(
  context: StoreContext,
  tenant: TenantId,
  { sort, rates = NO_RATES, nowMs = 0, ...filter }: OrderList,
  signal: AbortSignal | undefined,
): Promise<Listed> {
  const list = toListOrder({ dialect: context.engine.dialect, view: filter.view, sort, rates, nowMs });
  const { search, ...rest } = filter;
  const found =
    search === undefined ? null : await findOrders(context, tenant, { search, filter: rest, signal });
  const { ids = null, searchedNewest = null, cutAt = null } = found ?? {};
  const isEmpty = ids?.length === 0;
  const conditions = isEmpty ? [] : toConditions(context.sealer, tenant, filter, ids);
  return { context, tenant, filter, list, conditions, isEmpty, searchedNewest, cutAt, signal };
}

interface Reading {
  readonly after: CursorPosition | undefined;
  /** Rows at a time. */
  readonly size: number;
  /** Rows in all, at most. */
  readonly most: number;
}

/** The rows of a list behind a position, some at a time. What no index has in order is compared once for all of them. */
export async function* readRows(listed: Listed, { after, size, most }: Reading): AsyncGenerator<ListedRow[]> {
  if (listed.isEmpty) return;
  const { filter, list } = listed;
  if (list.byTime === undefined && !isOfFew(filter)) {
    yield* readSorted(listed, { after, size, most });
    return;
  }
  let position = after;
  for (let left = most; left > 0; left -= size) {
    const rows = await readNext(listed, position, Math.min(size, left));
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    position = toPosition(list, last);
  }
}

/** Which rows `accept` keeps. */
export async function toAccepted({ accept }: OrderFilter, rows: readonly ListedRow[]) {
  if (accept === undefined) return () => true;
  const accepted = await accept(
    rows.map((row) => ({
      orderId: row.order_id,
      decision: JSON.parse(row.decision ?? "null") as OrderRecord["decision"],
      skipReason: row.skip_reason as OrderRecord["skipReason"],
      state: row.state as OrderRecord["state"],
    })),
  );
  return (row: ListedRow) => accepted.has(row.order_id);
}

/** Rows that an index has in order. */
async function readNext(listed: Listed, after: CursorPosition | undefined, most: number) {
  const { engine } = listed.context;
  if (isOfFew(listed.filter) || !isFiltered(listed.filter))
    return engine.read((db) => select(listed, db, { after, most }));
  const rows: ListedRow[] = [];
  for await (const slice of toSlices(listed.context, toScan(listed, after))) {
    rows.push(...(await engine.read((db) => select(listed, db, { after, most, slice }))));
    if (rows.length >= most) break;
  }
  return rows.slice(0, most);
}

/** Compare all orders, slice by slice, so that other requests are served in between. */
async function* readSorted(listed: Listed, { after, size, most }: Reading): AsyncGenerator<ListedRow[]> {
  const { context, tenant, list } = listed;
  const slices: CursorPosition[][] = [];
  for await (const slice of toSlices(context, toScan(listed, undefined))) {
    const keys = await context.engine.read((db) => selectKeys(listed, db, { after, most, slice }));
    slices.push(keys.map((row) => toPosition(list, row)));
  }
  const { keys } = toSorting(list, undefined);
  const sorted = merge(slices);
  for (let left = most; left > 0; left -= size) {
    const ids = takeNext(sorted, Math.min(size, left)).map((position) => String(position.at(-1)));
    if (ids.length === 0) return;
    const rows = await inChunks(ids, (some) =>
      context.engine.read((db) =>
        selectOrders(db, tenant).select(keys).where("order_id", "in", some).execute(),
      ),
    );
    const places = new Map(ids.map((id, place) => [id, place]));
    yield rows.toSorted((one, other) => (places.get(one.order_id) ?? 0) - (places.get(other.order_id) ?? 0));
  }
}

/** The positions of sorted lists in one order, as they are asked for: sorting them all would stop other requests. */
function* merge(lists: readonly (readonly CursorPosition[])[]): Generator<CursorPosition> {
  const heads = lists.map((list) => ({ list, at: 0 }));
  for (;;) {
    let first: { head: (typeof heads)[number]; position: CursorPosition } | undefined;
    for (const head of heads) {
      const position = head.list[head.at];
      if (position === undefined) continue;
      if (first === undefined || comparePositions(position, first.position) < 0) first = { head, position };
    }
    if (first === undefined) return;
    first.head.at += 1;
    yield first.position;
  }
}

/** Unlike `take` of an iterator, this leaves it open. */
function takeNext<T>(iterator: Iterator<T>, most: number): readonly T[] {
  const taken: T[] = [];
  while (taken.length < most) {
    const next = iterator.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

interface Part {
  readonly after: CursorPosition | undefined;
  readonly most: number;
  readonly slice?: TimeWindow;
}

function select(listed: Listed, db: Database, part: Part) {
  const { by, keys, conditions } = toQuery(listed, part);
  const orders = selectOrders(db, listed.tenant).select(keys);
  return orders
    .where((eb) => eb.and(conditions))
    .orderBy(by)
    .limit(part.most)
    .execute();
}

function selectKeys(listed: Listed, db: Database, part: Part) {
  const { by, keys, conditions } = toQuery(listed, part);
  const orders = db.selectFrom("orders").select("order_id").select(keys).where("tenant", "=", listed.tenant);
  return orders
    .where((eb) => eb.and(conditions))
    .orderBy(by)
    .limit(part.most)
    .execute();
}

function toQuery({ list, conditions }: Listed, { after, slice }: Part) {
  const { isBehind, ...sorting } = toSorting(list, after);
  return { ...sorting, conditions: [...conditions, ...(isBehind ? [isBehind] : []), ...toWithin(slice)] };
}

export function toWithin(slice: TimeWindow | undefined): readonly RawBuilder<SqlBool>[] {
  if (slice === undefined) return [];
  return [sql<SqlBool>`received_at >= ${slice.sinceMs} and received_at < ${slice.untilMs}`];
}

/** The part of a tenant's orders that can be in the list behind a position. */
export function toScan({ tenant, filter, list, signal }: Listed, after: CursorPosition | undefined): Scan {
  const { sinceMs = 0, untilMs = Number.MAX_SAFE_INTEGER } = filter;
  const scan = {
    table: "orders",
    tenant,
    newestFirst: list.byTime !== "asc",
    sinceMs,
    untilMs,
    signal,
  } as const;
  if (after === undefined) return scan;
  // Orders of the same millisecond can come after the cursor too.
  if (list.byTime === "asc") return { ...scan, sinceMs: Math.max(sinceMs, after[0]) };
  return { ...scan, untilMs: Math.min(untilMs, after[0] + 1) };
}
