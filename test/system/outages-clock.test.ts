import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createAppFleet, type AppFleet } from "../support/app-fleet.ts";
import { createDatabase } from "../support/postgres-database.ts";
import { toExpectedEffects, toShown, type ShopOrder } from "../support/fleet-orders.ts";
import { until } from "../support/until.ts";

const SHOP = "clock.myshopify.com";
const HOUR_MS = 3_600_000;
/** Under way when the clock jumps. */
const AT_ONCE = 3;

let fleet: AppFleet | undefined;
let removePlace = async (): Promise<void> => {};

afterEach(async () => {
  await fleet?.close();
  await removePlace();
});

/** The address of the test's own database. */
async function makePlace(kind: "sqlite" | "postgres"): Promise<string> {
  if (kind === "postgres") {
    const database = await createDatabase();
    removePlace = () => database.drop();
    return database.url;
  }
  const folder = await mkdtemp(join(tmpdir(), "holdfast-clock-"));
  removePlace = () => rm(folder, { recursive: true, force: true });
  return `sqlite:${join(folder, "holdfast.db")}`;
}

/** Ten seconds alone, and a minute while other tests run. */
const TIMEOUT = { timeout: 300_000 };

describe("a clock that jumps while orders are being processed", () => {
  it.each([
    { kind: "sqlite", processes: 1 },
    { kind: "postgres", processes: 2 },
  ] as const)(
    "keeps no order waiting and pays for none twice ($kind)",
    TIMEOUT,
    async ({ kind, processes }) => {
      const stage = await createAppFleet({ databaseUrl: await makePlace(kind), service: { latencyMs: 800 } });
      fleet = stage;
      const all = await stage.startMany(processes);
      await Promise.all(all.map((one) => stage.install(one, SHOP)));
      const orders: ShopOrder[] = [];

      /** Set the clocks while orders arrive, are checked and are followed through; then wait for the last of them. */
      async function jumpInTheMiddle(aheadMs: number): Promise<void> {
        const { calls } = stage.service;
        const before = calls.length;
        const begun = () => calls.slice(before);
        const isUnderWay = () => begun().filter(({ status }) => status === null).length >= AT_ONCE;
        const stream = stage.stream(all, SHOP, 40);
        await until(() => expect(begun().length > 2 * AT_ONCE && isUnderWay()).toBe(true));
        await Promise.all(all.map((one) => one.setClock(aheadMs)));
        const atJump = begun().length;
        await until(() => expect(begun().length).toBeGreaterThan(atJump + AT_ONCE));
        await stream.end();
        orders.push(...stream.orders);
        await stage.untilAtRest(orders);
      }

      await jumpInTheMiddle(HOUR_MS);
      await jumpInTheMiddle(0);
      await jumpInTheMiddle(-HOUR_MS);

      expect(toShown(stage.emulator, orders)).toEqual(toExpectedEffects(orders));
      expect(stage.service.calls).toHaveLength(orders.length);
      expect(await stage.count("attempts where state = 'answered'")).toBe(orders.length);
      // Three days, by the clock that was right when it was held.
      expect(await stage.count(`orders where hold_deadline_at - decided_at <> ${72 * HOUR_MS}`)).toBe(0);
      expect(await stage.count("orders where hold_deadline_at is not null")).toBe(
        await stage.count("orders where action = 'hold'"),
      );
      // Only the first hour forward ends the token by the app's clock.
      const asked = stage.emulator.requests.filter(({ tokenMode }) => tokenMode === "offline");
      expect(asked).toHaveLength(2);
    },
  );
});
