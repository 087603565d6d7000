import { splitReason, type ReasonCode } from "../../../src/order/reasons.ts";
import type { TimelineEntry } from "../api/api-types.ts";
import { formatClock } from "../base/format.ts";
import {
  ACTION_WORDS,
  explainCode,
  explainProblems,
  findWords,
  nameActor,
  nameField,
  nameLink,
  nameSkip,
  toSelector,
} from "../api/words.ts";
import { t } from "../base/texts.ts";

type Event = TimelineEntry["event"];
/** Kinds that aren't composed of a step and its state. */
type PlainKind = Exclude<Event["kind"], `${string}-${"done" | "impossible" | "moot"}`>;

/** The texts for kinds of timeline entries. Those of enforcement steps are composed from {@link STEP_WORDS}. */
const KIND_WORDS: Readonly<Record<PlainKind | "received-again", string>> = {
  received: t("events.order-received"),
  "received-again": t("events.webhook-delivered-again-no-changes"),
  found: t("events.order-found-on-the-platform"),
  ready: t("events.ready-for-action"),
  decided: t("events.decided"),
  "decided-again": t("events.decided-again"),
  "caught-up": t("events.decided-again-with-the-services-result"),
  "less-detail": t("events.checked-with-less-detail"),
  waiting: t("events.waiting"),
  settled: t("events.done"),
  review: t("events.held-for-review"),
  failed: t("events.stopped-retrying"),
  changed: t("events.changed-on-the-platform"),
  "changed-after-person": t("events.changed-after-a-person-decided"),
  "hold-kept": t("events.hold-kept"),
  "context-changed": t("events.the-platform-sent-more-details"),
  "hold-partial": t("events.partly-held"),
  "held-to-check": t("events.on-hold-while-its-checked"),
  "held-again": t("events.held-again"),
  "hold-expiring": t("events.hold-deadline-approaching"),
  "deadline-capped": t("events.earlier-hold-deadline"),
  "order-hiding": t("events.soon-hidden-from-holdfast"),
  "order-hidden": t("events.hidden-from-holdfast"),
  "protection-lapsing": t("events.chargeback-protection-about-to-end"),
  "hold-released": t("events.hold-released-at-deadline"),
  "hold-overridden": t("events.hold-released-on-the-platform"),
  "hold-overdue": t("events.hold-deadline-passed-without-a-decision"),
  "tag-repaired": t("events.tag-restored"),
  "cancelled-on-platform": t("events.canceled-on-the-platform"),
  dispute: t("events.payment-disputed"),
  refunded: t("events.refunded-in-full-on-the-platform"),
  "authorization-expiring": t("events.payment-authorization-expires-soon"),
  uninstalled: t("events.app-uninstalled"),
  erased: t("events.personal-data-erased"),
  note: t("events.note"),
  approve: t("events.approved"),
  decline: t("events.declined"),
  handle: t("events.handled"),
  assigned: t("events.assigned"),
  "buyer-asked": t("asking.buyer-asked"),
  "buyer-answered": t("asking.buyer-answered"),
  "buyer-confirmed": t("asking.buyer-confirmed"),
  undone: t("events.decision-undone"),
  recheck: t("events.recheck-requested"),
  rechecked: t("events.rechecked"),
  "recheck-failed": t("events.recheck-failed"),
  "review-refused": t("events.decision-couldnt-be-applied"),
};

const STEP_WORDS: Readonly<Record<string, string>> = {
  assess: t("events.risk-assessment"),
  tag: t("events.tags"),
  hold: t("events.hold"),
  cancel: t("events.cancellation"),
  release: t("events.hold-release"),
  untag: t("events.tag-removal"),
  capture: t("events.payment-capture"),
};

const STEP_STATE_WORDS: Readonly<Record<string, string>> = {
  done: t("events.state-done"),
  impossible: t("events.not-possible"),
  moot: t("events.not-needed"),
  waiting: t("events.state-waiting"),
};

/** The event in a few words; an unknown kind with spaces instead of hyphens. */
export function nameKind(kind: string): string {
  const end = kind.lastIndexOf("-");
  const step = findWords(STEP_WORDS, kind.slice(0, end));
  const state = findWords(STEP_STATE_WORDS, kind.slice(end + 1));
  if (step !== undefined && state !== undefined) return `${step}: ${state}`;
  const words = kind.replaceAll("-", " ");
  return findWords(KIND_WORDS, kind) ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export function nameStep(step: string): string {
  return findWords(STEP_WORDS, step) ?? step;
}

export function nameStepState(state: string): string {
  return findWords(STEP_STATE_WORDS, state) ?? state;
}

/** The rest of a timeline entry, with codes in words; empty if the kind says everything. */
export function explainEntry(entry: Pick<TimelineEntry, "kind" | "detail" | "event">): string {
  const { kind, detail, event } = entry;
  if (kind === "note") return "";
  return explainEvent(event) ?? explainCode(detail);
}

/** Null if the entry's own text says it. */
function explainEvent(event: Event): string | null {
  if ("topic" in event) return "";
  if ("problems" in event && event.problems.length > 0) return explainProblems(event.problems);
  if ("check" in event) return [...event.paths.map(nameField), CHECK_WORDS[event.check]].join(" · ");
  if (event.kind === "buyer-asked") return explainAsked(event);
  if (event.kind === "buyer-answered") return explainAnswered(event);
  if (event.kind === "buyer-confirmed") return "";
  return explainPlain(event);
}

function explainAnswered({ answer, method }: Extract<Event, { kind: "buyer-answered" }>): string {
  return t("asking.answered", { answer, method: toSelector(method) });
}

function explainAsked({ methods }: Extract<Event, { kind: "buyer-asked" }>): string {
  if (methods.length === 0) return t("asking.nobody-asked");
  return methods.map((method) => t("asking.method", { method: toSelector(method) })).join(" · ");
}

function explainPlain(event: Event): string | null {
  if (event.kind === "decided") return explainDecided(event);
  if (event.kind === "less-detail") return event.limitations.map(explainCode).join("; ");
  if (event.kind === "assigned") return explainAssigned(event);
  if (event.kind === "hold-overridden") return explainRelease(event);
  if (event.kind === "undone") return t("events.order-was", { act: event.act });
  const at = "effectiveAt" in event ? event.effectiveAt : undefined;
  return at === undefined ? null : t("events.takes-effect", { time: formatClock(at) });
}

function explainAssigned({ to }: Extract<Event, { kind: "assigned" }>): string {
  return to === null
    ? t("events.assigned-to", { some: "none", name: "" })
    : t("events.assigned-to", { some: "some", name: nameActor(to) });
}

function explainRelease({ by, app }: Extract<Event, { kind: "hold-overridden" }>): string {
  if (by === "person") return t("events.by-a-person");
  return by === "app"
    ? t("events.by-app", { app: app ?? t("events.another-app") })
    : t("events.the-platform-doesnt-say-who-did");
}

function explainDecided({ action, source, reasons }: Extract<Event, { kind: "decided" }>): string {
  const decided = t("events.decided-action", { action: ACTION_WORDS[action], source });
  return [decided, ...reasons.map((reason) => explainReason(reason))].join(" · ");
}

const CHECK_WORDS: Readonly<Record<Extract<Event, { check: string }>["check"], string>> = {
  "to-be-checked": t("events.to-be-checked-again"),
  "not-material": t("events.doesnt-affect-risk"),
  "person-decided": t("events.not-checked-again-a-person-has"),
  "record-only": t("events.not-checked-again-imported-for-the"),
  shipped: t("events.not-checked-again-the-order-has"),
  policy: t("events.not-checked-again-by-policy"),
  cancelled: t("events.not-checked-again-the-order-was"),
};

const REASON_WORDS: Readonly<Record<ReasonCode, (detail: string) => string>> = {
  level: (level) => t("events.risk-level", { level }),
  rule: (name) => t("events.rule", { name }),
  burst: () => t("events.too-many-orders-from-one-source"),
  blocked: (kind) => t("events.block-list", { kind: nameLink(kind) }),
  trusted: (kind) => t("events.trust-list", { kind: nameLink(kind) }),
  snoozed: (name) => t("events.rule-snoozed", { name }),
  "local-never-cancels": () => t("events.without-the-paid-check-orders-are"),
  "no-policy-saved": () => t("events.no-policy-is-saved-yet-so"),
  dispute: () => t("events.a-bank-asks-about-the-payment"),
  "opted-out": () => t("events.the-customer-opted-out-of-automatic"),
  channel: (name) => t("events.channel", { name }),
  "held-to-check": () => t("events.on-hold-until-the-service-responds"),
  unchecked: () => t("events.no-risk-level-the-verification-service"),
  "too-little-known": () => t("events.no-risk-level-the-order-has"),
  degraded: (code) =>
    code === ""
      ? t("events.decided-without-the-verification-service")
      : t("events.decided-without", { why: explainCode(code) }),
  unavailable: (action) => t("events.unavailable", { action }),
  "policy-changed": () => t("events.your-policy-changed-while-the-order"),
  "hold-released": () => t("events.someone-had-released-the-hold-so"),
  "hold-kept": () => t("events.on-hold-until-the-service-responds"),
  skipped: (code) => t("events.not-sent", { why: nameSkip(code) }),
  shadow: () => t("events.watch-only-no-changes-on-the"),
  "record-only": () => t("events.imported-for-the-record-no-changes"),
  person: (review) => t("events.person", { review }),
  buyer: () => t("asking.confirmed-reason"),
  deadline: (outcome) => t("events.deadline", { outcome }),
};

/** A reason of a decision (`rule:Gift cards`) in words; an unknown one unchanged. */
export function explainReason(reason: string): string {
  const { code, detail } = splitReason(reason);
  return code === null ? reason : REASON_WORDS[code](detail);
}

export interface TimelineLine {
  /** The newest entry of a group shown as one line. Repeats of the first delivery have the kind `received-again`. */
  readonly entry: TimelineEntry;
  readonly times: number;
  /** The position of the first of them, because two entries can have the same time and kind. */
  readonly key: number;
}

/** Platforms deliver an order several times. Repeats are marked, and consecutive repeats become one line. */
export function foldRepeats(timeline: readonly TimelineEntry[]): readonly TimelineLine[] {
  const lines: TimelineLine[] = [];
  let hasCome = false;
  for (const [key, one] of timeline.entries()) {
    const isRepeat = one.kind === "received" && hasCome;
    hasCome ||= one.kind === "received";
    const last = lines.at(-1);
    const entry = isRepeat ? { ...one, kind: "received-again" } : one;
    if (isRepeat && last?.entry.kind === entry.kind) {
      lines[lines.length - 1] = { ...last, entry, times: last.times + 1 };
    } else lines.push({ entry, times: 1, key });
  }
  return lines;
}
