import { fail } from "node:assert/strict";
import { z } from "zod";

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

/** A value in the promised shape. Fails with the fields at fault, without their values. */
export function expectShape<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : fail(`expected another shape:\n${z.prettifyError(parsed.error)}`);
}
