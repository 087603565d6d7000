import { sql, type RawBuilder, type SqlBool, type Updateable, type UpdateObject } from "kysely";
import { toCountryCode } from "../../order/countries/country-code.ts";
import { readCountry } from "../../platform/mapped-order.ts";
import { toKnownNow, type MappedOrder } from "../../platform/platform.ts";
import { isRelayed } from "../../engine/facts/ip-facts.ts";
import type { LinkKeys } from "../../engine/velocity/keys.ts";
import { LINK_KINDS, type LinkKind } from "../../order/link-kinds.ts";
import type { Decision } from "../../order/decision.ts";
import type { SkipReason } from "../../order/skip-reasons.ts";
import type { StoredFacts } from "../../policy/order-facts.ts";
import type { VerificationResult } from "../../order/result.ts";
import type { Database, OrderRow, Schema } from "../schema/schema.ts";
import type {
  ListedOrder,
  OrderRevision,
  RevisionChange,
  OrderChanges,
  OrderRecord,
  PendingReview,
  RereadChange,
} from "./order-record.ts";
import type { OrderState } from "./order-states.ts";
import { toSingleProblem, type OrderProblem } from "./timeline.ts";
import type { Place, Sealer } from "../sealing/sealing.ts";
import type { OrderKey } from "../statements.ts";
import { LINK_COLUMNS } from "../schema/link-columns.ts";

type OrderRowWithCredits = OrderRow & { readonly credits_spent: number };

/**
 * Credits of each selected order, from the ledger: answered, billed and unknown calls. A subquery on an index, so that
 * a page of orders takes one query.
 */
export function creditsSpent(): RawBuilder<number> {
  return sql<number>`(
    select count(*) from attempts
    where attempts.tenant = orders.tenant and attempts.order_id = orders.order_id
      and (attempts.state in ('answered', 'unknown') or (attempts.state = 'failed' and attempts.metered <> 'no')))`;
}

/** 0 for urgent orders, so that they come first: `isUrgent`. */
export const CALM = sql<number>`case when state = 'failed' or disputed = 1 then 0 else 1 end`;
export const DEADLINE = sql<number>`coalesce(hold_deadline_at, 9007199254740991)`;

/**
 * Orders that wait for a person: held, failed, or to be held when the platform is ready. Their index `orders_queue` is
 * partial. It's used only for the same texts, also of its columns, and in SQLite only if the query names its first one.
 */
export const IS_IN_QUEUE = sql<SqlBool>`(state in ('review', 'failed') or (state = 'waiting' and action = 'hold'))
  and ${CALM} >= 0`;

export function selectOrders(db: Database, tenant: string) {
  return db
    .selectFrom("orders")
    .selectAll()
    .select(creditsSpent().as("credits_spent"))
    .where("tenant", "=", tenant);
}

/** The record of a row. A sealed value that can't be decrypted is null, with `DATA_UNREADABLE` as the problem. */
export function toOrderRecord(sealer: Sealer, row: OrderRowWithCredits): OrderRecord {
  const key = { tenant: row.tenant, orderId: row.order_id };
  let unreadable = false;

  const open = (column: SealedColumn): string | null => {
    const opened = sealer.tryBytes(placeOfOrder(column, key), row[column]);
    unreadable ||= row[column] !== null && opened === undefined;
    return opened?.toString() ?? null;
  };
  const openJson = (column: SealedColumn): unknown => toParsed(open(column));
  const mapped = openJson("mapped") as MappedOrder | null;
  const result = openJson("result") as VerificationResult | null;
  const customerId = open("customer_id");
  const facts = openJson("facts") as StoredFacts | null;
  const revision = openJson("revised") as OrderRevision | null;
  return {
    ...key,
    ...toListedOrder(row),
    platform: row.platform,
    customerId,
    dueAtMs: row.due_at,
    attempts: row.attempts,
    enriched: row.enriched === 1,
    mapped,
    effects: row.effects,
    fingerprint: row.fingerprint,
    result,
    facts,
    decision: toParsed(row.decision) as Decision | null,
    decidedAtMs: row.decided_at,
    settledAtMs: row.settled_at,
    problem: unreadable ? "DATA_UNREADABLE" : row.problem,
    problems: unreadable
      ? [{ code: "DATA_UNREADABLE" }]
      : ((toParsed(row.problems) ?? []) as readonly OrderProblem[]),
    holdDeadlineMs: row.hold_deadline_at,
    creditsSpent: row.credits_spent,
    asOfMs: row.as_of,
    revisedAtMs: row.revised_at,
    revision,
    rereadAtMs: row.reread_at,
    review: toParsed(row.review) as PendingReview | null,
  };
}

/** An order's content; null if it was erased or can't be decrypted. */
export function readMapped(
  sealer: Sealer,
  row: Pick<OrderRow, "tenant" | "order_id" | "mapped">,
): MappedOrder | null {
  const place = placeOfOrder("mapped", { tenant: row.tenant, orderId: row.order_id });
  return toParsed(sealer.tryBytes(place, row.mapped)?.toString() ?? null) as MappedOrder | null;
}

/** Columns of {@link ListedOrder}. */
export const LISTED = [
  "order_id",
  "name",
  "received_at",
  "state",
  "amount",
  "currency",
  "skip_reason",
] as const satisfies readonly (keyof OrderRow)[];

export function toListedOrder(row: Pick<OrderRow, (typeof LISTED)[number]>): ListedOrder {
  return {
    orderId: row.order_id,
    name: row.name,
    receivedAtMs: row.received_at,
    state: row.state as OrderState,
    amount: row.amount,
    currency: row.currency,
    skipReason: row.skip_reason as SkipReason | null,
  };
}

function toParsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}

export function toOrderColumns(
  sealer: Sealer,
  key: OrderKey,
  changes: OrderChanges,
): UpdateObject<Schema, "orders"> {
  const { mapped, result, facts, decision, revise, reread, enriched } = changes;
  const { problem, problems = given(problem, toSingleProblem) } = changes;
  return {
    state: changes.state,
    due_at: toWhole(changes.dueAtMs),
    attempts: changes.attempts,
    enriched: given(enriched, Number),
    fingerprint: changes.fingerprint,
    decided_at: changes.decidedAtMs,
    // Set once and never changed.
    first_decided_at: given(
      changes.decidedAtMs,
      (atMs) => sql<number>`coalesce(first_decided_at, cast(${atMs} as bigint))`,
    ),
    settled_at: changes.settledAtMs,
    skip_reason: changes.skipReason,
    problem,
    problems: given(problems, (parts) => JSON.stringify(parts)),
    hold_deadline_at: toWhole(changes.holdDeadlineMs),
    amount: changes.amount,
    currency: changes.currency,
    review: changes.review,
    reread_at: given(reread, rereadAgain),
    ...given(mapped, (order) => toMappedColumns(sealer, key, order)),
    result:
      result === null
        ? null
        : given(result, (answer) => sealer.sealJson(placeOfOrder("result", key), answer)),
    facts: given(facts, (kept) => sealer.sealJson(placeOfOrder("facts", key), kept)),
    ...given(decision, toDecisionColumns),
    revised: given(revise, (change) => reviseAgain(sealer, key, change)),
  };
}

/** A column that isn't given isn't written. */
function given<T, Column>(value: T | undefined, toColumn: (value: T) => Column): Column | undefined {
  return value === undefined ? undefined : toColumn(value);
}

/** Times computed from hints or hours can have a fraction, which an integer column refuses. */
function toWhole<T extends number | null | undefined>(timeMs: T): T | number {
  return typeof timeMs === "number" ? Math.ceil(timeMs) : timeMs;
}

/** The sealed order, and the digests that find it by its email address, its country and its buyer. */
export function toMappedColumns(
  sealer: Sealer,
  key: OrderKey,
  mapped: MappedOrder,
): {
  readonly mapped: Buffer;
  readonly email_digest: string | null;
  readonly country_digest: string | null;
  readonly relayed: 0 | 1;
} & LinkColumns {
  const request = toKnownNow(mapped);
  const email = request.customerEmail;
  const country = toCountryCode(readCountry(mapped));
  return {
    country_digest: country === undefined ? null : sealer.countryDigest(key.tenant, country),
    mapped: sealer.sealJson(placeOfOrder("mapped", key), mapped),
    email_digest: email === undefined ? null : sealer.emailDigest(key.tenant, email),
    // A test order has no customer.
    ...toLinkColumns(mapped.test ? {} : sealer.linkKeys(key.tenant, request)),
    relayed: !mapped.test && isRelayed(request.ipAddress) ? 1 : 0,
  };
}

type LinkColumns = Record<(typeof LINK_COLUMNS)[LinkKind], string | null>;

function toLinkColumns(keys: Partial<LinkKeys>): LinkColumns {
  const columns = LINK_KINDS.map((kind) => [LINK_COLUMNS[kind], keys[kind] ?? null]);
  return Object.fromEntries(columns) as LinkColumns;
}

export const ERASED_COLUMNS = {
  mapped: null,
  result: null,
  customer_id: null,
  customer_digest: null,
  email_digest: null,
  country_digest: null,
  ...toLinkColumns({}),
  revised: null,
} as const;

type SealedColumn = "mapped" | "result" | "customer_id" | "revised" | "facts";

export function placeOfOrder(column: SealedColumn, key: OrderKey): Place {
  return { tenant: key.tenant, table: "orders", column, row: key.orderId };
}

/** If the platform has reported something newer meanwhile, keep that. */
function reviseAgain(sealer: Sealer, key: OrderKey, { revisedAtMs, kept }: RevisionChange) {
  const sealed = kept === null ? sql`null` : sealer.sealJson(placeOfOrder("revised", key), kept);
  return sql<Uint8Array | null>`case when revised_at = ${revisedAtMs} then ${sealed} else revised end`;
}

/** If the platform has asked for a reread meanwhile, keep that. */
function rereadAgain({ seenMs, nextMs }: RereadChange): RawBuilder<number | null> {
  const next = nextMs === null ? sql`null` : sql`cast(${Math.ceil(nextMs)} as bigint)`;
  const isSeen = seenMs === null ? sql`reread_at is null` : sql`reread_at = ${seenMs}`;
  return sql`case when ${isSeen} then ${next} else reread_at end`;
}

function toDecisionColumns(decision: Decision): Updateable<Schema["orders"]> {
  const { riskLevel: risk_level, action, degraded, disputed = false } = decision;
  const flags = { degraded: Number(degraded), disputed: Number(disputed) };
  return { decision: JSON.stringify(decision), risk_level, action, ...flags };
}

/** Due at `atMs`. Under lease, the next due time isn't known yet: the request waits until the lease ends. */
export function toWoken(atMs: number) {
  return {
    woken_at: sql<number | null>`case when lease_owner is not null then cast(${atMs} as bigint) end`,
    due_at: sql<number | null>`case when lease_owner is not null then due_at else ${atMs} end`,
  };
}

/** The sealed customer, and the digest that finds their orders. */
export function toCustomerColumns(sealer: Sealer, key: OrderKey, customerId: string) {
  return {
    customer_id: sealer.sealBytes(placeOfOrder("customer_id", key), customerId),
    customer_digest: sealer.customerDigest(key.tenant, customerId),
  };
}
