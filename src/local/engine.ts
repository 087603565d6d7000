import type { PartialVerificationRequest } from "../order/request.ts";
import { toRiskLevel, type VerificationResult } from "../verification/result.ts";
import type { Verifier } from "../verification/verifier.ts";
import { toOrderFacts, type OrderFacts } from "./order-facts.ts";
import { recommend, toRiskFactors, writeReasoning } from "./reasons.ts";
import { findSandboxScenario, toForcedFactors, toForcedTexts } from "./sandbox.ts";
import { combineSignals, ORDINARY_FRAUD_RATE, toBasePoints, type Scorecard } from "./scorecard.ts";
import { EVIDENCE_GROUPS, observeSignals } from "./signals/catalog.ts";
import { toIpFault } from "./signals/ip.ts";

/** Version of the signals and their weights. Changes whenever the same order could be judged differently. */
export const ENGINE_VERSION = "1.0.0";

/** Options of {@link createLocalEngine}. */
export interface LocalEngineOptions {
  /**
   * Answer the e-mail addresses of `SANDBOX_SCENARIOS` with the score they ask for, and do not hold test data
   * (reserved domains and numbers, published test cards) against any other order. Never set it where real orders go.
   *
   * @default false
   */
  readonly sandbox?: boolean | undefined;
  /** Clock, for orders that do not tell their time. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Share of the shop's orders that are fraud, between 0 and 1. Moves every score up or down. @default 0.015 */
  readonly priorFraudRate?: number | undefined;
}

/** An answer of the local engine: the service's fields and how they came about. */
export type LocalAssessment = VerificationResult & {
  readonly engine: { readonly version: string };
  /** Share of the sides of an order that could be looked at, 0 to 1. */
  readonly confidence: number;
  /** What was not looked at, in words for a reviewer. */
  readonly limitations: readonly string[];
  /** The sum behind the score. */
  readonly scorecard: Scorecard;
  /** Set when the answer was asked for and not judged. */
  readonly sandbox?: { readonly forced: true; readonly by: "customerEmail"; readonly rule: string };
};

/** Judges orders without a network. Made by {@link createLocalEngine}. */
export interface LocalEngine extends Verifier {
  readonly source: "local";
  /** Judge what is known of an order. Pure: the same order gives the same answer. Never throws, whatever it is given. */
  assess(known: PartialVerificationRequest): LocalAssessment;
}

/** What no order can tell and the engine has no data for. */
const NEVER_CHECKED: readonly string[] = [
  "Whether e-mail address and phone number can be reached is not looked up.",
  "Orders of other customers are not compared with this one.",
];
const NO_TIME = "The order has no time of its own; the clock's was used.";

/**
 * Create the local engine: points for what speaks for fraud, credit for what speaks for the customer, a score and
 * its reasons.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` when `priorFraudRate` is not between 0 and 1.
 */
export function createLocalEngine(options: LocalEngineOptions = {}): LocalEngine {
  const { sandbox = false, now = Date.now, priorFraudRate = ORDINARY_FRAUD_RATE } = options;
  const base = toBasePoints(priorFraudRate);

  function assess(known: PartialVerificationRequest): LocalAssessment {
    return (
      (sandbox ? toForcedAssessment(known) : undefined) ?? judge(toOrderFacts(known, { sandbox, now }), base)
    );
  }

  return {
    source: "local",
    assess,
    async verify(request) {
      return { result: assess(request) };
    },
  };
}

function judge(facts: OrderFacts, base: number): LocalAssessment {
  const seen = observeSignals(facts);
  const scorecard = combineSignals(seen, base);
  const riskLevel = toRiskLevel(scorecard.score);
  const riskFactors = toRiskFactors(seen, scorecard);
  const known = EVIDENCE_GROUPS.filter((group) => group.isKnown(facts));
  const confidence = Math.round((100 * known.length) / EVIDENCE_GROUPS.length) / 100;
  return {
    riskScore: scorecard.score,
    riskLevel,
    riskFactors,
    reasoning: writeReasoning(riskLevel, scorecard, { factors: riskFactors, seen, confidence }),
    recommendations: recommend(riskLevel, riskFactors),
    engine: { version: ENGINE_VERSION },
    confidence,
    limitations: listLimitations(facts),
    scorecard,
  };
}

function listLimitations(facts: OrderFacts): readonly string[] {
  const unknown = EVIDENCE_GROUPS.filter((group) => !group.isKnown(facts)).map((group) => group.limitation);
  const ipFault = toIpFault(facts);
  return [
    ...(facts.timeKnown ? [] : [NO_TIME]),
    ...unknown,
    ...(ipFault === null ? [] : [ipFault]),
    ...NEVER_CHECKED,
  ];
}

function toForcedAssessment(known: PartialVerificationRequest): LocalAssessment | undefined {
  const scenario = findSandboxScenario(known);
  if (scenario?.outcome.kind !== "score") return undefined;
  const { score, level } = scenario.outcome;
  const riskFactors = toForcedFactors(level);
  return {
    riskScore: score,
    riskLevel: level,
    riskFactors,
    ...toForcedTexts(scenario.rule, score, riskFactors),
    engine: { version: ENGINE_VERSION },
    confidence: 1,
    limitations: ["The score was asked for; nothing of the order was looked at."],
    scorecard: { base: score, contributions: [], trust: 0, total: score, score, capped: false },
    sandbox: { forced: true, by: "customerEmail", rule: scenario.rule },
  };
}
