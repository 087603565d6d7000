import type { RiskFactor, RiskLevel } from "../order/result.ts";
import type { CombinedScore } from "./combine-signals.ts";
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

/** What to find out next, by the kind of the suspicion. None of it turns an order away by itself. */
const CHECKS: Readonly<Record<Category, string>> = {
  customer: "Confirm with the customer, by e-mail and by phone, that the order is theirs.",
  address:
    "Ask why the order goes to this address, and check the address-verification result of the payment.",
  technical:
    "Check the payment's authentication result (3-D Secure, security code) before relying on the card.",
  behavioral: "Compare the order with the customer's earlier ones and with others of the same day.",
};

/** What to find out next where a signal asks for something in particular, by the start of its code. */
const PARTICULAR_CHECKS: readonly (readonly [start: string, check: string])[] = [
  [
    "ACCOUNT_TAKEOVER",
    "Reach the customer by the e-mail address or number of earlier orders, not by those of this one.",
  ],
  ["EMAIL_BURST", "Look at this mailbox's other orders of the hour, and decide on them together."],
  [
    "EMAIL_MULTI",
    "Look at the other cards this customer tried, and ask the payment provider about refusals.",
  ],
  ["EMAIL_", "Write to the customer and wait for an answer before shipping."],
  ["PHONE_", "Ask the customer by e-mail for a number that reaches them, and call it."],
  [
    "HOLDER_",
    "Ask the payment provider whether name and address fit the card; a gift or a family card may explain it.",
  ],
  ["CARD_MULTI", "Look at the other orders paid with this card, and decide on them together."],
  [
    "RESHIPPER_",
    "Find out who receives the goods behind the forwarder, and whether the card's owner knows of it.",
  ],
  ["POSTCODE_", "Correct the address with the customer before shipping."],
  ["ADDRESS_NONSENSE", "Correct the address with the customer before shipping."],
  ["ADDR_MULTI", "Look at the other orders to this address, and decide on them together."],
  ["IP_MULTI", "Look at the other orders from this network, and decide on them together."],
  ["GIFT_CARDS", "Release codes and gift cards only once the payment is settled."],
  ["HISTORY_", "Read why the customer's earlier orders were cancelled or sent back."],
];
/** Advice that nobody follows helps nobody. */
const MOST_CHECKS = 3;

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
export function toRiskFactors(seen: readonly SeenSignal[], card: CombinedScore): RiskFactor[] {
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
  card: CombinedScore,
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
    ...(goodSigns.length > 0 && parts.seen.some((signal) => signal.shakesTrust)
      ? ["That counts for less here, because the account may be in other hands."]
      : []),
    ...(card.capped ? ["Kept below critical because too few independent signs agree."] : []),
    `Judged locally on ${Math.round(parts.confidence * 100)} % of what the engine can look at.`,
  ].join(" ");
}

/** What a reviewer can do next: first by the level, then by the strongest factors. Never a refusal: that is a person's decision. */
export function recommend(level: RiskLevel, factors: readonly RiskFactor[]): string[] {
  if (level === "low") return [...BY_LEVEL.low];
  const checks = new Set(factors.map(toCheck));
  return [...BY_LEVEL[level], ...[...checks].slice(0, MOST_CHECKS)];
}

function toCheck({ description, category }: RiskFactor): string {
  const code = /\[([A-Z0-9_]+)\]$/.exec(description)?.[1] ?? "";
  return PARTICULAR_CHECKS.find(([start]) => code.startsWith(start))?.[1] ?? CHECKS[category];
}
