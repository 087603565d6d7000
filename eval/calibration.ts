import type { Scored } from "./ranking.ts";

/** Orders of neighboring scores. */
export interface CalibrationBin {
  /** Scores in it: `from` up to, but not including, `to`; the last one includes 100. */
  readonly from: number;
  readonly to: number;
  readonly orders: number;
  readonly frauds: number;
  /** Share of them that was fraud; null without orders. */
  readonly fraudRate: number | null;
  /** The likely share among very many orders, in 95 of 100 samples (Wilson 1927); null without orders. */
  readonly interval: readonly [low: number, high: number] | null;
  /** What the points predict on average, given the share of fraud in the file; null without orders. */
  readonly promised: number | null;
}

/** How literally the points can be taken. */
export interface Calibration {
  /**
   * How many doublings of the odds ten points really stand for: 1 as stated, below 1 the score exaggerates, above 1
   * it understates. Null if that can't be fitted.
   */
  readonly slope: number | null;
  readonly bins: readonly CalibrationBin[];
}

/** Score at which an order has the shop's average odds. */
const AVERAGE_SCORE = 10;
const POINTS_PER_DOUBLING = 10;
const BIN_WIDTH = 10;
const BINS = 10;
const Z_95 = 1.959_964;
const NEWTON_STEPS = 50;
const CLOSE_ENOUGH = 1e-10;

/** Compare the scores' predictions with the outcomes of the orders. Scores are not limited to 0 to 100. */
export function calibrate(scored: readonly Scored[]): Calibration {
  const frauds = scored.filter(({ fraud }) => fraud).length;
  const oddsOfAll = frauds / (scored.length - frauds);
  const groups = Map.groupBy(scored, ({ score }) => toBin(score));
  const bins = Array.from({ length: BINS }, (_, bin) =>
    toCalibrationBin(bin, groups.get(bin) ?? [], oddsOfAll),
  );
  return { slope: fitSlope(scored), bins };
}

/** The interval of a share, given how often something was seen (Wilson score interval, 95 %). */
export function toWilsonInterval(seen: number, of: number): readonly [low: number, high: number] {
  const share = seen / of;
  const z2 = Z_95 ** 2;
  const middle = (share + z2 / (2 * of)) / (1 + z2 / of);
  const margin = (Z_95 / (1 + z2 / of)) * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of));
  return [Math.max(0, middle - margin), Math.min(1, middle + margin)];
}

function toBin(score: number): number {
  return Math.min(BINS - 1, Math.max(0, Math.floor(score / BIN_WIDTH)));
}

function toCalibrationBin(bin: number, orders: readonly Scored[], oddsOfAll: number): CalibrationBin {
  const frauds = orders.filter(({ fraud }) => fraud).length;
  const range = { from: bin * BIN_WIDTH, to: (bin + 1) * BIN_WIDTH };
  const count = orders.length;
  if (count === 0) return { ...range, orders: 0, frauds, fraudRate: null, interval: null, promised: null };
  const promised = orders.reduce((sum, { score }) => sum + toPromise(score, oddsOfAll), 0) / count;
  const interval = toWilsonInterval(frauds, count);
  return { ...range, orders: count, frauds, fraudRate: frauds / count, interval, promised };
}

function toPromise(score: number, oddsOfAll: number): number {
  if (oddsOfAll === Infinity) return 1;
  const odds = oddsOfAll * 2 ** toDoublings(score);
  return odds / (1 + odds);
}

function toDoublings(score: number): number {
  return (score - AVERAGE_SCORE) / POINTS_PER_DOUBLING;
}

/** Logistic regression of the outcome on the predicted log odds, by Newton's method. */
function fitSlope(scored: readonly Scored[]): number | null {
  const points = scored.map(({ score, fraud }) => ({ x: toDoublings(score) * Math.LN2, y: fraud ? 1 : 0 }));
  let slope = 0;
  let intercept = 0;
  for (let step = 0; step < NEWTON_STEPS; step += 1) {
    const sums = { g0: 0, g1: 0, h00: 0, h01: 0, h11: 0 };
    for (const { x, y } of points) {
      const p = 1 / (1 + Math.exp(-intercept - slope * x));
      const weight = p * (1 - p);
      sums.g0 += y - p;
      sums.g1 += (y - p) * x;
      sums.h00 += weight;
      sums.h01 += weight * x;
      sums.h11 += weight * x * x;
    }
    const determinant = sums.h00 * sums.h11 - sums.h01 ** 2;
    // All scores equal, all outcomes equal, or the two perfectly separated: no slope fits.
    if (!(determinant > 1e-9)) return null;
    const change = (sums.h00 * sums.g1 - sums.h01 * sums.g0) / determinant;
    intercept += (sums.h11 * sums.g0 - sums.h01 * sums.g1) / determinant;
    slope += change;
    if (!Number.isFinite(slope)) return null;
    if (Math.abs(change) < CLOSE_ENOUGH) return slope;
  }
  return null;
}
