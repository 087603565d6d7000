import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";

/** A row as the database gives it. */
export type DatabaseRow = Readonly<Record<string, unknown>>;

/** Read an app's data directly from its `DATABASE_URL`. */
export async function readRows(databaseUrl: string, query: string): Promise<readonly DatabaseRow[]> {
  if (databaseUrl.startsWith("sqlite:")) {
    const database = new DatabaseSync(databaseUrl.slice("sqlite:".length), { readOnly: true });
    try {
      return database.prepare(query).all();
    } finally {
      database.close();
    }
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
}
