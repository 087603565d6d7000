import { randomBytes } from "node:crypto";
import { copyFileSync, existsSync, fdatasync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SILENT_LOGGER } from "../../../../src/base/logger.ts";
import type { Engine } from "../../../../src/store/engines/engine.ts";
import { createSqliteEngine } from "../../../../src/store/engines/sqlite/sqlite-engine.ts";
import { createLogSync } from "../../../../src/store/engines/sqlite/sqlite-log-sync.ts";
import { createSqliteStore } from "../../../../src/store/opening/sqlite-store.ts";
import type { Database } from "../../../../src/store/schema/schema.ts";

describe("a database's log and the disk", () => {
  let folder: string;
  let path: string;
  let engine: Engine;
  /** Replaces each sync, in order. After these, syncs are real. */
  let instead: (() => Promise<void>)[];
  let syncs: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "holdfast-sync-"));
    path = join(folder, "holdfast.db");
    await (await createSqliteStore({ path, dataKey: randomBytes(32) })).close();
    instead = [];
    syncs = 0;
    const real = promisify(fdatasync);
    engine = createSqliteEngine({
      path,
      logger: SILENT_LOGGER,
      async datasync(file) {
        syncs += 1;
        await (instead.shift() ?? (() => real(file)))();
        keepDisk();
      },
    });
  });
  afterEach(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  /** What a machine that loses power now finds on its disk: the files as of their last sync. */
  function keepDisk(): void {
    for (const end of ["", "-wal"]) copyFileSync(`${path}${end}`, join(folder, `disk.db${end}`));
  }

  function namesOnDisk(): string[] {
    const disk = join(folder, "disk.db");
    if (!existsSync(disk)) return [];
    for (const end of ["", "-wal"]) copyFileSync(`${disk}${end}`, join(folder, `look.db${end}`));
    const database = new DatabaseSync(join(folder, "look.db"));
    try {
      return database
        .prepare("SELECT name FROM meta")
        .all()
        .map((row) => String(row["name"]));
    } finally {
      database.close();
    }
  }

  const put = (name: string) =>
    engine.write((db: Database) => db.insertInto("meta").values({ name, value: "" }).execute(), {
      urgent: true,
    });
  const names = async () =>
    (await engine.read((db) => db.selectFrom("meta").select("name").execute())).map(({ name }) => name);

  it("have every write before it is acknowledged", async () => {
    for (let at = 0; at < 20; at += 1) {
      await Promise.all([put(`a${at}`), put(`b${at}`)]);
      expect(namesOnDisk()).toEqual(expect.arrayContaining([`a${at}`, `b${at}`]));
    }
    // Writes that arrived together were synced together.
    expect(syncs).toBe(20);
  });

  it("have every write before it is read", async () => {
    const { promise: slow, resolve: finish } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    instead.push(() => {
      begin();
      return slow;
    });
    const writing = put("slow");
    await begun;
    const seen: string[] = [];
    const reading = names().then((found) => {
      seen.push(...found);
      return namesOnDisk();
    });
    await new Promise(setImmediate);
    expect(seen).toEqual([]);

    finish();
    expect(await reading).toContain("slow");
    expect(seen).toContain("slow");
    await writing;
  });

  it("don't block the event loop, and writes that arrive meanwhile share the next sync", async () => {
    const { promise: slow, resolve: finish } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    instead.push(() => {
      begin();
      return slow;
    });
    const first = put("first");
    await begun;
    const others = Promise.all([put("second"), put("third")]);

    finish();
    await Promise.all([first, others]);
    expect(syncs).toBe(2);
  });

  it("use a descriptor for each of two concurrent syncs: the kernel reports an error once to each", async () => {
    const connection = new DatabaseSync(path);
    connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0");
    const put = (name: string) => connection.prepare("INSERT INTO meta VALUES (?, '')").run(name);
    const running: (PromiseWithResolvers<void> & { readonly file: number })[] = [];
    const log = createLogSync({
      path,
      connection,
      datasync(file) {
        const ending = Promise.withResolvers<void>();
        running.push({ ...ending, file });
        return ending.promise;
      },
    });
    put("first");
    const first = log.sync();
    put("second");
    const second = log.sync();
    expect(running[0]?.file).not.toBe(running[1]?.file);

    running[0]?.reject(new Error("EIO"));
    await expect(first).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    running[1]?.resolve();
    await second;
    // A success of the second sync doesn't make up for the failure of the first.
    put("third");
    await log.sync();
    expect(running).toHaveLength(2);
    expect(statSync(`${path}-wal`).size).toBe(0);

    put("fourth");
    const fourth = log.sync();
    expect(running).toHaveLength(3);
    running[2]?.resolve();
    await fourth;
    log.close();
    connection.close();
  });

  it("acknowledge nothing after a failed sync until all of the log is in the database", async () => {
    await put("before");
    instead.push(() => Promise.reject(Object.assign(new Error("EIO: i/o error"), { code: "EIO" })));
    await expect(put("lost")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", retryable: true });

    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec("BEGIN");
    reader.prepare("SELECT name FROM meta").all();
    await expect(put("while read")).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      cause: { message: "the log is being read" },
    });
    reader.close();

    const before = syncs;
    await put("after");
    // Moved into the database's own file; the log restarts.
    expect(syncs).toBe(before);
    expect(statSync(`${path}-wal`).size).toBe(0);
    await put("later");
    expect(syncs).toBe(before + 1);
    expect(namesOnDisk()).toEqual(expect.arrayContaining(["before", "after", "later"]));
  });

  it("report doubt from a failed sync on, until all of the log is in the database", async () => {
    const connection = new DatabaseSync(path);
    connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0");
    const put = (name: string) => connection.prepare("INSERT INTO meta VALUES (?, '')").run(name);
    const reported: boolean[] = [];
    const log = createLogSync({
      path,
      connection,
      datasync: () => Promise.reject(new Error("EIO")),
      onDoubt: (isDoubtful) => void reported.push(isDoubtful),
    });
    put("lost");
    await expect(log.sync()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec("BEGIN");
    reader.prepare("SELECT name FROM meta").all();
    put("while read");
    await expect(log.sync()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(reported).toEqual([true]);

    reader.close();
    await log.sync();
    expect(reported).toEqual([true, false]);
    log.close();
    connection.close();
  });

  it("let no reader see, after a failed sync, what a power failure could take back", async () => {
    await put("before");
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec("BEGIN");
    reader.prepare("SELECT name FROM meta").all();
    instead.push(() => Promise.reject(new Error("EIO")));
    await expect(put("lost")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });

    await expect(names()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    reader.close();
    expect(await names()).toContain("lost");
    // The read itself caused the log to be moved into the database's own file.
    expect(statSync(`${path}-wal`).size).toBe(0);
  });

  it("keep waiting for other processes' locks when the log can't be moved", async () => {
    const connection = new DatabaseSync(path, { timeout: 5_000 });
    connection.exec("PRAGMA journal_mode = WAL");
    const sync = createLogSync({ path, connection, datasync: () => Promise.reject(new Error("EIO")) });
    await expect(sync.sync()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    // SQLite throws here, as it does when the disk fails again.
    connection.exec("BEGIN IMMEDIATE; INSERT INTO meta VALUES ('open', '')");
    await expect(sync.sync()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });

    expect(connection.prepare("PRAGMA busy_timeout").get()).toEqual({ timeout: 5_000 });
    sync.close();
    connection.close();
  });
});
