import { toRiskLevel, type RiskLevel } from "../order/risk-level.ts";

/** Domain of the sandbox's email addresses. Reserved (RFC 2606), so it can never belong to a customer. */
export const SANDBOX_DOMAIN = "risk.example";
/** The longest delay of `slow-N@`, in milliseconds. */
const SLOWEST_MS = 60_000;
/** The most codes that one `factor.` address can name. */
const MOST_CODES = 10;

/** A field of an order that can request something of the sandbox. An email address takes precedence over a card. */
export type SandboxCarrier = "customerEmail" | "paymentInfo.lastFourDigits";

/** An invalid answer with status 200. */
export type BrokenAnswer = "malformed" | "truncated" | "oversized" | "html" | "unknown-level" | "wrong-shape";

const STATUSES = [400, 401, 402, 403, 429, 500, 503] as const;

/** What an order makes the sandbox do. */
export type SandboxOutcome =
  /** Answer with this score; `advice` comes before the usual recommendations. */
  | {
      readonly kind: "score";
      readonly score: number;
      readonly level: RiskLevel;
      readonly advice?: string | undefined;
    }
  /** Judge the order, and report these signals too. Codes are upper case, like the engine's. */
  | { readonly kind: "factors"; readonly codes: readonly string[] }
  /** Refuse with this HTTP status. `metered`: whether the service would bill it. */
  | { readonly kind: "status"; readonly status: (typeof STATUSES)[number]; readonly metered: boolean }
  /** Never answer. */
  | { readonly kind: "silence" }
  /** Answer 200 with an invalid body. */
  | { readonly kind: "broken"; readonly how: BrokenAnswer }
  /** Redirect with a 302. */
  | { readonly kind: "redirect" }
  /** End the connection instead of answering: with a reset after billing, or by closing it without billing. */
  | { readonly kind: "disconnect"; readonly how: "reset" | "close"; readonly metered: boolean }
  /** Answer normally, after this delay. */
  | { readonly kind: "delay"; readonly delayMs: number };

/** A magic value, and what it requests. */
export interface SandboxScenario {
  /** The field that contains it. */
  readonly by: "customerEmail";
  /** Case doesn't matter. */
  readonly customerEmail: string;
  /** The part before the @; names the line in forced answers. */
  readonly rule: string;
  readonly outcome: SandboxOutcome;
}

export interface ForcedOutcome {
  readonly by: SandboxCarrier;
  /** Stable name: the part of the address before the @, or `card-` and the digits. */
  readonly rule: string;
  readonly outcome: SandboxOutcome;
}

/** One line of the sandbox's table, for people. */
export interface SandboxTableRow {
  readonly by: SandboxCarrier;
  /** The value. `N` and `CODE` are explained in the answer's text. */
  readonly value: string;
  /** What the sandbox does. */
  readonly answer: string;
  /** Whether it costs a credit. */
  readonly metered: boolean;
}

/** A line of the table with its parser: what `name` (without the domain) requests, if it belongs to this line. */
interface Line extends SandboxTableRow {
  readonly read: (name: string) => SandboxOutcome | undefined;
  /** The names of this line to list individually. */
  readonly names: readonly string[];
}

/** Errors below 500 that stop a request before any work is done. They aren't billed. */
const UNMETERED: ReadonlySet<number> = new Set([401, 402, 403, 429]);

const LEVEL_SCORES: Readonly<Record<RiskLevel, number>> = { low: 12, medium: 45, high: 73, critical: 93 };
const DO_NOT_SHIP = "Sandbox: do not ship this order.";

const LINES: readonly Line[] = [
  ...Object.entries(LEVEL_SCORES).map(([name, score]) =>
    mailLine(name, `score ${score}: ${name}`, toScore(score)),
  ),
  scoreLine(),
  factorLine(),
  ...STATUSES.map((status) =>
    mailLine(`error-${status}`, describeStatus(status), {
      kind: "status",
      status,
      metered: !UNMETERED.has(status),
    }),
  ),
  mailLine("timeout", "no answer, until the caller hangs up", { kind: "silence" }),
  slowLine(),
  mailLine("reset", "the request is read and paid for, then the connection is reset", {
    kind: "disconnect",
    how: "reset",
    metered: true,
  }),
  mailLine("reset-before", "the connection is closed before anything is done", {
    kind: "disconnect",
    how: "close",
    metered: false,
  }),
  mailLine("malformed", "200 with JSON that breaks off", { kind: "broken", how: "malformed" }),
  mailLine("truncated", "200 that ends before its Content-Length", { kind: "broken", how: "truncated" }),
  mailLine("oversized", "200 with 8 MiB of valid JSON", { kind: "broken", how: "oversized" }),
  mailLine("html", "200 with an HTML page", { kind: "broken", how: "html" }),
  mailLine("redirect", "302 to a path of the sandbox that is not there", { kind: "redirect" }),
  mailLine("unknown-level", "200 with the riskLevel `severe`", { kind: "broken", how: "unknown-level" }),
  mailLine("wrong-shape", "200 with the riskLevel `high`, and the other fields of the wrong types", {
    kind: "broken",
    how: "wrong-shape",
  }),
  cardLine("9235", "score 73: high", toScore(73)),
  cardLine("4954", "score 93: critical", toScore(93)),
  cardLine("0019", "score 93: critical, with the advice not to ship", {
    ...toScore(93),
    advice: DO_NOT_SHIP,
  }),
];

/** All magic values, one line per kind. They work only in the sandbox. */
export const SANDBOX_TABLE: readonly SandboxTableRow[] = Object.freeze(
  LINES.map(({ by, value, answer, metered }) => Object.freeze({ by, value, answer, metered })),
);

/**
 * Every email address of {@link SANDBOX_TABLE}, including all 101 scores. One example of `slow-N@`, and none of
 * `factor.CODE@`, because there are too many.
 */
export const SANDBOX_SCENARIOS: readonly SandboxScenario[] = Object.freeze(
  LINES.filter(({ by }) => by === "customerEmail").flatMap((line) =>
    line.names.flatMap((name) => {
      const outcome = line.read(name);
      return outcome === undefined ? [] : [toScenario(name, outcome)];
    }),
  ),
);

/** What an order requests of the sandbox, by its email address or else by its card. */
export function findForcedOutcome(order: unknown): ForcedOutcome | undefined {
  const { customerEmail, paymentInfo } = (order ?? {}) as Readonly<Record<string, unknown>>;
  const digits = (paymentInfo as { readonly lastFourDigits?: unknown } | null | undefined)?.lastFourDigits;
  return (
    readLines("customerEmail", toName(customerEmail)) ??
    readLines("paymentInfo.lastFourDigits", digits, "card-")
  );
}

function readLines(by: SandboxCarrier, name: unknown, prefix = ""): ForcedOutcome | undefined {
  if (typeof name !== "string") return undefined;
  for (const line of LINES) {
    const outcome = line.by === by ? line.read(name) : undefined;
    if (outcome !== undefined) return { by, rule: prefix + name, outcome };
  }
  return undefined;
}

/** The part of one of the sandbox's addresses before the @. */
function toName(email: unknown): string | undefined {
  const address = typeof email === "string" ? email.trim().toLowerCase() : "";
  const domain = `@${SANDBOX_DOMAIN}`;
  return address.endsWith(domain) ? address.slice(0, -domain.length) : undefined;
}

function toScenario(rule: string, outcome: SandboxOutcome): SandboxScenario {
  return { by: "customerEmail", customerEmail: `${rule}@${SANDBOX_DOMAIN}`, rule, outcome };
}

function toScore(score: number): Extract<SandboxOutcome, { readonly kind: "score" }> {
  return { kind: "score", score, level: toRiskLevel(score) };
}

function isMetered(outcome: SandboxOutcome): boolean {
  return "metered" in outcome ? outcome.metered : true;
}

function mailLine(name: string, answer: string, outcome: SandboxOutcome): Line {
  return {
    by: "customerEmail",
    value: `${name}@${SANDBOX_DOMAIN}`,
    answer,
    metered: isMetered(outcome),
    names: [name],
    read: (given) => (given === name ? outcome : undefined),
  };
}

function cardLine(digits: string, answer: string, outcome: SandboxOutcome): Line {
  return {
    ...mailLine(digits, answer, outcome),
    by: "paymentInfo.lastFourDigits",
    value: digits,
  };
}

function scoreLine(): Line {
  return {
    ...mailLine("score-N", "score N, 0 to 100: the level of its band", toScore(0)),
    names: Array.from({ length: 101 }, (_, score) => `score-${score}`),
    read(name) {
      const score = readNumber("score-", name, 100);
      return score === undefined ? undefined : toScore(score);
    },
  };
}

function slowLine(): Line {
  const answer = `judged, N milliseconds later; N up to ${SLOWEST_MS}`;
  return {
    ...mailLine("slow-N", answer, { kind: "delay", delayMs: 0 }),
    names: ["slow-2500"],
    read(name) {
      const delayMs = readNumber("slow-", name, SLOWEST_MS);
      return delayMs === undefined ? undefined : { kind: "delay", delayMs };
    },
  };
}

function factorLine(): Line {
  const answer =
    `judged, with the signal CODE of the engine found as well; several with dots between, up to ${MOST_CODES}; ` +
    "400 for a code that the engine does not have";
  return {
    ...mailLine("factor.CODE", answer, { kind: "factors", codes: [] }),
    names: [],
    read(name) {
      const codes = /^factor((?:\.[a-z0-9_]{1,60})+)$/.exec(name)?.[1]?.slice(1).toUpperCase().split(".");
      if (codes === undefined || codes.length > MOST_CODES) return undefined;
      return { kind: "factors", codes: [...new Set(codes)] };
    },
  };
}

/** The whole number after `prefix`, in its normal form, up to `most`. */
function readNumber(prefix: string, name: string, most: number): number | undefined {
  if (!name.startsWith(prefix)) return undefined;
  const text = name.slice(prefix.length);
  const number = Number(text);
  return String(number) === text && Number.isInteger(number) && number >= 0 && number <= most
    ? number
    : undefined;
}

function describeStatus(status: (typeof STATUSES)[number]): string {
  const meaning = {
    400: "the body is refused",
    401: "as if the key were missing",
    402: "as if the credits were used up",
    403: "as if the key were invalid",
    429: "as if the rate limit were exceeded, with a reset a second later",
    500: "as if the service failed",
    503: "as if the service were away",
  }[status];
  return `${status}, ${meaning}`;
}
