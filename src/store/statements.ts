import {
  sql,
  type InsertObject,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  type UpdateObject,
  type Updateable,
} from "kysely";
import type { TenantId } from "../platform/platform.ts";
import type { Database, Schema } from "./schema/schema.ts";

// Kysely can't type a table that is a parameter, so only here the name is cast to a fixed table's.

type Table = keyof Schema;
type Row<T extends Table> = Selectable<Schema[T]>;
/** The values that rows must have in these columns. A list means any of its values. */
type Values<T extends Table> = { readonly [C in keyof Row<T>]?: Row<T>[C] | readonly Row<T>[C][] };

export interface OrderKey {
  readonly tenant: TenantId;
  readonly orderId: string;
}

/** The columns of an order's key, in any table with data of the order. */
export function ofOrder({ tenant, orderId }: OrderKey) {
  return { tenant, order_id: orderId };
}

/** Selects an order, or its rows in another table. */
export function isOrder(key: OrderKey): RawBuilder<SqlBool> {
  return has(ofOrder(key));
}

export function areOrders(tenant: string, orderIds: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`tenant = ${tenant} and order_id in (${sql.join(orderIds)})`;
}

/** Columns of the rows with these values that meet the condition; `tail`: order and limit. */
export async function selectRows<T extends Table, C extends keyof Row<T> & string>(
  db: Database,
  table: T,
  values: Values<T>,
  columns: readonly C[],
  condition?: RawBuilder<SqlBool>,
  tail: RawBuilder<unknown> = sql``,
): Promise<Pick<Row<T>, C>[]> {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const query = sql<Pick<Row<T>, C>>`
    select ${names} from ${sql.table(table)} where ${has(values, condition)} ${tail}`;
  return (await query.execute(db)).rows;
}

/** Columns of the first row with these values that meets the condition. */
export async function findRow<T extends Table, C extends keyof Row<T> & string>(
  db: Database,
  table: T,
  values: Values<T>,
  columns: readonly C[],
  condition?: RawBuilder<SqlBool>,
): Promise<Pick<Row<T>, C> | undefined> {
  return (await selectRows(db, table, values, columns, condition, sql`limit 1`))[0];
}

export async function insertRow<T extends Table>(db: Database, table: T, row: InsertObject<Schema, T>) {
  await db
    .insertInto(table as "meta")
    .values(row as InsertObject<Schema, "meta">)
    .execute();
}

/** The most IDs in one statement: SQLite takes 32,766 parameters, Postgres 65,535. */
const IDS_PER_STATEMENT = 500;

/** Run a query for any number of IDs, in chunks, and return all rows. */
export async function inChunks<Row>(
  ids: readonly string[],
  run: (some: readonly string[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const some of toChunks(ids, IDS_PER_STATEMENT)) found.push(...(await run(some)));
  return found;
}

export async function forChunks(ids: readonly string[], run: (some: readonly string[]) => Promise<unknown>) {
  for (const some of toChunks(ids, IDS_PER_STATEMENT)) await run(some);
}

/** The row of a query that always returns one, such as a count. */
export async function selectOne<T>(db: Database, query: RawBuilder<T>): Promise<T> {
  const [row] = (await query.execute(db)).rows;
  if (row === undefined) throw new TypeError("a query that counts found no row");
  return row;
}

/** Update the rows with these values that meet the condition. Resolves to their number. */
export async function updateRows<T extends Table>(
  db: Database,
  table: T,
  values: Values<T>,
  changes: UpdateObject<Schema, T>,
  condition?: RawBuilder<SqlBool>,
): Promise<number> {
  const update = db.updateTable(table as "meta").set(changes as Updateable<Schema["meta"]>);
  const { numUpdatedRows } = await update.where(has(values, condition)).executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Delete the rows with these values that meet the condition. Resolves to their number. */
export async function deleteRows<T extends Table>(
  db: Database,
  table: T,
  values: Values<T>,
  condition?: RawBuilder<SqlBool>,
): Promise<number> {
  const query = sql`delete from ${sql.table(table)} where ${has(values, condition)}`;
  return Number((await query.execute(db)).numAffectedRows ?? 0);
}

/**
 * Insert a row, or overwrite the row with this key. Resolves to whether it was written: `isReplaced` can keep an existing
 * row, and its columns carry the table's name.
 */
export async function upsert<T extends Table, K extends keyof InsertObject<Schema, T>>(
  db: Database,
  table: T,
  key: Pick<InsertObject<Schema, T>, K>,
  row: Omit<InsertObject<Schema, T>, K>,
  isReplaced?: RawBuilder<SqlBool>,
): Promise<boolean> {
  const columns = Object.keys(key) as ["name"];
  const written = await db
    .insertInto(table as "meta")
    .values({ ...key, ...row } as InsertObject<Schema, "meta">)
    .onConflict((conflict) => {
      const update = conflict.columns(columns).doUpdateSet(row);
      return isReplaced === undefined ? update : update.where(isReplaced);
    })
    .executeTakeFirst();
  return (written.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** `condition` is combined with others by "and", so put an "or" in parentheses. */
function has(values: object, condition?: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  const conditions = Object.entries(values).map(([column, value]: [string, unknown]) =>
    Array.isArray(value)
      ? sql`${sql.ref(column)} in (${sql.join(value)})`
      : sql`${sql.ref(column)} = ${value}`,
  );
  if (condition !== undefined) conditions.push(condition);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** Split a list into lists of at most `size`, because a statement takes a limited number of parameters. */
export function* toChunks<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}
