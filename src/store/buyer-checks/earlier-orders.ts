import { sql } from "kysely";
import type { Decision } from "../../order/decision.ts";
import { readPlacedAtMs } from "../../platform/mapped-order.ts";
import { toKnownNow, type MappedOrder } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import { readMapped } from "../orders/order-rows.ts";
import { LINK_COLUMNS } from "../schema/link-columns.ts";
import type { Database, OrderRow, Schema } from "../schema/schema.ts";
import { findRow, ofOrder, type OrderKey } from "../statements.ts";
import { IS_PASSED, openAddress, type KeptAddress } from "./kept-addresses.ts";

/** An order of the same customer that Holdfast let pass by itself and that no bank disputes. */
export interface EarlierOrder extends KeptAddress {
  readonly orderId: string;
  readonly name: string;
  /** By the shop's clock, but never after it arrived: an imported order arrives later than it was placed. */
  readonly placedAtMs: number;
  readonly decision: Decision;
  /** A card paid for it, and it's no test. */
  readonly isPaid: boolean;
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
type SameCustomer = (typeof SAME_CUSTOMER)[number];

/** Digests of what only the customer's own orders usually share. */
const DETAILS = [LINK_COLUMNS.card, LINK_COLUMNS.address] as const;
type Detail = (typeof DETAILS)[number];

type Own = Pick<OrderRow, SameCustomer | Detail>;
type Known = Pick<OrderRow, "order_id" | "name" | "received_at" | "decision" | Detail>;
type WithContent = Known & Pick<OrderRow, "tenant" | "mapped">;
type WithAddress = Known & Pick<Schema["kept_addresses"], "placed_at" | "content">;

type Context = Pick<StoreContext, "engine" | "sealer">;

/** Orders of an order's customer whose content is still there, or whose address is kept, oldest first. */
export async function listEarlier(
  context: Context,
  key: OrderKey,
  { withKept }: { readonly withKept: boolean },
): Promise<readonly EarlierOrder[]> {
  const found = await context.engine.read(async (db) => {
    const own = await findRow(db, "orders", ofOrder(key), [...SAME_CUSTOMER, ...DETAILS]);
    if (own === undefined) return [];
    const kept = withKept ? await listKept(context, db, key, own) : [];
    return [...(await listWithContent(context, db, key, own)), ...kept];
  });
  return found.toSorted((one, other) => one.placedAtMs - other.placedAtMs);
}

async function listWithContent({ sealer }: Context, db: Database, key: OrderKey, own: Own) {
  const rows = await ofCustomer<WithContent>(
    db,
    own,
    (column, digest) => sql`
    select orders.tenant, orders.order_id, name, received_at, mapped, decision, ${sql.join(toColumns("orders"))}
    from orders
    where orders.tenant = ${key.tenant} and ${sql.ref(column)} = ${digest} and orders.order_id <> ${key.orderId}
      and mapped is not null and ${IS_PASSED}
    order by received_at limit ${MOST}`,
  );
  return rows.flatMap((row): readonly EarlierOrder[] => {
    const mapped = readMapped(sealer, row);
    if (mapped === null) return [];
    const { customerEmail: email, customerPhone: phone } = toKnownNow(mapped);
    const placedAtMs = toPlacedAtMs(mapped, row.received_at);
    return toEarlier(own, row, { placedAtMs, isPaid: isPaidByCard(mapped), email, phone });
  });
}

/** By the shop's clock, but never after it arrived. */
export function toPlacedAtMs(mapped: MappedOrder, receivedAtMs: number): number {
  return Math.min(readPlacedAtMs(mapped) ?? receivedAtMs, receivedAtMs);
}

/** Whether a card paid for an order that is no test. */
export function isPaidByCard(mapped: MappedOrder): boolean {
  return !mapped.test && toKnownNow(mapped).paymentInfo !== undefined;
}

/** Only addresses of orders that a card paid for are kept. */
async function listKept({ sealer }: Context, db: Database, key: OrderKey, own: Own) {
  const rows = await ofCustomer<WithAddress>(
    db,
    own,
    (column, digest) => sql`
    select orders.order_id, name, received_at, decision, placed_at, content, ${sql.join(toColumns("kept_addresses"))}
    from kept_addresses
    join orders on orders.tenant = kept_addresses.tenant and orders.order_id = kept_addresses.order_id
    where kept_addresses.tenant = ${key.tenant} and kept_addresses.${sql.ref(column)} = ${digest}
      and orders.order_id <> ${key.orderId} and mapped is null and ${IS_PASSED}
    order by placed_at limit ${MOST}`,
  );
  return rows.flatMap((row): readonly EarlierOrder[] => {
    const address = openAddress(sealer, { tenant: key.tenant, orderId: row.order_id }, row.content);
    if (address === undefined) return [];
    return toEarlier(own, row, { placedAtMs: row.placed_at, isPaid: true, ...address });
  });
}

/** The rows of both digests of an order's customer, each order once. */
async function ofCustomer<Row extends Pick<OrderRow, "order_id">>(
  db: Database,
  own: Own,
  toQuery: (column: SameCustomer, digest: string) => ReturnType<typeof sql>,
): Promise<readonly Row[]> {
  const found = new Map<string, Row>();
  for (const column of SAME_CUSTOMER) {
    const digest = own[column];
    if (digest === null) continue;
    const { rows } = await sql<Row>`${toQuery(column, digest)}`.execute(db);
    for (const row of rows) found.set(row.order_id, row);
  }
  return [...found.values()];
}

function toColumns(table: "orders" | "kept_addresses") {
  return DETAILS.map((detail) => sql`${sql.ref(`${table}.${detail}`)} as ${sql.ref(detail)}`);
}

function toEarlier(
  own: Own,
  { order_id: orderId, name, decision, ...row }: Known,
  rest: Pick<EarlierOrder, "placedAtMs" | "isPaid" | "email" | "phone">,
): readonly EarlierOrder[] {
  if (decision === null) return [];
  const sharesDetail = DETAILS.some((detail) => row[detail] !== null && row[detail] === own[detail]);
  return [{ orderId, name, decision: JSON.parse(decision) as Decision, sharesDetail, ...rest }];
}
