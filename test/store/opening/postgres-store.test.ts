import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify, inspect } from "node:util";
import { Client } from "pg";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { openConfiguredStore } from "../../../src/store/opening/open-store.ts";
import type { PostgresStoreOptions } from "../../../src/store/opening/postgres-options.ts";
import { createPostgresStore } from "../../../src/store/opening/postgres-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { parseConfig } from "../../../src/config.ts";
import { createDatabaseClock } from "../../support/database-clock.ts";
import { createDatabase, toDatabaseUrl, type TestDatabase } from "../../support/postgres-database.ts";
import { onCallersClock } from "../caller-clock.ts";
import { CANARIES, expectNoCanary, plantCanaries } from "../canaries.ts";
import { describeStore } from "../conformance.ts";
import { attempt, claim, delivery, entry, order, T0, TENANT } from "../samples.ts";
import { describeReopening } from "./reopening-cases.ts";
import { until } from "../../support/until.ts";

const dataKey = randomBytes(32);
const databases: TestDatabase[] = [];
const stores: Store[] = [];

afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  await Promise.all(databases.splice(0).map((database) => database.drop()));
});

async function make(options: { readonly empty?: boolean } = {}): Promise<TestDatabase> {
  const database = await createDatabase(options);
  databases.push(database);
  return database;
}

async function open(changes: Partial<PostgresStoreOptions> = {}): Promise<Store> {
  const url = changes.url ?? (await make()).url;
  const store = await createPostgresStore({ dataKey, now: () => T0, ...changes, url });
  stores.push(store);
  return store;
}

/** Empties all tables except those of the schema and the process, referencing tables first. */
const EMPTY = `do $$ declare name text; begin
  for name in select tablename from pg_tables where schemaname = 'public'
    and tablename not in ('schema_migrations', 'test_clock', 'meta', 'processes')
    order by exists (select from pg_constraint where contype = 'f' and conrelid = tablename::regclass) desc
  loop
    execute format('delete from %I', name);
  end loop;
end $$`;

/** One store for the whole suite, emptied before each test: opening one per test takes longer than most tests do. */
async function openSuite() {
  const database = await createDatabase();
  const clock = await createDatabaseClock(database);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const store = await createPostgresStore({ url: database.url, dataKey, now: () => T0 });
  return {
    async openEmpty(): Promise<Store> {
      await client.query(EMPTY);
      await clock.stopAt(T0);
      const close = async (): Promise<void> => {};
      return onCallersClock({ ...store, close }, { ...clock, close });
    },
    async close(): Promise<void> {
      await Promise.all([store.close(), clock.close(), client.end()]);
      await database.drop();
    },
  };
}
let suite: ReturnType<typeof openSuite> | undefined;
afterAll(async () => (await suite)?.close());

describeStore(
  "postgres store",
  async () => (await (suite ??= openSuite())).openEmpty(),
  () => open(),
);

describe("createPostgresStore", () => {
  describeReopening(
    async () => {
      const { url } = await make({ empty: true });
      return (key) => open({ dataKey: undefined, ...key, url });
    },
    () => "the database",
  );

  it("is what a `postgres:` DATABASE_URL opens", async () => {
    const database = await make();
    const { url } = database;
    const config = parseConfig({ DATABASE_URL: url, DATA_KEY: dataKey.toString("base64") });

    for (const exclusive of [true, true, false]) {
      stores.push(await openConfiguredStore(config, { exclusive }));
    }

    await Promise.all(stores.map((store) => store.ping()));
    expect(await database.query("select name from meta where name = 'ping'")).toHaveLength(1);
  });

  it("refuses to open without a key, naming DATA_KEY", async () => {
    const refusal = open({ dataKey: undefined });

    await expect(refusal).rejects.toMatchObject({ code: "CONFIG_INVALID", retryable: false });
    await expect(refusal).rejects.toThrow(/^`dataKey` \(DATA_KEY\): /);
  });

  it("refuses a database that a newer version has written to, and changes nothing", async () => {
    const database = await make();
    const { url } = database;
    await database.query("insert into schema_migrations values (9999, 'future', 0)");

    await expect(open({ url })).rejects.toMatchObject({ code: "STORE_SCHEMA_NEWER", retryable: false });

    expect(await database.query("select * from meta")).toEqual([]);
  });

  it("doesn't touch the leases of other processes", async () => {
    const { url } = await make();
    const first = await open({ url });
    await first.deliveries.save([delivery("a")]);
    await first.deliveries.claim(claim("p1"));
    await first.ledger.begin(attempt("fp"));

    const second = await open({ url });

    expect(await second.deliveries.claim(claim("p2"))).toEqual([]);
    expect(await second.ledger.begin(attempt("fp"))).toMatchObject({ outcome: "busy" });
  });

  it("reports what is wrong with the address, and never the address itself", async () => {
    const database = await make({ empty: true });
    const { url } = database;
    const user = `u${randomBytes(6).toString("hex")}`;
    await database.query(`create role ${user} login`);
    await database.query(`create role ${user}_out nologin`);
    await database.query("revoke create on schema public from public");
    const wrong: readonly [address: string, expected: RegExp][] = [
      ["postgres://u:hunter2@[", /^`url` \(DATABASE_URL\): expected postgres:\/\/.*percent-encoded/],
      ["postgres://u:hunter2@db.example.com/x?sslrootcert=/none.pem", /^`url` \(DATABASE_URL\): expected /],
      [toDatabaseUrl(url, "hunter2"), /^`url` \(DATABASE_URL\): there is no such database$/],
      [url.replace("holdfast@", `${user}:hunter2@`), /may not create and change tables\. Make it the owner/],
      [url.replace("holdfast@", `${user}_out:hunter2@`), /refuses this user, or a connection without TLS/],
    ];

    for (const [address, expected] of wrong) {
      const refusal = await open({ url: address }).catch((error: unknown) => error);

      expect(refusal).toMatchObject({ code: "CONFIG_INVALID", retryable: false });
      expect((refusal as Error).message).toMatch(expected);
      expect((refusal as Error).message).not.toContain("hunter2");
      if (!address.includes("/hunter2")) expect(inspect(refusal, { depth: 9 })).not.toContain("hunter2");
    }
    await expect(open({ poolSize: 0 })).rejects.toThrow(/^poolSize: /);
    await database.query(`alter role ${user} connection limit 0`);
    await expect(open({ url: url.replace("holdfast@", `${user}@`) })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: "the database or its user has too many connections",
    });
    await database.query(`drop role ${user}, ${user}_out`);
  });

  it("reports that nobody answers, and hides the password", async () => {
    const silent = createServer();
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const address = `postgres://u:hunter2@127.0.0.1:${port}/x`;
    const waits = await open({ url: address }).catch((error: unknown) => error);
    silent.close();

    const refused = await open({ url: address }).catch((error: unknown) => error);

    for (const error of [waits, refused]) {
      expect(error).toMatchObject({ code: "STORE_UNAVAILABLE", retryable: true });
      expect(inspect(error, { depth: 9 })).not.toContain("hunter2");
    }
    expect((waits as Error).message).toMatch(/^no connection to the database \(.*timeout\): check/);
    expect((refused as Error).message).toBe(
      "no connection to the database (ECONNREFUSED): check its address, and that it runs",
    );
  });

  it.each([
    [
      "what a connection pooler has to ignore",
      // PgBouncer's answer to startup parameters that it doesn't know.
      ["E", "SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0"],
      /^`url` \(DATABASE_URL\): .* ignore the startup parameters statement_timeout/,
    ],
    [
      "that the address lacks a password",
      ["R", "\0\0\0\x0aSCRAM-SHA-256\0\0", "R", "\0\0\0\x0br=x,s=eA==,i=4096"],
      /^`url` \(DATABASE_URL\): the database asks for a password$/,
    ],
  ])("says %s, and ends the connection", async (_what, answers, expected) => {
    const server = createServer((socket) =>
      socket.on("data", () => {
        const [type = "", text = ""] = answers.splice(0, 2);
        const length = Buffer.alloc(4);
        length.writeInt32BE(text.length + 4);
        socket.write(Buffer.concat([Buffer.from(type), length, Buffer.from(text, "latin1")]));
      }),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;

    const refusal = await open({ url: `postgres://u@127.0.0.1:${port}/x` }).catch((error: unknown) => error);
    // Only the app can end its connection here. A real server would after a minute.
    server.close();
    await once(server, "close");

    expect(refusal).toMatchObject({ code: "CONFIG_INVALID" });
    expect((refusal as Error).message).toMatch(expected);
  });

  it("reports a read-only database as unhealthy, and leaves the sessions that are read-only", async () => {
    const database = await make();
    const { url } = database;
    const name = url.replace(/^.*\//, "");
    const store = await open({ url });
    await database.query(`alter database ${name} set default_transaction_read_only = on`);
    await database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'holdfast' and datname = current_database()",
    );

    await until(async () =>
      expect(await store.ping().catch((error: Error) => error.message)).toBe("the database is read-only"),
    );
    await expect(store.ping()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", retryable: true });

    // As after a failover: the address leads to the new server, and open sessions stay on the old one.
    await database.query(
      `begin read write; alter database ${name} reset default_transaction_read_only; commit`,
    );
    await until(() => expect(store.ping()).resolves.toBeUndefined());
  });

  it("stores texts that Postgres would refuse", async () => {
    const store = await open();
    const fresh = order("1", { name: "a\0b \uD800 c" });
    await store.orders.receive(fresh, entry("received"));

    expect(await store.orders.get({ tenant: TENANT, orderId: "1" })).toMatchObject({
      name: "a\uFFFDb \uFFFD c",
    });
    expect(await store.orders.get({ tenant: TENANT, orderId: "1\0" })).toBeNull();
  });

  it("erases a tenant even while its orders are being written", async () => {
    const store = await open();
    const write = async (round: number): Promise<void> => {
      await store.orders.receive(order(`o${round % 3}`), entry("received"));
      await store.orders.end(
        { tenant: TENANT, orderId: `o${(round + 1) % 3}` },
        "shopify",
        T0,
        entry("cancelled-on-platform"),
      );
    };

    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        [0, 1, 2, 3, 4]
          .map((index): Promise<unknown> => write(round + index))
          .concat(store.retention.eraseTenant(TENANT)),
      );
    }

    await store.retention.eraseTenant(TENANT);
    expect((await store.orders.list(TENANT, { limit: 10 })).orders).toEqual([]);
  });
});

describe("data at rest in postgres", () => {
  const TABLES =
    "deliveries orders order_timeline order_steps attempts answers tenants policies reports meta".split(" ");

  /** Everything that a query can return, as text; bytes unchanged. */
  async function dump(database: TestDatabase): Promise<Buffer> {
    const rows = await Promise.all(TABLES.map((table) => database.query(`select * from ${table}`)));
    const values = rows.flat().flatMap((row) => Object.values(row));
    return Buffer.concat(
      values.map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(`${String(value)}\n`))),
    );
  }

  it("contains nothing personal and no secret in plain text", async () => {
    const database = await make();
    await plantCanaries(await open({ url: database.url }));

    expectNoCanary(await dump(database));
  });

  it("contains not even an encrypted value or a digest after an erasure", async () => {
    const database = await make();
    const store = await open({ url: database.url });
    await plantCanaries(store);
    const traces = `
      select mapped::text as trace from orders where mapped is not null
      union all select result::text from orders where result is not null
      union all select customer_id::text from orders where customer_id is not null
      union all select customer_digest from orders where customer_digest is not null
      union all select email_digest from orders where email_digest is not null
      union all select result::text from answers
      union all select body::text from deliveries where body is not null
      union all select content::text from reports`;
    expect(await database.query(traces)).toHaveLength(8);

    await store.retention.eraseOrders(
      { tenant: TENANT, orderIds: [], customerId: undefined, email: CANARIES.email.toUpperCase() },
      entry("erased", T0 + 1),
    );

    expect(await database.query(traces)).toEqual([]);
  });
});

describe("the pg package", () => {
  const entryPoint = JSON.stringify(join(import.meta.dirname, "../../../src/index.ts"));
  const loaded = async (statement: string): Promise<number> => {
    const script = `
      import { createRequire } from "node:module";
      import { createSqliteStore } from ${entryPoint};
      await (await createSqliteStore({ path: ":memory:", dataKey: Buffer.alloc(32) })).close();
      ${statement};
      const files = Object.keys(createRequire(import.meta.url).cache);
      console.log(files.filter((file) => /node_modules.pg./.test(file)).length);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
    return Number(stdout);
  };

  it("isn't loaded unless Postgres is used", async () => {
    expect(await loaded("")).toBe(0);
    expect(await loaded('await import("pg")')).toBeGreaterThan(0);
  });
});
