import { describe, expect, it } from "vitest";
import { rank } from "../../eval/ranking.ts";
import { createRandom, pickLevel, toLevels } from "../../eval/synthetic/draw.ts";
import * as PUBLISHED from "../../eval/synthetic/published-lifts.ts";
import { generateOrders, type SyntheticOrder } from "../../eval/synthetic/synthetic-orders.ts";

const TRAITS = Object.entries(PUBLISHED).flatMap(([name, trait]) =>
  typeof trait === "object" && "levels" in trait ? [[name, trait as PUBLISHED.Trait<unknown>] as const] : [],
);
const ORDERS = 60_000;
const orders = [...generateOrders({ orders: ORDERS, seed: 7 })];
const fraudRate = orders.filter(({ fraud }) => fraud).length / ORDERS;

/** Share of the matching orders, and their fraud rate over that of all orders. */
function measure(matches: (order: SyntheticOrder) => boolean): {
  readonly share: number;
  readonly lift: number;
} {
  const matching = orders.filter(matches);
  const frauds = matching.filter(({ fraud }) => fraud).length;
  return { share: matching.length / ORDERS, lift: frauds / matching.length / fraudRate };
}

describe("toLevels", () => {
  it.each(TRAITS)("adds up to one for %s: all shares, all frauds, all legitimate orders", (_, trait) => {
    const levels = toLevels(trait, PUBLISHED.SAMPLE_FRAUD_RATE);
    const add = (key: "share" | "inFraud" | "inLegit"): number =>
      levels.reduce((sum, level) => sum + level[key], 0);

    expect(add("share")).toBeCloseTo(1, 10);
    expect(add("inFraud")).toBeCloseTo(1, 10);
    expect(add("inLegit")).toBeCloseTo(1, 10);
    for (const { inFraud, inLegit } of levels) {
      expect(inFraud).toBeGreaterThanOrEqual(0);
      expect(inLegit).toBeGreaterThan(0);
    }
  });

  it.each(TRAITS)("keeps the published lifts of %s", (_, trait) => {
    for (const [index, level] of toLevels(trait, PUBLISHED.SAMPLE_FRAUD_RATE).entries()) {
      const published = trait.levels[index]?.lift ?? level.lift;
      const rate = (0.035 * level.inFraud) / (0.035 * level.inFraud + 0.965 * level.inLegit);
      expect(rate / 0.035).toBeCloseTo(published, 8);
    }
  });
});

describe("pickLevel", () => {
  it("never picks a level for a fraud that frauds never show", () => {
    const levels = toLevels(
      {
        levels: [
          { value: "some", share: null, lift: null },
          { value: "no", share: 0.3, lift: 0 },
        ],
      },
      0.035,
    );

    expect(pickLevel(levels, true, 0.999_999_999_999).value).toBe("some");
    expect(pickLevel(levels, false, 0.999_999_999_999).value).toBe("no");
  });
});

describe("createRandom", () => {
  it("returns even numbers from 0 up to 1, the same for the same seed", () => {
    const random = createRandom(1);
    const numbers = Array.from({ length: 10_000 }, random);
    const again = createRandom(1);

    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
    expect(numbers.slice(0, 5)).toEqual(Array.from({ length: 5 }, again));
    for (let tenth = 0; tenth < 10; tenth += 1) {
      const count = numbers.filter((number) => Math.floor(10 * number) === tenth).length;
      expect(Math.abs(count - 1_000)).toBeLessThan(150);
    }
  });
});

describe("generateOrders", () => {
  it("returns the same orders for the same options", () => {
    const options = { orders: 50, seed: 3, linked: 0.5, detail: "coded" } as const;

    expect([...generateOrders(options)]).toEqual([...generateOrders(options)]);
    expect([...generateOrders({ ...options, seed: 4 })]).not.toEqual([...generateOrders(options)]);
  });

  it("fills coded orders like anonymous data, and draws them the same way", () => {
    const told = [...generateOrders({ orders: 500, seed: 7 })];
    const coded = [...generateOrders({ orders: 500, seed: 7, detail: "coded" })];

    expect(coded.map(({ fraud, velocity }) => [fraud, velocity])).toEqual(
      told.map(({ fraud, velocity }) => [fraud, velocity]),
    );
    for (const { order } of coded) {
      expect(order.paymentInfo?.brand).toBe("visa");
      for (const place of [order.billingAddress, order.shippingAddress])
        expect(Object.keys(place ?? { state: "", country: "" })).toEqual(["state", "country"]);
    }
    expect(new Set(coded.map(({ order }) => order.shippingAddress?.state))).toEqual(
      new Set(["325", "204", undefined]),
    );
  });

  it("has the published share of fraud", () => {
    expect(fraudRate).toBeGreaterThan(0.032);
    expect(fraudRate).toBeLessThan(0.038);
  });

  it.each<[string, number, number, (order: SyntheticOrder) => boolean]>([
    ["accounts of the day", 0.471, 1.14, ({ order }) => order.accountAgeInDays === 0],
    [
      "accounts of the week",
      0.047,
      3,
      ({ order }) => [1, 2, 3, 4, 5, 6].includes(order.accountAgeInDays ?? -1),
    ],
    ["accounts of a year and more", 0.082, 0.32, ({ order }) => (order.accountAgeInDays ?? 0) >= 365],
    ["gmail", 0.386, 1.16, ({ order }) => order.customerEmail?.endsWith("@gmail.com") === true],
    ["yahoo", 0.17, 0.66, ({ order }) => order.customerEmail?.endsWith("@yahoo.com") === true],
    ["credit cards", 0.25, 1.9, ({ order }) => order.paymentInfo?.brand === "visa credit"],
    ["small amounts", 0.055, 1.9, ({ order }) => (order.orderAmount ?? 0) < 25],
    ["another region", 0.03, 1.6, ({ order }) => order.shippingAddress?.state === "OH"],
    ["the same place", 0.29, 0.58, ({ order }) => order.shippingAddress?.city === "Phoenix"],
    [
      "the card of the customer",
      0.483,
      0.6,
      ({ order }) => order.paymentInfo?.holderName === order.customerName,
    ],
    ["several orders in the hour", 0.045, 5.86, ({ velocity }) => (velocity?.emailOrders1h ?? 0) >= 3],
    ["no other order in the hour", 0.76, 0.62, ({ velocity }) => velocity?.emailOrders1h === 1],
    ["no other address on the card", 0.72, 0.63, ({ velocity }) => velocity?.cardEmails7d === 1],
  ])("shows %s as often and as bad as published", (_, share, lift, matches) => {
    const measured = measure(matches);

    expect(Math.abs(measured.share - share)).toBeLessThan(0.01);
    // Four standard errors of the count of frauds among them.
    expect(Math.abs(measured.lift / lift - 1)).toBeLessThan(4 / Math.sqrt(share * ORDERS * 0.035 * lift));
  });

  it("has internet providers that no fraud ever uses", () => {
    const isLine = ({ order }: SyntheticOrder): boolean =>
      /@(?:att|verizon|sbcglobal|bellsouth)\.net$/.test(order.customerEmail ?? "");

    expect(measure(isLine).lift).toBe(0);
    expect(measure(isLine).share).toBeGreaterThan(0.01);
  });

  it("reports how well points that equal the lifts would do", () => {
    const toAuc = (some: readonly SyntheticOrder[], toScore: (order: SyntheticOrder) => number): number =>
      rank(some.map((order) => ({ score: toScore(order), fraud: order.fraud === true })))?.auc ?? 0;
    const coded = [...generateOrders({ orders: ORDERS, seed: 8, detail: "coded" })];
    const [plain, informed] = [
      toAuc(orders, ({ fairBits }) => fairBits),
      toAuc(orders, ({ fairBitsWithVelocity }) => fairBitsWithVelocity),
    ];

    expect(plain).toBeGreaterThan(0.75);
    expect(plain).toBeLessThan(0.79);
    expect(informed).toBeGreaterThan(0.85);
    expect(informed).toBeLessThan(0.89);
    // Without the card's type.
    expect(toAuc(coded, ({ fairBits }) => fairBits)).toBeLessThan(plain - 0.01);
  });

  it("lets counts rise together without changing how often each occurs", () => {
    const linked = [...generateOrders({ orders: ORDERS, seed: 7, linked: 1 })];
    const toShare = (some: readonly SyntheticOrder[], matches: (order: SyntheticOrder) => boolean): number =>
      some.filter(matches).length / some.length;
    const manyOrders = ({ velocity }: SyntheticOrder): boolean => (velocity?.emailOrders1h ?? 0) >= 3;
    const both = (order: SyntheticOrder): boolean =>
      manyOrders(order) && (order.velocity?.cardEmails7d ?? 0) >= 3;

    expect(Math.abs(toShare(linked, manyOrders) - toShare(orders, manyOrders))).toBeLessThan(0.005);
    expect(toShare(linked, both)).toBeGreaterThan(4 * toShare(orders, both));
  });
});
