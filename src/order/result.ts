import { z } from "zod";

/** Risk levels of the service, mildest first. Branch on these, never on the score. */
export const RISK_LEVELS = ["low", "medium", "high", "critical"] as const;
/** A risk level of the service. */
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** The fixed score band of each level, both ends included. */
export const RISK_BANDS: Readonly<Record<RiskLevel, readonly [min: number, max: number]>> = {
  low: [0, 30],
  medium: [31, 60],
  high: [61, 85],
  critical: [86, 100],
};

/** What a risk factor can be about. */
export const RISK_CATEGORIES = ["customer", "address", "technical", "behavioral"] as const;

const riskFactorSchema = z.object({
  factor: z.string(),
  severity: z.enum(RISK_LEVELS),
  description: z.string(),
  category: z.enum(RISK_CATEGORIES),
});

/**
 * An answer with everything that the interface promises; unknown keys are dropped. Incomplete answers are accepted too:
 * `readResult` needs only their level.
 */
export const verificationResultSchema = z.object({
  riskScore: z.number().min(0).max(100),
  riskLevel: z.enum(RISK_LEVELS),
  riskFactors: z.array(riskFactorSchema),
  reasoning: z.string(),
  recommendations: z.array(z.string()),
});

/** What the verification service, or the local engine instead, says about an order. */
export type VerificationResult = z.infer<typeof verificationResultSchema>;
/** One reason inside a {@link VerificationResult}. */
export type RiskFactor = VerificationResult["riskFactors"][number];

/** The level whose band holds `score`. */
export function toRiskLevel(score: number): RiskLevel {
  return RISK_LEVELS.find((level) => score <= RISK_BANDS[level][1]) ?? "critical";
}

/** Whether the score is in its level's band. If not, the level decides and the caller logs it. */
export function isScoreInBand(result: Pick<VerificationResult, "riskScore" | "riskLevel">): boolean {
  return toRiskLevel(result.riskScore) === result.riskLevel;
}
