import type { FieldProblem } from "../base/errors.ts";
import { ALL_GROUPS } from "../engine/signals/catalog.ts";
import type { Policy } from "./policy.ts";

const CODES: ReadonlySet<string> = new Set(
  ALL_GROUPS.flatMap(({ signals }) => signals.map(({ code }) => code)),
);

/**
 * Own weights of signals that the local engine doesn't have, such as misspelled ones. A policy with such weights stays usable, as it
 * outlives the engine's version: this is asked before one is saved or tried.
 *
 * @param kept - The policy in force; nobody has to remove what is in it already.
 * @returns One problem per code, at `localWeights.CODE`.
 */
export function findUnknownSignals(
  { localWeights = {} }: Policy,
  kept: Policy | null = null,
): readonly FieldProblem[] {
  return Object.keys(localWeights)
    .filter((code) => !CODES.has(code) && !Object.hasOwn(kept?.localWeights ?? {}, code))
    .map((code) => ({
      path: `localWeights.${code}`,
      message: "The local engine has no such signal. docs/local-engine.md lists them.",
    }));
}
