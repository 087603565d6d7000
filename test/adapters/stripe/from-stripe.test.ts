import { describe, expect, it } from "vitest";
import { fromStripePaymentIntent, fromStripeSession } from "../../../adapters/stripe/index.ts";
import { createScreener } from "../../../src/index.ts";
import { readHostPayload, withValue, type HostPayload } from "../../support/host-orders.ts";

const SESSION = readHostPayload("stripe-session");
const INTENT = readHostPayload("stripe-payment-intent");
const HOME = { street: "500 W 2nd St", city: "Austin", state: "TX", postalCode: "78701", country: "US" };
const CARD = { brand: "visa", lastFourDigits: "4242", expiry: "04/30", holderName: "Ada Byron" };
const COMMON = {
  orderId: "pi_3Q1",
  orderAmount: 17.5,
  currency: "USD",
  orderTimestamp: "2026-11-20T07:28:34Z",
  customerName: "Ada Byron",
  customerEmail: "ada@example.com",
  customerPhone: "+15125550100",
  isFirstTimeCustomer: true,
  shippingAddress: HOME,
  billingAddress: HOME,
};

describe("fromStripeSession", () => {
  it("maps a session, in major units and with a time from seconds", () => {
    expect(fromStripeSession(SESSION)).toEqual({
      ...COMMON,
      items: [{ name: "Mug", quantity: 1, price: 12.5 }],
    });
  });

  it("reads the card when the payment intent is expanded, and the order by the same ID", () => {
    expect(fromStripeSession({ ...SESSION, payment_intent: INTENT })).toMatchObject({
      orderId: "pi_3Q1",
      paymentInfo: CARD,
    });
  });

  // Stripe, Checkout Session: `customer_details.business_name`, if the shop collects it.
  it("reads the buyer's company", () => {
    const session = withValue(SESSION, "customer_details.business_name", "Byron Ltd");

    expect(fromStripeSession(session)).toMatchObject({ companyName: "Byron Ltd", customerName: "Ada Byron" });
  });

  // Stripe, Checkout Session with `name_collection`: `customer_details.name` can be the company's.
  it("prefers a person's own name", () => {
    const named = [
      ["name", "Byron Ltd"],
      ["business_name", "Byron Ltd"],
      ["individual_name", "Ada King"],
    ].reduce((session, [key, name]) => withValue(session, `customer_details.${key}`, name), SESSION);

    expect(fromStripeSession(named)).toMatchObject({
      customerName: "Ada King",
      customerPhone: COMMON.customerPhone,
      companyName: "Byron Ltd",
    });
  });

  it("uses the session's ID without a payment intent, and the shipping of older API versions", () => {
    const { collected_information: collected, ...session } = SESSION;
    const { shipping_details: home } = collected as { shipping_details: HostPayload };
    const shipping_details = withValue(home, "address.line1", "1 Other Street");

    for (const older of [{ shipping_details }, { shipping_details: null, shipping: shipping_details }]) {
      expect(fromStripeSession({ ...session, payment_intent: null, ...older })).toMatchObject({
        orderId: "cs_test_a1",
        shippingAddress: { ...HOME, street: "1 Other Street" },
        billingAddress: HOME,
      });
    }
  });

  it("fills in an address of which only the country and postal code were collected", () => {
    const address = {
      city: null,
      country: "GB",
      line1: null,
      line2: null,
      postal_code: "SW1A 1AA",
      state: null,
    };

    expect(fromStripeSession(withValue(SESSION, "customer_details.address", address)).billingAddress).toEqual(
      {
        street: "N/A",
        city: "N/A",
        state: "N/A",
        postalCode: "SW1A 1AA",
        country: "GB",
      },
    );
  });

  it("keeps the country when Stripe's page collects nothing else, so that the payment can be checked", async () => {
    const address = { city: null, country: "DE", line1: null, line2: null, postal_code: null, state: null };
    const only = { street: "N/A", city: "N/A", state: "N/A", postalCode: "N/A", country: "DE" };
    const { collected_information: _shipping, ...digital } = withValue(
      SESSION,
      "customer_details.address",
      address,
    );

    const order = fromStripeSession(digital);
    const screener = createScreener({ service: "local" });

    expect(order).toMatchObject({ shippingAddress: only, billingAddress: only });
    expect(await screener.check(order)).toMatchObject({ warnings: [] });
    await screener.close();
    expect(fromStripeSession(withValue(SESSION, "customer_details.address", address))).toMatchObject({
      shippingAddress: HOME,
      billingAddress: only,
    });
  });

  it("leaves out goods that weren't expanded", () => {
    const { line_items: _items, ...session } = SESSION;

    expect(fromStripeSession(session)).not.toHaveProperty("items");
  });

  // Stripe, "Supported currencies": zero-decimal currencies and special cases.
  it.each([
    ["jpy", 1750],
    ["kwd", 1.75],
    ["isk", 17.5],
    ["ugx", 17.5],
    ["mga", 1750],
    ["huf", 17.5],
  ])("reads 1750 of %s as %s", (currency, orderAmount) => {
    expect(fromStripeSession({ ...SESSION, currency }).orderAmount).toBe(orderAmount);
  });
});

describe("fromStripePaymentIntent", () => {
  it("maps an intent with its charge", () => {
    expect(fromStripePaymentIntent(INTENT)).toEqual({ ...COMMON, paymentInfo: CARD });
  });

  // Stripe, upgrades: `latest_charge` replaced `charges` in API 2022-11-15. An account keeps the version it started with.
  it("reads the latest charge of older API versions", () => {
    const { latest_charge: charge, ...intent } = INTENT;
    const failed = { id: "ch_3Q0", billing_details: {}, payment_method_details: { card: { last4: "0002" } } };
    const charges = { object: "list", data: [charge, failed] };
    const withoutAny = { ...intent, charges: { object: "list", data: [] }, payment_method: "pm_1" };

    expect(fromStripePaymentIntent({ ...intent, charges })).toEqual({ ...COMMON, paymentInfo: CARD });
    expect(fromStripePaymentIntent(withoutAny)).not.toHaveProperty("paymentInfo");
  });

  it("reads the payment method where there is no charge yet", () => {
    const { latest_charge: charge, ...intent } = INTENT;
    const { billing_details, payment_method_details } = charge as Record<string, { card?: unknown }>;
    const method = { id: "pm_1", type: "card", billing_details, card: payment_method_details?.card };

    expect(fromStripePaymentIntent({ ...intent, latest_charge: null, payment_method: method })).toEqual({
      ...COMMON,
      paymentInfo: CARD,
    });
  });

  it("uses the first valid email address, with its domain in ASCII", () => {
    const charge = withValue(INTENT["latest_charge"] as HostPayload, "billing_details.email", "ada@");
    const intent = { ...INTENT, latest_charge: charge, receipt_email: " ada@müller.de" };

    expect(fromStripePaymentIntent(intent).customerEmail).toBe("ada@xn--mller-kva.de");
  });

  // A saved card that is charged while the customer is away often has no billing details.
  it("uses the expanded customer for what the charge lacks", () => {
    const billing_details = { address: null, email: null, name: null, phone: null };
    const charge = { ...(INTENT["latest_charge"] as HostPayload), billing_details };
    const customer = { id: "cus_1", email: "ada@home.example", name: "Ada King", phone: "+15125550111" };
    const intent = { ...INTENT, latest_charge: charge, receipt_email: null };

    expect(fromStripePaymentIntent({ ...intent, customer })).toMatchObject({
      customerName: "Ada King",
      customerEmail: "ada@home.example",
      customerPhone: "+15125550111",
    });
    for (const absent of ["cus_1", null, { id: "cus_1", deleted: true }])
      expect(fromStripePaymentIntent({ ...intent, customer: absent })).not.toHaveProperty("customerEmail");
  });

  it("maps an intent from its event, with nothing expanded", () => {
    const event = { ...INTENT, latest_charge: "ch_3Q1", receipt_email: "ada@example.com" };

    expect(fromStripePaymentIntent(event)).toEqual(COMMON);
  });
});
