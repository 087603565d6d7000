/**
 * How often the keys of an order were seen lately, in orders of the same shop up to this order's own time.
 * This order itself counts as one, so a known count is never below 1; `undefined` means that the count is not known
 * (the order lacks the key, the key is shared by many strangers, or no store was asked or answered).
 */
export interface VelocityCounts {
  /** Orders with this mailbox in the last hour. */
  readonly emailOrders1h: number | undefined;
  /** Different mailboxes that ordered from this IP network in the last 24 hours. */
  readonly ipEmails24h: number | undefined;
  /** Different mailboxes that paid with this card in the last 7 days. */
  readonly cardEmails7d: number | undefined;
  /** Different mailboxes that had orders sent to this address in the last 7 days. */
  readonly addressEmails7d: number | undefined;
  /** Different cards this mailbox paid with in the last 24 hours. */
  readonly emailCards24h: number | undefined;
  /** Different billing postcodes of this mailbox in the last 7 days. */
  readonly emailBillingPostcodes7d: number | undefined;
  /** Different billing postcodes of this card in the last 7 days. */
  readonly cardBillingPostcodes7d: number | undefined;
}
