import { describe, expect, it } from "vitest";
import { toCustomer } from "../../../../adapters/shopify/mapping/customer.ts";
import type { JsonObject } from "../../../../adapters/shopify/base/payload.ts";

const ORDER = { orderedAt: "2026-10-10T12:00:00Z", orderName: "#1001" };

function mapCustomer(payload: JsonObject) {
  return toCustomer(payload, ORDER);
}

describe("toCustomer", () => {
  it.each<[string, JsonObject, string | undefined]>([
    [
      "billing first",
      { billing_address: { name: "Bill Example" }, shipping_address: { name: "Ship Example" } },
      "Bill Example",
    ],
    [
      "then shipping",
      { billing_address: { name: " " }, shipping_address: { name: "Ship Example" } },
      "Ship Example",
    ],
    [
      "first and last when the name is blank",
      { billing_address: { name: "", first_name: "Bill", last_name: "Example" } },
      "Bill Example",
    ],
    [
      "one half of a name",
      { billing_address: { name: null, first_name: "", last_name: "Example" } },
      "Example",
    ],
    ["then the customer", { customer: { first_name: "Jane", last_name: "Example" } }, "Jane Example"],
    [
      "then the card holder",
      { customer: { first_name: null }, payment_details: { credit_card_name: "J EXAMPLE" } },
      "J EXAMPLE",
    ],
    ["nobody", { customer: { id: "1" } }, undefined],
    [
      "a long name, cut",
      { billing_address: { first_name: "a".repeat(200), last_name: "b".repeat(200) } },
      `${"a".repeat(200)} ${"b".repeat(54)}`,
    ],
  ])("names %s", (_case, payload, name) => {
    expect(mapCustomer(payload).customerName).toBe(name);
  });

  it.each<[JsonObject, string | undefined]>([
    [{ email: "a@example.com", contact_email: "b@example.com" }, "a@example.com"],
    [{ email: " a@example.com " }, "a@example.com"],
    [{ email: "", contact_email: "b@example.com" }, "b@example.com"],
    [{ email: "not an address", contact_email: null, customer: { email: "c@example.com" } }, "c@example.com"],
    [{ email: `${"a".repeat(250)}@example.com` }, `${"a".repeat(250)}@example.com`],
    [{ email: "a&b@gmail.com" }, "a&b@gmail.com"],
    [{ email: "user#1@example.com" }, "user#1@example.com"],
    [{ email: "j/k=l@example.com" }, "j/k=l@example.com"],
    [{ email: "taro..yamada@docomo.ne.jp" }, "taro..yamada@docomo.ne.jp"],
    [{ email: "jane@müller.de" }, "jane@xn--mller-kva.de"],
    [{ email: "user@xn--e1afmkfd.xn--p1ai" }, "user@xn--e1afmkfd.xn--p1ai"],
    [{ email: "a@localhost" }, undefined],
    [{ email: 5, contact_email: {}, customer: { email: null } }, undefined],
  ])("finds the email address of %j", (payload, email) => {
    expect(mapCustomer(payload).customerEmail).toBe(email);
  });

  it.each<[JsonObject, string | undefined]>([
    [
      {
        phone: "1",
        customer: { phone: "2" },
        shipping_address: { phone: "3" },
        billing_address: { phone: "4" },
      },
      "1",
    ],
    [
      {
        phone: null,
        customer: { phone: "2" },
        shipping_address: { phone: "3" },
        billing_address: { phone: "4" },
      },
      "2",
    ],
    [{ phone: "", customer: null, shipping_address: { phone: "3" }, billing_address: { phone: "4" } }, "3"],
    // A present: the recipient's phone isn't the buyer's.
    [
      {
        billing_address: { name: "Bill Example", phone: null },
        shipping_address: { name: "Ship Example", phone: "3" },
      },
      undefined,
    ],
    [
      {
        billing_address: { name: "Bill Example", phone: "4" },
        shipping_address: { name: "Ship Example", phone: "3" },
      },
      "4",
    ],
    [
      {
        billing_address: { name: "Bill Example", phone: "" },
        shipping_address: { name: "BILL  example", phone: "3" },
      },
      "3",
    ],
    [
      {
        customer: { first_name: "Jane", last_name: "Example", phone: "2" },
        shipping_address: { name: "Ship Example", phone: "3" },
      },
      "3",
    ],
    [{ customer: { first_name: "Jane", phone: "2" }, billing_address: { phone: "4" } }, "2"],
    [{ billing_address: { phone: "555-555-SHIP" } }, "555-555-SHIP"],
    [{ phone: "5".repeat(60) }, "5".repeat(50)],
    [{}, undefined],
  ])("finds the phone number of %j", (payload, phone) => {
    expect(mapCustomer(payload).customerPhone).toBe(phone);
  });

  it.each<[string, unknown, boolean, number | undefined]>([
    ["no customer", undefined, true, undefined],
    ["null", null, true, undefined],
    ["an empty customer", {}, true, undefined],
    ["a customer of unknown age", { created_at: null }, true, undefined],
    ["a record made with the order", { created_at: "2026-10-10T12:00:00Z" }, true, 0],
    ["a record made a minute after the order", { created_at: "2026-10-10T12:01:00Z" }, true, 0],
    ["a record one second short of a day", { created_at: "2026-10-09T12:00:01Z" }, true, 0],
    ["a record of a day", { created_at: "2026-10-09T12:00:00Z" }, true, 1],
    ["a record of years, which counts no orders", { created_at: "2020-10-10T12:00:00Z" }, true, 2_191],
    [
      "an old record that counts no order",
      { created_at: "2025-01-01T00:00:00Z", orders_count: 0 },
      true,
      647,
    ],
    [
      "an old record that counts this order",
      { orders_count: "1", last_order_name: "#1001" },
      true,
      undefined,
    ],
    ["a record that counts another order", { orders_count: 1, last_order_name: "#1000" }, false, undefined],
    [
      "a record that counts this order and another",
      { orders_count: 2, last_order_name: "#1001" },
      false,
      undefined,
    ],
  ])("judges %s", (_case, customer, isFirstTimeCustomer, accountAgeInDays) => {
    expect(mapCustomer({ customer })).toMatchObject({ isFirstTimeCustomer, accountAgeInDays });
  });

  it("says that a first order is assumed unless the orders are counted", () => {
    expect(mapCustomer({ customer: { created_at: "2020-10-10T12:00:00Z" } }).standIns).toEqual([
      "isFirstTimeCustomer",
    ]);
    expect(mapCustomer({ customer: { orders_count: 3 } }).standIns).toEqual([]);
  });

  it("says that the name comes from the card", () => {
    const payment_details = { credit_card_name: "J EXAMPLE" };
    expect(mapCustomer({ payment_details }).standIns).toContain("customerName");
    expect(mapCustomer({ payment_details, customer: { first_name: "Jane" } }).standIns).not.toContain(
      "customerName",
    );
  });

  it("gives no account age without the time of the order", () => {
    const customer = { created_at: "2020-01-01T00:00:00Z" };
    expect(toCustomer({ customer }, { orderedAt: undefined, orderName: "#1" })).toMatchObject({
      isFirstTimeCustomer: true,
      accountAgeInDays: undefined,
    });
  });

  it.each<[unknown, string | undefined]>([
    [{ id: "115310627314723954" }, "115310627314723954"],
    [{ id: 1, admin_graphql_api_id: "gid://shopify/Customer/115310627314723954" }, "115310627314723954"],
    [{ id: 115310627314723950 }, undefined],
    [null, undefined],
  ])("reads the customer's id from %j", (customer, customerId) => {
    expect(mapCustomer({ customer }).customerId).toBe(customerId);
  });
});
