import { PROBLEM_WORDS } from "../../../src/server/problem-words.ts";
import { getSession } from "./session.ts";
import type { Action, OrderDetail, OrderRow, OrderState, RiskLevel, Source } from "./api-types.ts";

export const LEVEL_WORDS: Readonly<Record<RiskLevel, string>> = {
  low: "Low",
  medium: "Medium",
  high: "High",
  critical: "Critical",
};

/** Risk levels, lowest first. */
export const LEVELS = Object.keys(LEVEL_WORDS) as readonly RiskLevel[];

export const ACTION_WORDS: Readonly<Record<Action, string>> = {
  allow: "Allow",
  tag: "Tag",
  hold: "Hold",
  cancel: "Cancel",
};

export const STATE_WORDS: Readonly<Record<OrderState, string>> = {
  received: "Received",
  screening: "Checking",
  decided: "Decided",
  enforcing: "Applying decision",
  waiting: "Waiting",
  settled: "Done",
  review: "Held for review",
  failed: "Needs attention",
};

export type OrderStanding = Pick<OrderRow, "state" | "action" | "enforced" | "pendingRecheck">;

/**
 * An order's state, for people. A decision that was only recorded, as in watch-only mode, isn't "Done", and neither is an
 * order that changed since.
 */
export function nameState({ state, action, enforced, pendingRecheck }: OrderStanding): string {
  if (state !== "settled") return STATE_WORDS[state] ?? state;
  if (pendingRecheck !== null) return pendingRecheck.held ? "Held, checking again" : "Checking again";
  return enforced === false && action !== "allow" ? "Recorded only" : STATE_WORDS.settled;
}

export const SOURCE_WORDS: Readonly<Record<Source, string>> = {
  service: "Verification service",
  cache: "Verification service (saved result)",
  local: "Local engine",
  policy: "Policy",
  person: "A person",
};

export const LINK_WORDS = {
  mailbox: "Email",
  network: "Network",
  card: "Card",
  phone: "Phone",
  address: "Address",
} as const;

export const LIST_WORDS = { trust: "trusted", block: "blocked", snooze: "rule snoozed" } as const;

export const DISPUTE_WORDS = { inquiry: "bank inquiry", chargeback: "chargeback" } as const;

const SKIP_WORDS: Readonly<Record<string, string>> = {
  TEST_ORDER: "a test order",
  ZERO_AMOUNT: "an amount of zero",
  CANCELLED: "already canceled",
  IMPORTED: "a past order, already shipped, that was imported into the shop",
  NO_EMAIL: "no email address",
  NO_NAME: "no name",
  NO_ADDRESS: "no address",
  NO_AMOUNT: "no amount",
  PERSONAL_DATA_NOT_GRANTED: "the platform doesn't share personal data; request access there",
  SKIPPED_BY_RULE: "skipped by a policy rule",
};

/** Why an order was not sent to the service, as words; an unknown code unchanged. */
export function nameSkip(code: string): string {
  return findWords(SKIP_WORDS, code) ?? code;
}

/** The words for a code that comes from outside the page; undefined for an unknown one. */
export function findWords(words: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(words, code) ? words[code] : undefined;
}

/** A code as words, followed by the code for searching; an unknown code unchanged. */
export function explainCode(code: string): string {
  const words = findWords(PROBLEM_WORDS, code);
  return words === undefined ? code : `${words} (${code})`;
}

export function explainProblems(problems: OrderDetail["problems"]): string {
  const parts = problems.map(
    ({ step, code }) => `${step === undefined ? "" : `${step}: `}${explainCode(code)}`,
  );
  return [...new Set(parts)].join("; ");
}

/** Who did something: `person:console` as "Console token", known users by name, others by ID. */
export function nameActor(actor: string): string {
  const name = findWords(getSession()?.names ?? {}, actor);
  if (name !== undefined) return name;
  if (actor === "holdfast") return "Holdfast";
  if (actor === "platform") return "The platform";
  if (actor === "person:console") return "Console token";
  const id = actor.startsWith("person:") ? actor.slice("person:".length) : actor;
  return /^\d+$/.test(id) ? `User ${id}` : id;
}

/** A description without the code that the local engine appends, and that code. */
export function splitCode(description: string): { readonly text: string; readonly code: string | null } {
  const [, text = description, code = null] = /^(.*\S)\s*\[([A-Z][A-Z\d_]+)\]$/.exec(description) ?? [];
  return { text, code };
}

/** A field's path (`shippingAddress.postalCode`, `items[0].name`) as words: "Shipping address: postal code". */
export function nameField(path: string): string {
  const parts = path.split(".").map((part) => toWords(part));
  const text = parts.join(": ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function toWords(part: string): string {
  const [, name = part, index] = /^(.*?)\[(\d+)\]$/.exec(part) ?? [];
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replaceAll(/\b(?:ip|id)\b/g, (word) => word.toUpperCase());
  return index === undefined ? words : `${words} ${Number(index) + 1}`;
}

export function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** How far the platform's protection covers an order against chargebacks. */
export const PROTECTION_WORDS = {
  active: "Active",
  pending: "Pending",
  inactive: "Inactive",
  protected: "Chargeback paid back",
  "not-protected": "Chargeback not paid back",
} as const;
