import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { request } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAppFleet, type AppFleet, type AppProcess } from "../support/app-fleet.ts";
import { toExpectedEffects, toShown } from "../support/fleet-orders.ts";
import { until } from "../support/until.ts";

const SHOP = "full-disk.myshopify.com";
/** Between two orders, so that the slowest machine catches up after an outage in less time than it lasted. */
const SPACING_MS = 100;
const run = promisify(execFile);

let folder: string;
let path: string;
let fleet: AppFleet;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-disk-"));
  path = join(folder, "holdfast.db");
  fleet = await createAppFleet({
    databaseUrl: `sqlite:${path}`,
    // Its default timeout: a call that times out on a slow machine is rightly repeated, and counted here.
    service: { latencyMs: 100 },
  });
});
afterEach(async () => {
  await fleet.close();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Limit the process's files to that many bytes: every write past them fails, as on a full disk, and Node ignores the
 * signal that comes with it (setrlimit(2), RLIMIT_FSIZE). Sets only the soft limit, which needs no rights.
 */
const limitFiles = (one: AppProcess, bytes: number | "unlimited") =>
  run("prlimit", [`--pid=${one.pid}`, `--fsize=${bytes}:`]);

const isReady = async (one: AppProcess): Promise<boolean> => {
  const answer = await request(new URL("readyz", one.url));
  await answer.body.dump();
  return answer.statusCode === 200;
};

describe("a full disk under a stream of webhooks", () => {
  it("is answered with 503, loses and repeats nothing, and ends by itself once there is room", async ({
    annotate,
  }) => {
    const app = await fleet.start();
    await fleet.install(app, SHOP);
    const stream = fleet.stream([app], SHOP, SPACING_MS);
    const refused = () => stream.receipts.filter(({ status }) => status === 503);

    await until(() => expect(fleet.service.calls.length).toBeGreaterThan(20));
    await limitFiles(app, 1_024);
    await until(() => expect(refused().length).toBeGreaterThan(100));
    expect(await isReady(app)).toBe(false);
    // Nothing may wait for a lease that was taken before.
    const database = new DatabaseSync(path);
    database.exec("update orders set lease_until = lease_until + 3600000");
    database.exec("update deliveries set lease_until = lease_until + 3600000");
    database.close();
    await limitFiles(app, "unlimited");
    const backAtMs = performance.now();
    const keptSince = () => stream.receipts.filter(({ status, atMs }) => status === 200 && atMs > backAtMs);
    await until(() => expect(keptSince().length).toBeGreaterThan(20));
    await stream.end();
    const keptAtMs = performance.now();
    await fleet.untilAtRest(stream.orders);

    await annotate(
      `${refused().length} refused; back: kept again after ${Math.round((keptSince()[0]?.atMs ?? 0) - backAtMs)} ms, ` +
        `all kept after ${Math.round(keptAtMs - backAtMs)} ms, all followed through after ${Math.round(performance.now() - backAtMs)} ms`,
    );
    expect(new Set(stream.receipts.map(({ status }) => status))).toEqual(new Set([200, 503]));
    expect(refused().filter(({ retryAfter = "" }) => !/^[1-9]\d*$/.test(retryAfter))).toEqual([]);
    expect(toShown(fleet.emulator, stream.orders)).toEqual(toExpectedEffects(stream.orders));
    // Asked and answered once: the app remembers what it couldn't write.
    expect(fleet.service.calls).toHaveLength(stream.orders.length);
    await until(async () => expect(await isReady(app)).toBe(true));
    expect(app.alerts("store_unavailable")).toHaveLength(1);
    expect(app.lines.filter(({ resolved }) => resolved === "store_unavailable")).toHaveLength(1);
  });
});
