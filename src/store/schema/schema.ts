import type { ShopTallies } from "./shop-tallies.ts";
import type { Generated, GeneratedAlways, Kysely, Selectable } from "kysely";
import type { DisputeTables } from "./dispute-tables.ts";
import type { OrderEffects } from "../../order/order-effects.ts";
import type { BuyerCheckColumns, BuyerEvidenceColumns, CardCodeColumns } from "./buyer-check-columns.ts";
import type { KeptAddressColumns } from "./kept-address-table.ts";

interface OfTenant {
  tenant: string;
}

interface OfOrder extends OfTenant {
  order_id: string;
}

/** Columns of a row that is work: claimed when due, under a lease while somebody works on it. */
interface WorkColumns extends OfTenant {
  /** Null if no work is left. */
  due_at: number | null;
  lease_owner: string | null;
  lease_until: number | null;
  /** The process under whose registration the lease was taken; null if leases end only by time. */
  process_id: string | null;
  /** The later of `due_at` and `lease_until`, computed by the database. Claims only read this column. */
  ready_at: GeneratedAlways<number | null>;
}

/** State of a call to the service. `sent`: under way. `unknown`: lost, or ended without knowing whether it was billed. */
type AttemptState = "sent" | "answered" | "failed" | "unknown";

/** Every table. Ids are text, times are milliseconds since the epoch, booleans are 0 and 1. */
export interface Schema extends DisputeTables {
  /** Received webhooks. A finished one keeps its ID to detect repeats; its body is erased. */
  deliveries: WorkColumns & {
    delivery_id: string;
    platform: string;
    topic: string;
    received_at: number;
    /** Sealed. */
    body: Uint8Array | null;
    /** Claims so far. Counted when claiming, so that a delivery that crashes the process counts too. */
    attempts: number;
    outcome: string | null;
    error: string | null;
    /** Keyed digest of the body, the same for every tenant. */
    body_digest: string | null;
    /**
     * 1: its shop hasn't installed the app yet. It becomes due when the shop does; until then `due_at` is null although
     * there is a body.
     */
    awaits_installation: Generated<number>;
  };

  /** Orders: the row is also the job. */
  orders: WorkColumns & {
    /** 1 if it is only due for a look, because it is at rest and nothing new is known. */
    is_look: GeneratedAlways<number>;
    order_id: string;
    platform: string;
    name: string;
    received_at: number;
    state: string;
    attempts: number;
    enriched: number;
    /** Sealed. */
    mapped: Uint8Array | null;
    /** Sealed. */
    customer_id: Uint8Array | null;
    /** Keyed digests that find a customer's orders without decrypting every row. */
    customer_digest: string | null;
    email_digest: string | null;
    /** Keyed digest of the ISO code of where it ships to, or else is billed. */
    country_digest: string | null;
    /** Keyed digests that orders of one buyer share, to find the others. */
    link_mailbox: string | null;
    link_network: string | null;
    link_card: string | null;
    link_phone: string | null;
    link_address: string | null;
    /** 1: its IP address is a relay's or CDN's that many strangers share. */
    relayed: Generated<number>;
    amount: number | null;
    currency: string | null;
    fingerprint: string | null;
    /** Sealed. */
    result: Uint8Array | null;
    /** JSON. `risk_level` and `action` repeat two of its fields for the list's filter. */
    decision: string | null;
    risk_level: string | null;
    action: string | null;
    decided_at: number | null;
    /** When it was first decided; `decided_at` changes with each new decision. */
    first_decided_at: number | null;
    settled_at: number | null;
    skip_reason: string | null;
    problem: string | null;
    /** JSON: the parts of `problem`. Null if there never were any. */
    problems: string | null;
    hold_deadline_at: number | null;
    /** It was requested while under lease, so it is due at once when it is released. */
    woken_at: number | null;
    /** It ended on the platform while under lease, so it is settled when it is released. */
    ended_at: number | null;
    /** Once set, nothing personal is written to the row again, not even by a worker that still has the order. */
    erased_at: number | null;
    /** Sealed: the order's newer content, until it is handled. */
    revised: Uint8Array | null;
    /** When the platform changed it. */
    revised_at: number | null;
    /** The time of the newest state that the platform reported in a signed body, even if nothing had changed. */
    as_of: number | null;
    effects: Generated<OrderEffects>;
    /** 1: the decision was made without the service. Repeats a field of `decision` for statistics. */
    degraded: Generated<number>;
    /** 1: held because a bank asks about the payment. Repeats a field of `decision` for the queue. */
    disputed: Generated<number>;
    /** Sealed: facts for rules that name nobody. Kept after the content is erased. */
    facts: Uint8Array | null;
    /** When to read the platform's other data about the order again; null for never. */
    reread_at: number | null;
    /** JSON: a person's decision that the order's worker still has to carry out. */
    review: string | null;
    /** When its shop uninstalled the app before the order was finished. Null if it didn't or has installed it again. */
    left_at: number | null;
  };

  /** The history of orders, in the order of writing. */
  order_timeline: OfOrder & {
    entry_id: GeneratedAlways<number>;
    at: number;
    kind: string;
    detail: string;
    actor: string;
    /** JSON: the event, for code. Null if there is only a text. */
    event: string;
    /** Sealed: what a person wrote. Null once erased. */
    note: Uint8Array | null;
  };

  /** The record of each enforcement step of an order. */
  order_steps: OfOrder & {
    step: string;
    state: string;
    detail: string;
    /** JSON object of strings: notes of the platform's adapter. */
    memory: string;
    /** JSON object of strings: Holdfast's own notes. Null if there are none. */
    notes: string | null;
    /** Why nothing was done, if code depends on the reason. */
    cause: string | null;
    /** 1 while the platform is carrying it out, so that it can't be stopped. */
    begun: number;
    at: number;
  };

  /** The ledger: every call to the service, written before it is made. */
  attempts: OfTenant & {
    attempt_id: string;
    fingerprint: string;
    order_id: string | null;
    owner: string;
    state: AttemptState;
    metered: string | null;
    error: string | null;
    started_at: number;
    lease_until: number;
    /** The same as for orders. */
    process_id: string | null;
    /** When the caller ended it; null while it is open, and if it was marked as lost. */
    ended_at: number | null;
    /** Its order was erased while the call was open, so its answer isn't stored. */
    erased: number;
  };

  /** Kept answers of the service. */
  answers: OfTenant & {
    fingerprint: string;
    order_id: string | null;
    /** Sealed. */
    result: Uint8Array;
    /** When the call began. An answer to an older call never replaces a newer one. */
    asked_at: number;
    answered_at: number;
    /** When its texts were erased by age. Level and score stay. */
    erased_at: number | null;
  };

  /** Credits spent, counted by UTC day. The database keeps them with the ledger. */
  credit_days: OfTenant & {
    day_at: number;
    spent: number;
  };

  /** Saved calls, counted by the hour. */
  savings: OfTenant & {
    reason: string;
    hour_at: number;
    saved: number;
  };

  tenants: OfTenant & {
    platform: string;
    state: "installed" | "uninstalled";
    installed_at: number;
    uninstalled_at: number | null;
    /** Sealed. */
    secret: Uint8Array | null;
    /** When the platform refused the tenant's access early; null if it hasn't. */
    access_refused_at: number | null;
  };

  /** Every version of every tenant's policy. */
  policies: OfTenant & {
    version: number;
    /** Sealed JSON: rules may name customers. */
    document: Uint8Array;
    saved_at: number;
    /** Who saved it; null if no person did. */
    actor: string | null;
  };

  /** Answers to customers' data requests. They are deleted by age, fetched or not. */
  reports: OfTenant & {
    request_id: string;
    /** Sealed. */
    content: Uint8Array;
    saved_at: number;
  };

  /** Uses of a tenant's quotas, each with the key of its object. */
  quotas: OfTenant & {
    name: string;
    quota_key: string;
    taken_at: number;
  };

  /** Leaky buckets of the sources of orders, by keyed digest. */
  attempt_sources: OfTenant & {
    source: string;
    level: number;
    /** When the bucket had this level. */
    at: number;
    /** 1: orders from this source currently cost no credits. */
    braked: number;
    /** How many orders of the source the shop usually gets in a busy hour. Null: it wasn't looked up. */
    usual: number | null;
    /** The beginning of the day (UTC) for which it was looked up. */
    usual_day: number | null;
  };

  /** Keyed digests that recognize orders of the last days. */
  velocity: OfTenant & {
    order_key: string;
    /** When the order was placed. */
    at: number;
    mailbox: string | null;
    email: string | null;
    network: string | null;
    card: string | null;
    address: string | null;
    postcode: string | null;
    /** Digests that relatives and colleagues share; `manner`: how the order looked by itself. */
    kin: string | null;
    manner: string | null;
    /** 1: part of a flood, and deleted once enough others of it have arrived. */
    passing: number;
  };

  shop_tallies: OfTenant & ShopTallies;

  /** Changes of orders on the platform. */
  order_changes: OfOrder & {
    at: number;
    /** 1: the change is material, so the service is asked again. */
    material: number;
    /** Sealed: which fields, from what, to what. Null once erased. */
    content: Uint8Array | null;
  };

  /** Blocks of calls to the service, for a key or for one tenant with that key. No row means no block. */
  circuits: {
    name: string;
    code: string;
    until_at: number;
    /** 1: ends by itself. 0: ends when a trial succeeds. */
    pause: number;
    /** Until when others wait for a running trial; 0 without one. */
    trial_until: number;
  };

  /** Who saw personal data, and who did what. */
  access_log: OfTenant & {
    entry_id: GeneratedAlways<number>;
    at: number;
    actor: string;
    what: string;
    subject: string;
  };

  /** How far a scan has got. */
  cursors: OfTenant & {
    name: string;
    at: number;
  };

  people: OfTenant & {
    /** `person:ID`. */
    actor: string;
    /** Sealed: their name; null if none was given. */
    name: Uint8Array | null;
    role: string;
    /** Keyed digest of their token; null for people who sign in through a platform. */
    token_digest: string | null;
    created_at: number;
    created_by: string | null;
    seen_at: number | null;
    revoked_at: number | null;
  };

  /** Who is signed in without a platform. */
  sessions: OfTenant & {
    /** Digest of the cookie's value. */
    session_digest: string;
    actor: string;
    /** Digest of the token used to sign in. A new console token ends the sessions of the former one. */
    credential: string;
    created_at: number;
    expires_at: number;
  };

  /** What a person wants to know of, and where. */
  notice_settings: OfTenant & {
    actor: string;
    /** Sealed JSON. */
    content: Uint8Array;
    saved_at: number;
    /** JSON: why the last message of a channel couldn't be sent. */
    problems: string;
  };

  /** Notices for a person's open pages. */
  page_notices: OfTenant & {
    notice_id: GeneratedAlways<number>;
    actor: string;
    at: number;
    /** JSON; nothing personal. */
    content: string;
  };

  /** A tenant's settings, including its service key. */
  settings: OfTenant & {
    version: number;
    /** Sealed JSON. */
    content: Uint8Array;
    saved_at: number;
  };

  /** Observed outcomes of orders on the platform. */
  order_outcomes: OfOrder & {
    observed_at: number;
    /** JSON; nothing personal. */
    content: string;
  };

  /** What the buyers of held orders were asked. */
  buyer_checks: OfOrder & BuyerCheckColumns;

  /** Notes and files that buyers of held orders sent. */
  buyer_evidence: OfOrder & BuyerEvidenceColumns;
  /** Amounts on cards that aren't given back yet. */
  card_codes: OfOrder & CardCodeColumns;
  /** Addresses that outlive the content of orders, in shops that opted in. */
  kept_addresses: OfOrder & KeptAddressColumns;

  /** Notes that people haven't saved yet. */
  note_drafts: OfOrder & {
    /** `person:ID`. */
    actor: string;
    /** Sealed. */
    text: Uint8Array;
    at: number;
  };

  /** Named views of the lists of orders. */
  saved_views: {
    tenant: string;
    view_id: string;
    list: string;
    /** `person:ID`; null once they were removed. */
    actor: string | null;
    is_shared: number;
    /** Sealed JSON: the name, and the query that it stands for. */
    content: Uint8Array;
    saved_at: number;
  };

  /** Who should review an order. */
  order_assignments: OfOrder & {
    /** `person:ID`. */
    actor: string;
  };

  review_claims: OfOrder & {
    actor: string;
    /** By the clock of leases. */
    until_at: number;
  };

  /** Incidents that were reported, so that each is reported once. */
  incidents: {
    /** Empty if it is about the installation. */
    tenant: string;
    name: string;
    told_at: number;
    /** It isn't reported again before this time; null: before it is resolved. */
    quiet_until: number | null;
    resolved_at: number | null;
    /** The message that may not have been sent yet; null if there is none. */
    unsent: string | null;
    /** Until when the message is claimed for sending, by the clock of leases. */
    sending_until: number | null;
  };

  leases: {
    name: string;
    owner: string;
    lease_until: number;
    /** Null for a lease that outlives its process. */
    process_id: string | null;
  };

  /** Processes that share the database. Each keeps a lock on its id for as long as its connection lives. */
  processes: {
    process_id: string;
    /** By the database's clock. */
    registered_at: number;
    /** Since when its lock has been free; null while it is held. */
    missing_since: number | null;
  };

  /** Facts about the database itself. */
  meta: {
    name: string;
    value: string;
  };

  schema_migrations: {
    version: number;
    name: string;
    applied_at: number;
  };
}

/** The query builder over {@link Schema}: a connection for reading, or an open transaction. */
export type Database = Kysely<Schema>;
export type OrderRow = Selectable<Schema["orders"]>;
export type DeliveryRow = Selectable<Schema["deliveries"]>;
