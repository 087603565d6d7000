/** One check of a contract, for any test runner: `test(name, run)`. */
export interface ContractCase {
  /** What is promised, in a sentence. Unique within its suite, and stable. */
  readonly name: string;
  /** Orders it sends that the service may bill; 0 if nothing can be billed. */
  readonly credits: number;
  /** Check it. Rejects with an error that says what was expected and what was found. */
  readonly run: () => Promise<void>;
}

/** A case in which this many orders may be billed. */
export function paid(name: string, credits: number, run: () => Promise<void>): ContractCase {
  return { name, credits, run };
}

/** A case in which nothing can be billed. */
export function free(name: string, run: () => Promise<void>): ContractCase {
  return { name, credits: 0, run };
}
