import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../src/engine/engine.ts";
import type { PartialVerificationRequest } from "../../src/order/request.ts";
import { verificationResultSchema } from "../../src/order/result.ts";
import { PLAIN_ORDER } from "./sample-order.ts";

const engine = createLocalEngine({ now: () => 0 });

function assess(order: unknown, velocity?: unknown) {
  return engine.assess(order as PartialVerificationRequest, velocity as undefined);
}

function fail(): never {
  throw new Error("somebody's code was run");
}

/** An object all of whose properties throw when they are read. */
function toTrap(fields: readonly string[]): object {
  return Object.defineProperties(
    {},
    Object.fromEntries(fields.map((field) => [field, { enumerable: true, get: fail }])),
  );
}

describe("LocalEngine.assess", () => {
  const empty = assess({});

  it("treats getters that throw as missing fields", () => {
    const trap = toTrap([...Object.keys(PLAIN_ORDER), "paymentInfo"]);

    expect(assess(trap)).toEqual(empty);
  });

  it("treats proxies that throw, and revoked ones, as nothing", () => {
    const throwing = new Proxy({}, { get: fail, has: fail, getOwnPropertyDescriptor: fail, ownKeys: fail });
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();

    for (const value of [throwing, revoked.proxy]) {
      expect(assess(value)).toEqual(empty);
      expect(assess({ items: value, shippingAddress: value, paymentInfo: value })).toEqual(empty);
      expect(assess({}, value)).toMatchObject({ riskScore: empty.riskScore });
    }
  });

  it.each([[null], [1], [true], [{}], [new Proxy([], { get: fail, getOwnPropertyDescriptor: fail })]])(
    "ignores stand-ins that aren't a list: %#",
    (standIns) => {
      expect(engine.assess(PLAIN_ORDER, undefined, standIns as never)).toEqual(engine.assess(PLAIN_ORDER));
    },
  );

  it.each([[null], [{}], [Number.NaN], [Infinity], ["2"]])(
    "ignores points of a model that aren't a valid number: %#",
    (points) => {
      const order = { ...PLAIN_ORDER, isFirstTimeCustomer: true };
      const model = { center: 0, points: { "FIRST_ORDER:3": points } } as never;
      const { riskScore } = engine.assess(order, undefined, undefined, undefined, model);
      expect(riskScore).toBe(engine.assess(order).riskScore);
    },
  );

  it("treats an array that throws at an entry as one without that entry", () => {
    const items: unknown[] = [{ name: "Gift card", quantity: 1, price: 20 }];
    Object.defineProperty(items, 1, { get: fail, enumerable: true });

    expect(assess({ items }).scorecard.contributions.map(({ code }) => code)).toEqual(["GIFT_CARDS"]);
  });

  it("reads nothing that is inherited", () => {
    const order = Object.create({ ...PLAIN_ORDER, customerEmail: "test@yopmail.com" }) as object;

    expect(assess(order)).toEqual(empty);
  });

  it("reads every field once", () => {
    let reads = 0;
    const order = {
      get customerEmail() {
        reads += 1;
        return "jane.sample@gmail.com";
      },
    };
    assess(order);

    expect(reads).toBe(1);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, 1e308, 5e-324, 2 ** 60])(
    "answers numbers such as %d",
    (number) => {
      const order = {
        ...PLAIN_ORDER,
        orderAmount: number,
        accountAgeInDays: number,
        totalOrders: number,
        cancelledOrders: number,
        returnedOrders: number,
        fulfilledOrders: number,
        averageOrderValue: number,
        items: [{ name: "iPhone", quantity: number, price: number }],
      };
      const counts = Object.fromEntries(
        ["emailOrders1h", "ipEmails24h", "cardEmails7d", "addressEmails7d", "emailCards24h"].map((name) => [
          name,
          number,
        ]),
      );
      const answer = assess(order, counts);

      expect(verificationResultSchema.safeParse(answer).success).toBe(true);
      expect(JSON.stringify(answer)).not.toMatch(/NaN|Infinity/);
    },
  );

  it.each([
    ["invalid dates", { orderTimestamp: "2026-13-45T99:99:99Z" }],
    ["the end of time", { orderTimestamp: "9999-12-31T23:59:59Z" }],
    ["a year before zero", { orderTimestamp: "0000-01-01T00:00:00Z", paymentInfo: { expiry: "00/0000" } }],
    ["an address of dots", { customerEmail: `${".".repeat(300)}@${".".repeat(300)}` }],
    ["a domain of one label", { customerEmail: "jane@localhost" }],
    ["a domain of digits", { customerEmail: "jane@1.2.3.4" }],
    ["an IPv6 zone", { ipAddress: "fe80::1%eth0" }],
    ["half an IPv6 address", { ipAddress: "2001:db8::" }],
    ["a phone number full of symbols", { customerPhone: "+++((()))---###" }],
    ["an emoji everywhere", { customerName: "👩‍👩‍👧‍👦", customerPhone: "☎️", userAgent: "🦊", ipAddress: "🌍" }],
  ])("answers %s", (_what, order) => {
    expect(verificationResultSchema.safeParse(assess(order)).success).toBe(true);
  });

  it("finishes megabytes of any awkward text quickly", () => {
    const size = 4 * 1024 * 1024;
    const startedAt = performance.now();
    for (const unit of ["a", "1", " ", "a.", "+", "a1", "@", "\u0301", "a/1 ", "::", "0", "windows nt "]) {
      const text = unit.repeat(size / unit.length);
      const place = { street: text, city: text, state: text, postalCode: text, country: text };
      assess({
        ...PLAIN_ORDER,
        customerEmail: `${text}@${text}`,
        customerPhone: text,
        ipAddress: text,
        userAgent: text,
        currency: text,
        orderTimestamp: text,
        shippingAddress: place,
        billingAddress: { ...place, country: "US" },
        paymentInfo: { lastFourDigits: text, expiry: text, holderName: text },
      });
    }

    // Twelve orders. An expression that backtracks over megabytes would take minutes.
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });
});
