import { sql, type Selectable, type SqlBool } from "kysely";
import { readPlacedAtMs } from "../../platform/mapped-order.ts";
import { toKnownNow, type MappedOrder, type TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import { IS_LIVE } from "../schema/effects-column.ts";
import type { Database, Schema } from "../schema/schema.ts";
import type { PaymentInfo } from "../../order/request.ts";
import type { Place, Sealer } from "../sealing/sealing.ts";
import type { TimeWindow } from "../slices.ts";
import { deleteRows, findRow, forChunks, ofOrder, selectRows, upsert, type OrderKey } from "../statements.ts";
import type { OrderRecord } from "../orders/order-record.ts";
import { lockOrder } from "./lock-order.ts";

/** What a later dispute of the same card needs of an order. Personal, so it is sealed. */
export interface KeptContent {
  readonly name: string;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly items: readonly string[];
  readonly ip?: string | undefined;
  readonly email?: string | undefined;
  /** The shipping address, in one line. */
  readonly address?: string | undefined;
  readonly brand?: string | undefined;
}

export interface KeptOrder {
  readonly orderId: string;
  readonly placedAtMs: number;
  /** Whether a bank disputed it since. */
  readonly isDisputed: boolean;
  readonly content: KeptContent;
}

/** Whose kept orders a request is about. */
interface KeptOwner {
  readonly tenant: TenantId;
  readonly orderIds: readonly string[];
  readonly customerId: string | undefined;
  readonly email: string | undefined;
}

/** Orders kept for the disputes of later ones, in shops that opted in. */
export interface KeptOrderStore {
  /** The shop's own orders with a card, received in a window, that aren't kept yet and weren't canceled, oldest first. */
  findUnkept(
    tenant: TenantId,
    window: TimeWindow & { readonly limit: number },
  ): Promise<readonly { readonly orderId: string; readonly receivedAtMs: number }[]>;
  /**
   * Keep an order's content. Does nothing if it lacks its IP address, its address or its card, was placed before
   * `keptFromMs`, was imported, canceled or erased.
   */
  keepOrder(order: OrderRecord, keptFromMs: number): Promise<void>;
  /** Kept orders with the same card as an order, without that one, also once the order's content was erased. */
  findKept(key: OrderKey, window: TimeWindow): Promise<readonly KeptOrder[]>;
  /** A customer's kept orders, for a data request. */
  findKeptOf(owner: KeptOwner): Promise<readonly KeptOrder[]>;
  /** Delete a tenant's kept orders that were placed before `beforeMs`. Default: all. */
  dropKept(tenant: TenantId, beforeMs?: number): Promise<number>;
  /** Delete one: it was canceled. */
  dropKeptOrder(key: OrderKey): Promise<void>;
}

/** Null if the order can't match a later one: without an IP address, or with neither an address nor an email address. */
export function toKeptContent(
  order: Pick<OrderRecord, "name" | "amount" | "currency" | "mapped">,
): KeptContent | null {
  const { mapped, name, amount, currency } = order;
  if (mapped === null || mapped.test) return null;
  const known = toKnownNow(mapped);
  const { ipAddress: ip, customerEmail: email, paymentInfo, items = [] } = known;
  const address = toAddressLine(mapped);
  if (ip === undefined || (address ?? email) === undefined || !isRecognizable(paymentInfo)) return null;
  const goods = items.map((item) => `${item.quantity} × ${item.name}`);
  return { name, amount, currency, items: goods, ip, email, address, brand: paymentInfo.brand };
}

/** Without all four, many cards are alike. */
function isRecognizable(card: PaymentInfo | undefined): card is PaymentInfo {
  const { brand, lastFourDigits, expiry, holderName } = card ?? {};
  return [brand, lastFourDigits, expiry, holderName].every(
    (part) => part !== undefined && part.trim() !== "",
  );
}

/** By the shop's clock, but never after it was received. */
function toPlacedAtMs({ mapped, receivedAtMs }: OrderRecord): number {
  const placedAtMs = mapped === null ? undefined : readPlacedAtMs(mapped);
  return Math.min(placedAtMs ?? receivedAtMs, receivedAtMs);
}

/** A copy of the billing address, which stands in for a missing one, isn't where the order went. */
function toAddressLine(mapped: MappedOrder): string | undefined {
  const standIns = new Set<string>(mapped.standIns);
  const address = toKnownNow(mapped).shippingAddress;
  if (address === undefined || standIns.has("shippingAddress")) return undefined;
  const parts = (["street", "city", "state", "postalCode", "country"] as const).filter(
    (part) => !standIns.has(`shippingAddress.${part}`) && address[part] !== undefined,
  );
  return address.street === undefined ? undefined : parts.map((part) => address[part]).join(", ");
}

type KeptRow = Selectable<Schema["kept_orders"]>;

export function createKeptOrders(context: StoreContext): KeptOrderStore {
  const { engine, sealer } = context;
  return {
    async findUnkept(tenant, { sinceMs, untilMs, limit }) {
      const query = sql<{ orderId: string; receivedAtMs: number }>`
        select order_id as "orderId", received_at as "receivedAtMs" from orders
        where tenant = ${tenant} and received_at >= ${sinceMs} and received_at < ${untilMs}
          and mapped is not null and link_card is not null and ${IS_LIVE} and ${IS_SOLD}
          and not exists (select 1 from kept_orders
            where kept_orders.tenant = orders.tenant and kept_orders.order_id = orders.order_id)
        order by received_at, order_id limit ${limit}`;
      return (await engine.read((db) => query.execute(db))).rows;
    },

    async keepOrder(order, keptFromMs) {
      const content = toKeptContent(order);
      const placedAtMs = toPlacedAtMs(order);
      if (content === null || placedAtMs < keptFromMs) return;
      await engine.write((db) => keep(db, sealer, order, { content, placedAtMs }));
    },

    findKept: (key, { sinceMs, untilMs }) =>
      engine.read(async (db) => {
        const card = await findCard(db, key);
        if (card === null) return [];
        const isOther = sql<SqlBool>`placed_at >= ${sinceMs} and placed_at < ${untilMs} and order_id <> ${key.orderId}`;
        const rows = await selectRows(
          db,
          "kept_orders",
          { tenant: key.tenant, card },
          COLUMNS,
          isOther,
          NEWEST,
        );
        return toKeptOrders(sealer, key.tenant, rows);
      }),

    findKeptOf: (owner) =>
      engine.read(async (db) => {
        const { tenant } = owner;
        const found = [];
        for (const values of toOwners(sealer, owner))
          found.push(...(await selectRows(db, "kept_orders", { tenant, ...values }, COLUMNS)));
        const rows = [...new Map(found.map((row) => [row.order_id, row])).values()];
        return toKeptOrders(sealer, tenant, rows);
      }),

    dropKept: (tenant, beforeMs = Number.MAX_SAFE_INTEGER) =>
      engine.write((db) => deleteRows(db, "kept_orders", { tenant }, sql<SqlBool>`placed_at < ${beforeMs}`)),

    dropKeptOrder: (key) =>
      engine.write(async (db) => {
        await deleteRows(db, "kept_orders", ofOrder(key));
      }),
  };
}

/** An order that was decided before it ended shows that it was canceled only in its timeline. */
const IS_SOLD = sql<SqlBool>`coalesce(action, '') <> 'cancel' and coalesce(skip_reason, '') <> 'CANCELLED'
  and ended_at is null and not exists (
    select 1 from order_timeline where order_timeline.tenant = orders.tenant
      and order_timeline.order_id = orders.order_id and order_timeline.kind = 'cancelled-on-platform')`;

/** The card of an order. Its digest goes with the order's content, but stays where the order is kept. */
async function findCard(db: Database, key: OrderKey): Promise<string | null> {
  const order = await findRow(db, "orders", ofOrder(key), ["link_card"]);
  if (order === undefined || order.link_card !== null) return order?.link_card ?? null;
  return (await findRow(db, "kept_orders", ofOrder(key), ["card"]))?.card ?? null;
}

const COLUMNS = ["order_id", "placed_at", "disputed", "content"] as const;
/** More than anybody needs to find two. */
const NEWEST = sql`order by placed_at desc limit 100`;

/** In one transaction with the check whether it is erased, so that an erasure at the same time finds what is kept. */
async function keep(
  db: Database,
  sealer: Sealer,
  order: OrderRecord,
  { content, placedAtMs }: Pick<KeptOrder, "content" | "placedAtMs">,
): Promise<void> {
  const { tenant, orderId } = order;
  if (!(await lockOrder(db, order))) return;
  const columns = ["erased_at", "link_card", "customer_digest", "email_digest"] as const;
  // It may have been canceled since it was found.
  const row = await findRow(db, "orders", ofOrder(order), columns, sql<SqlBool>`${IS_LIVE} and ${IS_SOLD}`);
  if (row === undefined || row.erased_at !== null || row.link_card === null) return;
  const dispute = await findRow(db, "disputes", { tenant, order_id: orderId }, ["dispute_id"]);
  await upsert(db, "kept_orders", ofOrder(order), {
    placed_at: placedAtMs,
    card: row.link_card,
    customer_digest: row.customer_digest,
    email_digest: row.email_digest,
    disputed: dispute === undefined ? 0 : 1,
    content: sealer.sealJson(placeOf(order), content),
  });
}

function placeOf({ tenant, orderId }: OrderKey): Place {
  return { tenant, table: "kept_orders", column: "content", row: orderId };
}

/** Content that can't be decrypted is no evidence. */
function toKeptOrders(
  sealer: Sealer,
  tenant: TenantId,
  rows: readonly Pick<KeptRow, (typeof COLUMNS)[number]>[],
): readonly KeptOrder[] {
  return rows.flatMap(({ order_id: orderId, placed_at: placedAtMs, disputed, content: sealed }) => {
    const content = sealer.tryJson(placeOf({ tenant, orderId }), sealed) as KeptContent | undefined;
    return content === undefined ? [] : [{ orderId, placedAtMs, isDisputed: disputed === 1, content }];
  });
}

function toOwners(sealer: Sealer, { tenant, orderIds, customerId, email }: KeptOwner) {
  return [
    ...(orderIds.length === 0 ? [] : [{ order_id: orderIds }]),
    ...(customerId === undefined ? [] : [{ customer_digest: sealer.customerDigest(tenant, customerId) }]),
    ...(email === undefined ? [] : [{ email_digest: sealer.emailDigest(tenant, email) }]),
  ];
}

/** Delete a customer's kept orders, within the transaction of an erasure. */
export async function eraseKept(db: Database, sealer: Sealer, owner: KeptOwner): Promise<void> {
  const { tenant } = owner;
  await forChunks(owner.orderIds, (ids) => deleteRows(db, "kept_orders", { tenant, order_id: ids }));
  for (const values of toOwners(sealer, { ...owner, orderIds: [] }))
    await deleteRows(db, "kept_orders", { tenant, ...values });
}
