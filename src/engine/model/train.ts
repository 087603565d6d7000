import { RISK_BANDS } from "../../order/risk-level.ts";
import { combineSignals } from "../combine-signals.ts";
import { compareRankings, type Comparison } from "./compare.ts";
import { listFeatures, type SeenByModel } from "./features.ts";
import { fit, toChance, type FitRow } from "./fit.ts";
import { toJudged } from "./kept-signals.ts";
import {
  limitPoints,
  limitShift,
  MODEL_LIMITS,
  shiftScore,
  type Judged,
  type ShopModel,
} from "./shop-model.ts";

/** The known outcomes that a model needs. Fewer frauds can't show that it helps. */
export const OUTCOMES_NEEDED = { fraud: 25, good: 250 } as const;
/** The most orders that a model learns from. */
export const MOST_ORDERS = 50_000;
/** A feature on fewer orders stays as it is. */
const SIGHTINGS_NEEDED = 10;
/** Frauds among the later orders without which no interval means anything. */
const LATER_FRAUDS_NEEDED = 10;
/**
 * How far shops' points spread around ours: lifts that differ by about a third. A judgment, because nobody has published how
 * much shops differ. With many frauds a model learns more than that, with few it stays near ours.
 */
const SPREAD_POINTS = 5;
/** The share of good orders above low that a model may have. The engine's points have as many among honest customers. */
const MOST_STOPPED = 0.01;
const LOG_ODDS_PER_POINT = Math.LN2 / 10;
/** The parts of time at which the orders so far are fitted and the next ones are judged. */
const CUTS = [0.4, 0.55, 0.7, 0.85, 1] as const;
/** Where the steps of the calibration begin, as chances of fraud. */
const CHANCES = [0, 0.01, 0.03, 0.1, 0.3] as const;

/** An order with a known outcome. */
export interface KnownOrder extends SeenByModel {
  readonly atMs: number;
  /** The engine's points before any signal. */
  readonly base: number;
  readonly isFraud: boolean;
  /** How much the outcome counts: 1 for a bank's word. */
  readonly weight: number;
}

/** Later orders to which the model gave a similar chance of fraud. */
export interface CalibrationStep {
  /** The least chance. */
  readonly from: number;
  readonly orders: number;
  /** The frauds that the model expected, and those that came. */
  readonly expected: number;
  readonly fraud: number;
}

export interface Trained {
  readonly known: { readonly fraud: number; readonly good: number };
  /** Null below {@link OUTCOMES_NEEDED}. */
  readonly model: ShopModel | null;
  /** On later orders than each fit saw. Null if it can't be computed. */
  readonly comparison: Comparison | null;
  readonly calibration: readonly CalibrationStep[];
  /** It ranks later orders better than the engine, and the interval excludes zero. */
  readonly isOffered: boolean;
}

interface Example extends FitRow {
  readonly atMs: number;
  readonly judged: Judged;
  readonly isNewcomer: boolean;
}

/** Collects orders with a known outcome, at most {@link MOST_ORDERS}, and keeps only numbers of them. */
export function createTrainer() {
  const names = new Map<string, number>();
  const examples: Example[] = [];
  const known = { fraud: 0, good: 0 };

  return {
    /** @returns Whether another one can be added. */
    add(order: KnownOrder): boolean {
      if (examples.length >= MOST_ORDERS) return false;
      known[order.isFraud ? "fraud" : "good"] += 1;
      const features = listFeatures(order);
      const judged = toJudged(order, combineSignals(order.seen, order.base));
      examples.push({
        atMs: order.atMs,
        judged,
        isNewcomer: order.seen.some(({ code }) => code === "FIRST_ORDER"),
        offset: LOG_ODDS_PER_POINT * judged.total,
        features: Uint16Array.from(features, ([name]) => toIndex(names, name)),
        values: Float32Array.from(features, ([, value]) => value),
        isFraud: order.isFraud,
        weight: order.weight,
      });
      return examples.length < MOST_ORDERS;
    },
    /** Fit a model, and measure it on later orders. Yields between slices of the work. */
    *train(): Generator<void, Trained> {
      const nothing = { known, model: null, comparison: null, calibration: [], isOffered: false };
      if (known.fraud < OUTCOMES_NEEDED.fraud || known.good < OUTCOMES_NEEDED.good) return nothing;
      const list = choose(examples, [...names.keys()]);
      const sorted = yield* keepFeatures(
        examples,
        list.map((name) => names.get(name) ?? 0),
      );
      const later: Later[] = [];
      for (const [index, cut] of CUTS.slice(0, -1).entries()) {
        const [from, to] = [cut, CUTS[index + 1] ?? 1].map((part) => Math.floor(part * sorted.length));
        const fitted = yield* fitExamples(sorted.slice(0, from), list);
        later.push(...(yield* judgeLater(fitted, sorted.slice(from, to))));
      }
      const { points, center } = yield* fitExamples(sorted, list);
      const comparison = compareRankings(later);
      const entries = list
        .map((name, index) => [name, points[index] ?? 0] as const)
        .filter(([, own]) => own !== 0);
      const strongest = entries.toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a));
      const model = { center, points: Object.fromEntries(strongest.slice(0, MODEL_LIMITS.features)) };
      return { known, model, comparison, calibration: calibrate(later), isOffered: isBetter(comparison) };
    },
  };
}

function isBetter(comparison: Comparison | null): boolean {
  return comparison !== null && comparison.fraud >= LATER_FRAUDS_NEEDED && comparison.interval[0] > 0;
}

function toIndex(names: Map<string, number>, name: string): number {
  const index = names.get(name) ?? names.size;
  names.set(name, index);
  return index;
}

/** Names of the features that enough orders show. */
function choose(examples: readonly Example[], names: readonly string[]): readonly string[] {
  const counts = new Uint32Array(names.length);
  for (const { features } of examples) {
    for (let k = 0; k < features.length; k += 1) {
      const index = features[k] ?? 0;
      counts[index] = (counts[index] ?? 0) + 1;
    }
  }
  return names.filter((_, index) => (counts[index] ?? 0) >= SIGHTINGS_NEEDED);
}

/** The examples with the chosen features only, oldest first. */
function* keepFeatures(
  examples: readonly Example[],
  chosen: readonly number[],
): Generator<void, readonly Example[]> {
  const places = new Map(chosen.map((index, place) => [index, place]));
  const sorted = examples.toSorted((one, other) => one.atMs - other.atMs);
  return yield* inSlices(sorted, (example) => {
    const features: number[] = [];
    const values: number[] = [];
    for (let k = 0; k < example.features.length; k += 1) {
      const place = places.get(example.features[k] ?? -1);
      if (place === undefined) continue;
      features.push(place);
      values.push(example.values[k] ?? 0);
    }
    return { ...example, features: Uint16Array.from(features), values: Float32Array.from(values) };
  });
}

/** Orders per slice: a few milliseconds of work. */
const PER_SLICE = 2_000;

function* inSlices<Item, Result>(
  items: readonly Item[],
  change: (item: Item) => Result,
): Generator<void, readonly Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += PER_SLICE) {
    for (const item of items.slice(from, from + PER_SLICE)) results.push(change(item));
    yield;
  }
  return results;
}

interface FittedModel {
  /** By index of the feature, with zero for those that stay. */
  readonly points: readonly number[];
  readonly center: number;
  /** Of the chance of fraud. */
  readonly intercept: number;
}

function* fitExamples(examples: readonly Example[], names: readonly string[]): Generator<void, FittedModel> {
  const { corrections } = yield* fit(examples, names.length, LOG_ODDS_PER_POINT * SPREAD_POINTS);
  const points = names.map((name, index) =>
    toHalves(limitPoints(name, (corrections[index] ?? 0) / LOG_ODDS_PER_POINT)),
  );
  const goods = examples.filter(({ isFraud }) => !isFraud);
  const center = yield* findCenter(points, goods);
  const shifted = yield* inSlices(examples, (example): FitRow => {
    const total = example.judged.total + toOwnShift({ points, center }, example);
    return {
      ...NO_FEATURES,
      offset: LOG_ODDS_PER_POINT * total,
      isFraud: example.isFraud,
      weight: example.weight,
    };
  });
  const { intercept } = yield* fit(shifted, 0, 1);
  return { points, center, intercept };
}

const NO_FEATURES = { features: [], values: [] } as const;

/**
 * What the model takes off every order: what an average good one gets if that is more than nothing, or more, until it stops
 * no more good orders than the engine's points do, and at most {@link MOST_STOPPED} of them. So it catches more frauds because
 * it ranks better, not because it stops more. The same holds for first orders alone: a shop with few of them could otherwise
 * stop most newcomers.
 */
function* findCenter(points: readonly number[], goods: readonly Example[]): Generator<void, number> {
  const sums = yield* inSlices(goods, (example) => addUp(points, example));
  const average = goods.length === 0 ? 0 : sums.reduce((a, b) => a + b, 0) / goods.length;
  const most = STOPS.map(({ edge, of }) => {
    const group = goods.filter(of);
    const byBase = group.filter(({ judged }) => judged.score > edge).length;
    return Math.min(byBase, MOST_STOPPED * group.length);
  });
  let [from, to] = [Math.round(Math.max(0, average)), MODEL_LIMITS.center as number];
  // A larger center never stops more.
  while (from < to) {
    const center = Math.floor((from + to) / 2);
    const counts = STOPS.map(() => 0);
    for (const [index, example] of goods.entries()) {
      const shift = limitShift((sums[index] ?? 0) - center, example.judged);
      const score = shiftScore(example.judged.score, shift);
      for (const [k, { edge, of }] of STOPS.entries())
        if (score > edge && of(example)) counts[k] = (counts[k] ?? 0) + 1;
      if (index % PER_SLICE === 0) yield;
    }
    if (counts.every((count, k) => count <= (most[k] ?? 0))) to = center;
    else from = center + 1;
  }
  return from;
}

/** Where good orders must not be stopped more often, and which ones. */
const STOPS = [RISK_BANDS.low[1], RISK_BANDS.medium[1]].flatMap((edge) => [
  { edge, of: () => true },
  { edge, of: ({ isNewcomer }: Example) => isNewcomer },
]);

function toHalves(points: number): number {
  return Math.round(2 * points) / 2 + 0;
}

function addUp(
  points: readonly number[],
  { features, values }: Pick<Example, "features" | "values">,
): number {
  let sum = 0;
  for (let k = 0; k < features.length; k += 1) sum += (points[features[k] ?? -1] ?? 0) * (values[k] ?? 0);
  return sum;
}

function toOwnShift(
  { points, center }: Pick<FittedModel, "points" | "center">,
  example: Pick<Example, "features" | "values" | "judged">,
): number {
  return limitShift(addUp(points, example) - center, example.judged);
}

interface Later {
  readonly isFraud: boolean;
  readonly base: number;
  readonly model: number;
  readonly chance: number;
}

function judgeLater(fitted: FittedModel, examples: readonly Example[]): Generator<void, readonly Later[]> {
  return inSlices(examples, (example) => {
    const { isFraud, judged } = example;
    const model = judged.total + toOwnShift(fitted, example);
    const chance = toChance(fitted.intercept + LOG_ODDS_PER_POINT * model);
    return { isFraud, base: judged.total, model, chance };
  });
}

function calibrate(later: readonly Later[]): readonly CalibrationStep[] {
  return CHANCES.map((from, index) => {
    const to = CHANCES[index + 1] ?? Infinity;
    const orders = later.filter(({ chance }) => chance >= from && chance < to);
    const expected = orders.reduce((sum, { chance }) => sum + chance, 0);
    const fraud = orders.filter(({ isFraud }) => isFraud).length;
    return { from, orders: orders.length, expected: Math.round(10 * expected) / 10, fraud };
  });
}
