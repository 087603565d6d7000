import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { StoreContext } from "../context.ts";
import { HAS_LINKS, UNLINKED_COLUMNS } from "../orders/order-rows.ts";
import type { Database } from "../schema/schema.ts";
import { isAmongOldest, toChunk } from "./aged-rows.ts";
import type { RetentionChunk, RetentionLimits } from "./upkeep.ts";

const CHANGE_OF_ERASED: RawBuilder<SqlBool> = sql<SqlBool>`content is not null and exists (
  select 1 from orders where orders.tenant = order_changes.tenant and orders.order_id = order_changes.order_id
    and orders.erased_at is not null)`;

/** Empty changes that were written after their order had been emptied. */
export async function eraseChangeContent(
  context: StoreContext,
  db: Database,
  { contentBeforeMs: beforeMs }: RetentionLimits,
): Promise<RetentionChunk> {
  const isOld = isAmongOldest(context, "order_changes", { column: "at", beforeMs }, CHANGE_OF_ERASED);
  const { numAffectedRows } = await sql`update order_changes set content = null where ${isOld}`.execute(db);
  return toChunk(Number(numAffectedRows ?? 0));
}

const LINK_OF_ERASED: RawBuilder<SqlBool> = sql<SqlBool>`erased_at is not null and ${HAS_LINKS}`;

/** Clear what linked orders, where a process of an earlier release emptied them. */
export async function eraseLeftLinks(
  context: StoreContext,
  db: Database,
  { nowMs: beforeMs }: RetentionLimits,
): Promise<RetentionChunk> {
  const isLeft = isAmongOldest(context, "orders", { column: "received_at", beforeMs }, LINK_OF_ERASED);
  const { numUpdatedRows } = await db
    .updateTable("orders")
    .set(UNLINKED_COLUMNS)
    .where(isLeft)
    .executeTakeFirst();
  return toChunk(Number(numUpdatedRows));
}
