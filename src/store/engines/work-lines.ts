import { sql, type RawBuilder, type SqlBool } from "kysely";

/** Tables whose rows are jobs. */
export type WorkTable = "deliveries" | "orders";

/** Work that is claimed in one order. Lines of one table don't wait for each other. */
export interface WorkLine {
  readonly table: WorkTable;
  /** The column that identifies a tenant's row. */
  readonly id: "delivery_id" | "order_id";
  /** Selects its rows. The same text as in its indexes; otherwise the planner doesn't use them. */
  readonly rows: RawBuilder<SqlBool>;
  /** The column that orders it. */
  readonly at: "ready_at" | "hold_deadline_at";
  /** Only rows whose {@link at} is this near, before or after now, are in the line, in milliseconds. Default: only the due time counts. */
  readonly withinMs?: number;
}

const ORDERS = { table: "orders", id: "order_id" } as const;

export const DELIVERIES: WorkLine = {
  table: "deliveries",
  id: "delivery_id",
  rows: sql<SqlBool>`ready_at is not null`,
  at: "ready_at",
};

/** Orders that have to be decided, or whose decision isn't applied yet, oldest first. */
export const UNDECIDED: WorkLine = {
  ...ORDERS,
  rows: sql<SqlBool>`is_look = 0 and ready_at is not null`,
  at: "ready_at",
};

/**
 * Looks at holds whose deadline is near or was met lately, oldest first. Holds can stay long past it, and each claim counts the
 * rows of this line, so it doesn't have those.
 */
export const EXPIRING: WorkLine = {
  ...ORDERS,
  rows: sql<SqlBool>`is_look = 1 and ready_at is not null and hold_deadline_at is not null`,
  at: "hold_deadline_at",
  withinMs: 3_600_000,
};

/** All looks at orders at rest, oldest first. */
export const LOOKS: WorkLine = {
  ...ORDERS,
  rows: sql<SqlBool>`is_look = 1 and ready_at is not null`,
  at: "ready_at",
};

/** Which rows of a line belong to it now, whether they are due or not. */
export function isReached({ rows, at, withinMs }: WorkLine, nowMs: number): RawBuilder<SqlBool> {
  if (withinMs === undefined) return rows;
  const [fromMs, untilMs] = [nowMs - withinMs, nowMs + withinMs];
  return sql<SqlBool>`${rows} and ${sql.ref(at)} > ${fromMs} and ${sql.ref(at)} <= ${untilMs}`;
}
