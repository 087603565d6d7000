import { describe, expect, it } from "vitest";
import { evaluateShop } from "../../../eval/shops/shop-models.ts";
import { drawPurchase, SIMULATED_SHOPS, type SimulatedShop } from "../../../eval/shops/simulated-shops.ts";
import { createLocalEngine } from "../../../src/engine/engine.ts";
import type { ShopModel } from "../../../src/engine/model/shop-model.ts";
import { USD_PER_UNIT } from "../../../src/engine/tables/currencies.ts";
import { createRandom } from "../../support/random.ts";
import { DIMENSIONS, judgeAll, toGroups, type Judged } from "../groups.ts";

const SEED = 20_261_130;
const engine = createLocalEngine();

/** Honest people of the tests as customers of a shop: they spend what its customers spend. */
function judgeCustomers(shop: SimulatedShop, model: ShopModel | undefined): readonly Judged[] {
  const random = createRandom(SEED);
  let purchase = drawPurchase(shop, random);
  return judgeAll(
    (order) => {
      purchase = drawPurchase(shop, random);
      const orderAmount = purchase.usd / (USD_PER_UNIT[order.currency] ?? 1);
      const averageOrderValue = order.averageOrderValue === 0 ? 0 : orderAmount;
      return {
        ...order,
        orderAmount,
        averageOrderValue,
        items: [{ name: "Goods", quantity: 1, price: orderAmount }],
      };
    },
    (order) => engine.assess(order, purchase.velocity, [], undefined, model),
  );
}

/** Half of the interval of a difference between two shares, so wide that 95 of 100 families of groups lie within. */
function toHalf(one: number, other: number, { orders, groups }: { orders: number; groups: number }): number {
  // Bonferroni, with the tail of the normal distribution approximated.
  const z = Math.sqrt(2 * Math.log(groups / 0.05));
  const spread = (share: number): number => Math.max(share, 1 / orders) * (1 - share);
  return z * Math.sqrt((spread(one) + spread(other)) / orders);
}

describe("honest customers under a simulated shop's model", () => {
  it.each(SIMULATED_SHOPS.map((shop) => [shop.name, shop] as const))(
    "are treated no worse than by the standard points, in no group, by more than its interval: %s",
    (_name, shop) => {
      const { model } = evaluateShop(shop, { seed: SEED, ordersAfter: 10 });
      expect(model).not.toBeNull();
      const [base, own] = [judgeCustomers(shop, undefined), judgeCustomers(shop, model ?? undefined)];
      const all = Object.entries(DIMENSIONS).flatMap(([dimension, toKey]) => {
        const before = new Map(toGroups(base, toKey).map(({ name, share }) => [name, share]));
        return toGroups(own, toKey).map((group) => {
          return { dimension, ...group, former: before.get(group.name) ?? 0 };
        });
      });

      expect(all.length).toBeGreaterThan(80);
      const worse = all.filter(({ share, former, orders }) => {
        return share - former > toHalf(share, former, { orders, groups: all.length });
      });
      expect(worse).toEqual([]);
    },
  );
});
