import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPostgresStore } from "../../src/store/opening/postgres-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createDatabase, type TestDatabase } from "../support/postgres-database.ts";
import { attempt, delivery, entry, order, T0, TENANT } from "../store/samples.ts";
import { createStoreProcesses, type ProcessMode, type StoreProcess } from "../store/store-processes.ts";
import { until } from "../support/until.ts";

const dataKey = randomBytes(32);
const processes = createStoreProcesses(dataKey);
const databases: TestDatabase[] = [];
let database: TestDatabase;
let store: Store;

beforeEach(async () => {
  database = await make();
  store = await createPostgresStore({ url: database.url, dataKey, now: () => T0 });
});
afterEach(async () => {
  processes.killAll();
  await store.close();
  await Promise.all(databases.splice(0).map((one) => one.drop()));
});

async function make(options: { readonly empty?: boolean } = {}): Promise<TestDatabase> {
  const made = await createDatabase(options);
  databases.push(made);
  return made;
}

async function startAll(count: number, mode: ProcessMode, url = database.url): Promise<StoreProcess[]> {
  const started = Array.from({ length: count }, () => processes.start(mode, url));
  await Promise.all(started.map((one) => one.until((lines) => lines.includes("open"))));
  return started;
}

/** Let processes start at the same moment, and wait until all are done. */
async function runAll(count: number, mode: ProcessMode): Promise<StoreProcess[]> {
  const started = await startAll(count, mode);
  for (const one of started) one.go();
  await Promise.all(started.map((one) => one.until((lines) => lines.includes("done"))));
  return started;
}

describe("a postgres store among processes", () => {
  it.each([{ count: 2 }, { count: 4 }])(
    "pays once for a hundred requests when $count processes race for them",
    async ({ count }) => {
      const racers = await runAll(count, "race");

      const granted = racers.flatMap((racer) => racer.said("granted"));
      expect(granted).toHaveLength(100);
      expect(new Set(granted).size).toBe(100);
      const use = await store.ledger.creditUse(TENANT, { dayStartMs: 0, monthStartMs: 0 });
      expect(use.spentToday).toBe(100);
    },
  );

  it("alerts once for each incident, and reminds once, however many processes see it", async () => {
    const tellers = await runAll(4, "tell");

    for (const word of ["opened", "reminded"]) {
      const told = tellers.flatMap((teller) => teller.said(word));
      expect(told, word).toHaveLength(50);
      expect(new Set(told).size, word).toBe(50);
    }
  });

  it("does not spend beyond a cap, however many processes ask", async () => {
    const spenders = await runAll(4, "budget");

    expect(spenders.flatMap((spender) => spender.said("granted"))).toHaveLength(25);
    expect(spenders.flatMap((spender) => spender.said("over-budget"))).toHaveLength(4 * 60 - 25);
  });

  it("hands out every delivery once to processes that claim at the same time", async () => {
    const tenants = ["shopify:flood.example", "shopify:calm.example", TENANT];
    const sizes = [700, 30, 170];
    const all = tenants.flatMap((tenant, index) =>
      Array.from({ length: sizes[index] ?? 0 }, (_, number) => delivery(`d${number}`, { tenant })),
    );
    await store.deliveries.save(all);

    const claimers = await runAll(4, "claim");

    const claimed = claimers.map((claimer) => claimer.said("claimed"));
    expect(claimed.flat().toSorted()).toEqual(all.map((one) => `${one.tenant} ${one.deliveryId}`).toSorted());
    expect(claimed.every((ofOne) => ofOne.length > 0)).toBe(true);
  });

  it("loses nothing that a killed process acknowledged, and soon treats its calls as unknown", async () => {
    const [writer] = await startAll(1, "commit");
    writer?.go();
    await writer?.until((lines) => lines.length > 200);
    await writer?.kill();

    const ids = writer?.said("delivery") ?? [];
    const again = await store.deliveries.save(ids.map((id) => delivery(id)));
    expect(again).toHaveLength(ids.length);
    expect(again.filter(Boolean)).toEqual([]);
    const [open = ""] = writer?.said("attempt") ?? [];
    const once = { maxPaidAttempts: 1 };
    expect(await store.ledger.begin(attempt(open, once))).toMatchObject({ outcome: "busy" });
    await until(async () =>
      expect(await store.ledger.begin(attempt(open, once))).toEqual({ outcome: "exhausted" }),
    );
  });

  it("wakes the listeners of every process when work is due", async () => {
    const listeners = await startAll(2, "listen");
    const heard = () => listeners.map((one) => one.lines.filter((line) => line === "work").length);
    // Its first output says that it listens.
    await Promise.all(listeners.map((one) => one.until((lines) => lines.includes("work"))));
    const works: readonly (() => Promise<unknown>)[] = [
      () => store.deliveries.save([delivery("a")]),
      () => store.orders.receive(order("1"), entry("received")),
    ];

    for (const work of works) {
      const before = heard();
      await work();
      await Promise.all(
        listeners.map((one, index) =>
          one.until((lines) => lines.filter((line) => line === "work").length > (before[index] ?? 0)),
        ),
      );
    }
  });

  it("migrates an empty database once when processes start together", async () => {
    const empty = await make({ empty: true });

    await startAll(4, "own", empty.url);

    expect(await empty.query("select version, name from schema_migrations")).toEqual([
      { version: 1, name: "initial" },
    ]);
  });
});
