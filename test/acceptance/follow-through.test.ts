import { afterEach, describe, expect, it } from "vitest";
import { DEMO_ORDERS, toPayload } from "../../tools/demo/demo-orders.ts";
import { placeOrders, seeOnPlatform } from "../support/placed-orders.ts";
import { atRest, createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { until } from "../support/until.ts";

const SHOP = "four-levels.myshopify.com";
/** One order per level. */
const FOUR = DEMO_ORDERS.slice(0, 4);

let stage: ShopifyStage;

afterEach(() => stage.close());

function addOrders(): void {
  for (const { orderId } of FOUR) stage.emulator.shop(SHOP).addOrder({ orderId, routed: 1 });
}

/** Each order five times, some as the same delivery, some as another subscription's. */
async function deliverAll(): Promise<readonly number[]> {
  return Promise.all(
    FOUR.flatMap((order, index) =>
      Array.from({ length: 5 }, (_, repeat) =>
        stage.deliver({
          shop: SHOP,
          topic: "orders/create",
          body: toPayload(order, index + 1),
          webhookId: `${order.orderId}-${repeat % 3}`,
        }),
      ),
    ),
  );
}

function effects() {
  const orders = FOUR.map(({ orderId }) => stage.emulator.shop(SHOP).findOrder(orderId));
  return {
    tags: orders.map((order) => order?.tags),
    holds: orders.map((order) => order?.fulfillmentOrders.flatMap(({ holds }) => holds).length),
    cancellations: orders.map((order) => order?.cancellations.length),
    assessments: orders.map((order) => order?.assessments.map(({ riskLevel }) => riskLevel)),
  };
}

const AS_DECIDED = {
  tags: [[], ["holdfast-medium"], ["holdfast-high"], ["holdfast-critical"]],
  holds: [0, 0, 1, 0],
  cancellations: [0, 0, 0, 1],
  assessments: [["LOW"], ["MEDIUM"], ["HIGH"], ["HIGH"]],
};

function expectOneOfEach(): void {
  expect(stage.service.calls.map(({ status, metered }) => ({ status, metered }))).toEqual(
    FOUR.map(() => ({ status: 200, metered: true })),
  );
  expect(effects()).toEqual(AS_DECIDED);
  expect(stage.emulator.operations.filter(({ errors }) => errors.length > 0)).toEqual([]);
  const paths = new Set(stage.emulator.requests.map(({ path }) => path));
  expect([...paths].toSorted()).toEqual(["/admin/api/2026-10/graphql.json", "/admin/oauth/access_token"]);
}

describe("four orders, one per level", () => {
  it("are each asked about, tagged, held or canceled once, even if repeated and across a kill -9", async () => {
    stage = await createShopifyStage();
    addOrders();
    await stage.start();
    await stage.install(SHOP);

    expect(new Set(await deliverAll())).toEqual(new Set([200]));
    await stage.until(SHOP, atRest(4));
    await stage.kill();
    await stage.start();
    expect(new Set(await deliverAll())).toEqual(new Set([200]));
    const orders = await stage.until(SHOP, atRest(4));

    expect(Object.fromEntries(orders.map(({ riskLevel, action }) => [riskLevel, action]))).toEqual({
      low: "allow",
      medium: "tag",
      high: "hold",
      critical: "cancel",
    });
    expect(orders.map(({ creditsSpent }) => creditsSpent)).toEqual([1, 1, 1, 1]);
    expectOneOfEach();
  });

  it("are held instead of canceled until the shop has saved a policy", async () => {
    stage = await createShopifyStage();
    addOrders();
    await stage.start();
    await stage.listOrders(SHOP);
    await deliverAll();
    const orders = await stage.until(SHOP, atRest(4));

    const critical = orders.find(({ riskLevel }) => riskLevel === "critical");
    expect(critical).toMatchObject({ action: "hold", source: "service", state: "review" });
    expect(effects()).toEqual({ ...AS_DECIDED, holds: [0, 0, 1, 1], cancellations: [0, 0, 0, 0] });
    const { body } = await stage.get(SHOP, `api/orders/${critical?.orderId}`);
    expect(body).toMatchObject({ policyVersion: 0, reasons: ["no-policy-saved", "level:critical"] });
    const { timeline } = body as { timeline: readonly { kind: string; detail: string }[] };
    expect(timeline.find(({ kind }) => kind === "decided")?.detail).toContain("no-policy-saved");

    // Saving the defaults is a choice too. Orders held by then wait for a person.
    await stage.install(SHOP);
    const [next] = await placeOrders(stage, SHOP, [{ number: 77, as: "critical" }]);
    expect(seeOnPlatform(stage, SHOP, next ?? "")).toMatchObject({ cancelled: true, holds: 0 });
    expect(effects().cancellations).toEqual([0, 0, 0, 0]);
  });

  it("ship only after their decision where the policy holds them while they are checked", async () => {
    stage = await createShopifyStage({ latencyMs: 200 });
    addOrders();
    await stage.start();
    await stage.install(SHOP, { whileChecking: "hold" });
    await deliverAll();
    await stage.until(SHOP, atRest(4));

    // A canceled order keeps its hold: none of it can ship.
    expect(effects()).toEqual({ ...AS_DECIDED, holds: [0, 0, 1, 1] });
    const order = FOUR[0]?.orderId ?? "";
    const { body } = await stage.get(SHOP, `api/orders/${order}`);
    const { timeline } = body as { timeline: readonly { kind: string }[] };
    const kinds = timeline.map(({ kind }) => kind);
    for (const kind of ["held-to-check", "decided", "release-done"]) expect(kinds).toContain(kind);
    expect(stage.service.calls).toHaveLength(4);
  });

  it("have one effect each when the app is killed between decision and follow-through", async () => {
    stage = await createShopifyStage();
    addOrders();
    await stage.start();
    // The first session installs the app; before that, orders wait.
    await stage.install(SHOP);
    await deliverAll();
    // Killed as soon as the last order is answered: by then some orders are followed through, others aren't.
    const { calls } = stage.service;
    await until(async () => calls.length === 4 && calls.every(({ status }) => status === 200));
    await stage.kill();

    await stage.start();
    await stage.listOrders(SHOP);
    await deliverAll();
    await stage.until(SHOP, atRest(4));

    expect(effects()).toEqual(AS_DECIDED);
    expect(stage.service.calls.length).toBeLessThanOrEqual(8);
    expect(
      stage.service.calls.length,
      "credits: the orders and at most the calls in flight at the kill",
    ).toBe((await stage.listOrders(SHOP)).reduce((sum, { creditsSpent }) => sum + creditsSpent, 0));
  });

  it("end the same way when the process is killed again and again during follow-through", async () => {
    stage = await createShopifyStage();
    addOrders();
    await stage.start();
    // The first session installs the app; before that, orders wait.
    await stage.install(SHOP);
    await deliverAll();
    await until(async () => stage.service.calls.length === 4);
    const rest = atRest(4);
    await until(async () => (await stage.listOrders(SHOP)).every(({ action }) => action !== null));
    await stage.kill();
    for (let round = 1; round <= 2; round += 1) {
      const before = stage.emulator.operations.length;
      await stage.start();
      // A little later each time, so that the kills fall between different steps.
      await until(
        async () => stage.emulator.operations.length >= before + round || rest(await stage.listOrders(SHOP)),
      );
      await stage.kill();
    }
    await stage.start();
    await stage.until(SHOP, rest);

    expectOneOfEach();
    // Four starts of the app. Each takes a busy machine 20 s.
  }, 300_000);
});
