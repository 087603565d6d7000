import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { createPostgresStore } from "../../src/store/opening/postgres-store.ts";
import { toDatabaseUrl } from "./postgres-database.ts";
import { startPostgres } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of a PostgreSQL server's `postgres` database, whose user may create databases. */
    readonly postgresUrl: string;
    /** Name of an empty database with the current schema, to copy. */
    readonly postgresTemplate: string;
  }
}

const COMPILED = fileURLToPath(new URL("../../node_modules/.cache/node-compile", import.meta.url));

/**
 * Sets up the whole run: a folder for Node's compiled sources, because hundreds of processes read the same ones; the
 * server that `TEST_DATABASE_URL` names, or a new one; and a database to copy for each test, which is much faster than
 * migrating one.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.env["NODE_COMPILE_CACHE"] ??= COMPILED;
  const given = process.env["TEST_DATABASE_URL"] ?? "";
  const server = given === "" ? await startPostgres() : undefined;
  const url = server?.url ?? given;
  const template = `holdfast_template_${randomBytes(6).toString("hex")}`;
  await run(url, `create database ${template}`);
  const store = await createPostgresStore({ url: toDatabaseUrl(url, template), dataKey: randomBytes(32) });
  await store.close();
  // Each test has its own data key.
  await run(toDatabaseUrl(url, template), "delete from meta");
  project.provide("postgresUrl", url);
  project.provide("postgresTemplate", template);
  return async () => {
    if (server === undefined) await run(url, `drop database ${template} with (force)`);
    await server?.close();
  };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
