import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprintOrder } from "../../src/order/fingerprint.ts";
import { compareOrders } from "../../src/order/material-change.ts";
import type {
  OrderAddress,
  PartialVerificationRequest,
  VerificationRequest,
} from "../../src/order/request.ts";
import { orderArbitrary } from "../engine/arbitrary-order.ts";
import { createKeyring } from "../../src/store/sealing/keyring.ts";
import { anOrder } from "../support/orders.ts";

/** The content itself, so that a digest can't hide a difference. */
const content = (order: PartialVerificationRequest): string => fingerprintOrder(order, (text) => text);

const ORDER: VerificationRequest = anOrder({
  orderId: "5550100",
  customerPhone: "+1 555 010 0199",
  companyName: "Example Ltd",
  companyAddress: "1 Office Park",
  items: [
    { name: "Mug", quantity: 1, price: 9.9, sku: "MUG-1" },
    { name: "Plate", quantity: 5, price: 10 },
  ],
  shippingAddress: {
    street: "1 Main Street",
    city: "Springfield",
    state: "IL",
    postalCode: "62701",
    country: "US",
  },
  billingAddress: {
    street: "2 Side Street",
    city: "Shelbyville",
    state: "IN",
    postalCode: "46176",
    country: "CA",
  },
  paymentInfo: { brand: "Visa", lastFourDigits: "4242", expiry: "12/30", holderName: "Jane Example" },
  accountAgeInDays: 3,
  totalOrders: 1,
  ipAddress: "192.0.2.1",
  userAgent: "Example/1.0",
});
const [MUG, PLATE] = ORDER.items ?? [];
if (MUG === undefined || PLATE === undefined) throw new Error("the order has two lines");

/** The same order with its keys reversed, at every level. */
function reverseKeys<T>(value: T): T {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, part]: [string, unknown]) => [key, reverseKeys(part)]),
  ) as T;
}

/** The same order with every text written differently. */
function rewrite(value: unknown, write: (text: string) => string): unknown {
  if (typeof value === "string") return write(value);
  if (Array.isArray(value)) return value.map((part) => rewrite(part, write));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, rewrite(part, write)]));
}

function rewriteOrder(write: (text: string) => string): PartialVerificationRequest {
  // The id belongs to the platform, so the case of its letters counts.
  return { ...(rewrite(ORDER, write) as PartialVerificationRequest), orderId: ORDER.orderId };
}

describe("fingerprintOrder", () => {
  it("is the digest of the content", () => {
    const keyring = createKeyring(Buffer.alloc(32, 1));
    const digest = (tenant: string) => (text: string) => keyring.digest(tenant, "fingerprint", text);

    const fingerprint = fingerprintOrder(ORDER, digest("a"));

    expect(fingerprint).toMatch(/^[\w-]{43}$/);
    expect(fingerprintOrder({ ...ORDER }, digest("a"))).toBe(fingerprint);
    expect(fingerprintOrder(ORDER, digest("b"))).not.toBe(fingerprint);
  });

  it("doesn't depend on the order of keys", () => {
    expect(Object.keys(reverseKeys(ORDER))).not.toEqual(Object.keys(ORDER));
    expect(content(reverseKeys(ORDER))).toBe(content(ORDER));
  });

  it("doesn't depend on the order of lines", () => {
    expect(content({ ...ORDER, items: [PLATE, MUG] })).toBe(content(ORDER));
  });

  it.each<[name: string, write: (text: string) => string]>([
    ["upper case", (text) => text.toUpperCase()],
    ["lower case", (text) => text.toLowerCase()],
    ["white space at the ends", (text) => `  ${text}\n`],
    ["decomposed accents", (text) => text.normalize("NFD")],
  ])("doesn't depend on %s", (_name, write) => {
    expect(content(rewriteOrder(write))).toBe(content(ORDER));
  });

  it("doesn't depend on repeated white space, punctuation in addresses or separators in phone numbers", () => {
    const written = {
      ...ORDER,
      customerName: "Jane    Example",
      customerPhone: "(1) 555-010-0199",
      companyAddress: "1, Office Park.",
      shippingAddress: { ...ORDER.shippingAddress, street: "1 Main-Street," },
    };

    expect(content(written)).toBe(content(ORDER));
  });

  it("depends on a recipient who isn't the customer", () => {
    const digest = (text: string): string => text;
    const to = (recipient: string) => fingerprintOrder(ORDER, digest, recipient);

    expect(to("")).toBe(content(ORDER));
    expect(to(` ${ORDER.customerName?.toUpperCase()} `)).toBe(content(ORDER));
    expect(to("ACME Freight")).not.toBe(content(ORDER));
    expect(to("ACME Freight")).not.toBe(to("Other Freight"));
  });

  it("doesn't depend on case and white space in any text", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9éüøñ]{1,8}$/);
    const space = fc.constantFrom(" ", "  ", "\t", " \n ");
    const text = fc.array(word, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(text, space, fc.boolean(), (words, gap, upper) => {
        const plain = words.join(" ");
        const odd = `${gap}${words.join(gap)}${gap}`;
        const written = upper ? odd.toUpperCase() : odd;
        const orderOf = (name: string): PartialVerificationRequest => ({
          ...ORDER,
          customerName: name,
          shippingAddress: { ...ORDER.shippingAddress, city: name },
          items: [{ ...MUG, name }],
          paymentInfo: { holderName: name },
        });
        expect(content(orderOf(written))).toBe(content(orderOf(plain)));
      }),
    );
  });

  it.each<[name: string, change: Partial<VerificationRequest>]>([
    ["the order id", { orderId: "5550101" }],
    ["the amount by a cent", { orderAmount: 59.91 }],
    ["the currency", { currency: "CAD" }],
    ["the email", { customerEmail: "jane.example@example.com" }],
    ["the name", { customerName: "Joe Example" }],
    ["a digit of the phone", { customerPhone: "+1 555 010 0198" }],
    ["the company", { companyName: "Other Ltd" }],
    ["the company's address", { companyAddress: "2 Office Park" }],
    ["a line's name", { items: [{ ...MUG, name: "Cup" }, PLATE] }],
    ["a line's sku", { items: [{ ...MUG, sku: "MUG-2" }, PLATE] }],
    ["a line's quantity", { items: [{ ...MUG, quantity: 2 }, PLATE] }],
    ["a line's price", { items: [{ ...MUG, price: 9.91 }, PLATE] }],
    ["a line more", { items: [MUG, PLATE, PLATE] }],
    ["a line less", { items: [MUG] }],
    ["the shipping street", { shippingAddress: { ...ORDER.shippingAddress, street: "11 Main Street" } }],
    ["the shipping city", { shippingAddress: { ...ORDER.shippingAddress, city: "Shelbyville" } }],
    ["the shipping state", { shippingAddress: { ...ORDER.shippingAddress, state: "IN" } }],
    ["the shipping postal code", { shippingAddress: { ...ORDER.shippingAddress, postalCode: "62702" } }],
    ["the shipping country", { shippingAddress: { ...ORDER.shippingAddress, country: "CA" } }],
    ["the billing street", { billingAddress: { ...ORDER.billingAddress, street: "3 Side Street" } }],
    [
      "which address is which",
      { billingAddress: ORDER.shippingAddress, shippingAddress: ORDER.billingAddress },
    ],
    ["the card's brand", { paymentInfo: { ...ORDER.paymentInfo, brand: "Mastercard" } }],
    ["the card's last digits", { paymentInfo: { ...ORDER.paymentInfo, lastFourDigits: "4243" } }],
    ["the card's expiry", { paymentInfo: { ...ORDER.paymentInfo, expiry: "12/31" } }],
    ["the card's holder", { paymentInfo: { ...ORDER.paymentInfo, holderName: "Joe Example" } }],
  ])("depends on %s", (_name, change) => {
    expect(content({ ...ORDER, ...change })).not.toBe(content(ORDER));
  });

  it.each<[name: keyof VerificationRequest, value: unknown]>([
    ["ipAddress", "192.0.2.2"],
    ["userAgent", "Other/2.0"],
    ["orderTimestamp", "2026-11-21T10:00:00Z"],
    ["accountAgeInDays", 400],
    ["totalOrders", 9],
    ["cancelledOrders", 1],
    ["returnedOrders", 1],
    ["fulfilledOrders", 1],
    ["averageOrderValue", 12],
    ["isFirstTimeCustomer", true],
  ])("doesn't depend on %s", (name, value) => {
    expect(content({ ...ORDER, [name]: value })).toBe(content(ORDER));
  });

  it("depends on every amount to a tenth of a cent and no further", () => {
    const cents = fc.integer({ min: 1, max: 1e9 });
    fc.assert(
      fc.property(cents, cents, (one, other) => {
        const same = content({ orderAmount: one / 100 }) === content({ orderAmount: other / 100 });
        expect(same).toBe(one === other);
      }),
    );
    expect(content({ orderAmount: 0.1 + 0.2 })).toBe(content({ orderAmount: 0.3 }));
    // Kuwait's dinar has a thousand fils.
    expect(content({ orderAmount: 1.001 })).not.toBe(content({ orderAmount: 1.002 }));
  });

  it("distinguishes any two ways of splitting the same text across the fields", () => {
    // Characters that could confuse an encoding. White space is normalized, so some splits are equal.
    const text = fc.stringMatching(/^["',[\]{}\\|:;0a ]{0,12}$/);
    const cuts = fc
      .array(fc.nat(12), { minLength: 9, maxLength: 9 })
      .map((list) => list.toSorted((a, b) => a - b));
    const spread = (whole: string, at: readonly number[]): readonly string[] =>
      at.map((cut, index) => whole.slice(index === 0 ? 0 : at[index - 1], cut));
    const toOrder = ([id, name, company, brand, digits, expiry, holder, line, sku]: readonly string[]) =>
      ({
        orderId: id,
        customerName: name,
        companyName: company,
        paymentInfo: { brand, lastFourDigits: digits, expiry, holderName: holder },
        items: [{ name: line, sku, quantity: 1, price: 1 }],
      }) as PartialVerificationRequest;
    const meaning = ([id, ...parts]: readonly string[]): string =>
      JSON.stringify([id, ...parts.map((part) => part.replaceAll(/ +/g, " ").trim())]);
    let equal = 0;
    fc.assert(
      // Move one cut, so that the differing fields are adjacent.
      fc.property(text, cuts, fc.nat(8), fc.nat(12), (whole, oneCuts, moved, to) => {
        const otherCuts = oneCuts.with(moved, to).toSorted((a, b) => a - b);
        const one = spread(whole, oneCuts);
        const other = spread(whole, otherCuts);
        const same = meaning(one) === meaning(other);
        equal += Number(same);
        expect(content(toOrder(one)) === content(toOrder(other))).toBe(same);
      }),
      { numRuns: 1_000 },
    );
    expect(equal, "no two spreads were equal, so half of the claim was not tried").toBeGreaterThan(0);
  });

  const BRITISH: PartialVerificationRequest = {
    ...ORDER,
    customerPhone: "07400 123456",
    shippingAddress: {
      street: "12a Mill Lane",
      city: "Leeds",
      state: "N/A",
      postalCode: "LS1 4AP",
      country: "GB",
    },
    billingAddress: {
      street: "12a Mill Lane",
      city: "Leeds",
      state: "N/A",
      postalCode: "LS1 4AP",
      country: "GB",
    },
  };
  const british = (changes: Partial<OrderAddress>): PartialVerificationRequest => ({
    ...BRITISH,
    shippingAddress: { ...BRITISH.shippingAddress, ...changes },
  });
  const abroad = (country: string, customerPhone: string): PartialVerificationRequest => ({
    ...BRITISH,
    customerPhone,
    billingAddress: { ...BRITISH.billingAddress, country },
  });

  it.each<[name: string, one: PartialVerificationRequest, other: PartialVerificationRequest]>([
    ...["+447400123456", "+44 (0)7400 123456", "0044 7400 123456", "447400123456", "7400 123456"].map(
      (customerPhone): [string, PartialVerificationRequest, PartialVerificationRequest] => [
        `the phone ${customerPhone}`,
        BRITISH,
        { ...BRITISH, customerPhone },
      ],
    ),
    ["an American phone", abroad("US", "(303) 555-0142"), abroad("US", "+1 303 555 0142")],
    ["an American phone from abroad", abroad("US", "1-303-555-0142"), abroad("US", "011 1 303 555 0142")],
    ["a Russian phone", abroad("RU", "8 (800) 555-35-35"), abroad("RU", "+7 800 555 35 35")],
    ["an Italian phone, which keeps its zero", abroad("IT", "06 1234567"), abroad("IT", "+39 06 1234567")],
    ["a Hungarian phone", abroad("HU", "06 30 123 4567"), abroad("HU", "+36 30 123 4567")],
    ...["GBR", "gb", "United Kingdom", "UK", "Great Britain", "gbr "].map(
      (country): [string, PartialVerificationRequest, PartialVerificationRequest] => [
        `the country ${country}`,
        BRITISH,
        british({ country }),
      ],
    ),
    ["a postal code without a space", BRITISH, british({ postalCode: "ls14ap" })],
    [
      "a postal code with a hyphen",
      british({ postalCode: "62701-0001" }),
      british({ postalCode: "627010001" }),
    ],
    [
      "accents",
      british({ city: "Kraków", street: "1 Rynek Główny" }),
      british({ city: "Krakow", street: "1 rynek głowny" }),
    ],
    ["a state that isn't known", BRITISH, british({ state: "" })],
    [
      "a line that is split",
      { ...ORDER, items: [{ ...MUG, quantity: 2 }, PLATE] },
      { ...ORDER, items: [MUG, PLATE, MUG] },
    ],
    [
      "a line that is split in other spelling",
      { ...ORDER, items: [{ ...MUG, quantity: 3 }] },
      { ...ORDER, items: [MUG, { ...MUG, name: "MUG ", quantity: 2 }] },
    ],
  ])("doesn't depend on %s", (_name, one, other) => {
    expect(content(other)).toBe(content(one));
    expect(compareOrders(one, other).filter(({ material }) => material)).toEqual([]);
  });

  it.each<[one: string, other: string]>([
    ["12 Mill Lane", "1 2 Mill Lane"],
    ["12a Mill Lane", "12 Mill Lane"],
    ["12a Mill Lane", "12 a Mill Lane"],
    ["12a Mill Lane", "12b Mill Lane"],
    ["12 Mill Lane", "12 Mill Lane, Flat 3"],
    ["Flat 3, 12 Mill Lane", "Flat 31, 2 Mill Lane"],
    ["Flat 1, 23 Mill Lane", "Flat 12, 3 Mill Lane"],
    ["1-2 Mill Lane", "12 Mill Lane"],
    ["1/2 Mill Lane", "12 Mill Lane"],
    ["1² Mill Lane", "12 Mill Lane"],
    ["1½ Mill Lane", "11/2 Mill Lane"],
    ["①② Mill Lane", "12 Mill Lane"],
    ["Mill Lane 1, 2", "Mill Lane 12"],
    ["Mill Lane 012", "Mill Lane 12"],
    ["1\u200B2 Mill Lane", "12 Mill Lane"],
    ["Calle 100 # 7-33", "Calle 100 # 73-3"],
    ["中山路1号", "中山路2号"],
  ])("depends on the house number: %s isn't %s", (one, other) => {
    expect(content(british({ street: other }))).not.toBe(content(british({ street: one })));
    expect(compareOrders(british({ street: one }), british({ street: other }))).not.toEqual([]);
  });

  it.each<[name: string, one: PartialVerificationRequest, other: PartialVerificationRequest]>([
    ["a phone of another country", BRITISH, { ...BRITISH, customerPhone: "+1 7400 123456" }],
    ["a phone with another digit", BRITISH, { ...BRITISH, customerPhone: "+44 7400 123457" }],
    ["the trunk prefix of an Italian phone", abroad("IT", "06 1234567"), abroad("IT", "6 1234567")],
    ["another country", BRITISH, british({ country: "GG" })],
    ["another unknown country", british({ country: "Atlantis" }), british({ country: "Utopia" })],
    ["another postal code", BRITISH, british({ postalCode: "LS1 4AQ" })],
    [
      "a line at another price",
      { ...ORDER, items: [MUG, MUG] },
      { ...ORDER, items: [MUG, { ...MUG, price: 10.9 }] },
    ],
    [
      "a line of another product",
      { ...ORDER, items: [MUG, MUG] },
      { ...ORDER, items: [MUG, { ...MUG, sku: "MUG-2" }] },
    ],
    ["a piece more", { ...ORDER, items: [MUG, MUG] }, { ...ORDER, items: [MUG, MUG, MUG] }],
  ])("depends on %s", (_name, one, other) => {
    expect(content(other)).not.toBe(content(one));
  });

  it("changes with every material change", () => {
    const order = orderArbitrary.map((known) => ({ ...known, orderId: "1" }));
    const number = fc.constantFrom("1", "12", "1 2", "12a", "12 a", "1²", "1½", "1/2", "1-2", "1,2");
    const place = fc.record({
      street: fc
        .tuple(number, fc.constantFrom("Mill Lane", "mill  lane", "MILL-LANE"))
        .map((parts) => parts.join(" ")),
      country: fc.constantFrom("GB", "gbr", "United Kingdom", "US", "USA", "N/A"),
      postalCode: fc.constantFrom("LS1 4AP", "ls14ap", "LS14 AP", "LS1 4AQ"),
    });
    const phone = fc.constantFrom("07400 123456", "+447400123456", "7400123456", undefined);
    let same = 0;
    fc.assert(
      fc.property(order, place, place, phone, phone, fc.boolean(), (known, from, to, was, is, isSplit) => {
        const before = { ...known, shippingAddress: from, customerPhone: was };
        const items = (known.items ?? []).flatMap((line) => {
          const half = { ...line, quantity: line.quantity / 2 };
          return isSplit && Number.isFinite(half.quantity) ? [half, half] : [line];
        });
        const after = { ...before, items, shippingAddress: to, customerPhone: is };
        if (content(before) !== content(after)) return;
        same += 1;
        expect(compareOrders(before, after).filter(({ material }) => material)).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
    expect(same).toBeGreaterThan(0);
  });

  it.each<[name: string, one: PartialVerificationRequest, other: PartialVerificationRequest]>([
    ["a name and a company", { customerName: "a", companyName: "b" }, { customerName: "a b" }],
    [
      "brand and digits",
      { paymentInfo: { brand: "42", lastFourDigits: "42" } },
      { paymentInfo: { brand: "4242" } },
    ],
    [
      "street and city",
      { shippingAddress: { street: "1 Main", city: "Springfield" } },
      { shippingAddress: { street: "1", city: "Main Springfield" } },
    ],
    [
      "two lines and one line that looks like two",
      { items: [MUG, PLATE] },
      { items: [{ ...MUG, name: `${MUG.name}",null,5,10000]","["plate` }] },
    ],
    [
      "name and sku",
      { items: [{ ...MUG, name: "a,", sku: "b" }] },
      { items: [{ ...MUG, name: "a", sku: ",b" }] },
    ],
    ["no amount and zero", {}, { orderAmount: 0 }],
    ["no amount and one that is not finite", {}, { orderAmount: Infinity }],
    ["no card and a card nobody knows anything of", {}, { paymentInfo: {} }],
    ["no address and an empty one", {}, { shippingAddress: {} }],
  ])("tells %s apart", (_name, one, other) => {
    expect(content(one)).not.toBe(content(other));
  });

  it("treats blank text as absent", () => {
    const { companyName: _company, customerPhone: _phone, ...without } = ORDER;

    expect(content({ ...ORDER, companyName: " ", customerPhone: "n/a" })).toBe(content(without));
    expect(content({ ...ORDER, items: [{ ...PLATE, sku: "" }, MUG] })).toBe(content(ORDER));
  });

  it("accepts an order without any known field", () => {
    expect(content({})).toBe(content({ shippingAddress: undefined, items: [] }));
  });

  it("doesn't change the order", () => {
    const frozen = Object.freeze({
      ...ORDER,
      items: Object.freeze([PLATE, MUG]) as VerificationRequest["items"],
    });

    expect(content(frozen as VerificationRequest)).toBe(content(ORDER));
  });
});
