import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEMO_ORDERS, toPayload, type DemoOrder } from "../../tools/demo/demo-orders.ts";
import { DEFAULT_POLICY } from "../../src/policy/policy.ts";
import { seeOnPlatform } from "../support/placed-orders.ts";
import { atRest, createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { until as poll } from "../support/until.ts";

const [LOW, , HIGH] = DEMO_ORDERS as [DemoOrder, DemoOrder, DemoOrder];

interface Shown {
  readonly state: string;
  readonly action: string | null;
  readonly source: string;
  readonly problem: string | null;
  readonly decidedBy: string | null;
  readonly creditsSpent: number;
  readonly version: string;
  readonly actions: Readonly<Record<string, { readonly possible: boolean; readonly consequence: string }>>;
  readonly sent: readonly { readonly path: string; readonly value: unknown }[] | null;
  readonly calls: readonly unknown[];
  readonly timeline: readonly {
    readonly kind: string;
    readonly detail: string;
    readonly actor: string;
    readonly note: string | null;
  }[];
}

let stage: ShopifyStage;
let shops = 0;
/** Each test has its own shop, and all share one app, which takes long to start. */
let shop: string;
let callsBefore: number;

beforeAll(async () => {
  stage = await createShopifyStage();
  await stage.start();
});
beforeEach(async () => {
  shop = `people-${(shops += 1)}.myshopify.com`;
  callsBefore = stage.service.calls.length;
  await stage.install(shop);
});
afterAll(() => stage.close());

/** As in real payloads, no two shops send the same bytes. */
function deliver(order: DemoOrder, webhookId?: string): Promise<number> {
  const payload = { ...order.payload, order_status_url: `https://${shop}/1` };
  const body = toPayload({ ...order, payload }, 1);
  return stage.deliver({ shop, topic: "orders/create", body, ...(webhookId && { webhookId }) });
}

/** Put an order into the shop and wait until Holdfast has done everything that it does by itself. */
async function place(order = HIGH): Promise<string> {
  const { orderId } = order;
  stage.emulator.shop(shop).addOrder({ orderId, routed: 1 });
  expect(await deliver(order)).toBe(200);
  await stage.until(shop, atRest(1));
  return orderId;
}

async function show(orderId: string): Promise<Shown> {
  return (await stage.get(shop, `api/orders/${orderId}`)).body as Shown;
}

function press(orderId: string, act: string, call: Parameters<ShopifyStage["send"]>[3] = {}) {
  return stage.send(shop, "POST", `api/orders/${orderId}/${act}`, call);
}

const until = (orderId: string, condition: (order: Shown) => boolean): Promise<Shown> =>
  poll(
    async () => {
      const order = await show(orderId);
      return condition(order) && order;
    },
    { what: `order ${orderId}: ${condition.toString()}` },
  );

const countCalls = () => stage.service.calls.length - callsBefore;
const settled = ({ state }: Shown): boolean => ["settled", "review", "failed"].includes(state);

async function setPolicy(changes: object): Promise<void> {
  const body = { ...DEFAULT_POLICY, ...changes };
  expect((await stage.send(shop, "PUT", "api/policy", { body })).status).toBe(200);
}

const see = (orderId: string) => seeOnPlatform(stage, shop, orderId);

describe("a person's decision on an order", () => {
  it("releases a held order: the hold and the tags are gone, and the timeline names the person", async () => {
    const orderId = await place();
    expect(see(orderId)).toMatchObject({ tags: ["holdfast-high"], holds: 1 });
    const before = await show(orderId);
    expect(before.actions["approve"]).toMatchObject({
      possible: true,
      consequence: "Releases Holdfast's hold and removes holdfast-high. The order can ship.",
    });
    expect(before.actions["decline"]?.consequence).toMatch(
      /^Cancels the order on Shopify, refunds 899\.00 USD/,
    );
    expect(before.sent).toContainEqual({ path: "orderAmount", value: 899 });
    expect(before.calls).toHaveLength(1);

    const answer = await press(orderId, "approve", { body: { note: "Spoke to Jane Example." } });

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ decidedBy: "person:7", action: "allow", source: "person" });
    const after = await until(orderId, settled);
    expect(after).toMatchObject({ state: "settled", action: "allow", creditsSpent: 1 });
    expect(see(orderId)).toEqual({ tags: [], holds: 0, cancellations: 0, cancelled: false });
    expect(after.timeline.filter(({ actor }) => actor === "person:7")).toEqual([
      expect.objectContaining({ kind: "decided", detail: "allow (person): person:approved", note: null }),
      expect.objectContaining({ kind: "note", note: "Spoke to Jane Example." }),
    ]);
    const again = await press(orderId, "approve");
    expect(again.status).toBe(200);
    expect((await show(orderId)).timeline).toEqual(after.timeline);
    expect(stage.log()).not.toContain("Jane Example");
  });

  it("cancels a declined order once, pressed twice and across a kill -9", async () => {
    const orderId = await place();

    const answers = await Promise.all([press(orderId, "decline"), press(orderId, "decline")]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await stage.kill();
    await stage.start();
    await until(orderId, ({ state }) => state === "settled");

    expect(see(orderId)).toMatchObject({ cancellations: 1, cancelled: true, tags: ["holdfast-high"] });
    expect((await press(orderId, "decline")).status).toBe(200);
    const refused = await press(orderId, "approve");
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ detail: "the order is already canceled" });
    expect(see(orderId).cancellations).toBe(1);
  });

  it("is the first person's: the second one is told who decided what", async () => {
    const orderId = await place();

    const [first, second] = await Promise.all([
      press(orderId, "approve", { userId: "7" }),
      press(orderId, "decline", { userId: "8" }),
    ]);

    const [won, lost] = first.status === 200 ? [first, second] : [second, first];
    expect([won.status, lost.status]).toEqual([200, 409]);
    const after = await until(orderId, settled);
    const isCancelled = after.action === "cancel";
    expect(lost.body).toMatchObject({
      detail: expect.stringContaining(isCancelled ? "declined" : "approved") as unknown,
      decision: isCancelled ? { act: "decline", by: "person:8" } : { act: "approve", by: "person:7" },
    });
    expect(see(orderId)).toMatchObject({ cancelled: isCancelled, cancellations: isCancelled ? 1 : 0 });
  });

  it("may overrule one that the person has seen", async () => {
    const orderId = await place();
    await press(orderId, "approve", { userId: "7" });
    const { version } = await until(orderId, settled);

    expect((await press(orderId, "decline", { userId: "8" })).status).toBe(409);
    const stale = await press(orderId, "recheck", { userId: "8", headers: { "if-match": '"another"' } });
    expect(stale.status).toBe(412);
    const answer = await press(orderId, "decline", { userId: "8", headers: { "if-match": `"${version}"` } });

    expect(answer.status).toBe(200);
    await until(orderId, ({ state }) => state === "settled");
    expect(see(orderId)).toMatchObject({ cancelled: true, cancellations: 1 });
  });

  it("is carried out in shadow mode too", async () => {
    await setPolicy({ mode: "shadow" });
    const orderId = await place();
    expect(see(orderId)).toMatchObject({ tags: [], holds: 0 });

    expect((await press(orderId, "decline")).status).toBe(200);

    expect(await until(orderId, settled)).toMatchObject({ state: "settled", action: "cancel" });
    expect(see(orderId)).toMatchObject({ cancelled: true, cancellations: 1 });
  });

  it("waits for no cool-off and counts against no hourly limit", async () => {
    await setPolicy({ cancel: { ...DEFAULT_POLICY.cancel, coolOffMinutes: 60, maxPerHour: 0 } });
    const orderId = await place();

    await press(orderId, "decline");

    await until(orderId, ({ state }) => state === "settled");
    expect(see(orderId)).toMatchObject({ cancelled: true, cancellations: 1 });
  });

  it("reports that the order has shipped and can't be canceled anymore", async () => {
    const orderId = await place(LOW);
    stage.emulator.shop(shop).fulfillOrder(orderId);

    await press(orderId, "decline");

    const after = await until(orderId, settled);
    expect(after).toMatchObject({ state: "failed", action: "cancel", decidedBy: "person:7" });
    expect(after.problem).toContain("cancel:already-fulfilled");
    expect(after.timeline.map(({ kind }) => kind)).toContain("cancel-impossible");
    expect(see(orderId).cancellations).toBe(0);
  });

  it("costs one credit for a press, even if a kill -9 follows the answer", async () => {
    const orderId = await place();

    await press(orderId, "recheck");
    await until(orderId, ({ creditsSpent }) => creditsSpent === 2);
    await stage.kill();
    await stage.start();

    await until(
      orderId,
      (order) => settled(order) && order.timeline.some(({ kind }) => kind === "rechecked"),
    );
    expect((await show(orderId)).timeline.filter(({ kind }) => kind === "rechecked")).toHaveLength(1);
    // The same content isn't asked about a third time, nor is a redelivery.
    await deliver(HIGH, "another");
    await until(orderId, settled);
    expect(countCalls()).toBe(2);
    expect(see(orderId)).toMatchObject({ holds: 1, tags: ["holdfast-high"] });
  });

  it("comes with what the platform shows, including its own advice", async () => {
    const orderId = await place();
    stage.emulator.shop(shop).assessOrder(orderId, "MEDIUM");

    const { status, body } = await stage.get(shop, `api/orders/${orderId}/platform`);

    expect(status).toBe(200);
    expect(body).toEqual({
      observedAt: expect.any(String) as unknown,
      cancelled: false,
      fulfilled: false,
      partlyFulfilled: false,
      tags: ["holdfast-high"],
      holds: 1,
      assessment: "HIGH",
      platformRisk: "investigate",
      adminUrl: `https://admin.shopify.com/store/${shop.split(".")[0]}/orders/${orderId}`,
    });
    expect((await stage.get(shop, "api/orders/404/platform")).status).toBe(404);
  });
});
