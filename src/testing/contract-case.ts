/** One check of a contract, for any test runner: `test(name, run)`. */
export interface ContractCase {
  /** What is promised, in a sentence. Unique within its suite, and stable. */
  readonly name: string;
  /** Orders it sends that the service may bill; 0 where nothing can be billed. */
  readonly credits: number;
  /** Check it. Rejects with an error that says what was expected and what was found. */
  readonly run: () => Promise<void>;
}
