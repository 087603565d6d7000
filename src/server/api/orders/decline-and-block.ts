import type { z } from "zod";
import { type Refusal, describeRefusal } from "../../../base/refusals.ts";
import { toPersonAct } from "../../../order/decision.ts";
import type { LinkKind } from "../../../order/link-kinds.ts";
import { findListed, type ListEntry } from "../../../policy/lists.ts";
import type { OrderRecord } from "../../../store/store.ts";
import { noteAct } from "../base/note-access.ts";
import type { ApiSession } from "../../http/api-route.ts";
import { ProblemError } from "../../http/responses.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { addEntries, removeBlocks, toConflict, toEntries, type blockBody } from "./list-entries.ts";

type Parts = Pick<ServerParts, "store" | "now" | "policyOf">;
type Session = Pick<ApiSession, "tenant" | "actor">;

export const NOT_BLOCKED = describeRefusal("already-declined");

/**
 * The blocks that a decline brings: without what is blocked already for as long.
 *
 * @throws {ProblemError} 409, before anything is done.
 */
export async function planBlocks(
  parts: Parts,
  session: Session,
  order: OrderRecord,
  block: z.infer<typeof blockBody> | undefined,
): Promise<readonly ListEntry[]> {
  if (block === undefined) return [];
  const { kinds, reason, until } = block;
  const { lists } = (await parts.policyOf(session.tenant)).policy;
  const receivedAtMs = parts.now();
  const isTrusted = ({ kind, digest }: ListEntry) =>
    findListed(lists, { keys: { [kind]: digest }, receivedAtMs })?.list === "trust";
  const wanted = { list: "block", reason, until, order: order.orderId } as const;
  const entries = toEntries(parts, session, order, kinds, wanted);
  if (entries.some((entry) => isTrusted(entry))) throw toConflict("buyer-trusted");
  const missing: ListEntry[] = [];
  for (const entry of entries) {
    const covering = lists.filter((one) => isCovering(one, entry));
    const stays = await Promise.all(covering.map((one) => isStaying(parts, order, one)));
    if (!stays.includes(true)) missing.push(entry);
  }
  return missing;
}

/** Whether an entry blocks the same, for as long. */
function isCovering({ list, kind, digest, until }: ListEntry, entry: ListEntry): boolean {
  const isSame = list === "block" && kind === entry.kind && digest === entry.digest;
  return isSame && (until === null || (entry.until !== null && until >= entry.until));
}

/** Whether no other order's decline brought the entry, or it can't be undone any more. */
async function isStaying({ store }: Parts, { tenant, orderId }: OrderRecord, { order }: ListEntry) {
  if (order === undefined || order === orderId) return true;
  return (await store.orders.get({ tenant, orderId: order }))?.review?.act !== "decline";
}

/** Save the blocks of a decline. The decline stands if that fails: returns why it did. */
export async function saveBlocks(
  parts: Parts,
  session: Session,
  order: OrderRecord,
  entries: readonly ListEntry[],
): Promise<Refusal | undefined> {
  await noteAct(parts, session, "list", order.orderId);
  return toProblem(async () => {
    await addEntries(parts, session, entries);
    // Somebody may have undone the decline before its blocks were there.
    if (!(await isDeclined(parts, order))) await removeBlocks(parts, session, order, toKinds(entries));
  });
}

export function toKinds(entries: readonly ListEntry[]): readonly LinkKind[] {
  return entries.map(({ kind }) => kind);
}

interface Lifted {
  /** What was taken off the list. */
  readonly entries: readonly ListEntry[];
  /** Why nothing was. */
  readonly problem?: Refusal | undefined;
}

/** Take the blocks of a decline that is about to be undone off the list. */
export async function liftBlocks(parts: Parts, session: Session, order: OrderRecord): Promise<Lifted> {
  const blocks = order.review?.blocks ?? [];
  if (blocks.length === 0) return { entries: [] };
  await noteAct(parts, session, "list", order.orderId);
  let entries: readonly ListEntry[] = [];
  const problem = await toProblem(async () => {
    entries = await removeBlocks(parts, session, order, blocks);
  });
  return { entries, problem };
}

/** Put lifted blocks back, because the decline took effect before it could be undone. Returns why that failed. */
export async function restoreBlocks(
  parts: Parts,
  session: Session,
  order: OrderRecord,
  { entries }: Lifted,
): Promise<Refusal | undefined> {
  if (entries.length === 0 || !(await isDeclined(parts, order))) return undefined;
  return toProblem(() => addEntries(parts, session, entries));
}

async function isDeclined({ store }: Parts, key: OrderRecord): Promise<boolean> {
  const order = await store.orders.get(key);
  if (order === null) return false;
  const { review, decision } = order;
  if (review !== null) return review.act === "decline";
  return decision?.source === "person" && toPersonAct(decision) === "decline";
}

async function toProblem(work: () => Promise<unknown>): Promise<Refusal | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { detail, refusal, params } = error.answer;
    return { detail, refusal, ...(params !== undefined && { params }) };
  }
}
