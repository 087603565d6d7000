import type { VerificationRequest } from "../order/request.ts";
import type { RiskFactor, VerificationResult } from "../order/result.ts";
import { toRiskLevel } from "../order/risk-level.ts";
import { toForcedFactors, toForcedTexts } from "../engine/forced-answer.ts";
import type { ForcedOutcome, SandboxCarrier, SandboxOutcome } from "../engine/sandbox-scenarios.ts";
import { ALL_GROUPS } from "../engine/signals/all-signals.ts";

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

/** A result, or the requested signals that the engine doesn't have. */
export type Scoring =
  | { readonly outcome: "judged"; readonly result: SandboxResult }
  | { readonly outcome: "unknown-codes"; readonly codes: readonly string[] };

/** Judges an order that doesn't force an answer. */
export interface SandboxEngine {
  assess(request: VerificationRequest): VerificationResult;
}

/** Judges an order, or gives the answer that the order forces. Deterministic. */
export type Scorer = (request: VerificationRequest, forced: ForcedOutcome | undefined) => Scoring;

/** Points that a forced signal adds to the score: two of them lift an ordinary order to the next level. */
const FORCED_POINTS = 16;
const FORCED_SEVERITY = "high";

type KnownSignals = ReadonlyMap<
  string,
  { readonly title: string; readonly category: RiskFactor["category"] }
>;

/** Create the {@link Scorer} of a service. */
export function createScorer(engine: SandboxEngine): Scorer {
  const signals: KnownSignals = new Map(
    ALL_GROUPS.flatMap((group) => group.signals.map((signal) => [signal.code, signal] as const)),
  );

  return (request, forced) => {
    const mark = forced && toMark(forced);
    if (forced?.outcome.kind === "score") {
      return judged({ ...toForcedResult(forced.rule, forced.outcome), ...mark });
    }
    const result = toServiceFields(engine.assess(request));
    if (forced?.outcome.kind !== "factors") return judged({ ...result, ...mark });
    const { codes } = forced.outcome;
    const unknown = codes.filter((code) => !signals.has(code));
    if (unknown.length > 0) return { outcome: "unknown-codes", codes: unknown };
    return judged({ ...addFactors(result, codes, signals), ...mark });
  };
}

function judged(result: SandboxResult): Scoring {
  return { outcome: "judged", result };
}

/** The mark of a forced answer. */
export function toMark({ by, rule }: ForcedOutcome): { readonly sandbox: SandboxMark } {
  return { sandbox: { forced: true, by, rule } };
}

/** The service answers with these fields and no others, whatever else the engine knows. */
function toServiceFields(assessment: VerificationResult): VerificationResult {
  const { riskScore, riskLevel, riskFactors, reasoning, recommendations } = assessment;
  return { riskScore, riskLevel, riskFactors, reasoning, recommendations };
}

function toForcedResult(
  rule: string,
  forced: Extract<SandboxOutcome, { kind: "score" }>,
): VerificationResult {
  const { score: riskScore, level: riskLevel, advice = [] } = forced;
  const riskFactors = toForcedFactors(riskLevel);
  const { reasoning, recommendations } = toForcedTexts(rule, riskScore, riskFactors);
  return {
    riskScore,
    riskLevel,
    riskFactors,
    reasoning,
    recommendations: [advice, ...recommendations].flat(),
  };
}

function addFactors(
  result: VerificationResult,
  codes: readonly string[],
  signals: KnownSignals,
): VerificationResult {
  const forced = codes.flatMap((code): RiskFactor[] => {
    const signal = signals.get(code);
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
