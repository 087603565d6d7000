import { compareRankings, type Comparison, type Ranked } from "../../src/engine/model/compare.ts";
import { combineSignals } from "../../src/engine/combine-signals.ts";
import { toJudged } from "../../src/engine/model/kept-signals.ts";
import { runAtOnce } from "../../src/engine/model/fit.ts";
import { toShift, type ShopModel } from "../../src/engine/model/shop-model.ts";
import { createTrainer, OUTCOMES_NEEDED, type Trained } from "../../src/engine/model/train.ts";
import { NOTHING_TO_LEARN, SIMULATED_SHOPS, simulateOrders, type SimulatedShop } from "./simulated-shops.ts";

/** What a shop's own model is worth. */
export interface ModelResult {
  readonly shop: string;
  /** Orders with a known outcome when the model was made. */
  readonly known: Trained["known"];
  /** What the shop saw on its own later orders. */
  readonly seen: Comparison | null;
  readonly isOffered: boolean;
  /** On many orders after that, which nothing was learned from. */
  readonly after: Comparison | null;
  readonly seconds: number;
  readonly model: ShopModel | null;
}

const ORDERS_AFTER = 10_000;

/** Simulate a shop until it knows of enough frauds, make its model, and measure that on the orders that follow. */
export function evaluateShop(
  shop: SimulatedShop,
  { seed, frauds = OUTCOMES_NEEDED.fraud, ordersAfter = ORDERS_AFTER }: EvaluateOptions,
): ModelResult {
  const orders = simulateOrders(shop, seed);
  const trainer = createTrainer();
  for (let known = 0; known < frauds;) {
    const { atMs, signals, isFraud } = orders.next().value as Simulated;
    trainer.add({ ...signals, atMs, isFraud, weight: 1 });
    if (isFraud) known += 1;
  }
  const startMs = performance.now();
  const { model, comparison, isOffered, known } = runAtOnce(trainer.train());
  const seconds = (performance.now() - startMs) / 1_000;
  const later: Ranked[] = [];
  for (let index = 0; index < ordersAfter; index += 1) {
    if (model === null) break;
    const { signals, isFraud, total } = orders.next().value as Simulated;
    later.push({
      isFraud,
      base: total,
      model: total + toShift(model, signals, toJudged(signals, combineSignals(signals.seen, signals.base))),
    });
  }
  const after = compareRankings(later);
  return { shop: shop.name, known, seen: comparison, isOffered, after, seconds, model };
}

interface EvaluateOptions {
  readonly seed: number;
  /** @default the fewest for a model */
  readonly frauds?: number;
  readonly ordersAfter?: number;
}

type Simulated = ReturnType<typeof simulateOrders> extends Generator<infer T> ? T : never;

const SEED = 20_261_130;

/** Every simulated shop, and one where there is nothing to learn. */
export function evaluateShops(): readonly ModelResult[] {
  return [...SIMULATED_SHOPS, NOTHING_TO_LEARN].map((shop) => evaluateShop(shop, { seed: SEED }));
}

/** Lines of a table. */
export function toModelCells({ shop, isOffered, after, seconds }: ModelResult): readonly string[] {
  const [base = "", model = "", low = "", high = ""] = [
    after?.base,
    after?.model,
    ...(after?.interval ?? []),
  ].map((one) => one?.toFixed(3));
  return [shop, base, model, `${low} to ${high}`, isOffered ? "yes" : "no", seconds.toFixed(1)];
}
