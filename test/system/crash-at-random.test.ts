import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { RISK_LEVELS } from "../../src/order/risk-level.ts";
import { REST, tell } from "../support/crash-campaign.ts";
import { toDelivery, type CrashOrder } from "../support/crash-orders.ts";
import { begin, type Trial } from "../support/crash-trial.ts";
import type { Delivery, FaultyApp } from "../support/faulty-app.ts";
import { createRandom } from "../support/random.ts";
import { until } from "../support/until.ts";

const PATIENCE_MS = 1_800_000;

describe("an app that is killed at random under load", () => {
  it("loses nothing, does nothing twice and overpays nothing", { timeout: PATIENCE_MS }, async (context) => {
    const seed = Number(process.env["CRASH_SEED"] ?? Date.now() % 1_000_000);
    const random = createRandom(seed);
    const kills = createKillPlan(random);
    const trial = await begin(context, {
      latencyMs: 20,
      async onRequest(name) {
        kills.onEvent();
        if (name === "order-verification") await sleep(random() * 30);
      },
    });
    const { campaign, app } = trial;
    await app.start();
    const shops = ["one", "two", "three"].map((name) => `${name}.myshopify.com`);
    for (const shop of shops) await app.install(shop);
    const orders = Array.from({ length: 150 }, (_, index) =>
      campaign.orders.create(shops[index % 3] ?? "", RISK_LEVELS[Math.floor(index / 3) % 4] ?? "low"),
    );

    const waiting = shuffle(orders.flatMap(toDeliveries), random);
    const deliverers = Array.from({ length: 24 }, () => deliverAll(app, waiting, kills.onEvent));
    await Promise.all([kills.watch(trial), ...deliverers]);
    await until(
      async () => {
        const listed = (await Promise.all(shops.map((shop) => app.orders(shop)))).flat();
        return listed.length === orders.length && listed.every(({ state }) => REST.has(state));
      },
      { what: "all orders are at rest" },
    );

    tell(`at random, CRASH_SEED=${seed}`, await campaign.expectAllFollowed(app));
    expect(campaign.kills).toHaveLength(KILLS);
  });
});

const KILLS = 5;
/** Acknowledged deliveries and requests of a run of the size above; there are some more. */
const EVENTS = 1_000;

/** When to kill: a moment after one of the deliveries and requests, of each fifth of them. */
function createKillPlan(random: () => number) {
  const moments = Array.from({ length: KILLS }, (_, index) => ((index + random()) * EVENTS) / KILLS);
  let events = 0;
  return {
    onEvent: (): void => void (events += 1),
    /** Kill and start again until all kills are done. */
    async watch({ app, campaign }: Trial): Promise<void> {
      for (const moment of moments) {
        await until(() => events >= moment, { what: `${Math.ceil(moment)} things have happened` });
        await sleep(random() * 20);
        await app.kill();
        await campaign.note(`event ${events}`);
        await app.start();
      }
    },
  };
}

/** As the platform and two subscriptions would deliver an order: one of the deliveries comes twice. */
function toDeliveries(order: CrashOrder): readonly Delivery[] {
  return [toDelivery(order), toDelivery(order), toDelivery(order, "again")];
}

/** Deliver until each waiting delivery was acknowledged; the others are repeated. */
async function deliverAll(app: FaultyApp, waiting: Delivery[], onAcknowledged: () => void): Promise<void> {
  for (let delivery = waiting.pop(); delivery !== undefined; delivery = waiting.pop()) {
    if (await app.deliver(delivery)) onAcknowledged();
    else {
      waiting.unshift(delivery);
      await sleep(20);
    }
  }
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
