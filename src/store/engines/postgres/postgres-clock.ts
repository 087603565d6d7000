/**
 * SQL for the database's clock in milliseconds since the epoch. It is the start of the statement: one moment for all of
 * it, which an index can be searched by.
 */
export const DATABASE_NOW_MS = "(extract(epoch from statement_timestamp()) * 1000)::bigint";
