import { describe, expect, it } from "vitest";
import type {
  EmulatedCustomer,
  NewEmulatedOrder,
} from "../../../../tools/emulators/shopify/emulated-order.ts";
import type { AdminClient } from "../../../../adapters/shopify/admin/admin-client.ts";
import type { Operations } from "../../../../adapters/shopify/operations/generated/operations.ts";
import { createEnrich, createReadContext } from "../../../../adapters/shopify/admin/enrich.ts";
import {
  parseVerificationRequest,
  type MappedOrder,
  type PlatformOrder,
} from "../../../../src/adapter-kit.ts";
import type { VerificationRequest } from "../../../../src/index.ts";
import { receiveOrder, sampleOrder } from "../fixtures.ts";
import { ORDER_ID, startFixture, TENANT, type AdminCall, type FixtureOptions } from "../admin-fixture.ts";

const ADDRESS = { street: "1 Example St", city: "Town", state: "Region", postalCode: "N/A", country: "US" };

const REQUEST: VerificationRequest = parseVerificationRequest({
  orderId: ORDER_ID,
  orderAmount: 40,
  currency: "USD",
  orderTimestamp: "2026-11-20T12:00:00+01:00",
  customerName: "Jane Example",
  customerEmail: "jane@example.com",
  isFirstTimeCustomer: true,
  shippingAddress: ADDRESS,
  billingAddress: ADDRESS,
});

const CUSTOMER: EmulatedCustomer = {
  createdAt: "2026-11-10T00:00:00Z",
  numberOfOrders: 5,
  amountSpent: { amount: "140.00", currencyCode: "USD" },
  orders: [
    { orderId: ORDER_ID, fulfillment: "UNFULFILLED" },
    { orderId: "4", fulfillment: "FULFILLED" },
    { orderId: "3", fulfillment: "FULFILLED", returnStatus: "RETURNED" },
    { orderId: "2", fulfillment: "UNFULFILLED", cancelled: true },
    { orderId: "1", fulfillment: "FULFILLED" },
  ],
};

/** An address that names nobody. */
const PLACE = { name: "", address1: "1 Example Street", city: "Springfield", country_code: "US" };
const { mapped: NAMELESS } = receiveOrder(
  sampleOrder({
    billing_address: null,
    shipping_address: PLACE,
    payment_gateway_names: ["shopify_payments"],
  }),
);

const CARD = {
  company: "Visa",
  number: "•••• •••• •••• 4242",
  name: "Jane Example",
  expirationMonth: 3,
  expirationYear: 2028,
};

async function startEnrich(order: Partial<NewEmulatedOrder> = {}, options: FixtureOptions = {}) {
  const fixture = await startFixture(options);
  fixture.shop.addOrder({ orderId: ORDER_ID, customer: CUSTOMER, ...order });
  const enrich = createEnrich(fixture.client, 1);
  const mapped: MappedOrder = { outcome: "screenable", request: REQUEST, test: false };
  const asked: PlatformOrder = {
    orderId: ORDER_ID,
    name: "#1001",
    customerId: undefined,
    mapped,
    amount: 40,
    currency: "USD",
  };
  const run = (changes: Partial<PlatformOrder> = {}, signal?: AbortSignal) =>
    enrich(TENANT, { ...asked, ...changes }, { signal });
  return { ...fixture, asked, mapped, run };
}

function requestOf(mapped: MappedOrder): VerificationRequest {
  if (mapped.outcome !== "screenable") throw new Error("expected a screenable order");
  return mapped.request;
}

describe("createEnrich", () => {
  it("adds history from before the order, and the card, with one call", async () => {
    const { run, emulator } = await startEnrich({ transactions: [{ card: CARD }] });

    const { mapped, limitations } = await run();

    expect(limitations).toEqual([]);
    expect(requestOf(mapped)).toEqual({
      ...REQUEST,
      isFirstTimeCustomer: false,
      accountAgeInDays: 10,
      totalOrders: 4,
      cancelledOrders: 1,
      returnedOrders: 1,
      fulfilledOrders: 2,
      averageOrderValue: 25,
      paymentInfo: { brand: "Visa", lastFourDigits: "4242", expiry: "03/28", holderName: "Jane Example" },
    });
    expect(emulator.operations).toHaveLength(1);
  });

  it("recognizes a first order: no earlier orders and no average", async () => {
    const customer = { ...CUSTOMER, numberOfOrders: 1, orders: [{ orderId: ORDER_ID }] };
    const { run } = await startEnrich({ customer });

    const request = requestOf((await run()).mapped);

    expect(request).toMatchObject({ isFirstTimeCustomer: true, totalOrders: 0, fulfilledOrders: 0 });
    expect(request).not.toHaveProperty("averageOrderValue");
  });

  it("leaves out counts for which only part of the history could be read", async () => {
    const { run } = await startEnrich({ customer: { ...CUSTOMER, numberOfOrders: 80 } });

    const { mapped, limitations } = await run();

    expect(limitations).toEqual(["HISTORY_INCOMPLETE"]);
    expect(requestOf(mapped)).toMatchObject({ totalOrders: 79, isFirstTimeCustomer: false });
    for (const field of ["cancelledOrders", "returnedOrders", "fulfilledOrders"]) {
      expect(requestOf(mapped)).not.toHaveProperty(field);
    }
  });

  it.each([
    ["in another currency", { amount: "140", currencyCode: "EUR" }, "PAID", undefined],
    ["with this order in it", { amount: "140", currencyCode: "USD" }, "PAID", 25],
    ["with this order unpaid", { amount: "100", currencyCode: "USD" }, "AUTHORIZED", 25],
    ["that does not hold this order yet", { amount: "30", currencyCode: "USD" }, "PAID", 7.5],
    ["of nothing", { amount: "0", currencyCode: "USD" }, "PENDING", 0],
  ])("averages a sum %s", async (_what, amountSpent, financialStatus, average) => {
    const { run } = await startEnrich({ customer: { ...CUSTOMER, amountSpent }, financialStatus });

    expect(requestOf((await run()).mapped).averageOrderValue).toBe(average);
  });

  it.each([
    ["2026-11-20T11:30:00Z", 0],
    ["2026-11-19T11:00:01Z", 0],
    ["2026-11-19T10:59:59Z", 1],
    ["2020-11-20T11:00:00Z", 2191],
  ])("counts whole days since %s as %i", async (createdAt, days) => {
    const { run } = await startEnrich({ customer: { ...CUSTOMER, createdAt } });

    expect(requestOf((await run()).mapped).accountAgeInDays).toBe(days);
  });

  it("uses the card that paid, not the one that was declined", async () => {
    const declined = { card: { ...CARD, number: "•••• 1111" }, status: "FAILURE" };
    const { run } = await startEnrich({
      transactions: [declined, { card: null }, { card: CARD, kind: "SALE" }],
    });

    expect(requestOf((await run()).mapped).paymentInfo?.lastFourDigits).toBe("4242");
  });

  it.each([
    [
      "nothing at all",
      { company: null, number: null, name: null, expirationMonth: null, expirationYear: null },
      undefined,
    ],
    [
      "a number that is masked to its end",
      { ...CARD, number: "•••• ••••" },
      { brand: "Visa", expiry: "03/28", holderName: "Jane Example" },
    ],
    ["an invalid month", { ...CARD, expirationMonth: 13, number: null, name: null }, { brand: "Visa" }],
  ])("reads a card with %s", async (_what, card, expected) => {
    const { run } = await startEnrich({ transactions: [{ card }] });

    expect(requestOf((await run()).mapped).paymentInfo).toEqual(expected);
  });

  it.each([
    ["Order.customer", "HISTORY_NOT_GRANTED", { isFirstTimeCustomer: true, paymentInfo: { brand: "Visa" } }],
    ["Customer.orders", "HISTORY_NOT_GRANTED", { isFirstTimeCustomer: true, paymentInfo: { brand: "Visa" } }],
    ["OrderTransaction.paymentDetails", "PAYMENT_NOT_GRANTED", { totalOrders: 4 }],
    ["CardPaymentDetails.number", "PAYMENT_NOT_GRANTED", { totalOrders: 4, paymentInfo: { brand: "Visa" } }],
    ["Order.displayFinancialStatus", "DETAIL_INCOMPLETE", { totalOrders: 4, paymentInfo: { brand: "Visa" } }],
  ])("continues without %s", async (field, limitation, kept) => {
    const { run, shop } = await startEnrich({ transactions: [{ card: CARD }] });
    shop.deny(field);

    const { mapped, limitations } = await run();

    expect(limitations).toEqual([limitation]);
    expect(requestOf(mapped)).toMatchObject(kept);
  });

  it("leaves a guest's order as it was mapped", async () => {
    const { run } = await startEnrich({ customer: null });

    expect(await run()).toEqual({
      mapped: { outcome: "screenable", request: REQUEST, test: false },
      limitations: [],
    });
  });

  it("leaves an order that the shop doesn't have as it was mapped", async () => {
    const { run, mapped } = await startEnrich();

    expect(await run({ orderId: "404" })).toEqual({ mapped, limitations: ["ORDER_NOT_FOUND"] });
  });

  it.each([
    ["500", "PLATFORM_UNAVAILABLE"],
    ["throttled", "PLATFORM_THROTTLED"],
    ["403", "PLATFORM_REFUSED"],
    ["hang", "PLATFORM_UNAVAILABLE"],
    ["malformed", "PLATFORM_UNAVAILABLE"],
  ] as const)("loses detail and nothing else to %s", async (kind, limitation) => {
    const { run, mapped, emulator } = await startEnrich({}, kind === "hang" ? { timeoutMs: 200 } : {});
    emulator.fail(1, kind);

    const { retryAtMs, ...enriched } = await run();
    expect(enriched).toEqual({ mapped, limitations: [limitation] });
    if (kind === "throttled") expect(retryAtMs).toBeGreaterThan(0);
  });

  it("loses detail and nothing else when the caller's time is up", async () => {
    const { run, mapped, emulator } = await startEnrich();
    emulator.fail(1, "hang");

    expect(await run({}, AbortSignal.timeout(50))).toEqual({ mapped, limitations: ["PLATFORM_UNAVAILABLE"] });
  });

  it("loses detail and nothing else for a shop without access", async () => {
    const { run, mapped } = await startEnrich({}, { unopened: true });

    expect(await run()).toEqual({ mapped, limitations: ["PLATFORM_UNAUTHORIZED"] });
  });

  it("names the buyer of an order without a name by the card", async () => {
    const { run } = await startEnrich({ transactions: [{ card: { ...CARD, name: "Card Holder" } }] });
    expect(NAMELESS).toMatchObject({ outcome: "unscreenable", reason: "NO_NAME" });

    const { mapped } = await run({ mapped: NAMELESS });

    expect(requestOf(mapped)).toMatchObject({
      customerName: "Card Holder",
      isFirstTimeCustomer: false,
      billingAddress: { street: "1 Example Street", city: "Springfield", state: "N/A" },
      paymentInfo: { holderName: "Card Holder" },
    });
    // A buyer who is named by the card proves nothing by having the card holder's name.
    expect(mapped.standIns).toContain("customerName");
    expect(mapped.standIns).toContain("billingAddress");
  });

  it("reads an order without a name once more if its payment isn't there yet", async () => {
    const { asked, client } = await startEnrich({
      transactions: [{ card: { ...CARD, name: "Card Holder" } }],
    });
    let calls = 0;
    const early: AdminClient = {
      async request<K extends keyof Operations>(...call: AdminCall<K>) {
        calls += 1;
        const { data, ...rest } = await client.request(...call);
        const { order } = data as { readonly order?: object };
        const shown: unknown = calls === 1 ? { order: { ...order, transactions: [] } } : data;
        return { ...rest, data: shown as Operations[K]["data"] };
      },
    };

    const { mapped } = await createEnrich(early, 1)(TENANT, { ...asked, mapped: NAMELESS });

    expect(requestOf(mapped)).toMatchObject({ customerName: "Card Holder" });
    expect(calls).toBe(2);
  });

  it("reads an order without a name once more after a failure that may pass, and not again", async () => {
    const { run, emulator } = await startEnrich({
      transactions: [{ card: { ...CARD, name: "Card Holder" } }],
    });
    emulator.fail(1, "500");
    expect(requestOf((await run({ mapped: NAMELESS })).mapped)).toMatchObject({
      customerName: "Card Holder",
    });

    emulator.fail(2, "500");
    expect(await run({ mapped: NAMELESS })).toEqual({
      mapped: NAMELESS,
      limitations: ["PLATFORM_UNAVAILABLE"],
    });

    emulator.fail(1, "403");
    expect(await run({ mapped: NAMELESS })).toEqual({ mapped: NAMELESS, limitations: ["PLATFORM_REFUSED"] });
  });

  it.each<[string, Partial<NewEmulatedOrder>, object]>([
    ["the card names nobody", { transactions: [{ card: { ...CARD, name: null } }] }, {}],
    ["there is no card", {}, {}],
    ["it has no address either", { transactions: [{ card: CARD }] }, { shipping_address: null }],
  ])("leaves an order without a name as it is if %s", async (_case, order, changes) => {
    const { run } = await startEnrich(order);
    const { mapped: nameless } = receiveOrder(
      sampleOrder({ billing_address: null, shipping_address: PLACE, ...changes }),
    );

    expect((await run({ mapped: nameless })).mapped).toMatchObject({
      outcome: "unscreenable",
      reason: "NO_NAME",
    });
  });

  it("asks nothing about an order that won't be sent anyway", async () => {
    const { run, emulator } = await startEnrich();
    const mapped: MappedOrder = { outcome: "unscreenable", reason: "TEST_ORDER", known: {}, test: true };

    expect(await run({ mapped })).toEqual({ mapped, limitations: [] });
    expect(emulator.requests).toEqual([]);
  });

  it.each([-5, 2.5, 9.1e18])("ignores an invalid order count: %d", async (numberOfOrders) => {
    const { run } = await startEnrich({ customer: { ...CUSTOMER, numberOfOrders } });

    const { mapped, limitations } = await run();

    expect(limitations).toEqual(["HISTORY_INCOMPLETE"]);
    // The readable part of the list is enough for this.
    expect(requestOf(mapped)).toEqual({ ...REQUEST, isFirstTimeCustomer: false, accountAgeInDays: 10 });
  });

  it.each<[string, Partial<EmulatedCustomer>, object]>([
    [
      "the count lags behind the list",
      { numberOfOrders: 1 },
      {
        isFirstTimeCustomer: false,
        totalOrders: 4,
        cancelledOrders: 1,
        returnedOrders: 1,
        fulfilledOrders: 2,
      },
    ],
    [
      "the list does not have this order yet",
      { numberOfOrders: 1, orders: [{ orderId: "4" }] },
      { isFirstTimeCustomer: false, totalOrders: 1, fulfilledOrders: 1 },
    ],
    [
      "nothing is counted and nothing listed",
      { numberOfOrders: 0, orders: [] },
      { isFirstTimeCustomer: true, totalOrders: 0, fulfilledOrders: 0 },
    ],
  ])("sends no counts that contradict each other when %s", async (_case, changes, counts) => {
    const { run } = await startEnrich({ customer: { ...CUSTOMER, ...changes } });

    const request = requestOf((await run()).mapped);

    expect(request).toMatchObject(counts);
    const { totalOrders = 0, cancelledOrders = 0, returnedOrders = 0, fulfilledOrders = 0 } = request;
    expect(cancelledOrders + returnedOrders + fulfilledOrders).toBeLessThanOrEqual(totalOrders);
  });

  it("stops assuming a first order once the shop returned the history", async () => {
    const standIns = ["isFirstTimeCustomer", "billingAddress"] as const;
    const { run, mapped, shop } = await startEnrich();
    const asked: MappedOrder = { ...mapped, standIns };

    expect((await run({ mapped: asked })).mapped.standIns).toEqual(["billingAddress"]);
    shop.deny("Order.customer");
    expect((await run({ mapped: asked })).mapped.standIns).toEqual(standIns);
  });

  it("adds the shop's own facts about the payment, the customer and the risk, without another call", async () => {
    const card = { ...CARD, bin: "424242", avsResultCode: "n", cvvResultCode: "M", wallet: "APPLE_PAY" };
    const { run, mapped, emulator, shop } = await startEnrich({
      customer: { ...CUSTOMER, tags: ["vip", "holdfast-manual-review"] },
      companyName: "Example GmbH",
      transactions: [{ card, authorizationExpiresAt: "2026-11-27T12:00:00Z" }],
      payload: { shipping_lines: [{ title: "Express" }] },
    });
    shop.assessOrder(ORDER_ID, "MEDIUM");
    const asked: MappedOrder = { ...mapped, context: { channel: "web", customerTags: [] } };

    const enriched = (await run({ mapped: asked })).mapped;

    expect(enriched.context).toStrictEqual({
      channel: "web",
      customerTags: ["vip", "holdfast-manual-review"],
      shippingMethods: ["Express"],
      companyOrder: true,
      platformRisk: "investigate",
      authorizationExpiresAt: "2026-11-27T12:00:00Z",
      avs: "N",
      cvv: "M",
      bin: "424242",
      wallet: "apple_pay",
    });
    expect(requestOf(enriched)).toEqual(requestOf((await run()).mapped));
    expect(emulator.operations).toHaveLength(2);
  });

  it("adds nothing that the shop doesn't say", async () => {
    const { run } = await startEnrich({ transactions: [{ card: CARD }] });

    // A person is buying, without tags.
    expect((await run()).mapped.context).toStrictEqual({ customerTags: [], companyOrder: false });
  });

  it.each([
    ["Customer.tags", ["HISTORY_NOT_GRANTED"], "customerTags"],
    ["Order.purchasingEntity", ["DETAIL_INCOMPLETE"], "companyOrder"],
    ["CardPaymentDetails.avsResultCode", ["PAYMENT_NOT_GRANTED"], "avs"],
    ["Order.shippingLine", ["DETAIL_INCOMPLETE"], "shippingMethods"],
    // Only shops on Shopify Plus have it: nothing to fix.
    ["OrderTransaction.authorizationExpiresAt", [], "authorizationExpiresAt"],
  ])("treats %s as unknown where it is withheld", async (field, limitations, key) => {
    const transactions = [
      {
        card: { ...CARD, avsResultCode: "N", bin: "424242" },
        authorizationExpiresAt: "2026-11-27T12:00:00Z",
      },
    ];
    const payload = { shipping_lines: [{ title: "Express" }] };
    const { run, shop } = await startEnrich({ transactions, payload });
    shop.deny(field);

    const enriched = await run();

    expect(enriched.limitations).toEqual(limitations);
    expect(enriched.mapped.context).not.toHaveProperty(key);
    expect(enriched.mapped.context).toHaveProperty("bin", "424242");
  });

  it("uses Shopify's own assessment even if the recommendation is another app's", async () => {
    const { run, shop } = await startEnrich();
    shop.assessOrder(ORDER_ID, "LOW");
    shop.order(ORDER_ID).assessments.push({ riskLevel: "HIGH", facts: [], provider: "another-client-id" });

    expect((await run()).mapped.context?.platformRisk).toBe("accept");
  });

  it("reports a pending payment where a gateway is named and Shopify has no transaction yet", async () => {
    const { run, mapped, shop } = await startEnrich();
    const paid: MappedOrder = { ...mapped, context: { gateways: ["shopify_payments"] } };

    expect((await run({ mapped: paid })).awaitsPayment).toBe(true);
    expect(await run()).not.toHaveProperty("awaitsPayment");
    shop.deny("Order.transactions");
    expect(await run({ mapped: paid })).not.toHaveProperty("awaitsPayment");
  });

  it("reads risk, cover and payment again with one small call", async () => {
    const protect = { status: "ACTIVE", eligibility: "ELIGIBLE" };
    const { run, shop, client, count } = await startEnrich({ protect });
    const readContext = createReadContext(client);
    expect((await run()).mapped.context).toMatchObject({ protect: "active", protectEligibility: "eligible" });

    shop.assessOrder(ORDER_ID, "HIGH");
    shop.payOrder(ORDER_ID, [{ card: { ...CARD, bin: "424242", avsResultCode: "N" } }]);

    expect(await readContext(TENANT, ORDER_ID)).toStrictEqual({
      platformRisk: "cancel",
      protect: "active",
      protectEligibility: "eligible",
      avs: "N",
      bin: "424242",
    });
    expect(await readContext(TENANT, "1")).toBeNull();
    expect(await readContext(TENANT, "no order")).toBeNull();
    expect(count("OrderContext")).toBe(2);
  });

  it("reads an order that Shopify Protect doesn't cover", async () => {
    const { run } = await startEnrich({ protect: { status: "PENDING", eligibility: "NOT_ELIGIBLE" } });

    expect((await run()).mapped.context).toMatchObject({
      protect: "pending",
      protectEligibility: "not-eligible",
    });
  });

  it("doesn't take a failure of Shopify for a missing permission", async () => {
    const { asked, client } = await startEnrich();
    const failing: AdminClient = {
      async request<K extends keyof Operations>(...call: AdminCall<K>) {
        const { data } = await client.request(...call);
        const { order } = data as { readonly order?: object };
        const cut: unknown = { order: { ...order, customer: null } };
        return {
          data: cut as Operations[K]["data"],
          errors: [{ code: "TIMEOUT", path: "order.customer" }],
        };
      },
    };

    expect((await createEnrich(failing)(TENANT, asked)).limitations).toEqual(["DETAIL_INCOMPLETE"]);
  });

  it("reads a B2B company's name from the purchasing entity", async () => {
    const { run, mapped } = await startEnrich({ companyName: " Example\tGmbH " });
    if (mapped.outcome !== "screenable") throw new Error("expected a screenable order");
    const named: MappedOrder = { ...mapped, request: { ...mapped.request, companyName: "Written Ltd" } };

    expect(requestOf((await run()).mapped).companyName).toBe("Example GmbH");
    expect(requestOf((await run({ mapped: named })).mapped).companyName).toBe("Written Ltd");
  });

  it("works without the company where the app may not see it", async () => {
    const { run, shop } = await startEnrich({ companyName: "Example GmbH" });
    shop.deny("Order.purchasingEntity");

    const { mapped, limitations } = await run();

    expect(limitations).toEqual(["DETAIL_INCOMPLETE"]);
    expect(requestOf(mapped)).not.toHaveProperty("companyName");
    expect(requestOf(mapped)).toMatchObject({ totalOrders: 4 });
  });
});
