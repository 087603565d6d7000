import { readFileSync, readdirSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EmulatedOrder } from "../../tools/emulators/shopify/emulated-order.ts";
import { verificationRequestSchema } from "../../src/order/request.ts";
import { createShopifyStage, type ListedOrder, type ShopifyStage } from "../support/shopify-stage.ts";
import { receiveOrder } from "../adapters/shopify/fixtures.ts";
import { until } from "../support/until.ts";

const ORDERS = new URL("../fixtures/shopify/", import.meta.url);
const TOPICS = new URL("../fixtures/shopify-topics/", import.meta.url);
const TOPIC_SHOP = "topics.myshopify.com";

/** What a careful person expects of each order: why it isn't sent (null: it is), and who judged it. */
const ORDER_OUTCOMES: Readonly<Record<string, readonly [skipReason: string | null, source: string]>> = {
  // Keys of protected customer data are missing: the app has no access; it isn't the buyer's fault.
  "01-gadget-exemplar-2023-10-1.json": ["PERSONAL_DATA_NOT_GRANTED", "local"],
  "03-gadget-exemplar-2024-01-1.json": ["PERSONAL_DATA_NOT_GRANTED", "local"],
  "05-gadget-exemplar-2024-01-3.json": ["PERSONAL_DATA_NOT_GRANTED", "local"],
  "07-gadget-exemplar-2025-04-1.json": ["PERSONAL_DATA_NOT_GRANTED", "local"],
  // The platform's own samples are orders that were already canceled: left alone.
  "02-docs-webhook-2019-06.json": ["CANCELLED", "policy"],
  "04-docs-webhook-2020-04.json": ["CANCELLED", "policy"],
  "07-docs-webhook-2023-07-create.json": ["CANCELLED", "policy"],
  "09-docs-webhook-2024-10-create.json": ["CANCELLED", "policy"],
  "12-docs-webhook-2025-10-create.json": ["CANCELLED", "policy"],
  "14-docs-webhook-2026-04-create.json": ["CANCELLED", "policy"],
  "37-docs-rest-2026-07-cancelled-refunded.json": ["CANCELLED", "policy"],
  // Complete orders: one credit each.
  "16-docs-rest-2013-classic.json": [null, "service"],
  "18-docs-rest-no-billing-zip.json": [null, "service"],
  "33-docs-rest-2026-07-phone-discount.json": [null, "service"],
  "35-docs-rest-2026-07-customer-removed.json": [null, "service"],
  // A platform's test orders cost nothing unless the policy asks for it.
  "22-docs-rest-presentment-cad-tip.json": ["TEST_ORDER", "local"],
  "24-docs-rest-no-customer-no-billing-edited.json": ["TEST_ORDER", "local"],
  "26-docs-rest-2022-04-cancel-refund-amount.json": ["TEST_ORDER", "local"],
  // The service can't accept these; they are judged on the available data.
  "19-docs-rest-2015-create-null-names.json": ["NO_NAME", "local"],
  "27-docs-rest-2026-07-guest-variant-only.json": ["NO_EMAIL", "local"],
  "30-docs-rest-2026-07-eur-custom-line.json": ["NO_EMAIL", "local"],
  "34-docs-rest-2026-07-pending-no-addresses.json": ["NO_ADDRESS", "local"],
  "38-docs-rest-2026-01-openapi-keys-absent.json": ["NO_ADDRESS", "local"],
};

/** The topic of each other payload, and the result of its delivery. */
const TOPIC_OUTCOMES: Readonly<Record<string, readonly [topic: string, outcome: string]>> = {
  "01-fulfillment_orders_placed_on_hold.json": ["fulfillment_orders/placed_on_hold", "nothing-waits"],
  "02-fulfillment_orders_hold_released.json": ["fulfillment_orders/hold_released", "nothing-waits"],
  "03-fulfillment_holds_added.json": ["fulfillment_holds/added", "ignored:unknown-topic"],
  "04-fulfillment_holds_released.json": ["fulfillment_holds/released", "ignored:unknown-topic"],
  "05-customers_redact.json": ["customers/redact", "erased-0-orders"],
  "06-customers_data_request.json": ["customers/data_request", "report-prepared"],
  "07-app_uninstalled.json": ["app/uninstalled", "not-installed"],
  "08-app_scopes_update.json": ["app/scopes_update", "permissions-noted"],
  "09-fulfillment_orders_order_routing_complete.json": [
    "fulfillment_orders/order_routing_complete",
    "nothing-waits",
  ],
  "10-orders_edited.json": ["orders/edited", "ignored:unknown-topic"],
  "11-orders_delete.json": ["orders/delete", "not-installed"],
  "12-orders_risk_assessment_changed.json": ["orders/risk_assessment_changed", "ignored:no-order-id"],
  "13-order_transactions_create.json": ["order_transactions/create", "ignored:unknown-topic"],
  "14-refunds_create.json": ["refunds/create", "ignored:unknown-topic"],
  "16-draft_orders_create.json": ["draft_orders/create", "ignored:unknown-topic"],
  "17-checkouts_create.json": ["checkouts/create", "ignored:unknown-topic"],
  "18-fulfillment_orders_split.json": ["fulfillment_orders/split", "nothing-waits"],
  "19-fulfillment_orders_moved.json": ["fulfillment_orders/moved", "nothing-waits"],
  "20-disputes_create.json": ["disputes/create", "not-installed"],
  "21-disputes_update.json": ["disputes/update", "not-installed"],
  "22-fulfillment_orders_merged.json": ["fulfillment_orders/merged", "nothing-waits"],
};
/** Last, because it erases every trace of the shop, including its own delivery. */
const SHOP_REDACT = "15-shop_redact.json";

let stage: ShopifyStage;

beforeAll(async () => {
  stage = await createShopifyStage();
  await stage.start();
});

afterAll(() => stage.close());

const toShop = (file: string): string => `${file.replace(/\.json$/, "")}.myshopify.com`;
const readOrder = (file: string): Buffer => readFileSync(new URL(file, ORDERS));
/** The recorded topics have a placeholder for the shop's name. */
const readTopic = (file: string): string =>
  readFileSync(new URL(file, TOPICS), "utf8").replaceAll("{shop}.myshopify.com", TOPIC_SHOP);
const ended = ({ state }: ListedOrder): boolean => state === "settled" || state === "review";

/** A service is configured, so an order that it didn't check is never shown as low risk. */
function expectNotLow(
  order: ListedOrder | undefined,
  shown: EmulatedOrder | undefined,
  skipReason: string | null,
): void {
  const assessment = shown?.assessments[0];
  expect(assessment?.riskLevel).not.toBe("LOW");
  expect(assessment?.facts[0]?.description).toMatch(/^The verification service did not check this order: /);
  expect(order?.riskLevel).not.toBe("low");
  expect(shown?.tags.includes("holdfast-unchecked")).toBe(skipReason !== "TEST_ORDER");
}

describe("every recorded order, through the running app", () => {
  it("has an expected outcome", () => {
    expect(Object.keys(ORDER_OUTCOMES).toSorted()).toEqual(readdirSync(ORDERS).toSorted());
  });

  it.each(Object.entries(ORDER_OUTCOMES))(
    "gets the outcome that a careful person expects: %s",
    async (file, outcome) => {
      const [skipReason, source] = outcome;
      const shop = toShop(file);
      const body = readOrder(file).toString("utf8");
      const { orderId } = receiveOrder(readOrder(file));
      stage.emulator.shop(shop).addOrder({ orderId });
      const callsBefore = stage.service.calls.length;

      for (let repeat = 0; repeat < 3; repeat += 1) {
        expect(await stage.deliver({ shop, topic: "orders/create", body })).toBe(200);
      }
      const [order] = await stage.until(shop, (orders) => orders.length === 1 && orders.every(ended));

      expect(order).toMatchObject({ orderId, skipReason, source, creditsSpent: skipReason === null ? 1 : 0 });
      expect(order?.action, "only an answer of the service cancels").not.toBe(
        source === "local" ? "cancel" : "",
      );
      const calls = stage.service.calls.slice(callsBefore);
      expect(calls.map(({ status }) => status)).toEqual(skipReason === null ? [200] : []);
      for (const call of calls)
        expect(verificationRequestSchema.strict().safeParse(call.body).success).toBe(true);
      const shown = stage.emulator.shop(shop).findOrder(orderId);
      expect(shown?.assessments).toHaveLength(source === "policy" ? 0 : 1);
      if (source === "local") expectNotLow(order, shown, skipReason);
    },
  );
});

describe("every other recorded topic, through the running app", () => {
  it("has an expected outcome", () => {
    expect([...Object.keys(TOPIC_OUTCOMES), SHOP_REDACT].toSorted()).toEqual(readdirSync(TOPICS).toSorted());
  });

  it("leads to its outcome and costs nothing", async () => {
    const creditsBefore = stage.service.calls.length;
    for (const [file, [topic]] of Object.entries(TOPIC_OUTCOMES)) {
      const body = readTopic(file);
      expect(await stage.deliver({ shop: TOPIC_SHOP, topic, body, webhookId: file }), file).toBe(200);
    }
    const expected = Object.fromEntries(
      Object.entries(TOPIC_OUTCOMES).map(([file, [, outcome]]) => [file, outcome]),
    );
    await until(() => expect(readOutcomes()).toEqual(expected));

    await stage.deliver({ shop: TOPIC_SHOP, topic: "shop/redact", body: readTopic(SHOP_REDACT) });
    await until(() => expect(readOutcomes()).toEqual({}));
    expect(stage.service.calls.length).toBe(creditsBefore);
  });

  function readOutcomes(): Record<string, string> {
    const database = new DatabaseSync(stage.databasePath, { readOnly: true });
    const rows = database
      .prepare("SELECT delivery_id, outcome FROM deliveries WHERE tenant = ?")
      .all(`shopify:${TOPIC_SHOP}`);
    database.close();
    return Object.fromEntries(rows.map((row) => [String(row["delivery_id"]), String(row["outcome"])]));
  }
});
