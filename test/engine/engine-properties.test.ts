import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLocalEngine, type LocalAssessment } from "../../src/engine/engine.ts";
import type { PartialVerificationRequest, VerificationRequest } from "../../src/order/request.ts";
import { verificationResultSchema } from "../../src/order/result.ts";
import { isScoreInBand } from "../../src/order/risk-level.ts";
import { orderArbitrary, velocityArbitrary } from "./arbitrary-order.ts";
import { SAMPLE_TIME } from "./sample-order.ts";
import { anyText } from "../support/any-text.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The clock is at the time of the orders, so that leaving the time out changes nothing. */
const engine = createLocalEngine({ now: () => Date.parse(SAMPLE_TIME) });

function assess(order: unknown): LocalAssessment {
  return engine.assess(order as PartialVerificationRequest);
}

function mapDeep(value: Json, change: (text: string) => string, keys: (keys: string[]) => string[]): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((entry: Json) => mapDeep(entry, change, keys));
  if (typeof value !== "object" || value === null) return value;
  const entries = value as { readonly [key: string]: Json };
  return Object.fromEntries(
    keys(Object.keys(entries)).map((key) => [key, mapDeep(entries[key] ?? null, change, keys)]),
  );
}

const same = <T>(value: T): T => value;

/** An answer quotes the titles of goods as the shop wrote them. */
const withoutCase = (answer: LocalAssessment): unknown => JSON.parse(JSON.stringify(answer).toLowerCase());

/** Every field of an order, nested ones as `paymentInfo.expiry`. */
function listFields(order: VerificationRequest): readonly string[] {
  return Object.entries(order).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? [key, ...Object.keys(value).map((inner) => `${key}.${inner}`)]
      : [key],
  );
}

function without(order: VerificationRequest, field: string): unknown {
  const [outer = "", inner] = field.split(".");
  const copy = structuredClone(order) as unknown as Record<string, Record<string, unknown>>;
  if (inner === undefined) delete copy[outer];
  else delete copy[outer]?.[inner];
  return copy;
}

/** Risk before any credit for the customer, in hundredths of a point. */
function toRisk({ scorecard }: LocalAssessment): number {
  return scorecard.contributions.reduce((sum, part) => sum + Math.round(part.contribution * 100), 0);
}

/** The same orders in every run, so that a change is judged by its effect. PROPERTY_SEED selects others. */
const RUNS = { numRuns: 100, seed: Number(process.env["PROPERTY_SEED"] ?? 20_261_120) };

const ORDINARY_CARD = {
  customerName: "Jane Sample",
  customerEmail: "jane.sample@sample-family.net",
  isFirstTimeCustomer: true,
};

describe("LocalEngine.assess", () => {
  it("never finds more risk in an order that says less, nor more confidence", () => {
    // Two fields can only excuse: a name that explains odd letters, a company that explains the card's holder.
    const excuses = new Set(["customerName", "companyName"]);
    fc.assert(
      fc.property(orderArbitrary, (order) => {
        const whole = assess(order);
        for (const field of listFields(order)) {
          const less = assess(without(order, field));

          expect(less.confidence, field).toBeLessThanOrEqual(whole.confidence);
          if (excuses.has(field)) continue;
          expect(toRisk(less), field).toBeLessThanOrEqual(toRisk(whole));
          // The score may rise only by the trust that was removed with the field.
          if (less.scorecard.trust <= whole.scorecard.trust) {
            expect(less.riskScore, field).toBeLessThanOrEqual(whole.riskScore);
          }
        }
      }),
      RUNS,
    );
  });

  it("never finds less risk in an order because others were counted, nor more because they weren't", () => {
    fc.assert(
      fc.property(orderArbitrary, velocityArbitrary, (order, counts) => {
        const counted = engine.assess(order, counts);

        expect(toRisk(counted)).toBeGreaterThanOrEqual(toRisk(assess(order)));
        for (const name of Object.keys(counts)) {
          const fewer = engine.assess(order, { ...counts, [name]: undefined });
          expect(toRisk(fewer), name).toBeLessThanOrEqual(toRisk(counted));
          // The score may rise only by the trust that was removed with the count.
          if (fewer.scorecard.trust <= counted.scorecard.trust) {
            expect(fewer.riskScore, name).toBeLessThanOrEqual(counted.riskScore);
          }
        }
      }),
      RUNS,
    );
  });

  it.each<[string, (order: Json) => Json]>([
    ["upper case", (order) => mapDeep(order, (text) => text.toUpperCase(), same)],
    ["lower case", (order) => mapDeep(order, (text) => text.toLowerCase(), same)],
    ["white space around", (order) => mapDeep(order, (text) => `\n ${text}\t `, same)],
    ["wider white space", (order) => mapDeep(order, (text) => text.replaceAll(" ", " \u00a0 "), same)],
    ["the order of keys", (order) => mapDeep(order, same, (keys) => keys.toReversed())],
  ])("doesn't depend on %s", (_what, change) => {
    fc.assert(
      fc.property(orderArbitrary, (order) => {
        expect(withoutCase(assess(change(order as unknown as Json)))).toEqual(withoutCase(assess(order)));
      }),
      RUNS,
    );
  });

  it.each<[string, (order: VerificationRequest) => VerificationRequest]>([
    [
      "EMAIL_DISPOSABLE",
      (order) => ({ ...order, customerEmail: `${order.customerEmail.split("@")[0]}@yopmail.com` }),
    ],
    ["PHONE_REPEATED_DIGIT", (order) => ({ ...order, customerPhone: "5555555555" })],
    ["UA_BOT", (order) => ({ ...order, userAgent: "curl/8.9.1" })],
    ["IP_TOR", (order) => ({ ...order, ipAddress: "185.220.101.1" })],
    ["NAME_NONSENSE", (order) => ({ ...order, customerName: "asdf" })],
    ["CARD_EXPIRED", (order) => ({ ...order, paymentInfo: { ...order.paymentInfo, expiry: "01/20" } })],
    [
      "HOLDER_NONSENSE",
      (order) => ({ ...order, paymentInfo: { ...order.paymentInfo, holderName: "asdf 12" } }),
    ],
    [
      "GIFT_CARDS",
      (order) => ({
        ...order,
        items: [...(order.items ?? []), { name: "Gift card", quantity: 1, price: 9 }],
      }),
    ],
    ["ACCOUNT_NEW", (order) => ({ ...order, accountAgeInDays: 3 })],
    ["FIRST_ORDER", (order) => ({ ...order, isFirstTimeCustomer: true })],
    ["HISTORY_CANCELLED", (order) => ({ ...order, totalOrders: 20, cancelledOrders: 9, returnedOrders: 0 })],
    ["HISTORY_BAD_ENDS", (order) => ({ ...order, totalOrders: 20, cancelledOrders: 20 })],
  ])("never scores lower once %s is seen", (code, add) => {
    fc.assert(
      fc.property(orderArbitrary, (plain) => {
        // The replaced part must not be a bigger risk itself; without it the change only adds.
        const order = {
          ...plain,
          customerPhone: "+15038234018",
          userAgent: "Mozilla/5.0 (X11) Firefox/160.0",
          ipAddress: "10.0.0.1",
          customerName: code === "NAME_NONSENSE" ? "-" : plain.customerName,
        };
        fc.pre(plain.customerEmail.includes("@") && !plain.customerEmail.endsWith("appleid.com"));
        fc.pre(
          code !== "ACCOUNT_NEW" ||
            !assess(order).scorecard.contributions.some((c) => c.code === "ACCOUNT_TAKEOVER"),
        );
        fc.pre(!code.startsWith("HISTORY_") || plain.totalOrders === 20);
        const before = assess(order);
        fc.pre(
          before.scorecard.contributions.every((part) => part.code !== code && part.group !== "combination"),
        );
        const after = assess(add(order));

        expect(after.scorecard.contributions.map((part) => part.code)).toContain(code);
        expect(after.riskScore).toBeGreaterThanOrEqual(before.riskScore);
      }),
      RUNS,
    );
  });

  it("gives no credit for the company's name on the card if the customer's own name is nonsense", () => {
    const order = {
      ...ORDINARY_CARD,
      customerName: "asdf",
      companyName: "Sample Trading Ltd",
      paymentInfo: { holderName: "Jane Sample" },
    };

    expect(assess(order).scorecard.trust).toBe(assess({ ...order, paymentInfo: {} }).scorecard.trust);
  });

  it("adds up: base, contributions and trust make the score", () => {
    fc.assert(
      fc.property(orderArbitrary, (order) => {
        const { riskScore, scorecard } = assess(order);
        const sum =
          Math.round(scorecard.base * 100) + Math.round(scorecard.trust * 100) + toRisk(assess(order));
        const score = Math.min(100, Math.max(0, Math.round(sum / 100)));

        expect(riskScore).toBe(scorecard.capped ? 85 : score);
      }),
      RUNS,
    );
  });

  it("returns the same answer twice and doesn't change the order", () => {
    fc.assert(
      fc.property(orderArbitrary, (order) => {
        const copy = structuredClone(order);
        const first = JSON.stringify(assess(order));

        expect(JSON.stringify(assess(order))).toBe(first);
        expect(order).toEqual(copy);
      }),
      RUNS,
    );
  });

  it("answers any value at all", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSparseArray: true,
      withTypedArray: true,
      withUnicodeString: true,
    });
    const names = `orderAmount currency orderTimestamp items customerName customerEmail customerPhone
      isFirstTimeCustomer accountAgeInDays totalOrders cancelledOrders returnedOrders fulfilledOrders
      averageOrderValue companyName ipAddress userAgent`.split(/\s+/);
    const fields = Object.fromEntries(names.map((name) => [name, anything]));
    const address = fc.record({
      street: anything,
      city: anything,
      state: anything,
      postalCode: anything,
      country: anything,
    });
    const payment = fc.record({
      brand: anything,
      lastFourDigits: anything,
      expiry: anything,
      holderName: anything,
    });
    const order = fc.record(
      { ...fields, shippingAddress: address, billingAddress: address, paymentInfo: payment },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(anything, order), (value) => {
        const assessment = assess(value);

        expect(verificationResultSchema.safeParse(assessment).success).toBe(true);
        expect(isScoreInBand(assessment)).toBe(true);
        expect(assessment.confidence).toBeGreaterThanOrEqual(0);
        expect(assessment.confidence).toBeLessThanOrEqual(1);
        expect(Number.isInteger(assessment.riskScore)).toBe(true);
      }),
      { ...RUNS, numRuns: 300 },
    );
  });

  it("answers any text in every field", () => {
    const texts = anyText({ maxLength: 300 });
    fc.assert(
      fc.property(texts, orderArbitrary, (text, order) => {
        const assessment = assess(mapDeep(order, () => text, same));

        expect(verificationResultSchema.safeParse(assessment).success).toBe(true);
      }),
      RUNS,
    );
  });
});
