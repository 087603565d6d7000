import type { VerificationRequest } from "../order/request.ts";
import type { RiskFactor, VerificationResult } from "../order/result.ts";
import { toRiskLevel } from "../order/risk-level.ts";
import { ALL_GROUPS } from "../engine/signals/all-signals.ts";
import { toForcedResult } from "./forced-answer.ts";
import { refuseBody } from "./http.ts";
import type { ForcedOutcome, SandboxCarrier } from "./sandbox-scenarios.ts";

/** Marks an answer as forced, not judged. */
export interface SandboxMark {
  readonly forced: true;
  /** The field of the order that contains the rule. */
  readonly by: SandboxCarrier;
  /** The rule, e.g. `score-73`. */
  readonly rule: string;
}

/** What the sandbox says about an order: the service's fields, and `sandbox` if the answer was forced. */
export type SandboxResult = VerificationResult & { readonly sandbox?: SandboxMark };

/** Judges an order that doesn't force an answer. */
export interface SandboxEngine {
  assess(request: VerificationRequest): VerificationResult;
}

/** Points that a forced signal adds to the score: two of them lift an ordinary order to the next level. */
const FORCED_POINTS = 16;
const FORCED_SEVERITY = "high";

const SIGNALS = new Map(
  ALL_GROUPS.flatMap((group) => group.signals.map((signal) => [signal.code, signal] as const)),
);

/**
 * Judge an order, or give the answer that the order forces. Deterministic.
 *
 * @throws {Refusal} 400 if the order forces signals that the engine doesn't have.
 */
export function judge(
  engine: SandboxEngine,
  request: VerificationRequest,
  forced: ForcedOutcome | undefined,
): SandboxResult {
  const mark = forced && toMark(forced);
  if (forced?.outcome.kind === "score") return { ...toForcedResult(forced.rule, forced.outcome), ...mark };
  const result = toServiceFields(engine.assess(request));
  if (forced?.outcome.kind !== "factors") return { ...result, ...mark };
  return { ...addFactors(result, forced.outcome.codes), ...mark };
}

export function toMark({ by, rule }: ForcedOutcome): { readonly sandbox: SandboxMark } {
  return { sandbox: { forced: true, by, rule } };
}

/** The service answers with these fields and no others, whatever else the engine knows. */
function toServiceFields(assessment: VerificationResult): VerificationResult {
  const { riskScore, riskLevel, riskFactors, reasoning, recommendations } = assessment;
  return { riskScore, riskLevel, riskFactors, reasoning, recommendations };
}

function addFactors(result: VerificationResult, codes: readonly string[]): VerificationResult {
  const unknown = codes.filter((code) => !SIGNALS.has(code));
  if (unknown.length > 0)
    throw refuseBody(`customerEmail: the sandbox's engine has no ${unknown.join(", ")}`);
  const forced = codes.flatMap((code): RiskFactor[] => {
    const signal = SIGNALS.get(code);
    if (signal === undefined) return [];
    const { title, category } = signal;
    return [
      { factor: title, severity: FORCED_SEVERITY, description: `Sandbox: forced. [${code}]`, category },
    ];
  });
  const riskScore = Math.min(100, result.riskScore + FORCED_POINTS * forced.length);
  return {
    ...result,
    riskScore,
    riskLevel: toRiskLevel(riskScore),
    riskFactors: [...forced, ...result.riskFactors],
    reasoning: `Sandbox: ${codes.join(", ")} added to what the order shows. ${result.reasoning}`,
  };
}
