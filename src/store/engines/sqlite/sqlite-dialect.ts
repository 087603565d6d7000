import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { SqliteDialect, type SqliteStatement } from "kysely";
import { LRUCache } from "lru-cache";

/** Prepared statements kept per connection; the whole store has about a hundred, some once per number of rows. */
const STATEMENTS_KEPT = 256;

/** Kysely's SQLite dialect over a connection of `node:sqlite`. Kysely closes the connection when it is destroyed. */
export function createNodeSqliteDialect(connection: DatabaseSync): SqliteDialect {
  const statements = new LRUCache<string, SqliteStatement>({ max: STATEMENTS_KEPT });

  function prepare(text: string): SqliteStatement {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const prepared = connection.prepare(text);
    const statement: SqliteStatement = {
      reader: prepared.columns().length > 0,
      all: (parameters) => prepared.all(...parameters.map(toBindable)),
      run: (parameters) => prepared.run(...parameters.map(toBindable)),
      iterate: (parameters) => prepared.iterate(...parameters.map(toBindable)),
    };
    statements.set(text, statement);
    return statement;
  }

  return new SqliteDialect({ database: { prepare, close: () => connection.close() } });
}

/** `node:sqlite` stores a Date as NULL without a word, so only what it stores faithfully may pass. */
function toBindable(value: unknown): SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint") {
    return value;
  }
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`cannot store a value of type ${typeof value}`);
}
