import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampleOrder } from "../adapters/shopify/fixtures.ts";
import { runHoldfast } from "../support/command.ts";
import { atRest, createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { readTlsFixture } from "../support/tls.ts";

const SHOP = "backfill.myshopify.com";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let stage: ShopifyStage;
let trusted: string;

beforeEach(async () => {
  stage = await createShopifyStage();
  trusted = `${stage.databasePath}.ca.pem`;
  writeFileSync(trusted, readTlsFixture("service").cert + readTlsFixture("shop").cert);
  await stage.start();
  await stage.install(SHOP);
});
afterEach(() => stage.close());

const shop = () => stage.emulator.shop(SHOP);

function addOrder(orderId: string, ageMs: number, email: string): void {
  const created_at = new Date(Date.now() - ageMs).toISOString();
  const admin_graphql_api_id = `gid://shopify/Order/${orderId}`;
  shop().addOrder({ orderId, payload: sampleOrder({ created_at, email, admin_graphql_api_id }) });
}

const run = (...args: string[]) =>
  runHoldfast(["backfill", "--since", "30d", ...args], {
    ...stage.environment,
    NODE_EXTRA_CA_CERTS: trusted,
  });

/** What the shop shows for an order. */
function shownOf(orderId: string) {
  const { tags, assessments, cancelledAt, fulfillmentOrders } = shop().order(orderId);
  const holds = fulfillmentOrders.flatMap((entry) => entry.holds);
  return { tags: tags.length, assessments: assessments.length, holds: holds.length, cancelledAt };
}

const UNTOUCHED = { tags: 0, assessments: 0, holds: 0, cancelledAt: null };

describe("holdfast backfill", () => {
  it("has the running app decide missed orders, and changes nothing in the shop", async () => {
    addOrder("6000000001", 10 * DAY_MS, "critical@risk.example");
    addOrder("6000000002", 9 * DAY_MS, "high@risk.example");
    addOrder("6000000003", 9 * DAY_MS, "low@risk.example");
    shop().fulfillOrder("6000000003");
    addOrder("6000000004", 12 * HOUR_MS, "high@risk.example");

    const { stdout, stderr, code } = await run("--yes", "--json");

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      tenants: [{ tenant: `shopify:${SHOP}`, listed: 4, shipped: 1, toTakeIn: 3, recordOnly: 2, paid: 3 }],
      credits: { expected: 3, atMost: 9 },
      takenIn: 3,
    });
    const orders = await stage.until(SHOP, atRest(3));
    const outcomes = orders.map(({ orderId, state, action }) => [orderId, `${state} ${action}`]);
    expect(Object.fromEntries(outcomes)).toEqual({
      "6000000001": "settled cancel",
      "6000000002": "settled hold",
      "6000000004": "review hold",
    });
    for (const orderId of ["6000000001", "6000000002", "6000000003"]) {
      expect(shownOf(orderId), orderId).toEqual(UNTOUCHED);
    }
    expect(shownOf("6000000004")).toMatchObject({ holds: 1, assessments: 1 });
    expect(stage.service.calls).toHaveLength(3);
    const { body } = await stage.get(SHOP, "api/orders/6000000001");
    expect(body).toMatchObject({ enforced: false, reasons: ["level:critical", "record-only"] });

    expect(JSON.parse((await run("--yes", "--json")).stdout)).toMatchObject({ takenIn: 0 });
    expect(stage.service.calls).toHaveLength(3);
  });

  it("carries out decisions on old orders too when asked to", async () => {
    addOrder("6000000001", 10 * DAY_MS, "critical@risk.example");

    const { stdout, code } = await run("--yes", "--enforce");

    expect(code).toBe(0);
    expect(stdout).toContain("1 order imported; the running app decides them");
    await stage.until(SHOP, atRest(1));
    expect(shownOf("6000000001")).toMatchObject({ assessments: 1, cancelledAt: expect.any(String) });
  });

  it("requires --yes without a terminal if there are orders", async () => {
    expect(await run()).toMatchObject({ code: 0, stderr: "" });
    addOrder("6000000001", HOUR_MS, "low@risk.example");

    const { stderr, code } = await run();

    expect(code).toBe(1);
    expect(stderr).toContain("--yes");
  });
});
