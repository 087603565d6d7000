import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { StoreContext } from "../context.ts";
import type { Database, Schema } from "../schema/schema.ts";
import type { RetentionChunk, RetentionLimits } from "./upkeep.ts";
import { HAS_LINKS, UNLINKED_COLUMNS } from "../orders/order-rows.ts";

/** Rows that one transaction looks at. Others wait for it, on SQLite requests too: for a few milliseconds. */
export const ROWS_PER_CHUNK = 100;

/** What has the age of a row, and from when on it is too old. */
interface Age {
  readonly column: string;
  readonly beforeMs: number;
}

/** Delete the oldest rows, one chunk of them. */
export async function deleteOldest(
  context: StoreContext,
  db: Database,
  table: keyof Schema,
  age: Age,
  condition?: RawBuilder<SqlBool>,
): Promise<RetentionChunk> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${isAmongOldest(context, table, age, condition)}`.execute(db);
  return toChunk(Number(numAffectedRows ?? 0));
}

/** Where there was nothing more to find, the step is done; otherwise what is oldest by then is next. */
export function toChunk(erased: number): RetentionChunk {
  return { erased, next: erased < ROWS_PER_CHUNK ? null : { atMs: 0, tenant: "", id: "" } };
}

/**
 * Picks the oldest rows by where they lie, so that tables of any key are treated alike. A row that was changed in the
 * meantime is looked at again, so the age is asked for twice.
 */
export function isAmongOldest(
  { engine }: StoreContext,
  table: keyof Schema,
  { column, beforeMs }: Age,
  condition: RawBuilder<SqlBool> = sql<SqlBool>`1 = 1`,
): RawBuilder<SqlBool> {
  const at = sql.ref(column);
  const oldest = (place: string) => sql`
    select ${sql.ref(place)} from ${sql.table(table)} where ${at} < ${beforeMs} and ${condition}
    order by ${at} limit ${ROWS_PER_CHUNK}`;
  // Postgres goes straight to the rows of a list, but may read the whole table to join it with a query.
  const isOldest =
    engine.dialect === "sqlite"
      ? sql`rowid in (${oldest("rowid")})`
      : sql`ctid = any (array(${oldest("ctid")}))`;
  return sql<SqlBool>`${isOldest} and ${at} < ${beforeMs} and ${condition}`;
}

const CHANGE_OF_ERASED: RawBuilder<SqlBool> = sql<SqlBool>`content is not null and exists (
  select 1 from orders where orders.tenant = order_changes.tenant and orders.order_id = order_changes.order_id
    and orders.erased_at is not null)`;

/** Empty changes that were written after their order had been emptied. */
export async function eraseChangeContent(
  context: StoreContext,
  db: Database,
  { contentBeforeMs: beforeMs }: RetentionLimits,
): Promise<RetentionChunk> {
  const isOld = isAmongOldest(context, "order_changes", { column: "at", beforeMs }, CHANGE_OF_ERASED);
  const { numAffectedRows } = await sql`update order_changes set content = null where ${isOld}`.execute(db);
  return toChunk(Number(numAffectedRows ?? 0));
}

const LINK_OF_ERASED: RawBuilder<SqlBool> = sql<SqlBool>`erased_at is not null and ${HAS_LINKS}`;

/** Clear what linked orders, where a process of an earlier release emptied them. */
export async function eraseLeftLinks(
  context: StoreContext,
  db: Database,
  { nowMs: beforeMs }: RetentionLimits,
): Promise<RetentionChunk> {
  const isLeft = isAmongOldest(context, "orders", { column: "received_at", beforeMs }, LINK_OF_ERASED);
  const { numUpdatedRows } = await db
    .updateTable("orders")
    .set(UNLINKED_COLUMNS)
    .where(isLeft)
    .executeTakeFirst();
  return toChunk(Number(numUpdatedRows));
}
