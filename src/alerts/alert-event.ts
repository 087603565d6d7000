import { createHash } from "node:crypto";
import { z } from "zod";
import { findTraits, NEVER_SENT } from "../base/alerts.ts";
import { readCode } from "../base/errors.ts";
import type { UnsentIncident } from "../store/store.ts";
import { toKeptLine } from "./alert-once.ts";

/** White space and `@` would let a sentence, an address or a header through. Anything else that doesn't match is left out. */
const word = (pattern: RegExp) => z.string().regex(pattern).optional().catch(undefined);

/** What may leave the process about an alert, in addition to its name: ids, codes and numbers, whatever the caller passes. */
export const alertFacts = z.object({
  tenant: word(/^[\w.:-]{1,255}$/),
  orderId: word(/^[\w.:#-]{1,64}$/),
  code: word(/^[A-Z][A-Z0-9_]{0,63}$/),
  problem: word(/^[\w.:-]{1,100}$/),
  found: z.int().nonnegative().optional().catch(undefined),
});
export type AlertFacts = Readonly<z.infer<typeof alertFacts>>;

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

/** Read an alert out of the fields of a log line; undefined for any other line, and for one about the sending of alerts. */
export function toAlertEvent(fields: Readonly<Record<string, unknown>>): AlertEvent | undefined {
  const raised = toName(fields["alert"]);
  const name = raised ?? toName(fields["resolved"]);
  if (name === undefined || name === NEVER_SENT) return undefined;
  const { tenant, orderId, problem, found } = fields;
  const code = fields["code"] ?? readCode(fields["err"]);
  const facts = alertFacts.parse({ tenant, orderId, code, problem, found });
  const kind = raised === undefined ? "resolved" : "raised";
  return { kind, name, incident: toIncident(name, fields, facts), facts, kept: toKept(fields) };
}

function toKept(fields: Readonly<Record<string, unknown>>): UnsentIncident | undefined {
  const name = toTextOrNull(fields["incident"]);
  if (name === null) return undefined;
  const key = { tenant: toTextOrNull(fields["tenant"]) ?? undefined, name };
  return { ...key, unsent: toKeptLine(key, fields).unsent };
}

/** The key's name distinguishes incidents and is never sent. */
function toIncident(name: string, fields: Readonly<Record<string, unknown>>, { problem }: AlertFacts) {
  const parts = [
    name,
    toTextOrNull(fields["tenant"]),
    toTextOrNull(fields["keyId"]),
    findTraits(name)?.perProblem === true ? toTextOrNull(problem) : null,
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

function toTextOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function toName(value: unknown): string | undefined {
  return typeof value === "string" && NAME.test(value) ? value : undefined;
}
