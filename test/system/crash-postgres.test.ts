import { randomBytes } from "node:crypto";
import { describe, expect, it, type TestContext } from "vitest";
import { RISK_LEVELS, type RiskLevel } from "../../src/order/risk-level.ts";
import { createCampaign, tell, type Campaign } from "../support/crash-campaign.ts";
import { toDelivery, type CrashOrder } from "../support/crash-orders.ts";
import { createCrashStage } from "../support/crash-stage.ts";
import type { FaultyApp } from "../support/faulty-app.ts";
import { createDatabase } from "../support/postgres-database.ts";

/** As in `crash.test.ts`. */
const IS_EVERY = (process.env["CRASH_EVERY"] ?? "") !== "";

/** Two apps that share a database. */
interface Pair {
  readonly campaign: Campaign;
  readonly apps: readonly [FaultyApp, FaultyApp];
  readonly deaths: Map<FaultyApp, number>;
}

async function begin({ onTestFinished }: TestContext): Promise<Pair> {
  const database = await createDatabase();
  const stage = await createCrashStage();
  onTestFinished(async () => {
    await stage.close();
    await database.drop();
  });
  const environment = { DATABASE_URL: database.url, DATA_KEY: randomBytes(32).toString("base64") };
  const campaign = createCampaign(stage, (statement) => database.query(statement));
  const apps = [await stage.addApp({ environment }), await stage.addApp({ environment })] as const;
  return { campaign, apps, deaths: new Map() };
}

/**
 * Deliver an order to two processes, one of which dies at a request for it. Resolves to whether one died.
 */
async function dieAt(
  pair: Pair,
  shop: string,
  level: RiskLevel,
  { number, side }: { readonly number: number; readonly side: "before" | "after" },
): Promise<boolean> {
  const { campaign, apps } = pair;
  const { requestFaults } = campaign.stage;
  const order = campaign.orders.create(shop, level);
  requestFaults.arm({ number, side });
  // Either may process the order, whichever gets its webhook.
  const acknowledged = await apps[number % 2 === 0 ? 0 : 1].deliver(toDelivery(order));
  await campaign.untilDeadOrAtRest(apps, order);
  const what = requestFaults.names.at(-1);
  requestFaults.arm(null);
  const victim = apps.find((app) => !app.isRunning());
  if (victim !== undefined) {
    await campaign.note(`${side} ${what}`);
    await takeOver(pair, order, { victim, acknowledged, isReplaced: number % 2 === 0 });
  } else expect(acknowledged).toBe(true);
  for (const app of apps) expect(await app.deliver(toDelivery(order, "later"))).toBe(true);
  return victim !== undefined;
}

/** Deliver an order to a process that runs alone and dies before another one has started. */
async function dieAlone(pair: Pair, shop: string, victim: FaultyApp): Promise<void> {
  const { campaign, apps } = pair;
  const { requestFaults } = campaign.stage;
  await campaign.untilQuiet();
  const others = apps.filter((app) => app !== victim);
  for (const other of others) await other.kill();
  const order = campaign.orders.create(shop, "high");
  requestFaults.arm({ number: 1, side: "after", name: "order-verification" });
  const acknowledged = await victim.deliver(toDelivery(order));
  await campaign.untilDeadOrAtRest([victim], order);
  requestFaults.arm(null);
  expect(victim.isRunning()).toBe(false);
  await campaign.note("after order-verification");
  for (const other of others) await other.start();
  await takeOver(pair, order, { victim, acknowledged, isReplaced: false });
}

/** The survivor, or the dead one's successor, takes over its work: its leases end with its database session. */
async function takeOver(
  { campaign, apps, deaths }: Pair,
  order: CrashOrder,
  death: { readonly victim: FaultyApp; readonly acknowledged: boolean; readonly isReplaced: boolean },
): Promise<void> {
  const { victim, acknowledged, isReplaced } = death;
  const survivor = apps.find((app) => app !== victim) ?? apps[0];
  deaths.set(victim, (deaths.get(victim) ?? 0) + 1);
  if (isReplaced) await victim.start();
  if (!acknowledged) expect(await survivor.deliver(toDelivery(order))).toBe(true);
  expect(await survivor.deliver(toDelivery(order, "again"))).toBe(true);
  await campaign.untilAtRest(survivor, order);
  await campaign.expectFollowed(survivor, order);
  if (!isReplaced) await victim.start();
}

describe("two apps on one Postgres, one of them killed -9 at each request", () => {
  it(
    "lose nothing, do nothing twice and overpay nothing, whether or not it comes back",
    { timeout: 1_800_000 },
    async (context) => {
      const pair = await begin(context);
      const { campaign, apps } = pair;
      for (const app of apps) await app.start();
      for (const level of IS_EVERY ? RISK_LEVELS : (["high", "critical"] as const)) {
        for (const side of ["before", "after"] as const) {
          const shop = `${level}-${side}.myshopify.com`;
          await apps[0].install(shop);
          for (let number = 1; await dieAt(pair, shop, level, { number, side }); number += 1);
        }
      }

      // Which of the two dies is a race that one of them can win each time.
      for (const app of apps) await dieAlone(pair, "high-before.myshopify.com", app);

      tell("at each request, on Postgres", await campaign.expectAllFollowed(apps[0]));
      for (const app of apps) expect(pair.deaths.get(app)).toBeGreaterThan(0);
      for (const name of REQUESTS) {
        for (const side of ["before", "after"]) expect(campaign.kills).toContain(`${side} ${name}`);
      }
    },
  );
});

const REQUESTS = [
  "OrderDetail",
  "order-verification",
  "OrderAssessments",
  "CreateAssessment",
  "AddTags",
  "OrderFulfillmentOrders",
  "HoldFulfillmentOrder",
  "OrderCancellation",
  "CancelOrder",
  "CancelJob",
];
