import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SANDBOX_ORGANIZATION } from "../../src/sandbox/sandbox-service.ts";
import { createAppFleet, type AppFleet, type AppProcess } from "../support/app-fleet.ts";
import { startBrokenService } from "../support/broken-service.ts";
import { toExpectedEffects, toShown, type ShownEffects } from "../support/fleet-orders.ts";
import { until } from "../support/until.ts";

const SHOP = "service-away.myshopify.com";
const ORDERS = 6;
/** Calls for an order that were paid or may have been. */
const SPENT = "(select count(*) from attempts where attempts.order_id = orders.order_id and metered <> 'no')";
const STEP_MS = 3_000;
const IS_DEGRADED = `decision like '%"degraded":true%'`;
const IS_ANSWERED = `decision like '%"degraded":false%' and state in ('settled', 'review') and lease_owner is null`;

let folder: string;
let fleet: AppFleet;
let app: AppProcess;
let aheadMs: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-service-"));
  fleet = await createAppFleet({
    databaseUrl: `sqlite:${join(folder, "holdfast.db")}`,
    environment: { VERIFY_TIMEOUT_MS: "1500", VERIFY_ORGANIZATION: SANDBOX_ORGANIZATION },
  });
  app = await fleet.start();
  aheadMs = 0;
  await fleet.install(app, SHOP);
});
afterEach(async () => {
  await fleet.close();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Let time pass until `count` orders match: whenever nothing is being done, skip to when the next order is due.
 * Resolves to how much time has passed.
 */
async function passUntil(what: string, count: number): Promise<number> {
  const startedAtMs = aheadMs;
  while ((await fleet.count(`orders where ${what}`)) !== count) {
    await until(async () => expect(await fleet.count("orders where lease_owner is not null")).toBe(0));
    const [next] = await fleet.query("select min(due_at) as due_at from orders");
    const waitMs = Number(next?.["due_at"]) - (Date.now() + aheadMs);
    aheadMs += Math.max(waitMs, STEP_MS);
    await app.setClock(aheadMs);
    // Its worker looks at least every second.
    await until(async () =>
      expect(await fleet.count(`orders where due_at < ${Date.now() + aheadMs}`)).toBe(0),
    );
  }
  return aheadMs - startedAtMs;
}

describe("a verification service that is unavailable", () => {
  it.for([
    // Nothing was sent, so nothing can have been paid.
    { kind: "refused", mostWasted: 0, long: true },
    // Five failures at once open the circuit; then one order at a time tests the service, and none is tried forever.
    { kind: "slow-loris", mostWasted: 2 * ORDERS, long: false },
    { kind: "failing", mostWasted: 2 * ORDERS, long: false },
  ] as const)("is asked about every order once it is back ($kind)", async (away, { annotate }) => {
    const { port } = new URL(fleet.serviceUrl);
    await fleet.service.close();
    const broken = await startBrokenService(away.kind, Number(port));
    const orders = fleet.newOrders(SHOP, ORDERS);
    const receipts = await Promise.all(orders.map((order) => fleet.deliver(app, order)));
    expect(receipts.map(({ status }) => status)).toEqual(orders.map(() => 200));
    await until(() => expect(app.alerts("verification_unavailable").length).toBe(1));

    const degradedMs = away.long ? await passUntil(IS_DEGRADED, ORDERS) : 0;
    await until(async () => expect(await fleet.count("orders where lease_owner is not null")).toBe(0));
    await broken.close();
    await fleet.service.listen(Number(port));
    const backMs = await passUntil(IS_ANSWERED, ORDERS);

    await annotate(
      `judged locally after ${Math.round(degradedMs / 1000)} s, answered ${Math.round(backMs / 1000)} s after it was back ` +
        `(by the app's clock); ${broken.calls()} calls without an answer`,
    );
    expect(broken.calls()).toBeLessThanOrEqual(away.mostWasted);
    expect(broken.calls() > 0).toBe(away.mostWasted > 0);
    expect(fleet.service.calls).toHaveLength(ORDERS);
    expect(await fleet.count(`orders where ${SPENT} > 3`)).toBe(0);
    expect(toFollowed(toShown(fleet.emulator, orders))).toEqual(toFollowed(toExpectedEffects(orders)));
    expect(app.alerts("verification_unavailable")).toHaveLength(1);
    expect(app.lines.filter(({ resolved }) => resolved === "verification_unavailable")).toHaveLength(1);
  });
});

/** An order that was decided without the service shows that assessment too. */
const toFollowed = (shown: readonly ShownEffects[]) =>
  shown.map(({ assessments, ...rest }) => ({ ...rest, last: assessments.at(-1) }));
