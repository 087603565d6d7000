import type { Figure } from "./figure.ts";

/** What a benchmark is given. */
export interface BenchContext {
  /** An empty folder of its own on the disk under test; removed at the end. */
  readonly folder: string;
  /** Shorter rounds: for a look, not for the record. */
  readonly quick: boolean;
  /** How far along the benchmark is, 0 to 1, and what it is doing. */
  readonly progress: (share: number, what: string) => void;
}

/** One benchmark, which gives one or more figures. */
export interface Benchmark {
  readonly name: string;
  /** What is measured, in a few words. */
  readonly about: string;
  run(context: BenchContext): Promise<readonly Figure[]>;
}

/** Rounds of each side. */
export const ROUNDS = 5;
