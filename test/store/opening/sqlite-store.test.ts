import { randomBytes } from "node:crypto";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Logger } from "../../../src/base/logger.ts";
import { createSqliteStore } from "../../../src/store/opening/sqlite-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { CANARIES, expectNoCanary, plantCanaries } from "../canaries.ts";
import { describeStore } from "../conformance.ts";
import { attempt, claim, delivery, entry, mapped, MINUTE_MS, order, T0, TENANT } from "../samples.ts";
import { describeReopening } from "./reopening-cases.ts";

const dataKey = randomBytes(32);
let folder: string;
let path: string;
const stores: Store[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-store-"));
  path = join(folder, "data", "holdfast.db");
});
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  rmSync(folder, { recursive: true });
});

async function open(options: { exclusive?: boolean; logger?: Logger; key?: Buffer } = {}): Promise<Store> {
  const { key = dataKey, ...rest } = options;
  const store = await createSqliteStore({ path, dataKey: key, now: () => T0, ...rest });
  stores.push(store);
  return store;
}

describeStore("sqlite store", () => open());

describe("createSqliteStore", () => {
  const mode = (file: string) => (statSync(file).mode & 0o777).toString(8);

  describeReopening(
    async () => async (key) => {
      const store = await createSqliteStore({ path, now: () => T0, ...key });
      stores.push(store);
      return store;
    },
    () => path,
  );

  it("lets only the owner read its folder and files", async () => {
    const store = await open({ exclusive: true });
    await store.ping();

    expect(mode(join(folder, "data"))).toBe("700");
    expect(readdirSync(join(folder, "data")).toSorted()).toEqual([
      "holdfast.db",
      "holdfast.db-shm",
      "holdfast.db-wal",
      "holdfast.db.lock",
    ]);
    for (const file of readdirSync(join(folder, "data")))
      expect(mode(join(folder, "data", file))).toBe("600");
  });

  it("restricts a file that others could read to its owner", async () => {
    await (await open()).close();
    chmodSync(path, 0o644);

    await open();

    expect(mode(path)).toBe("600");
  });

  it("refuses a key of the wrong length", async () => {
    await expect(open({ key: randomBytes(16) })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("refuses a database that a newer version has written to, and changes nothing", async () => {
    await (await open()).close();
    const raw = new DatabaseSync(path);
    raw.exec("INSERT INTO schema_migrations VALUES (9999, 'future', 0)");
    const before = raw.prepare("SELECT * FROM meta ORDER BY name").all();

    await expect(open()).rejects.toMatchObject({
      code: "STORE_SCHEMA_NEWER",
      message: expect.stringContaining("Start the newer version, or restore a backup"),
      retryable: false,
    });

    expect(raw.prepare("SELECT * FROM meta ORDER BY name").all()).toEqual(before);
    raw.close();
  });

  it("reports that the file isn't a database", async () => {
    await (await open()).close();
    writeFileSync(path, "this is not a database, it only looks like a file ".repeat(100));

    await expect(open()).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: `${path}: the file is not a database`,
      retryable: false,
    });
  });

  it("reports that the folder can't be created", async () => {
    writeFileSync(join(folder, "data"), "a file is in the way");

    await expect(open()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", retryable: true });
  });

  it("writes while another connection is reading", async () => {
    const store = await open();
    const raw = new DatabaseSync(path);
    raw.exec("BEGIN; SELECT * FROM orders");

    await store.orders.receive(order("1"), entry("received"));

    raw.exec("COMMIT");
    expect(raw.prepare("SELECT order_id FROM orders").all()).toEqual([{ order_id: "1" }]);
    raw.close();
  });

  it("takes over immediately what an earlier process left, when it owns the file", async () => {
    const first = await open();
    await first.deliveries.save([delivery("a")]);
    await first.orders.receive(order("1"), entry("received"));
    await first.deliveries.claim(claim("p1"));
    await first.orders.claim(claim("p1"));
    await first.ledger.begin(attempt("fp", { orderId: "1", owner: "app:p1" }));
    await first.close();

    const visitor = await open();
    expect(await visitor.orders.claim(claim("p2"))).toEqual([]);
    const owner = await open({ exclusive: true });

    expect(await owner.deliveries.claim(claim("p2"))).toHaveLength(1);
    expect(await owner.orders.claim(claim("p2"))).toMatchObject([{ orderId: "1", creditsSpent: 1 }]);
    expect(await owner.ledger.begin(attempt("fp", { maxPaidAttempts: 1 }))).toEqual({ outcome: "exhausted" });
    expect(await owner.ledger.begin(attempt("fp"))).toMatchObject({ outcome: "granted" });
  });

  it("has one owner at a time, and any number of other connections", async () => {
    const owner = await open({ exclusive: true });

    await expect(open({ exclusive: true })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(open({ exclusive: true })).rejects.toThrow(
      /is in use by another process: stop it, or use Postgres/,
    );
    await (await open()).ping();
    await owner.close();

    await (await open({ exclusive: true })).ping();
  });

  it("opens a database through a link, and has one owner whatever the path", async () => {
    const link = join(folder, "link.db");
    const first = await open({ exclusive: true });
    symlinkSync(path, link);
    await expect(createSqliteStore({ path: link, dataKey, exclusive: true })).rejects.toThrow(/is in use/);
    await first.close();

    const linked = await createSqliteStore({ path: link, dataKey, exclusive: true });
    stores.push(linked);
    await linked.orders.receive(order("1"), entry("received"));
    expect(await linked.orders.get({ tenant: TENANT, orderId: "1" })).not.toBeNull();
    await expect(open({ exclusive: true })).rejects.toThrow(/is in use/);
  });

  it("releases the lock when it fails to open", async () => {
    await (await open()).close();
    await expect(open({ exclusive: true, key: randomBytes(32) })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });

    await (await open({ exclusive: true })).ping();
  });
});

describe("data at rest", () => {
  /** The bytes of everything the store has on disk. */
  function bytesOnDisk(): Buffer {
    const files = readdirSync(join(folder, "data")).filter((name) => !name.endsWith("-shm"));
    return Buffer.concat(files.map((name) => readFileSync(join(folder, "data", name))));
  }

  function readRaw<T>(query: string): T[] {
    const raw = new DatabaseSync(path, { readOnly: true });
    try {
      return raw.prepare(query).all() as T[];
    } finally {
      raw.close();
    }
  }

  /** Every encrypted value and digest in the database. */
  function traces(): Buffer[] {
    const rows = readRaw<Record<string, Uint8Array | string | null>>(`
      SELECT mapped AS a, result AS b, customer_id AS c, customer_digest AS d, email_digest AS e FROM orders
      UNION ALL SELECT result, NULL, NULL, NULL, NULL FROM answers
      UNION ALL SELECT body, NULL, NULL, NULL, NULL FROM deliveries
      UNION ALL SELECT content, NULL, NULL, NULL, NULL FROM reports`);
    return rows
      .flatMap((row) => Object.values(row))
      .filter((value) => value !== null)
      .map((value) => Buffer.from(value as string));
  }

  /** Whether any part of a value is present: SQLite splits long values at page boundaries. */
  function isOnDisk(trace: Buffer): boolean {
    const bytes = bytesOnDisk();
    const starts = Array.from({ length: Math.ceil(trace.length / 200) }, (_, index) => index * 200);
    return starts.some((start) => bytes.includes(trace.subarray(start, start + 16)));
  }

  it("contains nothing personal and no secret in plain text", async () => {
    await plantCanaries(await open());

    expectNoCanary(bytesOnDisk());
  });

  it("contains not even an encrypted trace after an erasure", async () => {
    const store = await open();
    await plantCanaries(store);
    const before = traces();
    expect(before).toHaveLength(8);
    expect(before.filter((trace) => isOnDisk(trace))).toHaveLength(8);

    await store.retention.eraseOrders(
      { tenant: TENANT, orderIds: [], customerId: undefined, email: CANARIES.email.toUpperCase() },
      entry("erased", T0 + 2 * MINUTE_MS),
    );

    expect(traces()).toEqual([]);
    expect(before.filter((trace) => isOnDisk(trace))).toEqual([]);
    expect(bytesOnDisk().includes("holdfast-high")).toBe(true);
  });

  it("contains nothing about a tenant after its erasure", async () => {
    const store = await open();
    await plantCanaries(store);
    expect(bytesOnDisk().includes(TENANT)).toBe(true);

    await store.retention.eraseTenant(TENANT);

    expect(bytesOnDisk().includes(TENANT)).toBe(false);
    expect(bytesOnDisk().includes("holdfast-high")).toBe(false);
  });

  it("is erased even while another process is reading, and the log is reported as truncated later", async () => {
    const warnings: string[] = [];
    const logger = {
      debug() {},
      info() {},
      warn: (_: object, message: string) => warnings.push(message),
      error() {},
    };
    const store = await open({ logger });
    await plantCanaries(store);
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec("BEGIN; SELECT * FROM orders");

    const request = { tenant: TENANT, orderIds: ["1"], customerId: undefined, email: undefined };
    expect(await store.retention.eraseOrders(request, entry("erased"))).toEqual(["1"]);

    expect(warnings).toEqual([expect.stringContaining("write-ahead log")]);
    reader.close();
  });

  it("returns the readable deliveries when one was tampered with, and keeps that one in the backlog", async () => {
    const errors: object[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error: (fields: object) => errors.push(fields) };
    const store = await open({ logger });
    await store.deliveries.save([delivery("a"), delivery("b"), delivery("c")]);
    const raw = new DatabaseSync(path);
    raw.exec(
      "UPDATE deliveries SET body = (SELECT body FROM deliveries WHERE delivery_id = 'a') WHERE delivery_id = 'b'",
    );
    raw.close();

    const claimed = await store.deliveries.claim(claim("p1"));

    expect(claimed.map((one) => one.deliveryId)).toEqual(["a", "c"]);
    expect(errors).toEqual([{ code: "DATA_UNREADABLE", table: "deliveries", column: "body", row: "b" }]);
    await store.deliveries.finish({ tenant: TENANT, deliveryId: "a" }, "p1", "done");
    await store.deliveries.finish({ tenant: TENANT, deliveryId: "c" }, "p1", "done");
    expect(await store.figures.backlog()).toMatchObject({ pending: 1 });
    expect(await store.orders.nextDueAtMs()).toBe(T0 + 60 * MINUTE_MS);
  });

  it("marks an order as unreadable if its encrypted data was swapped with another's", async () => {
    const store = await open();
    for (const orderId of ["1", "2"]) await store.orders.receive(order(orderId), entry("received"));
    const raw = new DatabaseSync(path);
    raw.exec(
      "UPDATE orders SET mapped = (SELECT mapped FROM orders WHERE order_id = '2') WHERE order_id = '1'",
    );
    raw.close();

    const { orders } = await store.orders.list(TENANT, { limit: 10 });

    expect(orders.find((one) => one.orderId === "1")).toMatchObject({
      mapped: null,
      problem: "DATA_UNREADABLE",
    });
    expect(orders.find((one) => one.orderId === "2")).toMatchObject({ mapped: mapped(), problem: null });
  });
});

it("a reviewer's claim on an order ends after 60 minutes", async () => {
  const store = await open();
  const key = { tenant: TENANT, orderId: "1" };
  await store.reviews.claim(key, { actor: "person:1", nowMs: T0, takeOver: false });
  const claimsAt = async (nowMs: number) => (await store.reviews.listClaims(TENANT, ["1"], nowMs)).size;

  expect(await claimsAt(T0 + 60 * MINUTE_MS - 1)).toBe(1);
  expect(await claimsAt(T0 + 60 * MINUTE_MS)).toBe(0);
  const other = { actor: "person:2", nowMs: T0 + 60 * MINUTE_MS, takeOver: false };
  expect(await store.reviews.claim(key, other)).toBe(true);
});
