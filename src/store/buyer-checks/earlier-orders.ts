import { sql } from "kysely";
import type { Decision } from "../../order/decision.ts";
import type { MappedOrder } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import { readMapped } from "../orders/order-rows.ts";
import { IS_REAL } from "../schema/effects-column.ts";
import { LINK_COLUMNS } from "../schema/link-columns.ts";
import type { OrderRow } from "../schema/schema.ts";
import { findRow, ofOrder, type OrderKey } from "../statements.ts";

/** An order of the same customer that Holdfast let pass by itself and that no bank disputes. */
export interface EarlierOrder {
  readonly orderId: string;
  readonly name: string;
  readonly receivedAtMs: number;
  readonly decision: Decision;
  readonly mapped: MappedOrder;
  /** It has the card or the delivery address of the order that is asked about. */
  readonly sharesDetail: boolean;
}

/** How many orders of one customer are looked at, per digest. */
const MOST = 50;

/**
 * What makes two orders the same customer's: the account on the platform or the email address. Not the phone number: nobody
 * proves it, so a thief can type the victim's, and strangers type the same invented one.
 */
const SAME_CUSTOMER = ["customer_digest", "email_digest"] as const;

/** Digests of what only the customer's own orders usually share. */
const DETAILS = [LINK_COLUMNS.card, LINK_COLUMNS.address] as const;

type Row = Pick<
  OrderRow,
  "tenant" | "order_id" | "name" | "received_at" | "mapped" | "decision" | (typeof DETAILS)[number]
>;

/** Orders of an order's customer whose content is still there, oldest first. */
export async function listEarlier(
  { engine, sealer }: Pick<StoreContext, "engine" | "sealer">,
  key: OrderKey,
): Promise<readonly EarlierOrder[]> {
  const { own, rows } = await engine.read(async (db) => {
    const own = await findRow(db, "orders", ofOrder(key), [...SAME_CUSTOMER, ...DETAILS]);
    const queries = SAME_CUSTOMER.flatMap((column) => {
      const digest = own?.[column] ?? null;
      return digest === null ? [] : [selectOf(key, column, digest)];
    });
    if (queries.length === 0) return { own, rows: [] };
    return { own, rows: (await sql<Row>`${sql.join(queries, sql` union `)}`.execute(db)).rows };
  });
  return rows
    .flatMap((row) => {
      const mapped = readMapped(sealer, row);
      if (mapped === null || row.decision === null) return [];
      const { order_id: orderId, name, received_at: receivedAtMs } = row;
      const decision = JSON.parse(row.decision) as Decision;
      const sharesDetail = DETAILS.some((detail) => row[detail] !== null && row[detail] === own?.[detail]);
      return [{ orderId, name, receivedAtMs, mapped, decision, sharesDetail }];
    })
    .toSorted((one, other) => one.receivedAtMs - other.receivedAtMs);
}

function selectOf({ tenant, orderId }: OrderKey, column: (typeof SAME_CUSTOMER)[number], digest: string) {
  return sql`select * from (
    select tenant, order_id, name, received_at, mapped, decision, ${sql.join(DETAILS.map((detail) => sql.ref(detail)))}
    from orders
    where tenant = ${tenant} and ${sql.ref(column)} = ${digest} and order_id <> ${orderId}
      and state = 'settled' and action in ('allow', 'tag') and skip_reason is null and mapped is not null and ${IS_REAL}
      and not exists (
        select 1 from disputes where disputes.tenant = orders.tenant and disputes.order_id = orders.order_id)
    order by received_at limit ${MOST}) as ${sql.ref(`by_${column}`)}`;
}
