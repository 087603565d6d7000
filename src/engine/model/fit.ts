/** An order for a fit. */
export interface FitRow {
  /** The log-odds that the prior gives it. */
  readonly offset: number;
  /** Its features, as indexes of the corrections. */
  readonly features: ArrayLike<number>;
  /** Their values, in the same order. */
  readonly values: ArrayLike<number>;
  readonly isFraud: boolean;
  readonly weight: number;
}

/** Corrections of the prior, as log-odds. */
export interface Fitted {
  readonly intercept: number;
  readonly corrections: Float64Array;
}

/** Rows between two pauses: about a millisecond. */
const ROWS_PER_SLICE = 1_000;
const MOST_STEPS = 25;
/** In log-odds: a hundredth of a point. */
const CLOSE_ENOUGH = 1e-3;
/** The most that one step moves a correction, so that a step beyond the curve's reach can't run away. */
const LONGEST_STEP = 2;
/** The intercept is all but free: a shop's share of known frauds says little about a correction. */
const INTERCEPT_PRECISION = 1e-3;

/**
 * Logistic regression around a prior: each row's log-odds are its offset, an intercept and its corrections, which have a
 * normal prior around zero. Newton's method; the same rows give the same corrections. Yields between slices of the work, so
 * that the caller can let other work run.
 *
 * @param spread - The prior's standard deviation of a correction.
 */
export function* fit(rows: readonly FitRow[], size: number, spread: number): Generator<void, Fitted> {
  const n = size + 1;
  const beta = new Float64Array(n);
  const precision = 1 / spread ** 2;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const gradient = new Float64Array(n);
    const hessian = new Float64Array(n * n);
    for (let index = 0; index < n; index += 1) {
      const own = index === size ? INTERCEPT_PRECISION : precision;
      gradient[index] = -own * at(beta, index);
      hessian[index * n + index] = own;
    }
    for (let from = 0; from < rows.length; from += ROWS_PER_SLICE) {
      for (const row of rows.slice(from, from + ROWS_PER_SLICE)) addRow(row, beta, gradient, hessian);
      yield;
    }
    const change = solve(hessian, gradient, n);
    const longest = change.reduce((most, by) => Math.max(most, Math.abs(by)), 0);
    const share = longest > LONGEST_STEP ? LONGEST_STEP / longest : 1;
    for (let index = 0; index < n; index += 1) beta[index] = at(beta, index) + share * at(change, index);
    if (longest < CLOSE_ENOUGH) break;
  }
  return { intercept: at(beta, size), corrections: beta.slice(0, size) };
}

function addRow(row: FitRow, beta: Float64Array, gradient: Float64Array, hessian: Float64Array): void {
  const n = beta.length;
  const { features, values, weight } = row;
  const last = features.length;
  let logOdds = row.offset + at(beta, n - 1);
  for (let k = 0; k < last; k += 1) logOdds += at(beta, at(features, k)) * at(values, k);
  const chance = toChance(logOdds);
  const pull = weight * ((row.isFraud ? 1 : 0) - chance);
  const curve = weight * chance * (1 - chance);
  // The intercept is like a feature of every row.
  for (let one = 0; one <= last; one += 1) {
    const i = one === last ? n - 1 : at(features, one);
    const x = one === last ? 1 : at(values, one);
    gradient[i] = at(gradient, i) + pull * x;
    for (let other = 0; other <= last; other += 1) {
      const j = other === last ? n - 1 : at(features, other);
      // The other half is the same.
      if (j > i) continue;
      const y = other === last ? 1 : at(values, other);
      hessian[i * n + j] = at(hessian, i * n + j) + curve * x * y;
    }
  }
}

export function toChance(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/** Solve a symmetric positive definite system, given its lower half, by Cholesky's method. Overwrites the matrix. */
function solve(matrix: Float64Array, right: Float64Array, n: number): Float64Array {
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = at(matrix, i * n + j);
      for (let k = 0; k < j; k += 1) sum -= at(matrix, i * n + k) * at(matrix, j * n + k);
      matrix[i * n + j] = i === j ? Math.sqrt(Math.max(sum, Number.EPSILON)) : sum / at(matrix, j * n + j);
    }
  }
  const solution = right.slice();
  for (let i = 0; i < n; i += 1) {
    for (let k = 0; k < i; k += 1) solution[i] = at(solution, i) - at(matrix, i * n + k) * at(solution, k);
    solution[i] = at(solution, i) / at(matrix, i * n + i);
  }
  for (let i = n - 1; i >= 0; i -= 1) {
    for (let k = i + 1; k < n; k += 1)
      solution[i] = at(solution, i) - at(matrix, k * n + i) * at(solution, k);
    solution[i] = at(solution, i) / at(matrix, i * n + i);
  }
  return solution;
}

function at(numbers: ArrayLike<number>, index: number): number {
  return numbers[index] ?? 0;
}

/** Do a sliced computation at once. */
export function runAtOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
