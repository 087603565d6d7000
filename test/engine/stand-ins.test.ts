import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../src/engine/engine.ts";
import type { StandIn } from "../../src/order/request.ts";
import { STAND_INS } from "../support/stand-ins.ts";
import { orderWith, PLAIN_ORDER } from "./sample-order.ts";

const engine = createLocalEngine({ now: () => 0 });
const HOME = PLAIN_ORDER.billingAddress;
const BLANK = { street: "N/A", city: "N/A", state: "N/A", postalCode: "N/A" };

/** The reasoning says what speaks for the customer. */
function praiseOf(order: object, standIns: readonly StandIn[] = []): string {
  return engine.assess(order, undefined, standIns).reasoning;
}

const SAME_PLACE = "the shipping and billing addresses are the same";
const HOLDER_MATCH = "the name on the card fits the customer's";

describe("stand-ins", () => {
  it("earn no trust: a copied address doesn't show that an order goes where it is billed", () => {
    expect(praiseOf(PLAIN_ORDER)).toContain(SAME_PLACE);
    expect(praiseOf(PLAIN_ORDER, ["billingAddress"])).not.toContain(SAME_PLACE);
    expect(praiseOf(PLAIN_ORDER, ["shippingAddress"])).not.toContain(SAME_PLACE);
  });

  it.each(["shippingAddress.street", "billingAddress.street"] as const)(
    "earn no trust either: %s",
    (field) => {
      expect(praiseOf(PLAIN_ORDER, [field])).not.toContain(SAME_PLACE);
    },
  );

  it("count against an order as before: an expensive order over Tor scores no less for its copied address", () => {
    const order = orderWith({
      orderAmount: 4_999,
      items: [{ name: "Graphics card", quantity: 1, price: 4_999 }],
      isFirstTimeCustomer: true,
      accountAgeInDays: 0,
      ipAddress: "185.220.101.1",
    });
    const { averageOrderValue: _a, totalOrders: _b, fulfilledOrders: _c, ...first } = order;
    const { shippingAddress: _d, billingAddress: _e, ...nowhere } = first;

    const copied = engine.assess(first, undefined, ["billingAddress"]);

    expect(copied.riskScore).toBeGreaterThanOrEqual(engine.assess(nowhere).riskScore);
    expect(copied.riskScore).toBeGreaterThanOrEqual(engine.assess(first).riskScore);
    // Through Tor nothing earns trust; elsewhere a copy still doesn't.
    const { ipAddress: _f, ...elsewhere } = first;
    expect(engine.assess(elsewhere, undefined, ["billingAddress"]).riskScore).toBeGreaterThan(
      engine.assess(elsewhere).riskScore,
    );
  });

  it("don't match the card from which the name was read", () => {
    const order = orderWith({ paymentInfo: { holderName: PLAIN_ORDER.customerName } });

    expect(praiseOf(order)).toContain(HOLDER_MATCH);
    expect(praiseOf(order, ["customerName"])).not.toContain(HOLDER_MATCH);
  });

  it("never make an order look better", () => {
    const order = orderWith({ paymentInfo: { holderName: PLAIN_ORDER.customerName } });

    for (const standIn of STAND_INS) {
      const { trust } = engine.assess(order, undefined, [standIn]).scorecard;
      expect(trust, standIn).toBeGreaterThanOrEqual(engine.assess(order).scorecard.trust);
    }
  });

  it("aren't reported as facts: nobody knows that it is a first order", () => {
    const order = orderWith({ isFirstTimeCustomer: true, orderAmount: 3_000 });
    const { totalOrders: _total, averageOrderValue: _average, fulfilledOrders: _done, ...first } = order;
    const textOf = (standIns: readonly StandIn[]) =>
      JSON.stringify(engine.assess(first, undefined, standIns).riskFactors);

    expect(textOf([])).toContain("has not ordered here before");
    expect(textOf([])).toContain("Expensive first order");
    expect(textOf(["isFirstTimeCustomer"])).not.toMatch(/not ordered here before|first order/i);
    // It counts the same: trust has to be shown.
    expect(engine.assess(first, undefined, ["isFirstTimeCustomer"]).riskScore).toBe(
      engine.assess(first).riskScore,
    );
  });
});

describe("what a low risk takes", () => {
  it.each<[string, object, readonly string[]]>([
    ["nothing", {}, ["email", "name", "address", "detail"]],
    ["everything", PLAIN_ORDER, []],
    ["no email address", { ...PLAIN_ORDER, customerEmail: "none" }, ["email"]],
    ["a placeholder for a name", { ...PLAIN_ORDER, customerName: "N/A" }, ["name"]],
    ["one whole address", { ...PLAIN_ORDER, billingAddress: undefined }, []],
    [
      "placeholders for a street",
      { ...PLAIN_ORDER, shippingAddress: { ...HOME, ...BLANK }, billingAddress: { ...HOME, street: "-" } },
      ["address"],
    ],
    [
      "no postal code where there are some",
      { ...PLAIN_ORDER, shippingAddress: { ...HOME, postalCode: "N/A" }, billingAddress: undefined },
      ["address"],
    ],
    [
      "no postal code where there are none",
      {
        ...PLAIN_ORDER,
        shippingAddress: { ...HOME, city: "Kowloon", postalCode: "N/A", country: "HK" },
        billingAddress: undefined,
      },
      [],
    ],
  ])("%s", (_case, order, missing) => {
    expect(engine.assess(order).missing).toEqual(missing);
  });
});
