import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareOrders } from "../../src/order/material-change.ts";
import type { OrderAddress, PartialVerificationRequest } from "../../src/order/request.ts";
import { orderArbitrary } from "../engine/arbitrary-order.ts";
import { anOrder } from "../support/orders.ts";
import { anyText } from "../support/any-text.ts";

const ORDER = anOrder({
  customerPhone: "+1 303 555 0142",
  companyName: "Example Ltd",
  orderAmount: 100,
  items: [
    { name: "Mug", quantity: 2, price: 25, sku: "MUG-1" },
    { name: "Plate", quantity: 1, price: 50 },
  ],
  paymentInfo: { brand: "Visa", lastFourDigits: "4242", expiry: "12/30", holderName: "Jane Example" },
});

const compare = (changes: PartialVerificationRequest, before: PartialVerificationRequest = ORDER) =>
  compareOrders(before, { ...before, ...changes });
const ship = (changes: Partial<OrderAddress>) => ({
  shippingAddress: { ...ORDER.shippingAddress, ...changes },
});
const bill = (changes: Partial<OrderAddress>) => ({
  billingAddress: { ...ORDER.billingAddress, ...changes },
});
const [MUG, PLATE] = ORDER.items ?? [];
if (MUG === undefined || PLATE === undefined) throw new Error("the order has two lines");

describe("compareOrders", () => {
  it.each<[string, PartialVerificationRequest, string]>([
    ["another email address", { customerEmail: "jane@example.org" }, "customerEmail"],
    ["one letter of an email address", { customerEmail: "jana@example.com" }, "customerEmail"],
    ["another person", { customerName: "Robert Sample" }, "customerName"],
    ["another country", ship({ country: "CA" }), "shippingAddress.country"],
    ["another postal code", ship({ postalCode: "62704" }), "shippingAddress.postalCode"],
    ["another town", ship({ city: "Shelbyville" }), "shippingAddress.city"],
    ["another street", ship({ street: "9 Other Road" }), "shippingAddress.street"],
    ["another house number", ship({ street: "2 Main Street" }), "shippingAddress.street"],
    ["a street's abbreviation", ship({ street: "1 Main St." }), "shippingAddress.street"],
    ["a new second line", ship({ street: "1 Main Street, ring twice" }), "shippingAddress.street"],
    ["another state", ship({ state: "MO" }), "shippingAddress.state"],
    ["four digits more", ship({ postalCode: "62701-0001" }), "shippingAddress.postalCode"],
    ["one letter of a name", { customerName: "Jane Examples" }, "customerName"],
    ["a middle name", { customerName: "Jane M. Example" }, "customerName"],
    ["another billing country", bill({ country: "CA" }), "billingAddress.country"],
    ["a raised amount", { orderAmount: 106 }, "orderAmount"],
    ["another currency", { currency: "EUR" }, "currency"],
    ["a product more", { items: [MUG, PLATE, { name: "Laptop", quantity: 1, price: 999 }] }, "items"],
    ["more of a product", { items: [{ ...MUG, quantity: 3 }, PLATE] }, "items"],
    ["a second line of a product", { items: [MUG, PLATE, { ...PLATE, quantity: 1 }] }, "items"],
    [
      "another card",
      { paymentInfo: { ...ORDER.paymentInfo, lastFourDigits: "1881" } },
      "paymentInfo.lastFourDigits",
    ],
  ])("treats %s as material", (_case, changes, path) => {
    expect(compare(changes)).toEqual([expect.objectContaining({ path, material: true })]);
  });

  it.each<[string, PartialVerificationRequest, string]>([
    ["another phone", { customerPhone: "+1 303 555 0199" }, "customerPhone"],
    ["a company", { companyName: "Other Ltd" }, "companyName"],
    ["a flat", ship({ street: "1 Main Street, Flat 7" }), "shippingAddress.street"],
    ["a state that is withheld", ship({ state: "N/A" }), "shippingAddress.state"],
    ["a lowered amount", { orderAmount: 10 }, "orderAmount"],
    ["an amount raised a little", { orderAmount: 104.9 }, "orderAmount"],
    ["less of a product", { items: [{ ...MUG, quantity: 1 }, PLATE] }, "items"],
    ["a product less", { items: [MUG] }, "items"],
    ["another price", { items: [{ ...MUG, price: 26 }, PLATE] }, "items"],
    ["an email address that is withheld", { customerEmail: undefined }, "customerEmail"],
  ])("lists %s, not as material", (_case, changes, path) => {
    expect(compare(changes)).toEqual([expect.objectContaining({ path, material: false })]);
  });

  it.each<[string, PartialVerificationRequest]>([
    ["case and spaces", { customerName: " jane  EXAMPLE ", customerEmail: "JANE@example.com " }],
    ["punctuation of an address", ship({ street: "1, Main-Street." })],
    ["accents of an address", ship({ street: "1 Máin Streët", city: "Springfièld" })],
    ["accents and punctuation of a name", { customerName: "Jané, Example" }],
    ["spaces of a postal code", ship({ postalCode: "62 701" })],
    ["a country's name", ship({ country: "United States" })],
    ["a country's code of three letters", bill({ country: "usa" })],
    ["a phone number without its country", { customerPhone: "303 555 0142" }],
    ["the order of lines", { items: [PLATE, MUG] }],
    ["lines that are split", { items: [PLATE, { ...MUG, quantity: 1 }, { ...MUG, quantity: 1 }] }],
    ["a product renamed under its number", { items: [{ ...MUG, name: "Cup" }, PLATE] }],
    ["floating-point noise", { orderAmount: 100.0000001 }],
    ["separators of a phone", { customerPhone: "+1 (303) 555-0142" }],
    ["card facts that only one side knows", { paymentInfo: undefined }],
    ["half of the card facts", { paymentInfo: { brand: "visa" } }],
    [
      "history, IP address and browser",
      {
        isFirstTimeCustomer: true,
        accountAgeInDays: 9,
        totalOrders: 4,
        averageOrderValue: 5,
        ipAddress: "192.0.2.9",
        userAgent: "Other/2.0",
        orderTimestamp: "2026-11-21T10:00:00Z",
      },
    ],
  ])("doesn't list %s", (_case, changes) => {
    expect(compare(changes)).toEqual([]);
  });

  it.each([
    ["Calle 100 # 7-33", "Calle 100 # 49-33"],
    ["Calle 100", "Calle 100 # 7"],
    ["Av. 16 de Septiembre", "Av. 16 de Septiembre #120"],
    ["5 de Mayo", "5 de Mayo #120"],
    ["42nd Street", "42nd Street #120"],
    ["20 Noviembre", "20 Noviembre #12"],
    ["20 Noviembre Sur", "20 Noviembre Sur #12"],
    ["4 Norte", "4 Norte #12"],
    ["5 Avenue", "5 Avenue #12"],
    ["24 Via Veneto", "24 Via Veneto #12"],
    ["# 12 Main Street", "# 980 Main Street"],
    ["Block 12, 5 Jurong East", "Block 99, 5 Jurong East"],
    ["Kalverstraat huisnummer 12", "Kalverstraat huisnummer 200"],
    ["12 Clark Street", "12 Clarke Street"],
    ["1 Main Street", "1 Main Street, c/o Freight Forwarding"],
    ["1 Main Street, Flat 7", "1 Main Street, Flat 8"],
    ["1 Main Street, Flat 7", "1 Main Street"],
    ["Kalverstraat", "Kalverstraat # 12"],
    ["P.O. Box 12", "P.O. Box 13"],
    ["中山路1号", "中山路2号"],
    ["1 ガ", "1 カ"],
  ])("treats the street %s changed to %s as material", (before, after) => {
    expect(compare(ship({ street: after }), { ...ORDER, ...ship({ street: before }) })).toEqual([
      { path: "shippingAddress.street", before, after, material: true },
    ]);
  });

  it("treats a changed recipient as material, however similar the rest is", () => {
    const named = (recipientName?: string) => ({ ...ORDER, recipientName });
    const change = { path: "recipientName", before: "Jane Example", after: "ACME Freight", material: true };

    expect(compareOrders(named("Jane Example"), named("ACME Freight"))).toEqual([change]);
    expect(compareOrders(named(""), named("ACME Freight"))).toEqual([{ ...change, before: "" }]);
    expect(compareOrders(named("Jane Example"), named("jane  EXAMPLE"))).toEqual([]);
    // Orders that were stored before recipients were.
    expect(compareOrders(named(), named("ACME Freight"))).toEqual([]);
  });

  it("treats a street as material if there was none", () => {
    const [change] = compareOrders({ ...ORDER, ...ship({ street: "N/A" }) }, ORDER);

    expect(change).toMatchObject({ path: "shippingAddress.street", material: true });
  });

  it("reports the old and new values as they were written", () => {
    expect(compare({ ...ship({ country: "CA" }), orderAmount: 150, items: [MUG] })).toEqual([
      { path: "orderAmount", before: 100, after: 150, material: true },
      { path: "items", before: "1 × Plate (50)", after: null, material: false },
      { path: "shippingAddress.country", before: "US", after: "CA", material: true },
    ]);
  });

  it("compares amounts only in the same currency", () => {
    expect(compare({ currency: "JPY", orderAmount: 15_000 })).toEqual([
      { path: "currency", before: "USD", after: "JPY", material: true },
      { path: "orderAmount", before: 100, after: 15_000, material: false },
    ]);
  });

  it("treats fields that an erased or withheld order lacks as not material", () => {
    const changes = compareOrders(ORDER, { orderAmount: 100, currency: "USD", items: ORDER.items });

    expect(changes.length).toBeGreaterThan(5);
    expect(changes.filter(({ material }) => material)).toEqual([]);
  });
});

describe("compareOrders with very many lines", () => {
  const LINES = 5_000;

  /** Lines that count how often their price is read. */
  function countReads(toSku: (line: number) => string) {
    const reads = { count: 0 };
    const items = Array.from({ length: LINES }, (_, line) => ({
      name: "Mug",
      quantity: 1,
      sku: toSku(line),
      get price() {
        reads.count += 1;
        return line + 1;
      },
    }));
    return { items, reads };
  }

  it.each([
    ["one product", () => "MUG"],
    ["as many products", (line: number) => `MUG-${line}`],
  ])("looks at each line of %s once", (_case, toSku) => {
    const before = countReads(toSku);
    const after = countReads((line) => toSku(LINES - line));

    compareOrders({ items: before.items }, { items: after.items });

    expect([before.reads.count, after.reads.count]).toEqual([LINES, LINES]);
  });

  it("names a few prices of a product that has thousands", () => {
    const [change] = compareOrders({ items: countReads(() => "MUG").items }, { items: [] });

    expect(change?.before).toBe("5000 × Mug (1, 2, 3, 4, 5, …)");
  });
});

describe("compareOrders with any orders", () => {
  const anything: fc.Arbitrary<PartialVerificationRequest> = fc.record(
    {
      orderAmount: fc.oneof(fc.double(), fc.constantFrom(0, -1, Number.NaN, Number.POSITIVE_INFINITY)),
      currency: fc.string(),
      customerName: anyText(),
      customerEmail: anyText(),
      customerPhone: fc.string({ unit: "grapheme" }),
      companyName: fc.string(),
      companyAddress: fc.string(),
      shippingAddress: fc.record(
        { street: anyText(), city: fc.string(), country: fc.string({ maxLength: 2 }) },
        { requiredKeys: [] },
      ),
      billingAddress: fc.record({ postalCode: fc.string(), state: fc.string() }, { requiredKeys: [] }),
      items: fc.array(
        fc.record({ name: fc.string(), quantity: fc.double(), price: fc.double(), sku: fc.string() }),
        { maxLength: 4 },
      ),
      paymentInfo: fc.record({ brand: fc.string(), holderName: fc.string() }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  );
  const order = fc.oneof(anything, orderArbitrary);
  const paths = (before: PartialVerificationRequest, after: PartialVerificationRequest) =>
    compareOrders(before, after)
      .map(({ path }) => path)
      .toSorted();

  it("finds no difference between an order and itself", () => {
    fc.assert(
      fc.property(order, (one) => {
        expect(compareOrders(one, structuredClone(one))).toEqual([]);
      }),
    );
  });

  it("names the same fields both ways and never throws", () => {
    fc.assert(
      fc.property(order, order, (one, other) => {
        expect(paths(one, other)).toEqual(paths(other, one));
      }),
      { numRuns: 500 },
    );
  });

  it("swaps before and after when the orders are swapped", () => {
    fc.assert(
      fc.property(orderArbitrary, orderArbitrary, (one, other) => {
        const there = compareOrders(one, other).map(({ path, before, after }) => ({ path, before, after }));
        const back = compareOrders(other, one).map(({ path, before, after }) => ({
          path,
          before: after,
          after: before,
        }));
        expect(new Set(there.map((change) => JSON.stringify(change)))).toEqual(
          new Set(back.map((change) => JSON.stringify(change))),
        );
      }),
    );
  });
});
