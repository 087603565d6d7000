import { sql } from "kysely";
import type { LinkKind } from "../../engine/velocity/velocity-counts.ts";
import type { Decision, SkipReason } from "../../order/decision.ts";
import type { StoreContext } from "../context.ts";
import type { Database, OrderRow } from "../schema/schema.ts";
import type { OrderKey } from "./order-record.ts";
import { LINK_COLUMNS } from "./order-rows.ts";
import type { OrderState } from "./order-states.ts";
import { findRow, ofOrder } from "../statements.ts";

/** Another order of the tenant that shares something with an order. */
export interface LinkedOrder {
  readonly orderId: string;
  readonly name: string;
  readonly receivedAtMs: number;
  readonly state: OrderState;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly skipReason: SkipReason | null;
  readonly decision: Decision | null;
  /** What they share. */
  readonly links: readonly LinkKind[];
}

/** What links an order to others. */
export interface OrderLinks {
  /** Digests of what it can be recognized by. Empty: nothing, or it was erased. */
  readonly keys: Readonly<Partial<Record<LinkKind, string>>>;
  /** Newest first: of each key at most the newest {@link MOST_LINKED}. */
  readonly orders: readonly LinkedOrder[];
}

/** Orders of one key that are listed. */
export const MOST_LINKED = 20;

/** How the store finds orders of the same buyer. */
export interface LinkedOrderStore {
  /** Other orders of the tenant that share a mailbox, network, card, phone or address with an order; null: no such order. */
  listLinked(key: OrderKey): Promise<OrderLinks | null>;
}

const KINDS = Object.keys(LINK_COLUMNS) as readonly LinkKind[];

/** Create the {@link LinkedOrderStore} part of a store. */
export function createLinkedOrders({ engine }: StoreContext): LinkedOrderStore {
  return {
    listLinked: (key) =>
      engine.read(async (db) => {
        const row = await findRow(db, "orders", ofOrder(key), Object.values(LINK_COLUMNS));
        if (row === undefined) return null;
        const keys = toKeys(row);
        return { keys, orders: await selectLinked(db, key, keys) };
      }),
  };
}

/** The digests that a row has. */
export function toKeys(row: Pick<OrderRow, (typeof LINK_COLUMNS)[LinkKind]>): OrderLinks["keys"] {
  return Object.fromEntries(
    KINDS.flatMap((kind) => {
      const digest = row[LINK_COLUMNS[kind]];
      return digest === null ? [] : [[kind, digest]];
    }),
  );
}

type LinkedRow = Pick<
  OrderRow,
  "order_id" | "name" | "received_at" | "state" | "amount" | "currency" | "skip_reason" | "decision"
> & { readonly link: LinkKind };

/** The newest of each key, by its index: however many orders a network has, no more than these are read. */
async function selectLinked(
  db: Database,
  { tenant, orderId }: OrderKey,
  keys: OrderLinks["keys"],
): Promise<readonly LinkedOrder[]> {
  const queries = KINDS.filter((kind) => keys[kind] !== undefined).map(
    (kind) => sql`select * from (
      select ${sql.lit(kind)} as link, order_id, name, received_at, state, amount, currency, skip_reason, decision
      from orders where tenant = ${tenant} and ${sql.ref(LINK_COLUMNS[kind])} = ${keys[kind]}
        and order_id <> ${orderId}
      order by received_at desc limit ${MOST_LINKED}) as ${sql.ref(`by_${kind}`)}`,
  );
  if (queries.length === 0) return [];
  const { rows } = await sql<LinkedRow>`${sql.join(queries, sql` union all `)}`.execute(db);
  return [...Map.groupBy(rows, (row) => row.order_id).values()]
    .flatMap((same) => toLinkedOrder(same))
    .toSorted((a, b) => b.receivedAtMs - a.receivedAtMs);
}

function toLinkedOrder(same: readonly LinkedRow[]): readonly LinkedOrder[] {
  const [row] = same;
  if (row === undefined) return [];
  return [
    {
      orderId: row.order_id,
      name: row.name,
      receivedAtMs: row.received_at,
      state: row.state as OrderState,
      amount: row.amount,
      currency: row.currency,
      skipReason: row.skip_reason as SkipReason | null,
      decision: JSON.parse(row.decision ?? "null") as Decision | null,
      links: same.map(({ link }) => link),
    },
  ];
}
