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

/** The stable code that ends a factor's description in brackets, if it has one: the local engine's factors do. */
export function readFactorCode(description: string): string | undefined {
  return /\[([A-Z][A-Z\d_]*)\]$/.exec(description)?.[1];
}

/** An answer without its free text, which may name somebody. What policies use stays, so it decides the same. */
export function withoutTexts({ riskLevel, riskScore, riskFactors }: VerificationResult): VerificationResult {
  const named = riskFactors.map(({ severity, category, description }): RiskFactor => {
    const code = readFactorCode(description);
    const name = code === undefined ? "" : `[${code}]`;
    return { factor: code ?? category, severity, category, description: name };
  });
  return { riskLevel, riskScore, riskFactors: named, reasoning: "", recommendations: [] };
}
