import { Client } from "pg";
import type { TestDatabase } from "./postgres-database.ts";

/** The clock of a test's database, which decides when leases end. */
export interface DatabaseClock {
  /** Stop it at a moment, milliseconds since the epoch. */
  stopAt(atMs: number): Promise<void>;
  /** Set it this far ahead of the real one; it keeps running. */
  setAhead(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Found before the server's own, for connections that are made from now on. */
const CLOCK = `
  create table test_clock (stopped_at bigint, ahead bigint not null);
  insert into test_clock values (null, 0);
  create function statement_timestamp() returns timestamptz language sql stable as $$
    select case when stopped_at is null then pg_catalog.statement_timestamp() + ahead * interval '1 ms'
                else to_timestamp(stopped_at / 1000.0) end from public.test_clock $$;`;

/** Let a test set the clock of its database. Call it before anybody has connected. */
export async function createDatabaseClock({ url }: TestDatabase): Promise<DatabaseClock> {
  const name = url.replace(/^.*\//, "");
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`${CLOCK} alter database ${name} set search_path = public, pg_catalog`);
  return {
    async stopAt(atMs) {
      await client.query("update test_clock set stopped_at = $1", [atMs]);
    },
    async setAhead(ms) {
      await client.query("update test_clock set stopped_at = null, ahead = $1", [ms]);
    },
    close: () => client.end(),
  };
}
