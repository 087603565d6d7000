import { sql, type RawBuilder, type SqlBool } from "kysely";
import { BUYER_ANSWERS } from "../../order/buyer-check.ts";
import type { Action } from "../../order/decision.ts";
import type { RiskLevel } from "../../order/risk-level.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { Sealer } from "../sealing/sealing.ts";
import type { OrderRecord } from "./order-record.ts";
import { IS_IN_QUEUE } from "./order-rows.ts";
import type { OrderSort, Rates } from "./order-sorts.ts";
import type { OrderState } from "./order-states.ts";

/** Orders with any dispute, one of this kind, or one with this end. */
export const DISPUTE_FILTERS = ["any", "inquiry", "chargeback", "open", "won", "lost"] as const;
export type DisputeFilter = (typeof DISPUTE_FILTERS)[number];

/** What buyers said who were asked about their orders; `asked`: nothing yet. */
export const BUYER_FILTERS = ["asked", ...BUYER_ANSWERS] as const;
export type BuyerFilter = (typeof BUYER_FILTERS)[number];

/** What of an order says how it ended, beside its trace. */
export type DecidedState = Pick<OrderRecord, "orderId" | "decision" | "skipReason" | "state">;

/** Which orders a list has. */
export interface OrderFilter {
  readonly level?: RiskLevel | readonly RiskLevel[] | undefined;
  /** Received at this moment or later, milliseconds since the epoch. */
  readonly sinceMs?: number | undefined;
  /** Received before this moment. */
  readonly untilMs?: number | undefined;
  readonly action?: Action | undefined;
  readonly state?: OrderState | undefined;
  /** `queue`: orders that wait for a person: held, failed, or to be held when the platform is ready. Default: all. */
  readonly view?: "queue" | undefined;
  /** Held orders whose deadline is after `afterMs` and not after `untilMs`, milliseconds since the epoch. */
  readonly held?: { readonly afterMs: number; readonly untilMs: number } | undefined;
  /** True: only orders that were decided without the service. */
  readonly degraded?: true | undefined;
  readonly dispute?: DisputeFilter | undefined;
  readonly buyerAnswer?: BuyerFilter | undefined;
  /** ISO code of the shipping country, else of the billing country. Orders whose content is erased have none. */
  readonly country?: string | undefined;
  /** See `findOrders` in `order-search.ts`. */
  readonly search?: string | undefined;
  /** Which of some orders to keep, for what the database can't tell. Asked for a batch at a time. */
  readonly accept?: ((orders: readonly DecidedState[]) => Promise<ReadonlySet<string>>) | undefined;
}

/** One page of a list. */
export interface OrderListing extends OrderFilter {
  /** Default: `deadline` in the queue, which begins with urgent orders, else `newest`. */
  readonly sort?: OrderSort | undefined;
  /** To sort by amount. Default: amounts are compared as numbers, whatever their currency. */
  readonly rates?: Rates | undefined;
  /** To sort by `evidence`: deadlines of banks that have passed don't count. Default: none has passed. */
  readonly nowMs?: number | undefined;
  readonly limit: number;
  /** Opaque, from an earlier page. An unknown cursor throws `ORDER_INVALID` with the field `cursor`. */
  readonly cursor?: string | undefined;
}

/** @param ids - The orders that a search found; null without one. */
export function toConditions(
  sealer: Sealer,
  tenant: TenantId,
  filter: OrderFilter,
  ids: readonly string[] | null,
): readonly RawBuilder<SqlBool>[] {
  const { level, sinceMs, untilMs, action, state, view, held, degraded, country } = filter;
  const conditions = [
    ids !== null && sql<SqlBool>`order_id in (${sql.join(ids)})`,
    level !== undefined && sql<SqlBool>`risk_level in (${sql.join([level].flat())})`,
    sinceMs !== undefined && sql<SqlBool>`received_at >= ${sinceMs}`,
    untilMs !== undefined && sql<SqlBool>`received_at < ${untilMs}`,
    action !== undefined && sql<SqlBool>`action = ${action}`,
    state !== undefined && sql<SqlBool>`state = ${state}`,
    degraded === true && sql<SqlBool>`degraded = 1`,
    held !== undefined &&
      sql<SqlBool>`state = 'review' and hold_deadline_at > ${held.afterMs} and hold_deadline_at <= ${held.untilMs}`,
    view === "queue" && IS_IN_QUEUE,
    ...toReported(tenant, filter),
    country !== undefined && sql<SqlBool>`country_digest = ${sealer.countryDigest(tenant, country)}`,
  ];
  return conditions.filter((condition) => condition !== false);
}

/** What banks and buyers said about the orders. */
function toReported(tenant: TenantId, { dispute, buyerAnswer: buyer }: OrderFilter) {
  return [
    dispute !== undefined &&
      sql<SqlBool>`order_id in (select order_id from disputes where tenant = ${tenant} and ${HAS[dispute]})`,
    buyer !== undefined &&
      sql<SqlBool>`order_id in (
        select order_id from buyer_checks where tenant = ${tenant} and route <> 'none'
        group by order_id having ${buyer === "asked" ? sql`max(answer) is null` : sql`max(case when answer = ${buyer} then 1 else 0 end) = 1`})`,
  ];
}

const HAS: Readonly<Record<DisputeFilter, RawBuilder<SqlBool>>> = {
  any: sql<SqlBool>`1 = 1`,
  inquiry: sql<SqlBool>`kind = 'inquiry'`,
  chargeback: sql<SqlBool>`kind = 'chargeback'`,
  open: sql<SqlBool>`status = 'open'`,
  won: sql<SqlBool>`status = 'won'`,
  lost: sql<SqlBool>`status = 'lost'`,
};

/** Whether an index finds the orders, or a few from which they are chosen. Otherwise the tenant's orders are scanned. */
export function isOfFew({ state, held, view, search, dispute, buyerAnswer }: OrderFilter): boolean {
  // Nearly all orders are settled.
  const isOfState = (state !== undefined && state !== "settled") || held !== undefined;
  return isOfState || view !== undefined || search !== undefined || (dispute ?? buyerAnswer) !== undefined;
}

/** Whether any order may be left out. */
export function isFiltered({ level, action, degraded, country }: OrderFilter): boolean {
  return [level, action, degraded, country].some((value) => value !== undefined);
}
