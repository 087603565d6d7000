import { describe, expect, it } from "vitest";
import { isHoldfastError } from "../../src/base/errors.ts";
import { fingerprintOrder } from "../../src/order/fingerprint.ts";
import { parseVerificationRequest, verificationRequestSchema } from "../../src/order/request.ts";
import { SMALLEST_ORDER, WHOLE_ORDER, withField } from "../../src/testing/sample-request.ts";

const OPTIONAL = [
  "orderId",
  "orderTimestamp",
  "items",
  "items.0.sku",
  "customerPhone",
  "accountAgeInDays",
  "totalOrders",
  "cancelledOrders",
  "returnedOrders",
  "fulfilledOrders",
  "averageOrderValue",
  "companyName",
  "companyAddress",
  "paymentInfo",
  "paymentInfo.brand",
  "paymentInfo.lastFourDigits",
  "paymentInfo.expiry",
  "paymentInfo.holderName",
  "ipAddress",
  "userAgent",
];

const EMOJI = "😀";

/** The paths of the fields because of which an order is refused. */
function refusedFields(order: unknown): readonly string[] {
  try {
    parseVerificationRequest(order);
    return [];
  } catch (error) {
    if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
    return error.fields.map(({ path }) => path);
  }
}

describe("parseVerificationRequest", () => {
  it.each([SMALLEST_ORDER, WHOLE_ORDER])("doesn't change a request that is ready to be sent", (order) => {
    expect(parseVerificationRequest(order)).toStrictEqual(order);
  });

  it("reads every field of the schema", () => {
    // Compare the names, not the values: a field that isn't read would be lost.
    expect(Object.keys(parseVerificationRequest(WHOLE_ORDER)).toSorted()).toEqual(
      Object.keys(verificationRequestSchema.shape).toSorted(),
    );
  });

  it.each(OPTIONAL)("treats undefined, null and blank text for %s as not given", (path) => {
    const without = parseVerificationRequest(withField(WHOLE_ORDER, path, undefined));

    for (const nothing of [null, "", "  "]) {
      expect(parseVerificationRequest(withField(WHOLE_ORDER, path, nothing))).toStrictEqual(without);
    }
    const customerPhone = undefined;
    expect(parseVerificationRequest({ ...SMALLEST_ORDER, customerPhone })).toStrictEqual(SMALLEST_ORDER);
  });

  it("treats a card without any known field as not given", () => {
    const order = { ...SMALLEST_ORDER, paymentInfo: { brand: null, lastFourDigits: "", expiry: undefined } };

    expect(parseVerificationRequest(order)).toStrictEqual(SMALLEST_ORDER);
  });

  it.each([
    ["customerName", 255],
    ["customerPhone", 50],
    ["shippingAddress.street", 500],
    ["billingAddress.city", 100],
    ["shippingAddress.state", 100],
    ["shippingAddress.postalCode", 20],
    ["billingAddress.country", 100],
    ["paymentInfo.holderName", 255],
    ["userAgent", 1000],
    ["items.0.name", 255],
    ["items.0.sku", 100],
  ])("counts %s in UTF-16 code units, up to %d", (path, most) => {
    const fits = EMOJI.repeat(most / 2).padEnd(most, "x");
    const named = path.replace(".0.", "[0].");

    expect(refusedFields(withField(WHOLE_ORDER, path, fits))).toEqual([]);
    expect(refusedFields(withField(WHOLE_ORDER, path, EMOJI.repeat(most)))).toEqual([named]);
    expect(refusedFields(withField(WHOLE_ORDER, path, `${fits}x`))).toEqual([named]);
  });

  it("cuts texts that the service doesn't limit, without splitting a character", () => {
    const order = {
      ...WHOLE_ORDER,
      orderId: `${"1".repeat(254)}${EMOJI}`,
      companyName: "c".repeat(300),
      companyAddress: "a".repeat(2_000),
      paymentInfo: {
        ...WHOLE_ORDER.paymentInfo,
        brand: "v".repeat(200),
        expiry: "December 2030 (or a little later)",
      },
    };

    const sent = parseVerificationRequest(order);

    expect(sent).toMatchObject({
      orderId: "1".repeat(254),
      companyName: "c".repeat(255),
      companyAddress: "a".repeat(1_000),
      paymentInfo: { brand: "v".repeat(100), expiry: "December 2030 (or a" },
    });
  });

  it.each([
    "accountAgeInDays",
    "totalOrders",
    "cancelledOrders",
    "returnedOrders",
    "fulfilledOrders",
    "averageOrderValue",
  ])("leaves out %s if it is negative or not a JSON number", (path) => {
    const without = parseVerificationRequest(withField(WHOLE_ORDER, path, undefined));

    for (const value of [-1, -0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(parseVerificationRequest(withField(WHOLE_ORDER, path, value))).toStrictEqual(without);
    }
    expect(refusedFields(withField(WHOLE_ORDER, path, "3"))).toEqual([path]);
  });

  it.each([
    ["4242424242424242", "4242"],
    ["**** 4242 ", "4242"],
    ["42", undefined],
    ["visa", undefined],
  ])("sends the card digits %j as %s", (lastFourDigits, sent) => {
    const order = withField(WHOLE_ORDER, "paymentInfo.lastFourDigits", lastFourDigits);

    expect(parseVerificationRequest(order).paymentInfo?.lastFourDigits).toBe(sent);
  });

  it("sends currency, order time, email and IP address in one form", () => {
    const order = {
      ...SMALLEST_ORDER,
      currency: "eur",
      orderTimestamp: "2026-01-01T10:00+01:00",
      customerEmail: " jane@müller.de ",
      ipAddress: "::ffff:192.0.2.1",
    };

    expect(parseVerificationRequest(order)).toStrictEqual({
      ...SMALLEST_ORDER,
      currency: "EUR",
      orderTimestamp: "2026-01-01T09:00:00Z",
      customerEmail: "jane@xn--mller-kva.de",
      ipAddress: "192.0.2.1",
    });
  });

  it("gives both forms of a domain one fingerprint", () => {
    const fingerprints = ["Jane@Müller.de", "jane@xn--mller-kva.de"].flatMap((customerEmail) => {
      const order = { ...SMALLEST_ORDER, customerEmail };
      return [order, parseVerificationRequest(order)].map((one) => fingerprintOrder(one, (text) => text));
    });

    expect(new Set(fingerprints).size).toBe(1);
  });

  it("accepts orders with inherited fields, and half characters in a text", () => {
    const order = Object.create({ ...SMALLEST_ORDER, customerName: "Jane \ud83d" }) as unknown;

    expect(parseVerificationRequest(order)).toEqual({ ...SMALLEST_ORDER, customerName: "Jane \ufffd" });
  });

  it.each([
    ["orderAmount", 0],
    ["orderAmount", "59.90"],
    ["orderAmount", Number.POSITIVE_INFINITY],
    ["currency", "euro"],
    ["customerName", " "],
    ["customerName", null],
    ["customerEmail", ""],
    ["isFirstTimeCustomer", null],
    ["shippingAddress", null],
    ["shippingAddress.street", ""],
    ["orderTimestamp", "yesterday"],
    ["ipAddress", "192.0.2.300"],
    ["items", {}],
    ["items.0.quantity", 1.5],
    ["paymentInfo", "visa"],
    ["paymentInfo.lastFourDigits", 4242],
  ])("refuses %s that is %j", (path, value) => {
    expect(refusedFields(withField(WHOLE_ORDER, path, value))).toEqual([path.replace(".0.", "[0].")]);
  });

  it.each([undefined, null, 7, "order", [], [SMALLEST_ORDER]])("refuses %j", (order) => {
    expect(refusedFields(order)).toEqual([""]);
  });
});
