import type { Types } from "./column-types.ts";

/** An address that an order used, kept longer than the order's content in shops that opted in. */
export interface KeptAddressColumns {
  placed_at: number;
  customer_digest: string | null;
  email_digest: string | null;
  link_card: string | null;
  link_address: string | null;
  /** Sealed JSON. */
  content: Uint8Array;
}

/** At which address a later order's buyer can be asked. It goes with its order. */
export function createKeptAddresses({ text, bytes }: Types): readonly string[] {
  return [
    `create table kept_addresses (
      tenant ${text} not null, order_id ${text} not null, placed_at bigint not null, customer_digest ${text},
      email_digest ${text}, link_card ${text}, link_address ${text}, content ${bytes} not null,
      constraint kept_addresses_key primary key (tenant, order_id))`,
    `create index kept_addresses_customer on kept_addresses (tenant, customer_digest, placed_at)
      where customer_digest is not null`,
    `create index kept_addresses_email on kept_addresses (tenant, email_digest, placed_at)
      where email_digest is not null`,
  ];
}
