import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FLOW_ACTION_HANDLE, FLOW_ACTION_TOPIC } from "../../../../adapters/shopify/intake/flow-action.ts";
import { HANDLED_TOPICS, interpretDelivery } from "../../../../adapters/shopify/intake/interpret.ts";
import type { Dispute, PlatformEvent } from "../../../../src/adapter-kit.ts";
import { TENANT, fixtureBody, fixtureNames, sampleOrder } from "../fixtures.ts";
import { DISPUTE } from "./sample-dispute.ts";

function toGids(...ids: readonly string[]): string {
  return ids.map((id) => `gid://shopify/FulfillmentOrder/${id}`).join(" ");
}

const UNKNOWN = { kind: "ignored", reason: "unknown-topic" } as const;

const ENTRY = { id: "gid://shopify/FulfillmentOrder/1", status: "open" };
const ON_HOLD = { ...ENTRY, status: "on_hold" };
const HELD = { held_fulfillment_order_line_items: [] };
const NO_ENTRY = { fulfillment_order: null };

const FO = "fulfillment_orders";

/** Topic and expected event of every fixture, in the order of their names. */
const EXPECTED: readonly (readonly [string, string, PlatformEvent])[] = [
  [
    "01-fulfillment_orders_placed_on_hold.json",
    `${FO}/placed_on_hold`,
    { kind: "order-ready", reference: toGids("1", "2") },
  ],
  [
    "02-fulfillment_orders_hold_released.json",
    `${FO}/hold_released`,
    { kind: "order-ready", reference: toGids("1") },
  ],
  ["03-fulfillment_holds_added.json", "fulfillment_holds/added", UNKNOWN],
  ["04-fulfillment_holds_released.json", "fulfillment_holds/released", UNKNOWN],
  [
    "05-customers_redact.json",
    "customers/redact",
    {
      kind: "erase-customer",
      orderIds: ["299938", "280263", "220458"],
      email: "john@example.com",
      customerId: "191167",
    },
  ],
  [
    "06-customers_data_request.json",
    "customers/data_request",
    {
      kind: "report-customer",
      requestId: "9999",
      orderIds: ["299938", "280263", "220458"],
      email: "john@example.com",
      customerId: "191167",
    },
  ],
  ["07-app_uninstalled.json", "app/uninstalled", { kind: "uninstalled" }],
  [
    "08-app_scopes_update.json",
    "app/scopes_update",
    { kind: "permissions-changed", granted: ["read_products", "write_products"] },
  ],
  [
    "09-fulfillment_orders_order_routing_complete.json",
    "fulfillment_orders/order_routing_complete",
    { kind: "order-ready", reference: "gid://shopify/FulfillmentOrder/1" },
  ],
  ["10-orders_edited.json", "orders/edited", UNKNOWN],
  ["11-orders_delete.json", "orders/delete", { kind: "order-cancelled", orderId: "820982911946154500" }],
  [
    "12-orders_risk_assessment_changed.json",
    "orders/risk_assessment_changed",
    { kind: "ignored", reason: "no-order-id" },
  ],
  ["13-order_transactions_create.json", "order_transactions/create", UNKNOWN],
  ["14-refunds_create.json", "refunds/create", UNKNOWN],
  ["15-shop_redact.json", "shop/redact", { kind: "erase-tenant" }],
  ["16-draft_orders_create.json", "draft_orders/create", UNKNOWN],
  ["17-checkouts_create.json", "checkouts/create", UNKNOWN],
  [
    "18-fulfillment_orders_split.json",
    `${FO}/split`,
    { kind: "order-ready", reference: toGids("1", "2", "3") },
  ],
  ["19-fulfillment_orders_moved.json", `${FO}/moved`, { kind: "order-ready", reference: toGids("2", "1") }],
  ["20-disputes_create.json", "disputes/create", { kind: "dispute", dispute: DISPUTE }],
  [
    "21-disputes_update.json",
    "disputes/update",
    {
      kind: "dispute",
      dispute: { ...DISPUTE, status: "lost", evidenceSentAtMs: Date.UTC(2026, 11, 2, 15) },
    },
  ],
  ["22-fulfillment_orders_merged.json", `${FO}/merged`, { kind: "order-ready", reference: toGids("1") }],
];

function interpret(topic: string, body: string | Buffer | object): PlatformEvent {
  const bytes =
    typeof body === "string"
      ? Buffer.from(body)
      : Buffer.isBuffer(body)
        ? body
        : Buffer.from(JSON.stringify(body));
  return interpretDelivery({ tenant: TENANT, topic, body: bytes });
}

const RISK_TOPIC = "orders/risk_assessment_changed";

/** A risk assessment of Shopify's own, with changes. */
function assessment(changes: object = {}): object {
  return {
    provider_id: null,
    provider_title: null,
    risk_level: "high",
    created_at: "2026-10-01T12:00:00Z",
    order_id: 1,
    admin_graphql_api_order_id: "gid://shopify/Order/820982911946154508",
    ...changes,
  };
}

const topicBody = (file: string) => fixtureBody("shopify-topics", file);
const ROUTED = topicBody("09-fulfillment_orders_order_routing_complete.json");

describe("interpretDelivery", () => {
  it("is tested with every topic fixture", () => {
    expect(EXPECTED.map(([name]) => name)).toEqual(fixtureNames("shopify-topics"));
    expect(EXPECTED).toHaveLength(22);
  });

  it.each(EXPECTED)("interprets %s", (name, topic, event) => {
    expect(interpret(topic, fixtureBody("shopify-topics", name))).toStrictEqual(event);
  });

  it("reads an order from orders/create", () => {
    expect(interpret("orders/create", sampleOrder())).toMatchObject({
      kind: "order",
      order: { orderId: "820982911946154508", mapped: { outcome: "screenable" } },
    });
  });

  it("ends a deleted order, with every digit of its id", () => {
    expect(interpret("orders/delete", '{"id":820982911946154508}')).toStrictEqual({
      kind: "order-cancelled",
      orderId: "820982911946154508",
    });
  });

  it.each<[string, string, string]>([
    [
      "a global id",
      '{"id":1,"admin_graphql_api_id":"gid://shopify/Order/820982911946154508"}',
      "820982911946154508",
    ],
    ["a bare number beyond 2^53", '{"id":820982911946154508}', "820982911946154508"],
    ["a bare small number", '{"id":450789469}', "450789469"],
  ])("reads a canceled order's ID from %s", (_case, body, orderId) => {
    expect(interpret("orders/cancelled", body)).toStrictEqual({ kind: "order-cancelled", orderId });
  });

  it.each([
    ["fraud", { asFraud: true }],
    ["customer", {}],
    ["FRAUD", {}],
    [["fraud"], {}],
    [null, {}],
  ])("reads from a canceled order whether fraud is the reason: %j", (reason, expected) => {
    const body = { ...sampleOrder(), id: 7, admin_graphql_api_id: "gid://shopify/Order/7" };
    const cancelled = { ...body, cancelled_at: "2026-11-22T10:00:00Z", cancel_reason: reason };
    const event = interpret("orders/cancelled", JSON.stringify(cancelled));
    expect(event).toStrictEqual({ kind: "order-cancelled", orderId: "7", ...expected });
  });

  it("keeps every digit of ids in a request to erase", () => {
    const body =
      '{"shop_id":1,"customer":{"id":9007199254740993,"email":" jane@example.com "},"orders_to_redact":[9007199254740993,820982911946154508,9007199254740993]}';
    expect(interpret("customers/redact", body)).toStrictEqual({
      kind: "erase-customer",
      orderIds: ["9007199254740993", "820982911946154508"],
      email: "jane@example.com",
      customerId: "9007199254740993",
    });
  });

  it.each<[string, object, object]>([
    [
      "only an email address",
      { customer: { email: "jane@example.com" }, orders_to_redact: [] },
      { orderIds: [], email: "jane@example.com", customerId: undefined },
    ],
    [
      "only orders",
      { customer: null, orders_to_redact: [1, null, "x", 2.5, -3, "4"] },
      { orderIds: ["1", "4"], email: undefined, customerId: undefined },
    ],
    [
      "only a customer",
      { customer: { id: 7, email: "" }, orders_to_redact: null },
      { orderIds: [], email: undefined, customerId: "7" },
    ],
  ])("erases a customer known by %s", (_case, body, subject) => {
    const event = interpret("customers/redact", { shop_id: 1, ...body });
    expect(event).toStrictEqual({ kind: "erase-customer", ...subject });
  });

  it("reports a customer although the request has no number", () => {
    const body = { shop_id: 1, customer: { id: 7 }, orders_requested: [] };
    expect(interpret("customers/data_request", body)).toMatchObject({
      kind: "report-customer",
      requestId: null,
    });
  });

  it.each([
    ["a topic that nothing handles", "products/create"],
    ["a topic named like a property", "constructor"],
  ])("ignores %s", (_case, topic) => {
    expect(interpret(topic, {})).toStrictEqual(UNKNOWN);
  });

  it.each<[string, string, object | string, string]>([
    ["an order without an id", "orders/create", { financial_status: "paid" }, "no-order-id"],
    ["an order whose ID isn't a number", "orders/create", { id: "gid", order_number: 1 }, "no-order-id"],
    ["a deleted order with an invalid id", "orders/delete", { id: "x" }, "no-order-id"],
    [
      "an update of an order without an id",
      "orders/updated",
      { line_items: [], total_price: "1" },
      "no-order-id",
    ],
    [
      "a routing of something else",
      "fulfillment_orders/order_routing_complete",
      { fulfillment_order: { id: "gid://shopify/Order/1" } },
      "no-fulfillment-order-id",
    ],
    [
      "an erasure that names no customer",
      "customers/redact",
      { shop_id: 1, customer: {}, orders_to_redact: [] },
      "no-customer",
    ],
    [
      "a report that names no customer",
      "customers/data_request",
      { shop_id: 1, customer: {}, orders_requested: [], data_request: { id: 1 } },
      "no-customer",
    ],
    ["a body that isn't JSON", "orders/create", "{", "unreadable-body"],
    ["a body that is a list", "customers/redact", "[]", "unreadable-body"],
  ])("ignores %s and says why", (_case, topic, body, reason) => {
    expect(interpret(topic, body)).toStrictEqual({ kind: "ignored", reason, isUnreadable: true });
  });

  it.each<[string, string, object]>([
    ["an empty body as an order", "orders/create", {}],
    ["a draft as an order", "orders/create", { admin_graphql_api_id: "gid://shopify/DraftOrder/1" }],
    ["an update without the order's lines", "orders/updated", { id: 1, order_number: 1, email: null }],
    ["an edit as an update", "orders/updated", { order_edit: { id: 1, order_id: 2 } }],
    ["an order that wasn't canceled", "orders/cancelled", sampleOrder()],
    ["an order that wasn't deleted", "orders/delete", sampleOrder()],
    ["a canceled order without an ID", "orders/cancelled", {}],
    ["a shop's erasure as a deleted order", "orders/delete", { id: 1, shop_id: 1, shop_domain: "x" }],
    ["an id as an uninstallation", "app/uninstalled", { id: 1 }],
    ["scopes that aren't a list", "app/scopes_update", { previous: [], current: "read_orders" }],
    ["an erasure that names no orders", "customers/redact", { shop_id: 1, customer: { id: 1 } }],
    ["an erasure without a shop", "customers/redact", { customer: { id: 1 }, orders_to_redact: [] }],
    ["a shop's erasure that names no domain", "shop/redact", { shop_id: 1 }],
    ["a hold that names no fulfillment order", "fulfillment_orders/placed_on_hold", { ...HELD, ...NO_ENTRY }],
    ["a hold that covers nothing", "fulfillment_orders/placed_on_hold", { fulfillment_order: ENTRY }],
    ["one that is still on hold", "fulfillment_orders/hold_released", { fulfillment_order: ON_HOLD }],
    ["a released hold in a list", "fulfillment_orders/hold_released", { fulfillment_order: [ENTRY] }],
    [
      "a new hold as a released one",
      "fulfillment_orders/hold_released",
      { fulfillment_order: ENTRY, ...HELD },
    ],
    [
      "a split without its lines",
      "fulfillment_orders/split",
      { fulfillment_order: ENTRY, remaining_fulfillment_order: ENTRY },
    ],
    ["a split of nothing", "fulfillment_orders/split", { fulfillment_order: "1", split_line_items: [] }],
    ["a move from nowhere", "fulfillment_orders/moved", { moved_fulfillment_order: ENTRY }],
    ["a move to nowhere", "fulfillment_orders/moved", { original_fulfillment_order: ENTRY }],
    ["an order as a move", "fulfillment_orders/moved", sampleOrder()],
    ["a merge of nothing", "fulfillment_orders/merged", { fulfillment_order_merges: {} }],
    ["a merge into nothing", "fulfillment_orders/merged", { merge_intents: [] }],
    ["an order as a merge", "fulfillment_orders/merged", sampleOrder()],
    ["an order as a split", "fulfillment_orders/split", sampleOrder()],
    ["an order as a risk assessment", RISK_TOPIC, { ...sampleOrder(), ...assessment() }],
    ["a deleted order as a risk assessment", RISK_TOPIC, { id: 1 }],
    ["a risk assessment without an order", RISK_TOPIC, { provider_id: null, risk_level: "high" }],
    ["a risk assessment without a provider", RISK_TOPIC, { order_id: 1, risk_level: "high" }],
    ["a risk assessment as a deletion", "orders/delete", assessment()],
    ["a risk assessment as an order", "orders/create", assessment()],
  ])("refuses %s", (_case, topic, body) => {
    expect(interpret(topic, body)).toStrictEqual({ kind: "refused", reason: "other-topic" });
  });

  it.each<[string, object | string, object]>([
    ["Shopify's own", assessment(), { kind: "context-changed", orderId: "820982911946154508" }],
    [
      "one with a number only, digit for digit",
      '{"provider_id":null,"risk_level":"high","order_id":820982911946154508}',
      { kind: "context-changed", orderId: "820982911946154508" },
    ],
    ["an app's, like ours", assessment({ provider_id: 7 }), { kind: "ignored", reason: "not-shopifys" }],
    ["a text for a provider", assessment({ provider_id: "" }), { kind: "ignored", reason: "not-shopifys" }],
    [
      "one of a customer",
      assessment({ admin_graphql_api_order_id: "gid://shopify/Customer/1", order_id: {} }),
      { kind: "refused", reason: "other-topic" },
    ],
    [
      "invalid IDs",
      assessment({ admin_graphql_api_order_id: "gid://shopify/Order/1 or 2", order_id: "-1" }),
      { kind: "ignored", reason: "no-order-id" },
    ],
    [
      "a level that says more",
      assessment({ risk_level: "x".repeat(9_999) }),
      { kind: "context-changed", orderId: "820982911946154508" },
    ],
    [
      "one that names another shop",
      assessment({ shop_domain: "other.myshopify.com" }),
      { kind: "refused", reason: "other-tenant" },
    ],
  ])("reads from a risk assessment only that Shopify has to be asked: %s", (_case, body, expected) => {
    expect(interpret(RISK_TOPIC, body)).toStrictEqual(expected);
  });

  it("recognizes its own hold when it comes back, unless that left a part without one", () => {
    const made = { handle: "holdfast", held_by_requesting_app: true };
    const body = { fulfillment_order: ON_HOLD, created_fulfillment_hold: made };
    const topic = "fulfillment_orders/placed_on_hold";
    expect(interpret(topic, body)).toStrictEqual({ kind: "ignored", reason: "own-hold" });
    const others = { ...body, created_fulfillment_hold: { ...made, held_by_requesting_app: false } };
    expect(interpret(topic, others).kind).toBe("order-ready");
    expect(interpret(topic, { ...body, remaining_fulfillment_order: ENTRY }).kind).toBe("order-ready");
  });

  it.each(["placed_on_hold", "hold_released", "split", "moved"])(
    "ignores %s of something that isn't a fulfillment order",
    (name) => {
      const other = { id: "gid://shopify/Order/1", status: "open" };
      const body =
        name === "moved"
          ? { original_fulfillment_order: other, moved_fulfillment_order: { id: 7 } }
          : { fulfillment_order: other };
      const more = name === "split" ? { split_line_items: [] } : name === "placed_on_hold" ? HELD : {};
      expect(interpret(`fulfillment_orders/${name}`, { ...body, ...more })).toStrictEqual({
        kind: "ignored",
        reason: "no-fulfillment-order-id",
        isUnreadable: true,
      });
    },
  );

  // Possible captures: a body of each topic that the app subscribes to.
  const CAPTURED: Readonly<Record<string, string | Buffer>> = {
    "orders/create": fixtureBody("shopify", "34-docs-rest-2026-07-pending-no-addresses.json"),
    "orders/updated": fixtureBody("shopify", "33-docs-rest-2026-07-phone-discount.json"),
    "orders/cancelled": fixtureBody("shopify", "14-docs-webhook-2026-04-create.json"),
    "orders/delete": '{"id":820982911946154508}',
    "fulfillment_orders/order_routing_complete": ROUTED,
    "fulfillment_orders/scheduled_fulfillment_order_ready": ROUTED,
    "fulfillment_orders/placed_on_hold": topicBody("01-fulfillment_orders_placed_on_hold.json"),
    "fulfillment_orders/hold_released": topicBody("02-fulfillment_orders_hold_released.json"),
    "fulfillment_orders/split": topicBody("18-fulfillment_orders_split.json"),
    "fulfillment_orders/moved": topicBody("19-fulfillment_orders_moved.json"),
    "fulfillment_orders/merged": topicBody("22-fulfillment_orders_merged.json"),
    // Shopify's own sample names no order.
    "orders/risk_assessment_changed": JSON.stringify(assessment()),
    "disputes/create": topicBody("20-disputes_create.json"),
    "disputes/update": topicBody("21-disputes_update.json"),
    "app/uninstalled": topicBody("07-app_uninstalled.json"),
    "app/scopes_update": topicBody("08-app_scopes_update.json"),
    "customers/redact": topicBody("05-customers_redact.json"),
    "customers/data_request": topicBody("06-customers_data_request.json"),
    "shop/redact": topicBody("15-shop_redact.json"),
  };
  // A state of an order is the same whichever topic brings it, and so is its end.
  const ALIKE = [
    ["orders/create", "orders/updated", "orders/cancelled"],
    ["orders/cancelled", "orders/delete"],
    ["disputes/create", "disputes/update"],
    // The same body in Shopify's reference, and the same event.
    [`${FO}/order_routing_complete`, `${FO}/hold_released`, `${FO}/scheduled_fulfillment_order_ready`],
  ];
  const isAlike = (one: string, other: string): boolean =>
    one === other || ALIKE.some((topics) => topics.includes(one) && topics.includes(other));

  it("never accepts a body as another topic's", () => {
    expect(Object.keys(CAPTURED).toSorted()).toEqual([...HANDLED_TOPICS].toSorted());
    for (const [own, body] of Object.entries(CAPTURED)) {
      for (const topic of HANDLED_TOPICS) {
        const event = interpret(topic, body);
        const refused = { kind: "refused", reason: "other-topic" };
        if (!isAlike(own, topic)) expect(event, `${own} as ${topic}`).toStrictEqual(refused);
        else if (own === topic) expect(event.kind, own).not.toMatch(/^(?:refused|ignored)$/);
      }
    }
    // Among similar bodies, an active order is never mistaken for one that ended.
    expect(interpret("orders/cancelled", CAPTURED["orders/create"] ?? "").kind).toBe("refused");
  });

  it("recognizes a run of the Flow action, and nothing else as one", () => {
    const run = {
      shop_id: "1",
      shopify_domain: "demo.myshopify.com",
      action_run_id: "1",
      handle: FLOW_ACTION_HANDLE,
      properties: { order_id: "820982911946154508" },
    };
    const body = Buffer.from(JSON.stringify(run));
    expect(interpret(FLOW_ACTION_TOPIC, body)).toEqual({
      kind: "check-requested",
      orderId: "820982911946154508",
    });
    for (const topic of HANDLED_TOPICS) {
      expect(interpret(topic, body), topic).toEqual({ kind: "refused", reason: "other-topic" });
    }
    for (const [own, captured] of Object.entries(CAPTURED)) {
      expect(interpret(FLOW_ACTION_TOPIC, captured).kind, own).toBe("refused");
    }
    const elsewhere = Buffer.from(JSON.stringify({ ...run, shopify_domain: "other.myshopify.com" }));
    expect(interpret(FLOW_ACTION_TOPIC, elsewhere)).toEqual({ kind: "refused", reason: "other-tenant" });
    const nothing = Buffer.from(JSON.stringify({ ...run, properties: { step_reference: "1" } }));
    expect(interpret(FLOW_ACTION_TOPIC, nothing)).toEqual({ kind: "ignored", reason: "no-order-id" });
  });

  it("recognizes every recorded order, even when personal data is withheld", () => {
    for (const name of fixtureNames("shopify")) {
      const body = fixtureBody("shopify", name);
      expect(interpret("orders/create", body).kind, name).toBe("order");
      expect(interpret("orders/updated", body).kind, name).toBe("order-changed");
    }
  });

  it.each<[string, object, Partial<Dispute>]>([
    ["an inquiry", { type: "inquiry", status: "needs_response" }, { kind: "inquiry", status: "open" }],
    ["one that was accepted", { status: "accepted" }, { status: "lost" }],
    ["one that ended with a refund", { status: "charge_refunded" }, { status: "refunded" }],
    ["one that never became a chargeback", { status: "prevented" }, { status: "prevented" }],
    [
      "one about the delivery",
      { reason: "product_not_received" },
      { reason: "product_not_received", isFraud: false },
    ],
    ["a reason that isn't one", { reason: "Jane <b>" }, { reason: "general", isFraud: false }],
    ["a status of another version", { status: "later" }, { status: "open" }],
  ])("reads %s", (_case, changes, dispute) => {
    const body = {
      ...JSON.parse(topicBody("20-disputes_create.json").toString()),
      id: 1,
      order_id: 2,
      ...changes,
    };
    expect(interpret("disputes/update", body)).toStrictEqual({
      kind: "dispute",
      dispute: { ...DISPUTE, disputeId: "1", orderId: "2", ...dispute },
    });
  });

  it("ignores a dispute without an order", () => {
    const body = { id: 1, order_id: null, type: "inquiry", status: "won", initiated_at: null };
    expect(interpret("disputes/create", body)).toStrictEqual({ kind: "ignored", reason: "no-order-id" });
  });

  it("reads when an order was last changed from its body", () => {
    const body = sampleOrder({ updated_at: "2026-10-01T12:00:07-04:00" });
    const event = interpret("orders/create", body);
    expect(event.kind === "order" && event.order.updatedAtMs).toBe(Date.UTC(2026, 9, 1, 16, 0, 7));
  });

  it.each<[string, object]>([
    ["shop/redact", { shop_id: 1, shop_domain: "Other.myshopify.com" }],
    ["customers/redact", { shop_domain: "other.myshopify.com", customer: { id: 1 }, orders_to_redact: [] }],
    [
      "customers/data_request",
      { shop_domain: "other.myshopify.com", customer: { id: 1 }, orders_requested: [] },
    ],
    ["app/uninstalled", { id: 1, myshopify_domain: "other.myshopify.com" }],
  ])("refuses %s of another shop than the header's", (topic, body) => {
    expect(interpret(topic, body)).toStrictEqual({ kind: "refused", reason: "other-tenant" });
  });

  it("accepts a body that names the header's shop", () => {
    expect(interpret("shop/redact", { shop_id: 1, shop_domain: "demo.myshopify.com" }).kind).toBe(
      "erase-tenant",
    );
    const shop = { id: 1, myshopify_domain: "demo.myshopify.com" };
    expect(interpret("app/uninstalled", shop).kind).toBe("uninstalled");
  });

  it("gives an event for any bytes and any JSON on every topic", () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text)),
      fc
        .dictionary(
          fc.constantFrom(
            "id",
            "customer",
            "orders_to_redact",
            "orders_requested",
            "data_request",
            "current",
            "fulfillment_order",
            "moved_fulfillment_order",
            "original_fulfillment_order",
            "split_line_items",
            "created_fulfillment_hold",
            "order_edit",
            "updated_at",
            "shop_domain",
            "admin_graphql_api_id",
            "__proto__",
          ),
          fc.jsonValue({ maxDepth: 3 }),
        )
        .map((body) => Buffer.from(JSON.stringify(body))),
    );
    fc.assert(
      fc.property(fc.constantFrom(...HANDLED_TOPICS, "other/topic"), anything, (topic, body) => {
        expect(interpret(topic, body).kind).toMatch(/^[a-z-]+$/);
      }),
      { numRuns: 1_000 },
    );
  });
});
