import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../src/local/engine.ts";
import { toOrderFacts } from "../../src/local/order-facts.ts";
import { ALL_GROUPS, observeSignals } from "../../src/local/signals/catalog.ts";
import type { PartialVerificationRequest, VerificationRequest } from "../../src/order/request.ts";
import { orderWith, PLAIN_ORDER, shippedTo } from "./sample-order.ts";

const HOME = PLAIN_ORDER.shippingAddress;
const LONDON = {
  street: "Baker Street 1",
  city: "London",
  state: "London",
  postalCode: "NW1 6XE",
  country: "GB",
};
const BERLIN = { street: "Am Markt 4", city: "Berlin", state: "Berlin", postalCode: "10115", country: "DE" };
const VIENNA = { street: "Ring 3", city: "Wien", state: "Wien", postalCode: "1010", country: "AT" };
const APO = { street: "PSC 1005 Box 42", city: "APO", state: "AE", postalCode: "09128", country: "US" };

function observe(order: PartialVerificationRequest, sandbox = false): Readonly<Record<string, number>> {
  const seen = observeSignals(toOrderFacts(order, { sandbox, now: () => 0 }));
  return Object.fromEntries(seen.map(({ code, points }) => [code, points]));
}

const email = (customerEmail: string, customerName = "Jane Sample"): VerificationRequest =>
  orderWith({ customerEmail, customerName });
const phone = (customerPhone: string): VerificationRequest => orderWith({ customerPhone });
const between = (
  billingAddress: VerificationRequest["billingAddress"],
  shippingAddress: VerificationRequest["shippingAddress"],
): VerificationRequest => orderWith({ billingAddress, shippingAddress });
const card = (paymentInfo: NonNullable<VerificationRequest["paymentInfo"]>, customerName = "Jane Sample") =>
  orderWith({ paymentInfo, customerName });
const item = (name: string, quantity = 1): VerificationRequest =>
  orderWith({ items: [{ name, quantity, price: 10 }] });
const agent = (userAgent: string): VerificationRequest => orderWith({ userAgent });
const record = (
  totalOrders: number,
  counts: { cancelled?: number; returned?: number; fulfilled?: number },
): VerificationRequest =>
  orderWith({
    totalOrders,
    cancelledOrders: counts.cancelled ?? 0,
    returnedOrders: counts.returned ?? 0,
    fulfilledOrders: counts.fulfilled ?? 0,
  });
const known = { accountAgeInDays: 400, totalOrders: 8, fulfilledOrders: 8, averageOrderValue: 40 };

type Row = readonly [code: string, points: number, what: string, order: PartialVerificationRequest];

const FIRES: readonly Row[] = [
  ["EMAIL_DISPOSABLE", 40, "a listed domain", email("jane.sample@yopmail.com")],
  ["EMAIL_DISPOSABLE", 40, "a subdomain of a listed one", email("jane.sample@inbox.mailinator.com")],
  ["EMAIL_INVALID", 22, "no domain", email("jane.sample")],
  ["EMAIL_INVALID", 22, "two dots in a row", email("jane.sample@gmail..com")],
  ["EMAIL_RESERVED_DOMAIN", 14, "example.com", email("jane.sample@example.com")],
  ["EMAIL_RESERVED_DOMAIN", 14, "the sandbox's domain", email("low@risk.example")],
  ["EMAIL_RANDOM_LOCAL", 14, "no vowel", email("xk9vqtr3@outlook.com")],
  ["EMAIL_RANDOM_LOCAL", 14, "consonants in a row", email("abxzqkjto@gmail.com")],
  ["EMAIL_TEST_WORD", 12, "test with digits", email("test123@gmail.com")],
  ["EMAIL_TEST_WORD", 12, "a keyboard run", email("asdfgh@gmail.com")],
  ["EMAIL_MANY_DIGITS", 5, "four digits that are no year", email("jane8842@gmail.com")],
  ["EMAIL_NAME_MISMATCH", 5, "another name", email("robert.hill@gmail.com")],
  ["EMAIL_TYPO_DOMAIN", 6, "swapped letters", email("jane.sample@gmial.com")],
  ["EMAIL_TYPO_DOMAIN", 6, "a missing letter", email("jane.sample@hotmal.com")],
  ["EMAIL_TRUSTED_DOMAIN", -5, "a line provider", email("jane.sample@comcast.net")],
  ["EMAIL_TRUSTED_DOMAIN", -5, "a university", email("jane.sample@cs.someplace.edu")],
  ["PHONE_INVALID", 10, "too few digits", phone("12-34")],
  ["PHONE_INVALID", 10, "too many digits", phone("+1234987612349876123")],
  ["PHONE_REPEATED_DIGIT", 14, "fives", phone("555 555 5555")],
  ["PHONE_REPEATED_DIGIT", 14, "zeros", phone("0000000000")],
  ["PHONE_SEQUENTIAL", 14, "counting up", phone("1234567890")],
  ["PHONE_SEQUENTIAL", 14, "counting up after the country code", phone("+33 9 12 34 56 78")],
  ["PHONE_SEQUENTIAL", 14, "counting down", phone("+1 987 654 3210")],
  ["PHONE_FICTIONAL", 14, "555-0142", phone("+1 303 555 0142")],
  ["PHONE_FICTIONAL", 14, "a British drama number", phone("+44 7700 900123")],
  [
    "PHONE_FICTIONAL",
    14,
    "the same at home",
    orderWith({ customerPhone: "07700 900123", billingAddress: LONDON }),
  ],
  ["BILL_SHIP_COUNTRY", 12, "two countries", between(HOME, LONDON)],
  ["BILL_SHIP_COUNTRY", 6, "neighbours in one market", between(BERLIN, VIENNA)],
  ["BILL_SHIP_REGION", 5, "two states, one by name", shippedTo({ state: "Washington", city: "Seattle" })],
  [
    "BILL_SHIP_REGION",
    5,
    "a mainland and an island",
    shippedTo({ country: "PR", state: "San Juan", city: "Ponce" }),
  ],
  ["BILL_SHIP_CITY", 2, "two cities", shippedTo({ city: "Salem" })],
  ["ADDRESS_NONSENSE", 14, "a keyboard run", shippedTo({ street: "asdf 123" })],
  ["ADDRESS_NONSENSE", 14, "a test street", shippedTo({ street: "Test Street 1" })],
  ["ADDRESS_NONSENSE", 14, "a city without a vowel", shippedTo({ city: "Xkcdqbp" })],
  ["RESHIPPER_NAMED", 16, "an operator", shippedTo({ street: "4283 Express Lane c/o MyUS 8814" })],
  ["RESHIPPER_NAMED", 16, "the trade", shippedTo({ street: "Pacific Freight Forwarders, Dock 4" })],
  ["SUITE_5_DIGITS", 6, "a customer number as suite", shippedTo({ street: "8345 Some St Suite 104233" })],
  ["PO_BOX", 3, "a box", shippedTo({ street: "P.O. Box 77" })],
  ["PO_BOX", 9, "a box and an expensive order", { ...shippedTo({ street: "PO Box 77" }), orderAmount: 320 }],
  ["POSTCODE_FORMAT", 8, "letters in the United States", shippedTo({ postalCode: "ABC 12" })],
  ["POSTCODE_FORMAT", 8, "a German one with four digits", between(BERLIN, { ...BERLIN, postalCode: "1011" })],
  ["CARD_EXPIRED", 12, "last month", card({ expiry: "10/26" })],
  ["CARD_EXPIRED", 12, "written with a long year", card({ expiry: "01 / 2024" })],
  ["CARD_EXPIRED", 12, "written year first", card({ expiry: "2024-01" })],
  ["HOLDER_MISMATCH", 8, "another person", card({ holderName: "Patricia L Gomez" })],
  ["HOLDER_NONSENSE", 12, "a keyboard run", card({ holderName: "jgh fdsa" })],
  ["HOLDER_NONSENSE", 12, "digits", card({ holderName: "Jane 5ample" })],
  ["HOLDER_MATCH", -4, "the same name", card({ holderName: "JANE SAMPLE" })],
  ["HOLDER_MATCH", -4, "an initial", card({ holderName: "J Sample" })],
  ["HOLDER_MATCH", -4, "another spelling of an umlaut", card({ holderName: "Jörg Mueller" }, "Jorg Müller")],
  ["HOLDER_MATCH", -4, "one letter off", card({ holderName: "J Hendersen" }, "Jane Henderson")],
  ["HOLDER_MATCH", -4, "two names written as one", card({ holderName: "ANAPAULA SOUZA" }, "Ana Paula Sousa")],
  ["PUBLIC_TEST_CARD", 8, "4242", card({ brand: "Visa", lastFourDigits: "4242" })],
  ["AMOUNT_ABOVE_HABIT", 8, "three times", orderWith({ ...known, orderAmount: 130 })],
  ["AMOUNT_ABOVE_HABIT", 14, "five times", orderWith({ ...known, orderAmount: 200.5 })],
  ["AMOUNT_ABOVE_HABIT", 20, "ten times", orderWith({ ...known, orderAmount: 400.5 })],
  ["AMOUNT_HIGH_FIRST", 5, "500", orderWith({ isFirstTimeCustomer: true, orderAmount: 501 })],
  [
    "AMOUNT_HIGH_FIRST",
    8,
    "1000 in another currency",
    orderWith({ totalOrders: 0, orderAmount: 899, currency: "eur" }),
  ],
  ["AMOUNT_HIGH_FIRST", 14, "2500", orderWith({ isFirstTimeCustomer: true, orderAmount: 2_501 })],
  ["AMOUNT_TINY", 5, "a dollar", orderWith({ orderAmount: 1 })],
  ["AMOUNT_ROUND", 3, "a multiple of fifty", orderWith({ orderAmount: 150 })],
  ["GIFT_CARDS", 16, "in English", item("E-Gift Card $100")],
  ["GIFT_CARDS", 16, "in German", item("Gutschein 50 EUR")],
  ["RESALE_QUANTITY", 6, "two phones", item("iPhone 17 Pro 256GB", 2)],
  ["RESALE_QUANTITY", 14, "five consoles", item("PlayStation 5 Slim", 5)],
  [
    "RESALE_QUANTITY",
    6,
    "the same on two lines",
    orderWith({ items: ["GPU RTX 5070", "gpu  rtx 5070"].map((name) => ({ name, quantity: 1, price: 9 })) }),
  ],
  ["FIRST_ORDER", 5, "said so", orderWith({ isFirstTimeCustomer: true })],
  ["FIRST_ORDER", 5, "no order before", orderWith({ totalOrders: 0 })],
  ["ACCOUNT_NEW", 8, "today", orderWith({ accountAgeInDays: 0 })],
  ["ACCOUNT_NEW", 6, "this week", orderWith({ accountAgeInDays: 6 })],
  ["ACCOUNT_NEW", 3, "this month", orderWith({ accountAgeInDays: 29 })],
  ["ACCOUNT_ESTABLISHED", -8, "half a year", orderWith({ accountAgeInDays: 180 })],
  ["ACCOUNT_ESTABLISHED", -12, "a year", orderWith({ accountAgeInDays: 365 })],
  ["HISTORY_GOOD", -8, "three good orders", record(3, { fulfilled: 3 })],
  ["HISTORY_GOOD", -12, "ten good orders", record(12, { fulfilled: 11, returned: 1 })],
  ["HISTORY_CANCELLED", 10, "two of four", record(4, { cancelled: 2 })],
  ["HISTORY_CANCELLED", 16, "four of six", record(6, { cancelled: 4 })],
  ["HISTORY_RETURNED", 4, "one of four", record(4, { returned: 1 })],
  ["HISTORY_RETURNED", 8, "two of four", record(4, { returned: 2 })],
  ["HISTORY_BAD_ENDS", 24, "four of five", record(5, { cancelled: 2, returned: 2 })],
  ["HISTORY_INCONSISTENT", 6, "more cancelled than ordered", record(1, { cancelled: 3 })],
  [
    "HISTORY_INCONSISTENT",
    6,
    "a first order after others",
    orderWith({ isFirstTimeCustomer: true, totalOrders: 4 }),
  ],
  ["UA_BOT", 30, "a command line", agent("curl/8.9.1")],
  [
    "UA_BOT",
    30,
    "a headless browser",
    agent("Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/138.0 Safari/537.36"),
  ],
  ["UA_EMPTY", 6, "nothing", agent("")],
  ["UA_MALFORMED", 8, "no product", agent("hello there")],
  ["UA_MALFORMED", 8, "an emoji", agent("Mozilla/5.0 🦊")],
  [
    "ACCOUNT_TAKEOVER",
    22,
    "an old account that orders ten times as much to another state",
    { ...shippedTo({ state: "FL", city: "Tampa", postalCode: "33602" }), ...known, orderAmount: 501 },
  ],
  [
    "NEW_ACCOUNT_RESALE_ELSEWHERE",
    10,
    "a laptop to another state",
    {
      ...shippedTo({ state: "FL" }),
      accountAgeInDays: 2,
      items: [{ name: "Gaming laptop", quantity: 1, price: 9 }],
    },
  ],
  [
    "FIRST_ORDER_HIGH_ABROAD",
    10,
    "1200 to another country",
    { ...between(HOME, LONDON), isFirstTimeCustomer: true, orderAmount: 1_201 },
  ],
];

const STAYS_SILENT: readonly (readonly [code: string, what: string, order: PartialVerificationRequest])[] = [
  ["EMAIL_DISPOSABLE", "a domain that only ends alike", email("jane.sample@notyopmail.com")],
  ["EMAIL_RANDOM_LOCAL", "a forwarding alias", email("x9k2-qzxt.0f@privaterelay.appleid.com")],
  ["EMAIL_RANDOM_LOCAL", "a German surname", email("goldschmidt.k@gmail.com")],
  [
    "EMAIL_RANDOM_LOCAL",
    "initials and a surname that is the customer's",
    email("jpmschwartz@gmail.com", "John Schwartz"),
  ],
  ["EMAIL_TEST_WORD", "a surname that begins like a keyboard", email("r.azeredo@gmail.com", "Rui Azeredo")],
  ["EMAIL_TEST_WORD", "a word that holds one", email("contest.protest@gmail.com")],
  ["EMAIL_MANY_DIGITS", "a year of birth", email("jane.sample1984@gmail.com")],
  ["EMAIL_MANY_DIGITS", "a provider of numbers", email("384920174@qq.com")],
  ["EMAIL_NAME_MISMATCH", "a desk", email("orders@someplace.com")],
  ["EMAIL_NAME_MISMATCH", "an initial and a cut surname", email("jwhit@gmail.com", "James Whitfield")],
  ["EMAIL_NAME_MISMATCH", "a name in another script", email("taro.yamada@gmail.com", "山田太郎")],
  ["EMAIL_TYPO_DOMAIN", "a real neighbour", email("jane.sample@ymail.com")],
  ["PHONE_SEQUENTIAL", "a run inside a longer number", phone("+5511912345678")],
  ["PHONE_INVALID", "a placeholder", phone("N/A")],
  ["PHONE_INVALID", "digits of another script", phone("٠٥٠١٢٣٤٥٦٧")],
  ["PHONE_FICTIONAL", "555 in the exchange only", phone("+1 303 555 2142")],
  ["BILL_SHIP_COUNTRY", "a territory", shippedTo({ country: "PR", state: "PR" })],
  ["BILL_SHIP_COUNTRY", "one country in two spellings", shippedTo({ country: "United States" })],
  ["BILL_SHIP_COUNTRY", "a spelling nobody knows", shippedTo({ country: "Estados Unidos de América" })],
  ["BILL_SHIP_COUNTRY", "military post", between(BERLIN, APO)],
  ["BILL_SHIP_REGION", "military post", between(HOME, APO)],
  ["BILL_SHIP_REGION", "a name and its code", shippedTo({ state: "Oregon" })],
  [
    "BILL_SHIP_REGION",
    "a state that is only the city again",
    between(LONDON, { ...LONDON, city: "Leeds", state: "Leeds" }),
  ],
  ["BILL_SHIP_CITY", "another spelling", shippedTo({ city: " PORTLAND. " })],
  ["ADDRESS_NONSENSE", "a real place called Test", shippedTo({ street: "Test Valley Road 4" })],
  ["ADDRESS_NONSENSE", "another script", shippedTo({ street: "東京都千代田区", city: "東京" })],
  ["SUITE_5_DIGITS", "a house number", shippedTo({ street: "12345 Main St Apt 4" })],
  ["PO_BOX", "a military box", between(HOME, APO)],
  ["RESHIPPER_NAMED", "a street named for the trade", shippedTo({ street: "4 Logistics Way" })],
  ["POSTCODE_FORMAT", "a placeholder", shippedTo({ postalCode: "N/A" })],
  ["POSTCODE_FORMAT", "a ZIP code whose zero was eaten", shippedTo({ postalCode: "7001" })],
  ["POSTCODE_FORMAT", "lower case without a space", between(LONDON, { ...LONDON, postalCode: "nw16xe" })],
  ["CARD_EXPIRED", "the month of the order", card({ expiry: "11/26" })],
  ["CARD_EXPIRED", "text that is no date", card({ expiry: "soon" })],
  [
    "HOLDER_MISMATCH",
    "the customer's company",
    { ...card({ holderName: "Acme Trading GmbH" }), companyName: "ACME Trading" },
  ],
  ["HOLDER_MISMATCH", "a name in another script", card({ holderName: "TARO YAMADA" }, "山田太郎")],
  ["HOLDER_MISMATCH", "what terminals print", card({ holderName: "CARDHOLDER" })],
  ["AMOUNT_ABOVE_HABIT", "an average of two orders", orderWith({ orderAmount: 6_001 })],
  [
    "AMOUNT_HIGH_FIRST",
    "a currency nobody knows",
    orderWith({ isFirstTimeCustomer: true, orderAmount: 9e9, currency: "XTS" }),
  ],
  ["AMOUNT_ROUND", "yen", orderWith({ orderAmount: 5_000, currency: "JPY" })],
  ["RESALE_QUANTITY", "accessories", item("iPhone 17 case", 6)],
  ["RESALE_QUANTITY", "bags for laptops", item("Laptop bag 15 inch", 6)],
  ["RESALE_QUANTITY", "food supplements", item("Omega 3 capsules", 6)],
  ["GIFT_CARDS", "a wallet of leather", item("Apple wallet, leather")],
  ["RESALE_QUANTITY", "notebooks of paper", item("Notebook A4 lined", 25)],
  ["FIRST_ORDER", "not known", { customerEmail: "jane.sample@gmail.com" }],
  ["HISTORY_GOOD", "an incomplete record", { totalOrders: 5, fulfilledOrders: 5 }],
  [
    "HISTORY_INCONSISTENT",
    "a first order that counts itself",
    { ...record(1, { fulfilled: 1 }), isFirstTimeCustomer: true },
  ],
  ["HISTORY_INCONSISTENT", "returned orders that were fulfilled", record(14, { fulfilled: 14, returned: 2 })],
  ["UA_BOT", "text without a form", agent("hello there")],
  ["UA_EMPTY", "not known", { customerEmail: "jane.sample@gmail.com" }],
];

describe("observeSignals", () => {
  it("sees nothing in a plain order", () => {
    expect(observe(PLAIN_ORDER)).toEqual({});
  });

  it.each(FIRES)("gives %s %d points for %s", (code, points, _what, order) => {
    expect(observe(order)[code]).toBe(points);
  });

  it.each(STAYS_SILENT)("gives no %s for %s", (code, _what, order) => {
    expect(observe(order)).not.toHaveProperty(code);
  });

  it("is proved above for every signal there is", () => {
    const codes = ALL_GROUPS.flatMap((group) => group.signals.map(({ code }) => code));

    expect(new Set(codes).size).toBe(codes.length);
    expect([...new Set(FIRES.map(([code]) => code))].toSorted()).toEqual(codes.toSorted());
  });

  it.each(["US", "NG", "VN", "RU", "DE", "BR"])("gives no points for living in %s", (country) => {
    const home = { ...HOME, country, state: "Somewhere", postalCode: "N/A" };

    expect(observe(orderWith({ billingAddress: home, shippingAddress: home }))).toEqual({});
  });

  it("does not hold test data against an order in the sandbox", () => {
    const order = {
      ...email("jane.sample@example.com"),
      customerPhone: "+1 303 555 0142",
      paymentInfo: { brand: "visa", lastFourDigits: "4242" },
    };

    expect(Object.keys(observe(order))).toEqual([
      "EMAIL_RESERVED_DOMAIN",
      "PHONE_FICTIONAL",
      "PUBLIC_TEST_CARD",
    ]);
    expect(observe(order, true)).toEqual({});
  });
});

describe("createLocalEngine on addresses of the network", () => {
  const limitationsFor = (ipAddress: string): string =>
    createLocalEngine().assess(orderWith({ ipAddress })).limitations.join(" ");

  it.each([
    ["10.0.0.7", "private"],
    ["100.64.3.1", "carrierGradeNat"],
    ["127.0.0.1", "loopback"],
    ["::1", "loopback"],
    ["::ffff:192.168.0.4", "private"],
    ["203.0.113.9", "reserved"],
  ])("says that %s is no customer's address", (ipAddress, range) => {
    expect(limitationsFor(ipAddress)).toContain(`(${range})`);
  });

  it("says that text is no address", () => {
    expect(limitationsFor("10.0.0")).toContain("The IP address given is not one.");
  });

  it.each(["73.158.64.15", "2600:1700::1"])("says nothing about %s", (ipAddress) => {
    expect(limitationsFor(ipAddress)).not.toMatch(/no customer|not one/);
  });
});
