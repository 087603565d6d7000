import { sql, type SqlBool } from "kysely";
import { LINK_KINDS, type LinkKind } from "../../order/link-kinds.ts";
import type { StoreContext } from "../context.ts";
import { LINK_COLUMNS } from "../schema/link-columns.ts";
import type { Database } from "../schema/schema.ts";
import { findRow, ofOrder, selectRows, type OrderKey } from "../statements.ts";
import type { OrderRecord } from "./order-record.ts";
import { selectOrders, toOrderRecord } from "./order-rows.ts";

/** What orders of one buyer share: also the customer's account on the platform. */
export const BUYER_LINKS = [...LINK_KINDS, "customer"] as const;
export type BuyerLink = (typeof BUYER_LINKS)[number];

/** An order of a buyer, or one that shares something with it. */
export interface BuyerOrder {
  readonly order: OrderRecord;
  /** What it shares with the order that was asked for; empty for that one. */
  readonly links: readonly BuyerLink[];
}

export interface BuyerOrders {
  /** Oldest first, with the one that was asked for. */
  readonly orders: readonly BuyerOrder[];
  /** There are more, older ones. */
  readonly isCut: boolean;
}

/** How many orders are shown beside an order. */
export const MOST_OF_BUYER = 60;

/** An order and the newest others that share one of {@link BUYER_LINKS} with it; null if it doesn't exist. */
export async function listOfBuyer(
  context: StoreContext,
  db: Database,
  key: OrderKey,
): Promise<BuyerOrders | null> {
  const columns = { ...LINK_COLUMNS, customer: "customer_digest" } as const;
  const row = await findRow(db, "orders", ofOrder(key), Object.values(columns));
  if (row === undefined) return null;
  const found = new Map<string, { readonly atMs: number; readonly links: BuyerLink[] }>();
  let isCut = false;
  for (const link of BUYER_LINKS) {
    const digest = row[columns[link]];
    if (digest === null) continue;
    const others = await selectNewest(db, key, columns[link], digest);
    isCut ||= others.length > MOST_OF_BUYER;
    for (const { order_id: orderId, received_at: atMs } of others) {
      const known = found.get(orderId);
      if (known === undefined) found.set(orderId, { atMs, links: [link] });
      else known.links.push(link);
    }
  }
  const newest = [...found].toSorted(([, a], [, b]) => b.atMs - a.atMs).slice(0, MOST_OF_BUYER);
  const links = new Map(newest.map(([orderId, one]) => [orderId, one.links]));
  const rows = await selectOrders(db, key.tenant)
    .where("order_id", "in", [key.orderId, ...links.keys()])
    .orderBy("received_at")
    .orderBy("order_id")
    .execute();
  return {
    orders: rows.map((one) => ({
      order: toOrderRecord(context.sealer, one),
      links: links.get(one.order_id) ?? [],
    })),
    isCut: isCut || found.size > MOST_OF_BUYER,
  };
}

function selectNewest(
  db: Database,
  { tenant, orderId }: OrderKey,
  column: "customer_digest" | (typeof LINK_COLUMNS)[LinkKind],
  digest: string,
) {
  const isOther = sql<SqlBool>`order_id <> ${orderId}`;
  const newest = sql`order by received_at desc limit ${MOST_OF_BUYER + 1}`;
  return selectRows(db, "orders", { tenant, [column]: digest }, ["order_id", "received_at"], isOther, newest);
}
