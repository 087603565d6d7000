import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { backUp } from "../../src/cli/backup.ts";
import { restore } from "../../src/cli/restore.ts";
import { parseConfig } from "../../src/config.ts";
import { openConfiguredStore } from "../../src/store/opening/open-store.ts";
import { SCHEMA_VERSION } from "../../src/store/opening/migrate.ts";
import type { Store } from "../../src/store/store.ts";
import { delivery, entry, order, T0 } from "../store/samples.ts";

const POSTGRES = {
  DATABASE_URL: "postgres://me:p4ss@db.example/shop?password=x",
  DATA_KEY: Buffer.alloc(32, 7).toString("base64"),
};

let folder: string;
let path: string;
let file: string;
let lines: string[];
const open: Store[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-backup-"));
  path = join(folder, "holdfast.db");
  file = join(folder, "backups", "one.db");
  lines = [];
});
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (text: string): void => void lines.push(text);
const terminal = { line: write, problem: write };
const context = (environment: Readonly<Record<string, string>> = {}) => ({
  config: parseConfig({ DATABASE_URL: `sqlite:${path}`, ...environment }),
  terminal,
  now: () => T0,
});

async function openStore(environment?: Readonly<Record<string, string>>): Promise<Store> {
  const store = await openConfiguredStore(context(environment).config, { exclusive: true });
  open.push(store);
  return store;
}

/** Whether the store has a webhook. */
async function knows(store: Store, id: string): Promise<boolean> {
  const [isNew] = await store.deliveries.save([delivery(id)]);
  return isNew === false;
}

function change(database: string, statement: string): void {
  const connection = new DatabaseSync(database);
  connection.exec(statement);
  connection.close();
}

describe("holdfast backup", () => {
  it("copies a running app's database into one private file, and lists what it contains and lacks", async () => {
    const store = await openStore();
    await store.deliveries.save([delivery("before")]);

    expect(await backUp({ file, force: false }, context())).toBe(true);
    await store.deliveries.save([delivery("after")]);

    expect(readdirSync(join(folder, "backups"))).toEqual(["one.db"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(lines).toEqual([
      `Backed up 0 orders to ${file}: ${statSync(file).size} bytes, schema ${SCHEMA_VERSION}, integrity checked.`,
      `The data key isn't in it. Keep ${path}.key too, in another place: without it, nobody can read the backup.`,
    ]);
    const copy = new DatabaseSync(file, { readOnly: true });
    expect(copy.prepare("select delivery_id from deliveries").all()).toEqual([{ delivery_id: "before" }]);
    copy.close();
  });

  it("copies one moment while another connection keeps committing", async () => {
    const environment = { DATA_KEY: Buffer.alloc(32, 7).toString("base64") };
    const store = await openStore(environment);
    for (const orderId of ["1", "2"]) await store.orders.receive(order(orderId), entry("received"));
    await store.close();
    const writer = new DatabaseSync(path);
    writer.exec("PRAGMA journal_mode = WAL");
    writer.exec("CREATE TABLE pairs (a); CREATE TABLE partners (a)");
    writer.exec(
      "CREATE TABLE filler AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i, randomblob(400) AS b FROM n",
    );
    let commits = 0;
    const timer = setInterval(() => {
      writer.exec("BEGIN; INSERT INTO pairs VALUES (1); INSERT INTO partners VALUES (1); COMMIT");
      commits += 1;
    }, 0);

    await backUp({ file, force: false }, context(environment));
    clearInterval(timer);
    writer.close();

    expect(commits, "it was not written to meanwhile").toBeGreaterThan(0);
    expect(lines[0]).toContain("Backed up 2 orders");
    expect(lines[1]).toContain("Keep DATA_KEY too");
    const copy = new DatabaseSync(file, { readOnly: true });
    const count = (table: string) => copy.prepare(`select count(*) as n from ${table}`).get()?.["n"];
    expect(count("pairs")).toBe(count("partners"));
    copy.close();
  });

  it("replaces a file only with --force", async () => {
    const store = await openStore();
    await backUp({ file, force: false }, context());
    await store.deliveries.save([delivery("later")]);
    const before = readFileSync(file);

    await expect(backUp({ file, force: false }, context())).rejects.toThrow("--force to replace it");
    expect(readFileSync(file)).toEqual(before);

    await backUp({ file, force: true }, context());
    expect(readFileSync(file)).not.toEqual(before);
  });

  it("refuses a file that isn't a Holdfast database, and leaves nothing behind", async () => {
    await expect(backUp({ file, force: false }, context())).rejects.toThrow("start the app once");
    writeFileSync(path, "no database, but longer than a header would be".repeat(10));
    await expect(backUp({ file, force: false }, context())).rejects.toThrow("not a database");
    rmSync(path);
    change(path, "CREATE TABLE other (a)");
    await expect(backUp({ file, force: false }, context())).rejects.toThrow(
      "expected a database of Holdfast",
    );
    await expect(backUp({ file: path, force: true }, context())).rejects.toThrow(
      "a file other than the database",
    );
    const memory = context({ DATABASE_URL: "sqlite::memory:" });
    await expect(backUp({ file, force: false }, memory)).rejects.toThrow("in memory");

    expect(existsSync(file) || readdirSync(join(folder, "backups")).length > 0).toBe(false);
  });

  it("refuses a damaged database", async () => {
    await (await openStore()).close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, 20_000, 24_000));

    await expect(backUp({ file, force: false }, context())).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
    expect(existsSync(file)).toBe(false);
  });

  it("explains how to use pg_dump for Postgres, without the password, and says that nothing was done", async () => {
    expect(await backUp({ file: "a b.dump", force: false }, context(POSTGRES))).toBe(false);
    expect(await restore({ file: "a b.dump", force: false }, context(POSTGRES))).toBe(false);

    const text = lines.join("\n");
    expect(text).toContain(`pg_dump --format=custom --file='a b.dump' "$DATABASE_URL"`);
    expect(text).toContain(`--dbname="$DATABASE_URL" 'a b.dump'`);
    expect(text).toContain("postgres://db.example/shop)");
    expect(text).not.toMatch(/p4ss|password|me:/);
  });
});

describe("holdfast restore", () => {
  async function makeBackup(): Promise<void> {
    const store = await openStore();
    await store.deliveries.save([delivery("before")]);
    await backUp({ file, force: false }, context());
    await open.pop()?.close();
    lines = [];
  }

  it("puts a backup into a new folder, and names the key that it needs", async () => {
    await makeBackup();
    const key = readFileSync(`${path}.key`);
    path = join(folder, "new", "holdfast.db");

    expect(await restore({ file, force: false }, context())).toBe(true);

    expect(lines).toEqual([
      `Restored 0 orders to ${path} (schema ${SCHEMA_VERSION}, last change: ${new Date(T0).toISOString()}).`,
      `It needs the same data key as the backup: set DATA_KEY, or put the key file at ${path}.key.`,
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await expect(openStore()).rejects.toThrow("DATA_KEY");
    writeFileSync(`${path}.key`, key);
    expect(await knows(await openStore(), "before")).toBe(true);
  });

  it("refuses while the app, or another command, has the database open", async () => {
    await makeBackup();
    const store = await openStore();
    await expect(restore({ file, force: true }, context())).rejects.toThrow("in use by another process");
    expect(await knows(store, "before")).toBe(true);
    await open.pop()?.close();

    const command = await openConfiguredStore(context().config, { exclusive: false });
    open.push(command);
    await expect(restore({ file, force: true }, context())).rejects.toThrow("in use by another process");
    expect(await knows(command, "before")).toBe(true);
    expect(readdirSync(folder).filter((name) => name.includes("before-"))).toEqual([]);
  });

  it("replaces a newer database only with --force, and keeps the old one beside it", async () => {
    await makeBackup();
    const store = await openStore();
    await store.deliveries.save([delivery("after", { receivedAtMs: T0 + 60_000 })]);
    await open.pop()?.close();

    await expect(restore({ file, force: false }, context())).rejects.toThrow("is newer than the backup");
    expect(await restore({ file, force: true }, context())).toBe(true);

    const aside = `${path}.before-20261120120000`;
    expect(lines).toContain(`The database that was there is now ${aside}.`);
    const restored = await openStore();
    expect(await knows(restored, "before")).toBe(true);
    expect(await knows(restored, "after")).toBe(false);
    await open.pop()?.close();
    copyFileSync(aside, path);
    expect(await knows(await openStore(), "after")).toBe(true);
  });

  it("replaces an older or damaged database without --force", async () => {
    await makeBackup();
    expect(await restore({ file, force: false }, context())).toBe(true);
    writeFileSync(path, readFileSync(path).fill(0xff, 0, 4_000));

    await expect(restore({ file, force: false }, context())).rejects.toThrow("can't be read; pass --force");
    rmSync(`${path}.before-20261120120000`);
    expect(await restore({ file, force: true }, context())).toBe(true);

    expect(await knows(await openStore(), "before")).toBe(true);
  });

  it("doesn't mistake the log of a damaged database for the backup's", async () => {
    await makeBackup();
    const writer = new DatabaseSync(path);
    writer.exec("PRAGMA journal_mode = WAL; UPDATE deliveries SET delivery_id = 'changed'");
    const log = readFileSync(`${path}-wal`);
    writer.close();
    writeFileSync(path, Buffer.alloc(8_192, 0xff));
    writeFileSync(`${path}-wal`, log);

    expect(await restore({ file, force: true }, context())).toBe(true);

    const store = await openStore();
    expect(await knows(store, "before")).toBe(true);
    expect(await knows(store, "changed")).toBe(false);
  });

  it("doesn't mistake the log that a deleted database left for the backup's, and keeps it beside", async () => {
    await makeBackup();
    const writer = new DatabaseSync(path);
    writer.exec("PRAGMA journal_mode = WAL; UPDATE deliveries SET delivery_id = 'changed'");
    const log = readFileSync(`${path}-wal`);
    writer.close();
    rmSync(path);
    writeFileSync(`${path}-wal`, log);

    expect(await restore({ file, force: false }, context())).toBe(true);

    const store = await openStore();
    expect(await knows(store, "before")).toBe(true);
    expect(await knows(store, "changed")).toBe(false);
    expect(readFileSync(`${path}.before-20261120120000-wal`)).toEqual(log);
  });

  it("refuses a backup of another key or of a newer version, and doesn't change the database", async () => {
    await makeBackup();
    const before = readFileSync(path);

    const other = { DATA_KEY: Buffer.alloc(32, 9).toString("base64") };
    await expect(restore({ file, force: true }, context(other))).rejects.toThrow("DATA_KEY");
    change(file, `INSERT INTO schema_migrations VALUES (${SCHEMA_VERSION + 1}, 'later', 0)`);
    await expect(restore({ file, force: true }, context())).rejects.toMatchObject({
      code: "STORE_SCHEMA_NEWER",
    });
    await expect(restore({ file: `${file}.none`, force: true }, context())).rejects.toThrow("there is no");

    expect(readFileSync(path)).toEqual(before);
  });
});
