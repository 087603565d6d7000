import type { TimelineEntry } from "./api-types.ts";
import { formatClock } from "./format.ts";
import { ACTION_WORDS, explainProblem, LEVEL_WORDS, SOURCE_WORDS } from "./words.ts";

/** What kinds of timeline entries mean. Steps of enforcement are put together from {@link STEP_WORDS}. */
const KIND_WORDS: Readonly<Record<string, string>> = {
  received: "Order received",
  "received-again": "Webhook delivered again, no changes",
  found: "Order found on the platform",
  ready: "Ready for action",
  answered: "Result received",
  decided: "Decided",
  "decided-again": "Decided again",
  "caught-up": "Decided again with the service's result",
  "less-detail": "Checked with less detail",
  waiting: "Waiting",
  enforcing: "Applying decision",
  settled: "Done",
  review: "Held for review",
  failed: "Stopped retrying",
  changed: "Changed on the platform",
  "changed-after-person": "Changed after a person decided",
  "hold-kept": "Hold kept",
  "held-to-check": "On hold while it's checked",
  "hold-expiring": "Hold deadline approaching",
  "hold-released": "Hold released at deadline",
  "hold-overridden": "Hold released on the platform",
  "hold-overdue": "Hold deadline passed without a decision",
  "tag-repaired": "Tag restored",
  "cancelled-on-platform": "Canceled on the platform",
  dispute: "Payment disputed",
  "authorization-expiring": "Payment authorization expires soon",
  uninstalled: "App uninstalled",
  erased: "Personal data erased",
  note: "Note",
  approve: "Approved",
  approved: "Approved",
  decline: "Declined",
  declined: "Declined",
  undone: "Decision undone",
  recheck: "Recheck requested",
  rechecked: "Rechecked",
  "recheck-failed": "Recheck failed",
  "verdict-refused": "Decision couldn't be applied",
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

/** What happened, in a few words: `step-done` kinds of enforcement as "Hold: done", unknown kinds with blanks. */
export function nameKind(kind: string): string {
  const known = Object.hasOwn(KIND_WORDS, kind) ? KIND_WORDS[kind] : undefined;
  if (known !== undefined) return known;
  const [step = "", state = ""] = kind.split("-", 2);
  if (Object.hasOwn(STEP_WORDS, step) && Object.hasOwn(STEP_STATE_WORDS, state)) {
    return `${STEP_WORDS[step]}: ${STEP_STATE_WORDS[state]}`;
  }
  const words = kind.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A step of enforcement in words. */
export function nameStep(step: string): string {
  return (Object.hasOwn(STEP_WORDS, step) ? STEP_WORDS[step] : undefined) ?? step;
}

/** A step's state in words. */
export function nameStepState(state: string): string {
  return (Object.hasOwn(STEP_STATE_WORDS, state) ? STEP_STATE_WORDS[state] : undefined) ?? state;
}

/** What else a timeline entry says, with codes put into words; empty when the kind says it all. */
export function explainEntry({ kind, detail }: Pick<TimelineEntry, "kind" | "detail">): string {
  if (detail === "" || kind === "note") return "";
  if (kind === "undone") return detail === "decline" ? "The order was declined" : "The order was approved";
  const at = TAKES_EFFECT.exec(detail)?.[1];
  if (at !== undefined) return `Takes effect at ${formatClock(at)} unless undone`;
  const decided = DECIDED.exec(detail);
  if (decided !== null) return explainDecided(decided);
  if (isProblem(detail)) return explainProblem(detail);
  return WEBHOOK_TOPIC.test(detail) ? "" : detail;
}

/** `hold (service): level:high, rule:NAME`: the action, the source, and the reasons. */
const DECIDED = /^(allow|tag|hold|cancel) \((\w+)\)(?:: (.*))?$/;

const TAKES_EFFECT = /^takes effect at (\S+) unless undone$/;

function explainDecided([, action = "", source = "", reasons = ""]: RegExpExecArray): string {
  const words = ACTION_WORDS[action as keyof typeof ACTION_WORDS] ?? action;
  const judge = SOURCE_WORDS[source as keyof typeof SOURCE_WORDS] ?? source;
  const why = reasons.split(", ").filter((reason) => reason !== "");
  return [`${words} (${judge.toLowerCase()})`, ...why.map((reason) => explainReason(reason))].join(" · ");
}

/** Codes only (`PLATFORM_THROTTLED`, `hold:already-fulfilled`), no sentence. */
function isProblem(detail: string): boolean {
  return detail.split(" ").every((part) => /^[A-Z]+(?:_[A-Z]+)+$|^[a-z]+:\S|^[a-z]+(?:-[a-z]+)+$/.test(part));
}

/** The platform's webhook topic, which a reviewer doesn't need. */
const WEBHOOK_TOPIC = /^[a-z_]+\/[a-z_]+$/;

const REASON_WORDS: Readonly<Record<string, (detail: string) => string>> = {
  level: (level) => `Risk level ${LEVEL_WORDS[level as keyof typeof LEVEL_WORDS]?.toLowerCase() ?? level}`,
  rule: (name) => `Rule “${name}”`,
  burst: () => "Many orders from one source",
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
      : `Decided without the verification service: ${explainProblem(code)}`,
  unavailable: (action) =>
    `Not checked. Policy action: ${ACTION_WORDS[action as keyof typeof ACTION_WORDS]?.toLowerCase() ?? action}`,
  "hold-kept": () => "On hold until the service responds",
  skipped: (code) => `Not sent to the verification service: ${code}`,
  shadow: () => "Watch only: no changes on the platform",
  "record-only": () => "Imported for the record: no changes on the platform",
  person: (verdict) => `A person ${verdict} it`,
  deadline: (outcome) => `Hold deadline passed. Policy action: ${outcome}`,
};

/** A reason of a decision (`rule:Gift cards`) in words; an unknown one as it is. */
export function explainReason(reason: string): string {
  const at = reason.indexOf(":");
  const code = at === -1 ? reason : reason.slice(0, at);
  const explain = Object.hasOwn(REASON_WORDS, code) ? REASON_WORDS[code] : undefined;
  return explain === undefined ? reason : explain(at === -1 ? "" : reason.slice(at + 1));
}

/** One line of the timeline. */
export interface TimelineLine {
  /** The newest of those that are one line; repeats of the first delivery have the kind `received-again`. */
  readonly entry: TimelineEntry;
  /** How many entries it combines. */
  readonly times: number;
  /** Where the first of them stands: two entries may be of the same moment and kind. */
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
