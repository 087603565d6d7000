import type { Figure } from "./figure.ts";

/** What a benchmark receives. */
export interface BenchContext {
  /** The benchmark's own empty folder on the disk under test; removed at the end. */
  readonly folder: string;
  /** Shorter rounds: for a quick look, not for the record. */
  readonly quick: boolean;
  /** Called with the progress, 0 to 1, and the current step. */
  readonly progress: (share: number, what: string) => void;
}

/** One benchmark with one or more figures. */
export interface Benchmark {
  readonly name: string;
  /** What it measures, in a few words. */
  readonly about: string;
  run(context: BenchContext): Promise<readonly Figure[]>;
}

/** Rounds of each side. */
export const ROUNDS = 5;
