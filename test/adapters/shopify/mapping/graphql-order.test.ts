import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toOrderPayload } from "../../../../adapters/shopify/mapping/graphql-order.ts";
import { mapOrder } from "../../../../adapters/shopify/mapping/map-order.ts";
import type { JsonObject } from "../../../../adapters/shopify/base/payload.ts";
import { toWithheld } from "../../../../adapters/shopify/admin/admin-answer.ts";
import { fingerprintOrder } from "../../../../src/order/fingerprint.ts";
import type { PlatformOrder } from "../../../../src/adapter-kit.ts";
import type { VerificationRequest } from "../../../../src/index.ts";
import { receiveOrder, sampleOrder } from "../fixtures.ts";

const money = (amount: string) => ({ shopMoney: { amount } });

const ADDRESS = {
  name: "Jane Example",
  firstName: "Jane",
  lastName: "Example",
  company: "Example Ltd",
  address1: "1 Example Street",
  address2: "Floor 2",
  city: "Springfield",
  province: "Oregon",
  provinceCode: "OR",
  zip: "97477",
  country: "United States",
  countryCodeV2: "US",
  phone: "+15415550100",
};

/** An order as the Admin API shows it, written by hand. */
function graphqlOrder(changes: JsonObject = {}): JsonObject {
  return {
    id: "gid://shopify/Order/820982911946154508",
    name: "#1001",
    createdAt: "2026-10-01T15:59:58Z",
    processedAt: "2026-10-01T16:00:00Z",
    cancelledAt: null,
    test: false,
    sourceName: "web",
    clientIp: "198.51.100.24",
    email: "jane@example.com",
    phone: null,
    currencyCode: "USD",
    totalPriceSet: money("1049.5"),
    billingAddress: ADDRESS,
    shippingAddress: { ...ADDRESS, name: "Joe Example", company: null, address2: null, phone: null },
    customer: {
      id: "gid://shopify/Customer/9007199254740993",
      createdAt: "2026-09-01T16:00:00Z",
      firstName: "Jane",
      lastName: "Example",
      defaultEmailAddress: { emailAddress: "jane.old@example.com" },
      defaultPhoneNumber: { phoneNumber: "+15415550199" },
    },
    lineItems: {
      nodes: [
        {
          name: "Mug - Red",
          title: "Mug",
          vendor: "Example",
          sku: "MUG-R",
          quantity: 2,
          discountedUnitPriceAfterAllDiscountsSet: money("19.9"),
        },
        {
          name: "Tip",
          title: "Tip",
          vendor: null,
          sku: null,
          quantity: 1,
          discountedUnitPriceAfterAllDiscountsSet: money("5.0"),
        },
        {
          name: "Tip",
          title: "Tip",
          vendor: "Example",
          sku: "TIP",
          quantity: 1,
          discountedUnitPriceAfterAllDiscountsSet: money("9.7"),
        },
        {
          name: "Sofa",
          title: "Sofa",
          vendor: "Example",
          sku: "",
          quantity: 1,
          discountedUnitPriceAfterAllDiscountsSet: money("1000.0"),
        },
        {
          name: "Sticker",
          title: "Sticker",
          vendor: "Example",
          sku: null,
          quantity: 1,
          discountedUnitPriceAfterAllDiscountsSet: money("0.0"),
        },
      ],
    },
    ...changes,
  };
}

const webhookAddress = {
  name: "Jane Example",
  first_name: "Jane",
  last_name: "Example",
  company: "Example Ltd",
  address1: "1 Example Street",
  address2: "Floor 2",
  city: "Springfield",
  province: "Oregon",
  province_code: "OR",
  zip: "97477",
  country: "United States",
  country_code: "US",
  phone: "+15415550100",
};

/** The same order as its webhook shows it, written by hand. */
function webhookOrder(changes: JsonObject = {}): JsonObject {
  const line = { product_id: 1, variant_id: 2, vendor: "Example", quantity: 1 };
  return {
    admin_graphql_api_id: "gid://shopify/Order/820982911946154508",
    name: "#1001",
    order_number: 1001,
    created_at: "2026-10-01T11:59:58-04:00",
    processed_at: "2026-10-01T12:00:00-04:00",
    cancelled_at: null,
    test: false,
    source_name: "web",
    browser_ip: "198.51.100.24",
    client_details: { browser_ip: "198.51.100.24", user_agent: null },
    email: "jane@example.com",
    contact_email: "jane@example.com",
    phone: null,
    currency: "USD",
    presentment_currency: "CAD",
    total_price: "1049.50",
    total_price_set: {
      shop_money: { amount: "1049.50", currency_code: "USD" },
      presentment_money: { amount: "1400.00", currency_code: "CAD" },
    },
    billing_address: webhookAddress,
    shipping_address: { ...webhookAddress, name: "Joe Example", company: null, address2: null, phone: null },
    customer: {
      id: 1,
      admin_graphql_api_id: "gid://shopify/Customer/9007199254740993",
      created_at: "2026-09-01T12:00:00-04:00",
      first_name: "Jane",
      last_name: "Example",
      email: "jane.old@example.com",
      phone: "+15415550199",
    },
    line_items: [
      { ...line, name: "Mug - Red", title: "Mug", sku: "MUG-R", quantity: 2, price: "19.90" },
      { ...line, name: "Tip", title: "Tip", sku: null, price: "5.00", product_id: null, variant_id: null },
      { ...line, name: "Tip", title: "Tip", sku: "TIP", price: "9.70" },
      { ...line, name: "Sofa", title: "Sofa", sku: "", price: "1000.00" },
      { ...line, name: "Sticker", title: "Sticker", sku: null, price: "0.00" },
    ],
    ...changes,
  };
}

/** The order as listed; `withheld` are the paths named in errors. */
function list(changes: JsonObject = {}, ...withheld: readonly string[]): PlatformOrder {
  const errors = withheld.map((path) => ({ code: "ACCESS_DENIED", path: `orders.nodes.0.${path}` }));
  const order = mapOrder(toOrderPayload(graphqlOrder(changes), "orders.nodes.0", toWithheld(errors)));
  if (order === null) throw new Error("expected an order");
  return order;
}

function requestOf({ mapped }: PlatformOrder): VerificationRequest {
  if (mapped.outcome !== "screenable") throw new Error(`expected a request, got ${mapped.reason}`);
  return mapped.request;
}

function reasonOf({ mapped }: PlatformOrder): string | null {
  return mapped.outcome === "screenable" ? null : mapped.reason;
}

const fingerprint = (order: PlatformOrder) => fingerprintOrder(requestOf(order), (content) => content);

const LISTED_LINE = {
  name: "Mug",
  title: "Mug",
  vendor: "Example",
  sku: null,
  quantity: 2,
  discountedUnitPriceAfterAllDiscountsSet: money("19.9"),
};
const LISTED_TIP = {
  name: "Trinkgeld",
  title: "Trinkgeld",
  vendor: null,
  quantity: 1,
  discountedUnitPriceAfterAllDiscountsSet: money("5.0"),
};

describe("toOrderPayload", () => {
  it("returns the same order as its webhook", () => {
    const listed = list();
    const received = receiveOrder(webhookOrder());

    const { orderTimestamp, ...request } = requestOf(listed);
    const { orderTimestamp: receivedTimestamp, ...receivedRequest } = requestOf(received);
    expect(request).toStrictEqual(receivedRequest);
    expect(Date.parse(orderTimestamp ?? "")).toBe(Date.parse(receivedTimestamp ?? "-"));
    expect({ ...listed, mapped: null }).toStrictEqual({ ...received, mapped: null });
    expect(fingerprint(listed)).toBe(fingerprint(received));
  });

  it.each<[string, JsonObject, JsonObject]>([
    ["no shipping address", { shippingAddress: null }, { shipping_address: null }],
    ["no billing address", { billingAddress: null }, { billing_address: null }],
    [
      "a code for its province and a name for its country",
      { billingAddress: { ...ADDRESS, province: null, country: "Nowhere", countryCodeV2: null } },
      { billing_address: { ...webhookAddress, province: null, country: "Nowhere", country_code: null } },
    ],
    [
      "a buyer in two parts",
      { billingAddress: { ...ADDRESS, name: null } },
      { billing_address: { ...webhookAddress, name: null } },
    ],
    [
      "a buyer only the customer names",
      { billingAddress: null, shippingAddress: { ...ADDRESS, name: null, firstName: null, lastName: null } },
      {
        billing_address: null,
        shipping_address: { ...webhookAddress, name: null, first_name: null, last_name: null },
      },
    ],
    ["no customer", { customer: null }, { customer: null }],
    ["the customer's email only", { email: null }, { email: "", contact_email: null }],
    ["its own phone", { phone: "+15415550111" }, { phone: "+15415550111" }],
    ["another currency", { currencyCode: "KWD" }, { currency: "KWD" }],
    ["another amount", { totalPriceSet: money("12.345") }, { total_price: "12.345" }],
    ["no lines", { lineItems: { nodes: [] } }, { line_items: [] }],
    [
      "a line after discounts",
      { lineItems: { nodes: [{ ...LISTED_LINE, discountedUnitPriceAfterAllDiscountsSet: money("17.0") }] } },
      {
        line_items: [
          {
            name: "Mug",
            quantity: 2,
            price: "19.90",
            product_id: 1,
            discount_allocations: [{ amount: "3.80" }, { amount: "2.00" }],
          },
        ],
      },
    ],
    [
      "a tip in another language",
      {
        totalTipReceivedSet: money("5.0"),
        lineItems: { nodes: [LISTED_LINE, { ...LISTED_LINE, ...LISTED_TIP }] },
      },
      {
        total_tip_received: "5.00",
        line_items: [
          { name: "Mug", quantity: 2, price: "19.90", product_id: 1 },
          { name: "Trinkgeld", quantity: 1, price: "5.00", product_id: null, variant_id: null },
        ],
      },
    ],
  ])("has the webhook's fingerprint with %s", (_what, listed, received) => {
    expect(fingerprint(list(listed))).toBe(fingerprint(receiveOrder(webhookOrder(received))));
    expect(fingerprint(list(listed))).not.toBe(fingerprint(list({ name: "other", email: "x@example.com" })));
  });

  it.each<[string, JsonObject, JsonObject, string]>([
    [
      "cancelled",
      { cancelledAt: "2026-10-01T17:00:00Z" },
      { cancelled_at: "2026-10-01T17:00:00Z" },
      "CANCELLED",
    ],
    ["free", { totalPriceSet: money("0.0") }, { total_price: "0.00" }, "ZERO_AMOUNT"],
    [
      "without an email address",
      { email: null, customer: null },
      { email: "", contact_email: null, customer: null },
      "NO_EMAIL",
    ],
    [
      "without addresses",
      { billingAddress: null, shippingAddress: null },
      { billing_address: null, shipping_address: null },
      "NO_ADDRESS",
    ],
  ])("leaves an order that is %s unsent, as its webhook does", (_what, listed, received, reason) => {
    expect(reasonOf(list(listed))).toBe(reason);
    expect(reasonOf(receiveOrder(webhookOrder(received)))).toBe(reason);
  });

  it("recognizes test orders", () => {
    expect(list({ test: true }).mapped.test).toBe(true);
    expect(list({ test: false }).mapped.test).toBe(false);
  });

  it.each([
    ["web", "198.51.100.24"],
    ["pos", undefined],
    ["shopify_draft_order", undefined],
    ["iphone", undefined],
    ["an-app", undefined],
    [null, undefined],
  ])("returns the address of an order from %s as %s", (sourceName, ipAddress) => {
    expect(requestOf(list({ sourceName })).ipAddress).toBe(ipAddress);
  });

  const NAMELESS = { ...ADDRESS, name: null, firstName: null, lastName: null };
  const PLACELESS = { ...ADDRESS, address1: null, address2: null, city: null, zip: null };
  const NO_CONTACT = { defaultEmailAddress: null, defaultPhoneNumber: null };
  const ADDRESSES = ["billingAddress", "shippingAddress"];
  const of = (...fields: readonly string[]) =>
    ADDRESSES.flatMap((address) => fields.map((field) => `${address}.${field}`));

  it.each<[string, JsonObject, readonly string[], string | null]>([
    [
      "email addresses",
      { email: null, customer: { ...NO_CONTACT } },
      ["email", "customer.defaultEmailAddress.emailAddress"],
      "NO_EMAIL",
    ],
    [
      "names",
      { billingAddress: NAMELESS, shippingAddress: NAMELESS, customer: null },
      [...of("name", "firstName", "lastName"), "customer"],
      "NO_NAME",
    ],
    [
      "streets and cities",
      { billingAddress: PLACELESS, shippingAddress: PLACELESS },
      of("address1", "address2", "city", "zip"),
      null,
    ],
    ["addresses", { billingAddress: null, shippingAddress: null }, ADDRESSES, "NO_ADDRESS"],
    [
      "everything but the country",
      {
        email: null,
        customer: null,
        billingAddress: { country: "Canada", countryCodeV2: "CA" },
        shippingAddress: { country: "Canada", countryCodeV2: "CA" },
      },
      ["email", "phone", "customer", ...of("name", "firstName", "lastName", "address1", "city", "zip")],
      "NO_EMAIL",
    ],
  ])("distinguishes withheld %s from missing ones", (_what, changes, withheld, otherwise) => {
    expect(reasonOf(list(changes, ...withheld))).toBe("PERSONAL_DATA_NOT_GRANTED");
    expect(reasonOf(list(changes))).toBe(otherwise);
  });

  it("needs only what the service needs: a withheld customer, phone and IP address cost detail", () => {
    const listed = list(
      { customer: null, phone: null, clientIp: null, billingAddress: { ...ADDRESS, phone: null } },
      "customer",
      "phone",
      "clientIp",
      "billingAddress.phone",
    );

    expect(requestOf(listed)).toMatchObject({ customerEmail: "jane@example.com", isFirstTimeCustomer: true });
    expect(requestOf(listed)).not.toHaveProperty("customerPhone");
    expect(requestOf(listed)).not.toHaveProperty("ipAddress");
    expect(listed.customerId).toBeUndefined();
  });

  it("doesn't mix up the errors of two orders", () => {
    const errors = [{ code: "ACCESS_DENIED", path: "orders.nodes.1.email" }];
    const node = graphqlOrder({ email: null, customer: null });

    const payload = toOrderPayload(node, "orders.nodes.0", toWithheld(errors));

    expect(payload["email"]).toBeNull();
  });

  it("returns a payload that can be mapped for any object", () => {
    const keys = Object.keys(graphqlOrder());
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom<unknown>(undefined, { shopMoney: null }, { nodes: [null, 1, {}] }, ADDRESS),
    );
    const nodes = fc
      .dictionary(fc.constantFrom(...keys), odd)
      .map((changes) => ({ ...graphqlOrder(), ...changes }));
    const paths = fc.array(fc.constantFrom("", ...keys.map((key) => `orders.nodes.0.${key}`)));
    fc.assert(
      fc.property(fc.oneof(nodes, fc.dictionary(fc.string(), odd)), paths, (node, withheld) => {
        const isWithheld = toWithheld(withheld.map((path) => ({ code: "ACCESS_DENIED", path })));
        const order = mapOrder(toOrderPayload(node, "orders.nodes.0", isWithheld));
        expect(order === null || order.orderId !== "").toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("would detect a field that is read from the wrong place", () => {
    expect(fingerprint(list())).not.toBe(fingerprint(receiveOrder(sampleOrder())));
  });
});
