import type { CheckedOrder } from "./order-check.ts";

const SHOWN = 5;
const SEVERITIES = ["critical", "high", "medium", "low"] as const;
const TONES = { critical: "critical", high: "warning", medium: "caution", low: "neutral" } as const;

/** The factors that raise the risk, most serious first. */
export function FactorList({ factors }: Pick<CheckedOrder, "factors">) {
  if (factors.length === 0) return null;
  const sorted = SEVERITIES.flatMap((level) => factors.filter(({ severity }) => severity === level));
  const rest = sorted.length - SHOWN;
  return (
    <s-stack direction="block" gap="small">
      {sorted.slice(0, SHOWN).map(({ factor, severity, description }) => (
        <s-stack key={factor + description} direction="inline" gap="small" alignItems="center">
          <s-badge tone={TONES[severity]}>{severity}</s-badge>
          <s-text>{description || factor}</s-text>
        </s-stack>
      ))}
      {rest > 0 && <s-text color="subdued">{`${rest} more in Holdfast`}</s-text>}
    </s-stack>
  );
}
