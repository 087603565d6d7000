import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { findSpentCap } from "../../../src/store/credits/budget.ts";
import { createNodeSqliteDialect } from "../../../src/store/engines/sqlite/sqlite-engine.ts";
import { createSqliteStore } from "../../../src/store/opening/sqlite-store.ts";
import type { Schema } from "../../../src/store/schema/schema.ts";
import { attempt } from "../samples.ts";

it("a paid call under a daily and a monthly cap reads none of the calls before it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-cost-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "holdfast.db");
  await (await createSqliteStore({ path, dataKey: randomBytes(32) })).close();
  const queries: string[] = [];
  const db = new Kysely<Schema>({
    dialect: createNodeSqliteDialect(new DatabaseSync(path)),
    log: ({ query }) => void queries.push(query.sql),
  });
  onTestFinished(() => db.destroy());

  const budget = { ...attempt("").budget, daily: 500_000, monthly: 500_000 };
  expect(await findSpentCap(db, attempt("fp", { budget }))).toBeUndefined();

  expect(queries).toHaveLength(2);
  for (const query of queries) expect(query).not.toMatch(/\battempts\b/);
});
