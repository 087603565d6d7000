import { sql } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import { areOrders, deleteRows, findRow, inChunks, ofOrder, upsert, type OrderKey } from "../statements.ts";
import { lockRow } from "./locked-order.ts";
import { addTimeline } from "./history.ts";

/** What people left on an order, for lists. */
export interface OrderMarks {
  /** How many notes it has. */
  readonly notes: number;
  /** Who should review it, `person:ID`; null for nobody. */
  readonly assignee: string | null;
}

export interface Assigning {
  /** `person:ID`; null: nobody any more. */
  readonly to: string | null;
  /** `person:ID`. */
  readonly by: string;
  readonly atMs: number;
}

export interface Assignments {
  /** Say who should review an order. Others can still decide. `false` if there is no such order. */
  assign(key: OrderKey, assigning: Assigning): Promise<boolean>;
  /** By order ID. Orders without marks are left out. */
  listMarks(tenant: TenantId, orderIds: readonly string[]): Promise<ReadonlyMap<string, OrderMarks>>;
}

export function createAssignments({ engine }: StoreContext): Assignments {
  return {
    assign: (key, { to, by, atMs }) =>
      engine.write(async (db) => {
        if ((await lockRow(db, key, engine.leaseClock(atMs))) === undefined) return false;
        const before = await findRow(db, "order_assignments", ofOrder(key), ["actor"]);
        if ((before?.actor ?? null) === to) return true;
        if (to === null) await deleteRows(db, "order_assignments", ofOrder(key));
        else await upsert(db, "order_assignments", ofOrder(key), { actor: to });
        const event = { kind: "assigned", to } as const;
        await addTimeline(db, key, [{ atMs, kind: event.kind, detail: to ?? "", event, actor: by }]);
        return true;
      }),

    async listMarks(tenant, orderIds) {
      const rows = await engine.read((db) =>
        inChunks(orderIds, async (ids) => {
          const query = sql<{ orderId: string; notes: number; assignee: string | null }>`
            select order_id as "orderId", cast(sum(notes) as bigint) as notes, max(assignee) as assignee from (
              select order_id, 1 as notes, null as assignee from order_timeline
              where ${areOrders(tenant, ids)} and kind = 'note' and note is not null
              union all
              select order_id, 0, actor from order_assignments where ${areOrders(tenant, ids)}) as marks
            group by order_id`;
          return (await query.execute(db)).rows;
        }),
      );
      return new Map(rows.map(({ orderId, notes, assignee }) => [orderId, { notes, assignee }]));
    },
  };
}
