import type { RiskFactor } from "../order/result.ts";
import type { RiskLevel } from "../order/risk-level.ts";
import type { CombinedScore, Contribution } from "./combine-signals.ts";
import { EVIDENCE_GROUPS } from "./signals/all-signals.ts";
import type { ModelPart } from "./model/shop-model.ts";
import { FACTOR_POINTS, type SeenSignal } from "./signals/signal.ts";

const SEVERITIES = [
  { from: 30, severity: "critical" },
  { from: 16, severity: "high" },
  { from: 8, severity: "medium" },
] as const;
const TOP_FACTORS = 3;

type Category = RiskFactor["category"];

/** What to check next, by kind of suspicion. Never says to refuse the order: a person decides that. */
const CHECKS: Readonly<Record<Category, string>> = {
  customer: "Confirm the order with the customer.",
  address: "Ask the customer to confirm the shipping address.",
  technical: "Check the payment's authentication result (3-D Secure) before you rely on the card.",
  behavioral: "Look for similar orders of the same day, with the same goods, address or card.",
};

const BY_EARLIER_CONTACT =
  "Contact the customer with the email address or phone number of earlier orders, not of this order.";

/** What to check next for particular signals, by the start of their code. */
const PARTICULAR_CHECKS: readonly (readonly [start: string, check: string])[] = [
  ["ACCOUNT_TAKEOVER", BY_EARLIER_CONTACT],
  ["AMOUNT_FAR_ABOVE_HABIT", BY_EARLIER_CONTACT],
  ["AVS_MISMATCH", "Ask the customer for the billing address that the bank has."],
  ["CVV_MISMATCH", "Ask the customer to pay again, with the card's correct security code."],
  [
    "THREE_NAMES",
    "Ask the customer whose card it is, by the email address or phone number of the cardholder where you have one.",
  ],
  ["EMAIL_BURST", "Review this mailbox's other orders of the last hour together with this one."],
  [
    "EMAIL_MULTI_CARD",
    "Review the payments of this mailbox, and ask the payment provider about declined ones.",
  ],
  ["EMAIL_MULTI_", "Review this mailbox's other orders of the week together with this one."],
  ["EMAIL_INVALID", "Ask the customer by phone for an email address that works."],
  ["EMAIL_TYPO_DOMAIN", "Ask the customer by phone for the correct email address."],
  ["EMAIL_", "Email the customer and wait for a reply before you ship."],
  ["PHONE_", "Ask the customer by email for a working phone number, and call it."],
  [
    "HOLDER_",
    "Ask the payment provider whether the name and address match the card. Somebody else in the family may be paying.",
  ],
  ["CARD_MULTI_", "Review the other orders paid with this card together with this one."],
  [
    "RESHIPPER_",
    "Find out who receives the goods from the forwarder, and whether the cardholder knows about it.",
  ],
  ["POSTCODE_", "Correct the address with the customer before you ship."],
  ["ADDRESS_NONSENSE", "Correct the address with the customer before you ship."],
  ["ADDR_MULTI", "Review the other orders to this address together with this one."],
  ["PLATFORM_RISK", "Read in the platform what its own analysis found."],
  ["IP_MULTI", "Review the other orders from this network together with this one."],
  [
    "SMALL_SURGE",
    "Review the other small orders of these six hours, and ask the payment provider about declined payments.",
  ],
  ["GOODS_SURGE", "Review the other orders of this article together with this one."],
  [
    "BIN_SURGE",
    "Review the other orders of these six hours, and ask the payment provider about declined payments.",
  ],
  ["NETWORK_SURGE", "Review the other orders from this provider's network together with this one."],
  ["GIFT_CARDS", "Release codes and gift cards only after the payment has settled."],
  ["HISTORY_INCONSISTENT", "Check the customer's order counts in your shop: they contradict each other."],
  ["HISTORY_", "Check why the customer's earlier orders were canceled or returned."],
];
/** Nobody follows more. */
const MOST_CHECKS = 3;

/** The severity "high". */
const STRONG_POINTS = 16;
/** What an order of low risk needs in spite of a strong sign against it. */
const LOW_BUT = "The risk is low, but check this before you ship:";

const BY_LEVEL: Readonly<Record<RiskLevel, readonly string[]>> = {
  low: ["If nothing else holds it, process the order as usual."],
  medium: ["Review the order before it ships."],
  high: [
    "Don't ship until someone has verified the order.",
    "Call the customer, if you can find a phone number independently of the order.",
    "If you ship it, require a signature and don't allow address changes in transit.",
  ],
  critical: [
    "Don't ship until someone has verified the customer's identity.",
    "Call the customer, if you can find a phone number independently of the order.",
    "Keep a record: the order, the payment's authentication result and all correspondence.",
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
    readonly causes: readonly SeenSignal[];
    readonly seen: readonly SeenSignal[];
    /** How many aspects the engine could look at. */
    readonly known: number;
    /** With the shop's own model. */
    readonly score: number;
    /** What that model says. Undefined: it has no say. */
    readonly model: { readonly shift: number; readonly parts: readonly ModelPart[] } | undefined;
  },
): string {
  const top = listTop(parts.causes);
  const more = parts.causes.length - top.length;
  const goodSigns = parts.seen.filter((signal) => signal.points < 0).map((signal) => signal.description);
  return [
    `${level.charAt(0).toUpperCase()}${level.slice(1)} risk: ${parts.score} of 100.`,
    top.length === 0
      ? "Nothing about the order stands out."
      : `Against the order: ${top.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`,
    ...(goodSigns.length === 0 ? [] : [`In the customer's favor: ${goodSigns.join("; ")}.`]),
    ...(goodSigns.length === 0 ? [] : toReservations(parts.seen)),
    ...(card.capped ? ["Kept below critical because too few independent signals agree."] : []),
    ...(card.placeOnly
      ? [
          "Kept from a higher level because what speaks against it is mainly the number of people at one place, or goods that a new resident may buy.",
        ]
      : []),
    ...toModelWords(parts.model),
    `Checked by the local engine, which could look at ${parts.known} of ${EVIDENCE_GROUPS.length} aspects of the order.`,
  ].join(" ");
}

/** The titles that say most, each fact once: what joins several signals stands for them. */
function listTop(causes: readonly SeenSignal[]): readonly string[] {
  const joined = new Set(causes.flatMap(({ joins }) => joins));
  return causes
    .filter(({ code }) => !joined.has(code))
    .slice(0, TOP_FACTORS)
    .map(({ title }) => title);
}

/** Nobody reads more. */
const MODEL_PARTS = 3;

function toModelWords(
  model: { readonly shift: number; readonly parts: readonly ModelPart[] } | undefined,
): readonly string[] {
  if (model === undefined || model.shift === 0) return [];
  const { shift, parts } = model;
  const named = parts
    .slice(0, MODEL_PARTS)
    .map(({ title, points }) => `${title} (${points > 0 ? "+" : "−"}${Math.abs(points)})`);
  const because = named.length === 0 ? "" : `: ${named.join("; ")}`;
  const does = shift > 0 ? `adds ${shift}` : `takes off ${-shift}`;
  return [`The shop's own model ${does} ${Math.abs(shift) === 1 ? "point" : "points"}${because}.`];
}

/** What reduces the credit for good signs, for a reviewer. */
function toReservations(seen: readonly SeenSignal[]): readonly string[] {
  const voiding = seen.filter((signal) => signal.voidsTrust).map(({ title }) => title);
  if (voiding.length > 0) return [`None of that lowers the risk here because of: ${voiding.join("; ")}.`];
  const shaking = seen.find((signal) => signal.shakesTrust);
  if (shaking === undefined) return [];
  return shaking.group === "history"
    ? ["That counts for less here, because most earlier orders were canceled or returned."]
    : ["That counts for less here, because someone else may be using the account."];
}

/**
 * What a reviewer can do next: first by level, then by the causes, strong ones first. An answer with a strong cause always names what to
 * check for it.
 */
export function recommend(level: RiskLevel, causes: readonly Cause[]): string[] {
  const strong = causes.filter(isStrong);
  if (level === "low") {
    if (strong.length === 0) return [...BY_LEVEL.low];
    return [`${LOW_BUT} ${strong.map(({ title }) => title).join("; ")}.`, ...listChecks(strong)];
  }
  return [...BY_LEVEL[level], ...listChecks([...strong, ...causes])];
}

function isStrong({ points = 0, needsCheck = false }: Cause): boolean {
  return points >= STRONG_POINTS || needsCheck;
}

function listChecks(causes: readonly Cause[]): readonly string[] {
  return [...new Set(causes.map(toCheck))].slice(0, MOST_CHECKS);
}

/** A seen signal, or a factor that no signal stands for. */
type Cause = Pick<RiskFactor, "category"> & {
  readonly code?: string;
  readonly points?: number;
  readonly needsCheck?: boolean | undefined;
  readonly title?: string;
};

function toCheck({ code = "", category }: Cause): string {
  return PARTICULAR_CHECKS.find(([start]) => code.startsWith(start))?.[1] ?? CHECKS[category];
}
