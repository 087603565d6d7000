import { describe, expect, it } from "vitest";
import { interpretDelivery } from "../../../adapters/shopify/intake/interpret.ts";
import type { JsonObject } from "../../../adapters/shopify/base/payload.ts";
import type { MappedOrder, PlatformOrder } from "../../../src/adapter-kit.ts";
import { compareOrders, type ComparedOrder } from "../../../src/order/material-change.ts";
import { TENANT, fixtureBody, fixtureNames, receiveOrder, sampleOrder } from "./fixtures.ts";

/** The order that `orders/updated` with this body describes. */
function changeOrder(body: Buffer | JsonObject): PlatformOrder {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const event = interpretDelivery({ tenant: TENANT, topic: "orders/updated", body: bytes });
  if (event.kind !== "order-changed") throw new Error(`expected a change, got ${JSON.stringify(event)}`);
  return event.order;
}

function toCompared(mapped: MappedOrder): ComparedOrder {
  const known = mapped.outcome === "screenable" ? mapped.request : mapped.known;
  return { ...known, recipientName: mapped.recipientName };
}

/** Paths of what is material in an update, compared with the order as it was created. */
function materialOf(changes: JsonObject): readonly string[] {
  const before = toCompared(receiveOrder(sampleOrder({ current_total_price: "42.50" })).mapped);
  const after = toCompared(changeOrder(sampleOrder({ current_total_price: "42.50", ...changes })).mapped);
  return compareOrders(before, after).flatMap(({ path, material }) => (material ? [path] : []));
}

const MUG = { name: "Mug", quantity: 1, current_quantity: 1, price: "42.50", sku: "MUG-1" };

describe("orders/updated", () => {
  it.each(fixtureNames("shopify"))("reads %s as materially the same order as orders/create", (name) => {
    const body = fixtureBody("shopify", name);
    const created = receiveOrder(body);
    const updated = changeOrder(body);

    const changes = compareOrders(toCompared(created.mapped), toCompared(updated.mapped));

    expect(updated.orderId).toBe(created.orderId);
    expect(updated.mapped.outcome).toBe(created.mapped.outcome);
    expect(changes.filter(({ material }) => material)).toEqual([]);
  });

  it.each<[string, JsonObject]>([
    ["a note", { note: "please ring twice", note_attributes: [{ name: "gift", value: "yes" }] }],
    [
      "tags, payment and shipping",
      { tags: "holdfast-high", financial_status: "paid", fulfillment_status: "partial" },
    ],
    [
      "a refund",
      { current_total_price: "0.00", refunds: [{ id: 1 }], line_items: [{ ...MUG, current_quantity: 0 }] },
    ],
    [
      "a line taken away, of which the ordered quantity stays",
      { line_items: [{ ...MUG, current_quantity: 0 }] },
    ],
    ["a flat", { shipping_address: address({ address2: "Flat 7" }) }],
    ["a phone", { phone: "+15550100199" }],
    ["another browser", { browser_ip: "192.0.2.99", client_details: { user_agent: "Other/1.0" } }],
  ])("finds no material change in %s", (_case, changes) => {
    expect(materialOf(changes)).toEqual([]);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    [
      "another country",
      { shipping_address: address({ country: "Canada", country_code: "CA" }) },
      ["shippingAddress.country"],
    ],
    [
      "another street",
      { shipping_address: address({ address1: "9 Other Road" }) },
      ["shippingAddress.street"],
    ],
    [
      "a line added by an edit, whose total stays and current total moves",
      {
        current_total_price: "142.50",
        line_items: [MUG, { name: "Plate", quantity: 1, current_quantity: 1, price: "100.00", sku: "PLATE" }],
      },
      ["orderAmount", "items"],
    ],
    [
      "an edit that moves both totals",
      { total_price: "142.50", current_total_price: "142.50" },
      ["orderAmount"],
    ],
    [
      "a line exchanged for another",
      {
        line_items: [
          { ...MUG, current_quantity: 0 },
          { ...MUG, name: "Watch", sku: "WATCH" },
        ],
      },
      ["items"],
    ],
    [
      "another recipient",
      { shipping_address: address({ name: "Robert Sample", first_name: "Robert", last_name: "Sample" }) },
      ["recipientName"],
    ],
    [
      "a company that receives",
      { shipping_address: address({ company: "Example Freight" }) },
      ["recipientName"],
    ],
    [
      "a second line with somebody to pass it on",
      { shipping_address: address({ address2: "c/o Freight Forwarding" }) },
      ["shippingAddress.street"],
    ],
    ["another email address", { email: "other@example.com" }, ["customerEmail"]],
  ])("finds %s", (_case, changes, paths) => {
    expect(materialOf(changes)).toEqual(paths);
  });

  it("checks the amount to which an edit raised the order", () => {
    const { mapped, amount } = changeOrder(
      sampleOrder({ total_price: "42.50", current_total_price: "142.50" }),
    );

    expect(amount).toBe(142.5);
    expect(mapped).toMatchObject({ request: { orderAmount: 142.5 } });
    expect(receiveOrder(sampleOrder({ current_total_price: "142.50" })).amount).toBe(42.5);
  });

  it("reports a canceled order and a shipped one", () => {
    expect(changeOrder(sampleOrder({ cancelled_at: "2026-11-20T10:05:00Z" })).mapped).toMatchObject({
      outcome: "unscreenable",
      reason: "CANCELLED",
    });
    expect(changeOrder(sampleOrder({ fulfillment_status: "fulfilled" })).fulfilled).toBe(true);
    expect(changeOrder(sampleOrder({ fulfillment_status: "partial" }))).not.toHaveProperty("fulfilled");
    expect(receiveOrder(sampleOrder({ fulfillment_status: "fulfilled" }))).not.toHaveProperty("fulfilled");
  });

  it.each([
    ["refunded", true],
    ["voided", true],
    ["partially_refunded", undefined],
    ["paid", undefined],
    ["expired", undefined],
    [null, undefined],
  ])("reports whether the order is fully refunded: %s", (status, refunded) => {
    expect(changeOrder(sampleOrder({ financial_status: status })).refunded).toBe(refunded);
    expect(receiveOrder(sampleOrder({ financial_status: status }))).not.toHaveProperty("refunded");
  });
});

function address(changes: JsonObject): JsonObject {
  return { ...(sampleOrder()["shipping_address"] as JsonObject), ...changes };
}
