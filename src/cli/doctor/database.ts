import { existsSync, statSync } from "node:fs";
import { access, constants, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../../config.ts";
import { HoldfastError, isHoldfastError } from "../../base/errors.ts";
import type { Finding } from "../../platform/platform.ts";
import { toInstallCommand, toMissingPackage } from "../../base/missing-package.ts";
import { withinDeadline } from "../../base/waiting.ts";
import { toKeyPath } from "../../store/opening/data-key.ts";
import { openConfiguredStore } from "../../store/opening/open-store.ts";
import { probeDatabase, type DatabaseProbe } from "../../store/opening/probe.ts";
import { MEMORY_PATH } from "../../store/engines/sqlite/sqlite-files.ts";
import { ok, problem, skipped, warning } from "./findings.ts";

/** A longer wait makes no sense: the app waits 4 seconds. */
const PATIENCE_MS = 8_000;

const ADVICE = {
  postgres: "check that the database runs and that DATABASE_URL is correct",
  sqlite:
    "check DATABASE_URL, and that the file and its folder can be written and belong to the user that runs Holdfast",
} as const;

/**
 * Look at the database: first without changing anything, so that a newer Holdfast doesn't migrate a database that an older one
 * uses, then as the app opens it, which doesn't disturb a running app. The store is open for further checks, which close it;
 * undefined if the database can't be used as it is.
 */
export async function checkDatabase(config: Config) {
  const { database } = config;
  if (database.kind === "sqlite" && database.path === MEMORY_PATH) {
    const advice = "set DATABASE_URL to a file or a Postgres database, unless this is a trial";
    const finding = warning("database", "in memory: all data is lost when the app stops", advice);
    return { store: undefined, findings: [finding] };
  }
  const { path } = database.kind === "sqlite" ? database : {};
  const files = path === undefined ? [] : [checkModes(path), await checkDisk(path)];
  let probe: DatabaseProbe;
  try {
    probe = await inTime(probeDatabase(config));
    await assertCreatable(path, probe);
  } catch (error) {
    return { store: undefined, findings: [toProblem(error, config), ...files] };
  }
  const seen = [checkSchema(probe), checkKey(probe), ...checkDurability(probe)];
  if (probe.schema !== probe.expectedSchema || probe.key === "wrong" || probe.key === "missing") {
    const isNewFile = database.kind === "sqlite" && probe.schema === 0;
    const found = isNewFile ? "it doesn't exist yet" : "it answers";
    return { store: undefined, findings: [ok("database", found), ...seen, ...files] };
  }
  const { store, finding } = await open(config);
  return { store, findings: [finding, ...seen, ...files] };
}

async function open(config: Config) {
  const opening = openConfiguredStore(config, { exclusive: false });
  try {
    const store = await inTime(opening);
    await inTime(store.ping());
    return { store, finding: ok("database", "it answers and is writable") };
  } catch (error) {
    // Close it even if it opens after the time limit.
    void opening.then((store) => store.close()).catch(() => {});
    return { store: undefined, finding: toProblem(error, config) };
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const done = await withinDeadline(
    work.then((value) => ({ value })),
    PATIENCE_MS,
  );
  if (done === undefined) throw new Error(`no answer within ${PATIENCE_MS / 1000} seconds`);
  return done.value;
}

function toProblem(error: unknown, { database }: Config): Finding {
  if (isHoldfastError(error) && toMissingPackage(error.cause) !== undefined)
    return problem("database", `the package "pg" isn't installed`, `run ${toInstallCommand(["pg"])}`);
  // Another library's message may quote the address, and with it the password.
  const found = isHoldfastError(error) ? error.message : "it doesn't answer";
  return problem("database", found, ADVICE[database.kind]);
}

export function checkSchema({ schema, expectedSchema }: DatabaseProbe): Finding {
  const id = "database.schema";
  if (schema === expectedSchema) return ok(id, `schema ${schema}, as this version expects`);
  if (schema === 0) return warning(id, "it's empty", "start the app once to create its tables");
  if (schema < expectedSchema) {
    const found = `schema ${schema}, this version needs ${expectedSchema}`;
    return warning(id, found, "back up the database, then start the app to migrate it");
  }
  const found = `schema ${schema} from a newer Holdfast, this version supports ${expectedSchema}`;
  return problem(id, found, "run the newer version, or restore a backup from before the upgrade");
}

function checkKey({ key }: DatabaseProbe): Finding {
  const id = "database.key";
  if (key === "right") return ok(id, "the data key decrypts the stored data");
  if (key === "unused") return skipped(id, "nothing is encrypted yet");
  const found = key === "wrong" ? "the data key doesn't match this database" : "the data key is missing";
  return problem(id, found, "restore the DATA_KEY or the key file that the database was created with");
}

/** Only Postgres can be told to confirm what isn't on disk. */
export function checkDurability({ unsafe }: DatabaseProbe): readonly Finding[] {
  const id = "database.durability";
  if (unsafe === undefined) return [];
  if (unsafe.length === 0) return [ok(id, "what Postgres confirms is on its disk")];
  if (unsafe.includes("fsync"))
    return [
      problem(id, "fsync is off: a crash of Postgres's machine can destroy the database", "turn it on"),
    ];
  const found =
    "synchronous_commit is off: a crash of Postgres takes back what it confirmed in the last 0.6 seconds (3 x wal_writer_delay): webhooks that were answered, paid calls, which are then paid for again, and people's decisions";
  return [
    warning(id, found, "turn it on for Holdfast's database: alter database NAME set synchronous_commit = on"),
  ];
}

const MIB = 1024 * 1024;
/** A burst's write-ahead log alone may take 64 MiB. */
const LEAST_FREE_BYTES = 256 * MIB;
const LITTLE_FREE_BYTES = 1024 * MIB;

function checkModes(path: string): Finding {
  const id = "database.files";
  try {
    const kept = [path, `${path}-wal`, `${path}-shm`, toKeyPath(path)].flatMap((file) => {
      const stats = statSync(file, { throwIfNoEntry: false });
      return stats === undefined ? [] : [{ file, mode: stats.mode & 0o777 }];
    });
    if (kept.length === 0) return skipped(id, "there are no files yet");
    // Windows has no such modes.
    const open = process.platform === "win32" ? [] : kept.filter(({ mode }) => (mode & 0o077) !== 0);
    if (open.length === 0) return ok(id, "only the owner can read them");
    const named = open.map(({ file, mode }) => `${file} (${mode.toString(8)})`).join(", ");
    return warning(id, `others on this machine can read ${named}`, "chmod 600 these files");
  } catch {
    return skipped(id, "this user can't read them");
  }
}

async function checkDisk(path: string): Promise<Finding> {
  const id = "database.disk";
  try {
    const { bavail, bsize } = await statfs(findFolder(path));
    const freeBytes = bavail * bsize;
    const found = `${Math.floor(freeBytes / MIB)} MiB free on the database's disk`;
    if (freeBytes < LEAST_FREE_BYTES)
      return problem(id, found, "free up disk space: webhooks that can't be saved are refused");
    return freeBytes < LITTLE_FREE_BYTES ? warning(id, found, "free up disk space soon") : ok(id, found);
  } catch {
    return skipped(id, "the free disk space is unknown");
  }
}

/** A new database needs a folder that can be written. An empty file in its place, too. */
async function assertCreatable(path: string | undefined, { schema }: DatabaseProbe): Promise<void> {
  if (path === undefined || schema !== 0) return;
  for (const target of [findFolder(path), ...(existsSync(path) ? [path] : [])]) {
    await access(target, constants.W_OK).catch((cause: unknown) => {
      const message = `this user can't write to ${target}`;
      throw new HoldfastError("STORE_UNAVAILABLE", message, { retryable: true, cause });
    });
  }
}

/** The database's folder, or its nearest parent that exists. */
function findFolder(path: string): string {
  const folder = dirname(path);
  const exists = statSync(folder, { throwIfNoEntry: false }) !== undefined;
  return exists || folder === dirname(folder) ? folder : findFolder(folder);
}
