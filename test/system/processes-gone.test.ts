import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createAppFleet, type AppFleet, type AppProcess } from "../support/app-fleet.ts";
import { createDatabaseClock, type DatabaseClock } from "../support/database-clock.ts";
import { toExpectedEffects, toShown, type ShopOrder } from "../support/fleet-orders.ts";
import { createDatabase, type TestDatabase } from "../support/postgres-database.ts";
import { createPostgresProxy, type PostgresProxy } from "../support/postgres-proxy.ts";
import { until } from "../support/until.ts";

const SHOP = "gone.myshopify.com";
const HOUR_MS = 3_600_000;
const TAKEN_OVER_AFTER_MS = 5_000;
/** Leases of orders last a minute. */
const PAST_EVERY_LEASE_MS = 61_000;
/** Enough that every process has some in work, at this rate and time per call. */
const ORDERS = 60;

let database: TestDatabase;
let clock: DatabaseClock;
let fleet: AppFleet;
let proxy: PostgresProxy | undefined;

beforeEach(async () => {
  database = await createDatabase();
  clock = await createDatabaseClock(database);
  fleet = await createAppFleet({ databaseUrl: database.url, service: { latencyMs: 1_000 } });
});
afterEach(async () => {
  await fleet.close();
  await proxy?.close();
  proxy = undefined;
  await clock.close();
  await database.drop();
});

/** A process of the fleet, and the name under which it holds its claims. */
interface Named {
  readonly app: AppProcess;
  readonly owner: string;
}

/** Start a process, and have it process an order alone, which shows its name. */
async function startNamed(known: readonly Named[], environment: Record<string, string> = {}): Promise<Named> {
  const before = known.map(({ owner }) => `'${owner}'`).join(",") || "''";
  for (const { app } of known) signal(app, "SIGSTOP");
  const app = await fleet.start(environment);
  if (known.length === 0) await fleet.install(app, SHOP);
  const orders = fleet.newOrders(SHOP, 1);
  done.push(...orders);
  await fleet.deliverUntilKept([app], orders[0] as ShopOrder);
  const isAsked = `attempts where owner not in (${before})`;
  await until(async () => expect(await fleet.count(isAsked)).toBeGreaterThan(0));
  for (const one of known) signal(one.app, "SIGCONT");
  await fleet.untilAtRest(done);
  const [row] = await fleet.query(`select owner from ${isAsked}`);
  return { app, owner: String(row?.["owner"]) };
}

/** Every order so far. */
const done: ShopOrder[] = [];
beforeEach(() => void done.splice(0));

function signal({ pid }: AppProcess, name: "SIGSTOP" | "SIGCONT"): void {
  process.kill(pid, name);
}

/** The uptime of a process, for which time passes, while it's frozen, as the database's clock is set ahead. */
function createUptime() {
  const file = join(mkdtempSync(join(tmpdir(), "holdfast-uptime-")), "ahead-ms");
  const pass = (ms: number): void => writeFileSync(file, String(ms));
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  pass(0);
  return { file, pass };
}

const leasedBy = ({ owner }: Named) => `orders where lease_owner like '${owner}/%'`;
const unreadBy = ({ owner }: Named) =>
  `deliveries where due_at is not null and lease_owner like '${owner}/%'`;
const openOf = ({ owner }: Named) => `attempts where state = 'sent' and owner = '${owner}'`;

/** Only a process that has been connected for five seconds declares others dead. */
async function untilSettled(count: number): Promise<void> {
  const settled =
    "processes where registered_at < extract(epoch from pg_catalog.clock_timestamp()) * 1000 - 5500";
  await until(async () => expect(await fleet.count(settled)).toBe(count));
}

/** Deliver orders to all of them until, at one moment, each works on some and waits for calls. */
async function giveWork(all: readonly Named[]): Promise<void> {
  const give = async (amount: number): Promise<void> => {
    const orders = fleet.newOrders(SHOP, amount);
    done.push(...orders);
    await Promise.all(
      orders.map((order, index) => fleet.deliverUntilKept([(all[index % all.length] as Named).app], order)),
    );
  };
  await give(ORDERS);
  await until(
    async () => {
      for (const one of all) {
        expect(await fleet.count(leasedBy(one))).toBeGreaterThan(2);
        expect(await fleet.count(openOf(one))).toBeGreaterThan(0);
      }
    },
    // On a slow machine the first one's calls are over before the last one has made any.
    { between: () => give(all.length) },
  );
}

/** Wait until nothing is left of what a process held; returns how long that took, in milliseconds. */
async function untilTakenOver(victim: Named): Promise<number> {
  const sinceMs = performance.now();
  await until(async () =>
    expect((await fleet.count(leasedBy(victim))) + (await fleet.count(unreadBy(victim)))).toBe(0),
  );
  return Math.round(performance.now() - sinceMs);
}

/** Each order is followed through once, and paid once, or twice if its call was lost with a process. */
async function expectNothingDoubled(lostCalls: number): Promise<void> {
  expect(toShown(fleet.emulator, done)).toEqual(toExpectedEffects(done));
  const paid = fleet.service.calls.filter(({ metered }) => metered);
  expect(new Set(paid.map(({ orderId }) => orderId)).size).toBe(done.length);
  expect(paid.length - done.length).toBeLessThanOrEqual(lostCalls);
  expect(
    await fleet.count("(select order_id from attempts group by order_id having count(*) > 2) as o"),
  ).toBe(0);
}

/** Calls that ended with their process, once nothing is left of what it held. */
const lostOf = ({ owner }: Named) => `attempts where state = 'unknown' and owner = '${owner}'`;
const paidTwice = () => fleet.service.calls.filter(({ metered }) => metered).length - done.length;

/** They wait more than they compute, and other tests run at the same time. */
describe("a process that shares a Postgres with others", { timeout: 300_000 }, () => {
  it.for([0, HOUR_MS, -HOUR_MS])(
    "is taken over from within five seconds when it is killed, whatever its clock says (%i ms ahead)",
    async (aheadMs, { annotate }) => {
      const survivor = await startNamed([]);
      const victim = await startNamed([survivor], { CLOCK_AHEAD_MS: String(aheadMs) });
      await untilSettled(2);
      await giveWork([survivor, victim]);

      // Time in the database passes only as this test says, however slow the machine is.
      const atMs = Date.now();
      await clock.stopAt(atMs);
      await victim.app.end("SIGKILL");
      await until(async () => expect(await fleet.count("processes where missing_since = " + atMs)).toBe(1));
      const [orders, unread] = [await fleet.count(leasedBy(victim)), await fleet.count(unreadBy(victim))];
      await clock.stopAt(atMs + TAKEN_OVER_AFTER_MS);
      await untilTakenOver(victim);
      const calls = await fleet.count(lostOf(victim));
      await clock.setAhead(0);
      await fleet.untilAtRest(done);

      await annotate(
        `killed with ${orders} orders, ${unread} deliveries, ${calls} calls under way: ${paidTwice()} paid again`,
      );
      await expectNothingDoubled(calls);
    },
  );

  it("keeps its work while it is frozen, until its leases end by the database's clock, and doubles nothing afterwards", async ({
    annotate,
  }) => {
    const survivor = await startNamed([]);
    const uptime = createUptime();
    const frozen = await startNamed([survivor], { UPTIME_FILE: uptime.file });
    const killed = await startNamed([survivor, frozen]);
    await untilSettled(3);
    await giveWork([survivor, frozen, killed]);

    signal(frozen.app, "SIGSTOP");
    const held = await fleet.count(leasedBy(frozen));
    await killed.app.end("SIGKILL");
    await untilTakenOver(killed);
    const calls = (await fleet.count(openOf(frozen))) + (await fleet.count(lostOf(killed)));
    expect(held).toBeGreaterThan(0);
    expect(await fleet.count(leasedBy(frozen)), "a frozen process is not dead").toBe(held);

    const others = `orders where lease_owner not like '${frozen.owner}/%' or state not in ('settled', 'review')`;
    await until(async () => expect(await fleet.count(`${others} and lease_owner is null`)).toBe(0));
    await clock.setAhead(PAST_EVERY_LEASE_MS);
    const tookMs = await untilTakenOver(frozen);
    await fleet.untilAtRest(done);
    uptime.pass(PAST_EVERY_LEASE_MS);
    signal(frozen.app, "SIGCONT");
    done.push(...fleet.newOrders(SHOP, 1));
    await fleet.deliverUntilKept([frozen.app], done.at(-1) as ShopOrder);
    await fleet.untilAtRest(done);
    // Once it has ended, all the work that it still had is over.
    await frozen.app.end("SIGTERM");

    await annotate(
      `frozen with ${held} orders: kept; taken over ${tookMs} ms after its leases ended, ${paidTwice()} paid again`,
    );
    await expectNothingDoubled(calls);
  });

  it("keeps its work when its connections are cut and it connects again", async ({ annotate }) => {
    proxy = await createPostgresProxy(database.url);
    const survivor = await startNamed([]);
    const victim = await startNamed([survivor], { DATABASE_URL: proxy.url });
    await untilSettled(2);
    const registered = await fleet.query("select process_id from processes order by process_id");
    await giveWork([survivor, victim]);

    for (let times = 0; times < 3; times += 1) {
      const before = proxy.accepted();
      proxy.cut();
      await until(() => proxy !== undefined && proxy.accepted() > before, { what: "it connects again" });
    }
    await fleet.untilAtRest(done);

    await annotate(`cut three times: ${paidTwice()} paid again`);
    expect(await fleet.query("select process_id from processes order by process_id")).toEqual(registered);
    await expectNothingDoubled(0);
  });

  it("gives up its work when it is cut off for longer, and comes back under another name", async ({
    annotate,
  }) => {
    proxy = await createPostgresProxy(database.url);
    const survivor = await startNamed([]);
    const victim = await startNamed([survivor], { DATABASE_URL: proxy.url });
    await untilSettled(2);
    const registered = await fleet.query("select process_id from processes order by process_id");
    await giveWork([survivor, victim]);

    // By this clock, no lease ends before it is taken over.
    await clock.setAhead(-HOUR_MS);
    proxy.shut();
    const tookMs = await untilTakenOver(victim);
    const calls = await fleet.count(lostOf(victim));
    await fleet.untilAtRest(done);
    proxy.open();
    await until(async () => expect(await fleet.count("processes")).toBe(2));
    done.push(...fleet.newOrders(SHOP, 1));
    await fleet.deliverUntilKept([victim.app], done.at(-1) as ShopOrder);
    await fleet.untilAtRest(done);

    await annotate(`cut off: taken over after ${tookMs} ms, ${paidTwice()} paid again`);
    expect(await fleet.query("select process_id from processes order by process_id")).not.toEqual(registered);
    const lines = victim.app.lines.map(({ msg }) => msg);
    expect(lines).toContain("the connection to the database was lost, so the work under way was dropped");
    await expectNothingDoubled(calls);
  });
});
