import type { ListMatch } from "../order/decision.ts";
import type { Reason } from "../order/reasons.ts";
import { z } from "zod";
import { expected, toFieldProblem, type FieldProblem } from "../base/field-codes.ts";
import { toLinkKeys, type LinkKeys, type TenantDigest } from "../engine/velocity/keys.ts";
import { LINK_KINDS } from "../order/link-kinds.ts";
import { toKnown, type MappedOrder } from "../platform/platform.ts";
import { filledText, limitedList, oneOf } from "./schema-fields.ts";

export const LIST_TEXT_LENGTH = 200;
export const MOST_ENTRIES = 1_000;
const text = () => filledText(LIST_TEXT_LENGTH);

export const LISTS = ["trust", "block"] as const satisfies readonly ListMatch["list"][];
/** Puts a buyer on one of {@link LISTS}, or stops applying one rule to their orders until a date. */
export const ENTRY_KINDS = [...LISTS, "snooze"] as const;

const entryFields = z.strictObject({
  list: oneOf(ENTRY_KINDS),
  /** Name of the rule that isn't applied. Only for a snooze. */
  rule: text().optional(),
  /** What orders are recognized by. */
  kind: oneOf(LINK_KINDS),
  /** A digest under the tenant's key: the value itself isn't stored. */
  digest: z.string().regex(/^[\w-]{22}$/, expected("digest")),
  /** A shorter digest under a key that the platform's checkout knows. Absent: a checkout can't compare the value. */
  checkout: z
    .string()
    .regex(/^[\w-]{8}$/, expected("digest"))
    .optional(),
  /** The value, masked. */
  label: text(),
  /** Who put it on the list: `person:ID`. */
  owner: text(),
  reason: text(),
  /** The ID of the order whose decline brought this block. Undoing the decline takes it off the list. */
  order: text().optional(),
  /** The last day, in UTC, whose orders it counts for; null for no end. */
  until: z.iso.date(expected("date-or-null")).nullable().default(null),
});

const entrySchema = entryFields
  .superRefine((entry, context) => {
    for (const [path, code] of listSnoozeProblems(entry))
      context.addIssue({ code: "custom", path: [path], message: expected(code) });
  })
  .readonly();

type Recognized = Pick<z.infer<typeof entryFields>, "list" | "rule" | "kind" | "until">;

/** What a snooze lacks, or what another entry must not have. */
export function findSnoozeProblems(entry: Recognized): readonly FieldProblem[] {
  return listSnoozeProblems(entry).map(([path, code]) => toFieldProblem(path, code));
}

function listSnoozeProblems(entry: Recognized) {
  const { list, rule, kind, until } = entry;
  const isSnooze = list === "snooze";
  const problems = [
    !isSnooze && rule !== undefined && (["rule", "snooze-only"] as const),
    isSnooze && rule === undefined && (["rule", "snooze-rule"] as const),
    // Strangers can share the other kinds, and the rule would be off for all of them.
    isSnooze && kind !== "mailbox" && (["kind", "snooze-kind"] as const),
    // A snooze without an end is easily forgotten.
    isSnooze && until === null && (["until", "snooze-end"] as const),
  ];
  return problems.filter((problem) => problem !== false);
}

export type ListEntry = z.infer<typeof entrySchema>;

export const listsSchema = limitedList(entrySchema, MOST_ENTRIES, "entries");

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

/** The entries that count for orders received at a moment. */
export function toCurrent(lists: readonly ListEntry[], receivedAtMs: number): readonly ListEntry[] {
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

export function toListReason({ list, kind }: ListMatch): Reason {
  return `${list === "block" ? "blocked" : "trusted"}:${kind}`;
}
