import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { createPostgresStore } from "../../../../src/store/opening/postgres-store.ts";
import { createDatabase } from "../../../support/postgres-database.ts";
import { createLogRecorder } from "../../../support/log-recorder.ts";
import { until } from "../../../support/until.ts";
import { claim } from "../../samples.ts";

const dataKey = randomBytes(32);

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

it("waits while the database has no connection left, and says so once", async () => {
  const database = await createDatabase({ empty: true });
  const role = `crowded_${randomBytes(4).toString("hex")}`;
  await database.query(`create role ${role} login connection limit 3`);
  await database.query(`alter database ${new URL(database.url).pathname.slice(1)} owner to ${role}`);
  const url = database.url.replace("holdfast@", `${role}@`);
  const log = createLogRecorder();
  // One connection stays from opening, so two more are free.
  const store = await createPostgresStore({ url, dataKey, logger: log.logger });
  const others = await Promise.all([connect(url), connect(url)]);
  onTestFinished(async () => {
    await store.close();
    await database.drop();
  });

  const pings = [store.ping(), store.ping(), store.ping()];
  const isFull = (): readonly unknown[] =>
    log.lines.filter(({ message }) => String(message).includes("accepts no more connections"));
  await until(() => expect(isFull()).toHaveLength(1));
  for (const other of others) await other.end();

  await Promise.all(pings);
  expect(isFull()).toHaveLength(1);
});

it("outlives a certificate that can't be read while it is replaced", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-certificate-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const certificate = join(folder, "ca.pem");
  writeFileSync(certificate, "a certificate");
  const database = await createDatabase();
  // Read, although it isn't used without TLS.
  const url = `${database.url}?sslmode=disable&sslrootcert=${encodeURIComponent(certificate)}`;
  const store = await createPostgresStore({ url, dataKey });
  onTestFinished(async () => {
    await store.close();
    await database.drop();
  });
  store.onWork(() => {});
  await store.orders.claim(claim("p1"));

  rmSync(certificate);
  await database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );

  // An error that nobody catches would fail the run. Calls wait in the pool too, whose events make clients.
  const failed = await Promise.allSettled(Array.from({ length: 8 }, () => store.ping()));
  for (const each of failed)
    expect(each).toMatchObject({
      status: "rejected",
      reason: { code: "STORE_UNAVAILABLE", retryable: true },
    });
  expect(await store.orders.claim(claim("p1")).catch((error: unknown) => error)).toMatchObject({
    code: "STORE_UNAVAILABLE",
  });

  writeFileSync(certificate, "another certificate");
  await store.ping();
  expect(await store.orders.claim(claim("p2"))).toEqual([]);
});
