import { describe, expect, it } from "vitest";
import { createEntitlement } from "../../../../adapters/shopify/admin/entitlement.ts";
import { createLogRecorder } from "../../../support/log-recorder.ts";
import { SHOP, startFixture, TENANT } from "../admin-fixture.ts";

const NO_PLAN = {
  outcome: "no-plan",
  plansUrl: "https://admin.shopify.com/store/demo/charges/order-check/pricing_plans",
};
const ENTITLED = { outcome: "entitled" };

async function start() {
  const fixture = await startFixture();
  const { logger, lines } = createLogRecorder();
  const entitlementOf = createEntitlement({
    billing: { mode: "app-pricing", appHandle: "order-check" },
    client: fixture.client,
    now: fixture.clock.now,
    logger,
  });
  const asked = () => fixture.emulator.operations.filter(({ name }) => name === "ActivePlans").length;
  return { ...fixture, lines, asked, look: () => entitlementOf(TENANT) };
}

describe("createEntitlement", () => {
  it("accepts an active plan and no other state", async () => {
    const { look, shop, clock } = await start();

    expect(await look()).toEqual(NO_PLAN);
    for (const status of ["CANCELLED", "DECLINED", "EXPIRED", "FROZEN", "PENDING"]) {
      shop.plans = [status];
      clock.advance(31_000);
      expect(await look(), status).toEqual(NO_PLAN);
    }
    shop.plans = ["CANCELLED", "ACTIVE"];
    clock.advance(31_000);
    expect(await look()).toEqual(ENTITLED);
  });

  it("asks once for many orders, again after ten minutes, and without a plan after half a minute", async () => {
    const { look, shop, clock, asked } = await start();
    shop.plans = ["ACTIVE"];

    await Promise.all([look(), look(), look()]);
    clock.advance(599_000);
    await look();
    expect(asked()).toBe(1);
    clock.advance(2_000);
    shop.plans = [];
    expect(await look()).toEqual(NO_PLAN);
    clock.advance(29_000);
    await look();
    expect(asked()).toBe(2);
  });

  it("uses the last answer while Shopify can't be asked", async () => {
    const { look, clock, emulator } = await start();
    await look();
    clock.advance(31_000);
    emulator.fail(1, "503");

    expect(await look()).toEqual(NO_PLAN);
  });

  it("treats a shop that could never be asked as subscribed, and says so", async () => {
    const { look, emulator, lines } = await start();
    emulator.fail(1, "503");

    expect(await look()).toEqual(ENTITLED);
    expect(lines).toMatchObject([{ level: "warn", shop: SHOP }]);
  });

  it("asks Shopify nothing when every shop has its own key, or none needs a plan", async () => {
    const { client, clock, asked } = await start();

    for (const [mode, outcome] of [
      ["own-key", "own-key"],
      ["included", "entitled"],
    ] as const) {
      const entitlementOf = createEntitlement({ billing: { mode }, client, now: clock.now });
      expect(await entitlementOf(TENANT)).toEqual({ outcome });
    }
    expect(asked()).toBe(0);
  });
});
