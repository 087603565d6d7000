import { sql, type RawBuilder } from "kysely";
import { writeWork, type StoreContext } from "../context.ts";
import { holdOrder, holdRow, isBusy, takeEffect, type HeldRow, type OrderSituation } from "./held-order.ts";
import { FREE } from "./orders.ts";
import { takeRecheck, toRecheckQuotaName, type RecheckLimit } from "../tenants/quotas.ts";
import type { Database } from "../schema/schema.ts";
import type {
  OrderKey,
  OrderRecord,
  OrderTransition,
  PendingDecision,
  PersonDecision,
} from "./order-record.ts";
import { deleteRows, ofOrder, selectOne, updateRows } from "../statements.ts";
import { type NoteEntry, addNote, addTimeline } from "./history.ts";

/** The longest time in which an approval or a refusal can be undone, in milliseconds. */
export const MAX_UNDO_MS = 60_000;

/** What a person's word comes to, by what the order is like. */
export type PersonRuling =
  /** It takes effect with this. */
  | { readonly outcome: "decided"; readonly transition: Pick<OrderTransition, "changes" | "entries"> }
  /** The order's worker has to carry it out. */
  | { readonly outcome: "asked" }
  /** Nothing to do: the order is already as asked. */
  | { readonly outcome: "already" }
  /** `detail` is for the person, in one sentence. `first`: somebody has decided before them, and what. */
  | { readonly outcome: "impossible"; readonly detail: string; readonly first?: PersonDecision }
  /** The order is not what the person has seen. */
  | { readonly outcome: "changed" };

/** What a person asks for. */
export interface PersonRequest extends PersonDecision {
  /** May hold personal data: sealed, and erased with the order's content. */
  readonly note: string | null;
  /** Keep it until this moment, so that it can be undone. Default: it takes effect at once. Not for a recheck. */
  readonly effectiveAtMs?: number | undefined;
}

/** What became of a {@link PersonRequest}. */
export type PersonResult =
  /** It is in force, and the order due. The record is the order as it is now. */
  | { readonly outcome: "decided"; readonly order: OrderRecord }
  /** It is kept, and taken up by the order's worker: at once, or as soon as the work under way has ended. */
  | { readonly outcome: "queued" }
  | Extract<PersonRuling, { readonly outcome: "already" | "impossible" | "changed" }>
  /** The order, or the tenant's orders together, were checked again as often as may be: see `RECHECK_QUOTA`. */
  | ({ readonly outcome: "limited" } & RecheckLimit)
  /** A note cannot be kept: the order's content was erased. */
  | { readonly outcome: "erased" }
  | { readonly outcome: "unknown" };

/** How the store keeps what people say about orders. */
export function createPersonDecisionStore(context: StoreContext) {
  const { engine, sealer } = context;
  return {
    /**
     * Take in a person's word on an order, in one transaction with what the order is like at that moment: of two people
     * who decide at once the second is judged by what the first has decided. Where a worker holds the order, neither its
     * work nor the person's word is lost: the word is kept, and the order due again as soon as it is released.
     *
     * @param judge - What the word comes to. Pure: it may be called again.
     */
    async decideByPerson(
      key: OrderKey,
      request: PersonRequest,
      judge: (situation: OrderSituation) => PersonRuling,
    ): Promise<PersonResult> {
      const alone = request.act === "recheck" ? toRecheckQuotaName(key.tenant) : undefined;
      const isDue = ({ outcome }: PersonResult) => outcome === "decided" || outcome === "queued";
      return writeWork(engine, (db) => takeIn(context, db, key, request, judge), isDue, { alone });
    },

    /**
     * Take back an approval or a refusal that no worker has taken up yet; the order goes on as if it had never been
     * decided so. `none`: there is nothing to take back, or not any more.
     */
    undoVerdict: (key: OrderKey, by: Pick<PersonDecision, "actor" | "atMs">) =>
      writeWork(
        engine,
        (db) => undo(db, key, by, engine.leaseClock(by.atMs)),
        (undone) => undone === "undone",
      ),

    /** Let an approval or a refusal of `actor` that can still be undone take effect now; `false` when there is none. */
    hastenVerdict: (key: OrderKey, by: Pick<PersonDecision, "actor" | "atMs">) =>
      writeWork(engine, async (db) => {
        const held = await holdRow(db, key, engine.leaseClock(by.atMs));
        const verdict = held === undefined ? null : toVerdict(held);
        return held !== undefined && verdict?.actor === by.actor && hasten(db, key, held, verdict, by.atMs);
      }),

    /** Keep a note on an order. `erased`, keeping nothing: its content was erased, and a note would outlive it. */
    noteOrder: (key: OrderKey, entry: NoteEntry) =>
      engine.write(async (db) => {
        const held = await holdRow(db, key, engine.leaseClock(entry.atMs));
        if (held === undefined) return "unknown";
        if (held.erased_at !== null) return "erased";
        await addNote(db, sealer, key, entry);
        return "noted";
      }),
  };
}

async function takeIn(
  context: StoreContext,
  db: Database,
  key: OrderKey,
  request: PersonRequest,
  judge: (situation: OrderSituation) => PersonRuling,
): Promise<PersonResult> {
  const found = await holdOrder(context, db, key, request.atMs);
  if (found === undefined) return { outcome: "unknown" };
  const { held, situation } = found;
  const ruling = judge(situation);
  if (ruling.outcome === "already") return repeat(context, db, situation.order, { held, request });
  if (ruling.outcome !== "decided" && ruling.outcome !== "asked") return ruling;
  if (request.note !== null && held.erased_at !== null) return { outcome: "erased" };
  const limit = request.act === "recheck" ? await takeRecheck(db, key, request.atMs) : null;
  if (limit !== null) return { outcome: "limited", ...limit };
  return carryOut(context, db, situation.order, { held, request, ruling });
}

/** A request that is to have an effect. */
interface Judged {
  readonly held: HeldRow;
  readonly request: PersonRequest;
  readonly ruling: Extract<PersonRuling, { readonly outcome: "decided" | "asked" }>;
}

async function carryOut(
  context: StoreContext,
  db: Database,
  order: OrderRecord,
  { held, request, ruling }: Judged,
): Promise<PersonResult> {
  const { act, effectiveAtMs } = request;
  const result =
    // It can be undone for a while, or somebody is working on the order.
    ruling.outcome === "asked" || effectiveAtMs !== undefined || isBusy(held)
      ? await queue(db, order, held, request)
      : toResult(await takeEffect(context, db, order, ruling.transition));
  await keepNote(context, db, request, order);
  // Whoever was reviewing it need not any more.
  if (act !== "recheck") await deleteRows(db, "review_claims", ofOrder(order));
  return result;
}

function toResult(order: OrderRecord | null): PersonResult {
  return order === null ? { outcome: "unknown" } : { outcome: "decided", order };
}

async function keepNote(
  { sealer }: StoreContext,
  db: Database,
  { act, actor, atMs, note }: PersonRequest,
  key: OrderKey,
): Promise<void> {
  if (note !== null) await addNote(db, sealer, key, { atMs, kind: "note", detail: act, actor, note });
}

function toVerdict({ verdict }: HeldRow): PendingDecision | null {
  return verdict === null ? null : (JSON.parse(verdict) as PendingDecision);
}

/** Keep, change or take back a word, and have the order due at `dueAtMs`; null for never. */
async function keepVerdict(
  db: Database,
  key: OrderKey,
  held: HeldRow,
  verdict: PendingDecision | null,
  { dueAtMs, wokenAtMs = dueAtMs }: { readonly dueAtMs: number | null; readonly wokenAtMs?: number | null },
): Promise<void> {
  const kept = verdict === null ? null : JSON.stringify(verdict);
  // Under lease its next due time is not written yet, so the call is kept for when it is.
  const due = isBusy(held) ? { woken_at: wokenAtMs } : { due_at: dueAtMs, ...FREE };
  await updateRows(db, "orders", ofOrder(key), { verdict: kept, ...due });
}

async function queue(
  db: Database,
  order: OrderRecord,
  held: HeldRow,
  request: PersonRequest,
): Promise<PersonResult> {
  const { act, actor, atMs, reason, effectiveAtMs } = request;
  const answersSinceMs = Math.max(atMs, (await findLastCall(db, order)) ?? 0);
  const delay = effectiveAtMs === undefined ? {} : { effectiveAtMs };
  const verdict = {
    act,
    actor,
    atMs,
    reason,
    answersSinceMs,
    judgedDecidedAtMs: order.decidedAtMs,
    ...delay,
  };
  await keepVerdict(db, order, held, verdict, { dueAtMs: effectiveAtMs ?? atMs });
  const said = toSaid(isBusy(held), effectiveAtMs);
  await addTimeline(db, order, [
    { atMs, kind: act, detail: said.detail, event: { kind: act, ...said.until }, actor },
  ]);
  return { outcome: "queued" };
}

function toSaid(isBusy: boolean, effectiveAtMs: number | undefined) {
  if (effectiveAtMs === undefined)
    return { detail: isBusy ? "taken up when the work under way has ended" : "taken up", until: {} };
  const effectiveAt = new Date(effectiveAtMs).toISOString();
  return { detail: `takes effect at ${effectiveAt} unless undone`, until: { effectiveAt } };
}

/** The same word again, without the time to undo it: whoever asks like that wants it now. */
async function repeat(
  context: StoreContext,
  db: Database,
  order: OrderRecord,
  { held, request }: Pick<Judged, "held" | "request">,
): Promise<PersonResult> {
  const verdict = toVerdict(held);
  // Whoever says their own word again has their note kept already. Another person's note is news.
  const by = verdict?.actor ?? order.decision?.actor ?? request.actor;
  if (by !== request.actor && request.note !== null) {
    if (held.erased_at !== null) return { outcome: "erased" };
    await keepNote(context, db, request, order);
  }
  const isNow = verdict !== null && request.effectiveAtMs === undefined;
  return { outcome: isNow && (await hasten(db, order, held, verdict, request.atMs)) ? "queued" : "already" };
}

async function hasten(
  db: Database,
  key: OrderKey,
  held: HeldRow,
  verdict: PendingDecision,
  atMs: number,
): Promise<boolean> {
  if (verdict.effectiveAtMs === undefined || verdict.effectiveAtMs <= atMs) return false;
  await keepVerdict(db, key, held, { ...verdict, effectiveAtMs: atMs }, { dueAtMs: atMs });
  return true;
}

async function undo(
  db: Database,
  key: OrderKey,
  { actor, atMs }: Pick<PersonRequest, "actor" | "atMs">,
  leaseNow: RawBuilder<number>,
): Promise<"undone" | "none" | "unknown"> {
  const held = await holdRow(db, key, leaseNow);
  if (held === undefined) return "unknown";
  const verdict = toVerdict(held);
  if (verdict === null || verdict.act === "recheck") return "none";
  // What was due meanwhile is looked at now; an order that needs an operator goes on needing one.
  const dueAtMs = held.state === "failed" ? null : atMs;
  await keepVerdict(db, key, held, null, { dueAtMs, wokenAtMs: atMs });
  const event = { kind: "undone", act: verdict.act } as const;
  await addTimeline(db, key, [{ atMs, kind: event.kind, detail: verdict.act, event, actor }]);
  return "undone";
}

/** When the last call about the order began or ended, whatever the clock says now. */
async function findLastCall(db: Database, { tenant, orderId }: OrderKey): Promise<number | null> {
  const query = sql<{ at: number | null }>`
    select max(case when coalesce(ended_at, 0) > started_at then ended_at else started_at end) as at
    from attempts where tenant = ${tenant} and order_id = ${orderId}`;
  return (await selectOne(db, query)).at;
}
