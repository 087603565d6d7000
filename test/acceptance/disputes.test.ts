import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DISPUTES_SCOPE } from "../../adapters/shopify/admin/scopes.ts";
import { DEMO_ORDERS, toPayload, type DemoOrder } from "../../tools/demo/demo-orders.ts";
import { createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { toInquiry } from "../support/shop-orders.ts";
import { until } from "../support/until.ts";

const SHOP = "disputed.myshopify.com";
const [LOW, , , CRITICAL] = DEMO_ORDERS as [DemoOrder, DemoOrder, DemoOrder, DemoOrder];

const CANCELLED_AS_FRAUD = { cancelled_at: "2026-11-22T10:00:00Z", cancel_reason: "fraud" };

interface Shown {
  readonly state: string;
  readonly version: string;
  readonly action: string;
  readonly reasons: readonly string[];
  readonly disputes: readonly { readonly kind: string; readonly status: string }[];
  readonly timeline: readonly { readonly kind: string; readonly detail: string }[];
}

interface ReportShown {
  readonly value: { readonly fraudMissed: { readonly orders: number; readonly value: number | null } };
  readonly outcomes: object;
  readonly byLevel: Readonly<
    Record<string, { readonly orders: number; readonly chargedBack: number; readonly cancelled: number }>
  >;
  readonly rows: readonly { readonly orderId: string; readonly outcome: string; readonly dispute: string }[];
}

let stage: ShopifyStage;

beforeEach(async () => {
  stage = await createShopifyStage();
  await stage.start();
});

afterEach(() => stage.close());

const shop = () => stage.emulator.shop(SHOP);
const show = async (orderId: string) => (await stage.get(SHOP, `api/orders/${orderId}`)).body as Shown;
const report = async () => (await stage.get(SHOP, "api/report?days=30")).body as ReportShown;
const alerts = (name: string) => stage.log().split(`"alert":"${name}"`).length - 1;

/** A demo order with its own id. */
async function place(order: DemoOrder, orderId: string): Promise<void> {
  shop().addOrder({ orderId });
  const body = toPayload({ ...order, orderId }, Number(orderId.slice(-2)));
  expect(await stage.deliver({ shop: SHOP, topic: "orders/create", body })).toBe(200);
  await until(async () => expect(await show(orderId)).toMatchObject({ state: "settled" }));
}

async function dispute(
  orderId: string,
  changes: object,
  topic = "disputes/create",
  from = SHOP,
): Promise<void> {
  expect(await stage.deliver({ shop: from, topic, body: toInquiry(orderId, changes) })).toBe(200);
}

describe("a shop's disputes", () => {
  it("arrive once the optional scope is granted, and end up in the report", async () => {
    await stage.install(SHOP);
    shop().scopes = [...shop().scopes, DISPUTES_SCOPE];
    const scopes = { id: 1, previous: [], current: shop().scopes, updated_at: "2026-11-22T12:00:00Z" };
    await stage.deliver({ shop: SHOP, topic: "app/scopes_update", body: JSON.stringify(scopes) });
    await until(() => expect([...shop().subscribed.keys()]).toEqual(["DISPUTES_CREATE", "DISPUTES_UPDATE"]));

    const [asked, lost, fine, fraud] = [
      "7000000000000000001",
      "7000000000000000002",
      "7000000000000000003",
      "7000000000000000004",
    ];
    for (const orderId of [asked, lost, fine]) await place(LOW, orderId);
    await place(CRITICAL, fraud);

    // An inquiry holds what hasn't shipped and alerts a person, who may refund it.
    await dispute(asked, {});
    await until(async () =>
      expect(await show(asked)).toMatchObject({
        state: "review",
        action: "hold",
        disputes: [{ kind: "inquiry" }],
      }),
    );
    expect(
      shop()
        .order(asked)
        .fulfillmentOrders.map(({ status }) => status),
    ).toEqual(["ON_HOLD"]);
    expect((await show(asked)).reasons[0]).toBe("dispute:inquiry");
    expect(alerts("dispute_inquiry")).toBe(1);

    // It becomes a chargeback, as does an inquiry about a shipped order.
    shop().fulfillOrder(lost);
    await dispute(asked, { type: "chargeback" }, "disputes/update");
    await dispute(lost, { type: "chargeback", status: "under_review" });
    await dispute(lost, { type: "chargeback", status: "lost" }, "disputes/update");
    // Another shop's webhook, sent again under this shop's name.
    await dispute("8000000000000000001", {});
    await until(async () => expect((await report()).value.fraudMissed.orders).toBe(2));

    const { value, byLevel, rows } = await report();
    expect(value.fraudMissed).toEqual({ orders: 2, value: 119.8, apart: {} });
    expect(byLevel["low"]).toMatchObject({ orders: 3, chargedBack: 2, cancelled: 0 });
    expect(byLevel["critical"]).toMatchObject({ orders: 1, chargedBack: 0, cancelled: 1 });
    expect(rows.map(({ orderId, outcome, dispute: kind }) => [orderId, outcome, kind])).toEqual([
      [fraud, "cancelled", null],
      [lost, "charged-back", "chargeback"],
      [asked, "charged-back", "chargeback"],
    ]);
    // The report counts it from the first message.
    await until(async () =>
      expect(await show(lost)).toMatchObject({ disputes: [{ kind: "chargeback", status: "lost" }] }),
    );
    await until(() => expect(alerts("dispute_chargeback")).toBeGreaterThan(0));

    // Somebody cancels the third in Shopify's admin as fraud.
    const cancelled = { ...JSON.parse(toPayload({ ...LOW, orderId: fine }, 3)), ...CANCELLED_AS_FRAUD };
    const body = JSON.stringify(cancelled).replace(/"id":\d+/, `"id":${fine}`);
    await stage.deliver({ shop: SHOP, topic: "orders/cancelled", body });
    await until(async () =>
      expect((await show(fine)).timeline.at(-1)).toMatchObject({ kind: "cancelled-on-platform" }),
    );
    // Somebody refunds another order without canceling it. Shopify says so in every later update.
    const refunded = "7000000000000000005";
    await place(LOW, refunded);
    const back = { ...JSON.parse(toPayload({ ...LOW, orderId: refunded }, 5)), financial_status: "refunded" };
    for (const note of ["", "damaged"]) {
      const update = JSON.stringify({ ...back, note }).replace(/"id":\d+/, `"id":${refunded}`);
      await stage.deliver({ shop: SHOP, topic: "orders/updated", body: update });
    }
    await until(async () =>
      expect((await show(refunded)).timeline.at(-1)).toMatchObject({ kind: "refunded" }),
    );
    // The bank's inquiry held the first, and Holdfast canceled the fourth: neither is a success or a fraud by itself.
    expect((await report()).outcomes).toMatchObject({
      decided: 5,
      disputed: 2,
      byLevel: {
        low: { fraud: 3, caught: 0, good: 0, stopped: 0, refunded: 1 },
        critical: { fraud: 0, good: 0, refunded: 0 },
      },
    });
  });

  it("never touch an order in watch-only mode, nor one of another shop", async () => {
    await stage.install(SHOP, { mode: "shadow" });
    await stage.install("other.myshopify.com");
    await place(LOW, "7000000000000000001");
    await dispute("7000000000000000001", {}, "disputes/create", "other.myshopify.com");
    await dispute("7000000000000000001", { reason: "unrecognized" });
    await until(async () => expect((await show("7000000000000000001")).disputes).toHaveLength(1));

    expect(await show("7000000000000000001")).toMatchObject({ state: "settled", action: "allow" });
    expect(shop().order("7000000000000000001").fulfillmentOrders).toMatchObject([{ status: "OPEN" }]);
  });

  it("keep an inquiry's hold past a deadline that would release it, until a person approves", async () => {
    await stage.install(SHOP, { hold: { onDeadline: "release" } });
    await place(LOW, "7000000000000000001");
    await dispute("7000000000000000001", {});
    await until(async () => expect(await show("7000000000000000001")).toMatchObject({ state: "review" }));

    const approve = (headers = {}) =>
      stage.send(SHOP, "POST", "api/orders/7000000000000000001/approve", { headers });
    const unseen = await approve();
    expect(unseen).toMatchObject({ status: 412, body: { detail: expect.stringMatching(/^A bank asks/) } });
    const { version } = await show("7000000000000000001");
    expect((await approve({ "if-match": `"${version}"` })).status).toBe(200);
    await until(async () => expect(await show("7000000000000000001")).toMatchObject({ state: "settled" }));

    expect(shop().order("7000000000000000001").fulfillmentOrders).toMatchObject([{ status: "OPEN" }]);
    await dispute("7000000000000000001", { status: "won" }, "disputes/update");
    await until(async () =>
      expect((await show("7000000000000000001")).disputes).toMatchObject([{ status: "won" }]),
    );
    expect(await show("7000000000000000001")).toMatchObject({ state: "settled", action: "allow" });
  });
});
