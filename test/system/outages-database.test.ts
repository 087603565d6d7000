import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAppFleet, type AppFleet } from "../support/app-fleet.ts";
import { createDatabase, type TestDatabase } from "../support/postgres-database.ts";
import { createDatabaseClock } from "../support/database-clock.ts";
import { createPostgresProxy } from "../support/postgres-proxy.ts";
import { startPostgres, type PostgresServer } from "../support/postgres-server.ts";
import { toExpectedEffects, toShown } from "../support/fleet-orders.ts";
import { until } from "../support/until.ts";

const SHOP = "outage.myshopify.com";
/** Between two orders, so that the slowest machine catches up after an outage in less time than it lasted. */
const SPACING_MS = 100;
const DROPPED = "the connection to the database was lost, so the work under way was dropped";

let server: PostgresServer;
let database: TestDatabase;
let fleet: AppFleet;

// A separate server, because the test stops it.
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());
beforeEach(async () => {
  database = await createDatabase({ serverUrl: server.url });
  const clock = await createDatabaseClock(database);
  await clock.close();
  fleet = await createAppFleet({
    databaseUrl: database.url,
    // So that many calls are under way when it happens.
    service: { latencyMs: 1_000 },
    // Calls that end late, on a busy machine, would be repeated, and are counted below.
    environment: { VERIFY_TIMEOUT_MS: "20000" },
  });
});
afterEach(async () => {
  await fleet.close();
  await database.drop();
});

describe("an outage of Postgres under a stream of webhooks", () => {
  it.for(["stop", "crash"] as const)(
    "is answered with 503, loses and repeats nothing, and ends by itself (%s)",
    async (shutDown, { annotate }) => {
      const all = await fleet.startMany(2);
      await Promise.all(all.map((one) => fleet.install(one, SHOP)));
      const stream = fleet.stream(all, SHOP, SPACING_MS);
      const refused = () => stream.receipts.filter(({ status }) => status === 503);

      await until(() => expect(fleet.service.calls.length).toBeGreaterThan(20));
      await server[shutDown]();
      await until(() => expect(refused().length).toBeGreaterThan(100));
      await server.start();
      // By this clock, no lease that was taken before ends soon: nothing may wait for one.
      await database.query("update test_clock set ahead = -3600000");
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
      // Calls under way when it stopped are saved when it is back, so none is repeated.
      expect(fleet.service.calls).toHaveLength(stream.orders.length);
      expect(await fleet.count("attempts")).toBeGreaterThanOrEqual(fleet.service.calls.length);
      for (const one of all) {
        // To the database, all were gone at the same time, and none was dead.
        expect(one.lines.map(({ msg }) => msg)).not.toContain(
          "a process is gone, so its work was taken back",
        );
        expect(one.alerts("store_unavailable")).toHaveLength(1);
        expect(one.lines.filter(({ resolved }) => resolved === "store_unavailable")).toHaveLength(1);
      }
    },
  );

  it("is answered with 503, loses and repeats nothing, and ends by itself, if the connections hang", async () => {
    const proxy = await createPostgresProxy(database.url);
    try {
      const app = await fleet.start({ DATABASE_URL: proxy.url });
      await fleet.install(app, SHOP);
      const stream = fleet.stream([app], SHOP, SPACING_MS);
      const refused = () => stream.receipts.filter(({ status }) => status === 503);
      await until(() => expect(fleet.service.calls.length).toBeGreaterThan(20));

      proxy.freeze();
      await until(() => expect(refused().length).toBeGreaterThan(20));
      expect((await fetch(new URL("healthz", app.url))).status).toBe(200);
      expect((await fetch(new URL("readyz", app.url))).status).toBe(503);
      proxy.thaw();
      await stream.end();
      await fleet.untilAtRest(stream.orders);

      expect(toShown(fleet.emulator, stream.orders)).toEqual(toExpectedEffects(stream.orders));
      // Calls under way when it hung are saved when it is back, so none is repeated.
      expect(await fleet.count("attempts")).toBe(stream.orders.length);
      expect(fleet.service.calls).toHaveLength(stream.orders.length);
    } finally {
      await proxy.close();
    }
  });

  it.for([
    ["hangs until processes drop their work", "freeze", 0],
    ["hangs until every lease has ended", "freeze", 120_000],
    ["stops until processes drop their work", "stop", 0],
  ] as const)("repeats no call that was answered meanwhile, if it %s", async ([, how, aheadMs]) => {
    const proxy = await createPostgresProxy(database.url);
    try {
      const through = { DATABASE_URL: proxy.url };
      const all = [await fleet.start(through), await fleet.start(through)];
      await Promise.all(all.map((one) => fleet.install(one, SHOP)));
      const stream = fleet.stream(all, SHOP, SPACING_MS);
      await until(() => expect(fleet.service.calls.length).toBeGreaterThan(20));

      if (how === "freeze") proxy.freeze();
      else await server.stop();
      for (const one of all) await until(() => expect(one.lines.map(({ msg }) => msg)).toContain(DROPPED));
      if (aheadMs > 0) await database.query(`update test_clock set ahead = ${aheadMs}`);
      if (how === "freeze") proxy.thaw();
      else await server.start();
      await stream.end();
      await fleet.untilAtRest(stream.orders);

      expect(toShown(fleet.emulator, stream.orders)).toEqual(toExpectedEffects(stream.orders));
      expect(fleet.service.calls).toHaveLength(stream.orders.length);
    } finally {
      await proxy.close();
    }
  });
});
