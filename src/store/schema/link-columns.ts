import type { LinkKind } from "../../order/link-kinds.ts";
import type { OrderRow } from "./schema.ts";

/** The columns of the digests that orders of one buyer share. */
export const LINK_COLUMNS = {
  mailbox: "link_mailbox",
  network: "link_network",
  card: "link_card",
  phone: "link_phone",
  address: "link_address",
} as const satisfies Record<LinkKind, keyof OrderRow>;
