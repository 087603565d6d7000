import { z } from "zod";
import { type RefusalCode, refusalOf } from "../../../base/refusals.ts";
import { expected } from "../../../base/field-codes.ts";
import { toLinkKeys } from "../../../engine/velocity/keys.ts";
import { LINK_KINDS, type LinkKind } from "../../../order/link-kinds.ts";
import { toCheckoutKey, toCheckoutKeys } from "../../../policy/checkout-list.ts";
import { toKnownNow } from "../../../platform/platform.ts";
import { LIST_TEXT_LENGTH, MOST_ENTRIES, type ListEntry } from "../../../policy/lists.ts";
import { policySchema, type Policy } from "../../../policy/policy.ts";
import type { OrderRecord, PolicyVersion } from "../../../store/store.ts";
import type { ApiSession } from "../../http/api-route.ts";
import { ProblemError } from "../../http/responses.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { toLinkLabel } from "./linked-order-routes.ts";

const REASON_EXPECTED = expected("characters", { max: LIST_TEXT_LENGTH });

/** Fields of every entry that a person makes. */
export const entryBody = {
  reason: z.string().trim().min(1, REASON_EXPECTED).max(LIST_TEXT_LENGTH, REASON_EXPECTED),
  until: z.iso
    .date()
    .nullable()
    .describe("the last day, in UTC, whose orders it applies to; null for no end. A snooze must have an end"),
};

const KINDS_EXPECTED = expected("any-of", { allowed: LINK_KINDS.join(", ") });

export const linkKinds = z
  .array(z.enum(LINK_KINDS, KINDS_EXPECTED), KINDS_EXPECTED)
  .min(1, KINDS_EXPECTED)
  .max(LINK_KINDS.length);

/** What to block of an order's buyer. */
export const blockBody = z.strictObject({
  kinds: linkKinds,
  ...entryBody,
});

type ListParts = Pick<ServerParts, "store" | "now">;
type Lister = Pick<ApiSession, "tenant" | "actor">;
type Wanted = Pick<ListEntry, "list" | "rule" | "reason" | "until" | "order">;

/** Others may be changing the policy at the same time. */
const MAX_TRIES = 3;

export function toConflict(code: ListConflict): ProblemError {
  return new ProblemError(refusalOf(409, code));
}

type ListConflict = Extract<
  RefusalCode,
  | "buyer-trusted"
  | "entry-value-missing"
  | "policy-busy"
  | "policy-unfit"
  | "policy-unsaved"
  | "rule-not-found"
>;

/**
 * Entries for what an order's buyer is recognized by.
 *
 * @throws {ProblemError} 409: the order doesn't have one of these, or its content was erased.
 */
export function toEntries(
  { store }: ListParts,
  { tenant, actor: owner }: Lister,
  { mapped }: OrderRecord,
  kinds: readonly LinkKind[],
  wanted: Wanted,
): readonly ListEntry[] {
  const order = mapped === null ? null : toKnownNow(mapped);
  const keys = order && toLinkKeys(order, (purpose, text) => store.keyring.digest(tenant, purpose, text));
  const atCheckout = order && toCheckoutKeys(order, toCheckoutKey(store.keyring, tenant));
  return [...new Set(kinds)].map((kind) => {
    const digest = keys?.[kind];
    if (order === null || digest === undefined) throw toConflict("entry-value-missing");
    const checkout = wanted.list === "block" ? atCheckout?.[kind] : undefined;
    const compared = checkout === undefined ? {} : { checkout };
    return { ...wanted, kind, digest, ...compared, label: toLinkLabel(kind, order), owner };
  });
}

/**
 * Save the policy with the entries. Each replaces an entry with the same value and, for a snooze, the same rule. The block of
 * a decline replaces only an earlier one of the same order, so that an undo leaves everything else as it was.
 *
 * @throws {ProblemError} 409.
 */
export function addEntries(parts: ListParts, lister: Lister, entries: readonly ListEntry[]) {
  return savePolicy(parts, lister, (policy) => {
    const rule = entries.find((entry) => entry.rule !== undefined)?.rule;
    if (rule !== undefined && policy.rules.every(({ name }) => name !== rule))
      throw toConflict("rule-not-found");
    return entries.reduce((lists, entry) => addEntry(lists, entry, parts.now()), policy.lists);
  });
}

/**
 * Save the policy without the blocks that the decline of an order brought. Saves nothing if there are none.
 *
 * @returns what was removed.
 * @throws {ProblemError} 409.
 */
export async function removeBlocks(
  parts: ListParts,
  lister: Lister,
  { orderId }: OrderRecord,
  kinds: readonly LinkKind[],
): Promise<readonly ListEntry[]> {
  const isRemoved = ({ list, kind, order }: ListEntry) =>
    list === "block" && order === orderId && kinds.includes(kind);
  let removed: readonly ListEntry[] = [];
  await savePolicy(parts, lister, ({ lists }) => {
    removed = lists.filter((entry) => isRemoved(entry));
    return lists.filter((entry) => !isRemoved(entry));
  });
  return removed;
}

async function savePolicy(
  { store, now }: ListParts,
  { tenant, actor }: Lister,
  toLists: (policy: Policy) => readonly ListEntry[],
): Promise<{ readonly policy: Policy; readonly version: number }> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const kept = await store.policies.load(tenant);
    // Saving the first policy turns cancellation on, and nobody should do that by accident.
    if (kept === null) throw toConflict("policy-unsaved");
    const before = toPolicy(kept);
    const policy = policySchema.safeParse({ ...before, lists: toLists(before) }).data;
    if (policy === undefined) throw toConflict("policy-unfit");
    if (
      policy.lists.length === before.lists.length &&
      policy.lists.every((one, at) => one === before.lists[at])
    )
      return { policy, version: kept.version };
    const saved = await store.policies.save(tenant, policy, kept.version, now(), actor);
    if (saved !== null) return { policy, version: saved.version };
  }
  throw toConflict("policy-busy");
}

function toPolicy({ document }: PolicyVersion): Policy {
  const policy = policySchema.safeParse(document).data;
  if (policy === undefined) throw toConflict("policy-unfit");
  return policy;
}

function addEntry(lists: readonly ListEntry[], entry: ListEntry, nowMs: number): readonly ListEntry[] {
  // A value is trusted or blocked, and several rules can be snoozed for it.
  const isReplaced = ({ kind, digest, rule, order }: ListEntry) =>
    kind === entry.kind &&
    digest === entry.digest &&
    rule === entry.rule &&
    (entry.order === undefined || order === entry.order);
  const others = lists.filter((one) => !isReplaced(one));
  const today = new Date(nowMs).toISOString().slice(0, 10);
  // Expired entries make room: snoozes always expire, and nobody removes them.
  const left =
    others.length < MOST_ENTRIES ? others : others.filter(({ until }) => until === null || until >= today);
  return [...left, entry];
}
