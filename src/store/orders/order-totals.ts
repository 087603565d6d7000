import { sql, type SqlBool } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import { createWorthSum, UNITS, type Money, type WorthSum } from "../../policy/worth.ts";
import type { StoreContext } from "../context.ts";
import { toSlices, type TimeWindow } from "../slices.ts";
import { openList, readRows, toAccepted, toScan, toWithin, type Listed } from "./listed-orders.ts";
import { isOfFew, type OrderFilter } from "./order-filter.ts";

/** What the orders of a list come to. */
export interface OrderTotals {
  readonly orders: number;
  /** By currency. */
  readonly amount: Money;
  /** False: there may be more, which weren't counted. */
  readonly isComplete: boolean;
}

/** Orders that are read at once, where only some are counted. */
const BATCH = 200;
/** Orders that are read for one total, where only some are counted. */
const READ_PER_TOTAL = 250 * BATCH;

/** What the orders of a list come to. Orders that `accept` chooses among are counted up to a limit, newest first. */
export async function totalOrders(
  context: StoreContext,
  tenant: TenantId,
  filter: OrderFilter,
  signal?: AbortSignal,
): Promise<OrderTotals> {
  const listed = await openList(context, tenant, { ...filter, sort: "newest" }, signal);
  const isAllFound = listed.searchedNewest === null && listed.cutAt === null;
  const sum = createWorthSum();
  const isCounted = filter.accept === undefined ? await addUp(listed, sum) : await addAccepted(listed, sum);
  return { ...sum.total(), isComplete: isCounted && isAllFound };
}

/** Count in the database, slice by slice. */
async function addUp(listed: Listed, sum: WorthSum): Promise<boolean> {
  const { context, tenant, conditions, filter, isEmpty } = listed;
  if (isEmpty) return true;
  const count = (slice?: TimeWindow) =>
    context.engine.read((db) =>
      sql<CurrencySum>`
        select currency, count(*) as orders, cast(sum(round(amount * ${UNITS})) as bigint) as units from orders
        where tenant = ${tenant} and ${sql.join([...conditions, ...toWithin(slice), ALL], sql` and `)}
        group by currency`.execute(db),
    );
  const add = ({ currency, orders, units }: CurrencySum) =>
    sum.addMany(orders, units === null ? null : units / UNITS, currency);
  if (isOfFew(filter)) (await count()).rows.forEach(add);
  else {
    for await (const slice of toSlices(context, toScan(listed, undefined)))
      (await count(slice)).rows.forEach(add);
  }
  return true;
}

interface CurrencySum {
  readonly currency: string | null;
  readonly orders: number;
  readonly units: number | null;
}

async function addAccepted(listed: Listed, sum: WorthSum): Promise<boolean> {
  let read = 0;
  for await (const rows of readRows(listed, { after: undefined, size: BATCH, most: READ_PER_TOTAL })) {
    const accepted = await toAccepted(listed.filter, rows);
    for (const row of rows.filter(accepted)) sum.add(row.amount, row.currency);
    read += rows.length;
    await listed.context.pace(listed.tenant, listed.signal);
  }
  return read < READ_PER_TOTAL;
}

const ALL = sql<SqlBool>`1 = 1`;
