import { HoldfastError } from "../base/errors.ts";
import type { SeenSignal, SignalGroupName } from "./signal.ts";

/** Share of orders that are fraud in an ordinary shop; the default prior. */
export const ORDINARY_FRAUD_RATE = 0.015;
const ORDINARY_BASE = 10;
/** Points that double the odds. */
const POINTS_PER_DOUBLING = 10;
/** Signals of one group overlap: each further one counts this share of the one before. */
const GROUP_DISCOUNT = 0.6;
/** However good the record, it takes back no more than this. */
const MOST_TRUST = -25;
/** A thief can type stolen data correctly: all credit for typed data together is at most this much. */
const MOST_CLAIMED = -10;
/** A single sign of this many points is serious (severity high): what the customer typed then earns nothing. */
const SERIOUS_POINTS = 16;
/** Share of the trust left when the account itself may be in other hands. */
const SHAKEN_TRUST = 0.4;
/** Critical needs agreement: this many independent groups, each with at least this many points. */
const CRITICAL_GROUPS = 3;
const CRITICAL_GROUP_POINTS = 8;
const HIGHEST_BELOW_CRITICAL = 85;

/** What the scorecard needs of a signal. */
export type ScorableSignal = Pick<SeenSignal, "code" | "group" | "points"> &
  Partial<Pick<SeenSignal, "shakesTrust" | "voidsTrust" | "isClaim">>;

/** A shop's own factors of the signals' points, by code. A signal without one counts as it is. */
export type Weights = Readonly<Record<string, number>>;

/** What one signal added after the discount of its group. */
export interface Contribution {
  readonly code: string;
  readonly group: SignalGroupName;
  /** Before the discount, with the shop's own weight. */
  readonly points: number;
  /** After the discount, to two decimals. */
  readonly contribution: number;
}

/** How a score came about: `base` + all contributions + `trust` = `total`, to two decimals. */
export interface CombinedScore {
  readonly base: number;
  /** Strongest first, then by code. */
  readonly contributions: readonly Contribution[];
  /** Zero or below: what speaks for the customer, within its limit. */
  readonly trust: number;
  readonly total: number;
  /** 0 to 100, whole. `total` rounded, unless `capped`. */
  readonly score: number;
  /** Held below critical because too few independent groups agree. */
  readonly capped: boolean;
}

/**
 * Points an order has before anything is seen, given the share of a shop's orders that are fraud.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` when the share is not between 0 and 1, both excluded.
 */
export function toBasePoints(priorFraudRate: number): number {
  if (!(priorFraudRate > 0 && priorFraudRate < 1)) {
    throw new HoldfastError(
      "CONFIG_INVALID",
      "priorFraudRate: expected a share between 0 and 1, both excluded",
      {
        retryable: false,
      },
    );
  }
  const toOdds = (rate: number): number => rate / (1 - rate);
  const doublings = Math.log2(toOdds(priorFraudRate) / toOdds(ORDINARY_FRAUD_RATE));
  return fromHundredths(toHundredths(ORDINARY_BASE + POINTS_PER_DOUBLING * doublings));
}

/**
 * Combine signals into a score. Pure, and the same whatever order the signals come in.
 *
 * @param weights - The shop's own. Default: none. What is serious, or voids trust, stays so under any weights.
 */
export function combineSignals(
  signals: readonly ScorableSignal[],
  base: number,
  weights?: Weights,
): CombinedScore {
  const weighed = weigh(signals, weights);
  const contributions = discountGroups(weighed.filter((signal) => signal.points > 0));
  const trust = toTrust(weighed, isAnySerious(signals));
  // Whole hundredths, so that the parts add up exactly to the total in every order of summing.
  const total = [base, trust, ...contributions.map((part) => part.contribution)]
    .map(toHundredths)
    .reduce((sum, part) => sum + part, 0);
  const score = Math.min(100, Math.max(0, Math.round(fromHundredths(total))));
  const capped = score > HIGHEST_BELOW_CRITICAL && countStrongGroups(contributions) < CRITICAL_GROUPS;
  return {
    base,
    contributions,
    trust,
    total: fromHundredths(total),
    score: capped ? HIGHEST_BELOW_CRITICAL : score,
    capped,
  };
}

function discountGroups(risks: readonly ScorableSignal[]): readonly Contribution[] {
  const rankInGroup = new Map<SignalGroupName, number>();
  const contributions: Contribution[] = [];
  for (const { code, group, points } of risks.toSorted((a, b) => b.points - a.points || compareCodes(a, b))) {
    const rank = rankInGroup.get(group) ?? 0;
    rankInGroup.set(group, rank + 1);
    contributions.push({
      code,
      group,
      points,
      contribution: fromHundredths(toHundredths(points * GROUP_DISCOUNT ** rank)),
    });
  }
  return contributions.toSorted((a, b) => b.contribution - a.contribution || compareCodes(a, b));
}

function weigh(signals: readonly ScorableSignal[], weights: Weights | undefined): readonly ScorableSignal[] {
  if (weights === undefined) return signals;
  return signals.map((signal) => {
    const factor: unknown = Object.hasOwn(weights, signal.code) ? weights[signal.code] : 1;
    return typeof factor === "number" && Number.isFinite(factor) && factor !== 1
      ? { ...signal, points: fromHundredths(toHundredths(signal.points * factor)) }
      : signal;
  });
}

/** An unusual amount is unusual of an honest customer too. */
function isAnySerious(signals: readonly ScorableSignal[]): boolean {
  return signals.some(({ points, group }) => points >= SERIOUS_POINTS && group !== "amount");
}

function toTrust(signals: readonly ScorableSignal[], isSerious: boolean): number {
  if (signals.some((signal) => signal.voidsTrust === true)) return 0;
  const credits = signals.filter((signal) => signal.points < 0);
  const claimed = sumPoints(credits.filter((signal) => signal.isClaim === true));
  const recorded = sumPoints(credits.filter((signal) => signal.isClaim !== true));
  const limited = Math.max(MOST_TRUST, recorded + (isSerious ? 0 : Math.max(MOST_CLAIMED, claimed)));
  const kept = signals.some((signal) => signal.shakesTrust === true) ? limited * SHAKEN_TRUST : limited;
  return fromHundredths(toHundredths(kept));
}

function sumPoints(signals: readonly ScorableSignal[]): number {
  return signals.reduce((sum, signal) => sum + signal.points, 0);
}

/** A combination repeats what other groups saw, so it is no evidence of its own. */
function countStrongGroups(contributions: readonly Contribution[]): number {
  const hundredths = new Map<SignalGroupName, number>();
  for (const { group, contribution } of contributions) {
    hundredths.set(group, (hundredths.get(group) ?? 0) + toHundredths(contribution));
  }
  hundredths.delete("combination");
  return [...hundredths.values()].filter((sum) => sum >= toHundredths(CRITICAL_GROUP_POINTS)).length;
}

function compareCodes(a: { readonly code: string }, b: { readonly code: string }): number {
  if (a.code === b.code) return 0;
  return a.code < b.code ? -1 : 1;
}

function toHundredths(points: number): number {
  return Math.round(points * 100);
}

function fromHundredths(hundredths: number): number {
  // Adding 0 turns -0 into 0, which JSON cannot tell apart and tests can.
  return hundredths / 100 + 0;
}
