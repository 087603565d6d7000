import { sql } from "kysely";
import type { LinkKind } from "../../order/link-kinds.ts";
import type { Decision } from "../../order/decision.ts";
import type { MappedOrder } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { Database, OrderRow } from "../schema/schema.ts";
import type { ListedOrder } from "./order-record.ts";
import { LISTED, readMapped, toListedOrder } from "./order-rows.ts";
import { findRow, ofOrder, type OrderKey } from "../statements.ts";
import { LINK_COLUMNS } from "../schema/link-columns.ts";

/** Another order of the tenant that shares something with an order. */
export interface LinkedOrder extends ListedOrder {
  readonly decision: Decision | null;
  /** Its content; null if it was erased or can't be read. */
  readonly mapped: MappedOrder | null;
  readonly links: readonly LinkKind[];
}

export interface OrderLinks {
  /** Digests that recognize the order. Empty if it has none or they were erased. */
  readonly keys: Readonly<Partial<Record<LinkKind, string>>>;
  /** Newest first, at most {@link MOST_LINKED} per key. */
  readonly orders: readonly LinkedOrder[];
}

/** How many orders are listed per key. */
export const MOST_LINKED = 20;

const KINDS = Object.keys(LINK_COLUMNS) as readonly LinkKind[];

/** Other orders of the tenant that share one of the {@link LINK_COLUMNS}; null if the order doesn't exist. */
export async function listLinked(
  context: StoreContext,
  db: Database,
  key: OrderKey,
): Promise<OrderLinks | null> {
  const row = await findRow(db, "orders", ofOrder(key), Object.values(LINK_COLUMNS));
  if (row === undefined) return null;
  const keys = toKeys(row);
  return { keys, orders: await selectLinked(context, db, key, keys) };
}

export function toKeys(row: Pick<OrderRow, (typeof LINK_COLUMNS)[LinkKind]>): OrderLinks["keys"] {
  return Object.fromEntries(
    KINDS.flatMap((kind) => {
      const digest = row[LINK_COLUMNS[kind]];
      return digest === null ? [] : [[kind, digest]];
    }),
  );
}

type LinkedRow = Pick<OrderRow, (typeof LISTED)[number] | "decision" | "mapped"> & {
  readonly link: LinkKind;
};

/** The newest orders of each key, through its index. No further rows are read, however many orders a network has. */
async function selectLinked(
  { sealer }: StoreContext,
  db: Database,
  { tenant, orderId }: OrderKey,
  keys: OrderLinks["keys"],
): Promise<readonly LinkedOrder[]> {
  const queries = KINDS.filter((kind) => keys[kind] !== undefined).map(
    (kind) => sql`select * from (
      select ${sql.lit(kind)} as link, ${sql.raw(LISTED.join(", "))}, decision, mapped
      from orders where tenant = ${tenant} and ${sql.ref(LINK_COLUMNS[kind])} = ${keys[kind]}
        and order_id <> ${orderId}
      order by received_at desc limit ${MOST_LINKED}) as ${sql.ref(`by_${kind}`)}`,
  );
  if (queries.length === 0) return [];
  const { rows } = await sql<LinkedRow>`${sql.join(queries, sql` union all `)}`.execute(db);
  return [...Map.groupBy(rows, (row) => row.order_id).values()]
    .flatMap((same) =>
      same.slice(0, 1).map((row) => toLinkedOrder(row, same, readMapped(sealer, { tenant, ...row }))),
    )
    .toSorted((a, b) => b.receivedAtMs - a.receivedAtMs);
}

function toLinkedOrder(row: LinkedRow, same: readonly LinkedRow[], mapped: MappedOrder | null): LinkedOrder {
  const decision = JSON.parse(row.decision ?? "null") as Decision | null;
  return { ...toListedOrder(row), decision, mapped, links: same.map(({ link }) => link) };
}
