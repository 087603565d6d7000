import { sql, type SqlBool } from "kysely";

// Conditions on the column in which an order's row says what the order may touch.

/** What counts as the shop's own: all orders but those made up in the sandbox. */
export const IS_REAL = sql<SqlBool>`effects <> 'none'`;
/** The same text as in the index `orders_made_up`; otherwise the planner doesn't use it. */
export const IS_MADE_UP = sql<SqlBool>`effects = 'none'`;
export const IS_LIVE = sql<SqlBool>`effects = 'live'`;
