import { findReason, type Reason } from "../order/reasons.ts";
import { z } from "zod";
import { toLinkKeys, type LinkKeys, type TenantDigest } from "../engine/velocity/keys.ts";
import { LINK_KINDS, type LinkKind } from "../engine/facts/velocity-counts.ts";
import { toKnown, type MappedOrder } from "../platform/platform.ts";
import { filledText, limitedList } from "./schema-fields.ts";

export const LIST_TEXT_LENGTH = 200;
export const MOST_ENTRIES = 1_000;
const text = () => filledText(LIST_TEXT_LENGTH);

export const LISTS = ["trust", "block"] as const;
/** Puts a buyer on one of {@link LISTS}, or stops applying one rule to their orders until a date. */
export const ENTRY_KINDS = [...LISTS, "snooze"] as const;

const entryFields = z.strictObject({
  list: z.enum(ENTRY_KINDS, "expected trust, block or snooze"),
  /** Name of the rule that isn't applied. Only for a snooze. */
  rule: text().optional(),
  /** What orders are recognized by. */
  kind: z.enum(LINK_KINDS, `expected one of ${LINK_KINDS.join(", ")}`),
  /** A digest under the tenant's key: the value itself isn't stored. */
  digest: z.string().regex(/^[\w-]{22}$/, "expected a digest, as the lists of the console make it"),
  /** The value, masked. */
  label: text(),
  /** Who put it on the list: `person:ID`. */
  owner: text(),
  reason: text(),
  /** The last day, in UTC, whose orders it counts for; null for no end. */
  until: z.iso.date("expected a date, for example 2027-01-31, or null").nullable().default(null),
});

const entrySchema = entryFields
  .superRefine((entry, context) => {
    for (const { path, message } of findSnoozeProblems(entry))
      context.addIssue({ code: "custom", path: [path], message });
  })
  .readonly();

/** What a snooze lacks, or what another entry must not have. */
export function findSnoozeProblems(
  entry: Pick<z.infer<typeof entryFields>, "list" | "rule" | "kind" | "until">,
) {
  const { list, rule, kind, until } = entry;
  const isSnooze = list === "snooze";
  const problems = [
    !isSnooze && rule !== undefined && toSnoozeProblem("rule", "expected only with the list snooze"),
    isSnooze && rule === undefined && toSnoozeProblem("rule", "expected the name of the rule to snooze"),
    // Strangers can share the other kinds, and the rule would be off for all of them.
    isSnooze && kind !== "mailbox" && toSnoozeProblem("kind", "expected mailbox: a snooze is one customer's"),
    // A snooze without an end is easily forgotten.
    isSnooze && until === null && toSnoozeProblem("until", "expected a date: a snooze has an end"),
  ];
  return problems.filter((problem) => problem !== false);
}

function toSnoozeProblem(path: "rule" | "kind" | "until", message: string) {
  return { path, message };
}

export type ListEntry = z.infer<typeof entrySchema>;

export const listsSchema = limitedList(entrySchema, MOST_ENTRIES, "entries");

/** The kind of list that an order's buyer is on, and what the buyer was recognized by. */
export interface ListMatch {
  readonly list: (typeof LISTS)[number];
  readonly kind: LinkKind;
}

/** The parts of an order that lists compare. */
export interface Listable {
  /** Null: not known any more. */
  readonly keys: Partial<LinkKeys> | null;
  readonly receivedAtMs: number;
}

const DAY_MS = 86_400_000;

/**
 * The entry that counts for an order, a block before a trust. Null for none, undefined if that isn't known. An entry
 * counts for orders received up to its last day, so the same order matches the same entries at any time.
 */
export function findListed(
  lists: readonly ListEntry[],
  { keys, receivedAtMs }: Listable,
): ListMatch | null | undefined {
  const current = toCurrent(lists, receivedAtMs).filter(({ list }) => list !== "snooze");
  if (keys === null) return current.length === 0 ? null : undefined;
  const found = current.filter(({ kind, digest }) => keys[kind] === digest);
  const block = found.find(({ list }) => list === "block");
  if (block !== undefined) return { list: "block", kind: block.kind };
  return found[0] === undefined ? null : { list: "trust", kind: found[0].kind };
}

function toCurrent(lists: readonly ListEntry[], receivedAtMs: number): readonly ListEntry[] {
  return lists.filter(({ until }) => until === null || receivedAtMs < Date.parse(until) + DAY_MS);
}

interface Snoozable {
  readonly lists: readonly ListEntry[];
  readonly rules: readonly { readonly name: string }[];
}

/** Rules that aren't applied because somebody snoozed them for the order's buyer; undefined when that isn't known. */
export function findSnoozed({ lists, rules }: Snoozable, { keys, receivedAtMs }: Listable) {
  if (!lists.some(({ list }) => list === "snooze")) return NONE;
  const snoozes = toCurrent(lists, receivedAtMs).filter(({ list }) => list === "snooze");
  const isSnoozed = (name: string) =>
    snoozes.some(({ rule, kind, digest }) => rule === name && (keys === null || keys[kind] === digest));
  const names = rules.map(({ name }) => name).filter(isSnoozed);
  return keys === null && names.length > 0 ? undefined : names;
}

const NONE: readonly string[] = [];

/** The policy without rules that are snoozed. */
export function leaveOut<P extends Snoozable>(policy: P, snoozed: readonly string[]): P {
  if (snoozed.length === 0) return policy;
  return { ...policy, rules: policy.rules.filter(({ name }) => !snoozed.includes(name)) };
}

/** The policy as it applies to the buyer of an order that was received at `receivedAtMs`: without rules that are snoozed. */
export function applyLists<P extends Snoozable>(
  policy: P,
  mapped: MappedOrder,
  receivedAtMs: number,
  digest: TenantDigest,
) {
  // Lists and velocity ignore test orders.
  if (policy.lists.length === 0 || mapped.test) return { policy, snoozed: NONE, listed: null };
  const keys = toLinkKeys(toKnown(mapped), digest);
  const snoozed = findSnoozed(policy, { keys, receivedAtMs }) ?? NONE;
  const listed = findListed(policy.lists, { keys, receivedAtMs }) ?? null;
  return { policy: leaveOut(policy, snoozed), snoozed, listed };
}

export function findListReason(reasons: readonly Reason[]): ListMatch | null {
  const blocked = findReason(reasons, "blocked");
  const name = blocked ?? findReason(reasons, "trusted");
  const kind = LINK_KINDS.find((known) => known === name);
  return kind === undefined ? null : { list: blocked === undefined ? "trust" : "block", kind };
}

export function toListReason({ list, kind }: ListMatch): Reason {
  return `${list === "block" ? "blocked" : "trusted"}:${kind}`;
}
