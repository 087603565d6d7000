import type { RiskFactor } from "../order/result.ts";
import type { RiskLevel } from "../order/risk-level.ts";
import type { CombinedScore, Contribution } from "./combine-signals.ts";
import type { SeenSignal } from "./signals/signal.ts";

/** Signals below this many points don't help a reviewer. */
const FACTOR_POINTS = 3;
const SEVERITIES = [
  { from: 30, severity: "critical" },
  { from: 16, severity: "high" },
  { from: 8, severity: "medium" },
] as const;
const TOP_FACTORS = 3;

type Category = RiskFactor["category"];

/** What to check next, by kind of suspicion. Never says to refuse the order: a person decides that. */
const CHECKS: Readonly<Record<Category, string>> = {
  customer: "Confirm the order with the customer by email and phone.",
  address:
    "Ask the customer why the order ships to this address, and check the payment's address verification (AVS) result.",
  technical:
    "Check the payment's authentication result (3-D Secure, security code) before relying on the card.",
  behavioral: "Compare the order with the customer's earlier orders and with other orders of the same day.",
};

/** What to check next for particular signals, by the start of their code. */
const PARTICULAR_CHECKS: readonly (readonly [start: string, check: string])[] = [
  [
    "ACCOUNT_TAKEOVER",
    "Contact the customer with the email address or phone number of earlier orders, not of this order.",
  ],
  [
    "THREE_NAMES",
    "Ask the customer whose card it is, by the email address or phone number of the cardholder where you have one.",
  ],
  ["EMAIL_BURST", "Review this mailbox's other orders of the last hour together with this one."],
  [
    "EMAIL_MULTI",
    "Check which other cards this customer tried, and ask the payment provider about declines.",
  ],
  ["EMAIL_", "Email the customer and wait for a reply before you ship."],
  ["PHONE_", "Ask the customer by email for a working phone number, and call it."],
  [
    "HOLDER_",
    "Ask the payment provider whether the name and address match the card. It may be a gift or a family card.",
  ],
  ["CARD_MULTI_", "Review the other orders paid with this card together with this one."],
  [
    "RESHIPPER_",
    "Find out who receives the goods from the forwarder, and whether the cardholder knows about it.",
  ],
  ["POSTCODE_", "Correct the address with the customer before you ship."],
  ["ADDRESS_NONSENSE", "Correct the address with the customer before you ship."],
  ["ADDR_MULTI", "Review the other orders to this address together with this one."],
  ["IP_MULTI", "Review the other orders from this network together with this one."],
  ["GIFT_CARDS", "Release codes and gift cards only after the payment has settled."],
  ["HISTORY_", "Check why the customer's earlier orders were canceled or returned."],
];
/** Nobody follows more. */
const MOST_CHECKS = 3;

const BY_LEVEL: Readonly<Record<RiskLevel, readonly string[]>> = {
  low: ["Process the order as usual."],
  medium: ["Review the order before it ships."],
  high: [
    "Don't ship until someone has verified the order.",
    "Call the customer on a phone number that you find independently of the order.",
    "If you ship it, require a signature and don't allow address changes in transit.",
  ],
  critical: [
    "Don't ship until someone has verified the customer's identity.",
    "Call the customer on a phone number that you find independently of the order.",
    "Keep the evidence: the order, the payment's authentication result and all correspondence.",
    "Have someone decide whether to refuse the order. This result alone is no reason to refuse it.",
  ],
};

/** How serious a signal is by itself. */
export function toSeverity(points: number): RiskLevel {
  return SEVERITIES.find((step) => points >= step.from)?.severity ?? "low";
}

/** The signals with at least {@link FACTOR_POINTS} in an answer's score, strongest first, with their points in it. */
export function findCauses(seen: readonly SeenSignal[], card: CombinedScore): SeenSignal[] {
  const byCode = new Map(seen.map((signal) => [signal.code, signal]));
  return listCauses(card).flatMap(({ code, points }) => {
    const signal = byCode.get(code);
    return signal === undefined ? [] : [{ ...signal, points }];
  });
}

/** The contributions to a score that its answer names as risk factors. */
export function listCauses({ contributions }: CombinedScore): readonly Contribution[] {
  return contributions.filter(({ points }) => points >= FACTOR_POINTS);
}

/** A cause as a risk factor of the answer. The code ends the description. */
export function toRiskFactor({ code, title, points, description, category }: SeenSignal): RiskFactor {
  return { factor: title, severity: toSeverity(points), description: `${description} [${code}]`, category };
}

export function writeReasoning(
  level: RiskLevel,
  card: CombinedScore,
  parts: {
    readonly factors: readonly RiskFactor[];
    readonly seen: readonly SeenSignal[];
    readonly confidence: number;
    /** Whether the shop's own weights changed a signal that was seen. */
    readonly isWeighed: boolean;
  },
): string {
  const top = parts.factors.slice(0, TOP_FACTORS).map(({ factor }) => factor);
  const more = parts.factors.length - top.length;
  const goodSigns = parts.seen.filter((signal) => signal.points < 0).map((signal) => signal.description);
  return [
    `${level.charAt(0).toUpperCase()}${level.slice(1)} risk: ${card.score} of 100.`,
    top.length === 0
      ? "Nothing about the order stands out."
      : `Main factors: ${top.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`,
    ...(goodSigns.length === 0 ? [] : [`In the customer's favor: ${goodSigns.join("; ")}.`]),
    ...(goodSigns.length === 0 ? [] : toReservations(parts.seen)),
    ...(card.capped ? ["Kept below critical because too few independent signals agree."] : []),
    ...(card.placeOnly
      ? [
          "Kept from a higher level because what speaks against it is mainly the number of people at one place, or goods that a new resident may buy.",
        ]
      : []),
    ...(parts.isWeighed ? ["Weighed with the shop's own weights."] : []),
    `Checked by the local engine on ${Math.round(parts.confidence * 100)} % of the data that the engine can check.`,
  ].join(" ");
}

/** What reduces the credit for good signs, for a reviewer. */
function toReservations(seen: readonly SeenSignal[]): readonly string[] {
  if (seen.some((signal) => signal.voidsTrust))
    return ["None of that counts here, because the customer hides or made something up."];
  const shaking = seen.find((signal) => signal.shakesTrust);
  if (shaking === undefined) return [];
  return shaking.group === "history"
    ? ["That counts for less here, because most earlier orders ended badly."]
    : ["That counts for less here, because someone else may be using the account."];
}

/** What a reviewer can do next: first by level, then by the strongest causes. */
export function recommend(level: RiskLevel, causes: readonly Cause[]): string[] {
  if (level === "low") return [...BY_LEVEL.low];
  const checks = new Set(causes.map(toCheck));
  return [...BY_LEVEL[level], ...[...checks].slice(0, MOST_CHECKS)];
}

/** A seen signal, or a factor that no signal stands for. */
type Cause = Pick<RiskFactor, "category"> & { readonly code?: string };

function toCheck({ code = "", category }: Cause): string {
  return PARTICULAR_CHECKS.find(([start]) => code.startsWith(start))?.[1] ?? CHECKS[category];
}
