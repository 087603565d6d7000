import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Engine } from "../engines/engine.ts";
import type { CursorPosition } from "../sealing/page-cursor.ts";
import { CALM, DEADLINE } from "./order-rows.ts";

/**
 * Newest first, oldest first (`age`), or by nearest deadline, largest amount, highest risk, or until when a bank waits for
 * evidence.
 */
export const ORDER_SORTS = ["newest", "age", "deadline", "amount", "score", "evidence"] as const;
export type OrderSort = (typeof ORDER_SORTS)[number];

/** What one unit of a currency is worth, so that amounts in several currencies can be compared. */
export type Rates = ReadonlyMap<string, number>;

/** How a list of orders is sorted. The ID comes last, so that no two orders are in the same place. */
export interface ListOrder {
  /** Separates the cursors of different lists, also of the same one at other rates. */
  readonly purpose: string;
  /** The direction in which an index by time has the orders. Absent: all orders have to be compared. */
  readonly byTime?: "asc" | "desc";
  readonly columns: readonly RawBuilder<number>[];
}

interface Sorting {
  readonly dialect: Engine["dialect"];
  readonly view: "queue" | undefined;
  /** Default: `deadline` in the queue, else `newest`. */
  readonly sort: OrderSort | undefined;
  readonly rates: Rates;
  /** A bank's deadline counts after this moment. */
  readonly nowMs: number;
}

const RECEIVED = sql<number>`received_at`;

/** The queue begins with urgent orders. Its index has the order of deadlines; other orders are sorted. */
export function toListOrder(sorting: Sorting): ListOrder {
  const { view, sort, rates } = sorting;
  const at = rates.size === 0 ? "" : `-${JSON.stringify([...rates])}`;
  if (view === "queue") {
    const by = sort ?? "deadline";
    // The index ends with the amount.
    const columns = by === "deadline" ? [DEADLINE, toCheapness(new Map())] : toColumns(by, sorting);
    return { purpose: `queue-cursor-${by}${at}`, columns: [CALM, ...columns] };
  }
  const by = sort ?? "newest";
  if (by === "newest") return { purpose: "cursor", byTime: "desc", columns: [RECEIVED] };
  if (by === "age") return { purpose: "cursor-age", byTime: "asc", columns: [RECEIVED] };
  return { purpose: `cursor-${by}${at}`, columns: toColumns(by, sorting) };
}

/** What the smallest comes first by. */
function toColumns(sort: OrderSort, { dialect, rates, nowMs }: Sorting): readonly RawBuilder<number>[] {
  const columns: Readonly<Record<OrderSort, RawBuilder<number>>> = {
    newest: sql<number>`-received_at`,
    age: RECEIVED,
    deadline: DEADLINE,
    amount: toCheapness(rates),
    score: MILDNESS[dialect],
    evidence: toEvidenceDue(nowMs),
  };
  return [columns[sort]];
}

/** Orders without a level come last. */
const MILDNESS: Readonly<Record<Engine["dialect"], RawBuilder<number>>> = {
  sqlite: sql<number>`coalesce(-json_extract(decision, '$.riskScore'), 1)`,
  postgres: sql<number>`coalesce(-(cast(decision as json) ->> 'riskScore')::double precision, 1)`,
};

/** Orders for which no bank waits come last. */
function toEvidenceDue(nowMs: number): RawBuilder<number> {
  return sql<number>`coalesce((
    select min(evidence_due_at) from disputes
    where disputes.tenant = orders.tenant and disputes.order_id = orders.order_id
      and disputes.status = 'open' and evidence_sent_at is null and evidence_due_at > ${nowMs}), 9007199254740991)`;
}

/** Orders whose value isn't known come last. Without any rate, amounts are compared as numbers. */
function toCheapness(rates: Rates): RawBuilder<number> {
  if (rates.size === 0) return sql<number>`coalesce(-amount, 1)`;
  const cases = [...rates].map(
    ([currency, rate]) => sql`when ${currency} then cast(${rate} as double precision)`,
  );
  return sql<number>`coalesce(-amount * (case upper(currency) ${sql.join(cases, sql` `)} end), 1)`;
}

/** The orders behind a position, how they are sorted, and what each has in the columns. */
export function toSorting({ columns, byTime }: ListOrder, after: CursorPosition | undefined) {
  const all = [...columns, sql`order_id`];
  const by = sql.join(byTime === "desc" ? all.map((column) => sql`${column} desc`) : all);
  const keys = columns.map((column, index) => column.as(toKey(index)));
  if (after === undefined) return { by, keys };
  const isBehind = byTime === "desc" ? sql`<` : sql`>`;
  return { by, keys, isBehind: sql<SqlBool>`(${sql.join(all)}) ${isBehind} (${sql.join(after)})` };
}

type SortKey = `sort_${number}`;
export type SortedRow = { readonly order_id: string } & { readonly [Key in SortKey]?: number };

function toKey(index: number): SortKey {
  return `sort_${index}`;
}

/** The place of a row in its list. */
export function toPosition({ columns }: ListOrder, row: SortedRow): CursorPosition {
  const keys = columns.map((_, index) => row[toKey(index)] ?? 0);
  return [keys[0] ?? 0, ...keys.slice(1), row.order_id];
}

/** For rows of a list that no index has in order. */
export function comparePositions(one: CursorPosition, other: CursorPosition): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  if (index === -1) return 0;
  return (one[index] ?? 0) < (other[index] ?? 0) ? -1 : 1;
}
