import { splitReason, type ReasonCode } from "../../../src/order/reasons.ts";
import type { TimelineEntry } from "../api/api-types.ts";
import { formatClock } from "../base/format.ts";
import {
  ACTION_WORDS,
  explainCode,
  explainProblems,
  findWords,
  LEVEL_WORDS,
  LINK_WORDS,
  nameField,
  nameSkip,
  SOURCE_WORDS,
} from "../api/words.ts";

type Event = TimelineEntry["event"];
/** Kinds that aren't composed of a step and its state. */
type PlainKind = Exclude<Event["kind"], `${string}-${"done" | "impossible" | "moot"}`>;

/** The texts for kinds of timeline entries. Those of enforcement steps are composed from {@link STEP_WORDS}. */
const KIND_WORDS: Readonly<Record<PlainKind | "received-again", string>> = {
  received: "Order received",
  "received-again": "Webhook delivered again, no changes",
  found: "Order found on the platform",
  ready: "Ready for action",
  decided: "Decided",
  "decided-again": "Decided again",
  "caught-up": "Decided again with the service's result",
  "less-detail": "Checked with less detail",
  waiting: "Waiting",
  settled: "Done",
  review: "Held for review",
  failed: "Stopped retrying",
  changed: "Changed on the platform",
  "changed-after-person": "Changed after a person decided",
  "hold-kept": "Hold kept",
  "context-changed": "The platform sent more details",
  "hold-partial": "Partly held",
  "held-to-check": "On hold while it's checked",
  "held-again": "Held again",
  "hold-expiring": "Hold deadline approaching",
  "deadline-capped": "Earlier hold deadline",
  "order-hiding": "Soon hidden from Holdfast",
  "order-hidden": "Hidden from Holdfast",
  "protection-lapsing": "Chargeback protection about to end",
  "hold-released": "Hold released at deadline",
  "hold-overridden": "Hold released on the platform",
  "hold-overdue": "Hold deadline passed without a decision",
  "tag-repaired": "Tag restored",
  "cancelled-on-platform": "Canceled on the platform",
  dispute: "Payment disputed",
  refunded: "Refunded in full on the platform",
  "authorization-expiring": "Payment authorization expires soon",
  uninstalled: "App uninstalled",
  erased: "Personal data erased",
  note: "Note",
  approve: "Approved",
  decline: "Declined",
  undone: "Decision undone",
  recheck: "Recheck requested",
  rechecked: "Rechecked",
  "recheck-failed": "Recheck failed",
  "review-refused": "Decision couldn't be applied",
};

const STEP_WORDS: Readonly<Record<string, string>> = {
  assess: "Risk assessment",
  tag: "Tags",
  hold: "Hold",
  cancel: "Cancellation",
  release: "Hold release",
  untag: "Tag removal",
  capture: "Payment capture",
};

const STEP_STATE_WORDS: Readonly<Record<string, string>> = {
  done: "done",
  impossible: "not possible",
  moot: "not needed",
  waiting: "waiting",
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
  if (event.kind === "decided") return explainDecided(event);
  if (event.kind === "less-detail") return event.limitations.map(explainCode).join("; ");
  if (event.kind === "hold-overridden") return explainRelease(event);
  if (event.kind === "undone") return `The order was ${event.act === "decline" ? "declined" : "approved"}`;
  const at = "effectiveAt" in event ? event.effectiveAt : undefined;
  return at === undefined ? null : `Takes effect at ${formatClock(at)} unless undone`;
}

function explainRelease({ by, app }: Extract<Event, { kind: "hold-overridden" }>): string {
  if (by === "person") return "By a person";
  return by === "app" ? `By ${app ?? "another app"}, not by a person` : "The platform doesn't say who did it";
}

function explainDecided({ action, source, reasons }: Extract<Event, { kind: "decided" }>): string {
  const decided = `${ACTION_WORDS[action]} (${SOURCE_WORDS[source].toLowerCase()})`;
  return [decided, ...reasons.map((reason) => explainReason(reason))].join(" · ");
}

const CHECK_WORDS: Readonly<Record<Extract<Event, { check: string }>["check"], string>> = {
  "to-be-checked": "to be checked again",
  "not-material": "doesn't affect risk",
  "person-decided": "not checked again: a person has decided",
  "record-only": "not checked again: imported for the record",
  shipped: "not checked again: the order has shipped",
  policy: "not checked again, by policy",
  cancelled: "not checked again: the order was canceled",
};

const REASON_WORDS: Readonly<Record<ReasonCode, (detail: string) => string>> = {
  level: (level) => `Risk level ${LEVEL_WORDS[level as keyof typeof LEVEL_WORDS]?.toLowerCase() ?? level}`,
  rule: (name) => `Rule “${name}”`,
  burst: () => "Too many orders from one source",
  blocked: (kind) => `On the block list: ${toLinkWord(kind)}`,
  trusted: (kind) => `On the trust list: ${toLinkWord(kind)}`,
  snoozed: (name) => `Rule “${name}” isn't applied to this customer for now`,
  "local-never-cancels": () => "Without the paid check, orders are held, never canceled",
  "no-policy-saved": () => "No policy is saved yet, so the order is held instead of canceled",
  dispute: () => "A bank asks about the payment, so a person decides",
  "opted-out": () => "The customer opted out of automatic decisions, so a person decides",
  channel: (name) => `Orders from the channel “${name}” aren't checked`,
  "held-to-check": () => "On hold until the service responds",
  unchecked: () => "No risk level: the verification service didn't check the order.",
  "too-little-known": () => "No risk level: the order has too little information.",
  degraded: (code) =>
    code === ""
      ? "Decided without the verification service"
      : `Decided without the verification service: ${explainCode(code)}`,
  unavailable: (action) =>
    `Not checked. Policy action: ${ACTION_WORDS[action as keyof typeof ACTION_WORDS]?.toLowerCase() ?? action}`,
  "policy-changed": () => "Your policy changed while the order waited to be canceled, so it's held instead",
  "hold-released": () => "Someone had released the hold, so the order is held instead of canceled",
  "hold-kept": () => "On hold until the service responds",
  skipped: (code) => `Not sent to the verification service: ${nameSkip(code)}`,
  shadow: () => "Watch only: no changes on the platform",
  "record-only": () => "Imported for the record: no changes on the platform",
  person: (review) => `A person ${review} it`,
  deadline: (outcome) => `Hold deadline passed. Policy action: ${outcome}`,
};

function toLinkWord(kind: string): string {
  return LINK_WORDS[kind as keyof typeof LINK_WORDS]?.toLowerCase() ?? kind;
}

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
