import {
  createHistory,
  createLedger,
  createTenants,
  createWork,
  toOrders,
  type Types,
} from "./initial-schema.ts";
import { createCreditDays } from "./credit-days.ts";

/** One step of the schema. A released one is never changed. */
interface Migration {
  readonly name: string;
  readonly toSql: (types: Types) => readonly string[];
}

const HOLD_NOTE_NAMES = ["authorization", "lapsing", "overdue", "releasing", "tagged", "warned"];
const HOLD_NOTES = HOLD_NOTE_NAMES.map((name) => `'${name}'`).join(", ");
const HOLD_NOTE_PATHS = HOLD_NOTE_NAMES.map((name) => `'$.${name}'`).join(", ");

const FLAGS = "tenant = '' and name in ('coverage-low', 'retention-leap')";

/** All migrations, oldest first: a migration's version is its place in this list, from 1. */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: "initial",
    toSql: (types) => [
      ...createWork(types),
      ...createHistory(types),
      ...createLedger(types),
      ...createTenants(types),
      // These rows change many times. Without this setting, a fifth of the table may be dead row versions: claims have
      // to skip them, and they still contain erased data.
      ...(types.isPostgres ? ["deliveries", "orders", "answers"] : []).map(
        (table) => `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02)`,
      ),
    ],
  },
  // Work after the decision: shared circuits, bursts, revisions, cursors, the access log.
  {
    name: "follow-up",
    toSql: ({ text, bytes, sequence }) => [
      `create table attempt_sources (
        tenant ${text} not null, source ${text} not null, level double precision not null, at bigint not null,
        braked integer not null, constraint attempt_sources_key primary key (tenant, source))`,
      "create index attempt_sources_at on attempt_sources (at)",
      `alter table orders add column revised ${bytes}`,
      "alter table orders add column revised_at bigint",
      "alter table orders add column as_of bigint",
      `create table order_changes (
        tenant ${text} not null, order_id ${text} not null, at bigint not null, material integer not null, content ${bytes},
        constraint order_changes_key primary key (tenant, order_id, at), ${toOrders("order_changes_order")})`,
      // Orders that were imported late: decided for the record, with nothing changed on the platform.
      "alter table orders add column record_only integer default 0 not null",
      `create table circuits (
        name ${text} not null primary key, code ${text} not null, until_at bigint not null, pause integer not null,
        trial_until bigint not null)`,
      `create table access_log (
        entry_id ${sequence}, tenant ${text} not null, at bigint not null, actor ${text} not null, what ${text} not null,
        subject ${text} not null)`,
      "create index access_log_newest on access_log (tenant, at, entry_id)",
      "create index access_log_of_subject on access_log (tenant, subject, what, actor, at)",
      `create table cursors (
        tenant ${text} not null, name ${text} not null, at bigint not null,
        constraint cursors_key primary key (tenant, name))`,
      // Indexes for coverage and erasure by age, so that they read only the rows they need.
      "alter table orders add column first_decided_at bigint",
      "update orders set first_decided_at = decided_at",
      // Covers the coverage query.
      "create index orders_age on orders (received_at, tenant, first_decided_at, skip_reason, record_only)",
      "create index orders_with_content on orders (received_at, tenant, order_id) where erased_at is null",
      "create index order_changes_with_content on order_changes (at) where content is not null",
      // A kept answer outlives its texts.
      "alter table answers add column erased_at bigint",
      "create index answers_with_content on answers (answered_at, tenant, fingerprint) where erased_at is null",
      "create index answers_age on answers (answered_at) where erased_at is not null",
      "create index deliveries_finished on deliveries (received_at) where ready_at is null",
      "create index attempts_age on attempts (started_at, tenant, attempt_id)",
      "create index reports_age on reports (saved_at)",
      "create index savings_age on savings (hour_at)",
      "create index quotas_age on quotas (taken_at)",
      "create index access_log_age on access_log (at)",
    ],
  },
  // Digests that recognize orders of the last days.
  {
    name: "velocity",
    toSql: ({ text }) => [
      `create table velocity (
        tenant ${text} not null, order_key ${text} not null, at bigint not null, mailbox ${text}, email ${text},
        network ${text}, card ${text}, address ${text}, postcode ${text}, passing integer not null,
        constraint velocity_key primary key (tenant, order_key))`,
      ...["mailbox", "network", "card", "address"].map(
        (link) => `create index velocity_${link} on velocity (tenant, ${link}, at) where ${link} is not null`,
      ),
      "create index velocity_age on velocity (at, tenant)",
    ],
  },
  // For the console: people and their sessions, settings, facts for replays, and outcomes of orders.
  {
    name: "console",
    toSql: ({ text, bytes }) => [
      // Who may use the console, and who is signed in without a platform.
      `create table people (
        tenant ${text} not null, actor ${text} not null, name ${bytes}, role ${text} not null, token_digest ${text},
        created_at bigint not null, created_by ${text}, seen_at bigint, revoked_at bigint,
        constraint people_key primary key (tenant, actor))`,
      "create unique index people_token on people (token_digest) where token_digest is not null",
      `create index people_revoked on people (revoked_at)
        where revoked_at is not null and token_digest is not null`,
      `create table sessions (
        session_digest ${text} not null primary key, tenant ${text} not null, actor ${text} not null,
        credential ${text} not null, created_at bigint not null, expires_at bigint not null)`,
      "create index sessions_of_person on sessions (tenant, actor)",
      "create index sessions_age on sessions (expires_at)",
      `create table settings (
        tenant ${text} not null primary key, version bigint not null, content ${bytes} not null, saved_at bigint not null)`,
      `create table order_outcomes (
        tenant ${text} not null, order_id ${text} not null, observed_at bigint not null, content ${text} not null,
        constraint order_outcomes_key primary key (tenant, order_id))`,
      `alter table policies add column actor ${text}`,
      `alter table orders add column facts ${bytes}`,
      "alter table orders add column degraded integer default 0 not null",
      `update orders set degraded = 1 where decision like '%"degraded":true%'`,
      // Covers the overview's queries.
      `create index orders_statistics on orders (tenant, received_at, platform, record_only,
        risk_level, action, degraded, first_decided_at)`,
      // JSON: a person's decision that arrived while a worker had the order.
      `alter table orders add column verdict ${text}`,
      // People's notes on an order. Sealed, because they may name somebody.
      `alter table order_timeline add column note ${bytes}`,
      "create index orders_name on orders (tenant, name)",
      // The queue's order: deadline, then amount. Nulls get a value, so that a page can start within the index.
      `create index orders_review on orders
        (tenant, (coalesce(hold_deadline_at, 9007199254740991)), (coalesce(-amount, 1)), order_id)
        where state in ('review', 'failed')`,
    ],
  },
  // Processes that share the database, and the holder of each lease.
  {
    name: "processes",
    toSql: ({ text }) => [
      `create table processes (
        process_id ${text} not null primary key, registered_at bigint not null, missing_since bigint)`,
      ...["deliveries", "orders", "attempts", "leases"].map(
        (table) => `alter table ${table} add column process_id ${text}`,
      ),
    ],
  },
  // Recognizes a delivery that was sent again with other headers.
  {
    name: "unsigned",
    toSql: ({ text }) => [
      `alter table deliveries add column body_digest ${text}`,
      "alter table deliveries add column awaits_installation integer default 0 not null",
      `create index deliveries_of_body on deliveries (body_digest, tenant, received_at)
        where body_digest is not null`,
      "create index deliveries_awaiting on deliveries (tenant) where awaits_installation = 1",
      "create index deliveries_awaiting_age on deliveries (received_at) where awaits_installation = 1",
      "alter table tenants add column access_refused_at bigint",
      // These times came from a header, which anybody could have set. The next update asks the platform once.
      "update orders set as_of = null where as_of is not null",
    ],
  },
  // Incidents, which were kept in leases, quotas and cursors before.
  {
    name: "incidents",
    toSql: ({ text }) => [
      `create table incidents (
        tenant ${text} not null, name ${text} not null, told_at bigint not null, quiet_until bigint, resolved_at bigint,
        constraint incidents_key primary key (tenant, name))`,
      "create index incidents_age on incidents (quiet_until)",
      // Open incidents stay open. Leases and quotas that served as flags expire and are erased by age.
      `insert into incidents (tenant, name, told_at)
        select tenant, replace(name, '-', '_'), at from cursors where ${FLAGS} and at > 0`,
      `delete from cursors where ${FLAGS}`,
    ],
  },
  // Data for timelines, steps and problems, beside their texts. This only adds columns, which is fast however many rows
  // there are. Older rows are read by their texts, which is needed for rows of an earlier release anyway.
  {
    name: "timeline-events",
    toSql: () => [
      "alter table order_timeline add column event text",
      "alter table order_steps add column cause text",
      "alter table orders add column problems text",
    ],
  },
  // Disputes about orders: banks' inquiries and chargebacks.
  {
    name: "disputes",
    toSql: ({ text }) => [
      `create table disputes (
        tenant ${text} not null, dispute_id ${text} not null, order_id ${text} not null, kind text not null,
        status text not null, reason text not null, is_fraud integer not null, initiated_at bigint not null,
        seen_at bigint not null, constraint disputes_key primary key (tenant, dispute_id))`,
      "create index disputes_order on disputes (tenant, order_id)",
    ],
  },
  // When to read the platform's other data about an order again.
  {
    name: "reread",
    toSql: () => ["alter table orders add column reread_at bigint"],
  },
  // Digests that orders of one buyer share. Older orders have none, because a migration doesn't have the key to compute
  // them.
  {
    name: "linked-orders",
    toSql: ({ text }) =>
      ["link_mailbox", "link_network", "link_card", "link_phone", "link_address"].flatMap((link) => [
        `alter table orders add column ${link} ${text}`,
        `create index orders_${link} on orders (tenant, ${link}, received_at) where ${link} is not null`,
      ]),
  },
  // Finds digests that a process of an earlier release left when it erased an order's content. Very few rows have any.
  {
    name: "left-links",
    toSql: () => [
      `create index orders_left_links on orders (received_at) where erased_at is not null
        and coalesce(link_mailbox, link_network, link_card, link_phone, link_address) is not null`,
    ],
  },
  // Who is reviewing which order.
  {
    name: "review-claims",
    toSql: ({ text }) => [
      `create table review_claims (
        tenant ${text} not null, order_id ${text} not null, actor text not null, until_at bigint not null,
        constraint review_claims_key primary key (tenant, order_id))`,
    ],
  },
  // Distinguishes strangers at a shared place from people who belong there.
  {
    name: "velocity-strangers",
    toSql: ({ text }) => ["kin", "manner"].map((name) => `alter table velocity add column ${name} ${text}`),
  },
  // Whether the platform has begun a step. An earlier release read that from the step's notes.
  {
    name: "begun-steps",
    toSql: () => [
      "alter table order_steps add column begun integer default 0 not null",
      "update order_steps set begun = 1 where step = 'cancel' and state = 'waiting' and memory <> '{}'",
    ],
  },
  // The message about an incident, until it was sent. The process that claimed it may end before.
  {
    name: "unsent-alerts",
    toSql: () => [
      "alter table incidents add column unsent text",
      "alter table incidents add column sending_until bigint",
      "create index incidents_unsent on incidents (sending_until) where unsent is not null",
    ],
  },
  // Holdfast's own notes about a hold, separate from those of the platform's adapter.
  {
    name: "hold-notes",
    toSql: ({ isPostgres }) => [
      "alter table order_steps add column notes text",
      isPostgres
        ? `update order_steps set memory = (memory::jsonb - array[${HOLD_NOTES}])::text,
            notes = (select jsonb_object_agg(key, value)::text from jsonb_each(memory::jsonb) where key in (${HOLD_NOTES}))
            where step = 'hold' and exists (select 1 from jsonb_each(memory::jsonb) where key in (${HOLD_NOTES}))`
        : `update order_steps set memory = json_remove(memory, ${HOLD_NOTE_PATHS}),
            notes = (select json_group_object(key, value) from json_each(memory) where key in (${HOLD_NOTES}))
            where step = 'hold' and exists (select 1 from json_each(memory) where key in (${HOLD_NOTES}))`,
    ],
  },
  // Orders that were unfinished when their shop uninstalled the app, in case it installs the app again.
  {
    name: "left-orders",
    toSql: () => [
      "alter table orders add column left_at bigint",
      `update orders set left_at = settled_at where state = 'settled' and settled_at >= (
        select uninstalled_at from tenants where tenants.tenant = orders.tenant and tenants.state = 'uninstalled')`,
      "create index orders_left on orders (tenant) where left_at is not null",
    ],
  },
  // The queue also has orders whose hold the platform isn't ready for yet.
  {
    name: "queue-of-unheld-orders",
    // The drop goes first: it locks the table against everybody at once. After the other one it would have to wait for
    // processes that wait for it.
    toSql: () => [
      "drop index orders_review",
      `create index orders_queue on orders
        (tenant, (coalesce(hold_deadline_at, 9007199254740991)), (coalesce(-amount, 1)), order_id)
        where (state in ('review', 'failed') or (state = 'waiting' and action = 'hold'))`,
    ],
  },
  // A paid call under a cap counted all credits of the month before.
  { name: "credit-days", toSql: createCreditDays },
  // How many orders of a source a shop usually gets, for the burst brake.
  {
    name: "usual-sources",
    toSql: () => [
      "alter table attempt_sources add column usual double precision",
      "alter table attempt_sources add column usual_day bigint",
      "alter table orders add column relayed integer default 0 not null",
      "create index orders_relayed on orders (tenant, received_at) where relayed = 1",
    ],
  },
  // Looks at orders at rest don't delay undecided orders.
  {
    name: "looks",
    toSql: ({ isPostgres }) => [
      // The drops go first, as above.
      "drop index orders_ready",
      "drop index orders_turn",
      // SQLite can't add a stored column.
      `alter table orders add column is_look integer generated always as (
        case when state in ('settled', 'review', 'failed') and verdict is null and revised is null then 1 else 0 end)
        ${isPostgres ? "stored" : "virtual"}`,
      // The same texts as in the claims' queries; otherwise the planner doesn't use the indexes. With is_look as a column
      // instead, SQLite looks for a tenant's orders by time.
      ...["undecided", "looks"].flatMap((line, isLook) => [
        `create index orders_${line} on orders (ready_at) where is_look = ${isLook} and ready_at is not null`,
        `create index orders_${line}_turn on orders (tenant, ready_at)
          where is_look = ${isLook} and ready_at is not null`,
      ]),
      ...["", "tenant, "].map(
        (column) => `create index orders_expiring${column && "_turn"} on orders (${column}hold_deadline_at)
          where is_look = 1 and ready_at is not null and hold_deadline_at is not null`,
      ),
    ],
  },
];
