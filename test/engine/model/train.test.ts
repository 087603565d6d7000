import { describe, expect, it } from "vitest";
import { evaluateShop } from "../../../eval/shops/shop-models.ts";
import { NOTHING_TO_LEARN, SIMULATED_SHOPS, simulateOrders } from "../../../eval/shops/simulated-shops.ts";
import { toPointsOf } from "../../../src/engine/model/features.ts";
import { runAtOnce } from "../../../src/engine/model/fit.ts";
import { MODEL_LIMITS } from "../../../src/engine/model/shop-model.ts";
import {
  createTrainer,
  MOST_ORDERS,
  OUTCOMES_NEEDED,
  type KnownOrder,
} from "../../../src/engine/model/train.ts";

const SEED = 20_261_130;
const DAY_MS = 86_400_000;

function toOrder(index: number, isFraud: boolean, seen: KnownOrder["seen"]): KnownOrder {
  return { atMs: index * DAY_MS, base: 10, isFraud, weight: 1, seen, measures: {} };
}

function trainOn(orders: readonly KnownOrder[]) {
  const trainer = createTrainer();
  for (const order of orders) trainer.add(order);
  return runAtOnce(trainer.train());
}

/** Every twelfth order is fraud. The signal is on those that `shows` says. */
function trainWith(points: number, shows: (isFraud: boolean, index: number) => boolean) {
  return trainOn(
    Array.from({ length: 1_200 }, (_, index) => {
      const isFraud = index % 12 === 0;
      const seen = shows(isFraud, index) ? [{ code: "NIGHT", group: "time", points } as const] : [];
      return toOrder(index, isFraud, seen);
    }),
  );
}

describe("a simulated shop's model with 25 frauds", () => {
  it.each(SIMULATED_SHOPS.map((shop) => [shop.name, shop] as const))(
    "ranks later orders better than the base where frauds differ from what the base expects: %s",
    (_name, shop) => {
      const { after, known } = evaluateShop(shop, { seed: SEED, ordersAfter: 4_000 });
      expect(known.fraud).toBe(25);
      expect(after?.interval[0]).toBeGreaterThan(0);
    },
  );

  it("isn't offered where there is nothing to learn", () => {
    const offers = [1, 2, 3, 4, 5].filter(
      (seed) => evaluateShop(NOTHING_TO_LEARN, { seed, ordersAfter: 10 }).isOffered,
    );
    expect(offers).toEqual([]);
  });

  it("is the same for the same orders, in any order of adding them", () => {
    const shop = SIMULATED_SHOPS[0] ?? NOTHING_TO_LEARN;
    const orders: KnownOrder[] = [];
    for (const { signals, atMs, isFraud } of simulateOrders(shop, SEED)) {
      orders.push({ ...signals, atMs: atMs + orders.length, isFraud, weight: 1 });
      if (orders.length === 5_000) break;
    }
    const [one, other] = [trainOn(orders), trainOn(orders)];
    expect(one).toEqual(other);
    const shuffled = trainOn(orders.toReversed());
    expect(shuffled.model?.points).toEqual(one.model?.points);
    expect(shuffled.comparison?.gain).toBeCloseTo(one.comparison?.gain ?? 9, 9);
  });
});

describe("createTrainer", () => {
  it("makes no model below the outcomes that it needs", () => {
    const { fraud, good } = OUTCOMES_NEEDED;
    const toOrders = (frauds: number, goods: number) =>
      Array.from({ length: frauds + goods }, (_, index) => toOrder(index, index < frauds, []));
    expect(trainOn(toOrders(fraud - 1, good))).toMatchObject({ model: null, isOffered: false });
    expect(trainOn(toOrders(fraud, good - 1))).toMatchObject({ model: null, isOffered: false });
    expect(trainOn(toOrders(fraud, good)).model).toEqual({ center: 0, points: {} });
  });

  it("changes nothing where outcomes are what the points say", () => {
    // Six points are odds of 1.5 times: 30 of 100 frauds and 22 of 100 good orders.
    const { model, isOffered } = trainWith(6, (isFraud, index) => index % 100 < (isFraud ? 30 : 22));
    expect(Math.abs(model?.points["NIGHT:6"] ?? 0)).toBeLessThan(3);
    expect(isOffered).toBe(false);
  });

  it("gives a signal more points if frauds show it more often, and less if they don't", () => {
    expect(trainWith(6, (isFraud) => isFraud).model?.points["NIGHT:6"]).toBeGreaterThan(5);
    expect(trainWith(6, (isFraud) => !isFraud).model?.points["NIGHT:6"]).toBeLessThan(-3);
  });

  it("keeps a sign of fraud a sign, makes no credit smaller, and keeps every point within the limit", () => {
    for (const points of [6, -6, 40]) {
      for (const isShown of [true, false]) {
        const own = Object.entries(trainWith(points, (isFraud) => isFraud === isShown).model?.points ?? {});
        // A credit that frauds have too stays as it is.
        expect(own.length).toBe(points < 0 && isShown ? 0 : 1);
        for (const [name, change] of own) {
          expect(Math.abs(change)).toBeLessThanOrEqual(MODEL_LIMITS.points);
          expect(Math.sign((toPointsOf(name) ?? 0) + change)).not.toBe(-Math.sign(points));
        }
      }
    }
  });

  it("isn't turned by a reviewer who calls honest night orders fraud by more than its limits", () => {
    const { model } = trainWith(6, (isFraud, index) => isFraud || index % 3 === 0);
    expect(model?.points["NIGHT:6"]).toBeLessThanOrEqual(MODEL_LIMITS.points);
    expect(Object.keys(model?.points ?? {})).toEqual(["NIGHT:6"]);
  });

  it("ignores a feature on fewer than ten orders", () => {
    const { model } = trainWith(35, (isFraud, index) => isFraud && index < 100);
    expect(model?.points).toEqual({});
  });

  it("says how many frauds it expected among later orders, and how many came", () => {
    const { calibration } = trainWith(6, (isFraud) => isFraud);
    const [expected, came] = [
      calibration.reduce((sum, step) => sum + step.expected, 0),
      calibration.reduce((sum, step) => sum + step.fraud, 0),
    ];
    expect(came).toBe(60);
    expect(Math.abs(expected - came)).toBeLessThan(15);
  });

  it("takes no more orders than its limit, and says so", () => {
    const trainer = createTrainer();
    const order = toOrder(1, false, []);
    for (let index = 1; index < MOST_ORDERS; index += 1) trainer.add(order);
    expect(trainer.add(order)).toBe(false);
    expect(trainer.add(order)).toBe(false);
    expect(runAtOnce(trainer.train()).known.good).toBe(MOST_ORDERS);
  });
});
