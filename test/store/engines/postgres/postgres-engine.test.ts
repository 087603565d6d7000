import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import * as driver from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SILENT_LOGGER } from "../../../../src/base/logger.ts";
import type { Engine } from "../../../../src/store/engines/engine.ts";
import { createKeyring } from "../../../../src/store/sealing/keyring.ts";
import { createKyselyStore } from "../../../../src/store/kysely-store.ts";
import { createPostgresEngine } from "../../../../src/store/engines/postgres/postgres-engine.ts";
import type { Database } from "../../../../src/store/schema/schema.ts";
import { createDatabase, type TestDatabase } from "../../../support/postgres-database.ts";
import { claim, delivery, T0 } from "../../samples.ts";
import { until } from "../../../support/until.ts";

/** Only sessions of this database: other tests share the server. */
const WAITING_FOR_NAME = `
  select 1 from pg_locks join pg_database on pg_database.oid = pg_locks.database
  where datname = current_database() and locktype = 'advisory' and not granted`;

describe("createPostgresEngine", () => {
  let database: TestDatabase;
  const engines: Engine[] = [];
  const clients: driver.Client[] = [];

  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
    await database.drop();
  });

  function open(poolSize = 4): Engine {
    const engine = createPostgresEngine({ driver, url: database.url, poolSize, logger: SILENT_LOGGER });
    engines.push(engine);
    return engine;
  }
  async function connect(): Promise<driver.Client> {
    const client = new driver.Client({ connectionString: database.url });
    await client.connect();
    clients.push(client);
    return client;
  }
  const put = (db: Database, name: string, value = "") =>
    db
      .insertInto("meta")
      .values({ name, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
      .execute();
  const names = async (engine: Engine) =>
    (await engine.read((db) => db.selectFrom("meta").select("name").orderBy("name").execute())).map(
      (row) => row.name,
    );
  const pidOf = async (db: Database) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid ?? 0;
  const waitingForLocks = async () => (await database.query(WAITING_FOR_NAME)).length;

  it("reads only committed rows, and rolls back a unit that throws", async () => {
    const engine = open();
    let seen: string[] = [];
    await engine.write(async (db) => {
      await put(db, "written");
      seen = await names(engine);
    });
    const failed = engine.write(async (db) => {
      await put(db, "undone");
      throw new Error("changed its mind");
    });

    await expect(failed).rejects.toThrow("changed its mind");
    expect(seen).toEqual([]);
    expect(await names(engine)).toEqual(["written"]);
  });

  it("limits how long any operation may take, except those expected to take minutes", async () => {
    const engine = open();
    const limits = async (unhurried: boolean) =>
      engine.write(
        async (db) =>
          (
            await sql`select current_setting('statement_timeout') as statement,
              current_setting('idle_in_transaction_session_timeout') as standstill,
              current_setting('transaction_isolation') as isolation`.execute(db)
          ).rows[0],
        { unhurried },
      );
    const name = database.url.replace(/^.*\//, "");
    await database.query(`alter database ${name} set default_transaction_isolation = 'serializable'`);

    expect(await limits(false)).toEqual({ statement: "30s", standstill: "15s", isolation: "read committed" });
    expect(await limits(true)).toEqual({ statement: "0", standstill: "15s", isolation: "read committed" });
  });

  it("runs units with the same name one after the other, across processes, and doesn't delay others", async () => {
    const [one, other] = [open(), open()];
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
    const log: string[] = [];
    const first = one.write(
      async () => {
        log.push("first begins");
        await gate;
        log.push("first ends");
      },
      { alone: "same" },
    );
    await until(() => expect(log).toHaveLength(1));
    const second = other.write(() => Promise.resolve(log.push("second")), { alone: "same" });
    await until(async () => expect(await waitingForLocks()).toBe(1));
    await other.write(() => Promise.resolve(log.push("stranger")), { alone: "another" });

    openGate();
    await Promise.all([first, second]);

    expect(log).toEqual(["first begins", "stranger", "first ends", "second"]);
  });

  it("keeps connections free for other work while many units wait for their turn", async () => {
    const engine = open(2);
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
    const crowd = Array.from({ length: 20 }, () => engine.write(() => gate, { alone: "same" }));

    await engine.write((db) => put(db, "stranger"));

    expect(await names(engine)).toEqual(["stranger"]);
    openGate();
    await Promise.all(crowd);
  });

  // The library that moves a clock (`.ci/at-time`) keeps the server's own timer for deadlocks from firing.
  it.skipIf("FAKETIME" in process.env)("retries a unit that was the victim of a deadlock", async () => {
    const engine = open();
    await engine.write((db) => put(db, "a").then(() => put(db, "b")));
    const { promise: bothHaveOne, resolve } = Promise.withResolvers<void>();
    let runs = 0;
    let holding = 0;
    const swap = (names: readonly [string, string], value: string) =>
      engine.write(async (db) => {
        runs += 1;
        await put(db, names[0], value);
        if ((holding += 1) === 2) resolve();
        await bothHaveOne;
        await put(db, names[1], value);
      });

    await Promise.all([swap(["a", "b"], "one"), swap(["b", "a"], "other")]);

    expect(runs).toBe(3);
    const [a, b] = await database.query("select value from meta order by name");
    expect(a).toEqual(b);
  });

  it("gives up on a unit that conflicts with others again and again", async () => {
    const engine = open();
    let runs = 0;
    const refusal = engine.write(async (db) => {
      runs += 1;
      await sql`do $$ begin raise exception 'in the way' using errcode = '40001'; end $$`.execute(db);
    });

    await expect(refusal).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", retryable: true });
    expect(runs).toBe(5);
  });

  it.each([
    ["57014", "STORE_UNAVAILABLE", true],
    ["53100", "STORE_UNAVAILABLE", true],
    ["55P03", "STORE_UNAVAILABLE", true],
    ["58030", "STORE_UNAVAILABLE", true],
    ["XX001", "STORE_UNAVAILABLE", false],
    ["22012", "22012", undefined],
  ])("turns SQLSTATE %s into %s", async (state, code, retryable) => {
    const engine = open();
    const raise = (db: Database) =>
      sql.raw(`do $$ begin raise exception 'no' using errcode = '${state}'; end $$`).execute(db);

    const errors = [
      await engine.write(raise).catch((error: unknown) => error),
      await engine.read(raise).catch((error: unknown) => error),
    ];

    for (const error of errors) {
      expect(error).toMatchObject({ code });
      expect((error as { retryable?: boolean }).retryable).toBe(retryable);
    }
    expect(await names(engine)).toEqual([]);
  });

  it("keeps values out of errors", async () => {
    const engine = open();

    const error: unknown = await engine
      .write((db) =>
        sql`insert into tenants (tenant, platform) values ('jane@shop.example', 'x')`.execute(db),
      )
      .catch((refusal: unknown) => refusal);

    expect(error).toMatchObject({ code: "23502" });
    expect(JSON.stringify(error)).not.toContain("jane");
  });

  it("reads whole numbers as numbers, and refuses one that would be rounded", async () => {
    const engine = open();
    const select = (text: string) =>
      engine.read(
        async (db) =>
          (await sql<{ n: unknown }>`select ${sql.raw(text)}::bigint as n`.execute(db)).rows[0]?.n,
      );

    expect(await select("9007199254740991")).toBe(9_007_199_254_740_991);
    expect(await select("-1")).toBe(-1);
    await expect(select("9007199254740993")).rejects.toThrow(RangeError);
    expect(await select("1")).toBe(1);
  });

  it("survives the loss of idle and busy sessions, and continues", async () => {
    const engine = open();
    await engine.write((db) => put(db, "before"));
    const cut = engine.write(async (db) => {
      await put(db, "cut");
      await database.query(`select pg_terminate_backend(${await pidOf(db)}, 5000)`);
      await put(db, "cut again");
    });

    await expect(cut).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", retryable: true });
    // Leaves an idle session behind.
    expect(await names(engine)).toEqual(["before"]);
    await database.query(
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'holdfast' and datname = current_database()",
    );

    await until(async () => expect(await names(engine).catch(() => [])).toEqual(["before"]));
  });

  it("claims past rows that a stalled process holds", async () => {
    const engine = open();
    const store = createKyselyStore({ engine, keyring: createKeyring(randomBytes(32)), now: () => T0 });
    const tenants = Array.from({ length: 9 }, (_, index) => `shopify:t${index}.example`);
    await store.deliveries.save(
      tenants.map((tenant, index) => delivery("a", { tenant, receivedAtMs: T0 - 100 + index })),
    );
    await store.deliveries.save([delivery("b", { tenant: tenants[0] ?? "", receivedAtMs: T0 })]);
    const still = await connect();
    // Each holds one of the three oldest rows. A claim of three that waited for them would see no other rows.
    await still.query("begin");
    await still.query("select 1 from deliveries order by received_at limit 3 for update");

    const claimed = async (limit: number) =>
      (await store.deliveries.claim(claim("p1", { limit }))).map((one) => `${one.tenant} ${one.deliveryId}`);

    expect(await claimed(3)).toEqual([`${tenants[0]} b`]);
    expect(await claimed(3)).toEqual([3, 4, 5].map((index) => `${tenants[index]} a`));
    expect(await claimed(9)).toEqual([6, 7, 8].map((index) => `${tenants[index]} a`));
    expect(await claimed(9)).toEqual([]);
    await still.query("rollback");
    expect(await claimed(9)).toEqual([0, 1, 2].map((index) => `${tenants[index]} a`));
  });

  it("claims a row that is only referenced by another transaction", async () => {
    const engine = open();
    const store = createKyselyStore({ engine, keyring: createKeyring(randomBytes(32)), now: () => T0 });
    await store.deliveries.save([delivery("a")]);
    const other = await connect();
    await other.query("begin");
    await other.query("select 1 from deliveries for key share");

    expect(await store.deliveries.claim(claim("p1"))).toHaveLength(1);
  });

  it("notifies all listeners, until they stop", async () => {
    const [one, other] = [open(), open()];
    const heard = { one: 0, other: 0, stopped: 0 };
    one.onWork(() => (heard.one += 1));
    const stop = one.onWork(() => (heard.stopped += 1));
    other.onWork(() => (heard.other += 1));
    // Each is notified once when it starts to listen.
    await until(() => expect(heard).toEqual({ one: 1, other: 1, stopped: 1 }));
    stop();

    for (let times = 0; times < 50; times += 1) one.announceWork();

    // A burst is one notification now and one for the rest.
    await until(() => expect(heard).toEqual({ one: 3, other: 3, stopped: 1 }));
    one.announceWork();
    await one.close();
    await until(() => expect(heard.other).toBe(4));
  });

  it("tells listeners of all processes which tenants changed", async () => {
    const [one, other] = [open(), open()];
    const heard: (string | null)[] = [];
    const stop = other.onChange((tenant) => heard.push(tenant));
    // Once when it starts to listen: earlier changes may have got lost.
    await until(() => expect(heard).toEqual([null]));

    for (let times = 0; times < 50; times += 1) one.announceChange("a");
    one.announceChange("b");
    await until(() => expect(heard).toContain("b"));
    stop();
    one.announceChange("c");
    await one.close();

    expect(new Set(heard)).toEqual(new Set([null, "a", "b"]));
    expect(heard.length).toBeLessThan(10);
  });

  it("rejects reads and writes after it was closed", async () => {
    const engine = open();
    const accepted = [engine.write((db) => put(db, "accepted")), engine.write((db) => put(db, "too"))];
    await engine.close();

    await Promise.all(accepted);
    await expect(names(engine)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await expect(engine.write((db) => put(db, "late"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await engine.scrub();
    engine.announceWork();
    engine.onWork(() => {})();
    await engine.close();
    expect(await database.query("select name from meta order by name")).toEqual([
      { name: "accepted" },
      { name: "too" },
    ]);
  });
});
