import { createHash } from "node:crypto";
import type { UnsentIncident } from "../store/store.ts";
import { toKeptLine } from "./alert-once.ts";
import { findAlert, NEVER_SENT } from "./all-alerts.ts";

/** What may leave the process about an alert, in addition to its name: ids, codes and numbers. */
export interface AlertFacts {
  readonly tenant?: string | undefined;
  readonly orderId?: string | undefined;
  readonly code?: string | undefined;
  readonly problem?: string | undefined;
  readonly found?: number | undefined;
}

/** A log line that is an alert, or that says that one is over. */
export interface AlertEvent {
  readonly kind: "raised" | "resolved";
  /** As in the line's `alert` or `resolved`. */
  readonly name: string;
  /** A digest that identifies the incident, the same in every process. */
  readonly incident: string;
  readonly facts: AlertFacts;
  /** What the store keeps of the line until the alert is on its way to people. Undefined: nothing. */
  readonly kept: UnsentIncident | undefined;
}

const NAME = /^[a-z][a-z0-9_]{0,63}$/;
/** No white space and no `@`, so that no sentence, address or header gets through, whatever the caller passes. */
const WORDS = {
  tenant: /^[\w.:-]{1,255}$/,
  orderId: /^[\w.:#-]{1,64}$/,
  code: /^[A-Z][A-Z0-9_]{0,63}$/,
  problem: /^[\w.:-]{1,100}$/,
} as const;

/** Read an alert out of the fields of a log line; undefined for any other line, and for one about the sending of alerts. */
export function toAlertEvent(fields: Readonly<Record<string, unknown>>): AlertEvent | undefined {
  const raised = toMatching(fields["alert"], NAME);
  const name = raised ?? toMatching(fields["resolved"], NAME);
  if (name === undefined || name === NEVER_SENT) return undefined;
  const facts: AlertFacts = {
    tenant: toMatching(fields["tenant"], WORDS.tenant),
    orderId: toMatching(fields["orderId"], WORDS.orderId),
    code: toMatching(fields["code"] ?? codeOf(fields["err"]), WORDS.code),
    problem: toMatching(fields["problem"], WORDS.problem),
    found: toCount(fields["found"]),
  };
  const kind = raised === undefined ? "resolved" : "raised";
  return { kind, name, incident: toIncident(name, fields, facts), facts, kept: toKept(fields) };
}

function toKept(fields: Readonly<Record<string, unknown>>): UnsentIncident | undefined {
  const name = toText(fields["incident"]);
  if (name === null) return undefined;
  const key = { tenant: toText(fields["tenant"]) ?? undefined, name };
  return { ...key, unsent: toKeptLine(key, fields).unsent };
}

/** The key's name distinguishes incidents and is never sent. */
function toIncident(
  name: string,
  fields: Readonly<Record<string, unknown>>,
  { problem }: AlertFacts,
): string {
  const parts = [
    name,
    toText(fields["tenant"]),
    toText(fields["keyId"]),
    findAlert(name)?.perProblem === true ? toText(problem) : null,
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

function toText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function toMatching(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === "string" && pattern.test(value) ? value : undefined;
}

function toCount(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
