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

export function toRiskLevel(score: number): RiskLevel {
  return RISK_LEVELS.find((level) => score <= RISK_BANDS[level][1]) ?? "critical";
}

/** Whether the score is in its level's band. If not, the level decides and the caller logs it. */
export function isScoreInBand(result: {
  readonly riskScore: number;
  readonly riskLevel: RiskLevel;
}): boolean {
  return toRiskLevel(result.riskScore) === result.riskLevel;
}
