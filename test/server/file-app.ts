import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";
import type { ServerParts } from "../../src/server/parts/server-parts.ts";
import { createSqliteStore } from "../../src/store/opening/sqlite-store.ts";
import { startConsole, type ConsoleApp } from "./console-app.ts";

/** A console whose store a test can inspect and break directly. */
export interface FileApp extends ConsoleApp {
  /** Runs a statement on the database. */
  exec(statement: string): void;
  /** Every row of every table that people's acts can change. */
  dump(): Readonly<Record<string, readonly unknown[]>>;
  /** Everything on the disk, as text. */
  bytes(): string;
}

/** Tables that change without any act, for migrations and pings, aren't counted. */
const LEFT_OUT = /^(?:sqlite_|schema_migrations$|meta$)/;

/** Starts the console on a SQLite file. Both are removed when the test ends. */
export async function startFileConsole(changes: Partial<ServerParts> = {}): Promise<FileApp> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-console-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "holdfast.db");
  const store = await createSqliteStore({ path, dataKey: randomBytes(32) });
  const app = await startConsole({ store, ...changes });
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  return {
    ...app,
    exec: (statement) => database.exec(statement),
    dump() {
      const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
      const names = tables.map(({ name }) => String(name)).filter((name) => !LEFT_OUT.test(name));
      return Object.fromEntries(
        names.map((name) => [name, database.prepare(`select * from "${name}"`).all()] as const),
      );
    },
    bytes: () =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), "latin1"))
        .join("\n"),
  };
}
