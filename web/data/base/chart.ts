const MOST_STEPS = 4;

/** Marks of an axis from 0, in round steps; the last is at or above the largest value. */
export function toTicks(largest: number): readonly number[] {
  if (!(largest > 0)) return [0, 1];
  const rough = largest / MOST_STEPS;
  const power = 10 ** Math.floor(Math.log10(rough));
  // The values are counts, so a step is a whole number.
  const step = Math.max(1, ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10) * power);
  const marks = Math.ceil(largest / step);
  return Array.from({ length: marks + 1 }, (_, index) => index * step);
}

/** A piece of a stacked bar: where it begins and ends, in the unit of the values. */
export type Piece = { readonly series: number; readonly from: number; readonly to: number };

/** The pieces of one bar, first series at the bottom. Zero values have none. */
export function toPieces(values: readonly number[]): readonly Piece[] {
  let from = 0;
  return values.flatMap((value, series) => {
    if (value <= 0) return [];
    const piece = { series, from, to: from + value };
    from = piece.to;
    return [piece];
  });
}

/** Which of `count` bars get a label when there is room for `room`: evenly spaced, the last one always. */
export function toLabelled(count: number, room: number): readonly number[] {
  if (count === 0) return [];
  const step = Math.max(1, Math.ceil(count / Math.max(1, room)));
  return Array.from({ length: count }, (_, index) => index).filter(
    (index) => (count - 1 - index) % step === 0,
  );
}

/** The part of a whole, 0 to 1; 0 of nothing. */
export function toShare(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
}

/** A value of a line. */
export interface TrendPoint {
  /** `Nov 3`. */
  readonly label: string;
  readonly value: number;
  readonly shown: string;
}
