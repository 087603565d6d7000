import { describe, expect, it } from "vitest";
import { findEarlierOrders, toEarlierWindow } from "../../../../src/server/api/evidence/earlier-orders.ts";
import type { KeptContent, KeptOrder } from "../../../../src/store/outcomes/kept-orders.ts";

const DAY_MS = 86_400_000;
const T0 = Date.UTC(2026, 10, 20, 12);
const ORDER = {
  brand: "Visa",
  ip: "203.0.113.7",
  email: "jane@shop.example",
  address: "1 Example Street, 62701",
};
const DISPUTE = { networkCode: "10.4", isFraud: true, initiatedAtMs: T0 };

const kept = (
  orderId: string,
  days: number,
  changes: Partial<KeptContent> = {},
  isDisputed = false,
): KeptOrder => ({
  orderId,
  placedAtMs: T0 - days * DAY_MS,
  isDisputed,
  content: { name: `#${orderId}`, amount: 1, currency: "EUR", items: [], ...ORDER, ...changes },
});
const find = (orders: readonly KeptOrder[], dispute: object = {}, order: object = {}) =>
  findEarlierOrders({
    dispute: { ...DISPUTE, ...dispute },
    order: { ...ORDER, ...order },
    kept: orders,
    keeping: true,
  });
const ids = (found: ReturnType<typeof find>) => found.orders.map(({ orderId }) => orderId);

describe("findEarlierOrders", () => {
  it("finds the two newest orders that share the IP address and more", () => {
    const found = find([kept("1", 300), kept("2", 200), kept("3", 130)]);
    expect(found.applies).toBe("yes");
    expect(found.orders).toMatchObject([
      { orderId: "3", matches: ["ip", "address", "account"] },
      { orderId: "2", matches: ["ip", "address", "account"] },
    ]);
  });

  it("counts orders from 120 to 364 days before the dispute", () => {
    expect(ids(find([kept("1", 120), kept("2", 364)]))).toEqual(["1", "2"]);
    expect(ids(find([kept("1", 120 - 1 / DAY_MS), kept("2", 364)]))).toEqual([]);
    expect(ids(find([kept("1", 120), kept("2", 365)]))).toEqual([]);
    const { sinceMs, untilMs } = toEarlierWindow(T0);
    expect([T0 - sinceMs, T0 - untilMs].map((ms) => ms / DAY_MS)).toEqual([
      365 - 1 / DAY_MS,
      120 - 1 / DAY_MS,
    ]);
  });

  it.each<[string, readonly KeptOrder[]]>([
    ["one is too few", [kept("1", 200)]],
    ["a disputed one", [kept("1", 200), kept("2", 200, {}, true)]],
    ["another IP address", [kept("1", 200), kept("2", 200, { ip: "203.0.113.8" })]],
    ["no IP address", [kept("1", 200), kept("2", 200, { ip: undefined })]],
    [
      "only the IP address",
      [kept("1", 200), kept("2", 200, { address: "2 Other Street", email: "x@y.example" })],
    ],
    [
      "different elements in the two",
      [kept("1", 200, { address: "2 Other Street" }), kept("2", 200, { email: "x@y.example" })],
    ],
  ])("finds none: %s", (_why, orders) => {
    expect(find(orders).orders).toEqual([]);
  });

  it("compares addresses and email addresses in any spelling, and needs the same elements in both", () => {
    const found = find([
      kept("1", 200, { address: "1, EXAMPLE Street 62701", email: "x@y.example" }),
      kept("2", 210, { email: "JANE@shop.example" }),
    ]);
    expect(found.orders.map(({ matches }) => matches)).toEqual([
      ["ip", "address"],
      ["ip", "address"],
    ]);
  });

  it.each([
    ["another code", { networkCode: "13.1" }, {}, "no"],
    ["a dispute that isn't about fraud", { isFraud: false }, {}, "no"],
    ["another network", {}, { brand: "Mastercard" }, "no"],
    ["no code", { networkCode: undefined }, {}, "unknown"],
  ] as const)("says whether the rule is for it: %s", (_what, dispute, order, applies) => {
    const found = find([kept("1", 200), kept("2", 200)], dispute, order);
    expect(found.applies).toBe(applies);
    expect(found.orders).toHaveLength(applies === "no" ? 0 : 2);
  });
});
