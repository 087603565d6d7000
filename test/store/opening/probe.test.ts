import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseConfig } from "../../../src/config.ts";
import { SCHEMA_VERSION } from "../../../src/store/opening/migrate.ts";
import { openConfiguredStore } from "../../../src/store/opening/open-store.ts";
import { probeDatabase } from "../../../src/store/opening/probe.ts";
import { createDatabase } from "../../support/postgres-database.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-probe-"));
});
afterEach(() => rm(folder, { recursive: true }));

const aKey = () => randomBytes(32).toString("base64");
const configOf = (environment: Record<string, string> = {}) =>
  parseConfig({ DATABASE_URL: `sqlite:${join(folder, "h.db")}`, ...environment });

async function prepare(config = configOf()): Promise<void> {
  await (await openConfiguredStore(config, { exclusive: false })).close();
}

describe("probeDatabase", () => {
  const sound = { schema: SCHEMA_VERSION, expectedSchema: SCHEMA_VERSION, key: "right" };

  it("reads a file that the app left, and doesn't change it", async () => {
    await prepare();
    const before = readFileSync(join(folder, "h.db"));

    expect(await probeDatabase(configOf())).toEqual(sound);
    expect(readFileSync(join(folder, "h.db")).equals(before)).toBe(true);
  });

  it("reads a file that an app has open and locked", async () => {
    const store = await openConfiguredStore(configOf(), { exclusive: true });
    try {
      expect(await probeDatabase(configOf())).toEqual(sound);
    } finally {
      await store.close();
    }
  });

  it("creates nothing if there is nothing", async () => {
    const config = configOf({ DATABASE_URL: `sqlite:${join(folder, "new", "h.db")}` });

    expect(await probeDatabase(config)).toEqual({ ...sound, schema: 0, key: "unused" });
    expect(existsSync(join(folder, "new"))).toBe(false);
  });

  it("migrates nothing", async () => {
    await prepare();
    const database = new DatabaseSync(join(folder, "h.db"));
    database.exec(`insert into schema_migrations values (${SCHEMA_VERSION + 1}, 'future', 1)`);
    expect(await probeDatabase(configOf())).toMatchObject({ schema: SCHEMA_VERSION + 1, key: "right" });
    database.close();
    expect(await probeDatabase(configOf())).toMatchObject({ schema: SCHEMA_VERSION + 1 });
  });

  it("tells a wrong key from a missing one", async () => {
    await prepare();

    expect(await probeDatabase(configOf({ DATA_KEY: aKey() }))).toMatchObject({ key: "wrong" });
    await rm(join(folder, "h.db.key"));
    expect(await probeDatabase(configOf())).toMatchObject({ key: "missing" });
    expect(existsSync(join(folder, "h.db.key"))).toBe(false);
    await writeFile(join(folder, "h.db.key"), "no key");
    await expect(probeDatabase(configOf())).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("doesn't mistake another file for a database", async () => {
    await writeFile(join(folder, "h.db"), "something else, that is long enough to have a header ".repeat(10));

    await expect(probeDatabase(configOf({ DATA_KEY: aKey() }))).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: `${join(folder, "h.db")}: the file is not a database`,
    });
  });

  it("reads a Postgres database with and without tables", async () => {
    const prepared = await createDatabase();
    const empty = await createDatabase({ empty: true });
    const DATA_KEY = aKey();
    try {
      const config = configOf({ DATABASE_URL: prepared.url, DATA_KEY });
      await prepare(config);
      // A server for tests may be set up for speed.
      const unsafe = expect.any(Array) as unknown;
      expect(await probeDatabase(config)).toEqual({ ...sound, unsafe });
      expect(await probeDatabase(configOf({ DATABASE_URL: prepared.url, DATA_KEY: aKey() }))).toMatchObject({
        key: "wrong",
      });

      const none = { ...sound, schema: 0, key: "unused", unsafe };
      expect(await probeDatabase(configOf({ DATABASE_URL: empty.url, DATA_KEY }))).toEqual(none);
      expect(await empty.query("select * from pg_tables where schemaname = 'public'")).toEqual([]);
    } finally {
      await prepared.drop();
      await empty.drop();
    }
  });

  it("names what prevents a connection to Postgres, and not the password", async () => {
    const DATABASE_URL = "postgres://jane:not-to-be-told@127.0.0.1:1/x";

    await expect(probeDatabase(configOf({ DATABASE_URL, DATA_KEY: aKey() }))).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: "no connection to the database (ECONNREFUSED): check its address, and that it runs",
    });
    const database = await createDatabase({ empty: true });
    await database.drop();
    await expect(
      probeDatabase(configOf({ DATABASE_URL: database.url, DATA_KEY: aKey() })),
    ).rejects.toMatchObject({ code: "CONFIG_INVALID", message: expect.stringContaining("no such database") });
  });
});
