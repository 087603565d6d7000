import type { PartialVerificationRequest } from "../order/request.ts";
import { toRiskLevel, type RiskFactor, type RiskLevel } from "../verification/result.ts";
import { recommend } from "./reasons.ts";

/** Domain of the sandbox's e-mail addresses. Reserved (RFC 2606), so it can never belong to a customer. */
export const SANDBOX_DOMAIN = "risk.example";

/** What an e-mail address makes the sandbox do. */
export type SandboxOutcome =
  /** Answer with this score. */
  | { readonly kind: "score"; readonly score: number; readonly level: RiskLevel }
  /** Refuse with this HTTP status; `metered` as the service would. */
  | {
      readonly kind: "status";
      readonly status: 400 | 401 | 402 | 403 | 429 | 500 | 503;
      readonly metered: boolean;
    }
  /** Never answer. */
  | { readonly kind: "silence" }
  /** Answer 200 with a body that is not JSON. */
  | { readonly kind: "malformed" }
  /** Answer as always, this much later. */
  | { readonly kind: "delay"; readonly delayMs: number };

/** One line of the sandbox's table. */
export interface SandboxScenario {
  /** Upper and lower case are the same. */
  readonly customerEmail: string;
  /** The part before the @; names the line in forced answers. */
  readonly rule: string;
  readonly outcome: SandboxOutcome;
}

/** Errors below 500 that stop a request before any work is done are not billed. */
const UNMETERED: ReadonlySet<number> = new Set([401, 402, 403, 429]);

/**
 * Everything the sandbox can be made to do, by customer e-mail. Scores work in the local engine and in the sandbox
 * service, the rest only in the service. Nothing of this exists outside the sandbox.
 */
export const SANDBOX_SCENARIOS: readonly SandboxScenario[] = Object.freeze([
  toScore("low", 12),
  toScore("medium", 45),
  toScore("high", 73),
  toScore("critical", 93),
  ...Array.from({ length: 101 }, (_, score) => toScore(`score-${score}`, score)),
  ...([400, 401, 402, 403, 429, 500, 503] as const).map((status) =>
    toScenario(`error-${status}`, { kind: "status", status, metered: !UNMETERED.has(status) }),
  ),
  toScenario("timeout", { kind: "silence" }),
  toScenario("malformed", { kind: "malformed" }),
  toScenario("slow-2500", { kind: "delay", delayMs: 2_500 }),
]);

const BY_EMAIL: ReadonlyMap<string, SandboxScenario> = new Map(
  SANDBOX_SCENARIOS.map((scenario) => [scenario.customerEmail, scenario]),
);

/** The table's line for an order, if its e-mail address is one of the sandbox's. */
export function findSandboxScenario(order: PartialVerificationRequest): SandboxScenario | undefined {
  const email: unknown = (order as { readonly customerEmail?: unknown } | null | undefined)?.customerEmail;
  return typeof email === "string" ? BY_EMAIL.get(email.trim().toLowerCase()) : undefined;
}

/** Factors such as an answer of this level would carry. */
export function toForcedFactors(level: RiskLevel): RiskFactor[] {
  return FORCED_FACTORS[level].map((factor) => ({
    ...factor,
    description: `Sandbox: ${factor.description}`,
  }));
}

/** What a forced answer says in words. */
export function toForcedTexts(
  rule: string,
  score: number,
  factors: readonly RiskFactor[],
): { readonly reasoning: string; readonly recommendations: string[] } {
  const level = toRiskLevel(score);
  return {
    reasoning: `Sandbox: the e-mail address "${rule}@${SANDBOX_DOMAIN}" asks for a score of ${score} (${level}).`,
    recommendations: recommend(level, factors),
  };
}

function toScenario(rule: string, outcome: SandboxOutcome): SandboxScenario {
  return { customerEmail: `${rule}@${SANDBOX_DOMAIN}`, rule, outcome };
}

function toScore(rule: string, score: number): SandboxScenario {
  return toScenario(rule, { kind: "score", score, level: toRiskLevel(score) });
}

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
  factor: "Disposable e-mail domain",
  severity: "critical",
  description: "the e-mail address is at a service that hands out throw-away inboxes.",
  category: "customer",
};
const MANY_ORDERS: RiskFactor = {
  factor: "Several orders in a short time",
  severity: "high",
  description: "the same card was used with several e-mail addresses.",
  category: "behavioral",
};

const FORCED_FACTORS: Readonly<Record<RiskLevel, readonly RiskFactor[]>> = {
  low: [NEW_CUSTOMER],
  medium: [SHIPS_ELSEWHERE, NEW_CUSTOMER],
  high: [ODD_NETWORK, SHIPS_ELSEWHERE, NEW_CUSTOMER],
  critical: [THROW_AWAY_MAIL, MANY_ORDERS, ODD_NETWORK, SHIPS_ELSEWHERE],
};
