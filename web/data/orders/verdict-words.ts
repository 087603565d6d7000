import { PROBLEM_WORDS } from "../../../src/server/problem-words.ts";
import type { OrderDetail, OrderRow } from "../api/api-types.ts";
import {
  explainCode,
  explainProblems,
  findWords,
  LEVEL_WORDS,
  LINK_WORDS,
  nameActor,
  nameSkip,
} from "../api/words.ts";
import { formatDay, nameCountry } from "../base/format.ts";
import { explainReason } from "./event-words.ts";
import { type OrderContents, NETWORK_WORDS } from "./order-contents.ts";
import { DECLINE_WORDS } from "./review.ts";

type Verdict = OrderDetail["verdict"];
type Kind = Verdict["kind"];
type Cause = NonNullable<Verdict["cause"]>;
type Code = Cause["code"];
type Judged = Pick<
  OrderDetail,
  "verdict" | "riskLevel" | "riskScore" | "action" | "unchecked" | "skipReason" | "degraded" | "declineReason"
>;

/** How good or bad it is. */
export type VerdictTone = "info" | "good" | "warn" | "bad";

const TONES: Readonly<Record<Kind, VerdictTone>> = {
  checking: "info",
  undecided: "warn",
  "to-be-approved": "info",
  "to-be-declined": "info",
  "to-be-rechecked": "info",
  changed: "warn",
  "changed-held": "warn",
  "inquiry-held": "bad",
  inquiry: "bad",
  "charged-back": "bad",
  held: "warn",
  "to-be-held": "warn",
  "not-held": "bad",
  "held-instead": "bad",
  canceled: "info",
  "to-be-canceled": "warn",
  "not-canceled": "bad",
  released: "info",
  expired: "warn",
  shipped: "bad",
  ended: "info",
  allowed: "good",
  tagged: "info",
  unchecked: "info",
  recorded: "info",
  failed: "bad",
};

export function toTone({ verdict: { kind, problem }, skipReason }: Judged): VerdictTone {
  if (kind === "checking" && problem !== null) return "warn";
  return kind === "unchecked" && skipReason === null ? "warn" : TONES[kind];
}

const SENTENCES: Readonly<Record<Kind, (order: Judged, because: string) => string>> = {
  checking: ({ verdict }) => (verdict.problem === null ? "Being checked" : `Waiting: ${toProblem(verdict)}`),
  undecided: () => "Not decided: the app was uninstalled before",
  "to-be-approved": ({ verdict }) => `Approved${toWho(verdict)}: takes effect in a moment`,
  "to-be-declined": ({ verdict }) => `Declined${toWho(verdict)}: takes effect in a moment`,
  "to-be-rechecked": ({ verdict }) => `Another check requested${toWho(verdict)}`,
  changed: () => "Changed since the decision: being checked again",
  "changed-held": () => "Changed since the decision: on hold while it's checked again",
  "inquiry-held": () => "A bank asks about this payment: decide first",
  inquiry: () => "A bank asks about this payment: consider a refund",
  "charged-back": () => "The bank took this payment back: answer the dispute in the shop",
  held: (_, because) => `Held${because}`,
  "to-be-held": ({ verdict }, because) => `To be held${because}${toWaiting(verdict)}`,
  "not-held": ({ verdict }) => `Not held: ${toProblem(verdict)}`,
  "held-instead": ({ verdict }) => `${toRefused(verdict)}. It's on hold instead`,
  canceled: ({ verdict }, because) => {
    const said = `Canceled ${formatDay(verdict.at)}${because}`;
    return verdict.refunded ? `${said}. Refunded` : said;
  },
  "to-be-canceled": ({ verdict }, because) => `To be canceled${because}${toWaiting(verdict)}`,
  "not-canceled": ({ verdict }) => toRefused(verdict),
  released: () => "Hold released on the platform",
  expired: () => "Hold released at its deadline: nobody had decided",
  shipped: () => "Shipped despite its hold",
  ended: () => "Canceled on the platform, not by Holdfast",
  allowed: ({ verdict }, because) =>
    verdict.by === null ? `Passed${because}` : `Approved ${formatDay(verdict.at)}${because}`,
  tagged: (_, because) => `Passed with a tag${because}`,
  unchecked: (order) => `Not checked: ${toUnchecked(order)}`,
  recorded: ({ action }, because) => `Only recorded: would be ${RECORDED[action ?? "allow"]}${because}`,
  failed: ({ verdict }) => `Needs attention: ${toProblem(verdict)}`,
};

const RECORDED = { allow: "passed", tag: "tagged", hold: "held", cancel: "canceled" } as const;

/** What was decided and why, in one sentence. */
export function toSentence(order: Judged): string {
  return SENTENCES[order.verdict.kind](order, toBecause(order));
}

function toWho({ by }: Verdict): string {
  return by === null ? "" : ` by ${nameActor(by)}`;
}

function toRefused(verdict: Verdict): string {
  const told = `anceled: ${toProblem(verdict)}`;
  return verdict.by === null ? `Not c${told}` : `Declined${toWho(verdict)}, but not c${told}`;
}

/** The problem without its fix, which the next line has. */
function toProblem({ problem }: Verdict): string {
  if (problem === null) return "Holdfast stopped retrying";
  return (findWords(PROBLEM_WORDS, problem) ?? problem).split(";")[0] ?? problem;
}

function toWaiting({ problem }: Verdict): string {
  return problem === null ? "" : `. Waiting: ${toProblem({ problem } as Verdict)}`;
}

const UNASKED = "the service couldn't be asked";

/** What continues "Held": " by the rule “Gift cards”", ": high risk, score 73". */
function toBecause(order: Judged): string {
  const { cause } = order.verdict;
  return cause === null ? "" : (BECAUSE[cause.code]?.(cause.detail, order) ?? `: ${toPlain(cause)}`);
}

const BECAUSE: Readonly<Partial<Record<Code, (detail: string, order: Judged) => string>>> = {
  rule: (name) => ` by the rule “${name}”`,
  blocked: (kind) => `: the ${toLinkWord(kind)} is on the block list`,
  level: (_, order) => `: ${toRisk(order)}`,
  person: (_, { verdict, declineReason: reason }) =>
    `${toWho(verdict)}${reason === null ? "" : `: ${DECLINE_WORDS[reason].toLowerCase()}`}`,
  deadline: () => " at the deadline of its hold",
  skipped: (code) => `: it can't be checked (${nameSkip(code)})`,
  unchecked: (_, order) => `: ${toUnchecked(order)}`,
  unavailable: (_, order) => `: ${toUnchecked(order)}`,
  "too-little-known": () => ": too little is known about it",
  "held-to-check": () => " until the service answers",
  "hold-kept": () => " until the service answers",
};

function toPlain({ code, detail }: Cause): string {
  const text = explainReason(detail === "" ? code : `${code}:${detail}`);
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function toRisk({ riskLevel, riskScore, degraded }: Judged): string {
  const level = riskLevel === null ? "unknown" : LEVEL_WORDS[riskLevel].toLowerCase();
  const score = riskScore === null ? "" : `, score ${riskScore}`;
  return `${level} risk${score}${degraded ? ", checked locally" : ""}`;
}

function toUnchecked({ verdict: { cause }, unchecked, skipReason }: Judged): string {
  if (skipReason === "SKIPPED_BY_RULE")
    return cause?.code === "rule" ? `the rule “${cause.detail}” skips it` : nameSkip(skipReason);
  if (skipReason !== null) return nameSkip(skipReason);
  if (cause?.code === "too-little-known") return "too little is known about it";
  return unchecked === null ? "nobody judged it" : UNASKED;
}

function toLinkWord(kind: string): string {
  return LINK_WORDS[kind as keyof typeof LINK_WORDS]?.toLowerCase() ?? kind;
}

const DISPUTE_ADVICE: Readonly<Partial<Record<Kind, string>>> = {
  "inquiry-held":
    " The order doesn't ship until you decide. Decline it to cancel and refund: that usually costs less than a chargeback.",
  inquiry: " A refund usually costs less than a chargeback.",
};

/** What the sentence leaves out, and what to do; mostly nothing. */
export function toAdvice(order: OrderDetail): readonly string[] {
  const { verdict, disputes, unchecked, skipReason, problems } = order;
  const open = disputes.find(({ status }) => status === "open");
  const isUnasked = unchecked !== null && skipReason === null && problems.length === 0;
  return [
    open !== undefined &&
      `The bank's reason: ${open.reason.replaceAll("_", " ")}.${DISPUTE_ADVICE[verdict.kind] ?? ""}`,
    isUnasked && `Reason: ${explainCode(unchecked)}.`,
    isMoreThanSaid(order) && `${toResting(order)} Reason: ${explainProblems(problems)}.`,
  ].filter((line) => line !== false);
}

/** Whether problems have a cause or a fix that the sentence doesn't name. */
function isMoreThanSaid({ verdict, problems }: OrderDetail): boolean {
  return problems.some(
    ({ code }) => code !== verdict.problem || PROBLEM_WORDS[code]?.includes(";") !== false,
  );
}

function toResting({ state, pendingRecheck }: OrderDetail): string {
  if (state === "waiting" || pendingRecheck !== null) return "Holdfast retries automatically.";
  return state === "failed" ? "Holdfast stopped retrying." : "Some actions couldn't be completed.";
}

export type Chip = OrderRow["chips"][number];

/** A reason in as few words as a chip has room for; a factor by its name. */
export function nameChip(chip: Chip): string {
  if (chip.kind === "factor") return chip.factor;
  return CHIP_WORDS[chip.code]?.(chip.detail) ?? explainReason(chip.code);
}

const CHIP_WORDS: Readonly<Partial<Record<Code, (detail: string) => string>>> = {
  rule: (name) => `Rule “${name}”`,
  dispute: () => "Bank inquiry",
  blocked: (kind) => `Blocked ${toLinkWord(kind)}`,
  trusted: (kind) => `Trusted ${toLinkWord(kind)}`,
  snoozed: (name) => `Rule “${name}” snoozed`,
  channel: (name) => `Channel “${name}”`,
  deadline: () => "Hold deadline passed",
  degraded: () => "Checked without the service",
  unavailable: () => "Not checked",
  "too-little-known": () => "Too little is known",
  "local-never-cancels": () => "Not canceled without the paid check",
  "no-policy-saved": () => "No policy saved yet",
  "opted-out": () => "Opted out of automatic decisions",
  "policy-changed": () => "The policy changed meanwhile",
  "hold-released": () => "Hold was released before",
  "held-to-check": () => "Waits for the service",
  "hold-kept": () => "Waits for the service",
};

export type Sign = OrderContents["signs"][number];

const CHECK_WORDS = {
  good: "match",
  neutral: "not checked",
  warn: "partial match",
  bad: "no match",
} as const;

type SignWords = (sign: Sign, countries: OrderContents["countries"]) => string;

const SIGN_WORDS: Readonly<Record<Sign["kind"], SignWords>> = {
  avs: ({ meaning, detail }) => `Address check: ${CHECK_WORDS[meaning]} (${detail})`,
  cvv: ({ meaning, detail }) => `Security code: ${CHECK_WORDS[meaning]} (${detail})`,
  network: ({ detail }) => toSentenceCase(NETWORK_WORDS[detail as keyof typeof NETWORK_WORDS] ?? detail),
  "ip-country": ({ meaning, detail }, { shipping, billing }) =>
    meaning === "good"
      ? `IP in ${nameCountry(detail)}, like the order`
      : `IP in ${nameCountry(detail)}, order to ${nameCountry(shipping ?? billing ?? "")}`,
  addresses: ({ meaning }, { shipping = "", billing = "" }) => {
    if (meaning === "good") return "Ships to the billing address";
    if (meaning === "neutral") return "Ships to another address";
    return `Ships to ${nameCountry(shipping)}, billed in ${nameCountry(billing)}`;
  },
};

/** A fact that speaks for or against an order, in a few words. */
export function nameSign(sign: Sign, { countries }: OrderContents): string {
  return SIGN_WORDS[sign.kind](sign, countries);
}

function toSentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
