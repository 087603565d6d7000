import type { EssentialFact } from "../order/decision.ts";
import type { VerificationResult } from "../order/result.ts";
import { toRiskLevel } from "../order/risk-level.ts";
import { combineSignals, type ScorableSignal, type Weights } from "./combine-signals.ts";

/**
 * The bounds of a shop's own factor of our points. However odd a shop's numbers are, a sign of fraud stays one and keeps at
 * least half of its points, and none gains more than half.
 */
export const FACTOR_LIMITS = { least: 0.5, most: 1.5 } as const;

/**
 * Known outcomes from which on weights are proposed. A signal on every tenth fraud and every hundredth good order is then seen five
 * times among each, which tells its lift to about eight points. Less would be noise.
 */
export const OUTCOMES_NEEDED = { fraud: 50, good: 500 } as const;

/** Seen on fewer orders with a known outcome, a signal keeps our weight. */
export const SIGHTINGS_NEEDED = 10;

/**
 * What our points count for: as much as eight frauds of the shop's own. The lifts of a shop then lie about a third, or five
 * points, around ours (a gamma distribution of shape 8), half of what the lifts of all our signals lie apart
 * (docs/local-engine.md). A judgment: nobody published how much shops differ.
 */
const OUR_FRAUDS = 8;
/** Ten points double the odds. */
const POINTS_PER_DOUBLING = 10;
/** Factors are whole twentieths: finer steps would say more than is known. */
const STEPS = 20;

/** What the engine saw of an order, before the shop's own weights: enough to score it again. Names nobody. */
export interface KeptSignals {
  /** Points before anything was seen. */
  readonly base: number;
  readonly seen: readonly ScorableSignal[];
  /** What the order lacks for a "low" to be published. */
  readonly missing: readonly EssentialFact[];
}

/** A signal on a shop's orders whose outcome is known. */
export interface SignalOutcomes {
  readonly code: string;
  /** Our points, on the average of the orders that showed it. */
  readonly points: number;
  /** Fraudulent orders that showed it. */
  readonly fraud: number;
  readonly good: number;
}

/** A shop's orders whose outcome is known, by what the engine saw of them. */
export interface KnownOutcomes {
  readonly fraud: number;
  readonly good: number;
  readonly signals: readonly SignalOutcomes[];
}

/** What is kept of signals: what the sum asks for, without what was seen. */
export function keepSignals(
  seen: readonly ScorableSignal[],
  { base, missing }: Omit<KeptSignals, "seen">,
): KeptSignals {
  return {
    base,
    missing,
    seen: seen.map(({ code, group, points, shakesTrust, voidsTrust, isClaim, isPlace }) => ({
      code,
      group,
      points,
      ...(shakesTrust === true && { shakesTrust }),
      ...(voidsTrust === true && { voidsTrust }),
      ...(isClaim === true && { isClaim }),
      ...(isPlace === true && { isPlace }),
    })),
  };
}

/** Score an order again, under other weights. */
export function scoreAgain(
  { base, seen }: KeptSignals,
  weights: Weights | undefined,
): Pick<VerificationResult, "riskLevel" | "riskScore"> {
  const { score } = combineSignals(seen, base, weights);
  return { riskLevel: toRiskLevel(score), riskScore: score };
}

/** Whether enough outcomes are known to propose weights. */
export function isEnough({ fraud, good }: Pick<KnownOutcomes, "fraud" | "good">): boolean {
  return fraud >= OUTCOMES_NEEDED.fraud && good >= OUTCOMES_NEEDED.good;
}

/**
 * A shop's own factors: our points, moved toward the lift that the signal has on the shop's orders by as much as they tell of
 * it, within {@link FACTOR_LIMITS}. Signals whose weight stays are left out; all of them until {@link isEnough}. Pure.
 */
export function proposeWeights(known: KnownOutcomes): Weights {
  if (!isEnough(known)) return {};
  const factors = known.signals
    .filter(({ fraud, good, points }) => fraud + good >= SIGHTINGS_NEEDED && points !== 0)
    .map((signal) => [signal.code, toFactor(signal, known)] as const);
  return Object.fromEntries(factors.filter(([, factor]) => factor !== 1));
}

function toFactor({ points, fraud, good }: SignalOutcomes, known: KnownOutcomes): number {
  const ours = 2 ** (points / POINTS_PER_DOUBLING);
  // Frauds that would show it if it said nothing. Half an order more, so that a signal on no good order can be told too.
  const expected = (known.fraud * (good + 0.5)) / (known.good + 1);
  const lift = (fraud + OUR_FRAUDS) / (expected + OUR_FRAUDS / ours);
  const factor = (POINTS_PER_DOUBLING * Math.log2(lift)) / points;
  const { least, most } = FACTOR_LIMITS;
  return Math.round(Math.min(most, Math.max(least, factor)) * STEPS) / STEPS;
}
