import type { Engine } from "../engines/engine.ts";

/** IDs are text, times bigint milliseconds, booleans 0 and 1, sealed values bytes. */
export interface Types {
  readonly text: string;
  readonly bytes: string;
  /** The key of a table whose rows are numbered. */
  readonly sequence: string;
  readonly isPostgres: boolean;
}

export const TYPES: Readonly<Record<Engine["dialect"], Types>> = {
  sqlite: { text: "text", bytes: "blob", sequence: "integer primary key autoincrement", isPostgres: false },
  postgres: {
    // Compare by bytes, as in SQLite, so that the order of IDs doesn't depend on a locale and no index breaks when the
    // system's locale changes.
    text: 'text collate "C"',
    bytes: "bytea",
    sequence: "bigserial primary key",
    isPostgres: true,
  },
};

/** Null if nothing is left to do; otherwise when it is due, but not before the lease ends. */
const READY_AT =
  "bigint generated always as (case when lease_until > due_at then lease_until else due_at end) stored";

/** The foreign key of a row that belongs to an order. */
export const toOrders = (name: string) =>
  `constraint ${name} foreign key (tenant, order_id) references orders (tenant, order_id)`;

/** Deliveries and orders. SQLite accepts NULL in a primary key unless the column is NOT NULL. */
export function createWork({ text, bytes }: Types): readonly string[] {
  return [
    `create table deliveries (
      tenant ${text} not null, delivery_id ${text} not null, platform ${text} not null, topic ${text} not null,
      triggered_at bigint, received_at bigint not null, body ${bytes}, attempts integer not null, due_at bigint,
      lease_owner ${text}, lease_until bigint, ready_at ${READY_AT}, outcome ${text}, error ${text},
      constraint deliveries_key primary key (tenant, delivery_id))`,
    // Partial indexes, because nearly all rows are finished and claims shouldn't read them.
    "create index deliveries_ready on deliveries (ready_at, received_at) where ready_at is not null",
    "create index deliveries_turn on deliveries (tenant, ready_at) where ready_at is not null",
    `create table orders (
      tenant ${text} not null, order_id ${text} not null, platform ${text} not null, name ${text} not null,
      received_at bigint not null, state ${text} not null, due_at bigint, lease_owner ${text}, lease_until bigint,
      ready_at ${READY_AT}, attempts integer not null, enriched integer not null, mapped ${bytes}, customer_id ${bytes},
      customer_digest ${text}, email_digest ${text}, amount double precision, currency ${text}, fingerprint ${text},
      result ${bytes}, decision ${text}, risk_level ${text}, action ${text}, decided_at bigint, settled_at bigint,
      skip_reason ${text}, problem ${text}, hold_deadline_at bigint, erased_at bigint, woken_at bigint, ended_at bigint,
      constraint orders_key primary key (tenant, order_id))`,
    "create index orders_ready on orders (ready_at) where ready_at is not null",
    "create index orders_turn on orders (tenant, ready_at) where ready_at is not null",
    "create index orders_leased on orders (lease_owner) where lease_owner is not null",
    // The same text as in the backlog's query; otherwise the planner doesn't use the index.
    `create index orders_unfinished on orders (received_at)
      where state in ('received', 'screening', 'decided', 'enforcing', 'waiting')`,
    // The index includes the list's filters, so that a rare level is found without reading other rows.
    "create index orders_newest on orders (tenant, received_at, order_id, risk_level, action)",
    "create index orders_of_state on orders (tenant, state, received_at, order_id, risk_level, action)",
    "create index orders_customer on orders (tenant, customer_digest) where customer_digest is not null",
    "create index orders_email on orders (tenant, email_digest) where email_digest is not null",
  ];
}

/** What happened to orders. */
export function createHistory({ text, sequence }: Types): readonly string[] {
  return [
    `create table order_timeline (
      entry_id ${sequence}, tenant ${text} not null, order_id ${text} not null, at bigint not null, kind ${text} not null,
      detail ${text} not null, actor ${text} not null, ${toOrders("order_timeline_order")})`,
    "create index order_timeline_of_order on order_timeline (tenant, order_id, entry_id)",
    `create table order_steps (
      tenant ${text} not null, order_id ${text} not null, step ${text} not null, state ${text} not null,
      detail ${text} not null, memory ${text} not null, at bigint not null,
      constraint order_steps_key primary key (tenant, order_id, step), ${toOrders("order_steps_order")})`,
  ];
}

/** Calls to the service, and its answers. */
export function createLedger({ text, bytes }: Types): readonly string[] {
  return [
    `create table attempts (
      attempt_id ${text} not null primary key, tenant ${text} not null, fingerprint ${text} not null, order_id ${text},
      owner ${text} not null, state ${text} not null, metered ${text}, error ${text}, started_at bigint not null,
      lease_until bigint not null, ended_at bigint, erased integer not null)`,
    "create index attempts_of_fingerprint on attempts (tenant, fingerprint)",
    "create index attempts_of_order on attempts (tenant, order_id) where order_id is not null",
    // Covers the budget's count.
    "create index attempts_of_period on attempts (tenant, started_at, state, metered)",
    "create index attempts_open on attempts (lease_until) where state = 'sent'",
    `create table answers (
      tenant ${text} not null, fingerprint ${text} not null, order_id ${text}, result ${bytes} not null,
      asked_at bigint not null, answered_at bigint not null,
      constraint answers_key primary key (tenant, fingerprint))`,
    "create index answers_of_order on answers (tenant, order_id) where order_id is not null",
    `create table savings (
      tenant ${text} not null, reason ${text} not null, hour_at bigint not null, saved integer not null,
      constraint savings_key primary key (tenant, hour_at, reason))`,
  ];
}

/** Tenants, and data of the installation. */
export function createTenants({ text, bytes }: Types): readonly string[] {
  return [
    `create table tenants (
      tenant ${text} not null primary key, platform ${text} not null, state ${text} not null,
      installed_at bigint not null, uninstalled_at bigint, secret ${bytes})`,
    `create table policies (
      tenant ${text} not null, version integer not null, document ${bytes} not null, saved_at bigint not null,
      constraint policies_key primary key (tenant, version))`,
    `create table reports (
      tenant ${text} not null, request_id ${text} not null, content ${bytes} not null, saved_at bigint not null,
      constraint reports_key primary key (tenant, request_id))`,
    `create table leases (name ${text} not null primary key, owner ${text} not null, lease_until bigint not null)`,
    `create table quotas (
      tenant ${text} not null, name ${text} not null, quota_key ${text} not null, taken_at bigint not null,
      constraint quotas_key primary key (tenant, name, quota_key))`,
    `create table meta (name ${text} not null primary key, value ${text} not null)`,
  ];
}
