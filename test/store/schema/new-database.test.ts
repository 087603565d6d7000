import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSqliteStore } from "../../../src/store/engines/sqlite/sqlite-store.ts";

const dataKey = randomBytes(32);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-new-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Opens a store in a file with these tables, and returns everything in the file afterwards. */
async function make(name: string, tables = ""): Promise<Record<string, unknown>> {
  const path = join(folder, name);
  const before = new DatabaseSync(path);
  before.exec(tables);
  before.close();
  await (await createSqliteStore({ path, dataKey, now: () => 0 })).close();
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const schema = database
      .prepare("select type, name, tbl_name, sql from sqlite_schema order by name")
      .all();
    const rows = schema
      .filter(({ type }) => type === "table")
      .map((table) => [table["name"], database.prepare(`select * from ${String(table["name"])}`).all()]);
    return { schema, rows: Object.fromEntries(rows) };
  } finally {
    database.close();
  }
}

it("a new database gets the migrations' schema and rows, whether it is a process's first or a later one", async () => {
  // A file with an unrelated table runs every migration.
  const { schema, rows } = (await make("migrated.db", "create table stranger (id text)")) as {
    readonly schema: readonly { readonly name: string }[];
    readonly rows: Record<string, unknown>;
  };
  const { stranger, ...ours } = rows;
  const expected = { schema: schema.filter(({ name }) => name !== "stranger"), rows: ours };

  expect(stranger).toEqual([]);
  expect(expected.schema.length).toBeGreaterThan(80);
  expect(await make("first.db")).toEqual(expected);
  expect(await make("second.db")).toEqual(expected);
});
