import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isHoldfastError } from "../../../../src/base/errors.ts";
import { SILENT_LOGGER } from "../../../../src/base/logger.ts";
import type { Engine } from "../../../../src/store/engines/engine.ts";
import { createTenantErasure } from "../../../../src/store/retention/tenant-erasure.ts";
import { createKeyring } from "../../../../src/store/sealing/keyring.ts";
import { createSealer } from "../../../../src/store/sealing/sealing.ts";
import { createKyselyStore } from "../../../../src/store/kysely-store.ts";
import type { Database } from "../../../../src/store/schema/schema.ts";
import { createSqliteEngine } from "../../../../src/store/engines/sqlite/sqlite-engine.ts";
import { createSqliteStore } from "../../../../src/store/opening/sqlite-store.ts";
import { delivery, TENANT } from "../../samples.ts";

describe("createSqliteEngine", () => {
  let folder: string;
  let engine: Engine;
  const dataKey = randomBytes(32);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "holdfast-engine-"));
    const path = join(folder, "holdfast.db");
    await (await createSqliteStore({ path, dataKey })).close();
    engine = createSqliteEngine({ path, logger: SILENT_LOGGER });
  });
  afterEach(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  const put = (db: Database, name: string) => db.insertInto("meta").values({ name, value: "" }).execute();
  const names = async () =>
    (await engine.read((db) => db.selectFrom("meta").select("name").orderBy("name").execute())).map(
      (row) => row.name,
    );

  it("leaves waiting for the disk to the log's sync, and overwrites what it deletes", async () => {
    const pragma = (name: string) =>
      engine.write(async (db) =>
        Object.values((await sql.raw<object>(`PRAGMA ${name}`).execute(db)).rows[0] ?? {}),
      );

    expect(await pragma("journal_mode")).toEqual(["wal"]);
    expect(await pragma("synchronous")).toEqual([1]);
    expect(await pragma("secure_delete")).toEqual([1]);
    expect(await pragma("foreign_keys")).toEqual([1]);
    expect(await pragma("busy_timeout")).toEqual([5_000]);
  });

  it.each(["", "-wal"])("refuses writes while its file%s is moved, replaced or deleted", async (end) => {
    const path = join(folder, `holdfast.db${end}`);
    const refusal = { code: "STORE_UNAVAILABLE", retryable: true };
    const write = (name: string) => engine.write((db) => put(db, name));
    await write("before");

    renameSync(path, `${path}.moved`);
    await expect(write("moved")).rejects.toMatchObject(refusal);
    copyFileSync(`${path}.moved`, path);
    await expect(write("replaced")).rejects.toMatchObject(refusal);
    renameSync(`${path}.moved`, path);
    await write("after");
    expect(await names()).toContain("after");
    rmSync(path);
    await expect(write("deleted")).rejects.toMatchObject(refusal);
  });

  it("restarts its log in the same file: truncating it blocked a commit, and the thread, for 35 to 65 ms", async () => {
    const sizes: number[] = [];
    const value = "x".repeat(1_000_000);
    for (let index = 0; index < 120; index += 1) {
      await engine.write((db) =>
        db
          .insertInto("meta")
          .values({ name: `row ${index}`, value })
          .execute(),
      );
      sizes.push(statSync(join(folder, "holdfast.db-wal")).size);
    }

    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    // It did restart: 120 MB were written.
    expect(sizes.at(-1)).toBeLessThan(90_000_000);
  });

  it("reads only committed rows", async () => {
    let seen: string[] = [];
    await engine.write(async (db) => {
      await put(db, "written");
      seen = await names();
    });

    expect(seen).not.toContain("written");
    expect(await names()).toContain("written");
  });

  it("refuses values that SQLite would store as something else", async () => {
    const wrong = new Date() as unknown as string;

    await expect(engine.write((db) => put(db, wrong))).rejects.toThrow(TypeError);
    await expect(engine.write((db) => put(db, undefined as unknown as string))).rejects.toThrow();
    expect(await names()).toEqual(["data-key-check"]);
  });

  it("refuses to acknowledge what doesn't fit on the disk, and continues when there is room", async () => {
    const store = createKyselyStore({ engine, keyring: createKeyring(dataKey), now: Date.now });
    const limitPages = (pages: number) =>
      engine.write((db) => sql.raw(`PRAGMA max_page_count = ${pages}`).execute(db));
    const { rows } = await engine.read((db) => sql<{ page_count: number }>`PRAGMA page_count`.execute(db));
    await limitPages((rows[0]?.page_count ?? 0) + 40);
    const body = Buffer.alloc(20_000, "x");
    const ids = Array.from({ length: 60 }, (_, index) => `d${index}`);
    const saveAll = () =>
      Promise.allSettled(ids.map((id) => store.deliveries.save([delivery(id, { body })])));

    const outcomes = await saveAll();

    const refused = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason as unknown] : [],
    );
    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused) {
      expect(isHoldfastError(error, "STORE_UNAVAILABLE") && error.retryable && error.message).toBe(
        "the disk is full",
      );
    }
    const kept = ids.filter((_, index) => outcomes[index]?.status === "fulfilled");
    expect((await store.figures.backlog()).pending).toBe(kept.length);

    await limitPages(100_000);
    const again = await saveAll();
    expect(again.every((outcome) => outcome.status === "fulfilled")).toBe(true);
    expect((await store.figures.backlog()).pending).toBe(ids.length);
  });

  it("erases a tenant in slices, and whatever asks for the erasure last", async () => {
    const keyring = createKeyring(dataKey);
    const store = createKyselyStore({ engine, keyring, now: Date.now });
    const pending = Array.from({ length: 450 }, (_, index) => delivery(`d${index}`));
    await store.deliveries.save(pending);
    const claim = { owner: "worker", nowMs: Date.now(), leaseMs: 60_000, limit: 1 };
    const [claimed] = await store.deliveries.claim(claim);
    const rows = (table: "deliveries" | "cursors") =>
      engine.read((db) => db.selectFrom(table).selectAll().execute());
    await store.cursors.save(TENANT, "seen", 1);
    let slices = 0;
    let most = Number.POSITIVE_INFINITY;
    const pace = async (): Promise<void> => {
      if ((slices += 1) > most) throw new Error("killed");
    };
    const sealer = createSealer(keyring, SILENT_LOGGER);
    const erasure = createTenantErasure({ engine, keyring, sealer, logger: SILENT_LOGGER, pace });

    most = 3;
    await expect(erasure.eraseTenant(TENANT)).rejects.toThrow("killed");
    // Two slices of 200, one for the rest, and the delivery that is being processed.
    expect((await rows("deliveries")).map((row) => row.delivery_id)).toEqual([claimed?.deliveryId]);
    expect(await rows("cursors")).toHaveLength(1);

    most = Number.POSITIVE_INFINITY;
    await erasure.eraseTenant(TENANT);
    expect([...(await rows("deliveries")), ...(await rows("cursors"))]).toEqual([]);
  });

  it("reports a full disk as unhealthy", async () => {
    const store = createKyselyStore({ engine, keyring: createKeyring(dataKey), now: Date.now });
    await engine.write((db) => sql`PRAGMA query_only = ON`.execute(db));

    await expect(store.ping()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", retryable: true });
  });

  it("rejects reads and writes after it was closed", async () => {
    await engine.close();

    await expect(names()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await expect(engine.write((db) => put(db, "late"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await engine.scrub();
  });
});
