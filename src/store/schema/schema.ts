import type { Generated, GeneratedAlways, Kysely, Selectable } from "kysely";

interface OfTenant {
  tenant: string;
}

interface OfOrder extends OfTenant {
  order_id: string;
}

/** Columns of a row that is work: claimed when due, under a lease while somebody works on it. */
interface WorkColumns extends OfTenant {
  /** Null: no work left. */
  due_at: number | null;
  lease_owner: string | null;
  lease_until: number | null;
  /** The process under whose registration the lease was taken; null where leases end by time alone. */
  process_id: string | null;
  /** The later of `due_at` and `lease_until`, computed by the database: the one column claims look at. */
  ready_at: GeneratedAlways<number | null>;
}

/** State of a call to the service. `sent`: under way. `unknown`: lost, or ended without knowing whether it was billed. */
type AttemptState = "sent" | "answered" | "failed" | "unknown";

/** Every table. Ids are text, times are milliseconds since the epoch, booleans are 0 and 1. */
export interface Schema {
  /** Received webhooks. A finished one keeps its id against repeats; its body is gone. */
  deliveries: WorkColumns & {
    delivery_id: string;
    platform: string;
    topic: string;
    received_at: number;
    /** Sealed. */
    body: Uint8Array | null;
    /** Claims so far. Counted on claiming, so that a delivery that kills the process counts too. */
    attempts: number;
    outcome: string | null;
    error: string | null;
    /** Keyed digest of the body, the same for every tenant. Null for a delivery from before it was kept. */
    body_digest: string | null;
    /** 1: its shop has not installed the app yet. Due when it does; until then `due_at` is null although there is a body. */
    awaits_installation: Generated<number>;
  };

  /** Orders: the row is also the job. */
  orders: WorkColumns & {
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
    /** Keyed digests, to find a customer's orders without opening every row. */
    customer_digest: string | null;
    email_digest: string | null;
    /** Keyed digests of what orders of one buyer share, to find the others. */
    link_mailbox: string | null;
    link_network: string | null;
    link_card: string | null;
    link_phone: string | null;
    link_address: string | null;
    amount: number | null;
    currency: string | null;
    fingerprint: string | null;
    /** Sealed. */
    result: Uint8Array | null;
    /** JSON. `risk_level` and `action` repeat two of its members for the list's filter. */
    decision: string | null;
    risk_level: string | null;
    action: string | null;
    decided_at: number | null;
    /** When it was decided for the first time; `decided_at` moves with each new decision. */
    first_decided_at: number | null;
    settled_at: number | null;
    skip_reason: string | null;
    problem: string | null;
    /** JSON: the parts of `problem`. Null: none, or written by an earlier version. */
    problems: string | null;
    hold_deadline_at: number | null;
    /** Somebody called for it while it was under lease: due at once when it is released to wait. */
    woken_at: number | null;
    /** It ended on the platform while it was under lease: settled when it is released. */
    ended_at: number | null;
    /** Once set, nothing personal is written to the row again, whoever was still working on it. */
    erased_at: number | null;
    /** Sealed: the order as the platform changed it, until somebody has looked at it again. */
    revised: Uint8Array | null;
    /** When the platform changed it. */
    revised_at: number | null;
    /** The newest moment, by the platform's signed word, whose state of the order is known, also when that was nothing new. */
    as_of: number | null;
    /** 1: decided and recorded only. */
    record_only: Generated<number>;
    /** 1: the decision was made without the service. Repeats a member of `decision` for figures. */
    degraded: Generated<number>;
    /** Sealed: what rules can ask about the order and names nobody. Outlives its content. */
    facts: Uint8Array | null;
    /** When the platform is asked again what it says beyond the order; null: it isn't. */
    reread_at: number | null;
    /** JSON: a person's word that the order's worker has to take up. */
    verdict: string | null;
    /** When its shop uninstalled the app before the order was finished. Null: it didn't, or it has come back. */
    left_at: number | null;
  };

  /** The history of orders, in the order of writing. */
  order_timeline: OfOrder & {
    entry_id: GeneratedAlways<number>;
    at: number;
    kind: string;
    detail: string;
    actor: string;
    /** JSON: what it says, for code. Null for an entry of an earlier version. */
    event: string | null;
    /** Sealed: what a person wrote. Null once erased. */
    note: Uint8Array | null;
  };

  /** What is known of each enforcement step of an order. */
  order_steps: OfOrder & {
    step: string;
    state: string;
    detail: string;
    /** JSON object of strings: what the platform's adapter remembers. */
    memory: string;
    /** The same: what Holdfast itself noted. Null: nothing. */
    notes: string | null;
    /** Why nothing was done, where code acts on it. */
    cause: string | null;
    /** 1 while the platform is at it, so that it can't be called back. */
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
    /** As for orders. */
    process_id: string | null;
    /** When the caller ended it; null while open, and for an attempt that was given up for lost. */
    ended_at: number | null;
    /** Its order was erased while it was open: an answer that still comes is not kept. */
    erased: number;
  };

  /** Kept answers of the service. */
  answers: OfTenant & {
    fingerprint: string;
    order_id: string | null;
    /** Sealed. */
    result: Uint8Array;
    /** When the question was sent: an answer to an older question never replaces a newer one. */
    asked_at: number;
    answered_at: number;
    /** When its texts were erased by age: level and score are left. */
    erased_at: number | null;
  };

  /** Calls that did not have to be made, counted by the hour. */
  savings: OfTenant & {
    reason: string;
    hour_at: number;
    saved: number;
  };

  /** Tenants and their secret. */
  tenants: OfTenant & {
    platform: string;
    state: "installed" | "uninstalled";
    installed_at: number;
    uninstalled_at: number | null;
    /** Sealed. */
    secret: Uint8Array | null;
    /** When the platform refused the tenant's access before its time; null while it has not. */
    access_refused_at: number | null;
  };

  /** Every version of every tenant's policy. */
  policies: OfTenant & {
    version: number;
    /** Sealed JSON: rules may name customers. */
    document: Uint8Array;
    saved_at: number;
    /** Who saved it; null when that was not kept yet. */
    actor: string | null;
  };

  /** Answers to customers' data requests, until the tenant has fetched them. */
  reports: OfTenant & {
    request_id: string;
    /** Sealed. */
    content: Uint8Array;
    saved_at: number;
  };

  /** What a tenant may do only so often, each time under the key of what it was done to. */
  quotas: OfTenant & {
    name: string;
    quota_key: string;
    taken_at: number;
  };

  /** Where orders came from, by keyed digest, and how many of late: a bucket that leaks. */
  attempt_sources: OfTenant & {
    source: string;
    level: number;
    /** When the level was this. */
    at: number;
    /** 1: orders from there cost no credits at the moment. */
    braked: number;
  };

  /** Orders of the last days by what they can be recognised by, in keyed digests. */
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
    /** What relatives and colleagues share; `manner`: how the order looked by itself. Null in rows from before schema 14. */
    kin: string | null;
    manner: string | null;
    /** 1: came in a flood, and goes as soon as enough others of it have come. */
    passing: number;
  };

  /** What changed about orders on the platform. */
  order_changes: OfOrder & {
    at: number;
    /** 1: it made the order a new question to the service. */
    material: number;
    /** Sealed: which fields, from what, to what. Null once erased. */
    content: Uint8Array | null;
  };

  /** What holds back calls to the service, of a key or of one tenant under it. No row: nothing. */
  circuits: {
    name: string;
    code: string;
    until_at: number;
    /** 1: ends by itself. 0: ends with a trial that succeeds. */
    pause: number;
    /** Until when somebody's trial is waited for; 0 without one. */
    trial_until: number;
  };

  /** Who looked at personal data. */
  access_log: OfTenant & {
    entry_id: GeneratedAlways<number>;
    at: number;
    actor: string;
    what: string;
    subject: string;
  };

  /** Up to where something was looked through. */
  cursors: OfTenant & {
    name: string;
    at: number;
  };

  /** People who use the console, and what they may do. */
  people: OfTenant & {
    /** `person:ID`, or `*` for the role of those who are seen for the first time. */
    actor: string;
    /** Sealed: what others call them; null: nobody said. */
    name: Uint8Array | null;
    role: string;
    /** Keyed digest of the token they sign in with; null for people that a platform signs in. */
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
    /** Digest of what they signed in with: another console token ends the sessions of the former. */
    credential: string;
    created_at: number;
    expires_at: number;
  };

  /** What a tenant has set, its service key among it. */
  settings: OfTenant & {
    version: number;
    /** Sealed JSON. */
    content: Uint8Array;
    saved_at: number;
  };

  /** What became of orders on the platform, as far as it was looked at. */
  order_outcomes: OfOrder & {
    observed_at: number;
    /** JSON; nothing personal. */
    content: string;
  };

  /** Disputes of orders. Nothing personal. */
  disputes: OfOrder & {
    dispute_id: string;
    kind: string;
    status: string;
    /** The platform's own code. */
    reason: string;
    is_fraud: number;
    initiated_at: number;
    /** When its present state came. */
    seen_at: number;
  };

  /** Who is reviewing which order. */
  review_claims: OfOrder & {
    actor: string;
    /** By the clock of leases. */
    until_at: number;
  };

  /** What people were told, so that they are told once. */
  incidents: {
    /** Empty: about the installation. */
    tenant: string;
    name: string;
    told_at: number;
    /** Until when nobody tells it again; null: until it is resolved. */
    quiet_until: number | null;
    resolved_at: number | null;
    /** The message about it that may not have been sent yet; null when there is none. */
    unsent: string | null;
    /** Until when whoever claimed the message is given time to send it, by the clock of leases. */
    sending_until: number | null;
  };

  /** Named leases. */
  leases: {
    name: string;
    owner: string;
    lease_until: number;
    /** Null for a lease that outlives the process that took it. */
    process_id: string | null;
  };

  /** Processes that share the database. Each keeps a lock on its id for as long as its connection lives. */
  processes: {
    process_id: string;
    /** By the database's clock. */
    registered_at: number;
    /** Since when another process has found its lock free; null while it is held. */
    missing_since: number | null;
  };

  /** Facts about the database itself. */
  meta: {
    name: string;
    value: string;
  };

  /** Migrations that have run. */
  schema_migrations: {
    version: number;
    name: string;
    applied_at: number;
  };
}

/** The query builder over {@link Schema}: a connection for reading, or an open transaction. */
export type Database = Kysely<Schema>;
/** A row of `orders` as read. */
export type OrderRow = Selectable<Schema["orders"]>;
/** A row of `deliveries` as read. */
export type DeliveryRow = Selectable<Schema["deliveries"]>;
