import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { StoreContext } from "../context.ts";
import type { Database, Schema } from "../schema/schema.ts";

/** How many rows one transaction reads. Other work waits for it, and on SQLite requests do too: a few milliseconds. */
const ROWS_PER_CHUNK = 100;

/** Where a chunk ended. The next one starts after it. */
export interface RetentionPosition {
  readonly atMs: number;
  readonly tenant: string;
  readonly id: string;
}

export interface RetentionChunk {
  /** How many rows were deleted or emptied. */
  readonly erased: number;
  /** Null if the step is done. */
  readonly next: RetentionPosition | null;
}

/** The step is done if nothing more was found. Otherwise the oldest remaining rows are next. */
export function toChunk(erased: number): RetentionChunk {
  return { erased, next: erased < ROWS_PER_CHUNK ? null : { atMs: 0, tenant: "", id: "" } };
}

/**
 * Picks the oldest rows of a table by their physical row ID, so that it works with any key. Checks the age twice,
 * because a row may have changed in the meantime.
 */
export function isAmongOldest(
  { engine }: StoreContext,
  table: keyof Schema,
  column: string,
  beforeMs: number,
  condition: RawBuilder<SqlBool> = sql<SqlBool>`1 = 1`,
): RawBuilder<SqlBool> {
  const at = sql.ref(column);
  const oldest = (place: string) => sql`
    select ${sql.ref(place)} from ${sql.table(table)} where ${at} < ${beforeMs} and ${condition}
    order by ${at} limit ${ROWS_PER_CHUNK}`;
  // Postgres goes straight to the rows of a list, but might read the whole table to join it with a query.
  const isOldest =
    engine.dialect === "sqlite"
      ? sql`rowid in (${oldest("rowid")})`
      : sql`ctid = any (array(${oldest("ctid")}))`;
  return sql<SqlBool>`${isOldest} and ${at} < ${beforeMs} and ${condition}`;
}

/** A row of a chunk; `ripe` is 1 if it may be erased. */
export interface Seen {
  readonly at: number;
  readonly tenant: string;
  readonly id: string;
  readonly ripe: number;
}

export interface Look {
  readonly table: "orders" | "attempts" | "answers";
  /** The columns of the key's ID and of the age. */
  readonly id: string;
  readonly at: string;
  readonly beforeMs: number;
  readonly condition?: RawBuilder<SqlBool>;
  /** Which of them may be erased. Default: all. */
  readonly ripe?: RawBuilder<SqlBool>;
  readonly limit?: number;
}

/**
 * The next rows by age after `from`. Some of them may have to stay: they are skipped once per run, not once per chunk.
 * Rows that are being changed are left for the next run.
 */
export async function look(
  { engine }: StoreContext,
  db: Database,
  { table, id, at, beforeMs, condition, ripe = sql`1 = 1`, limit = ROWS_PER_CHUNK }: Look,
  from: RetentionPosition | null,
): Promise<{ readonly ripe: readonly Seen[]; readonly next: RetentionPosition | null }> {
  const [ageColumn, idColumn] = [sql.ref(at), sql.ref(id)];
  const { rows } = await sql<Seen>`
    select ${ageColumn} as at, tenant, ${idColumn} as id, case when ${ripe} then 1 else 0 end as ripe
    from ${sql.table(table)}
    where ${ageColumn} < ${beforeMs} ${condition === undefined ? sql`` : sql`and ${condition}`}
      ${from === null ? sql`` : sql`and (${ageColumn}, tenant, ${idColumn}) > (${from.atMs}, ${from.tenant}, ${from.id})`}
    order by ${ageColumn}, tenant, ${idColumn} limit ${limit}
    ${engine.dialect === "postgres" ? sql`for update of ${sql.table(table)} skip locked` : sql``}`.execute(
    db,
  );
  const last = rows.length < limit ? undefined : rows.at(-1);
  const next = last === undefined ? null : { atMs: last.at, tenant: last.tenant, id: last.id };
  return { ripe: rows.filter((row) => row.ripe === 1), next };
}
