import { sql } from "kysely";
import type { Database } from "../schema/schema.ts";
import { ofOrder, updateRows, type OrderKey } from "../statements.ts";

/** Write an order's row, which locks it until the transaction ends. Returns whether the order exists. */
export async function lockOrder(db: Database, key: OrderKey): Promise<boolean> {
  return (await updateRows(db, "orders", ofOrder(key), { attempts: sql.ref<number>("attempts") })) > 0;
}
