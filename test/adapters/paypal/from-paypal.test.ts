import { describe, expect, it } from "vitest";
import { fromPayPalOrder } from "../../../adapters/paypal/index.ts";
import { readHostPayload } from "../../support/host-orders.ts";

const ORDER = readHostPayload("paypal-order");
const HOME = { street: "500 W 2nd St", city: "Austin", state: "TX", postalCode: "78701", country: "US" };
const MAPPED = {
  orderId: "5O190127TN364715T",
  orderAmount: 17.5,
  currency: "USD",
  orderTimestamp: "2026-11-20T09:08:34Z",
  items: [{ name: "Mug", quantity: 1, price: 12.5, sku: "MUG" }],
  customerName: "Ada Byron",
  customerEmail: "ada@example.com",
  customerPhone: "5125550100",
  isFirstTimeCustomer: true,
  shippingAddress: HOME,
  billingAddress: HOME,
};

describe("fromPayPalOrder", () => {
  it("maps an order; a payer's country alone isn't an address", () => {
    expect(fromPayPalOrder(ORDER)).toEqual(MAPPED);
  });

  it("maps a card payment, which has no payer", () => {
    const { payer: _payer, ...order } = ORDER;
    const card = { name: "Ada Lovelace", brand: "VISA", last_digits: "4242", expiry: "2030-04" };

    const mapped = fromPayPalOrder({ ...order, payment_source: { card } });

    expect(mapped.paymentInfo).toEqual({
      brand: "VISA",
      lastFourDigits: "4242",
      expiry: "2030-04",
      holderName: "Ada Lovelace",
    });
    expect(mapped.customerName).toBe("Ada Byron");
    expect(mapped).not.toHaveProperty("customerEmail");
  });

  // PayPal, Orders API v2: `purchase_units[].shipping` has the contact that the shop, or the buyer, gave for the order.
  it("uses the destination's contact for a card payment, but the payer's own for a wallet", () => {
    const { payer, purchase_units: units, ...order } = ORDER;
    const [unit] = units as readonly { readonly shipping: object }[];
    const contact = { email_address: "ada@home.example", phone_number: { national_number: "5125550111" } };
    const purchase_units = [{ ...unit, shipping: { ...unit?.shipping, ...contact } }];
    const card = { name: "Ada Byron", last_digits: "4242" };

    expect(fromPayPalOrder({ ...order, purchase_units, payment_source: { card } })).toMatchObject({
      customerEmail: "ada@home.example",
      customerPhone: "5125550111",
    });
    expect(fromPayPalOrder({ ...order, purchase_units, payer })).toMatchObject({
      customerEmail: MAPPED.customerEmail,
      customerPhone: MAPPED.customerPhone,
    });
  });

  // PayPal, Orders API v2: `apple_pay`, `google_pay` (one name, a card inside) and `venmo` (as the PayPal wallet).
  it.each(["apple_pay", "google_pay"])("maps %s, which has no payer", (source) => {
    const { payer: _payer, purchase_units: units, ...order } = ORDER;
    const billing_address = {
      address_line_1: "500 W 2nd St",
      admin_area_2: "Austin",
      admin_area_1: "TX",
      postal_code: "78701",
      country_code: "US",
    };
    const wallet = {
      name: "Ada Byron",
      email_address: "ada@example.com",
      phone_number: { country_code: "1", national_number: "5125550100" },
      card: { name: "Ada Lovelace", brand: "VISA", last_digits: "4242", type: "CREDIT", billing_address },
    };
    const [unit] = units as Record<string, unknown>[];

    const mapped = fromPayPalOrder({
      ...order,
      purchase_units: [{ ...unit, shipping: undefined }],
      payment_source: { [source]: wallet },
    });

    expect(mapped).toEqual({
      ...MAPPED,
      customerPhone: "+15125550100",
      paymentInfo: { brand: "VISA", lastFourDigits: "4242", holderName: "Ada Lovelace" },
    });
  });

  it("reads the card of a wallet that names nobody", () => {
    const google_pay = { card: { brand: "VISA", last_digits: "4242" } };

    const mapped = fromPayPalOrder({ ...ORDER, payment_source: { google_pay } });

    expect(mapped.paymentInfo).toEqual({ brand: "VISA", lastFourDigits: "4242" });
  });

  // The digits alone could be a French number, and the order would look odd for it.
  it("keeps the country code of a phone number, and a wallet's company", () => {
    const phone_number = { country_code: "44", national_number: "7700900123" };
    const paypal = {
      name: { given_name: "Ada", surname: "Byron" },
      phone_number,
      business_name: "Engines Ltd",
    };

    expect(fromPayPalOrder({ ...ORDER, payer: undefined, payment_source: { paypal } })).toMatchObject({
      customerPhone: "+447700900123",
      companyName: "Engines Ltd",
    });
  });

  // PayPal, Orders API v2: some have an email address, all have a name.
  it.each("bancontact blik eps giropay ideal mybank p24 sofort trustly alipay".split(" "))(
    "maps %s, which names the account's owner",
    (bank) => {
      const { payer: _payer, ...order } = ORDER;
      const payment_source = { [bank]: { name: "Ada King", email: "ada@bank.example", country_code: "PL" } };

      expect(fromPayPalOrder({ ...order, payment_source })).toMatchObject({
        customerName: "Ada King",
        customerEmail: "ada@bank.example",
      });
    },
  );

  it("maps pay_upon_invoice, where the buyer's name has parts", () => {
    const { payer: _payer, ...order } = ORDER;
    const pay_upon_invoice = {
      name: { given_name: "Ada", surname: "King" },
      email: "ada@invoice.example",
      phone: { country_code: "49", national_number: "6912345678" },
      billing_address: {
        address_line_1: "Schönhauser Allee 84",
        admin_area_2: "Berlin",
        postal_code: "10439",
        country_code: "DE",
      },
    };

    expect(fromPayPalOrder({ ...order, payment_source: { pay_upon_invoice } })).toMatchObject({
      customerName: "Ada King",
      customerEmail: "ada@invoice.example",
      customerPhone: "+496912345678",
      billingAddress: { street: "Schönhauser Allee 84", city: "Berlin", postalCode: "10439", country: "DE" },
    });
  });

  it.each([
    { token: { id: "8kk845", type: "BILLING_AGREEMENT" } },
    { new_bank: "1" },
    { new_bank: { name: { first: "Ada" } } },
    { new_bank: { name: "Ada", address: "1 Example St", phone_number: "+15550100", card: "4242" } },
    { new_bank: [1] },
    "",
  ])("maps an order without its unknown source %j", (payment_source) => {
    const { customerPhone: _ofTheWallet, ...mapped } = MAPPED;

    expect(fromPayPalOrder({ ...ORDER, payment_source })).toEqual(mapped);
  });

  it("maps Venmo", () => {
    const { payer: _payer, ...order } = ORDER;
    const { paypal: venmo } = ORDER["payment_source"] as Record<string, unknown>;

    expect(fromPayPalOrder({ ...order, payment_source: { venmo } })).toEqual(MAPPED);
  });

  // PayPal, Orders API v2: unless asked for the whole order, `authorize` and `capture` answer without `amount`.
  it.each(["authorizations", "captures"])("takes the amount from %s if that is the only one", (payments) => {
    const amount = { currency_code: "EUR", value: "12.00" };
    const unit = { reference_id: "default", payments: { [payments]: [{ id: "1", amount }] } };

    const mapped = fromPayPalOrder({ id: "2", status: "COMPLETED", purchase_units: [unit] });

    expect(mapped).toMatchObject({ orderAmount: 12, currency: "EUR" });
  });

  it("adds up the purchase units", () => {
    const [unit] = ORDER["purchase_units"] as object[];
    const other = { ...unit, amount: { currency_code: "USD", value: "0.10" } };
    const third = { ...unit, amount: { currency_code: "USD", value: "0.20" } };

    const mapped = fromPayPalOrder({ ...ORDER, purchase_units: [other, third] });

    expect(mapped.orderAmount).toBe(0.3);
    expect(mapped.items).toHaveLength(2);
  });

  it("keeps an order of digital goods, which has no destination", () => {
    const [unit] = ORDER["purchase_units"] as Record<string, unknown>[];

    const mapped = fromPayPalOrder({ ...ORDER, purchase_units: [{ ...unit, shipping: undefined }] });

    expect(mapped).not.toHaveProperty("shippingAddress");
    expect(mapped).not.toHaveProperty("billingAddress");
    expect(mapped.customerName).toBe("Ada Byron");
  });

  it("names an order without purchase units", () => {
    expect(() => fromPayPalOrder({ ...ORDER, purchase_units: [] })).toThrow(
      "the PayPal order can't be read: purchase_units",
    );
  });
});
