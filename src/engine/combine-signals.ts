import type { SeenSignal, SignalGroupName } from "./signals/signal.ts";

/** Points before any signal. Ten points double the odds, and 1.5 % of an ordinary shop's orders are fraud. */
export const BASE_POINTS = 10;
/** Signals of one group overlap, so each further one counts only this share of the one before. */
const GROUP_DISCOUNT = 0.6;
/** The most points that a good record takes off. */
const MOST_TRUST = -25;
/** The most credit for all typed data together, because a thief can type stolen data correctly. */
const MOST_CLAIMED = -10;
/** A single signal of this many points is serious (severity high). Typed data then earns no credit. */
const SERIOUS_POINTS = 16;
/** The share of trust that remains if somebody else may be using the account. */
const SHAKEN_TRUST = 0.4;
/** "Critical" needs this many independent groups, each with at least this many points. */
const CRITICAL_GROUPS = 3;
const CRITICAL_GROUP_POINTS = 8;
const HIGHEST_BELOW_CRITICAL = 85;
const HIGHEST_BELOW_HIGH = 60;
/** A signal of this many points (severity medium) is evidence by itself, unless a shared place explains it. */
const SUSPICIOUS_POINTS = 8;
/**
 * Groups that also apply to honest people who have just moved or stay somewhere as guests: where the order ships, is billed
 * and was placed, at what time, that they are new, and that they spend more than usual.
 */
const EXPLAINED_GROUPS: ReadonlySet<SignalGroupName> = new Set([
  "geo",
  "address",
  "account",
  "time",
  "amount",
]);
/** Goods that thieves want count as evidence, however few points they have, unless other people live where they go. */
const WORTH_STEALING: ReadonlySet<string> = new Set([
  "AMOUNT_HIGH_FIRST",
  "AMOUNT_TOP_OF_SHOP",
  "RESALE_ITEM",
  "RESALE_QUANTITY",
]);

/** The part of a signal that the sum needs. */
export type ScorableSignal = Pick<SeenSignal, "code" | "group" | "points"> &
  Partial<Pick<SeenSignal, "shakesTrust" | "voidsTrust" | "isClaim" | "isPlace">>;

/** One signal's contribution after the discount of its group. */
export interface Contribution {
  readonly code: string;
  readonly group: SignalGroupName;
  /** Before the discount. */
  readonly points: number;
  /** After the discount, to two decimals. */
  readonly contribution: number;
}

/** The sum behind a score: `base` + all contributions + `trust` = `total`, to two decimals. */
export interface CombinedScore {
  readonly base: number;
  /** Strongest first, then by code. */
  readonly contributions: readonly Contribution[];
  /** Zero or below: the credit for the customer, within its limit. */
  readonly trust: number;
  readonly total: number;
  /** 0 to 100, whole. `total` rounded, unless `capped` or `placeOnly`. */
  readonly score: number;
  /** Kept below critical because too few independent groups agree. */
  readonly capped: boolean;
  /** Kept at 60, or at its score without counts of people at one place, because a shared place explains the main evidence. */
  readonly placeOnly: boolean;
}

/** Combine signals into a score. Pure; the order of the signals doesn't matter. */
export function combineSignals(signals: readonly ScorableSignal[], base: number): CombinedScore {
  const sum = sumUp(signals, base);
  const most = toMostOfPlace(signals, base);
  return sum.score > most
    ? { base, ...sum, score: most, capped: false, placeOnly: true }
    : { base, ...sum, placeOnly: false };
}

function sumUp(signals: readonly ScorableSignal[], base: number) {
  const contributions = discountGroups(signals.filter((signal) => signal.points > 0));
  const trust = toTrust(signals);
  // Whole hundredths, so that the parts add up exactly to the total in any order.
  const total = fromHundredths(
    [base, trust, ...contributions.map((part) => part.contribution)]
      .map(toHundredths)
      .reduce((sum, part) => sum + part, 0),
  );
  const score = Math.min(100, Math.max(0, Math.round(total)));
  const capped = score > HIGHEST_BELOW_CRITICAL && countStrongGroups(contributions) < CRITICAL_GROUPS;
  return { contributions, trust, total, score: capped ? HIGHEST_BELOW_CRITICAL : score, capped };
}

/**
 * The highest score of an order whose main evidence is that many people share its address, network or card. A dormitory on
 * moving day, with orders billed to parents and a laptop among them, looks like the address of a fraud ring. If the order's
 * score without those counts is higher, that applies.
 */
function toMostOfPlace(signals: readonly ScorableSignal[], base: number): number {
  const isOther = ({ isPlace, group }: ScorableSignal): boolean => isPlace !== true || group !== "velocity";
  const others = signals.filter(isOther);
  if (others.length === signals.length || isSuspectElsewhere(others)) return 100;
  return Math.max(HIGHEST_BELOW_HIGH, sumUp(others, base).score);
}

/**
 * Whether there is evidence besides the place: a customer who hides, a serious signal, or several with as many points.
 */
function isSuspectElsewhere(others: readonly ScorableSignal[]): boolean {
  if (others.some((signal) => signal.voidsTrust === true)) return true;
  const suspicious = others.filter(
    (signal) =>
      signal.isPlace !== true &&
      (isSerious(signal) ||
        WORTH_STEALING.has(signal.code) ||
        (signal.points >= SUSPICIOUS_POINTS && !EXPLAINED_GROUPS.has(signal.group))),
  );
  return sumPoints(suspicious) >= SERIOUS_POINTS;
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

/** Honest customers sometimes spend an unusual amount too. */
export function isSerious({ points, group }: ScorableSignal): boolean {
  return points >= SERIOUS_POINTS && group !== "amount";
}

function toTrust(signals: readonly ScorableSignal[]): number {
  if (signals.some((signal) => signal.voidsTrust === true)) return 0;
  const credits = signals.filter((signal) => signal.points < 0);
  const claimed = sumPoints(credits.filter((signal) => signal.isClaim === true));
  const recorded = sumPoints(credits.filter((signal) => signal.isClaim !== true));
  const limited = Math.max(
    MOST_TRUST,
    recorded + (signals.some(isSerious) ? 0 : Math.max(MOST_CLAIMED, claimed)),
  );
  const kept = signals.some((signal) => signal.shakesTrust === true) ? limited * SHAKEN_TRUST : limited;
  return fromHundredths(toHundredths(kept));
}

function sumPoints(signals: readonly ScorableSignal[]): number {
  return signals.reduce((sum, signal) => sum + signal.points, 0);
}

/** A combination repeats what other groups saw, so it isn't separate evidence. */
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
  // Adding 0 turns -0 into 0: JSON writes them alike, but tests tell them apart.
  return hundredths / 100 + 0;
}
