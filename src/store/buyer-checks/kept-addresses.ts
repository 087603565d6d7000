import { sql, type SqlBool } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { OrderRecord } from "../orders/order-record.ts";
import { lockOrder } from "../outcomes/lock-order.ts";
import { IS_REAL } from "../schema/effects-column.ts";
import type { Database } from "../schema/schema.ts";
import type { Place, Sealer } from "../sealing/sealing.ts";
import type { TimeWindow } from "../slices.ts";
import { deleteRows, findRow, forChunks, ofOrder, selectRows, upsert, type OrderKey } from "../statements.ts";

/** How an order's buyer could be reached. Personal, so it's sealed. */
export interface KeptAddress {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

/** A kept address, for a data request. */
export interface AddressOfOrder extends KeptAddress {
  readonly orderId: string;
  readonly placedAtMs: number;
}

/** Whose kept addresses a request is about. */
interface AddressOwner {
  readonly tenant: TenantId;
  readonly orderIds: readonly string[];
  readonly customerId?: string | undefined;
  readonly email?: string | undefined;
}

/** Addresses of orders that went well, kept longer than their content in shops that opted in, and as long as the orders. */
export interface KeptAddressStore {
  /** Orders received in a window that passed and whose address isn't kept yet, oldest first. */
  findUnkeptAddresses(
    tenant: TenantId,
    window: TimeWindow & { readonly limit: number },
  ): Promise<readonly { readonly orderId: string; readonly receivedAtMs: number }[]>;
  /** Keep an order's address. Does nothing if the order is gone, or its content was erased. */
  keepAddress(order: OrderRecord, kept: KeptAddress & { readonly placedAtMs: number }): Promise<void>;
  /** A customer's kept addresses. */
  findAddressesOf(owner: AddressOwner): Promise<readonly AddressOfOrder[]>;
  /** Delete all of a tenant. */
  dropAddresses(tenant: TenantId): Promise<void>;
}

/** Nobody stopped it, and no bank disputes it. */
export const IS_PASSED = sql<SqlBool>`orders.state = 'settled' and orders.action in ('allow', 'tag')
  and orders.skip_reason is null and ${IS_REAL} and not exists (
    select 1 from disputes where disputes.tenant = orders.tenant and disputes.order_id = orders.order_id)`;

export function createKeptAddresses({ engine, sealer }: StoreContext): KeptAddressStore {
  return {
    async findUnkeptAddresses(tenant, { sinceMs, untilMs, limit }) {
      const query = sql<{ orderId: string; receivedAtMs: number }>`
        select order_id as "orderId", received_at as "receivedAtMs" from orders
        where tenant = ${tenant} and received_at >= ${sinceMs} and received_at < ${untilMs}
          and mapped is not null and ${IS_PASSED}
          and not exists (select 1 from kept_addresses
            where kept_addresses.tenant = orders.tenant and kept_addresses.order_id = orders.order_id)
        order by received_at, order_id limit ${limit}`;
      return (await engine.read((db) => query.execute(db))).rows;
    },

    async keepAddress(order, { placedAtMs, ...address }) {
      // In one transaction with the check whether it's erased, so that an erasure at the same time finds what is kept.
      await engine.write(async (db) => {
        if (!(await lockOrder(db, order))) return;
        const columns = ["customer_digest", "email_digest", "link_card", "link_address"] as const;
        const row = await findRow(db, "orders", ofOrder(order), columns, sql<SqlBool>`erased_at is null`);
        if (row === undefined) return;
        const content = sealer.sealJson(placeOfAddress(order), address);
        await upsert(db, "kept_addresses", ofOrder(order), { ...row, placed_at: placedAtMs, content });
      });
    },

    findAddressesOf: (owner) =>
      engine.read(async (db) => {
        const { tenant } = owner;
        const found = [];
        for (const values of toOwners(sealer, owner))
          found.push(...(await selectRows(db, "kept_addresses", { tenant, ...values }, COLUMNS)));
        const rows = [...new Map(found.map((row) => [row.order_id, row])).values()];
        return rows.flatMap(({ order_id: orderId, placed_at: placedAtMs, content }) => {
          const address = openAddress(sealer, { tenant, orderId }, content);
          return address === undefined ? [] : [{ orderId, placedAtMs, ...address }];
        });
      }),

    dropAddresses: async (tenant) => {
      await engine.write((db) => deleteRows(db, "kept_addresses", { tenant }));
    },
  };
}

const COLUMNS = ["order_id", "placed_at", "content"] as const;

/** Undefined if it can't be decrypted. */
export function openAddress(sealer: Sealer, key: OrderKey, content: Uint8Array): KeptAddress | undefined {
  return sealer.tryJson(placeOfAddress(key), content) as KeptAddress | undefined;
}

function placeOfAddress({ tenant, orderId }: OrderKey): Place {
  return { tenant, table: "kept_addresses", column: "content", row: orderId };
}

function toOwners(sealer: Sealer, { tenant, orderIds, customerId, email }: AddressOwner) {
  return [
    ...(orderIds.length === 0 ? [] : [{ order_id: orderIds }]),
    ...(customerId === undefined ? [] : [{ customer_digest: sealer.customerDigest(tenant, customerId) }]),
    ...(email === undefined ? [] : [{ email_digest: sealer.emailDigest(tenant, email) }]),
  ];
}

/** Delete a customer's kept addresses, within the transaction of an erasure. */
export async function eraseAddresses(db: Database, sealer: Sealer, owner: AddressOwner): Promise<void> {
  const { tenant } = owner;
  await forChunks(owner.orderIds, (ids) => deleteRows(db, "kept_addresses", { tenant, order_id: ids }));
  for (const values of toOwners(sealer, { ...owner, orderIds: [] }))
    await deleteRows(db, "kept_addresses", { tenant, ...values });
}
