import { z } from "zod";
import { RISK_LEVELS } from "./risk-level.ts";

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
