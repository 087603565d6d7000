import { z } from "zod";
import { toMachineDecision, type Decision } from "../../../order/decision.ts";
import { REASON_CODES, splitReason, type ReasonCode } from "../../../order/reasons.ts";
import type { RiskFactor, VerificationResult } from "../../../order/result.ts";
import { RISK_LEVELS, type RiskLevel } from "../../../order/risk-level.ts";

const severity = z.enum(RISK_LEVELS);

export const reasonJson = z.object({
  code: z.enum(REASON_CODES),
  detail: z.string().describe("such as the rule's name; empty if the code has none"),
});
export type ReasonJson = z.infer<typeof reasonJson>;

export const chipJson = z.discriminatedUnion("kind", [
  reasonJson.extend({ kind: z.literal("reason"), severity }),
  z.object({ kind: z.literal("factor"), factor: z.string(), severity, description: z.string() }),
]);
export type Chip = z.infer<typeof chipJson>;

/** The most chips of an order. */
export const MOST_CHIPS = 5;

/** Reasons that a reviewer should see first. The sentence or the risk level says the others. */
const SHOWN: Readonly<Partial<Record<ReasonCode, RiskLevel>>> = {
  dispute: "critical",
  rule: "high",
  blocked: "critical",
  burst: "high",
  deadline: "high",
  "hold-released": "medium",
  "policy-changed": "medium",
  "hold-kept": "medium",
  "opted-out": "medium",
  "no-policy-saved": "medium",
  "local-never-cancels": "medium",
  "held-to-check": "medium",
  "too-little-known": "medium",
  unavailable: "medium",
  degraded: "medium",
  channel: "low",
  trusted: "low",
  snoozed: "low",
};
const CODES = Object.keys(SHOWN) as readonly ReasonCode[];

/** Why an order is judged as it is: what decided first, then the most serious factors. Pure. */
export function toChips(decision: Decision | null, result: VerificationResult | null): readonly Chip[] {
  return [...toReasonChips(decision), ...toFactorChips(result)].slice(0, MOST_CHIPS);
}

/** Of a person's decision too, Holdfast's own reasons count: those are why a person had to decide. */
function toReasonChips(decision: Decision | null): readonly Chip[] {
  if (decision === null) return [];
  // The sentence says that nobody judged it.
  const isUnjudged = decision.riskLevel === null;
  const own = decision.reasons.filter((reason) => splitReason(reason).code !== "person");
  const all = new Set([...own, ...toMachineDecision(decision).reasons]);
  return [...all]
    .map((reason) => splitReason(reason))
    .flatMap(({ code, detail }): readonly Chip[] => {
      const shown = code === null ? undefined : SHOWN[code];
      const isSaid = isUnjudged && (code === "degraded" || code === "unavailable");
      return code === null || shown === undefined || isSaid
        ? []
        : [{ kind: "reason", code, detail, severity: toSeverity(code, shown, decision) }];
    })
    .toSorted((one, other) => toRank(one) - toRank(other));
}

/** A rule that lets an order pass is no warning. */
function toSeverity(code: ReasonCode, shown: RiskLevel, { action }: Decision): RiskLevel {
  return code === "rule" && action === "allow" ? "low" : shown;
}

function toRank(chip: Chip): number {
  return chip.kind === "reason" ? CODES.indexOf(chip.code) : CODES.length;
}

/** Harmless factors only if there are no others. */
function toFactorChips(result: VerificationResult | null): readonly Chip[] {
  const factors = (result?.riskFactors ?? []).toSorted((one, other) => toGravity(other) - toGravity(one));
  const serious = factors.filter((one) => one.severity !== "low");
  return (serious.length > 0 ? serious : factors).map(({ factor, severity: level, description }) => {
    return { kind: "factor", factor, severity: level, description };
  });
}

function toGravity({ severity: level }: RiskFactor): number {
  return RISK_LEVELS.indexOf(level);
}
