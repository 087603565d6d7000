import { sql } from "kysely";
import type { Refusal } from "../../base/refusals.ts";
import { writeWork, type StoreContext } from "../context.ts";
import { lockSituation, lockRow, takeEffect, type LockedRow, type OrderSituation } from "./locked-order.ts";
import { takeRecheck, toRecheckQuotaName, type RecheckLimit } from "../quotas.ts";
import type { Database } from "../schema/schema.ts";
import type { OrderRecord, OrderTransition, PendingReview, Review } from "./order-record.ts";
import { deleteRows, ofOrder, selectOne, updateRows, type OrderKey } from "../statements.ts";
import { type NoteEntry, addNote, addTimeline } from "./history.ts";
import { FREE } from "../engines/engine.ts";

/** The longest time in which an approval or a decline can be undone, in milliseconds. */
export const MAX_UNDO_MS = 60_000;

/** Why a decision isn't possible. The last three: another person's decision stands in the way. */
export const REVIEW_OBSTACLES = [
  "undecided",
  "canceled-on-platform",
  "already-canceled",
  "being-canceled",
  "not-shipped",
  "content-unreadable",
  "content-erased",
  "being-carried-out",
  "undo-first",
  "contested",
] as const;

export type ReviewObstacle = (typeof REVIEW_OBSTACLES)[number];

/** The effect of a person's decision, given the state of the order. */
export type ReviewJudgement =
  /** It takes effect with this transition. */
  | { readonly outcome: "decided"; readonly transition: Pick<OrderTransition, "changes" | "entries"> }
  /** The order's worker carries it out. */
  | { readonly outcome: "asked" }
  /** Nothing to do: the order already has this decision. */
  | { readonly outcome: "already" }
  /** `why` tells the person in one sentence, and `obstacle` programs. `first`: the decision of somebody who was faster. */
  | {
      readonly outcome: "impossible";
      readonly obstacle: ReviewObstacle;
      readonly why: Refusal;
      readonly first?: Review;
    }
  /** The order has changed since the person looked at it. */
  | { readonly outcome: "changed" };

export interface ReviewRequest extends Review {
  /** May contain personal data: stored sealed, and erased with the order's content. */
  readonly note: string | null;
  /** Delay it until this time, so that it can be undone. Default: it takes effect at once. Not for a recheck. */
  readonly effectiveAtMs?: number | undefined;
  /** What a decline also blocks. The caller saves that. Default: nothing. */
  readonly blocks?: PendingReview["blocks"];
}

export type ReviewResult =
  /** It is in effect and the order is due. The record is the order's new state. */
  | { readonly outcome: "decided"; readonly order: OrderRecord }
  /** It is stored, and the order's worker carries it out: at once, or when the current work ends. */
  | { readonly outcome: "queued" }
  | Extract<ReviewJudgement, { readonly outcome: "already" | "impossible" | "changed" }>
  /** The recheck limit of the order or the tenant is reached: see `RECHECK_QUOTA`. */
  | ({ readonly outcome: "limited" } & RecheckLimit)
  /** The note can't be stored, because the order's content was erased. */
  | { readonly outcome: "erased" }
  | { readonly outcome: "unknown" };

export interface ReviewStore {
  /**
   * Record a person's decision in one transaction with the order's current state: if two people decide at once, the
   * second one sees the first decision. If a worker has the order, the decision is stored and the order is due again
   * when the worker releases it, so that neither the work nor the decision is lost.
   *
   * @param judge - Judges the effect of the decision. Pure: it may be called again.
   */
  decide(
    key: OrderKey,
    request: ReviewRequest,
    judge: (situation: OrderSituation) => ReviewJudgement,
  ): Promise<ReviewResult>;
  /**
   * Undo an approval or a decline that no worker has begun; the order continues as if it had never been made. `none`
   * if there is nothing to undo any more.
   */
  undo(key: OrderKey, by: Pick<Review, "actor" | "atMs">): Promise<"unknown" | "undone" | "none">;
  /** Make an approval or a decline by `actor` that can still be undone take effect now; `false` if there is none. */
  hasten(key: OrderKey, by: Pick<Review, "actor" | "atMs">): Promise<boolean>;
  /** Add a note to an order. `erased`: the order's content was erased, so no note is stored. */
  note(key: OrderKey, entry: NoteEntry): Promise<"erased" | "unknown" | "noted">;
}

export function createReviewStore(context: StoreContext): ReviewStore {
  const { engine, sealer } = context;
  return {
    decide(key, request, judge) {
      const isRecheck = request.act === "recheck";
      const decide = async (db: Database): Promise<ReviewResult> => {
        const found = await lockSituation(context, db, key, request.atMs);
        if (found === undefined) return { outcome: "unknown" };
        const { row, situation } = found;
        const taken = { context, db, request, row, order: situation.order };
        const judgement = judge(situation);
        if (judgement.outcome === "already") return repeat(taken);
        if (judgement.outcome !== "decided" && judgement.outcome !== "asked") return judgement;
        if (request.note !== null && row.erased_at !== null) return { outcome: "erased" };
        const limit = isRecheck ? await takeRecheck(db, key, request.atMs) : null;
        return limit === null ? carryOut(taken, judgement) : { outcome: "limited", ...limit };
      };
      const isDue = ({ outcome }: ReviewResult) => outcome === "decided" || outcome === "queued";
      const alone = isRecheck ? toRecheckQuotaName(key.tenant) : undefined;
      return writeWork(engine, decide, isDue, { alone });
    },

    undo(key, { actor, atMs }) {
      const undo = async (db: Database): Promise<"undone" | "none" | "unknown"> => {
        const row = await lockRow(db, key, engine.leaseClock(atMs));
        if (row === undefined) return "unknown";
        const review = toReview(row);
        if (review === null || review.act === "recheck") return "none";
        // Make due what was due meanwhile. An order that needs an operator still does.
        const dueAtMs = row.state === "failed" ? null : atMs;
        await saveReview(db, key, row, null, { dueAtMs, wokenAtMs: atMs });
        const event = { kind: "undone", act: review.act } as const;
        await addTimeline(db, key, [{ atMs, kind: event.kind, detail: review.act, event, actor }]);
        return "undone";
      };
      return writeWork(engine, undo, (undone) => undone === "undone");
    },

    hasten: (key, by) =>
      writeWork(engine, async (db) => {
        const row = await lockRow(db, key, engine.leaseClock(by.atMs));
        const review = row === undefined ? null : toReview(row);
        return row !== undefined && review?.actor === by.actor && hasten(db, key, row, review, by.atMs);
      }),

    note: (key, entry) =>
      engine.write(async (db) => {
        const row = await lockRow(db, key, engine.leaseClock(entry.atMs));
        if (row === undefined) return "unknown";
        if (row.erased_at !== null) return "erased";
        await addNote(db, sealer, key, entry);
        return "noted";
      }),
  };
}

/** A request about an order that is locked until the unit of work ends. */
interface Taken {
  readonly context: StoreContext;
  readonly db: Database;
  readonly request: ReviewRequest;
  readonly row: LockedRow;
  readonly order: OrderRecord;
}

type Effective = Extract<ReviewJudgement, { readonly outcome: "decided" | "asked" }>;

async function carryOut(taken: Taken, judgement: Effective): Promise<ReviewResult> {
  const { context, db, request, row, order } = taken;
  const result =
    // It can be undone for a while, or a worker has the order.
    judgement.outcome === "asked" || request.effectiveAtMs !== undefined || row.is_busy === 1
      ? await queue(taken)
      : toResult(await takeEffect(context, db, order, judgement.transition));
  await keepNote(taken);
  // The review is done, so the claim on it ends.
  if (request.act !== "recheck") await deleteRows(db, "review_claims", ofOrder(order));
  return result;
}

function toResult(order: OrderRecord | null): ReviewResult {
  return order === null ? { outcome: "unknown" } : { outcome: "decided", order };
}

async function keepNote({ context, db, request, order }: Taken): Promise<void> {
  const { act, actor, atMs, note } = request;
  if (note !== null)
    await addNote(db, context.sealer, order, { atMs, kind: "note", detail: act, actor, note });
}

function toReview({ review }: LockedRow): PendingReview | null {
  return review === null ? null : (JSON.parse(review) as PendingReview);
}

/** Store, change or remove a pending decision, and make the order due at `dueAtMs`; null for never. */
async function saveReview(
  db: Database,
  key: OrderKey,
  row: LockedRow,
  review: PendingReview | null,
  { dueAtMs, wokenAtMs = dueAtMs }: { readonly dueAtMs: number | null; readonly wokenAtMs?: number | null },
): Promise<void> {
  const kept = review === null ? null : JSON.stringify(review);
  // Under lease its next due time isn't written yet, so the request is kept until the lease ends.
  const due = row.is_busy === 1 ? { woken_at: wokenAtMs } : { due_at: dueAtMs, ...FREE };
  await updateRows(db, "orders", ofOrder(key), { review: kept, ...due });
}

async function queue({ db, request, row, order }: Taken): Promise<ReviewResult> {
  const { act, actor, atMs, reason, hasShipped, effectiveAtMs, blocks } = request;
  const answersSinceMs = Math.max(atMs, (await findLastCall(db, order)) ?? 0);
  const judgedDecidedAtMs = order.decidedAtMs;
  const asked = { act, actor, atMs, reason, hasShipped, blocks, answersSinceMs, judgedDecidedAtMs };
  const review = effectiveAtMs === undefined ? asked : { ...asked, effectiveAtMs };
  await saveReview(db, order, row, review, { dueAtMs: effectiveAtMs ?? atMs });
  const said = toSaid(row, effectiveAtMs);
  const event = { kind: act, ...said.until };
  await addTimeline(db, order, [{ atMs, kind: act, detail: said.detail, event, actor }]);
  return { outcome: "queued" };
}

function toSaid(row: LockedRow, effectiveAtMs: number | undefined) {
  if (effectiveAtMs === undefined)
    return {
      detail: row.is_busy === 1 ? "taken up when the work under way has ended" : "taken up",
      until: {},
    };
  const effectiveAt = new Date(effectiveAtMs).toISOString();
  return { detail: `takes effect at ${effectiveAt} unless undone`, until: { effectiveAt } };
}

/** The same decision again, without time to undo: it takes effect now. */
async function repeat(taken: Taken): Promise<ReviewResult> {
  const { db, request, row, order } = taken;
  const review = toReview(row);
  // If the same person repeats their decision, their note is already stored. Another person's note is new.
  const by = review?.actor ?? order.decision?.actor ?? request.actor;
  if (by !== request.actor && request.note !== null) {
    if (row.erased_at !== null) return { outcome: "erased" };
    await keepNote(taken);
  }
  const isNow = review !== null && request.effectiveAtMs === undefined;
  return { outcome: isNow && (await hasten(db, order, row, review, request.atMs)) ? "queued" : "already" };
}

async function hasten(db: Database, key: OrderKey, row: LockedRow, review: PendingReview, atMs: number) {
  if (review.effectiveAtMs === undefined || review.effectiveAtMs <= atMs) return false;
  await saveReview(db, key, row, { ...review, effectiveAtMs: atMs }, { dueAtMs: atMs });
  return true;
}

/** When the last call about the order began or ended, even if the clock has been set back since. */
async function findLastCall(db: Database, { tenant, orderId }: OrderKey): Promise<number | null> {
  const query = sql<{ at: number | null }>`
    select max(case when coalesce(ended_at, 0) > started_at then ended_at else started_at end) as at
    from attempts where tenant = ${tenant} and order_id = ${orderId}`;
  return (await selectOne(db, query)).at;
}
