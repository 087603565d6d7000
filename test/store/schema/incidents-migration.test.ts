import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { createSqliteStore } from "../../../src/store/engines/sqlite/sqlite-store.ts";
import { T0 } from "../samples.ts";

/** Written by Holdfast at schema 6. */
const EARLIER = new URL("../../fixtures/databases/0.1.0-schema-6.db.gz", import.meta.url);

it("migrates incidents that are still open, and leaves no flag behind", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-migration-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "holdfast.db");
  writeFileSync(path, gunzipSync(readFileSync(EARLIER)));
  const earlier = new DatabaseSync(path);
  earlier.exec(`
    insert into cursors values ('', 'coverage-low', ${T0}), ('', 'retention-leap', 0), ('', 'retention-done', ${T0});
    insert into leases (name, owner, lease_until) values ('alert:0f:told', 'everybody', ${T0 + 1e12})`);
  earlier.close();

  const store = await createSqliteStore({ path, dataKey: Buffer.alloc(32, 7), exclusive: true });
  onTestFinished(() => store.close());

  expect(await store.openIncident({ name: "coverage_low", nowMs: T0 + 1 })).toEqual({
    isNews: false,
    reportedAtMs: T0,
  });
  expect(await store.openIncident({ name: "retention_leap", nowMs: T0 })).toMatchObject({ isNews: true });
  expect(await store.loadCursor("", "coverage-low")).toBeNull();
  expect(await store.loadCursor("", "retention-leap")).toBeNull();
  expect(await store.loadCursor("", "retention-done")).toBe(T0);
  const look = new DatabaseSync(path, { readOnly: true });
  onTestFinished(() => look.close());
  expect(look.prepare("select name from leases").all()).toEqual([]);
});
