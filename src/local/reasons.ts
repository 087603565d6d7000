import type { RiskFactor, RiskLevel } from "../verification/result.ts";
import type { Scorecard } from "./scorecard.ts";
import type { SeenSignal } from "./signal.ts";

/** Signals below this many points explain nothing to a reviewer. */
const FACTOR_POINTS = 3;
const SEVERITIES = [
  { from: 30, severity: "critical" },
  { from: 16, severity: "high" },
  { from: 8, severity: "medium" },
] as const;
const TOP_FACTORS = 3;

type Category = RiskFactor["category"];

/** What to find out next, by what the suspicion rests on. None of it turns an order away by itself. */
const CHECKS: Readonly<Record<Category, string>> = {
  customer: "Confirm with the customer, by e-mail and by phone, that the order is theirs.",
  address:
    "Ask why the order goes to this address, and check the address-verification result of the payment.",
  technical:
    "Check the payment's authentication result (3-D Secure, security code) before relying on the card.",
  behavioral: "Compare the order with the customer's earlier ones and with others of the same day.",
};

const BY_LEVEL: Readonly<Record<RiskLevel, readonly string[]>> = {
  low: ["Process the order as usual."],
  medium: ["Have a person look at the order before it ships."],
  high: [
    "Hold shipment until a person has verified the order.",
    "Call the customer on a number found independently of the order.",
    "When it ships: with signature, and without a change of address on the way.",
  ],
  critical: [
    "Do not ship before a person has verified the customer's identity.",
    "Call the customer on a number found independently of the order.",
    "Keep the evidence: the order, the payment's authentication result and any correspondence.",
    "Let a person decide whether to refuse the order; this answer alone is no ground for it.",
  ],
};

/** How serious a signal is by itself. */
export function toSeverity(points: number): RiskLevel {
  return SEVERITIES.find((step) => points >= step.from)?.severity ?? "low";
}

/** The risk factors of an answer, strongest contribution first. The code ends the description. */
export function toRiskFactors(seen: readonly SeenSignal[], card: Scorecard): RiskFactor[] {
  const byCode = new Map(seen.map((signal) => [signal.code, signal]));
  return card.contributions.flatMap(({ code, points }) => {
    const signal = byCode.get(code);
    if (signal === undefined || points < FACTOR_POINTS) return [];
    return [
      {
        factor: signal.title,
        severity: toSeverity(points),
        description: `${signal.description} [${code}]`,
        category: signal.category,
      },
    ];
  });
}

/** Why the answer is what it is, in a few sentences. */
export function writeReasoning(
  level: RiskLevel,
  card: Scorecard,
  parts: {
    readonly factors: readonly RiskFactor[];
    readonly seen: readonly SeenSignal[];
    readonly confidence: number;
  },
): string {
  const top = parts.factors.slice(0, TOP_FACTORS).map(({ factor }) => factor);
  const more = parts.factors.length - top.length;
  const goodSigns = parts.seen.filter((signal) => signal.points < 0).map((signal) => signal.description);
  return [
    `${level.charAt(0).toUpperCase()}${level.slice(1)} risk: ${card.score} of 100.`,
    top.length === 0
      ? "Nothing about the order stands out."
      : `What counts most: ${top.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`,
    ...(goodSigns.length === 0 ? [] : [`In the customer's favour: ${goodSigns.join("; ")}.`]),
    ...(card.capped ? ["Kept below critical because too few independent signs agree."] : []),
    `Judged locally on ${Math.round(parts.confidence * 100)} % of what the engine can look at.`,
  ].join(" ");
}

/** What a reviewer can do next. Never a refusal: that is a person's decision. */
export function recommend(level: RiskLevel, factors: readonly RiskFactor[]): string[] {
  const [first] = factors;
  if (level === "low" || first === undefined) return [...BY_LEVEL[level]];
  return [...BY_LEVEL[level], CHECKS[first.category]];
}
