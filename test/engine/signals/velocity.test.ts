import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../../src/engine/engine.ts";
import { VELOCITY_SIGNALS } from "../../../src/engine/signals/velocity.ts";
import type { VelocityCounts } from "../../../src/engine/velocity/velocity-store.ts";
import { readFacts } from "../../../src/engine/facts/order-facts.ts";
import { toPlainOrder } from "../../../src/engine/facts/plain-order.ts";
import { PLAIN_ORDER } from "../sample-order.ts";

const UNKNOWN: VelocityCounts = {
  emailOrders1h: undefined,
  ipEmails24h: undefined,
  cardEmails7d: undefined,
  addressEmails7d: undefined,
  emailCards24h: undefined,
  emailBillingPostcodes7d: undefined,
  cardBillingPostcodes7d: undefined,
};

/** Code and points of the signals found. */
function observe(changes: Partial<VelocityCounts>): Readonly<Record<string, number>> {
  const facts = readFacts(toPlainOrder(PLAIN_ORDER), {
    sandbox: false,
    now: () => 0,
    velocity: { ...UNKNOWN, ...changes },
  });
  return Object.fromEntries(
    VELOCITY_SIGNALS.signals.flatMap((signal) => {
      const seen = signal.observe(facts);
      return seen === null ? [] : [[signal.code, seen.points]];
    }),
  );
}

const engine = createLocalEngine({ now: () => 0 });
const count = fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined });
const countsArbitrary: fc.Arbitrary<VelocityCounts> = fc.record({
  emailOrders1h: count,
  ipEmails24h: count,
  cardEmails7d: count,
  addressEmails7d: count,
  emailCards24h: count,
  emailBillingPostcodes7d: count,
  cardBillingPostcodes7d: count,
});

describe("VELOCITY_SIGNALS", () => {
  it.each<[Partial<VelocityCounts>, Readonly<Record<string, number>>]>([
    [{ emailOrders1h: 1 }, { VELOCITY_ALONE: -4 }],
    [{ emailOrders1h: 1, ipEmails24h: 1, cardEmails7d: 1, addressEmails7d: 1 }, { VELOCITY_ALONE: -4 }],
    [{ emailOrders1h: 1, addressEmails7d: 2 }, {}],
    [
      { ipEmails24h: 9, ipStrangers24h: 1, addressEmails7d: 9, addressStrangers7d: 1 },
      { VELOCITY_ALONE: -4 },
    ],
    [{ addressEmails7d: 9, addressStrangers7d: 2 }, {}],
    [{ emailOrders1h: 2 }, { EMAIL_BURST: 8 }],
    [{ emailOrders1h: 3 }, { EMAIL_BURST: 20 }],
    [{ emailOrders1h: 5 }, { EMAIL_BURST: 30 }],
    [{ emailOrders1h: 10 }, { EMAIL_BURST: 34 }],
    [{ ipEmails24h: 2 }, { IP_MULTI_EMAIL: 6 }],
    [{ ipEmails24h: 3 }, { IP_MULTI_EMAIL: 20 }],
    [{ ipEmails24h: 5 }, { IP_MULTI_EMAIL: 20 }],
    [{ ipEmails24h: 6 }, { IP_MULTI_EMAIL_6: 32 }],
    [{ cardEmails7d: 1 }, { VELOCITY_ALONE: -4 }],
    [{ cardEmails7d: 2 }, { CARD_MULTI_EMAIL: 10 }],
    [{ cardEmails7d: 3 }, { CARD_MULTI_EMAIL: 20 }],
    [{ cardEmails7d: 5 }, { CARD_MULTI_EMAIL: 28 }],
    [{ cardEmails7d: 10 }, { CARD_MULTI_EMAIL: 32 }],
    [{ addressEmails7d: 2 }, {}],
    [{ addressEmails7d: 3 }, { ADDR_MULTI_EMAIL: 12 }],
    [{ addressEmails7d: 5 }, { ADDR_MULTI_EMAIL: 15 }],
    [{ addressEmails7d: 10 }, { ADDR_MULTI_EMAIL: 20 }],
    [{ emailCards24h: 2 }, {}],
    [{ emailCards24h: 3 }, { EMAIL_MULTI_CARD: 22 }],
    [{ emailCards24h: 5 }, { EMAIL_MULTI_CARD: 30 }],
    [{ emailBillingPostcodes7d: 1, cardBillingPostcodes7d: 1 }, {}],
    [{ emailBillingPostcodes7d: 2 }, { MULTI_BILLING: 15 }],
    [{ cardBillingPostcodes7d: 2 }, { MULTI_BILLING: 15 }],
    [{ emailBillingPostcodes7d: 3 }, { MULTI_BILLING: 25 }],
    [{ emailAddresses7d: 2, cardAddresses7d: 2, emailNames7d: 2, addressCards7d: 2 }, {}],
    [{ emailAddresses7d: 3 }, { EMAIL_MULTI_ADDRESS: 8 }],
    [{ emailAddresses7d: 5 }, { EMAIL_MULTI_ADDRESS: 20 }],
    [{ emailAddresses7d: 10 }, { EMAIL_MULTI_ADDRESS: 28 }],
    [{ emailNames7d: 3 }, { EMAIL_MULTI_NAME: 18 }],
    [{ emailNames7d: 5 }, { EMAIL_MULTI_NAME: 26 }],
    [{ cardAddresses7d: 3 }, { CARD_MULTI_ADDRESS: 3 }],
    [{ cardAddresses7d: 5 }, { CARD_MULTI_ADDRESS: 7 }],
    [{ cardAddresses7d: 10 }, { CARD_MULTI_ADDRESS: 13 }],
    [{ addressCards7d: 3 }, { ADDR_MULTI_CARD: 14 }],
    [{ addressCards7d: 5 }, { ADDR_MULTI_CARD: 20 }],
    [{ addressCards7d: 8 }, { ADDR_MULTI_CARD: 26 }],
    // People that a shared place explains.
    [{ ipEmails24h: 40, ipStrangers24h: 1, addressEmails7d: 12, addressStrangers7d: 2 }, {}],
    // A dormitory has some people who look like strangers.
    [{ addressEmails7d: 24, addressStrangers7d: 3 }, {}],
    [{ addressEmails7d: 23, addressStrangers7d: 3 }, { ADDR_MULTI_EMAIL: 12 }],
    [{ cardEmails7d: 5, cardStrangers7d: 3 }, { CARD_MULTI_EMAIL: 20 }],
    // Home and work.
    [{ emailBillingPostcodes7d: 2, billingPlaces7d: 1 }, {}],
    [{ cardBillingPostcodes7d: 2, billingPlaces7d: 2 }, { MULTI_BILLING: 15 }],
    [{ emailBillingPostcodes7d: 3, billingPlaces7d: 3 }, { MULTI_BILLING: 25 }],
    [{ emailBillingPostcodes7d: 2, billingPlaces7d: 1, addressEmails7d: 2, addressCards7d: 1 }, {}],
    [{ emailBillingPostcodes7d: 2, billingPlaces7d: 1, addressCards7d: 2 }, { MULTI_BILLING: 15 }],
    [{}, {}],
  ])("sees in %o: %o", (counts, seen) => {
    expect(observe(counts)).toEqual(seen);
  });

  it.each([
    ["with somebody else's card", { paymentInfo: { holderName: "Peter Sellers" } }],
    ["for goods that go elsewhere", { shippingAddress: { ...PLAIN_ORDER.shippingAddress, state: "CA" } }],
  ])("doesn't accept two postcodes as home and work %s", (_what, changes) => {
    const counts = { ...UNKNOWN, emailBillingPostcodes7d: 2, billingPlaces7d: 1 };
    const listCodes = (order: object) =>
      engine.assess({ ...PLAIN_ORDER, ...order }, counts).signals.seen.map(({ code }) => code);

    expect(listCodes({})).not.toContain("MULTI_BILLING");
    expect(listCodes(changes)).toContain("MULTI_BILLING");
  });

  it("gives the count, and says that a hundred may be more", () => {
    const describeCard = (cardEmails7d: number) =>
      engine
        .assess(PLAIN_ORDER, { ...UNKNOWN, cardEmails7d })
        .riskFactors.find(({ description }) => description.includes("same card details"))?.description;

    expect(describeCard(4)).toMatch(/^4 email/);
    expect(describeCard(100)).toMatch(/^100 or more email/);
  });

  it("says that other orders weren't looked at when nobody counted, and not otherwise", () => {
    const { limitation } = VELOCITY_SIGNALS;
    expect(engine.assess(PLAIN_ORDER).limitations).toContain(limitation);
    expect(engine.assess(PLAIN_ORDER, UNKNOWN).limitations).not.toContain(limitation);
  });

  it("never score lower than for a lone order, nor lower as a count rises", () => {
    fc.assert(
      fc.property(countsArbitrary, countsArbitrary, (one, other) => {
        const higher = Object.fromEntries(
          Object.entries(one).map(([name, known]) => {
            const also = other[name as Exclude<keyof VelocityCounts, "shop">];
            return [name, known === undefined ? undefined : Math.max(known, also ?? 1)];
          }),
        ) as unknown as VelocityCounts;
        const scoreOf = (counts?: VelocityCounts) => engine.assess(PLAIN_ORDER, counts).riskScore;

        expect(scoreOf(one)).toBeGreaterThanOrEqual(scoreOf({ ...UNKNOWN, emailOrders1h: 1 }));
        expect(scoreOf(higher)).toBeGreaterThanOrEqual(scoreOf(one));
      }),
    );
  });
});
