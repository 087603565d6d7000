import type { RiskFactor } from "../order/result.ts";
import { toRiskLevel, type RiskLevel } from "../order/risk-level.ts";
import { SANDBOX_DOMAIN } from "./sandbox-scenarios.ts";
import { recommend } from "./reasons.ts";

const NEW_CUSTOMER: RiskFactor = {
  factor: "First order",
  severity: "low",
  description: "the customer has not ordered here before.",
  category: "customer",
};
const SHIPS_ELSEWHERE: RiskFactor = {
  factor: "Billing and shipping in different countries",
  severity: "medium",
  description: "billing and shipping address do not belong together.",
  category: "address",
};
const ODD_NETWORK: RiskFactor = {
  factor: "Anonymising network",
  severity: "high",
  description: "the customer hides where the order comes from.",
  category: "technical",
};
const THROW_AWAY_MAIL: RiskFactor = {
  factor: "Disposable email domain",
  severity: "critical",
  description: "the email address is at a service that provides disposable inboxes.",
  category: "customer",
};
const MANY_ORDERS: RiskFactor = {
  factor: "Several orders in a short time",
  severity: "high",
  description: "the same card was used with several email addresses.",
  category: "behavioral",
};

const FORCED_FACTORS: Readonly<Record<RiskLevel, readonly RiskFactor[]>> = {
  low: [NEW_CUSTOMER],
  medium: [SHIPS_ELSEWHERE, NEW_CUSTOMER],
  high: [ODD_NETWORK, SHIPS_ELSEWHERE, NEW_CUSTOMER],
  critical: [THROW_AWAY_MAIL, MANY_ORDERS, ODD_NETWORK, SHIPS_ELSEWHERE],
};

/** Typical factors of an answer with this level. */
export function toForcedFactors(level: RiskLevel): RiskFactor[] {
  return FORCED_FACTORS[level].map((factor) => ({
    ...factor,
    description: `Sandbox: ${factor.description}`,
  }));
}

/** The texts of a forced answer. */
export function toForcedTexts(
  rule: string,
  score: number,
  factors: readonly RiskFactor[],
): { readonly reasoning: string; readonly recommendations: string[] } {
  const level = toRiskLevel(score);
  const asker = rule.startsWith("card-")
    ? `a card that ends in ${rule.slice(-4)}`
    : `the email address "${rule}@${SANDBOX_DOMAIN}"`;
  return {
    reasoning: `Sandbox: ${asker} asks for a score of ${score} (${level}).`,
    recommendations: recommend(level, factors),
  };
}
