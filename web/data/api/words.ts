import { LANGUAGE } from "../base/language.ts";
import { findText } from "../base/texts.ts";
import { getSession } from "./session.ts";
import type { Action, OrderDetail, OrderRow, OrderState, RiskLevel, Source } from "./api-types.ts";
import { t } from "../base/texts.ts";

export const LEVEL_WORDS: Readonly<Record<RiskLevel, string>> = {
  low: t("words.low"),
  medium: t("words.medium"),
  high: t("words.high"),
  critical: t("words.critical"),
};

/** Risk levels, lowest first. */
export const LEVELS = Object.keys(LEVEL_WORDS) as readonly RiskLevel[];

export const ACTION_WORDS: Readonly<Record<Action, string>> = {
  allow: t("words.allow"),
  tag: t("words.tag"),
  hold: t("words.hold"),
  cancel: t("words.cancel"),
};

export const STATE_WORDS: Readonly<Record<OrderState, string>> = {
  received: t("words.received"),
  screening: t("words.checking"),
  decided: t("words.decided"),
  enforcing: t("words.applying-decision"),
  waiting: t("words.waiting"),
  settled: t("words.done"),
  review: t("words.held-for-review"),
  failed: t("words.needs-attention"),
};

export type OrderStanding = Pick<OrderRow, "state" | "action" | "enforced" | "pendingRecheck">;

/**
 * An order's state, for people. A decision that was only recorded, as in watch-only mode, isn't "Done", and neither is an
 * order that changed since.
 */
export function nameState({ state, action, enforced, pendingRecheck }: OrderStanding): string {
  if (state !== "settled") return STATE_WORDS[state] ?? state;
  if (pendingRecheck !== null)
    return pendingRecheck.held ? t("words.held-checking-again") : t("words.checking-again");
  return enforced === false && action !== "allow" ? t("words.recorded-only") : STATE_WORDS.settled;
}

export const SOURCE_WORDS: Readonly<Record<Source, string>> = {
  service: t("words.verification-service"),
  cache: t("words.verification-service-saved-result"),
  local: t("words.local-engine"),
  policy: t("words.policy"),
  person: t("words.a-person"),
};

export const LINK_WORDS = {
  mailbox: t("words.email"),
  network: t("words.network"),
  card: t("words.card"),
  phone: t("words.phone"),
  address: t("words.address"),
} as const;

export const LIST_WORDS = {
  trust: t("words.trusted"),
  block: t("words.blocked"),
  snooze: t("words.rule-snoozed"),
} as const;

export const DISPUTE_WORDS = { inquiry: t("words.bank-inquiry"), chargeback: t("words.chargeback") } as const;

const SKIP_WORDS: Readonly<Record<string, string>> = {
  TEST_ORDER: t("words.a-test-order"),
  ZERO_AMOUNT: t("words.an-amount-of-zero"),
  CANCELLED: t("words.already-canceled"),
  IMPORTED: t("words.a-past-order-already-shipped-that"),
  NO_EMAIL: t("words.no-email-address"),
  NO_NAME: t("words.no-name"),
  NO_ADDRESS: t("words.no-address"),
  NO_AMOUNT: t("words.no-amount"),
  PERSONAL_DATA_NOT_GRANTED: t("words.the-platform-doesnt-share-personal-data"),
  SKIPPED_BY_RULE: t("words.skipped-by-a-policy-rule"),
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
  const words = findText("problems", code);
  return words === undefined ? code : `${words} (${code})`;
}

export function explainProblems(problems: OrderDetail["problems"]): string {
  const parts = problems.map(
    ({ step, code }) =>
      `${step === undefined ? "" : `${findText("steps", step) ?? step}: `}${explainCode(code)}`,
  );
  return [...new Set(parts)].join("; ");
}

/** Who did something: `person:console` as "Console token", and users by name. An owner names those without one. */
/** A code as messages select by it: their selectors have no hyphens. */
export function toSelector(code: string): string {
  return code.replaceAll("-", "_");
}

export function nameActor(actor: string): string {
  const name = findWords(getSession()?.names ?? {}, actor);
  if (name !== undefined) return name;
  if (actor === "holdfast") return "Holdfast";
  if (actor === "platform") return t("words.the-platform");
  if (actor === "buyer") return t("asking.the-buyer");
  if (actor === "person:console") return t("words.console-token");
  return t("words.unnamed");
}

/** What links orders, within a sentence; an unknown kind unchanged. */
export function nameLink(kind: string): string {
  return findText("links", kind) ?? kind;
}

/** A text in quotation marks. */
export function quote(text: string): string {
  return t("words.quoted", { text });
}

/** A description without the code that the local engine appends, and that code. */
export function splitCode(description: string): { readonly text: string; readonly code: string | null } {
  const [, text = description, code = null] = /^(.*\S)\s*\[([A-Z][A-Z\d_]+)\]$/.exec(description) ?? [];
  return { text, code };
}

/** A signal of the local engine in the page's language, by its code: `written` in English, and if the code is unknown. */
export function nameSignal(code: string | null, written: string): string {
  const isTranslated = code !== null && LANGUAGE !== "en";
  return (isTranslated ? findText("signals", code) : undefined) ?? written;
}

export function nameFactor({
  factor,
  description,
}: {
  readonly factor: string;
  readonly description: string;
}) {
  return nameSignal(splitCode(description).code, factor);
}

/** A field's path (`shippingAddress.postalCode`, `items[0].name`) as words: "Shipping address: postal code". */
export function nameField(path: string): string {
  const parts = path.split(".").map((part) => toWords(part));
  const text = parts.join(": ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function toWords(part: string): string {
  const [, name = part, index] = /^(.*?)\[(\d+)\]$/.exec(part) ?? [];
  const words =
    findText("paths", name) ??
    name
      .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .replaceAll(/\b(?:ip|id)\b/g, (word) => word.toUpperCase());
  return index === undefined ? words : `${words} ${Number(index) + 1}`;
}

export function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? t("words.yes") : t("words.no");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** How far the platform's protection covers an order against chargebacks. */
export const PROTECTION_WORDS = {
  active: t("words.active"),
  pending: t("words.pending"),
  inactive: t("words.inactive"),
  protected: t("words.chargeback-paid-back"),
  "not-protected": t("words.chargeback-not-paid-back"),
} as const;
