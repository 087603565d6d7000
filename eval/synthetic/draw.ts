import type { Trait } from "./published-lifts.ts";

/** A source of numbers from 0 up to 1, the same for the same seed. */
export type Random = () => number;

/** Create a {@link Random} (splitmix32). */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 2 ** 32;
  };
}

/** A value of a trait with its chance among frauds and among legitimate orders. */
export interface DrawnLevel<Value> {
  readonly value: Value;
  readonly share: number;
  readonly lift: number;
  readonly inFraud: number;
  readonly inLegit: number;
}

/** Compute a trait: fill in the rest level and turn lifts into the chances of both kinds of order. */
export function toLevels<Value>(trait: Trait<Value>, fraudRate: number): readonly DrawnLevel<Value>[] {
  const known = trait.levels.filter(({ share }) => share !== null);
  const restShare = 1 - known.reduce((sum, level) => sum + (level.share ?? 0), 0);
  const shares = trait.levels.map(({ share }) => share ?? restShare);
  const knownLift = trait.levels.reduce(
    (sum, { lift }, index) => sum + (lift ?? 0) * (shares[index] ?? 0),
    0,
  );
  return trait.levels.map(({ value, lift: published }, index) => {
    const share = shares[index] ?? 0;
    const lift = published ?? (1 - knownLift) / share;
    return {
      value,
      share,
      lift,
      inFraud: share * lift,
      inLegit: (share * (1 - fraudRate * lift)) / (1 - fraudRate),
    };
  });
}

/** The level that `at` (0 up to 1) falls on, with the levels side by side in their order. */
export function pickLevel<Value>(
  levels: readonly DrawnLevel<Value>[],
  fraud: boolean,
  at: number,
): DrawnLevel<Value> {
  let reached = 0;
  for (const level of levels) {
    reached += fraud ? level.inFraud : level.inLegit;
    if (at < reached) return level;
  }
  // Rounding can leave the sum slightly below 1, and the last level may be one that frauds never show.
  const possible = levels.findLast((level) => (fraud ? level.inFraud : level.inLegit) > 0);
  if (possible === undefined) throw new Error("a trait needs a level");
  return possible;
}
