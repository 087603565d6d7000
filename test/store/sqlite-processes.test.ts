import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSqliteStore } from "../../src/store/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { attempt, delivery, T0 } from "./samples.ts";

const SCRIPT = join(import.meta.dirname, "store-child.ts");
const dataKey = randomBytes(32);
let folder: string;
let path: string;
const stores: Store[] = [];
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-store-"));
  path = join(folder, "holdfast.db");
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await Promise.all(stores.splice(0).map((store) => store.close()));
  rmSync(folder, { recursive: true });
});

async function open(exclusive: boolean): Promise<Store> {
  const store = await createSqliteStore({ path, dataKey, exclusive, now: () => T0 });
  stores.push(store);
  return store;
}

/** A child that works on the database, and what it has said so far. */
function start(mode: "commit" | "own" | "race") {
  const child = spawn(process.execPath, [SCRIPT, mode, path, dataKey.toString("base64")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const exited = once(child, "close");
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  const heard = new Promise<void>((resolve) => reader.once("close", resolve));
  const waiting: { readonly isEnough: () => boolean; readonly resolve: () => void }[] = [];
  reader.on("line", (line) => {
    lines.push(line);
    for (const one of waiting) if (one.isEnough()) one.resolve();
  });
  return {
    lines,
    child,
    until: (isEnough: (all: readonly string[]) => boolean) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ isEnough: () => isEnough(lines), resolve });
        if (isEnough(lines)) resolve();
        void exited.then(() => reject(new Error(`the child ended after ${lines.length} lines`)));
      }),
    async kill() {
      child.kill("SIGKILL");
      await exited;
      await heard;
    },
    exited,
  };
}

describe("a sqlite store among processes", () => {
  it("loses nothing that it acknowledged when it is killed", async () => {
    for (const acknowledged of [50, 333, 1_000]) {
      const writer = start("commit");
      await writer.until((lines) => lines.length > acknowledged);
      await writer.kill();
      const ids = (kind: string) =>
        writer.lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));

      // At once, without waiting for the dead process's lock or leases.
      const store = await open(true);

      const again = await store.saveDeliveries(ids("delivery").map((id) => delivery(id)));
      expect(again).toHaveLength(ids("delivery").length);
      expect(again.filter(Boolean)).toEqual([]);
      expect(ids("attempt").length).toBeGreaterThan(0);
      for (const id of ids("attempt")) {
        // The call may have been made: it counts, and nobody is asking any more.
        expect(await store.beginAttempt(attempt(id, { maxPaidAttempts: 1 }))).toEqual({
          outcome: "exhausted",
        });
      }
      await store.eraseTenant(delivery("").tenant);
      await store.close();
    }
  });

  it("is refused while another process owns the file, and free once that is killed", async () => {
    const owner = start("own");
    await owner.until((lines) => lines.includes("open"));

    await expect(open(true)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(open(true)).rejects.toThrow(/in use by another process/);
    await (await open(false)).ping();

    await owner.kill();
    await (await open(true)).ping();
  });

  it("grants a fingerprint once when processes race for it", async () => {
    const store = await open(false);
    const racers = [start("race"), start("race"), start("race")];
    for (const racer of racers) await racer.until((lines) => lines.includes("open"));

    for (const racer of racers) racer.child.stdin.write("go\n");
    await Promise.all(racers.map((racer) => racer.until((lines) => lines.includes("done"))));

    const granted = racers.flatMap((racer) => racer.lines.filter((line) => line.startsWith("granted ")));
    expect(granted).toHaveLength(100);
    expect(new Set(granted).size).toBe(100);
    const use = await store.creditUse(delivery("").tenant, { dayStartMs: 0, monthStartMs: 0 });
    expect(use.spentToday).toBe(100);
  });
});
