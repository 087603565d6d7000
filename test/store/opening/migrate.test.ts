import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import type { Engine } from "../../../src/store/engines/engine.ts";
import { createPostgresEngine } from "../../../src/store/engines/postgres/postgres-engine.ts";
import { loadPg } from "../../../src/store/engines/postgres/postgres-pool.ts";
import { createSqliteEngine } from "../../../src/store/engines/sqlite/sqlite-engine.ts";
import { preparePrivateFile } from "../../../src/store/engines/sqlite/sqlite-files.ts";
import { createSchema } from "../../../src/store/schema/initial-schema.ts";
import { prepareDatabase, schemaVersion, type Migration } from "../../../src/store/opening/migrate.ts";
import { createKeyring } from "../../../src/store/sealing/keyring.ts";
import { createDatabase } from "../../support/postgres-database.ts";
import { T0 } from "../samples.ts";

const keyring = createKeyring(Buffer.alloc(32, 7));
const FIRST: Migration = { name: "initial", toSql: createSchema };
const SECOND: Migration = {
  name: "second",
  toSql: ({ text }) => [
    `alter table tenants add column motto ${text} default 'none' not null`,
    "create index tenants_motto on tenants (motto)",
  ],
};

/** Opens connections to one database, one for each process. */
const DATABASES: readonly [string, () => Promise<() => Promise<Engine>>][] = [
  [
    "SQLite",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "holdfast-migration-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const path = join(folder, "holdfast.db");
      preparePrivateFile(path);
      return async () => createSqliteEngine({ path, logger: SILENT_LOGGER });
    },
  ],
  [
    "Postgres",
    async () => {
      const database = await createDatabase({ empty: true });
      onTestFinished(() => database.drop());
      const { url } = database;
      const driver = await loadPg();
      return async () => createPostgresEngine({ driver, url, poolSize: 1, logger: SILENT_LOGGER });
    },
  ],
];

describe.each(DATABASES)("migrations on %s", (_name, create) => {
  async function makeOpen() {
    const open = await create();
    return async () => {
      const engine = await open();
      onTestFinished(() => engine.close());
      return engine;
    };
  }
  const prepare = (engine: Engine, migrations: readonly Migration[]) =>
    prepareDatabase(engine, { keyring, name: "the database", nowMs: T0, migrations });
  const readMottos = (engine: Engine) =>
    engine.read((db) => sql`select motto from tenants`.execute(db).then(({ rows }) => rows));

  it("change a database with rows once, however many processes start together", async () => {
    const open = await makeOpen();
    const first = await open();
    await prepare(first, [FIRST]);
    const tenant = { tenant: "a", platform: "shopify", state: "installed", installed_at: T0 } as const;
    await first.write((db) => db.insertInto("tenants").values(tenant).execute());
    const others = await Promise.all([open(), open(), open()]);

    await Promise.all(others.map((engine) => prepare(engine, [FIRST, SECOND])));

    expect(await first.read(schemaVersion)).toBe(2);
    expect(await readMottos(first)).toEqual([{ motto: "none" }]);
    await expect(prepare(first, [FIRST])).rejects.toMatchObject({ code: "STORE_SCHEMA_NEWER" });
  });

  it("change nothing if one of their statements fails", async () => {
    const engine = await (await makeOpen())();
    await prepare(engine, [FIRST]);
    const broken: Migration = { name: "broken", toSql: () => ["drop table no_such_table"] };

    await expect(prepare(engine, [FIRST, SECOND, broken])).rejects.toMatchObject({});

    expect(await engine.read(schemaVersion)).toBe(1);
    await expect(readMottos(engine)).rejects.toMatchObject({});
  });
});
