import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { DueKey, Engine } from "./engine.ts";

/** When something is due that came at `atMs` by the clock of one process: not later than now by the clock of all. */
export function toDueAt(engine: Engine, atMs: number): RawBuilder<number> | number {
  if (!engine.isShared) return atMs;
  return sql<number>`least(cast(${atMs} as bigint), ${engine.leaseClock(atMs)})`;
}

/** A condition that picks exactly these rows, by the primary key. */
export function isOneOf(idColumn: "delivery_id" | "order_id", keys: readonly DueKey[]): RawBuilder<SqlBool> {
  const values = sql.join(keys.map((key) => sql`(${key.tenant}, ${key.id})`));
  return sql<SqlBool>`(tenant, ${sql.ref(idColumn)}) in (values ${values})`;
}

/** Rows in the order of their keys: RETURNING promises none. */
export function inKeyOrder<Row extends { readonly tenant: string }>(
  keys: readonly DueKey[],
  rows: readonly Row[],
  idOf: (row: Row) => string,
): readonly Row[] {
  const byKey = new Map(rows.map((row) => [`${row.tenant}\0${idOf(row)}`, row]));
  return keys.flatMap((key) => byKey.get(`${key.tenant}\0${key.id}`) ?? []);
}
