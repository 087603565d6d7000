import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../src/engine/engine.ts";
import { readFacts } from "../../src/engine/facts/order-facts.ts";
import { toPlainOrder } from "../../src/engine/facts/plain-order.ts";
import { ALL_GROUPS, observeSignals } from "../../src/engine/signals/all-signals.ts";
import { orderWith, PLAIN_ORDER } from "./sample-order.ts";
import { FIRES } from "./signal-examples.ts";
import { STAYS_SILENT } from "./signal-near-misses.ts";
import { HOME, email, type ToldOrder } from "./signal-orders.ts";

function observe(
  { context, velocity, ...order }: ToldOrder,
  sandbox = false,
): Readonly<Record<string, number>> {
  const seen = observeSignals(readFacts(toPlainOrder(order), { sandbox, context, velocity, now: () => 0 }));
  return Object.fromEntries(seen.map(({ code, points }) => [code, points]));
}

/** The credits of the plain order, and of every similar one. */
const FOR_PLAIN_ORDER = { SAME_PLACE: -6, ACCOUNT_ESTABLISHED: -5 };

describe("observeSignals", () => {
  it("finds nothing against a plain order", () => {
    expect(observe(PLAIN_ORDER)).toEqual(FOR_PLAIN_ORDER);
  });

  it.each(FIRES)("gives %s %d points for %s", (code, points, _what, order) => {
    expect(observe(order)[code]).toBe(points);
  });

  it.each(STAYS_SILENT)("doesn't give %s to %s", (code, _what, order) => {
    expect(observe(order)).not.toHaveProperty(code);
  });

  it("is proved above for every signal there is", () => {
    // The signals of velocity are proved in signals/velocity.test.ts: they need counts beside the order.
    const groups = ALL_GROUPS.filter(({ name }) => name !== "velocity");
    const codes = groups.flatMap((group) => group.signals.map(({ code }) => code));

    expect(new Set(codes).size).toBe(codes.length);
    expect([...new Set(STAYS_SILENT.map(([code]) => code))].filter((code) => !codes.includes(code))).toEqual(
      [],
    );
    expect([...new Set(FIRES.map(([code]) => code))].toSorted()).toEqual(codes.toSorted());
  });

  it.each(["US", "NG", "VN", "RU", "DE", "BR"])("gives no points for living in %s", (country) => {
    const home = { ...HOME, country, state: "Somewhere", postalCode: "N/A" };
    const { customerPhone: _phone, ipAddress: _ip, ...order } = PLAIN_ORDER;

    expect(observe({ ...order, billingAddress: home, shippingAddress: home })).toEqual(FOR_PLAIN_ORDER);
  });

  it("doesn't hold test data against an order in the sandbox", () => {
    const order = {
      ...email("jane.sample@example.com"),
      customerPhone: "+1 303 555 0142",
      paymentInfo: { brand: "visa", lastFourDigits: "4242" },
    };

    expect(observe(order)).toEqual({
      ...FOR_PLAIN_ORDER,
      EMAIL_RESERVED_DOMAIN: 14,
      PHONE_FICTIONAL: 14,
      PUBLIC_TEST_CARD: 8,
    });
    expect(observe(order, true)).toEqual(FOR_PLAIN_ORDER);
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
  ])("says that %s isn't a customer's address", (ipAddress, range) => {
    expect(limitationsFor(ipAddress)).toContain(`(${range})`);
  });

  it("says that text isn't an address", () => {
    expect(limitationsFor("10.0.0")).toContain("The IP address given is not one.");
  });

  it.each(["73.158.64.15", "2600:1700::1"])("says nothing about %s", (ipAddress) => {
    expect(limitationsFor(ipAddress)).not.toMatch(/no customer|not one/);
  });
});
