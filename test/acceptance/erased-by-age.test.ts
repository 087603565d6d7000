import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createRetentionChore } from "../../src/pipeline/chores/retention-chore.ts";
import { createSqliteStore } from "../../src/store/opening/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";
import type { RetentionStep } from "../../src/store/retention/retention.ts";
import {
  attempt,
  claim,
  decision,
  delivery,
  entry,
  mapped,
  order,
  result,
  T0,
  TENANT,
} from "../store/samples.ts";

const DAY_MS = 86_400_000;
const CANARIES = {
  name: "Canaryname Example",
  email: "canary@canary-mail.example",
  reasoning: "Canaryreason",
  customer: "c-7733445566",
  report: "Canaryreport",
  body: "Canarybody",
};

let folder: string;
let path: string;
let store: Store;
let nowMs: number;

/** Every byte of the database: pages, log, lock. */
function readFiles(): Buffer {
  return Buffer.concat(readdirSync(folder).map((file) => readFileSync(join(folder, file))));
}

/** The sealed values as they are in the file: the key could open whatever is found there. */
function readSealed(): readonly Buffer[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const statements = [
    "select mapped from orders union all select result from orders union all select customer_id from orders",
    "select content from order_changes union all select content from reports",
    "select result from answers union all select body from deliveries",
  ];
  const rows = statements.flatMap((statement) => database.prepare(statement).all());
  database.close();
  return rows
    .flatMap((row) => Object.values(row))
    .flatMap((value) => (value instanceof Uint8Array ? [Buffer.from(value)] : []));
}

/** A piece from the middle of each value, because long values are split over several pages. */
const findSealed = (sealed: readonly Buffer[], files: Buffer): number =>
  sealed.filter((value) => files.includes(value.subarray(value.length / 2, value.length / 2 + 16))).length;

async function keepAll(): Promise<void> {
  const { name, email, reasoning, customer, report, body } = CANARIES;
  await store.orders.receive(
    order("1", { customerId: customer, mapped: mapped(email, name) }),
    entry("received"),
  );
  const grant = await store.ledger.begin(attempt("fp", { orderId: "1" }));
  if (grant.outcome !== "granted") throw new Error(grant.outcome);
  await store.ledger.finish(grant.attemptId, { state: "answered", result: result(reasoning) }, T0);
  await store.orders.revise(
    { tenant: TENANT, orderId: "1" },
    {
      asOfMs: T0,
      nowMs: T0,
      revision: {
        mapped: mapped(email, name),
        amount: 1,
        currency: "USD",
        rescreen: false,
        enriched: true,
        attempts: 0,
        sinceMs: T0,
      },
      customerId: undefined,
      material: false,
      fields: [{ path: "customerName", material: false, before: name, after: "Jane Example" }],
      entry: entry("context-changed"),
      seen: { asOfMs: null, revisedAtMs: null, decidedAtMs: null, revision: null },
    },
  );
  await store.orders.claim(claim("p1"));
  await store.orders.save({ tenant: TENANT, orderId: "1" }, "p1", {
    changes: { state: "settled", dueAtMs: null, result: result(reasoning), decision: decision() },
    release: true,
  });
  await store.reports.save(TENANT, "r1", report, T0);
  await store.deliveries.save([delivery("stuck", { body: Buffer.from(body) })]);
}

async function erase(
  atMs: number,
  eraseAged: Store["retention"]["eraseAged"] = (...args) => store.retention.eraseAged(...args),
) {
  const parts = { logger: SILENT_LOGGER, now: () => nowMs, owner: `p${atMs}` };
  const retention = createRetentionChore({
    ...parts,
    store: { ...store, retention: { ...store.retention, eraseAged } },
  });
  // A month since the last run is a sudden jump: it has to last before anything is deleted.
  nowMs = atMs - DAY_MS / 2;
  expect(await retention.run(new AbortController().signal)).toBeNull();
  nowMs = atMs;
  return retention.run(new AbortController().signal);
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-age-"));
  path = join(folder, "holdfast.db");
  store = await createSqliteStore({ path, dataKey: randomBytes(32), now: () => T0 });
  await keepAll();
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

describe("data past its retention", () => {
  it("is in no byte of the files anymore, sealed or not, and its order can still be shown", async () => {
    const before = readSealed();
    expect(before.length).toBeGreaterThan(5);
    expect(findSealed(before, readFiles()), "this search would find it").toBe(before.length);

    await erase(T0 + 31 * DAY_MS);
    const stuck = readSealed().filter((value) => before.some((known) => known.equals(value)));
    expect(stuck, "the body that could not be carried out yet").toHaveLength(1);
    expect(findSealed(before, readFiles())).toBe(1);
    expect(await store.orders.get({ tenant: TENANT, orderId: "1" })).toMatchObject({
      state: "settled",
      mapped: null,
      result: null,
      problem: null,
      decision: { riskLevel: "high", riskScore: 70 },
    });
    expect(await store.orders.listChanges({ tenant: TENANT, orderId: "1" })).toMatchObject([{ fields: [] }]);

    await erase(T0 + 91 * DAY_MS);
    expect(findSealed(before, readFiles())).toBe(0);
    for (const canary of Object.values(CANARIES)) expect(readFiles().includes(canary), canary).toBe(false);
    expect(await store.orders.get({ tenant: TENANT, orderId: "1" })).toBeNull();
  });

  it("is gone after a crash during the erasure, whatever had been erased by then", async () => {
    const before = readSealed();
    const steps: readonly RetentionStep[] = ["answer-content", "stuck-deliveries", "orders", "answers"];

    for (const [index, step] of steps.entries()) {
      const crash = erase(T0 + 91 * DAY_MS + index, (at, ...rest) =>
        at === step ? Promise.reject(new Error("killed")) : store.retention.eraseAged(at, ...rest),
      );
      await expect(crash).rejects.toThrow("killed");
    }
    await erase(T0 + 91 * DAY_MS + steps.length);

    expect(readSealed()).toEqual([]);
    expect(findSealed(before, readFiles())).toBe(0);
  });
});
