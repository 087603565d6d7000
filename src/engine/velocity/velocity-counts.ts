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
  /** The larger of the two, home and work counted as one: two postcodes, to each of which an order was billed that shows nothing odd. */
  readonly billingPlaces7d?: number | undefined;
  /**
   * As {@link ipEmails24h}, without the people that a shared network explains: relatives and colleagues of this customer, and
   * one stranger for each person whose order agrees with a history of their own. Whether the network is shared, the last week
   * tells, too. Customers without a history count in full up to six in the last hour, and every three beyond that as one.
   * Where this isn't known, the full count stands.
   */
  readonly ipStrangers24h?: number | undefined;
  /** As {@link cardEmails7d}, without those of three relatives and colleagues. */
  readonly cardStrangers7d?: number | undefined;
  /** As {@link addressEmails7d}, without the people that a shared address explains. */
  readonly addressStrangers7d?: number | undefined;
  /** Different cards of such strangers that paid for goods to this address in the last 7 days. Not known beside rows from before schema 14. */
  readonly addressCards7d?: number | undefined;
  /** Different addresses that this mailbox had orders sent to in the last 7 days. */
  readonly emailAddresses7d?: number | undefined;
  /** Different addresses that this card paid for goods to in the last 7 days. */
  readonly cardAddresses7d?: number | undefined;
  /** Different customer names that this mailbox gave in the last 7 days. */
  readonly emailNames7d?: number | undefined;
}

/** What orders of one buyer share, by which they are linked. */
export const LINK_KINDS = ["mailbox", "network", "card", "phone", "address"] as const;
/** What orders of one buyer share, by which they are linked. */
export type LinkKind = (typeof LINK_KINDS)[number];
