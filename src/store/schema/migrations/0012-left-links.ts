import { sql } from "kysely";
import type { Migration } from "../migration.ts";

/** Finds digests that a process of an earlier release left when it erased an order's content. Next to none has any. */
export const leftLinksMigration: Migration = {
  version: 12,
  name: "left-links",
  async up(db) {
    await sql`create index orders_left_links on orders (received_at) where erased_at is not null
      and coalesce(link_mailbox, link_network, link_card, link_phone, link_address) is not null`.execute(db);
  },
};
