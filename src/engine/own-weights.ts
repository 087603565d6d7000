import type { EssentialFact } from "../order/decision.ts";
import type { VerificationResult } from "../order/result.ts";
import { toRiskLevel } from "../order/risk-level.ts";
import { listCauses } from "./reasons.ts";
import { combineSignals, type ScorableSignal, type Weights } from "./combine-signals.ts";

/**
 * The limits of a shop's own factor for our points. However unusual a shop's numbers are, a sign of fraud keeps at least half
 * of its points and gains at most half.
 */
export const FACTOR_LIMITS = { least: 0.5, most: 1.5 } as const;

/**
 * The minimum of known outcomes for proposing weights. A signal on every tenth fraud and every hundredth good order is then
 * seen five times among each, which gives its lift to within about eight points. Less would be noise.
 */
export const OUTCOMES_NEEDED = { fraud: 50, good: 500 } as const;

/** If a signal was seen on fewer orders with a known outcome, it keeps our weight. */
export const SIGHTINGS_NEEDED = 10;

/**
 * The weight of our points: as much as eight frauds of the shop. This assumes that a shop's lifts spread by about a third, or
 * five points, around ours (a gamma distribution of shape 8), half as much as the lifts of all our signals
 * (docs/local-engine.md). This is a judgment, because nobody has published how much shops differ.
 */
const OUR_FRAUDS = 8;
/** Ten points double the odds. */
const POINTS_PER_DOUBLING = 10;
/** Factors are whole twentieths, because finer steps would suggest more precision than there is. */
const STEPS = 20;

/** The signals of an order before the shop's own weights: enough to score it again. Names nobody. */
export interface KeptSignals {
  /** Points before any signal. */
  readonly base: number;
  readonly seen: readonly ScorableSignal[];
  /** The facts that the order lacks for publishing "low". */
  readonly missing: readonly EssentialFact[];
}

/** A signal's counts on a shop's orders with a known outcome. */
export interface SignalOutcomes {
  readonly code: string;
  /** Our points, averaged over the orders that showed it. */
  readonly points: number;
  /** Fraudulent orders that showed it. */
  readonly fraud: number;
  readonly good: number;
}

export interface KnownOutcomes {
  readonly fraud: number;
  readonly good: number;
  readonly signals: readonly SignalOutcomes[];
}

/** The stored part of signals: what the sum needs, without details. */
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

/** The level and score of kept signals under other weights, and the codes of the risk factors. */
export function scoreAgain(
  { base, seen }: KeptSignals,
  weights: Weights | undefined,
): Pick<VerificationResult, "riskLevel" | "riskScore"> & { readonly codes: readonly string[] } {
  const card = combineSignals(seen, base, weights);
  const { score } = card;
  return { riskLevel: toRiskLevel(score), riskScore: score, codes: listCauses(card).map(({ code }) => code) };
}

/** Whether enough outcomes are known to propose weights. */
export function isEnough({ fraud, good }: Pick<KnownOutcomes, "fraud" | "good">): boolean {
  return fraud >= OUTCOMES_NEEDED.fraud && good >= OUTCOMES_NEEDED.good;
}

/**
 * A shop's own factors: our points, moved toward the signal's lift on the shop's orders, more the more orders there are,
 * within {@link FACTOR_LIMITS}. Unchanged signals are left out, and all are unchanged until {@link isEnough}. Pure.
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
  // The frauds expected to show it if it meant nothing. Add half an order, so that a signal on no good order has a lift too.
  const expected = (known.fraud * (good + 0.5)) / (known.good + 1);
  const lift = (fraud + OUR_FRAUDS) / (expected + OUR_FRAUDS / ours);
  const factor = (POINTS_PER_DOUBLING * Math.log2(lift)) / points;
  const { least, most } = FACTOR_LIMITS;
  return Math.round(Math.min(most, Math.max(least, factor)) * STEPS) / STEPS;
}
