import { sql } from "kysely";
import type { StoreContext } from "./kysely-store.ts";
import { addNote } from "./notes.ts";
import { selectSteps, selectTimeline } from "./order-reader.ts";
import { addTimeline, selectOrders, toOrderColumns, toOrderRecord } from "./order-rows.ts";
import { FREE } from "./orders.ts";
import type { Database } from "./schema.ts";
import type { OrderKey, OrderTransition } from "./store.ts";
import type { PendingVerdict, Press, Pressed, Ruling, Standing, VerdictStore } from "./verdicts.ts";

/** Create the {@link VerdictStore} part of a store. */
export function createVerdictStore(context: StoreContext): VerdictStore {
  const { engine, sealer } = context;
  return {
    async decideByPerson(key, press, judge) {
      const pressed = await engine.write((db) => takeIn(context, db, { key, press, judge }));
      if (pressed.outcome === "decided" || pressed.outcome === "queued") engine.announceWork();
      return pressed;
    },

    noteOrder: (key, entry) =>
      engine.write(async (db) => {
        const held = await holdRow(db, key);
        if (held === undefined) return "unknown";
        if (held.erased_at !== null) return "erased";
        await addNote(db, sealer, key, entry);
        return "noted";
      }),
  };
}

interface TakingIn {
  readonly key: OrderKey;
  readonly press: Press;
  readonly judge: (standing: Standing) => Ruling;
}

async function takeIn(context: StoreContext, db: Database, taking: TakingIn): Promise<Pressed> {
  const { key, press, judge } = taking;
  const held = await holdRow(db, key);
  const standing = held === undefined ? undefined : await readStanding(context, db, key);
  if (held === undefined || standing === undefined) return { outcome: "unknown" };
  const ruling = judge(standing);
  if (ruling.outcome !== "decided" && ruling.outcome !== "asked") return ruling;
  if (press.note !== null && held.erased_at !== null) return { outcome: "erased" };
  const isBusy = held.lease_until !== null && held.lease_until > press.atMs;
  const pressed =
    ruling.outcome === "asked" || isBusy
      ? await queue(db, key, press, isBusy)
      : await takeEffect(context, db, key, ruling.transition);
  await keepNote(context, db, key, press);
  return pressed;
}

async function keepNote(
  { sealer }: StoreContext,
  db: Database,
  key: OrderKey,
  { act, actor, atMs, note }: Press,
): Promise<void> {
  if (note !== null) await addNote(db, sealer, key, { atMs, kind: "note", detail: act, actor, note });
}

/** Writing the row keeps the order from being claimed or released until the unit has ended. */
function holdRow(db: Database, key: OrderKey) {
  return db
    .updateTable("orders")
    .set((eb) => ({ attempts: eb.ref("attempts") }))
    .where("tenant", "=", key.tenant)
    .where("order_id", "=", key.orderId)
    .returning(["lease_until", "erased_at"])
    .executeTakeFirst();
}

async function readStanding(
  { sealer }: StoreContext,
  db: Database,
  key: OrderKey,
): Promise<Standing | undefined> {
  const row = await selectOrders(db, key.tenant).where("order_id", "=", key.orderId).executeTakeFirst();
  if (row === undefined) return undefined;
  const steps = await selectSteps(db, key);
  const timeline = await selectTimeline(db, key).execute();
  return { order: toOrderRecord(sealer, row), steps, timeline };
}

async function queue(
  db: Database,
  key: OrderKey,
  { act, actor, atMs }: Press,
  isBusy: boolean,
): Promise<Pressed> {
  const answersSinceMs = Math.max(atMs - 1, (await findLastCall(db, key)) ?? 0);
  const verdict: PendingVerdict = { act, actor, atMs, answersSinceMs };
  await db
    .updateTable("orders")
    // Under lease its next due time is not written yet, so the call is kept for when it is.
    .set({ verdict: JSON.stringify(verdict), ...(isBusy ? { woken_at: atMs } : { due_at: atMs, ...FREE }) })
    .where("tenant", "=", key.tenant)
    .where("order_id", "=", key.orderId)
    .execute();
  const detail = isBusy ? "taken up when the work under way has ended" : "taken up";
  await addTimeline(db, key, [{ atMs, kind: act, detail, actor }]);
  return { outcome: "queued" };
}

/** When the last call about the order began or ended, whatever the clock says now. */
async function findLastCall(db: Database, { tenant, orderId }: OrderKey): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    select max(case when coalesce(ended_at, 0) > started_at then ended_at else started_at end) as at
    from attempts where tenant = ${tenant} and order_id = ${orderId}`.execute(db);
  return rows[0]?.at ?? null;
}

async function takeEffect(
  context: StoreContext,
  db: Database,
  key: OrderKey,
  { changes, entries = [] }: Pick<OrderTransition, "changes" | "entries">,
): Promise<Pressed> {
  await db
    .updateTable("orders")
    .set({ ...toOrderColumns(context.sealer, key, changes), ...FREE, woken_at: null })
    .where("tenant", "=", key.tenant)
    .where("order_id", "=", key.orderId)
    .execute();
  await addTimeline(db, key, entries);
  const after = await readStanding(context, db, key);
  return after === undefined ? { outcome: "unknown" } : { outcome: "decided", order: after.order };
}
