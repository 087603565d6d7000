import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toOrderContext } from "../../../../adapters/shopify/mapping/order-context.ts";
import { fingerprintOrder } from "../../../../src/order/fingerprint.ts";
import type { MappedOrder, OrderContext } from "../../../../src/adapter-kit.ts";
import { readAgent } from "../../../../src/policy/agent-orders.ts";
import { parsePolicy } from "../../../../src/policy/policy.ts";
import { fixtureNames, orderFixture, receiveOrder, sampleOrder } from "../fixtures.ts";

const PLACED_BY_APP: OrderContext = {
  channel: "755357713",
  gateways: [],
  orderTags: [],
  shippingMethods: [],
  giftCard: false,
  quantity: 1,
  discount: false,
};
const SAMPLE: OrderContext = {
  channel: "web",
  locale: "en",
  gateways: ["visa", "bogus"],
  shippingMethods: ["Generic Shipping"],
  giftCard: false,
  discount: true,
};
const PLACEHOLDERS: OrderContext = {
  channel: "example string",
  orderTags: ["example string"],
  giftCard: false,
};
const CLASSIC: OrderContext = { shippingMethods: ["Free Shipping"], quantity: 3, discount: true };
const BOGUS: OrderContext = {
  ...CLASSIC,
  channel: "web",
  gateways: ["bogus"],
  orderTags: [],
  giftCard: false,
};
const PAID_LATER: OrderContext = {
  channel: "web",
  locale: "en-CA",
  gateways: ["authorize_net", "Cash on Delivery (COD)"],
  shippingMethods: ["Small Packet International Air"],
  giftCard: false,
  quantity: 1,
  discount: true,
  avs: "Y",
  cvv: "M",
  bin: "453600",
};

/** What is read from each fixture, and nothing else. */
const READ: Readonly<Record<string, OrderContext>> = {
  "01-gadget-exemplar-2023-10-1.json": {
    ...PLACEHOLDERS,
    gateways: ["example string"],
    customerTags: ["example string"],
    shippingMethods: ["example string"],
    quantity: 369,
    discount: true,
  },
  "02-docs-webhook-2019-06.json": { ...SAMPLE, orderTags: [], customerTags: [], quantity: 2 },
  "03-gadget-exemplar-2024-01-1.json": {
    ...PLACEHOLDERS,
    gateways: ["example string"],
    customerTags: ["example string"],
    shippingMethods: ["example string"],
    quantity: 1476,
    discount: false,
  },
  "04-docs-webhook-2020-04.json": {
    ...SAMPLE,
    orderTags: [],
    customerTags: [],
    shippingMethods: ["Generic Shipping", "Generic Shipping"],
    quantity: 2,
  },
  "05-gadget-exemplar-2024-01-3.json": {
    ...PLACEHOLDERS,
    gateways: [],
    customerTags: ["example string"],
    shippingMethods: [],
    quantity: 123,
    discount: true,
    companyOrder: false,
  },
  "07-docs-webhook-2023-07-create.json": {
    ...SAMPLE,
    orderTags: ["tag1", "tag2"],
    customerTags: [],
    quantity: 2,
  },
  "07-gadget-exemplar-2025-04-1.json": {
    ...PLACEHOLDERS,
    gateways: ["example string"],
    shippingMethods: ["example string"],
    quantity: 123,
    discount: false,
    companyOrder: true,
  },
  "09-docs-webhook-2024-10-create.json": {
    ...SAMPLE,
    orderTags: ["tag1", "tag2"],
    customerTags: [],
    quantity: 3,
  },
  "12-docs-webhook-2025-10-create.json": { ...SAMPLE, orderTags: ["tag1", "tag2"], quantity: 3 },
  "14-docs-webhook-2026-04-create.json": { ...SAMPLE, orderTags: ["tag1", "tag2"], quantity: 5 },
  "16-docs-rest-2013-classic.json": { ...CLASSIC, customerTags: [] },
  "18-docs-rest-no-billing-zip.json": { ...CLASSIC, channel: "web", orderTags: [], customerTags: [] },
  "19-docs-rest-2015-create-null-names.json": { ...PLACED_BY_APP, customerTags: [] },
  "22-docs-rest-presentment-cad-tip.json": {
    ...PAID_LATER,
    orderTags: ["imported", "vip"],
    customerTags: ["loyal"],
    paymentTerms: "NET_30",
  },
  "24-docs-rest-no-customer-no-billing-edited.json": { ...PAID_LATER, orderTags: ["imported"] },
  "26-docs-rest-2022-04-cancel-refund-amount.json": { ...BOGUS, customerTags: [] },
  "27-docs-rest-2026-07-guest-variant-only.json": PLACED_BY_APP,
  "30-docs-rest-2026-07-eur-custom-line.json": { ...PLACED_BY_APP, quantity: 3 },
  "33-docs-rest-2026-07-phone-discount.json": { ...PLACED_BY_APP, customerTags: [], discount: true },
  "34-docs-rest-2026-07-pending-no-addresses.json": { ...PLACED_BY_APP, customerTags: ["Léon", "Noël"] },
  "35-docs-rest-2026-07-customer-removed.json": BOGUS,
  "37-docs-rest-2026-07-cancelled-refunded.json": { ...BOGUS, customerTags: ["Léon", "Noël"] },
  "38-docs-rest-2026-01-openapi-keys-absent.json": { ...PLACED_BY_APP, customerTags: [] },
};

const toKnown = (mapped: MappedOrder) => (mapped.outcome === "screenable" ? mapped.request : mapped.known);

describe("toOrderContext", () => {
  it.each(fixtureNames("shopify"))("reads %s", (name) => {
    expect(toOrderContext(orderFixture(name))).toStrictEqual(READ[name]);
  });

  it("returns nothing for an order that says nothing, and makes nothing up", () => {
    expect(toOrderContext({})).toStrictEqual({});
    expect(receiveOrder(sampleOrder()).mapped.context).toStrictEqual({ channel: "web", quantity: 1 });
  });

  it.each([
    ["web", "web"],
    ["pos", "pos"],
    ["shopify_draft_order", "draft"],
    ["subscription_contract", "subscription"],
    ["subscription_contract_checkout_one", "subscription"],
    ["instagram", "instagram"],
    [" \u0000", undefined],
    [7, undefined],
  ])("maps the source %j to the channel %s", (source_name, channel) => {
    expect(toOrderContext({ source_name }).channel).toBe(channel);
  });

  it.each([
    ["de", "de"],
    ["pt-BR", "pt-BR"],
    ["zh-Hant-TW", "zh-Hant-TW"],
    ["en_GB", "en_GB"],
    ["", undefined],
    ["a\r\nBcc: x@example.com", undefined],
    ["example string", undefined],
    [null, undefined],
    [{ de: 1 }, undefined],
  ])("reads the locale %j as %s", (customer_locale, locale) => {
    expect(toOrderContext({ customer_locale }).locale).toBe(locale);
  });

  it.each<[payload: Record<string, unknown>, discount: boolean | undefined]>([
    [{ discount_codes: [{ code: "FREESHIP", amount: "0.00" }], total_discounts: "0.00" }, true],
    [{ discount_applications: [{ type: "automatic" }] }, true],
    [{ total_discounts: "0.01" }, true],
    [{ total_discounts: "0.00" }, false],
    [{ discount_codes: [], discount_applications: [] }, false],
    [{ discount_codes: [] }, undefined],
    [{ total_discounts: "some" }, undefined],
  ])("says of %j whether a discount was used: %s", (payload, discount) => {
    expect(toOrderContext(payload).discount).toBe(discount);
  });

  it("counts units without tips, and gift cards among the goods", () => {
    const line_items = [
      { title: "Mug", quantity: 2, price: "5.00", gift_card: false, product_id: 1 },
      { title: "Gift card", quantity: 3, price: "0.00", gift_card: true, product_id: 2 },
      { title: "Tip", quantity: 1, price: "2.00", gift_card: false, product_id: null, variant_id: null },
    ];

    expect(toOrderContext({ line_items })).toStrictEqual({ quantity: 5, giftCard: true });
    expect(toOrderContext({ line_items: [...line_items, { title: "?" }] }).quantity).toBeUndefined();
  });

  it("leaves out shipping methods that were removed", () => {
    const shipping_lines = [{ title: "Express" }, { title: "Slow", is_removed: true }, { title: null }];

    expect(toOrderContext({ shipping_lines }).shippingMethods).toStrictEqual(["Express"]);
  });

  it("cuts what is too long and removes control characters", () => {
    const huge = "x".repeat(1_000_000);
    const context = toOrderContext({
      source_name: huge,
      tags: `a\u0000b, ${huge}, ${"t,".repeat(100_000)}`,
      payment_gateway_names: Array.from({ length: 10_000 }, () => huge),
      shipping_lines: [{ title: `Ex\npress\u0007${huge}` }],
      payment_terms: { payment_terms_name: huge },
      payment_details: { avs_result_code: huge, cvv_result_code: "", credit_card_bin: `4${huge}` },
    });

    expect(JSON.stringify(context).length).toBeLessThan(100_000);
    expect(context.channel).toHaveLength(100);
    expect(context.orderTags?.[0]).toBe("ab");
    expect(context.gateways).toHaveLength(20);
    expect(context.shippingMethods?.[0]).toMatch(/^Ex pressx+$/);
    expect(context).not.toHaveProperty("avs");
    expect(context).not.toHaveProperty("cvv");
    expect(context).not.toHaveProperty("bin");
  });

  it("treats any other shape as unknown", () => {
    const keys = [
      "source_name",
      "payment_gateway_names",
      "tags",
      "customer",
      "shipping_lines",
      "line_items",
      "discount_codes",
      "discount_applications",
      "total_discounts",
      "company",
      "payment_terms",
      "payment_details",
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...fixtureNames("shopify")),
        fc.constantFrom(...keys),
        fc.jsonValue(),
        (name, key, value) => {
          const context = toOrderContext({ ...orderFixture(name), [key]: value });

          const isFilled = Object.values(context).every((field) => field !== undefined && field !== null);
          expect(isFilled).toBe(true);
        },
      ),
    );
  });

  it("sends none of it, and changes no fingerprint", () => {
    const fingerprint = (mapped: MappedOrder) =>
      mapped.outcome === "screenable" ? fingerprintOrder(mapped.request, String, mapped.recipientName) : null;
    const sentinel = fc.string({ minLength: 8, maxLength: 20, unit: fc.constantFrom("Q", "Z", "X", "J") });
    fc.assert(
      fc.property(fc.constantFrom(...fixtureNames("shopify")), sentinel, (name, told) => {
        const order = orderFixture(name);
        const customer = order["customer"] as Record<string, unknown> | null | undefined;
        const other = receiveOrder({
          ...order,
          tags: told,
          payment_gateway_names: [told],
          shipping_lines: [{ title: told }],
          payment_terms: { payment_terms_name: told },
          discount_codes: [{ code: told }],
          company: { id: 1 },
          ...(customer == null ? {} : { customer: { ...customer, tags: told } }),
        });

        expect(JSON.stringify(other.mapped.context)).toContain(told);
        expect(toKnown(other.mapped)).toStrictEqual(toKnown(receiveOrder(order).mapped));
        expect(fingerprint(other.mapped)).toBe(fingerprint(receiveOrder(order).mapped));
      }),
    );
  });
});

describe("an order that an AI agent placed", () => {
  const policy = parsePolicy({ agentChannels: ["5678901"] });
  const DEVICE = { browser_ip: "3.80.0.10", client_details: { user_agent: "python-requests/2.32.3" } };
  const read = (changes: Record<string, unknown>) =>
    readAgent(receiveOrder(sampleOrder({ ...DEVICE, ...changes })).mapped, policy);

  it("is recognized by the source that Shopify states", () => {
    const mapped = read({ source_name: "5678901" });

    expect(mapped.context?.channel).toBe("agent");
    expect(toKnown(mapped)).not.toHaveProperty("ipAddress");
    expect(toKnown(mapped)).not.toHaveProperty("userAgent");
  });

  it.each([
    ["the note", { note: "5678901 agent", note_attributes: [{ name: "source_name", value: "5678901" }] }],
    ["tags", { tags: "5678901, agent" }],
    [
      "links",
      { landing_site: "/?source_name=5678901", referring_site: "https://agent/", source_url: "agent" },
    ],
    ["the browser", { client_details: { user_agent: "agent/5678901" } }],
    ["the buyer's name", { customer: { first_name: "agent", last_name: "5678901", tags: "agent" } }],
  ])("isn't recognized by what a buyer controls: %s", (_what, claim) => {
    const mapped = read({ source_name: "web", ...claim });

    expect(mapped.context?.channel).toBe("web");
    expect(toKnown(mapped).ipAddress).toBe("3.80.0.10");
  });
});
