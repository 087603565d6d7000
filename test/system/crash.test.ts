import { describe, expect, it } from "vitest";
import type { RiskLevel } from "../../src/order/risk-level.ts";
import { tell } from "../support/crash-campaign.ts";
import { toDelivery } from "../support/crash-orders.ts";
import { until } from "../support/until.ts";
import type { CommitFault } from "../support/commit-faults.child.ts";
import { begin, type Trial } from "../support/crash-trial.ts";

/** Two levels have every kind of step between them; with this variable set, the app dies at every step of all four. */
const IS_EVERY = (process.env["CRASH_EVERY"] ?? "") !== "";
const SIDES = ["before", "after"] as const;
/** For over a hundred starts of the app, on a machine that needs ten seconds for each. */
const PATIENCE_MS = 1_800_000;

/** Where an order's process dies. */
interface Step {
  readonly place: "commit" | "request";
  readonly side: "before" | "after";
  readonly number: number;
  /** Only commits that write this are counted. Default: all. */
  readonly containing?: string;
}

/** Deliver an order to a process that dies at one of its steps, restart it, and judge. Resolves to whether it died. */
async function dieAt(trial: Trial, shop: string, level: RiskLevel, step: Step): Promise<boolean> {
  const { campaign, app } = trial;
  const { requestFaults } = campaign.stage;
  const order = campaign.orders.create(shop, level);
  await campaign.untilQuiet();
  if (step.place === "commit") await app.arm(step);
  else requestFaults.arm(step);
  const acknowledged = await app.deliver(toDelivery(order));
  await campaign.untilDeadOrAtRest([app], order);
  const died = !(await app.disarm());
  const what = step.place === "commit" ? app.commits().at(-1) : requestFaults.names.at(-1);
  requestFaults.arm(null);
  if (died) {
    await campaign.note(`${step.side} ${what}`);
    await app.start();
    // Like the platform, which repeats only what wasn't acknowledged.
    if (!acknowledged) expect(await app.deliver(toDelivery(order))).toBe(true);
    await campaign.untilAtRest(app, order);
    await campaign.expectFollowed(app, order);
  } else expect(acknowledged).toBe(true);
  // The effects of these are found when all orders are checked again.
  expect(await app.deliver(toDelivery(order))).toBe(true);
  expect(await app.deliver(toDelivery(order, "again"))).toBe(true);
  return died;
}

/** Die at each step of one level's order, until an order gets to its end with no step left to die at. */
async function dieAtEach(trial: Trial, level: RiskLevel): Promise<void> {
  const { app } = trial;
  for (const place of ["commit", "request"] as const) {
    for (const side of SIDES) {
      const shop = `${level}-${place}-${side}.myshopify.com`;
      await app.install(shop);
      for (let number = 1; await dieAt(trial, shop, level, { place, side, number }); number += 1);
    }
  }
}

/** Part of what every order causes: the tables written, and the requests. */
const EACH = [
  "insert into deliveries",
  "update deliveries",
  "insert into orders",
  "insert into attempts",
  "insert into answers",
  "update orders, insert into order_timeline",
  "insert into order_steps",
  "OrderDetail",
  "order-verification",
  "OrderAssessments",
  "CreateAssessment",
  "AddTags",
];
const HOLD = ["OrderFulfillmentOrders", "HoldFulfillmentOrder"];
const CANCEL = ["insert into quotas", "OrderCancellation", "CancelOrder", "CancelJob"];

describe.concurrent("an app that is killed at each of its steps", () => {
  const chains: readonly { readonly name: string; readonly levels: readonly [RiskLevel, ...RiskLevel[]] }[] =
    IS_EVERY
      ? [
          { name: "critical, then low", levels: ["critical", "low"] },
          { name: "high, then medium", levels: ["high", "medium"] },
        ]
      : [
          { name: "critical", levels: ["critical"] },
          { name: "high", levels: ["high"] },
        ];

  it.for(chains)(
    "loses nothing, does nothing twice and overpays nothing with orders that are $name",
    { timeout: PATIENCE_MS },
    async ({ name, levels }, context) => {
      const trial = await begin(context);
      const { campaign, app } = trial;
      await app.start();

      for (const level of levels) await dieAtEach(trial, level);
      const steps = [...EACH, ...(levels.includes("critical") ? CANCEL : HOLD)];
      const missed = () =>
        SIDES.flatMap((side) => steps.map((step) => ({ side, step }))).filter(
          ({ side, step }) => !campaign.kills.some((kill) => kill.startsWith(side) && kill.includes(step)),
        );
      // Which writes are committed together varies, so counting the commits can skip one.
      for (const { side, step } of missed()) {
        const shop = `${levels[0]}-commit-${side}.myshopify.com`;
        await dieAt(trial, shop, levels[0], { place: "commit", side, number: 1, containing: step });
      }

      tell(`at each step, ${name}`, await campaign.expectAllFollowed(app));
      expect(missed()).toEqual([]);
    },
  );
});

describe.concurrent("an app that is killed while it starts", () => {
  it(
    "resumes an order whose call was under way at an earlier kill",
    { timeout: PATIENCE_MS },
    async (context) => {
      const trial = await begin(context);
      const { campaign, app } = trial;
      await app.start();
      for (const side of IS_EVERY ? SIDES : (["after"] as const)) {
        const shop = `twice-${side}.myshopify.com`;
        await app.install(shop);
        for (let number = 1; await dieTwice(trial, shop, { side, number }); number += 1);
      }
      // Which writes are committed together varies, so counting the commits can skip the second call.
      const shop = "twice-after.myshopify.com";
      const secondCall = { side: "after", number: 1, containing: "insert into attempts" } as const;
      expect(await dieTwice(trial, shop, secondCall)).toBe(true);

      const figures = await campaign.expectAllFollowed(app);
      tell("again on the way up", figures);
      // That kill hit a second call. Then there is a third, but not at once.
      expect(figures.cutTwice + figures.caughtUp).toBeGreaterThan(0);
    },
  );

  it(
    "starts with a new database, a new shop and a new connection to the service",
    { timeout: PATIENCE_MS },
    async (context) => {
      const trial = await begin(context);
      const { campaign, app } = trial;
      for (const side of SIDES) {
        expect(await app.start({ number: 1, side })).toBe(false);
        expect(app.commits()).toEqual([expect.stringContaining("insert into schema_migrations")]);
      }
      await app.start();
      for (const name of ["token", "organizations"]) {
        for (const side of SIDES) {
          const shop = `${name}-${side}.myshopify.com`;
          campaign.stage.requestFaults.arm({ name, side, number: 1 });
          await app.install(shop);
          const order = campaign.orders.create(shop, "critical");
          if (name === "organizations") expect(await app.deliver(toDelivery(order))).toBe(true);
          await until(() => !app.isRunning(), { what: "the process dies" });
          await campaign.note(`${side} ${name}`);
          await app.start();
          await app.install(shop);
          expect(await app.deliver(toDelivery(order))).toBe(true);
          await campaign.untilAtRest(app, order);
          // The next process asks for its organization again.
          await app.kill();
          await app.start();
        }
      }

      tell("while setting up", await campaign.expectAllFollowed(app));
      expect(campaign.kills).toHaveLength(4);
    },
  );
});

/**
 * Die while an order's call is under way, and then at the `number`th commit of the process that resumes it. Resolves to
 * whether that one died.
 */
async function dieTwice({ campaign, app }: Trial, shop: string, fault: CommitFault): Promise<boolean> {
  const order = campaign.orders.create(shop, "critical");
  await campaign.untilQuiet();
  campaign.stage.requestFaults.arm({ name: "order-verification", side: "after", number: 1 });
  expect(await app.deliver(toDelivery(order))).toBe(true);
  await until(() => !app.isRunning(), { what: "the process dies" });
  await campaign.note("after order-verification");
  const started = await app.start(fault);
  if (started) await campaign.untilDeadOrAtRest([app], order);
  const died = !started || !(await app.disarm());
  if (died) {
    await campaign.note(`${fault.side} ${app.commits().at(-1)}`);
    await app.start();
    await campaign.untilAtRest(app, order);
  }
  await campaign.expectFollowed(app, order);
  return died;
}
