import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHoldfastError } from "../../src/base/errors.ts";
import { strictRequestSchema } from "../../src/sandbox/strict-request.ts";
import { readOrder } from "../../src/screening/read-order.ts";
import { documentedRequest } from "../order/documented-request.ts";
import { anyText } from "../support/any-text.ts";

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  anyText({ maxLength: 300 }),
  fc.constantFrom<unknown>(
    0,
    -1,
    0.4,
    1.5,
    1e300,
    -0,
    "0.400",
    "1e5",
    "12345678901234567890",
    Number.MAX_SAFE_INTEGER + 1,
    1_795_125_600_000,
    "x".repeat(100_000),
    "😀".repeat(600),
    "\ud83d",
    "nobody@",
    "::1%lo",
    "203.0.113.7, 10.0.0.1",
    [null],
    [[]],
    {},
    true,
  ),
);
const FIELDS = [
  "orderId",
  "orderTimestamp",
  "customerName",
  "customerEmail",
  "customerPhone",
  "isFirstTimeCustomer",
  "accountAgeInDays",
  "totalOrders",
  "cancelledOrders",
  "returnedOrders",
  "fulfilledOrders",
  "averageOrderValue",
  "companyName",
  "companyAddress",
  "shippingAddress",
  "billingAddress",
  "paymentInfo",
  "ipAddress",
  "userAgent",
  "items",
  "unknown",
] as const;
const optionalKeys = { requiredKeys: [] };
const address = fc.record(
  { street: anything, city: anything, state: anything, postalCode: anything, country: anything },
  optionalKeys,
);
const line = fc.record({ name: anything, quantity: anything, price: anything, sku: anything }, optionalKeys);
const card = fc.record(
  { brand: anything, lastFourDigits: anything, expiry: anything, holderName: anything },
  optionalKeys,
);
const field = fc.oneof(anything, address, card, fc.array(fc.oneof(line, anything), { maxLength: 3 }));
const details = fc.dictionary(fc.constantFrom(...FIELDS), field, { noNullPrototype: true });
const amount = fc.oneof(
  fc.double({ min: 0, minExcluded: true, noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(19.99, "19.99", 7n),
);
const currency = fc.constantFrom("USD", "eur", "JPY", "XYZ");

describe("readOrder, for any order with an amount and a currency", () => {
  it("refuses none, and sends only what a strict service takes", () => {
    const [base = {}] = fc.sample(documentedRequest, { numRuns: 1, seed: 7 });
    let sent = 0;
    fc.assert(
      fc.property(details, amount, currency, fc.boolean(), (odd, orderAmount, code, isWhole) => {
        const order = { ...(isWhole ? base : {}), ...odd, orderAmount, currency: code };
        const { request, unsent, warnings } = readOrder(order);
        // As it is sent.
        const body: unknown = JSON.parse(JSON.stringify(request));
        const email = { customerEmail: "jane@example.com" };
        const parsed = strictRequestSchema.safeParse(
          unsent === undefined ? body : { ...(body as object), ...email },
        );

        expect(parsed.error?.issues).toBeUndefined();
        expect([undefined, "NO_EMAIL"]).toContain(unsent);
        expect(warnings.length).toBeLessThan(100);
        sent += Number(unsent === undefined);
      }),
      { numRuns: 1_000 },
    );
    expect(sent).toBeGreaterThan(100);
  });

  it("reads its own result as it is, without a warning about a field", () => {
    fc.assert(
      fc.property(details, (odd) => {
        const { request } = readOrder({ ...odd, orderAmount: 20, currency: "EUR" });
        const again = readOrder(request);

        expect(again.request).toEqual(request);
        expect(again.warnings.filter(({ code }) => /FIELD|ID$/.test(code))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("readOrder, for anything", () => {
  it("names the amount or the currency if it refuses", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), details, fc.anything()), (given) => {
        try {
          readOrder(given);
        } catch (error) {
          if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
          for (const { path } of error.fields) expect(["", "orderAmount", "currency"]).toContain(path);
        }
      }),
      { numRuns: 500 },
    );
  });
});
