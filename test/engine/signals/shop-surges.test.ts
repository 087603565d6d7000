import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../../src/engine/engine.ts";
import type { ShopCounts } from "../../../src/engine/facts/shop-counts.ts";
import { orderWith } from "../sample-order.ts";
import { first, goods, many, MINUTE_MS, stranger, type Told } from "../stories/story.ts";
import { tell } from "../stories/tell.ts";

const engine = createLocalEngine();
const SURGES = /^(?:SMALL|GOODS|BIN|NETWORK)_SURGE$/;
const COUNTS = {
  emailOrders1h: 1,
  ipEmails24h: 1,
  cardEmails7d: 1,
  addressEmails7d: 1,
  emailCards24h: 1,
  emailBillingPostcodes7d: 1,
  cardBillingPostcodes7d: 1,
};

/** The surges that an order of a newcomer is part of. */
function findSurges(shop: ShopCounts, order = first(goods("Socks", 1, 3, "USD", 0))): readonly string[] {
  const { signals } = engine.assess(order, { ...COUNTS, shop });
  return signals.seen.map(({ code }) => code).filter((code) => SURGES.test(code));
}

const shares = fc.record({
  newcomers: fc.integer({ min: 1, max: 400 }),
  known: fc.nat(400),
  usual: fc.nat(2_000),
});
const shops = fc
  .record({
    small: shares,
    goods: shares,
    bin: shares,
    network: shares,
    usualOrders: fc.integer({ min: 100, max: 5_000 }),
    percentile: fc.integer({ min: 0, max: 100 }),
  })
  .chain((shop) =>
    fc
      .record({
        usualKnown: fc.nat(shop.usualOrders),
        recentOrders: fc.integer({ min: 1, max: 2_000 }),
        top: fc.integer({ min: 1, max: 500 }),
      })
      .map((rest): ShopCounts => ({ ...shop, ...rest })),
  );

describe("the signals of a shop's surges", () => {
  const tried: ShopCounts = {
    usualOrders: 400,
    usualKnown: 160,
    recentOrders: 32,
    percentile: 1,
    top: 200,
    small: { newcomers: 30, known: 0, usual: 2 },
  };

  it("finds cards that are tried out with small amounts", () => {
    expect(findSurges(tried)).toEqual(["SMALL_SURGE"]);
  });

  it.each<[what: string, changes: Partial<ShopCounts>]>([
    [
      "the shop usually sells such things",
      { small: { newcomers: 30, known: 0, usual: 120 }, percentile: 15 },
    ],
    ["known customers take part", { small: { newcomers: 30, known: 9, usual: 2 } }],
    ["there are only a few", { small: { newcomers: 5, known: 0, usual: 2 } }],
    ["the amount isn't small for the shop", { percentile: 40 }],
  ])("finds no surge if %s", (_what, changes) => {
    expect(findSurges({ ...tried, ...changes })).toEqual([]);
  });

  it("finds no surge for a customer with a history", () => {
    expect(findSurges(tried, orderWith({ orderAmount: 3 }))).toEqual([]);
  });

  it("never makes an order high that isn't high without it, whatever the shop receives", () => {
    fc.assert(
      fc.property(shops, (shop) => {
        const order = first(goods("Gift card", 1, 20, "USD", 0));
        expect(engine.assess(order, { ...COUNTS, shop }).riskScore).toBeLessThanOrEqual(60);
      }),
    );
  });

  it("never finds a surge where known customers take part as usual", () => {
    fc.assert(
      fc.property(shops, (shop) => {
        fc.pre(shop.usualKnown > 0);
        const usual = shop.usualKnown / shop.usualOrders;
        const join = ({ newcomers, usual: before }: { newcomers: number; usual: number }) => ({
          newcomers,
          known: Math.ceil(newcomers * (usual / Math.max(0.01, 1 - usual))) + 1,
          usual: before,
        });
        const { small, goods: article, bin, network } = shop;
        const all = [small, article, bin, network].map((share) => share && join(share));
        expect(findSurges({ ...shop, small: all[0], goods: all[1], bin: all[2], network: all[3] })).toEqual(
          [],
        );
      }),
    );
  });

  it("never finds one in a busy hour whose orders are as usual", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (recentOrders, part) => {
          const newcomers = Math.max(1, Math.floor(recentOrders * part));
          const share = { newcomers, known: 0, usual: Math.ceil(1_000 * part) };
          const shop: ShopCounts = {
            usualOrders: 1_000,
            usualKnown: 0,
            recentOrders,
            percentile: 1,
            small: share,
            goods: share,
            bin: share,
            network: share,
          };
          expect(findSurges(shop)).toEqual([]);
        },
      ),
    );
  });

  it("ignores counts that can't be read", () => {
    const odd = { usualOrders: "many", small: null } as unknown as ShopCounts;
    expect(findSurges(odd)).toEqual([]);
    expect(findSurges({ ...tried, small: { newcomers: NaN, known: -1, usual: Infinity } })).toEqual([]);
  });
});

describe("a sale", () => {
  const mixed = (make: (index: number) => Told["order"], count: number) =>
    many(count, (index) =>
      index % 5 < 3
        ? make(index)
        : {
            ...make(index),
            isFirstTimeCustomer: false,
            accountAgeInDays: 300,
            totalOrders: 4,
            fulfilledOrders: 4,
            averageOrderValue: 40,
          },
    );

  it.each([
    ["a flash sale of one article", goods("Rain jacket", 1, 59)],
    ["a sale of the cheapest article", goods("Shoe laces", 1, 3.95, "USD", 0)],
    ["samples for a dollar", goods("Fabric sample", 1, 1, "USD", 0)],
    ["gift cards before Christmas", goods("Gift card", 1, 50, "USD", 0)],
  ])("stays low from its first order to its last: %s", async (what, change) => {
    const orders = mixed((index) => stranger(index, change), 60);
    const answers = await tell({ what, shop: "clothes", orders, apartMs: MINUTE_MS });

    expect(answers.filter(({ riskLevel }) => riskLevel !== "low")).toEqual([]);
  });

  it("stays low in a drop that hardly any known customer hears of", async () => {
    const orders = many(60, (index) => stranger(index, goods("Runner sneakers limited", 1, 180)));
    const answers = await tell({ what: "a drop", shop: "clothes", orders, apartMs: 20_000 });

    expect(answers.filter(({ riskLevel }) => riskLevel !== "low")).toEqual([]);
  });

  it("stays low in a new shop, whatever it sells", async () => {
    const orders = many(40, (index) => stranger(index, goods("Sticker", 1, 1, "USD", 0)));
    const answers = await tell({ what: "the first day", shop: "opening", orders, apartMs: MINUTE_MS });

    expect(answers.filter(({ riskLevel }) => riskLevel !== "low")).toEqual([]);
  });
});
