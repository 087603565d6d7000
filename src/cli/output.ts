/** Where a command writes. */
export interface Output {
  /** A line for the reader, on standard output. */
  line(text: string): void;
  /** A line about what went wrong, on standard error. */
  problem(text: string): void;
}

/** The terminal. */
export const TERMINAL: Output = {
  line: (text) => void process.stdout.write(`${text}\n`),
  problem: (text) => void process.stderr.write(`${text}\n`),
};
