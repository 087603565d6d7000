import type { ShopCounts } from "./shop-counts.ts";

/** How many orders of a key are compared: far more than any signal needs, but few enough to read for every order. */
export const MOST_PER_KEY = 100;

/**
 * How often an order's keys appear in recent orders of the same shop, up to this order's own time.
 *
 * The order itself counts, so a known count is at least 1. `undefined` means unknown: the order lacks the key, many strangers
 * share the key, or no store answered. Only the newest {@link MOST_PER_KEY} orders of a key are compared, so 100 means 100 or more.
 *
 * Different spellings count as different email addresses, because dots and tags let one mailbox open several accounts.
 */
export interface VelocityCounts {
  /** Orders of this mailbox, in any spelling, in the last hour. Without an ID, each repeat of one content counts. */
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
  /** The larger of the two counts above, with two postcodes counted as one (home and work) if neither has only suspicious orders. */
  readonly billingPlaces7d?: number | undefined;
  /**
   * Like {@link ipEmails24h}, without people that a shared network explains: see `countOutsiders` in `strangers.ts`. If it
   * isn't known, the full count applies.
   */
  readonly ipStrangers24h?: number | undefined;
  /** Like {@link cardEmails7d}, without up to three relatives and colleagues. */
  readonly cardStrangers7d?: number | undefined;
  /** Like {@link addressEmails7d}, without people that a shared address explains. */
  readonly addressStrangers7d?: number | undefined;
  /** Different cards of such strangers that paid for goods to this address in the last 7 days. */
  readonly addressCards7d?: number | undefined;
  /** Different shipping addresses of this mailbox in the last 7 days. */
  readonly emailAddresses7d?: number | undefined;
  /** Different shipping addresses of this card in the last 7 days. */
  readonly cardAddresses7d?: number | undefined;
  /** Different customer names of this mailbox in the last 7 days. */
  readonly emailNames7d?: number | undefined;
  /** What the shop's orders are like. */
  readonly shop?: ShopCounts | undefined;
}

/** The counts that a policy's rules can use. */
export const RULE_COUNTS = [
  "emailOrders1h",
  "emailCards24h",
  "emailAddresses7d",
  "emailNames7d",
  "ipEmails24h",
  "cardEmails7d",
  "cardAddresses7d",
  "addressEmails7d",
] as const satisfies readonly (keyof VelocityCounts)[];
export type RuleCount = (typeof RULE_COUNTS)[number];
