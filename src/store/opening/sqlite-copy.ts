import { randomBytes } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { HoldfastError, isHoldfastError, toConfigError } from "../../base/errors.ts";
import { Secret } from "../../base/secret.ts";
import { probeDatabase, readSqlite, type DatabaseProbe } from "./probe.ts";
import { selectOne } from "../statements.ts";
import { toSqliteStoreError } from "../engines/sqlite/sqlite-errors.ts";
import { preparePrivateFile, syncDirectory } from "../engines/sqlite/sqlite-files.ts";

export interface DatabaseContents extends DatabaseProbe {
  readonly orders: number;
  /** When the last webhook, call or change of an order was recorded, milliseconds since the epoch; null if there is none. */
  readonly lastChangeMs: number | null;
  readonly bytes: number;
}

export interface DatabaseCopyOptions {
  readonly from: string;
  readonly to: string;
  /** The data key to compare the copy with; undefined if there is none. */
  readonly dataKey: Buffer | undefined;
  /** Moves the finished copy to its name, `to`. If it throws, nothing is changed. */
  readonly place: (draft: string, contents: DatabaseContents) => Promise<void> | void;
}

/** Pages per step. The copy is of one moment, however many steps it takes. */
const PAGES = 1_000;

/**
 * Copy a database as it is at one moment, even while an app writes to it. The copy is written under another name, checked and
 * synced before it gets its name.
 *
 * @throws {HoldfastError} `STORE_UNAVAILABLE` if it can't be read or written or is damaged; `CONFIG_INVALID` if it isn't
 *   Holdfast's; `STORE_SCHEMA_NEWER`.
 */
export async function copyDatabase({ from, to, dataKey, place }: DatabaseCopyOptions) {
  const draft = `${to}.${process.pid}.${randomBytes(4).toString("hex")}`;
  preparePrivateFile(draft);
  try {
    await copyPages(from, draft);
    checkPages(draft);
    const contents = await readContents(draft, dataKey);
    assertOwn(from, contents);
    await place(draft, contents);
    syncDirectory(dirname(to));
    return contents;
  } catch (error) {
    throw isHoldfastError(error) ? error : toCopyError(from, to, error);
  } finally {
    for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(`${draft}${suffix}`, { force: true });
  }
}

/**
 * Read the contents of a database, without a change or a lock.
 *
 * @throws {HoldfastError} `STORE_UNAVAILABLE` if it can't be read.
 */
export async function readContents(path: string, dataKey: Buffer | undefined): Promise<DatabaseContents> {
  const key = dataKey === undefined ? undefined : new Secret(dataKey);
  const probe = await probeDatabase({ database: { kind: "sqlite", path }, dataKey: key });
  const bytes = statSync(path).size;
  if (probe.schema === 0) return { ...probe, bytes, orders: 0, lastChangeMs: null };
  return { ...probe, bytes, ...(await readSqlite(path, (db) => selectOne(db, CONTENTS))) };
}

const CONTENTS = sql<Pick<DatabaseContents, "orders" | "lastChangeMs">>`
  select (select count(*) from orders) as orders, max(at) as "lastChangeMs" from (
    select max(received_at) as at from deliveries
    union all select max(at) from order_timeline
    union all select max(started_at) from attempts)`;

async function copyPages(from: string, draft: string): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    // Hold a read transaction. Otherwise the copy would restart with each commit of the app.
    source.exec("BEGIN");
    source.prepare("SELECT count(*) FROM sqlite_master").get();
    await backup(source, draft, { rate: PAGES });
  } finally {
    source.close();
  }
}

/** Also make it a single file, because a database with a write-ahead log can't be opened on a read-only disk. */
function checkPages(draft: string): void {
  const copy = new DatabaseSync(draft);
  try {
    copy.exec("PRAGMA journal_mode = DELETE");
    const [first] = copy.prepare("PRAGMA integrity_check(1)").all();
    const result = first?.["integrity_check"];
    if (result !== "ok") throw new Error(`integrity_check says ${String(result)}`);
  } finally {
    copy.close();
  }
}

function assertOwn(from: string, { schema, expectedSchema }: DatabaseContents): void {
  if (schema === 0) throw toConfigError(`expected a database of Holdfast, got ${from}`);
  if (schema <= expectedSchema) return;
  const message = `${from} has schema ${schema}, this version of Holdfast knows ${expectedSchema}`;
  throw new HoldfastError("STORE_SCHEMA_NEWER", message, { retryable: false });
}

function toCopyError(from: string, to: string, cause: unknown): HoldfastError {
  const error = toSqliteStoreError(cause);
  const why = error instanceof Error ? error.message : String(error);
  const message = `cannot copy ${from} to ${to}: ${why}`;
  return new HoldfastError("STORE_UNAVAILABLE", message, { retryable: false, cause });
}
