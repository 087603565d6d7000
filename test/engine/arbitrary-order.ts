import * as fc from "fast-check";
import type { VerificationRequest } from "../../src/order/request.ts";
import type { VelocityCounts } from "../../src/engine/velocity/velocity-store.ts";
import { PLAIN_ORDER, SAMPLE_TIME } from "./sample-order.ts";

const addressArbitrary = fc.constantFrom(
  { street: "12 Harbour Road", city: "Portland", state: "OR", postalCode: "97204", country: "US" },
  {
    street: "8345 Some St Suite 104233",
    city: "Doral",
    state: "Florida",
    postalCode: "33166",
    country: "United States",
  },
  { street: "PSC 1005 Box 42", city: "APO", state: "AE", postalCode: "09128", country: "US" },
  { street: "Calle 7", city: "Ponce", state: "PR", postalCode: "00716", country: "PR" },
  { street: "Hauptstraße 5", city: "München", state: "München", postalCode: "80331", country: "DE" },
  { street: "Am Markt 4", city: "Augsburg", state: "Bayern", postalCode: "86150", country: "DE" },
  { street: "P.O. Box 77", city: "Leeds", state: "Leeds", postalCode: "LS1 1UR", country: "GB" },
  { street: "asdf 123", city: "asdf", state: "NY", postalCode: "ABC", country: "US" },
  { street: "12 Harbour Road", city: "Portland", state: "Oregon", postalCode: "33166", country: "USA" },
  { street: "PO Box 5", city: "Dubai", state: "Dubai", postalCode: "00000", country: "AE" },
  { street: "Rua São Bento 15", city: "São Paulo", state: "SP", postalCode: "01002-020", country: "BR" },
);

/** Customers with matching names, and email addresses that match, don't match, or look made up. */
const customerArbitrary = fc.record({
  customerName: fc.constantFrom("Jane Sample", "Jörg Müller", "Ana Paula Souza", "asdf qwer", "山田太郎"),
  customerEmail: fc.constantFrom(
    "jane.sample@gmail.com",
    "mueller.jorg@t-online.de",
    "anapaula1984@gmail.com",
    "xk9vqtr3@outlook.com",
    "test123@yopmail.com",
    "x9k2-quiet.0f@privaterelay.appleid.com",
    "robert8842@gmial.com",
    "jane@example.com",
    "not an address",
    "wqofhzkg@sample-family.xyz",
    "jane.sample@gmail.con",
    "jane.sample@uni.edu.br",
  ),
});

const paymentArbitrary = fc.record(
  {
    brand: fc.constantFrom("Visa", "mastercard"),
    lastFourDigits: fc.constantFrom("4242", "8821"),
    expiry: fc.constantFrom("08/28", "01 / 24", "2024-01", "13/28"),
    holderName: fc.constantFrom("Jane Sample", "JÖRG MUELLER", "Patricia Gomez", "fdsa jkl"),
  },
  { requiredKeys: [] },
);

const itemsArbitrary = fc.array(
  fc.record({
    name: fc.constantFrom(
      "Cotton sheet set",
      "iPhone 17 Pro",
      "Gift card $100",
      "Gaming laptop",
      "Phone case",
      "Oak chair",
    ),
    quantity: fc.integer({ min: 1, max: 14 }),
    price: fc.constantFrom(9.5, 100, 899),
    sku: fc.constantFrom("Z-1", "Z-2"),
  }),
  { maxLength: 3 },
);

const historyArbitrary = fc.record({
  isFirstTimeCustomer: fc.boolean(),
  accountAgeInDays: fc.constantFrom(0, 3, 20, 90, 200, 900),
  totalOrders: fc.constantFrom(0, 1, 3, 6, 20),
  cancelledOrders: fc.constantFrom(0, 1, 4),
  returnedOrders: fc.constantFrom(0, 1, 3),
  fulfilledOrders: fc.constantFrom(0, 2, 12),
  averageOrderValue: fc.constantFrom(0, 20, 60, 300),
});

/** Orders built from parts that are ordinary, suspicious or exempt, so that every signal comes up. */
export const orderArbitrary: fc.Arbitrary<VerificationRequest> = fc
  .record({
    customer: customerArbitrary,
    history: historyArbitrary,
    paymentInfo: paymentArbitrary,
    items: itemsArbitrary,
    shippingAddress: addressArbitrary,
    billingAddress: addressArbitrary,
    orderAmount: fc.constantFrom(1, 58.9, 150, 649, 1_200, 5_500),
    currency: fc.constantFrom("USD", "EUR", "JPY", "XTS"),
    customerPhone: fc.constantFrom(
      "+15038234018",
      "5555555555",
      "+1 303 555 0142",
      "1234567890",
      "12",
      "N/A",
      "+33 9 75 18 18 18",
      "(800) 773-8463",
      "0049 30 901820",
      "020 7219 3000",
      "+1 166 382 4018",
    ),
    ipAddress: fc.constantFrom(
      "73.158.64.15",
      "10.0.0.1",
      "2600:1700::1",
      "2003:c0:8f00::1",
      "113.161.1.10",
      "91.64.0.10",
      "3.80.0.10",
      "146.70.100.10",
      "185.220.101.1",
      "172.225.243.63",
    ),
    userAgent: fc.constantFrom(
      PLAIN_ORDER.userAgent ?? "",
      "curl/8.9.1",
      "",
      "hello there",
      "Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 Chrome/157.0.0.0 Safari/537.36",
      "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36",
      "Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)",
    ),
    companyName: fc.constantFrom("Sample Trading Ltd", "Gomez GmbH"),
  })
  .map(({ customer, history, ...rest }) => ({
    ...customer,
    ...history,
    ...rest,
    orderTimestamp: SAMPLE_TIME,
  }));

/** What a store of counts may say about an order. */
export const velocityArbitrary: fc.Arbitrary<VelocityCounts> = fc.record({
  emailOrders1h: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
  ipEmails24h: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
  cardEmails7d: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
  addressEmails7d: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
  emailCards24h: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
  emailBillingPostcodes7d: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  cardBillingPostcodes7d: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
});
