import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";

/** A test's own database. */
export interface TestDatabase {
  readonly url: string;
  /** Run a statement without the store. */
  query(statement: string): Promise<readonly Record<string, unknown>[]>;
  /** Remove it, even if somebody is still connected. */
  drop(): Promise<void>;
}

/** The address of another database of the same server. */
export function toDatabaseUrl(url: string, database: string): string {
  return url.replace(/\/[^/?]*(?=\?|$)/, `/${database}`);
}

/**
 * Create a database, with the current schema unless `empty`.
 *
 * @param serverUrl Default: the server of the run.
 */
export async function createDatabase(
  options: { readonly empty?: boolean; readonly serverUrl?: string } = {},
): Promise<TestDatabase> {
  const { empty = options.serverUrl !== undefined, serverUrl = inject("postgresUrl") } = options;
  const name = `holdfast_test_${randomBytes(6).toString("hex")}`;
  const url = toDatabaseUrl(serverUrl, name);
  await query(
    serverUrl,
    `create database ${name} strategy file_copy template ${empty ? "template0" : inject("postgresTemplate")}`,
  );
  return {
    url,
    query: (statement) => query(url, statement),
    drop: async () => void (await query(serverUrl, `drop database ${name} with (force)`)),
  };
}

async function query(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
