import type { Types } from "./column-types.ts";
import { createBuyerChecks } from "./buyer-check-columns.ts";
import { createCreditDays } from "./credit-days.ts";
import { createKeptAddresses } from "./kept-address-table.ts";
import { LINK_COLUMNS } from "./link-columns.ts";

/** All tables, with their indexes. SQLite accepts NULL in a primary key unless the column is NOT NULL. */
export function createSchema(types: Types): readonly string[] {
  return [
    ...createDeliveries(types),
    ...createOrders(types),
    ...createHistory(types),
    ...createOutcomes(types),
    ...createBuyerChecks(types),
    ...createKeptAddresses(types),
    ...createLedger(types),
    ...createCreditDays(types),
    ...createBrakes(types),
    ...createVelocity(types),
    ...createTenants(types),
    ...createPeople(types),
    ...createInstallation(types),
    // These rows change many times. Without this setting, a fifth of the table may be dead row versions: claims have
    // to skip them, and they still contain erased data.
    ...(types.isPostgres ? ["deliveries", "orders", "answers"] : []).map(
      (table) => `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02)`,
    ),
  ];
}

/** Null if nothing is left to do; otherwise when it is due, but not before the lease ends. */
const READY_AT =
  "bigint generated always as (case when lease_until > due_at then lease_until else due_at end) stored";

function createDeliveries({ text, bytes }: Types): readonly string[] {
  return [
    `create table deliveries (
      tenant ${text} not null, delivery_id ${text} not null, platform ${text} not null, topic ${text} not null,
      received_at bigint not null, body ${bytes}, body_digest ${text}, attempts integer not null, due_at bigint,
      lease_owner ${text}, lease_until bigint, process_id ${text}, ready_at ${READY_AT},
      awaits_installation integer default 0 not null, outcome ${text}, error ${text},
      constraint deliveries_key primary key (tenant, delivery_id))`,
    // Partial indexes, because nearly all rows are finished and claims shouldn't read them.
    "create index deliveries_ready on deliveries (ready_at, received_at) where ready_at is not null",
    "create index deliveries_turn on deliveries (tenant, ready_at) where ready_at is not null",
    "create index deliveries_finished on deliveries (received_at) where ready_at is null",
    // Recognizes a delivery that was sent again with other headers.
    `create index deliveries_of_body on deliveries (body_digest, tenant, received_at)
      where body_digest is not null`,
    "create index deliveries_awaiting on deliveries (tenant) where awaits_installation = 1",
    "create index deliveries_awaiting_age on deliveries (received_at) where awaits_installation = 1",
  ];
}

const LINKS = Object.values(LINK_COLUMNS);

function createOrders({ text, bytes, isPostgres }: Types): readonly string[] {
  return [
    `create table orders (
      tenant ${text} not null, order_id ${text} not null, platform ${text} not null, name ${text} not null,
      received_at bigint not null, state ${text} not null, due_at bigint, lease_owner ${text}, lease_until bigint,
      process_id ${text}, ready_at ${READY_AT}, attempts integer not null, enriched integer not null, mapped ${bytes},
      customer_id ${bytes}, customer_digest ${text}, email_digest ${text}, country_digest ${text},
      ${LINKS.map((link) => `${link} ${text}`).join(", ")}, relayed integer default 0 not null,
      amount double precision, currency ${text}, fingerprint ${text}, result ${bytes}, decision ${text},
      risk_level ${text}, action ${text}, decided_at bigint, first_decided_at bigint, settled_at bigint,
      skip_reason ${text}, problem ${text}, problems text, hold_deadline_at bigint, woken_at bigint, ended_at bigint,
      erased_at bigint, revised ${bytes}, revised_at bigint, as_of bigint, effects ${text} default 'live' not null,
      degraded integer default 0 not null, disputed integer default 0 not null, facts ${bytes}, reread_at bigint,
      review ${text}, left_at bigint,
      is_look integer generated always as (
        case when state in ('settled', 'review', 'failed') and review is null and revised is null then 1 else 0 end)
        ${isPostgres ? "stored" : "virtual"},
      constraint orders_key primary key (tenant, order_id))`,
    ...indexClaims(),
    ...indexLists(),
    // Covers the coverage query.
    "create index orders_age on orders (received_at, tenant, first_decided_at, skip_reason, effects)",
    "create index orders_with_content on orders (received_at, tenant, order_id) where erased_at is null",
    // Covers the overview's queries.
    `create index orders_statistics on orders (tenant, received_at, effects, risk_level, action, degraded,
      first_decided_at)`,
    "create index orders_made_up on orders (tenant) where effects = 'none'",
    "create index orders_left on orders (tenant) where left_at is not null",
    "create index orders_relayed on orders (tenant, received_at) where relayed = 1",
  ];
}

/** Looks at orders at rest don't delay undecided orders, so each line of work has its own indexes. */
function indexClaims(): readonly string[] {
  return [
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
    "create index orders_leased on orders (lease_owner) where lease_owner is not null",
    // The same text as in the backlog's query; otherwise the planner doesn't use the index.
    `create index orders_unfinished on orders (received_at)
      where state in ('received', 'screening', 'decided', 'enforcing', 'waiting')`,
  ];
}

function indexLists(): readonly string[] {
  return [
    // The index includes the list's filters, so that a rare level is found without reading other rows.
    "create index orders_newest on orders (tenant, received_at, order_id, risk_level, action)",
    "create index orders_of_state on orders (tenant, state, received_at, order_id, risk_level, action)",
    "create index orders_name on orders (tenant, name)",
    "create index orders_amount on orders (tenant, amount)",
    `create index orders_country on orders (tenant, country_digest, received_at)
      where country_digest is not null`,
    "create index orders_customer on orders (tenant, customer_digest) where customer_digest is not null",
    "create index orders_email on orders (tenant, email_digest) where email_digest is not null",
    ...LINKS.map(
      (link) =>
        `create index orders_${link} on orders (tenant, ${link}, received_at) where ${link} is not null`,
    ),
    // The queue's order: urgent orders, then deadline, then amount. Nulls get a value, so that a page can start within
    // the index.
    `create index orders_queue on orders
      (tenant, (case when state = 'failed' or disputed = 1 then 0 else 1 end),
        (coalesce(hold_deadline_at, 9007199254740991)), (coalesce(-amount, 1)), order_id)
      where (state in ('review', 'failed') or (state = 'waiting' and action = 'hold'))`,
  ];
}

/** The foreign key of a row that belongs to an order. */
const toOrders = (name: string) =>
  `constraint ${name} foreign key (tenant, order_id) references orders (tenant, order_id)`;

/** What happened to orders. */
function createHistory({ text, bytes, sequence }: Types): readonly string[] {
  return [
    `create table order_timeline (
      entry_id ${sequence}, tenant ${text} not null, order_id ${text} not null, at bigint not null, kind ${text} not null,
      detail ${text} not null, actor ${text} not null, event ${text} not null, note ${bytes}, ${toOrders("order_timeline_order")})`,
    "create index order_timeline_of_order on order_timeline (tenant, order_id, entry_id)",
    `create table order_steps (
      tenant ${text} not null, order_id ${text} not null, step ${text} not null, state ${text} not null,
      detail ${text} not null, memory ${text} not null, notes text, cause text, begun integer default 0 not null,
      at bigint not null, constraint order_steps_key primary key (tenant, order_id, step), ${toOrders("order_steps_order")})`,
    `create table order_changes (
      tenant ${text} not null, order_id ${text} not null, at bigint not null, material integer not null, content ${bytes},
      constraint order_changes_key primary key (tenant, order_id, at), ${toOrders("order_changes_order")})`,
    "create index order_changes_with_content on order_changes (at) where content is not null",
    `create table order_assignments (
      tenant ${text} not null, order_id ${text} not null, actor ${text} not null,
      constraint order_assignments_key primary key (tenant, order_id), ${toOrders("order_assignments_order")})`,
    "create index order_assignments_of_person on order_assignments (tenant, actor)",
    `create table note_drafts (
      tenant ${text} not null, order_id ${text} not null, actor ${text} not null, text ${bytes} not null,
      at bigint not null, constraint note_drafts_key primary key (tenant, order_id, actor), ${toOrders("note_drafts_order")})`,
    "create index note_drafts_of_person on note_drafts (tenant, actor, at)",
    `create table review_claims (
      tenant ${text} not null, order_id ${text} not null, actor text not null, until_at bigint not null,
      constraint review_claims_key primary key (tenant, order_id))`,
  ];
}

function createOutcomes({ text, bytes }: Types): readonly string[] {
  return [
    `create table order_outcomes (
      tenant ${text} not null, order_id ${text} not null, observed_at bigint not null, content ${text} not null,
      constraint order_outcomes_key primary key (tenant, order_id))`,
    `create table disputes (
      tenant ${text} not null, dispute_id ${text} not null, order_id ${text} not null, kind text not null,
      status text not null, reason text not null, is_fraud integer not null, initiated_at bigint not null,
      seen_at bigint not null, evidence_due_at bigint, evidence_sent_at bigint, network_code text,
      constraint disputes_key primary key (tenant, dispute_id))`,
    "create index disputes_order on disputes (tenant, order_id)",
    // A list by the banks' deadlines asks for each order's next one.
    "create index disputes_open on disputes (tenant, order_id, evidence_due_at) where status = 'open'",
    `create table kept_orders (
      tenant ${text} not null, order_id ${text} not null, placed_at bigint not null, card ${text} not null,
      customer_digest ${text}, email_digest ${text}, disputed integer not null, content ${bytes} not null,
      constraint kept_orders_key primary key (tenant, order_id))`,
    "create index kept_orders_card on kept_orders (tenant, card, placed_at)",
    "create index kept_orders_age on kept_orders (placed_at)",
    "create index kept_orders_of_tenant on kept_orders (tenant, placed_at)",
    "create index kept_orders_customer on kept_orders (tenant, customer_digest) where customer_digest is not null",
    "create index kept_orders_email on kept_orders (tenant, email_digest) where email_digest is not null",
    "create index disputes_month on disputes (tenant, initiated_at)",
    `create index disputes_due on disputes (evidence_due_at)
      where status = 'open' and evidence_sent_at is null and evidence_due_at is not null`,
  ];
}

/** Calls to the service, and its answers. */
function createLedger({ text, bytes }: Types): readonly string[] {
  return [
    `create table attempts (
      attempt_id ${text} not null primary key, tenant ${text} not null, fingerprint ${text} not null, order_id ${text},
      owner ${text} not null, state ${text} not null, metered ${text}, error ${text}, started_at bigint not null,
      lease_until bigint not null, process_id ${text}, ended_at bigint, erased integer not null)`,
    "create index attempts_of_fingerprint on attempts (tenant, fingerprint)",
    "create index attempts_of_order on attempts (tenant, order_id) where order_id is not null",
    // Covers the budget's count.
    "create index attempts_of_period on attempts (tenant, started_at, state, metered)",
    "create index attempts_open on attempts (lease_until) where state = 'sent'",
    "create index attempts_age on attempts (started_at, tenant, attempt_id)",
    `create table answers (
      tenant ${text} not null, fingerprint ${text} not null, order_id ${text}, result ${bytes} not null,
      asked_at bigint not null, answered_at bigint not null, erased_at bigint,
      constraint answers_key primary key (tenant, fingerprint))`,
    "create index answers_of_order on answers (tenant, order_id) where order_id is not null",
    "create index answers_with_content on answers (answered_at, tenant, fingerprint) where erased_at is null",
    "create index answers_age on answers (answered_at) where erased_at is not null",
    `create table savings (
      tenant ${text} not null, reason ${text} not null, hour_at bigint not null, saved integer not null,
      constraint savings_key primary key (tenant, hour_at, reason))`,
    "create index savings_age on savings (hour_at)",
  ];
}

/** What stops calls to the service, and acts, that are too many. */
function createBrakes({ text }: Types): readonly string[] {
  return [
    `create table circuits (
      name ${text} not null primary key, code ${text} not null, until_at bigint not null, pause integer not null,
      trial_until bigint not null)`,
    `create table attempt_sources (
      tenant ${text} not null, source ${text} not null, level double precision not null, at bigint not null,
      braked integer not null, usual double precision, usual_day bigint,
      constraint attempt_sources_key primary key (tenant, source))`,
    "create index attempt_sources_at on attempt_sources (at)",
    `create table quotas (
      tenant ${text} not null, name ${text} not null, quota_key ${text} not null, taken_at bigint not null,
      constraint quotas_key primary key (tenant, name, quota_key))`,
    "create index quotas_age on quotas (taken_at)",
  ];
}

/** Digests that recognize orders of the last days, and how many orders a shop has of each kind. */
function createVelocity({ text }: Types): readonly string[] {
  return [
    `create table velocity (
      tenant ${text} not null, order_key ${text} not null, at bigint not null, mailbox ${text}, email ${text},
      network ${text}, card ${text}, address ${text}, postcode ${text}, kin ${text}, manner ${text},
      passing integer not null, constraint velocity_key primary key (tenant, order_key))`,
    ...["mailbox", "network", "card", "address"].map(
      (link) => `create index velocity_${link} on velocity (tenant, ${link}, at) where ${link} is not null`,
    ),
    "create index velocity_age on velocity (at, tenant)",
    `create table shop_tallies (
      tenant ${text} not null, trait ${text} not null, item ${text} not null, span ${text} not null, at bigint not null,
      step integer not null, until bigint not null, newcomers integer not null, known integer not null,
      constraint shop_tallies_key primary key (tenant, trait, item, span, at, step))`,
    "create index shop_tallies_until on shop_tallies (until)",
  ];
}

function createTenants({ text, bytes }: Types): readonly string[] {
  return [
    `create table tenants (
      tenant ${text} not null primary key, platform ${text} not null, state ${text} not null,
      installed_at bigint not null, uninstalled_at bigint, access_refused_at bigint, secret ${bytes})`,
    `create table settings (
      tenant ${text} not null primary key, version bigint not null, content ${bytes} not null, saved_at bigint not null)`,
    `create table policies (
      tenant ${text} not null, version integer not null, document ${bytes} not null, saved_at bigint not null,
      actor ${text}, constraint policies_key primary key (tenant, version))`,
    `create table reports (
      tenant ${text} not null, request_id ${text} not null, content ${bytes} not null, saved_at bigint not null,
      constraint reports_key primary key (tenant, request_id))`,
    "create index reports_age on reports (saved_at)",
  ];
}

/** Who may use the console, who is signed in without a platform, who did what, and what they want to know. */
function createPeople({ text, bytes, sequence }: Types): readonly string[] {
  return [
    `create table people (
      tenant ${text} not null, actor ${text} not null, name ${bytes}, role ${text} not null, token_digest ${text},
      created_at bigint not null, created_by ${text}, seen_at bigint, revoked_at bigint,
      constraint people_key primary key (tenant, actor))`,
    "create unique index people_token on people (token_digest) where token_digest is not null",
    `create index people_seen on people (seen_at)
      where name is not null and token_digest is null`,
    `create index people_revoked on people (revoked_at)
      where revoked_at is not null and token_digest is not null`,
    `create table sessions (
      session_digest ${text} not null primary key, tenant ${text} not null, actor ${text} not null,
      credential ${text} not null, created_at bigint not null, expires_at bigint not null)`,
    "create index sessions_of_person on sessions (tenant, actor)",
    "create index sessions_age on sessions (expires_at)",
    `create table saved_views (
      tenant ${text} not null, view_id ${text} not null, list ${text} not null, actor ${text},
      is_shared integer not null, content ${bytes} not null, saved_at bigint not null,
      constraint saved_views_key primary key (tenant, view_id))`,
    `create table access_log (
      entry_id ${sequence}, tenant ${text} not null, at bigint not null, actor ${text} not null, what ${text} not null,
      subject ${text} not null)`,
    "create index access_log_newest on access_log (tenant, at, entry_id)",
    "create index access_log_of_subject on access_log (tenant, subject, what, actor, at)",
    "create index access_log_age on access_log (at)",
    `create table notice_settings (
      tenant ${text} not null, actor ${text} not null, content ${bytes} not null, saved_at bigint not null,
      problems ${text} not null, constraint notice_settings_key primary key (tenant, actor))`,
    `create table page_notices (
      notice_id ${sequence}, tenant ${text} not null, actor ${text} not null, at bigint not null,
      content ${text} not null)`,
    "create index page_notices_of_person on page_notices (tenant, actor, notice_id)",
    "create index page_notices_age on page_notices (at)",
  ];
}

/** What the processes share. */
function createInstallation({ text }: Types): readonly string[] {
  return [
    `create table leases (
      name ${text} not null primary key, owner ${text} not null, lease_until bigint not null, process_id ${text})`,
    `create table processes (
      process_id ${text} not null primary key, registered_at bigint not null, missing_since bigint)`,
    `create table incidents (
      tenant ${text} not null, name ${text} not null, told_at bigint not null, quiet_until bigint, resolved_at bigint,
      unsent text, sending_until bigint, constraint incidents_key primary key (tenant, name))`,
    "create index incidents_age on incidents (quiet_until)",
    "create index incidents_unsent on incidents (sending_until) where unsent is not null",
    `create table cursors (
      tenant ${text} not null, name ${text} not null, at bigint not null,
      constraint cursors_key primary key (tenant, name))`,
    `create table meta (name ${text} not null primary key, value ${text} not null)`,
  ];
}
