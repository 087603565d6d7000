import type { TenantId } from "../../platform/platform.ts";
import type { VelocityKeys } from "./keys.ts";

/** Remembers orders by what they can be recognised by, for a little more than a week. */
export interface VelocityStore {
  /**
   * Remember an order and count what it shares with the tenant's other orders placed before it. An order that is
   * recorded again takes its own place, with its newest keys and time, and never counts twice. Of two orders recorded
   * at once, at least one sees the other.
   *
   * A flood under one key keeps no more of itself than is looked at: 100 orders.
   *
   * @param orderKey Names the order among the tenant's. Not personal.
   * @param atMs When the order was placed, never later than now: what is much older than it is forgotten.
   */
  record(tenant: TenantId, orderKey: string, keys: VelocityKeys, atMs: number): Promise<VelocityCounts>;
}

/**
 * How often the keys of an order were seen lately, in orders of the same shop up to this order's own time.
 *
 * This order itself counts, so a known count is never below 1; `undefined` means that the count is not known: the
 * order lacks the key, the key is shared by many strangers, or no store was asked or answered. Only the newest
 * 100 orders of a key are looked at, so 100 means 100 or more.
 *
 * Email addresses are told apart as they are written: dots and tags are how one mailbox opens several accounts.
 */
export interface VelocityCounts {
  /** Orders of this mailbox, however it is written, in the last hour; of those without an id, each repeat of one content counts. */
  readonly emailOrders1h: number | undefined;
  /** Different email addresses that ordered from this IP network in the last 24 hours. */
  readonly ipEmails24h: number | undefined;
  /** Different email addresses that paid with this card in the last 7 days. */
  readonly cardEmails7d: number | undefined;
  /** Different email addresses that had orders sent to this address in the last 7 days. */
  readonly addressEmails7d: number | undefined;
  /** Different cards this mailbox paid with in the last 24 hours. */
  readonly emailCards24h: number | undefined;
  /** Different billing postcodes of this mailbox in the last 7 days. */
  readonly emailBillingPostcodes7d: number | undefined;
  /** Different billing postcodes of this card in the last 7 days. */
  readonly cardBillingPostcodes7d: number | undefined;
}
