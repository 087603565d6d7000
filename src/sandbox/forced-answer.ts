import { recommend } from "../engine/reasons.ts";
import type { RiskFactor, VerificationResult } from "../order/result.ts";
import type { RiskLevel } from "../order/risk-level.ts";
import { SANDBOX_DOMAIN, type SandboxOutcome } from "./sandbox-scenarios.ts";

const NEW_CUSTOMER: RiskFactor = {
  factor: "First order",
  severity: "low",
  description: "The customer has not ordered here before.",
  category: "customer",
};
const SHIPS_ELSEWHERE: RiskFactor = {
  factor: "Billing and shipping in different countries",
  severity: "medium",
  description: "The order ships to another country than it is billed in.",
  category: "address",
};
const ODD_NETWORK: RiskFactor = {
  factor: "Anonymizing network",
  severity: "high",
  description: "The order came through a network that hides where people are.",
  category: "technical",
};
const THROW_AWAY_MAIL: RiskFactor = {
  factor: "Disposable email domain",
  severity: "critical",
  description: "The email address is at a service that provides disposable inboxes.",
  category: "customer",
};
const MANY_ORDERS: RiskFactor = {
  factor: "Several orders in a short time",
  severity: "high",
  description: "The same card was used with several email addresses.",
  category: "behavioral",
};

const FORCED_FACTORS: Readonly<Record<RiskLevel, readonly RiskFactor[]>> = {
  low: [NEW_CUSTOMER],
  medium: [SHIPS_ELSEWHERE, NEW_CUSTOMER],
  high: [ODD_NETWORK, SHIPS_ELSEWHERE, NEW_CUSTOMER],
  critical: [THROW_AWAY_MAIL, MANY_ORDERS, ODD_NETWORK, SHIPS_ELSEWHERE],
};

/** The answer to an order that asks for a score, with typical factors of its level. */
export function toForcedResult(
  rule: string,
  { score, level, advice }: Extract<SandboxOutcome, { readonly kind: "score" }>,
): VerificationResult {
  const riskFactors = FORCED_FACTORS[level].map((factor) => ({
    ...factor,
    description: `Sandbox: ${factor.description}`,
  }));
  const asker = rule.startsWith("card-")
    ? `a card that ends in ${rule.slice(-4)}`
    : `the email address "${rule}@${SANDBOX_DOMAIN}"`;
  return {
    riskScore: score,
    riskLevel: level,
    riskFactors,
    reasoning: `Sandbox: ${asker} asks for a score of ${score} (${level}).`,
    recommendations: [...(advice === undefined ? [] : [advice]), ...recommend(level, riskFactors)],
  };
}
