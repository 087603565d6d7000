import { randomBytes } from "node:crypto";
import * as driver from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SILENT_LOGGER } from "../../../../src/base/logger.ts";
import { createPostgresStore } from "../../../../src/store/opening/postgres-store.ts";
import { createRegisteredProcess } from "../../../../src/store/engines/postgres/postgres-process.ts";
import type { Store } from "../../../../src/store/store.ts";
import { createDatabaseClock, type DatabaseClock } from "../../../support/database-clock.ts";
import { createLogRecorder } from "../../../support/log-recorder.ts";
import { createPostgresProxy } from "../../../support/postgres-proxy.ts";
import { createDatabase, type TestDatabase } from "../../../support/postgres-database.ts";
import { attempt, claim, delivery, entry, MINUTE_MS, order, T0, TENANT } from "../../samples.ts";
import { aResult } from "../../../support/orders.ts";
import { until } from "../../../support/until.ts";

const DATA_KEY = randomBytes(32);
const HOUR_MS = 60 * MINUTE_MS;
const KEY = { tenant: TENANT, orderId: "1" };

let database: TestDatabase;
let clock: DatabaseClock;
let store: Store;

beforeEach(async () => {
  database = await createDatabase();
  clock = await createDatabaseClock(database);
  await clock.stopAt(T0);
  store = await createPostgresStore({ url: database.url, dataKey: DATA_KEY, now: () => T0 });
});
afterEach(async () => {
  await store.close();
  await clock.close();
  await database.drop();
});

/** Leases of every kind, for a minute, taken by a process whose clock is right. */
async function leaseAll(): Promise<void> {
  await store.deliveries.save([delivery("d")]);
  await store.orders.receive(order("1"), entry("received"));
  expect(await store.deliveries.claim(claim("p1"))).toHaveLength(1);
  expect(await store.orders.claim(claim("p1"))).toHaveLength(1);
  expect(await store.ledger.begin(attempt("fp"))).toMatchObject({ outcome: "granted" });
  expect(await store.leases.acquire("sweep", "p1", T0, T0 + MINUTE_MS)).toBe(true);
}

/** Which of them a process could take by its clock. */
async function take(nowMs: number): Promise<readonly boolean[]> {
  return [
    (await store.deliveries.claim(claim("p2", { nowMs }))).length > 0,
    (await store.orders.claim(claim("p2", { nowMs }))).length > 0,
    (await store.ledger.begin(attempt("fp", { nowMs }))).outcome !== "busy",
    await store.leases.acquire("sweep", "p2", nowMs, nowMs + MINUTE_MS),
  ];
}

describe("leases in a postgres store", () => {
  it.each([HOUR_MS, -HOUR_MS, 0])(
    "end by the database's clock, whatever the clock of the process that reads them says (%i ms ahead)",
    async (aheadMs) => {
      await leaseAll();

      await clock.stopAt(T0 + MINUTE_MS - 1);
      const early = await take(T0 + aheadMs);
      await clock.stopAt(T0 + MINUTE_MS);
      const late = await take(T0 + aheadMs);

      expect(early).toEqual([false, false, false, false]);
      // What becomes due an hour after a process's own time isn't due for that process.
      expect(late).toEqual(aheadMs < 0 ? [false, false, true, true] : [true, true, true, true]);
    },
  );

  it.each([HOUR_MS, -HOUR_MS])(
    "last as long as requested, whatever their holder's clock says (%i ms ahead)",
    async (aheadMs) => {
      const nowMs = T0 + aheadMs;
      await store.orders.receive(order("1", { receivedAtMs: Math.min(T0, nowMs) }), entry("received"));
      await store.orders.claim(claim("p1", { nowMs }));
      await store.leases.acquire("sweep", "p1", nowMs, nowMs + MINUTE_MS);
      await clock.stopAt(T0 + MINUTE_MS / 2);
      expect(await store.orders.renew(KEY, "p1", { nowMs, leaseMs: MINUTE_MS })).toBe(true);

      await clock.stopAt(T0 + MINUTE_MS);
      expect(await store.orders.claim(claim("p2", { nowMs: T0 + MINUTE_MS }))).toEqual([]);
      expect(await store.leases.acquire("sweep", "p2", T0, T0 + MINUTE_MS)).toBe(true);
      await clock.stopAt(T0 + MINUTE_MS / 2 + MINUTE_MS);
      expect(await store.orders.claim(claim("p2", { nowMs: T0 + 2 * MINUTE_MS }))).toHaveLength(1);
    },
  );

  it("don't delay for others what was received by a clock that is ahead", async () => {
    await store.deliveries.save([delivery("d", { receivedAtMs: T0 + HOUR_MS })]);
    await store.orders.receive(order("1", { receivedAtMs: T0 + HOUR_MS }), entry("received", T0 + HOUR_MS));

    expect(await store.deliveries.claim(claim("p1"))).toHaveLength(1);
    expect(await store.orders.claim(claim("p1"))).toHaveLength(1);
  });

  it("name the registered process, unless they have to outlive it", async () => {
    await leaseAll();
    await store.leases.acquire("mine", "p1", T0, T0 + MINUTE_MS, { endsWithProcess: true });

    const [registered] = await database.query("select process_id from processes");
    const holders = await database.query(`
      select 'order' as what, process_id from orders union all select 'delivery', process_id from deliveries
      union all select 'call', process_id from attempts union all select name, process_id from leases order by what`);

    expect(registered).toBeDefined();
    expect(holders).toEqual([
      { what: "call", ...registered },
      { what: "delivery", ...registered },
      { what: "mine", ...registered },
      { what: "order", ...registered },
      { what: "sweep", process_id: null },
    ]);
    await store.orders.save(KEY, "p1", { changes: {}, release: true });
    expect(await database.query("select 1 from orders where process_id is not null")).toEqual([]);
  });
});

/** A store of another process, whose connections a test can cut. */
async function openBehindProxy() {
  const proxy = await createPostgresProxy(database.url);
  const cutOff = await createPostgresStore({ url: proxy.url, dataKey: DATA_KEY, now: () => T0 });
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  cutOff.onLeasesLost(resolve);
  return {
    proxy,
    cutOff,
    /** It dropped its work. */
    lost,
    /** Its id, while no other process has registered. */
    registered: async (): Promise<string> => {
      const [row] = await database.query("select process_id from processes");
      return String(row?.["process_id"]);
    },
    close: async (): Promise<void> => {
      await cutOff.close();
      await proxy.close();
    },
  };
}

/** How long after its registration a process took a lease of a minute, by the database's clock. */
async function waitedFor(table: string): Promise<number> {
  const waited = `lease_until - registered_at - ${MINUTE_MS}`;
  const [row] = await database.query(
    `select ${waited} as waited from ${table} join processes using (process_id)`,
  );
  return Number(row?.["waited"]);
}

async function pidOf(client: driver.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid ?? 0;
}

describe("createRegisteredProcess", () => {
  const register = (url: string, parts: Partial<Parameters<typeof createRegisteredProcess>[0]> = {}) =>
    createRegisteredProcess({ driver, url, now: () => T0, logger: SILENT_LOGGER, ...parts });

  it("has no id behind a pooler, whose server process isn't the one from the handshake", async () => {
    const { logger, lines } = createLogRecorder();
    class Pooled extends driver.Client {
      get processID(): number {
        return -1;
      }
      set processID(_own: number) {}
    }
    const registered = register(database.url, { driver: { ...driver, Client: Pooled }, logger });

    expect(await registered.id()).toBeNull();
    await registered.close();

    expect(await database.query("select 1 from processes")).toEqual([]);
    expect(lines.map(({ message }) => message)).toEqual([
      "the database is reached through a connection pooler, so a dead process's work waits until its leases end",
    ]);
  });

  it("has its id again after its connection was ended, and logs nothing", async () => {
    let losses = 0;
    const registered = register(database.url);
    registered.onLeasesLost(() => (losses += 1));
    const before = await registered.id();

    await database.query(
      "select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory' and objsubid = 1 and database = (select oid from pg_database where datname = current_database())",
    );
    await until(async () => expect(await registered.id()).toBe(before));
    await registered.close();

    expect(before).not.toBeNull();
    expect(losses).toBe(0);
  });

  it("registers under another id if it was removed while it had no connection, and logs it", async () => {
    let losses = 0;
    const registered = register(database.url);
    registered.onLeasesLost(() => (losses += 1));
    const before = await registered.id();

    await database.query(`
      delete from processes;
      select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory' and objsubid = 1 and database = (select oid from pg_database where datname = current_database())`);
    await until(() => expect(losses).toBe(1));
    await until(async () => expect(await registered.id()).not.toBe(before));
    const after = await registered.id();
    await registered.close();

    expect(await database.query("select process_id from processes")).toEqual([{ process_id: after }]);
  });

  it("can claim its work again after being cut off for too long, before the leases end", async () => {
    const { proxy, cutOff, lost, close } = await openBehindProxy();
    await cutOff.orders.receive(order("2"), entry("received"));
    expect(await cutOff.orders.claim(claim("p1"))).toHaveLength(1);

    proxy.shut();
    await lost;
    proxy.open();

    // The database's clock stands still: no lease ends.
    await until(async () => expect(await cutOff.orders.claim(claim("p2")).catch(() => [])).toHaveLength(1));
    await close();
  });

  it("keeps its paid calls after being cut off for too long, so that their answers are saved first", async () => {
    const { proxy, cutOff, lost, close } = await openBehindProxy();
    await cutOff.orders.receive(order("2"), entry("received"));
    await cutOff.orders.claim(claim("p1"));
    const call = await cutOff.ledger.begin(attempt("fp"));

    proxy.shut();
    await lost;
    await clock.stopAt(T0 + HOUR_MS);
    proxy.open();
    await until(async () => expect(await cutOff.orders.claim(claim("p2")).catch(() => [])).toHaveLength(1));

    expect(await store.ledger.begin(attempt("fp"))).toMatchObject({ outcome: "busy" });
    const { attemptId } = call as Extract<typeof call, { outcome: "granted" }>;
    await cutOff.ledger.finish(attemptId, { state: "answered", result: aResult() }, T0);
    expect(await store.ledger.begin(attempt("fp"))).toMatchObject({ outcome: "answered" });
    await close();
  });

  it("saves answers on new connections if the old ones are dead without an error", async () => {
    await clock.setAhead(0);
    const { proxy, cutOff, registered, close } = await openBehindProxy();
    const request = attempt("fp", { leaseMs: 1_000 });
    const call = (await cutOff.ledger.begin(request)) as { readonly attemptId: string };
    const before = await registered();
    proxy.strand();
    const end = { state: "answered", result: aResult() } as const;
    const saved = until(() => cutOff.ledger.finish(call.attemptId, end, T0).then(() => true));

    await until(async () => expect(await registered()).not.toBe(before));
    const outcome = await until(async () => {
      const found = (await store.ledger.begin(request)).outcome;
      return found !== "busy" && found;
    });

    expect(outcome).toBe("answered");
    await saved;
    await close();
  });

  it("claims and calls nothing for two seconds after being cut off for too long, so that others save their answers first", async () => {
    await clock.setAhead(0);
    const { proxy, cutOff, lost, registered, close } = await openBehindProxy();
    await cutOff.orders.receive(order("2"), entry("received"));
    expect(await cutOff.orders.claim(claim("p1"))).toHaveLength(1);
    const before = await registered();

    proxy.shut();
    await lost;
    proxy.open();
    await until(async () => expect(await registered()).not.toBe(before));
    await cutOff.ledger.begin(attempt("fp", { leaseMs: MINUTE_MS }));
    await until(async () => expect(await cutOff.orders.claim(claim("p1"))).toHaveLength(1));

    for (const table of ["orders", "attempts"]) expect(await waitedFor(table)).toBeGreaterThanOrEqual(1_900);
    await close();
  });

  it("lets no call begin that waited while the process lost its place: others may repeat it", async () => {
    await clock.setAhead(0);
    const { cutOff, lost, registered, close } = await openBehindProxy();
    const before = await (await cutOff.ledger.begin(attempt("first")), registered());
    const other = new driver.Client(database.url);
    await other.connect();
    const ledger = `hashtextextended('holdfast:ledger:${TENANT}', 0)`;
    await other.query(`select pg_advisory_lock(${ledger})`);
    const here = "database = (select oid from pg_database where datname = current_database())";
    const isWaiting = `select 1 from pg_locks where locktype = 'advisory' and not granted and ${here}`;
    const first = cutOff.ledger.begin(attempt("ended")).catch(() => "lost");
    // Waits for its turn, and gets it on a new connection.
    const begun = cutOff.ledger.begin(attempt("fp", { leaseMs: MINUTE_MS }));
    await until(async () => expect(await database.query(isWaiting)).toHaveLength(1));

    await database.query(`
      delete from processes;
      select pg_terminate_backend(pid, 5000) from pg_locks
      where locktype = 'advisory' and objsubid = 1 and granted and pid <> ${await pidOf(other)} and ${here}`);
    await lost;
    await until(async () => expect(await registered()).not.toBe("undefined"));
    expect(await registered()).not.toBe(before);
    await other.end();

    expect(await first).toBe("lost");
    expect(await begun).toMatchObject({ outcome: "granted", sinceUptimeMs: Number.NEGATIVE_INFINITY });
    expect(await cutOff.ledger.begin(attempt("next"))).toMatchObject({ sinceUptimeMs: expect.any(Number) });
    await close();
  });

  it("answers callers that asked for an id while there was no connection, when it is closed", async () => {
    const registered = register("postgres://nobody@127.0.0.1:1/nothing");
    expect(await registered.id()).toBeNull();

    const asked = registered.id();
    await registered.close();

    expect(await asked).toBeNull();
  });
});
