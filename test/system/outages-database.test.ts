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
    service: { latencyMs: 100 },
    // Calls that end late, on a busy machine, would be repeated and distort the time that is checked below.
    environment: { VERIFY_TIMEOUT_MS: "5000" },
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

      const saved = await until(async () => {
        const rows = await fleet.query("select attempt_id from attempts where ended_at is not null");
        return rows.length > 20 && rows.map(({ attempt_id: id }) => `'${String(id)}'`);
      });
      await server[shutDown]();
      await until(() => expect(refused().length).toBeGreaterThan(100));
      await server.start();
      // By this clock, no lease that was taken before ends soon: nothing may wait for one.
      await database.query("update test_clock set ahead = -3600000");
      const backAtMs = performance.now();
      const startedAtMs = Date.now();
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
      // A call that was under way when the database stopped may have been paid without a trace, and is repeated. So is
      // a call that was answered a moment before, because it is saved only once the database is back. No other call is.
      const lost = `first.started_at <= ${startedAtMs} and first.attempt_id not in (${saved.join(",")})`;
      const isRepeated =
        "exists (select 1 from attempts as later where later.order_id = first.order_id and later.started_at > first.started_at)";
      expect(await fleet.count(`attempts as first where ${isRepeated} and not (${lost})`)).toBe(0);
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
});
