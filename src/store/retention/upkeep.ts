import type { TenantId } from "../../platform/platform.ts";
import type { TimelineEntry } from "../orders/order-record.ts";

/**
 * What is erased by age, in this order: content before the rows that carry it, orders before the ledger that counts
 * their credits.
 */
export const RETENTION_STEPS = [
  /** Request, answer, customer and changes of orders at rest: what is personal of them. */
  "order-content",
  /** Changes that came after their order's content was erased. */
  "change-content",
  /** What linked orders whose content is erased: a process of an earlier release, beside this one, leaves it. */
  "left-links",
  /** Texts of kept answers, of which level and score still count; without an order id the whole answer. */
  "answer-content",
  /** Bodies of deliveries that could not be carried out for as long as orders are kept. */
  "stuck-deliveries",
  /** Bodies of deliveries whose shop has not installed the app. */
  "awaiting-deliveries",
  /** Finished deliveries, whose ids nobody will repeat any more. */
  "deliveries",
  /** Answers to customers' data requests. */
  "reports",
  /** Orders at rest, with timeline, steps and changes. */
  "orders",
  "answers",
  /** Calls to the service, of orders that are gone. */
  "attempts",
  /** Where orders came from. */
  "sources",
  /** What orders can be recognised by. */
  "velocity",
  "savings",
  "quotas",
  /** What people were told, once it is over or may be told again. */
  "incidents",
  "access-log",
  /** Sessions of people that ran out. */
  "sessions",
  /** People whose tokens were revoked, once nothing in the access log can name them any more. */
  "people",
  "leases",
  "circuits",
] as const;
/** One of {@link RETENTION_STEPS}. */
export type RetentionStep = (typeof RETENTION_STEPS)[number];

/** What is old enough to go: what came before each moment, in milliseconds since the epoch. */
export interface RetentionLimits {
  readonly nowMs: number;
  /** Content of orders at rest, texts of answers, reports. */
  readonly contentBeforeMs: number;
  /** Finished deliveries. */
  readonly deliveriesBeforeMs: number;
  /** Deliveries that wait for an installation. */
  readonly awaitingBeforeMs: number;
  /** Orders at rest, and the content of all others, whatever they wait for. Answers, stuck deliveries, the access log. */
  readonly ordersBeforeMs: number;
  /** Calls and savings: never later than the start of the month whose credits are still being counted. */
  readonly ledgerBeforeMs: number;
  /** Places taken of a quota. */
  readonly quotasBeforeMs: number;
  /** What is of use for minutes: where orders came from, leases that ran out, incidents that are over. */
  readonly passingBeforeMs: number;
  /** Circuits that nobody has tried for so long. */
  readonly circuitsBeforeMs: number;
  /** Written to the timeline of each order whose content is erased. */
  readonly entry: TimelineEntry;
}

/** Where a chunk ended: the next one goes on behind it. */
export interface RetentionPosition {
  readonly atMs: number;
  readonly tenant: string;
  readonly id: string;
}

/** What one chunk did. */
export interface RetentionChunk {
  /** Rows that were erased or emptied. */
  readonly erased: number;
  /** Null: the step is done. */
  readonly next: RetentionPosition | null;
}

export interface RetentionStore {
  /**
   * One chunk of one step, in a transaction of its own that looks at a hundred rows at most. Nothing has to be
   * remembered between runs: a step that starts again finds what is left.
   */
  eraseAged(
    step: RetentionStep,
    limits: RetentionLimits,
    from: RetentionPosition | null,
  ): Promise<RetentionChunk>;
  /** Make what was erased leave the disk too, as far as the database can. Never throws. */
  scrub(): Promise<void>;
}

/** What somebody saw or did. */
export const ACCESS_KINDS = [
  /** Saw an order's content. */
  "order",
  /** Saw the list of customers' data requests. */
  "data-requests",
  /** Saw the answer to one of them. */
  "data-request",
  /** Let an order go. */
  "approve",
  /** Had an order cancelled. */
  "decline",
  /** Took back an approval or a refusal before it took effect. */
  "undo",
  /** Spent a credit on a new answer. */
  "recheck",
  /** Wrote a note on an order. */
  "note",
  /** Put another policy in force; the subject is its version. */
  "policy",
  /** Changed the settings. */
  "settings",
  /** Changed who may do what; the subject is the person it is about. */
  "people",
  /** Signed in without a platform. */
  "sign-in",
  /** Took a file of orders away. */
  "export",
] as const;
/** One of {@link ACCESS_KINDS}. */
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** Somebody saw personal data, or did something. */
export interface Access {
  readonly atMs: number;
  /** `person:ID`; read back as `operator` when it is whoever has the console token. */
  readonly actor: string;
  readonly what: AccessKind;
  /** Which: the order's id, the request's id, the policy's version, the person; empty for a list. */
  readonly subject: string;
}

/** One page of a tenant's access log. */
interface AccessPage {
  /** Newest first. */
  readonly entries: readonly Access[];
  readonly nextCursor: string | null;
}

export interface AccessLogStore {
  /**
   * Keep that somebody saw or did something. `false`: the same person was noted for the same thing less than `withinMs`
   * before, and nothing is written. With 0 it is always written.
   */
  recordAccess(tenant: TenantId, access: Access, withinMs: number): Promise<boolean>;
  /** A cursor that was not given out throws `ORDER_INVALID` with the field `cursor`. */
  listAccess(
    tenant: TenantId,
    page: {
      readonly limit: number;
      readonly cursor?: string | undefined;
      readonly actor?: string | undefined;
      readonly what?: AccessKind | undefined;
    },
  ): Promise<AccessPage>;
}

/** Orders of which window, and how soon they had to be decided. */
export interface CoverageWindow {
  /** Received after this, milliseconds since the epoch. */
  readonly sinceMs: number;
  /** Received at this moment or before. */
  readonly untilMs: number;
  /** In time is what was decided this soon after receipt. */
  readonly withinMs: number;
}

/** How many orders were decided in time. */
export interface Coverage {
  /** Cancelled, free and test orders do not count, nor those taken in for the record. */
  readonly eligible: number;
  readonly decidedInTime: number;
}

export interface CoverageStore {
  /**
   * @param tenant - null for all tenants together.
   * @param signal - ends the count between two slices, which rejects then.
   */
  coverage(tenant: TenantId | null, window: CoverageWindow, signal?: AbortSignal): Promise<Coverage>;
}

/** What is kept, for how long, who saw it, and whether we keep up. */
export type UpkeepStore = RetentionStore & AccessLogStore & CoverageStore;
