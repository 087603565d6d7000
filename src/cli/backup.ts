import { existsSync, renameSync } from "node:fs";
import { resolve } from "node:path";
import { toConfigError } from "../base/errors.ts";
import { copyDatabase } from "../store/opening/sqlite-copy.ts";
import { MEMORY_PATH } from "../store/engines/sqlite/sqlite-files.ts";
import type { DatabaseConfig } from "../store/opening/open-store.ts";
import { toKeyPath } from "../store/opening/data-key.ts";
import type { Values } from "./arguments.ts";
import type { WorkContext } from "./command.ts";
import type { Output } from "./output.ts";

export interface BackupOptions extends Pick<Values, "force"> {
  readonly file: string;
}

export type BackupContext = Pick<WorkContext, "config"> & { readonly terminal: Output };

/**
 * `holdfast backup FILE`: copy a SQLite database, also while the app runs. For Postgres it says how to, and resolves to
 * `false`: nothing was backed up.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` when FILE exists, or the database doesn't; what {@link copyDatabase} throws.
 */
export async function backUp({ file, force }: BackupOptions, { config, terminal }: BackupContext) {
  const { database } = config;
  if (database.kind === "postgres") {
    terminal.problem(`Nothing was backed up: ${describePostgres(database.url.reveal())}. Use pg_dump, also while the app runs:

  pg_dump --format=custom --file=${toShellWord(file)} "$DATABASE_URL"

Keep DATA_KEY too, in another place: without it, nobody can read the backup.`);
    return false;
  }
  const path = toFilePath(database, file);
  if (!existsSync(path)) throw toConfigError(`backup: expected a database at ${path}: start the app once`);
  const assertFree = (): void => {
    if (force || !existsSync(file)) return;
    throw toConfigError(`backup: ${file} exists; use another name, or pass --force to replace it`);
  };
  assertFree();

  const { orders, schema, bytes } = await copyDatabase({
    from: path,
    to: file,
    dataKey: undefined,
    place(draft) {
      assertFree();
      renameSync(draft, file);
    },
  });
  terminal.line(
    `Backed up ${orders} orders to ${file}: ${bytes} bytes, schema ${schema}, integrity checked.`,
  );
  const key = config.dataKey === undefined ? toKeyPath(path) : "DATA_KEY";
  terminal.line(
    `The data key isn't in it. Keep ${key} too, in another place: without it, nobody can read the backup.`,
  );
  return true;
}

/**
 * The path of a SQLite database, which must be a file other than FILE.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for any other.
 */
export function toFilePath({ path }: DatabaseConfig & { readonly kind: "sqlite" }, file: string): string {
  if (path === MEMORY_PATH) throw toConfigError("DATABASE_URL: expected a file, got a database in memory");
  if (resolve(path) === resolve(file)) throw toConfigError("FILE: expected a file other than the database");
  return path;
}

/** Names the database, without user, password and options. */
export function describePostgres(url: string): string {
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: "", pathname: "" };
  return `the database is Postgres (postgres://${host}${pathname})`;
}

export function toShellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
