import { afterEach, beforeEach, expect, it } from "vitest";
import { SCHEMA_VERSION } from "../../src/store/schema/migrate.ts";
import { createAppFleet, type AppFleet } from "../support/app-fleet.ts";
import { unpackEarlierRelease, type EarlierRelease } from "../support/earlier-release.ts";
import { toExpectedEffects, toShown } from "../support/fleet-orders.ts";
import { createDatabase, type TestDatabase } from "../support/postgres-database.ts";
import { until } from "../support/until.ts";

const SHOP = "upgraded.myshopify.com";
/** About as many orders a second as two slow cores can follow through with three processes. */
const SPACING_MS = 150;
/** Orders that arrive in each stage of the upgrade. */
const ORDERS_A_STAGE = 15;

let database: TestDatabase;
let fleet: AppFleet;
let earlier: EarlierRelease;

beforeEach(async () => {
  database = await createDatabase({ empty: true });
  fleet = await createAppFleet({ databaseUrl: database.url, service: { latencyMs: 200 } });
  earlier = unpackEarlierRelease("0.1.0-schema-7");
});
afterEach(async () => {
  await fleet.close();
  await database.drop();
  earlier.remove();
});

const readSchema = async (): Promise<unknown> =>
  (await fleet.query("select max(version) as version from schema_migrations"))[0]?.["version"];

it("two releases share a Postgres during an upgrade: no order lost, none processed or paid for twice", async ({
  annotate,
}) => {
  const old = [await fleet.start({}, earlier.script), await fleet.start({}, earlier.script)] as const;
  expect(await readSchema()).toBe(earlier.schema);
  await fleet.install(old[0], SHOP);
  // Postgres answers with a retry while it migrates, and a stopping process with 503: each is delivered again.
  const targets = [...old];
  const stream = fleet.stream(targets, SHOP, SPACING_MS);
  const untilMore = async (): Promise<void> => {
    const enough = stream.orders.length + ORDERS_A_STAGE;
    await until(() => stream.orders.length >= enough);
  };
  await untilMore();

  const first = await fleet.start();
  expect(await readSchema()).toBe(SCHEMA_VERSION);
  targets.push(first);
  await untilMore();
  await expect(fleet.start({}, earlier.script)).rejects.toThrow("STORE_SCHEMA_NEWER");

  await old[0].end("SIGTERM");
  targets.splice(targets.indexOf(old[0]), 1);
  targets.push(await fleet.start());
  await untilMore();
  await old[1].end("SIGKILL");
  targets.splice(targets.indexOf(old[1]), 1);
  await untilMore();
  await stream.end();
  await fleet.untilAtRest(stream.orders);

  const paid = fleet.service.calls.filter(({ metered }) => metered);
  await annotate(`${stream.orders.length} orders, ${paid.length} credits`);
  expect(toShown(fleet.emulator, stream.orders)).toEqual(toExpectedEffects(stream.orders));
  expect(new Set(paid.map(({ orderId }) => orderId)).size).toBe(stream.orders.length);
  const cutOff = await fleet.count("attempts where state = 'unknown'");
  expect(paid.length - stream.orders.length).toBeLessThanOrEqual(cutOff);
});
