import { describe, expect, it } from "vitest";
import { createWorthSum } from "../../src/policy/worth.ts";
import { createReplayTally, type ReplayedOrder } from "../../src/policy/replay-tally.ts";

const order = (changes: Partial<ReplayedOrder> = {}): ReplayedOrder => ({
  orderId: "1",
  name: "#1",
  amount: 10,
  currency: "USD",
  riskLevel: "high",
  from: "hold",
  to: "hold",
  rule: null,
  ...changes,
});

describe("createWorthSum", () => {
  it("adds up to the cent, however many values and in whatever order", () => {
    const sum = createWorthSum();
    for (let index = 0; index < 100_000; index += 1) sum.add(index % 2 === 0 ? 0.1 : 0.2, "USD");
    expect(sum.total()).toEqual({ orders: 100_000, amount: { USD: 15_000 } });
  });

  it("keeps the thousandths of a dinar, and no fraction of a yen", () => {
    const sum = createWorthSum();
    for (let index = 0; index < 3; index += 1) {
      sum.add(1.234, "KWD");
      sum.add(1_200, "JPY");
    }
    expect(sum.total().amount).toEqual({ JPY: 3_600, KWD: 3.702 });
  });

  it("never mixes currencies, and counts orders of unknown value only as orders", () => {
    const sum = createWorthSum();
    for (const [amount, currency] of [
      [19.99, "USD"],
      [0.005, "usd"],
      [1_200, "JPY"],
      [null, "USD"],
      [5, null],
      [Number.NaN, "USD"],
      [3, "__proto__"],
    ] as const) {
      sum.add(amount, currency);
    }
    const { orders, amount } = sum.total();
    expect(orders).toBe(7);
    expect(Object.entries(amount)).toEqual([
      ["JPY", 1_200],
      ["USD", 20],
      ["__PROTO__", 3],
    ]);
  });
});

describe("createReplayTally", () => {
  it("counts what was and what would be, changes, and outcomes of changed decisions", () => {
    const tally = createReplayTally(["big", "idle"]);
    tally.add(order(), "unknown");
    tally.add(order({ orderId: "2", to: "cancel", amount: 30, rule: "big" }), "cancelled");
    tally.add(order({ orderId: "3", to: "cancel", amount: 20, currency: "EUR" }), "shipped");
    tally.add(order({ orderId: "4", from: "tag", to: "allow", amount: null }), "shipped");
    tally.addUnknown("not-judged");
    tally.addUnknown("content-erased");
    tally.addUnknown("content-erased");

    const { unknownReason, before, after, ...rest } = tally.total();

    expect(rest).toEqual({
      orders: 7,
      replayed: 4,
      unknown: 3,
      changes: [
        { from: "hold", to: "cancel", orders: 2, amount: { EUR: 20, USD: 30 } },
        { from: "tag", to: "allow", orders: 1, amount: {} },
      ],
      examples: [
        expect.objectContaining({ orderId: "2", rule: "big", outcome: "cancelled" }),
        expect.objectContaining({ orderId: "3", outcome: "shipped" }),
        expect.objectContaining({ orderId: "4" }),
      ],
      outcomes: { cancelled: 1, shipped: 2 },
      idleRules: ["idle"],
    });
    expect(unknownReason).toMatch(/^2 orders: the policy asks for .*; 1 order: never judged/);
    expect(before.hold).toEqual({ orders: 3, amount: { EUR: 20, USD: 40 } });
    expect(after.cancel).toEqual({ orders: 2, amount: { EUR: 20, USD: 30 } });
    expect(after.allow).toEqual({ orders: 1, amount: {} });
  });

  it("keeps the fifty highest values as examples", () => {
    const tally = createReplayTally([]);
    for (let index = 0; index < 200; index += 1) {
      tally.add(order({ orderId: String(index), to: "tag", amount: (index * 37) % 200 }), "open");
    }
    const amounts = tally.total().examples.map(({ amount }) => amount);
    expect(amounts).toEqual(Array.from({ length: 50 }, (_, rank) => 199 - rank));
  });
});
