import type { VerificationRequest } from "../../src/order/request.ts";
import type { VerificationAnswer, Verifier } from "../../src/service/client.ts";
import { aResult } from "./orders.ts";
import { until } from "./until.ts";

/** A verifier under the test's control: records its calls and answers when told. */
export interface ScriptedVerifier extends Verifier {
  readonly calls: readonly VerificationRequest[];
  /** Resolves when the `n`-th call has been made. */
  called(n: number): Promise<void>;
}

/** Create a {@link ScriptedVerifier}; `answer` gets the number of the call, from 1. */
export function createScriptedVerifier(
  answer: (
    call: number,
    request: VerificationRequest,
  ) => VerificationAnswer | Promise<VerificationAnswer> = () => ({
    result: aResult(),
  }),
): ScriptedVerifier {
  const calls: VerificationRequest[] = [];
  return {
    calls,
    async verify(request) {
      calls.push(request);
      return answer(calls.length, request);
    },
    async called(n) {
      await until(() => calls.length >= n, { what: `the verifier's call ${n}` });
    },
  };
}
