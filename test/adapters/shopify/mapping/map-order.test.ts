import { describe, expect, it } from "vitest";
import { mapOrder } from "../../../../adapters/shopify/mapping/map-order.ts";
import { toOrderContext } from "../../../../adapters/shopify/mapping/order-context.ts";
import { parseVerificationRequest, type SkipReason } from "../../../../src/adapter-kit.ts";
import { fixtureBody, fixtureNames, orderFixture, receiveOrder, sampleOrder } from "../fixtures.ts";

interface Expected {
  readonly orderId: string;
  readonly name: string;
  readonly test: boolean;
  /** Undefined: the service can be asked. */
  readonly reason?: SkipReason;
  readonly amount?: number;
}

const EXPECTED: Readonly<Record<string, Expected>> = {
  // Stripped of name, email and address, each by its keys.
  "01-gadget-exemplar-2023-10-1.json": {
    orderId: "123",
    name: "example string",
    test: false,
    reason: "PERSONAL_DATA_NOT_GRANTED",
  },
  // No global id yet: the text of the number, all its digits.
  "02-docs-webhook-2019-06.json": {
    orderId: "820982911946154508",
    name: "#9999",
    test: true,
    reason: "CANCELLED",
    amount: 403,
  },
  // Names and addresses granted, email not.
  "03-gadget-exemplar-2024-01-1.json": {
    orderId: "123",
    name: "example string",
    test: false,
    reason: "PERSONAL_DATA_NOT_GRANTED",
  },
  // The number beside the global id is a different one.
  "04-docs-webhook-2020-04.json": {
    orderId: "820982911946154508",
    name: "#9999",
    test: true,
    reason: "CANCELLED",
    amount: 403,
  },
  "05-gadget-exemplar-2024-01-3.json": {
    orderId: "123",
    name: "example string",
    test: false,
    reason: "PERSONAL_DATA_NOT_GRANTED",
  },
  "07-docs-webhook-2023-07-create.json": {
    orderId: "820982911946154508",
    name: "#9999",
    test: true,
    reason: "CANCELLED",
    amount: 388,
  },
  "07-gadget-exemplar-2025-04-1.json": {
    orderId: "123",
    name: "example string",
    test: false,
    reason: "PERSONAL_DATA_NOT_GRANTED",
  },
  "09-docs-webhook-2024-10-create.json": {
    orderId: "820982911946154508",
    name: "#9999",
    test: true,
    reason: "CANCELLED",
    amount: 359.97,
  },
  "12-docs-webhook-2025-10-create.json": {
    orderId: "820982911946154508",
    name: "#9999",
    test: true,
    reason: "CANCELLED",
    amount: 359.97,
  },
  "14-docs-webhook-2026-04-create.json": {
    orderId: "820982911946154508",
    name: "#9999",
    test: true,
    reason: "CANCELLED",
    amount: 404.95,
  },
  "16-docs-rest-2013-classic.json": { orderId: "450789469", name: "#1001", test: false, amount: 409.94 },
  "18-docs-rest-no-billing-zip.json": { orderId: "450789469", name: "#1001", test: false, amount: 409.94 },
  // The keys of a name are there without a value, and there are no addresses at all.
  "19-docs-rest-2015-create-null-names.json": {
    orderId: "1073459962",
    name: "#1002",
    test: false,
    reason: "NO_NAME",
    amount: 199,
  },
  "22-docs-rest-presentment-cad-tip.json": {
    orderId: "450789469",
    name: "#1001",
    test: true,
    amount: 409.94,
  },
  "24-docs-rest-no-customer-no-billing-edited.json": {
    orderId: "450789469",
    name: "#1001",
    test: true,
    amount: 409.94,
  },
  "26-docs-rest-2022-04-cancel-refund-amount.json": {
    orderId: "450789469",
    name: "#1001",
    test: true,
    amount: 598.94,
  },
  "27-docs-rest-2026-07-guest-variant-only.json": {
    orderId: "1073459969",
    name: "#1002",
    test: false,
    reason: "NO_EMAIL",
    amount: 199,
  },
  "30-docs-rest-2026-07-eur-custom-line.json": {
    orderId: "1073459976",
    name: "#1002",
    test: false,
    reason: "NO_EMAIL",
    amount: 238.47,
  },
  "33-docs-rest-2026-07-phone-discount.json": {
    orderId: "1073459981",
    name: "#1002",
    test: false,
    amount: 181.09,
  },
  // Only the customer's default address: not one of this order.
  "34-docs-rest-2026-07-pending-no-addresses.json": {
    orderId: "1073459983",
    name: "#1002",
    test: false,
    reason: "NO_ADDRESS",
    amount: 199,
  },
  "35-docs-rest-2026-07-customer-removed.json": {
    orderId: "450789469",
    name: "#1001",
    test: false,
    amount: 598.94,
  },
  "37-docs-rest-2026-07-cancelled-refunded.json": {
    orderId: "450789469",
    name: "#1001",
    test: false,
    reason: "CANCELLED",
    amount: 598.94,
  },
  "38-docs-rest-2026-01-openapi-keys-absent.json": {
    orderId: "1073459973",
    name: "#1002",
    test: false,
    reason: "NO_ADDRESS",
    amount: 199,
  },
};

describe("mapOrder", () => {
  it("is tested with every order fixture", () => {
    expect(fixtureNames("shopify")).toEqual(Object.keys(EXPECTED).toSorted());
    expect(fixtureNames("shopify")).toHaveLength(23);
  });

  it.each(Object.entries(EXPECTED))("maps %s", (name, expected) => {
    const order = receiveOrder(fixtureBody("shopify", name));

    expect(order).toMatchObject({ orderId: expected.orderId, name: expected.name, amount: expected.amount });
    expect(order.mapped.test).toBe(expected.test);
    expect(order.mapped.outcome).toBe(expected.reason === undefined ? "screenable" : "unscreenable");
    if (order.mapped.outcome === "screenable") {
      expect(order.mapped.request).toStrictEqual(parseVerificationRequest(order.mapped.request));
    } else {
      expect(order.mapped.reason).toBe(expected.reason);
    }
  });

  it("maps a recent order field by field", () => {
    const order = receiveOrder(fixtureBody("shopify", "33-docs-rest-2026-07-phone-discount.json"));

    const address = {
      street: "123 Fake Street",
      city: "Fakecity",
      state: "Ontario",
      postalCode: "K2P 1L4",
      country: "CA",
    };
    expect(order).toStrictEqual({
      orderId: "1073459981",
      updatedAtMs: Date.parse("2025-07-02T11:31:38-05:00"),
      name: "#1002",
      customerId: "1073339475",
      amount: 181.09,
      currency: "USD",
      mapped: {
        outcome: "screenable",
        test: false,
        recipientName: "Jane Smith",
        context: toOrderContext(orderFixture("33-docs-rest-2026-07-phone-discount.json")),
        standIns: ["isFirstTimeCustomer"],
        request: {
          orderId: "1073459981",
          orderAmount: 181.09,
          currency: "USD",
          orderTimestamp: "2025-07-02T16:31:38Z",
          items: [{ name: "IPod Touch 8GB - Black", quantity: 1, price: 181.09, sku: "IPOD2009BLACK" }],
          customerName: "John Smith",
          customerEmail: "jane@example.com",
          customerPhone: "+18885551234",
          isFirstTimeCustomer: true,
          accountAgeInDays: 0,
          shippingAddress: address,
          billingAddress: address,
        },
      },
    });
  });

  it("maps an old order with card facts, shop money and a buyer's address", () => {
    const order = receiveOrder(fixtureBody("shopify", "22-docs-rest-presentment-cad-tip.json"));

    expect(order.mapped).toStrictEqual({
      outcome: "screenable",
      test: true,
      recipientName: "Bob Bobsen",
      context: toOrderContext(orderFixture("22-docs-rest-presentment-cad-tip.json")),
      request: {
        orderId: "450789469",
        orderAmount: 409.94,
        currency: "USD",
        orderTimestamp: "2008-01-10T16:00:00Z",
        items: [{ name: "IPod Nano - Pink", quantity: 1, price: 194.99, sku: "IPOD-342-N" }],
        customerName: "Christopher Gorski",
        customerEmail: "bob.norman@hostmail.com",
        customerPhone: "+557734881234",
        isFirstTimeCustomer: true,
        accountAgeInDays: 0,
        shippingAddress: {
          street: "123 Amoebobacterieae St",
          city: "Ottawa",
          state: "Ontario",
          postalCode: "K2P0V6",
          country: "CA",
        },
        billingAddress: {
          street: "2259 Park Ct, Apartment 5",
          city: "Drayton Valley",
          state: "Alberta",
          postalCode: "T0E 0M0",
          country: "CA",
        },
        paymentInfo: { brand: "Visa", lastFourDigits: "4242" },
        ipAddress: "216.191.105.146",
        userAgent:
          "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_13_1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/62.0.3202.94 Safari/537.36",
      },
    });
  });

  it("returns the known facts of an order that can't be sent", () => {
    const order = receiveOrder(fixtureBody("shopify", "27-docs-rest-2026-07-guest-variant-only.json"));

    expect(order).toStrictEqual({
      orderId: "1073459969",
      updatedAtMs: Date.parse("2025-07-02T11:30:59-05:00"),
      name: "#1002",
      customerId: undefined,
      amount: 199,
      currency: "USD",
      mapped: {
        outcome: "unscreenable",
        reason: "NO_EMAIL",
        test: false,
        context: toOrderContext(orderFixture("27-docs-rest-2026-07-guest-variant-only.json")),
        standIns: ["isFirstTimeCustomer"],
        known: {
          orderId: "1073459969",
          orderAmount: 199,
          currency: "USD",
          orderTimestamp: "2025-07-02T16:30:59Z",
          isFirstTimeCustomer: true,
          items: [{ name: "IPod Touch 8GB - Black", quantity: 1, price: 199, sku: "IPOD2009BLACK" }],
        },
      },
    });
  });

  it("returns what remains of a stripped address, without placeholders", () => {
    const order = receiveOrder(fixtureBody("shopify", "07-gadget-exemplar-2025-04-1.json"));

    expect(order.mapped).toMatchObject({
      outcome: "unscreenable",
      known: {
        shippingAddress: { state: "example string", country: "example string" },
        billingAddress: { state: "example string", country: "example string" },
      },
    });
    expect(JSON.stringify(order)).not.toContain("N/A");
  });

  describe("skip reasons", () => {
    const imported = { processed_at: "2024-05-01T10:00:00-04:00", created_at: "2026-10-01T10:00:00-04:00" };
    const stripped = { email: undefined, contact_email: undefined, customer: undefined };
    it.each<[string, Record<string, unknown>, SkipReason]>([
      [
        "canceled before anything else",
        { cancelled_at: "2026-10-02T00:00:00Z", total_price: "0.00" },
        "CANCELLED",
      ],
      ["nothing to pay", { total_price: "0.00" }, "ZERO_AMOUNT"],
      [
        "nothing to pay, in a currency without decimals",
        { total_price: "0", currency: "VND" },
        "ZERO_AMOUNT",
      ],
      ["a negative amount", { total_price: "-1.00" }, "ZERO_AMOUNT"],
      ["a past order that was imported", { ...imported, fulfillment_status: "fulfilled" }, "IMPORTED"],
      ["nothing to pay before data withheld", { total_price: "0.00", ...stripped }, "ZERO_AMOUNT"],
      [
        "data withheld before an unreadable amount",
        { total_price: "free", ...stripped },
        "PERSONAL_DATA_NOT_GRANTED",
      ],
      ["an unreadable amount", { total_price: "free" }, "NO_AMOUNT"],
      ["no amount", { total_price: null }, "NO_AMOUNT"],
      ["no currency", { currency: "dollars" }, "NO_AMOUNT"],
      [
        "an amount before an email address",
        { currency: null, email: "", billing_address: null, shipping_address: null },
        "NO_AMOUNT",
      ],
      [
        "an email address before a name",
        { email: "", billing_address: null, shipping_address: null },
        "NO_EMAIL",
      ],
      ["a name before an address", { billing_address: null, shipping_address: null }, "NO_NAME"],
      [
        "no address",
        { billing_address: { name: "Jane Example", city: "", address1: "" }, shipping_address: null },
        "NO_ADDRESS",
      ],
    ])("names %s", (_case, changes, reason) => {
      expect(mapOrder(sampleOrder(changes))?.mapped).toMatchObject({ outcome: "unscreenable", reason });
    });

    it.each<[string, object, object]>([
      ["a country", { country_code: "GB" }, {}],
      ["a country and a postal code", { country_code: "GB", zip: "LS1 4AP" }, { postalCode: "LS1 4AP" }],
    ])("don't include a wallet that gives only %s", (_case, given, kept) => {
      const blank = { address1: null, address2: null, city: null, province: null, zip: null };
      const wallet = { name: "Jane Example", ...blank, country: "United Kingdom", ...given };
      const { mapped } = mapOrder(sampleOrder({ billing_address: wallet, shipping_address: null })) ?? {};
      const nowhere = { street: "N/A", city: "N/A", state: "N/A", postalCode: "N/A", country: "GB" };

      expect(mapped).toMatchObject({
        outcome: "screenable",
        request: {
          shippingAddress: { ...nowhere, ...kept },
          billingAddress: { ...nowhere, ...kept },
        },
      });
      expect(mapped?.standIns).toEqual(
        expect.arrayContaining(["shippingAddress", "shippingAddress.street", "billingAddress.street"]),
      );
    });

    it("include whether an order that can't be screened is a test", () => {
      expect(mapOrder(sampleOrder({ email: "", test: true }))?.mapped).toMatchObject({ test: true });
      expect(mapOrder(sampleOrder({ email: "", test: "true" }))?.mapped).toMatchObject({ test: false });
    });

    it("keep the amount of a free order as a fact, not as part of a request", () => {
      const order = mapOrder(sampleOrder({ total_price: "0.00" }));

      expect(order?.amount).toBe(0);
      expect(order?.mapped).not.toHaveProperty("known.orderAmount");
    });

    it.each<[string, Record<string, unknown>]>([
      ["hasn't shipped", imported],
      ["has shipped in part", { ...imported, fulfillment_status: "partial" }],
      [
        "was placed just now",
        { ...imported, processed_at: imported.created_at, fulfillment_status: "fulfilled" },
      ],
      [
        "doesn't say when it was placed",
        { ...imported, processed_at: null, fulfillment_status: "fulfilled" },
      ],
    ])("doesn't treat an order as imported that %s", (_name, over) => {
      expect(mapOrder(sampleOrder(over))?.mapped.outcome).toBe("screenable");
    });

    it("checks an imported order that ships later", () => {
      const shipped = sampleOrder({ ...imported, fulfillment_status: "fulfilled" });
      expect(mapOrder(shipped, "as-changed")?.mapped.outcome).toBe("screenable");
    });

    it.each([null, "", " ", undefined, false, 0])("doesn't treat cancelled_at %j as canceled", (value) => {
      expect(mapOrder(sampleOrder({ cancelled_at: value }))?.mapped.outcome).toBe("screenable");
    });
  });

  it("returns nothing for an object that names no order", () => {
    expect(mapOrder({})).toBeNull();
    expect(
      mapOrder({ ...orderFixture("33-docs-rest-2026-07-phone-discount.json"), admin_graphql_api_id: null }),
    ).toBeNull();
  });

  it.each<[Record<string, unknown>, string]>([
    [{ name: "", order_number: 1001 }, "#1001"],
    [{ name: null, order_number: "1001" }, "#1001"],
    [{ name: null, order_number: null }, "820982911946154508"],
    [{ name: "x".repeat(300) }, "x".repeat(100)],
  ])("names an order with %j", (changes, name) => {
    expect(mapOrder(sampleOrder(changes))?.name).toBe(name);
  });

  it("uses the creation time when the processing time can't be used, and no time when neither can", () => {
    const created = { created_at: "2026-10-01T00:00:00Z" };
    expect(mapOrder(sampleOrder({ ...created, processed_at: null }))?.mapped).toMatchObject({
      request: { orderTimestamp: "2026-10-01T00:00:00Z" },
    });
    expect(
      mapOrder(sampleOrder({ created_at: "2026-10-01", processed_at: "now" }))?.mapped,
    ).not.toHaveProperty("request.orderTimestamp");
  });

  it("writes the currency in capitals", () => {
    expect(mapOrder(sampleOrder({ currency: "eur" }))?.mapped).toMatchObject({
      request: { currency: "EUR" },
    });
  });

  it("doesn't change the payload", () => {
    const payload = orderFixture("22-docs-rest-presentment-cad-tip.json");
    const before = structuredClone(payload);

    mapOrder({ ...payload, id: "450789469" });

    expect(payload).toEqual(before);
  });
});
