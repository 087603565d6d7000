import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSqliteStore } from "../../src/store/opening/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";
import { attempt, delivery, T0 } from "../store/samples.ts";
import { createStoreProcesses } from "../store/store-processes.ts";

const dataKey = randomBytes(32);
const processes = createStoreProcesses(dataKey);
let folder: string;
let path: string;
const stores: Store[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-store-"));
  path = join(folder, "holdfast.db");
});
afterEach(async () => {
  processes.killAll();
  await Promise.all(stores.splice(0).map((store) => store.close()));
  rmSync(folder, { recursive: true });
});

async function open(exclusive: boolean): Promise<Store> {
  const store = await createSqliteStore({ path, dataKey, exclusive, now: () => T0 });
  stores.push(store);
  return store;
}

describe("a sqlite store among processes", () => {
  it("loses nothing that it acknowledged when it is killed", async () => {
    for (const acknowledged of [50, 333, 1_000]) {
      const writer = processes.start("commit", path);
      await writer.until((lines) => lines.includes("open"));
      writer.go();
      await writer.until((lines) => lines.length > acknowledged);
      await writer.kill();

      // At once, without waiting for the dead process's lock or leases.
      const store = await open(true);

      const again = await store.deliveries.save(writer.said("delivery").map((id) => delivery(id)));
      expect(again).toHaveLength(writer.said("delivery").length);
      expect(again.filter(Boolean)).toEqual([]);
      expect(writer.said("attempt").length).toBeGreaterThan(0);
      for (const id of writer.said("attempt")) {
        // The call may have been made: it counts, and nobody is asking anymore.
        expect(await store.ledger.begin(attempt(id, { maxPaidAttempts: 1 }))).toEqual({
          outcome: "exhausted",
        });
      }
      await store.retention.eraseTenant(delivery("").tenant);
      await store.close();
    }
  });

  it("is refused while another process owns the file, and free once that process is killed", async () => {
    const owner = processes.start("own", path);
    await owner.until((lines) => lines.includes("open"));

    await expect(open(true)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(open(true)).rejects.toThrow(/in use by another process/);
    await (await open(false)).ping();

    await owner.kill();
    await (await open(true)).ping();
  });

  it("grants a fingerprint once when processes race for it", async () => {
    const store = await open(false);
    const racers = Array.from({ length: 3 }, () => processes.start("race", path));
    for (const racer of racers) await racer.until((lines) => lines.includes("open"));

    for (const racer of racers) racer.go();
    await Promise.all(racers.map((racer) => racer.until((lines) => lines.includes("done"))));

    const granted = racers.flatMap((racer) => racer.said("granted"));
    expect(granted).toHaveLength(100);
    expect(new Set(granted).size).toBe(100);
    const use = await store.ledger.creditUse(delivery("").tenant, { dayStartMs: 0, monthStartMs: 0 });
    expect(use.spentToday).toBe(100);
  });

  it("alerts once for each incident, and reminds once, however many processes see it", async () => {
    await open(false);
    const tellers = Array.from({ length: 3 }, () => processes.start("tell", path));
    for (const teller of tellers) await teller.until((lines) => lines.includes("open"));

    for (const teller of tellers) teller.go();
    await Promise.all(tellers.map((teller) => teller.until((lines) => lines.includes("done"))));

    for (const word of ["opened", "reminded"]) {
      const told = tellers.flatMap((teller) => teller.said(word));
      expect(told, word).toHaveLength(50);
      expect(new Set(told).size, word).toBe(50);
    }
  });
});
