/** What orders of one buyer share, by which they are linked. */
export const LINK_KINDS = ["mailbox", "network", "card", "phone", "address"] as const;
export type LinkKind = (typeof LINK_KINDS)[number];
