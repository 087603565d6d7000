import type { OrderDetail, OrderRow } from "../api/api-types.ts";
import { explainCode, explainProblems, nameActor, nameFactor, nameSkip, toSelector } from "../api/words.ts";
import { formatDay, joinSentences, nameCountry, toMiddle } from "../base/format.ts";
import { findText, t } from "../base/texts.ts";
import { explainReason } from "./event-words.ts";
import type { OrderContents } from "./order-contents.ts";
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
  "to-be-handled": "info",
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
  handled: "info",
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
  checking: ({ verdict }) =>
    verdict.problem === null ? t("verdict.checking") : t("verdict.waiting", { problem: toProblem(verdict) }),
  undecided: () => t("verdict.undecided"),
  "to-be-approved": ({ verdict }) => t("verdict.to-be-approved", toWho(verdict)),
  "to-be-declined": ({ verdict }) => t("verdict.to-be-declined", toWho(verdict)),
  "to-be-handled": ({ verdict }) => t("verdict.to-be-handled", toWho(verdict)),
  "to-be-rechecked": ({ verdict }) => t("verdict.to-be-rechecked", toWho(verdict)),
  changed: () => t("verdict.changed"),
  "changed-held": () => t("verdict.changed-held"),
  "inquiry-held": () => t("verdict.inquiry-held"),
  inquiry: () => t("verdict.inquiry"),
  "charged-back": () => t("verdict.charged-back"),
  held: (_, because) => t("verdict.held", { because }),
  "to-be-held": ({ verdict }, because) => t("verdict.to-be-held", { because, waiting: toWaiting(verdict) }),
  "not-held": ({ verdict }) => t("verdict.not-held", { problem: toProblem(verdict) }),
  "held-instead": ({ verdict }) => t("verdict.held-instead", { refused: toRefused(verdict) }),
  canceled: ({ verdict }, because) =>
    t("verdict.canceled", {
      date: formatDay(verdict.at),
      because,
      refunded: toRefund(verdict),
    }),
  "to-be-canceled": ({ verdict }, because) =>
    t("verdict.to-be-canceled", { because, waiting: toWaiting(verdict) }),
  "not-canceled": ({ verdict }) => toRefused(verdict),
  released: () => t("verdict.released"),
  expired: () => t("verdict.expired"),
  shipped: () => t("verdict.shipped"),
  handled: ({ verdict }) => t("verdict.handled", toWho(verdict)),
  ended: () => t("verdict.ended"),
  allowed: ({ verdict }, because) =>
    verdict.by === null
      ? t("verdict.passed", { because })
      : t("verdict.approved", { date: formatDay(verdict.at), because }),
  tagged: (_, because) => t("verdict.tagged", { because }),
  unchecked: (order) => t("verdict.unchecked", { why: toUnchecked(order) }),
  recorded: ({ action }, because) => t("verdict.recorded", { action: action ?? "allow", because }),
  failed: ({ verdict }) => t("verdict.failed", { problem: toProblem(verdict) }),
};

/** What was decided and why, in one sentence. */
export function toSentence(order: Judged): string {
  return SENTENCES[order.verdict.kind](order, toBecause(order));
}

/** Whether the money is back, was asked back with the cancel, or stays with the shop. */
function toRefund({ refunded, refundAsked }: Verdict): string {
  if (refunded) return "yes";
  if (refundAsked === null) return "unknown";
  return refundAsked ? "asked" : "no";
}

function toWho({ by }: Verdict) {
  return by === null ? { by: "none", name: "" } : { by: "some", name: nameActor(by) };
}

function toRefused(verdict: Verdict): string {
  return t("verdict.not-canceled", { ...toWho(verdict), problem: toProblem(verdict) });
}

/** The problem without its fix, which the next line has. */
function toProblem({ problem }: Pick<Verdict, "problem">): string {
  if (problem === null) return t("verdict.stopped");
  return (findText("problems", problem) ?? problem).split(";")[0]?.trim() ?? problem;
}

function toWaiting({ problem }: Verdict): string {
  return problem === null ? "" : t("verdict.and-waiting", { problem: toProblem({ problem }) });
}

/** What continues "Held", with what is between them: " by the rule “Gift cards”", ": high risk, score 73". */
function toBecause(order: Judged): string {
  const { cause } = order.verdict;
  if (cause === null) return "";
  return BECAUSE[cause.code]?.(cause.detail, order) ?? t("verdict.because", { why: toPlain(cause) });
}

const BECAUSE: Readonly<Partial<Record<Code, (detail: string, order: Judged) => string>>> = {
  rule: (name) => t("verdict.because-rule", { name }),
  blocked: (kind) => t("verdict.because-blocked", { kind }),
  level: (_, order) => t("verdict.because", { why: toRisk(order) }),
  person: (_, { verdict, declineReason: reason }) =>
    t("verdict.because-person", {
      ...toWho(verdict),
      reason: reason ?? "none",
      words: reason === null ? "" : toMiddle(DECLINE_WORDS[reason]),
    }),
  deadline: () => t("verdict.because-deadline"),
  skipped: (code) => t("verdict.because-skipped", { why: nameSkip(code) }),
  unchecked: (_, order) => t("verdict.because", { why: toUnchecked(order) }),
  unavailable: (_, order) => t("verdict.because", { why: toUnchecked(order) }),
  "too-little-known": () => t("verdict.because", { why: t("verdict.too-little-known") }),
  "held-to-check": () => t("verdict.until-answer"),
  "hold-kept": () => t("verdict.until-answer"),
};

function toPlain({ code, detail }: Cause): string {
  return toMiddle(explainReason(detail === "" ? code : `${code}:${detail}`));
}

function toRisk({ riskLevel, riskScore, degraded }: Judged): string {
  return t("verdict.risk", {
    level: riskLevel ?? "none",
    score: riskScore === null ? "none" : String(riskScore),
    local: degraded ? "yes" : "no",
  });
}

function toUnchecked({ verdict: { cause }, unchecked, skipReason }: Judged): string {
  if (skipReason === "SKIPPED_BY_RULE" && cause?.code === "rule")
    return t("verdict.skipped-by-rule", { name: cause.detail });
  if (skipReason === "SKIPPED_BY_RULE" && cause?.code === "channel")
    return t("verdict.skipped-channel", { name: cause.detail });
  if (skipReason !== null) return nameSkip(skipReason);
  if (cause?.code === "too-little-known") return t("verdict.too-little-known");
  return unchecked === null ? t("verdict.nobody-judged") : t("verdict.not-asked");
}

const DISPUTE_ADVICE: Readonly<Partial<Record<Kind, string>>> = {
  "inquiry-held": t("verdict.advice-inquiry-held"),
  inquiry: t("verdict.advice-inquiry"),
};

/** What the sentence leaves out, and what to do; mostly nothing. */
export function toAdvice(order: OrderDetail): readonly string[] {
  const { verdict, disputes, unchecked, skipReason, problems } = order;
  const open = disputes.find(({ status }) => status === "open");
  const isUnasked = unchecked !== null && skipReason === null && problems.length === 0;
  return [
    open !== undefined &&
      joinSentences([
        t("verdict.bank-reason", {
          reason: findText("disputes", open.reason) ?? open.reason.replaceAll("_", " "),
        }),
        DISPUTE_ADVICE[verdict.kind],
      ]),
    toBuyersWord(order),
    isUnasked && t("verdict.reason", { reason: explainCode(unchecked) }),
    isMoreThanSaid(order) &&
      joinSentences([toResting(order), t("verdict.reason", { reason: explainProblems(problems) })]),
  ].filter((line) => line !== false);
}

/** What the buyer said about the order as it is now; false if nothing. */
function toBuyersWord({ buyerCheck, state }: OrderDetail): string | false {
  if (buyerCheck === null || buyerCheck.method === null) return false;
  const { answer, method, effect, isCurrent } = buyerCheck;
  if (answer === "right") {
    const isForPerson = effect === "milder" && state === "review";
    return joinSentences([
      t("asking.advice", { method: toSelector(method) }),
      isForPerson ? t("asking.advice-milder") : "",
    ]);
  }
  return answer === "wrong" && isCurrent ? t("asking.advice-wrong") : false;
}

/** Whether problems have a cause or a fix that the sentence doesn't name. */
function isMoreThanSaid({ verdict, problems }: OrderDetail): boolean {
  return problems.some(
    ({ code }) => code !== verdict.problem || findText("problems", code)?.includes(";") !== false,
  );
}

function toResting({ state, pendingRecheck }: OrderDetail): string {
  if (state === "waiting" || pendingRecheck !== null) return t("verdict.retries");
  return state === "failed" ? t("verdict.stopped-retrying") : t("verdict.not-completed");
}

export type Chip = OrderRow["chips"][number];

/** A reason in as few words as a chip has room for; a factor by its name. */
export function nameChip(chip: Chip): string {
  if (chip.kind === "factor") return nameFactor(chip);
  return CHIP_WORDS[chip.code]?.(chip.detail) ?? explainReason(chip.code);
}

const CHIP_WORDS: Readonly<Partial<Record<Code, (detail: string) => string>>> = {
  rule: (name) => t("verdict.chip-rule", { name }),
  dispute: () => t("verdict.chip-dispute"),
  blocked: (kind) => t("verdict.chip-blocked", { kind }),
  trusted: (kind) => t("verdict.chip-trusted", { kind }),
  snoozed: (name) => t("verdict.chip-snoozed", { name }),
  channel: (name) => t("verdict.chip-channel", { name }),
  deadline: () => t("verdict.chip-deadline"),
  degraded: () => t("verdict.chip-degraded"),
  unavailable: () => t("verdict.chip-unavailable"),
  "too-little-known": () => t("verdict.chip-too-little-known"),
  "local-never-cancels": () => t("verdict.chip-local-never-cancels"),
  "no-policy-saved": () => t("verdict.chip-no-policy-saved"),
  "opted-out": () => t("verdict.chip-opted-out"),
  "policy-changed": () => t("verdict.chip-policy-changed"),
  "hold-released": () => t("verdict.chip-hold-released"),
  "held-to-check": () => t("verdict.chip-waits"),
  "hold-kept": () => t("verdict.chip-waits"),
};

export type Sign = OrderContents["signs"][number];

type SignWords = (sign: Sign, countries: OrderContents["countries"]) => string;

const SIGN_WORDS: Readonly<Record<Sign["kind"], SignWords>> = {
  avs: ({ meaning, detail }) => t("verdict.avs", { meaning, detail }),
  cvv: ({ meaning, detail }) => t("verdict.cvv", { meaning, detail }),
  network: ({ detail }) => t("verdict.network", { network: detail }),
  "ip-country": ({ meaning, detail }, { shipping, billing }) => {
    const country = nameCountry(detail);
    return meaning === "good"
      ? t("verdict.ip-same", { country })
      : t("verdict.ip-other", { country, other: nameCountry(shipping ?? billing ?? "") });
  },
  addresses: ({ meaning }, { shipping = "", billing = "" }) => {
    if (meaning === "good") return t("verdict.ships-same");
    if (meaning === "neutral") return t("verdict.ships-other");
    return t("verdict.ships-abroad", { shipping: nameCountry(shipping), billing: nameCountry(billing) });
  },
};

/** A fact that speaks for or against an order, in a few words. */
export function nameSign(sign: Sign, { countries }: OrderContents): string {
  return SIGN_WORDS[sign.kind](sign, countries);
}
