/** The goal of a figure. */
export type Goal =
  | { readonly of: "ratio" | "ours"; readonly atLeast: number }
  | { readonly of: "ratio" | "ours"; readonly atMost: number };

/** One row of the table. */
export interface Figure {
  readonly name: string;
  /** Unit of `ours` and `baseline`, e.g. `req/s`. */
  readonly unit: string;
  /** Median of the rounds. */
  readonly ours: number;
  /** Median of the rounds of the baseline; null without a baseline. */
  readonly baseline: number | null;
  /** What the baseline is. */
  readonly against: string;
  /** Above 1 is better than the baseline. */
  readonly ratio: number | null;
  readonly goal: Goal | null;
  readonly rounds: Rounds;
  /** What you need to know to read the figure. */
  readonly notes: readonly string[];
  /** Why the figure must not be used; empty for a valid run. */
  readonly faults: readonly string[];
}

/** Single measurements, in the order they were taken. */
export interface Rounds {
  readonly ours: readonly number[];
  readonly baseline: readonly number[];
}

/** Whether a figure reaches its goal; null without a goal. An invalid figure never does. */
export function isGoalMet({ goal, ours, ratio, faults }: Figure): boolean | null {
  if (goal === null) return null;
  const value = goal.of === "ours" ? ours : ratio;
  if (value === null || faults.length > 0) return false;
  return "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost;
}

/** The middle value, or the mean of the two in the middle. NaN for no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The smallest value that at least `share` (0 to 1) of all values do not exceed. NaN for no values. */
export function percentile(values: readonly number[] | Float64Array, share: number): number {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Measure both sides in turn, ours first, so that a busy minute of the machine hurts both. */
export async function interleave(
  count: number,
  sides: { readonly ours: () => Promise<number>; readonly baseline: () => Promise<number> },
  onRound: (done: number, total: number) => void,
): Promise<Rounds> {
  const ours: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round < count; round += 1) {
    onRound(2 * round, 2 * count);
    ours.push(await sides.ours());
    onRound(2 * round + 1, 2 * count);
    baseline.push(await sides.baseline());
  }
  return { ours, baseline };
}

/** Lowest and highest ratio of two rounds that ran side by side, as text: shows how steady the machine is. */
export function toSpread({ ours, baseline }: Rounds): string {
  const ratios = ours.map((value, round) => value / (baseline[round] ?? Number.NaN));
  return `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`;
}
