import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { TYPES } from "../../../src/store/schema/initial-schema.ts";
import { MIGRATIONS } from "../../../src/store/schema/migrations.ts";
import { createSqliteStore } from "../../../src/store/engines/sqlite/sqlite-store.ts";
import { T0, TENANT } from "../samples.ts";

it("migrates a database of the first schema, including when its orders were decided", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-migration-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "holdfast.db");
  const connection = new DatabaseSync(path);
  for (const statement of MIGRATIONS[0]?.toSql(TYPES.sqlite) ?? []) connection.exec(statement);
  connection.exec(`
    create table schema_migrations (version integer primary key, name text not null, applied_at bigint not null);
    insert into schema_migrations values (1, 'initial', ${T0});
    insert into orders (tenant, order_id, platform, name, received_at, state, attempts, enriched, decided_at)
    values ('${TENANT}', '1', 'shopify', '#1', ${T0}, 'settled', 0, 1, ${T0 + 1_000})`);
  connection.close();

  const store = await createSqliteStore({ path, dataKey: randomBytes(32) });
  onTestFinished(() => store.close());

  expect(await store.getOrder({ tenant: TENANT, orderId: "1" })).toMatchObject({ decidedAtMs: T0 + 1_000 });
  const window = { sinceMs: T0 - 1, untilMs: T0, withinMs: 2_000 };
  expect(await store.coverage(TENANT, window)).toEqual({ eligible: 1, decidedInTime: 1 });
});
