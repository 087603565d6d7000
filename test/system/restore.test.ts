import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { runHoldfast } from "../support/command.ts";
import { createSqliteQuery } from "../support/crash-campaign.ts";
import { toDelivery, type CrashOrder } from "../support/crash-orders.ts";
import { begin } from "../support/crash-trial.ts";

const SHOP = "drill.myshopify.com";
const MINUTE_MS = 60_000;
/** The app looks for missed orders every 10 minutes, and only for those that were placed 5 minutes ago. */
const LOOK_MS = 11 * MINUTE_MS;
const toPlaced = () => ({ created_at: new Date().toISOString() });

it("continues from a backup made under load: no order is lost, and no saved answer is paid twice", async (context) => {
  const { campaign, app } = await begin(context, { latencyMs: 200 });
  const { stage, orders } = campaign;
  const folder = dirname(stage.databasePath);
  const deliver = async (order: CrashOrder): Promise<CrashOrder> => {
    expect(await app.deliver(toDelivery(order))).toBe(true);
    return order;
  };
  await app.start();
  await app.install(SHOP);
  for (const level of ["low", "medium", "high", "critical"] as const) {
    await campaign.untilAtRest(app, await deliver(orders.create(SHOP, level, toPlaced())));
  }

  const file = join(folder, "backup.db");
  let isCopied = false;
  const copying = runHoldfast(["backup", file], { DATABASE_URL: `sqlite:${stage.databasePath}` }).finally(
    () => (isCopied = true),
  );
  const underLoad: CrashOrder[] = [];
  // The last of them is certainly not in the copy.
  for (let isLast = false; !isLast;) {
    isLast = isCopied;
    const level = (["low", "medium", "high"] as const)[underLoad.length % 3] ?? "low";
    underLoad.push(await deliver(orders.create(SHOP, level, toPlaced())));
    const earlier = underLoad.at(-4);
    if (earlier !== undefined) await campaign.untilAtRest(app, earlier);
  }
  expect(await copying).toMatchObject({ code: 0, stdout: expect.stringContaining("integrity checked") });
  await app.kill();

  const query = createSqliteQuery(file);
  const toIds = (rows: readonly Record<string, unknown>[]) =>
    new Set(rows.map((row) => String(row["order_id"])));
  const answered = toIds(await query("select order_id from attempts where state = 'answered'"));
  const received = toIds(await query("select order_id from orders"));
  expect(answered.size).toBeGreaterThanOrEqual(4);
  expect(orders.all.length).toBeGreaterThan(received.size);

  const elsewhere = join(folder, "elsewhere", "holdfast.db");
  mkdirSync(dirname(elsewhere));
  copyFileSync(`${stage.databasePath}.key`, `${elsewhere}.key`);
  const environment = { DATABASE_URL: `sqlite:${elsewhere}` };
  expect(await runHoldfast(["restore", file], environment)).toMatchObject({ code: 0, stderr: "" });
  const again = await stage.addApp({ environment });
  await again.advanceClock(LOOK_MS);
  await again.start();

  for (const order of orders.all) await campaign.untilAtRest(again, order);
  for (const order of orders.all) {
    expect(await again.order(SHOP, order.orderId)).toMatchObject(orders.decision(order));
    expect(orders.shown(order)).toEqual(orders.expected(order));
    expect(orders.billed(order)).toBeLessThanOrEqual(answered.has(order.orderId) ? 1 : 2);
  }
  process.stdout.write(
    `restored: ${orders.all.length} orders, ${received.size} of them in the backup, ${answered.size} with an answer; ` +
      `${orders.all.filter((order) => orders.billed(order) === 2).length} paid for again\n`,
  );
});
