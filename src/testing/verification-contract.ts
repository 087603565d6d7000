import { toAccessCases } from "./access-cases.ts";
import { toAnswerCases, toScarcityCases } from "./answer-cases.ts";
import type { ContractCase } from "./contract-case.ts";
import { toRequestCases } from "./request-cases.ts";
import { createServiceCaller, type ServiceUnderTest } from "./service-caller.ts";

/** Options of {@link verificationServiceContract}. */
export interface VerificationServiceContractOptions extends ServiceUnderTest {
  /** A key with credits: the cases' `credits` add up to what the suite can cost. */
  readonly apiKey: string;
  /** Slug or id of the organization to work in. @default the first that the key reaches */
  readonly organization?: string | undefined;
  /** A key of the same organization without credits; without it the 402 is not checked. */
  readonly emptyKey?: string | undefined;
  /** A separate key with a limit of at most 1000 requests, all of which are used; without it the 429 is not checked. */
  readonly limitedKey?: string | undefined;
}

/**
 * What the order verification service's interface promises, as cases for any test runner. The orders they send are made
 * up. Cases can run in any order, and at the same time, except the one that uses up `limitedKey`.
 */
export function verificationServiceContract(
  options: VerificationServiceContractOptions,
): readonly ContractCase[] {
  const caller = createServiceCaller(options, options.organization);
  return [
    ...toAccessCases(caller, options),
    ...toAnswerCases(caller),
    ...toRequestCases(caller),
    ...toScarcityCases(caller, { emptyKey: options.emptyKey, limitedKey: options.limitedKey }),
  ];
}
