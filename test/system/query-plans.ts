import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CompiledQuery, Kysely, PostgresDialect, sql, type Dialect } from "kysely";
import * as driver from "pg";
import { onTestFinished } from "vitest";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import type { StoreContext } from "../../src/store/context.ts";
import type { Engine } from "../../src/store/engines/engine.ts";
import { createPacer } from "../../src/store/engines/pacing.ts";
import { createPostgresPool, DATABASE_NOW_MS } from "../../src/store/engines/postgres/postgres-pool.ts";
import { createNodeSqliteDialect } from "../../src/store/engines/sqlite/sqlite-engine.ts";
import { createSqliteStore } from "../../src/store/opening/sqlite-store.ts";
import type { Database, Schema } from "../../src/store/schema/schema.ts";
import { createKeyring } from "../../src/store/sealing/keyring.ts";
import { createSealer } from "../../src/store/sealing/sealing.ts";
import { createDatabase } from "../support/postgres-database.ts";

const dataKey = randomBytes(32);

/** Statements that fill the tables. `numbers(rows)` is a table of 1 to `rows`. */
export type Seed = (numbers: (rows: number) => string, kind: Engine["dialect"]) => readonly string[];

/** A full database, the parts that a store's operations need, and the queries that they make. */
export interface WatchedDatabase {
  readonly db: Database;
  readonly context: StoreContext;
  /** The queries since the last call. */
  readonly takeQueries: () => readonly CompiledQuery[];
  /** The steps of the database's plan for a query. */
  explain(query: CompiledQuery): Promise<readonly string[]>;
}

export async function openSqlite(seed: Seed): Promise<WatchedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-plans-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "holdfast.db");
  await (await createSqliteStore({ path, dataKey })).close();
  const connection = new DatabaseSync(path);
  connection.exec("pragma synchronous = off");
  const numbers = (rows: number) =>
    `(with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${rows}) select n from counted)`;
  for (const statement of seed(numbers, "sqlite")) connection.exec(statement);
  const explain = async ({ sql: text, parameters }: CompiledQuery) =>
    connection
      .prepare(`explain query plan ${text}`)
      .all(...(parameters as string[]))
      .map(({ detail }) => String(detail));
  return { ...watch(createNodeSqliteDialect(connection), "sqlite"), explain };
}

/** @param analyze What autovacuum would do: the planner needs its figures. */
export async function openPostgres(seed: Seed, analyze = "analyze"): Promise<WatchedDatabase> {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const numbers = (rows: number) => `generate_series(1, ${rows}) as numbers(n)`;
  for (const statement of seed(numbers, "postgres")) await database.query(statement);
  await database.query(analyze);
  const { url } = database;
  const pool = createPostgresPool({ driver, url, size: 1, unhurried: true, logger: SILENT_LOGGER });
  const watched = watch(new PostgresDialect({ pool }), "postgres");
  const explain = async ({ sql: text, parameters }: CompiledQuery) => {
    const query = CompiledQuery.raw(`explain ${text}`, [...parameters]);
    const { rows } = await watched.db.executeQuery<Record<string, string>>(query);
    return rows.flatMap((row) => Object.values(row));
  };
  return { ...watched, explain };
}

function watch(dialect: Dialect, kind: Engine["dialect"]) {
  const queries: CompiledQuery[] = [];
  const db: Database = new Kysely<Schema>({ dialect, log: ({ query }) => void queries.push(query) });
  onTestFinished(() => db.destroy());
  const engine: Partial<Engine> = {
    dialect: kind,
    isShared: kind === "postgres",
    read: (query) => query(db),
    write: (unit) => db.transaction().execute(unit),
    leaseClock: (nowMs) => (kind === "postgres" ? sql.raw(DATABASE_NOW_MS) : sql`${nowMs}`),
  };
  const keyring = createKeyring(dataKey);
  const sealer = createSealer(keyring, SILENT_LOGGER);
  const context: StoreContext = {
    engine: engine as Engine,
    keyring,
    sealer,
    logger: SILENT_LOGGER,
    pace: createPacer(),
  };
  return { db, context, takeQueries: () => queries.splice(0) };
}
