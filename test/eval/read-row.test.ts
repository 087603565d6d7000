import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRow, type Row } from "../../eval/read-row.ts";
import { parseHeader } from "../../eval/request-columns.ts";
import { anyText } from "../support/any-text.ts";

/** Read one row of a file that also has a label. */
function read(columns: Readonly<Record<string, string>>): Row {
  const header = parseHeader(["label", ...Object.keys(columns)]);
  return readRow(header, ["1", ...Object.values(columns)]);
}

/** The known facts of the order. */
function readOrder(columns: Readonly<Record<string, string>>): unknown {
  const row = read(columns);
  return row.kind === "order" ? row.order.order : row;
}

describe("parseHeader", () => {
  it("accepts every field of a request, nested ones and positions in lists either way", () => {
    const names = [
      "orderAmount",
      "shippingAddress.country",
      "paymentInfo.brand",
      "items[0].name",
      "items.12.price",
    ];
    const { columns, unknown } = parseHeader(["label", ...names]);

    expect(unknown).toEqual([]);
    expect(columns.slice(1)).toMatchObject([
      { path: ["orderAmount"], type: "number" },
      { path: ["shippingAddress", "country"], type: "text" },
      { path: ["paymentInfo", "brand"], type: "text" },
      { path: ["items", 0, "name"], type: "text" },
      { path: ["items", 12, "price"], type: "number" },
    ]);
  });

  it.each([
    "Amount",
    "orderamount",
    "shippingAddress",
    "items",
    "items[0]",
    "items.name",
    "items[500].name",
    "items[-1].name",
    "orderAmount.value",
    "shippingAddress.0",
    "shippingAddress.planet",
    "__proto__.polluted",
    "constructor.prototype.polluted",
    "items.__proto__.polluted",
    "toString",
    "velocity.unheard_of",
    "velocity",
    "",
  ])("doesn't know %j, and skips it", (name) => {
    const { columns, unknown } = parseHeader(["label", name, "currency"]);

    expect(unknown).toEqual([name]);
    expect(columns[1]).toBeNull();
    expect(columns[2]).not.toBeNull();
  });

  it("requires a label", () => {
    expect(() => parseHeader(["orderAmount", "Label"])).toThrow('no column "label"');
  });

  it.each([
    [["label", "currency", "label"]],
    [["label", "currency", "currency"]],
    [["label", "items[0].name", "items.0.name"]],
    [["label", "velocity.email_1h", " velocity.email_1h"]],
  ])("refuses two columns that are the same: %j", (names) => {
    expect(() => parseHeader(names)).toThrow("are the same");
  });
});

describe("readRow", () => {
  it("builds the request from what the row contains and leaves out the rest", () => {
    const order = readOrder({
      orderAmount: "19.99",
      currency: "USD",
      customerEmail: "",
      isFirstTimeCustomer: "True",
      accountAgeInDays: "14.0",
      "shippingAddress.country": "US",
      "shippingAddress.state": " AZ ",
      "billingAddress.country": "",
      "paymentInfo.lastFourDigits": "0042",
      "items[0].name": "Lamp, large",
      "items[0].quantity": "2",
      "items.1.name": "",
      "items[2].name": "Shade",
      whatever: "x",
    });

    expect(order).toEqual({
      orderAmount: 19.99,
      currency: "USD",
      isFirstTimeCustomer: true,
      accountAgeInDays: 14,
      shippingAddress: { country: "US", state: "AZ" },
      paymentInfo: { lastFourDigits: "0042" },
      items: [{ name: "Lamp, large", quantity: 2 }, { name: "Shade" }],
    });
  });

  it.each([
    ["1", true],
    ["1.0", true],
    ["TRUE", true],
    ["fraud", true],
    ["0", false],
    ["False", false],
    ["legit", false],
    ["", undefined],
  ])("reads the label %j as %s", (label, fraud) => {
    const row = readRow(parseHeader(["label", "currency"]), [label, "USD"]);

    expect(row).toMatchObject({ kind: "order" });
    expect(row.kind === "order" && row.order.fraud).toBe(fraud);
  });

  it.each([
    ["2018-03-01T04:05:06Z", "2018-03-01T04:05:06Z"],
    ["2018-03-01 04:05:06+02:00", "2018-03-01T04:05:06+02:00"],
    ["2018-03-01 04:05:06", "2018-03-01T04:05:06Z"],
    ["2018-03-01T04:05:06.123", "2018-03-01T04:05:06.123Z"],
    ["March", "March"],
  ])("reads the time %j as %j", (cell, time) => {
    expect(readOrder({ orderTimestamp: cell })).toEqual({ orderTimestamp: time });
  });

  it.each([
    ["label", "maybe"],
    ["orderAmount", "12,50"],
    ["orderAmount", "$12"],
    ["orderAmount", "0x10"],
    ["orderAmount", "Infinity"],
    ["orderAmount", "1e999"],
    ["isFirstTimeCustomer", "2"],
    ["items[3].quantity", "two"],
    ["velocity.email_1h", "-1"],
    ["velocity.ip_emails_24h", "1.5"],
    ["velocity.card_emails_7d", "many"],
  ])("calls a row bad if its %s is %j, and doesn't repeat the value", (column, cell) => {
    const names = column === "label" ? ["label"] : ["label", column];
    const row = readRow(parseHeader(names), column === "label" ? [cell] : ["1", cell]);

    expect(row).toMatchObject({ kind: "bad", column });
    expect(JSON.stringify(row)).not.toContain(cell === "2" ? '"2"' : cell);
  });

  it.each([[["1"]], [["1", "USD", "extra"]], [[]]])(
    "calls a row bad if its cells don't match the columns: %j",
    (cells) => {
      expect(readRow(parseHeader(["label", "currency"]), cells)).toMatchObject({ kind: "bad", column: null });
    },
  );

  it.each(["NaN", "NA", "null", "None"])("treats %s as empty where it can't be meant as text", (cell) => {
    const order = readOrder({ orderAmount: cell, isFirstTimeCustomer: cell, "velocity.email_1h": cell });
    expect(order).toEqual({});
    // Namibia.
    expect(readOrder({ "shippingAddress.country": cell })).toEqual({ shippingAddress: { country: cell } });
  });

  it("keeps a text that the service would refuse, and says so", () => {
    const row = read({ customerEmail: "jane@gmail", orderAmount: "-5", currency: "USD" });

    expect(row).toMatchObject({
      kind: "order",
      order: { order: { customerEmail: "jane@gmail", orderAmount: -5, currency: "USD" } },
      odd: [
        { column: "customerEmail", expected: "expected an email address" },
        { column: "orderAmount", expected: "expected a positive amount, such as 19.99" },
      ],
    });
  });

  it("reads velocity counts, none of them below one, and has none without any", () => {
    const row = read({
      "velocity.email_1h": "3.0",
      "velocity.ip_emails_24h": "0",
      "velocity.card_emails_7d": "",
    });

    expect(row.kind === "order" && row.order.velocity).toEqual({
      emailOrders1h: 3,
      ipEmails24h: 1,
      cardEmails7d: undefined,
      addressEmails7d: undefined,
      emailCards24h: undefined,
      emailBillingPostcodes7d: undefined,
      cardBillingPostcodes7d: undefined,
    });
    expect(read({ "velocity.email_1h": "" })).toMatchObject({ order: { velocity: undefined } });
  });

  it("accepts any cells without throwing and never touches the prototype of all objects", () => {
    const names = [
      "label",
      "orderAmount",
      "__proto__.polluted",
      "items[0].name",
      "orderTimestamp",
      "velocity.email_1h",
    ];
    fc.assert(
      fc.property(fc.array(anyText(), { maxLength: 8 }), (cells) => {
        expect(["order", "bad"]).toContain(readRow(parseHeader(names), cells).kind);
        expect({}).not.toHaveProperty("polluted");
      }),
    );
  });
});
