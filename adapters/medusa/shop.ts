import {
  NO_MARKS,
  SHOP_HOLDS,
  type HostShop,
  type ShopMarks,
  type ShopOrder,
} from "../../src/adapter-kit.ts";
import { mapOrder, ORDER_FIELDS, toContent } from "./order.ts";
import { findServices, type Container, type Row, type Services } from "./services.ts";

/** Holdfast's place in an order's metadata, which customers can't read. */
const KEY = "holdfast";

/**
 * A Medusa shop with the methods that Holdfast calls, for `createHostPlatform`.
 *
 * @param container Medusa's container, as hooks, subscribers and jobs get it.
 */
export function createMedusaShop(container: Container): HostShop {
  return toShop(findServices(container));
}

export function toShop(services: Services): HostShop {
  const { query, workflows } = services;
  const find = (orderId: string) => findOrder(services, orderId);
  return {
    name: "medusa",
    map: mapOrder,
    async read(orderId) {
      const order = await find(orderId);
      return order === null ? null : toShopOrder(order);
    },
    async list({ sinceMs, untilMs = Date.now(), offset, limit }) {
      const { data } = await query.graph({
        entity: "order",
        fields: [...ORDER_FIELDS],
        filters: { created_at: { $gte: new Date(sinceMs), $lte: new Date(untilMs) }, is_draft_order: false },
        pagination: { skip: offset, take: limit, order: { created_at: "ASC", id: "ASC" } },
      });
      return data.map(toShopOrder);
    },
    mark: (orderId, marks) => writeMarks(services, orderId, marks),
    // Cancels authorized payments and refunds captured ones, whatever the policy says about refunds.
    async cancel(orderId) {
      const order = await find(orderId);
      if (order === null) return { outcome: "impossible", reason: "order-not-found" };
      if (order["status"] === "completed") return { outcome: "impossible", reason: "order-completed" };
      if (isBeingFulfilled(order)) return { outcome: "impossible", reason: "fulfillment-to-cancel-first" };
      await workflows.run("cancel-order", { input: { order_id: orderId } });
      return { outcome: "done", detail: "canceled in Medusa" };
    },
    async capture(orderId) {
      const order = await find(orderId);
      if (order === null) return { outcome: "impossible", reason: "order-not-found" };
      const open = listPayments(order).filter((payment) => isOpen(payment));
      if (open.length === 0) return { outcome: "moot", reason: "nothing-to-capture" };
      for (const { id } of open)
        await workflows.run("capture-payment-workflow", { input: { payment_id: id } });
      return { outcome: "done", detail: "captured in Medusa" };
    },
    async countOtherOrders({ orderId, customerId }) {
      if (customerId === undefined) return null;
      const { metadata } = await query.graph({
        entity: "order",
        fields: ["id"],
        filters: { customer_id: customerId, id: { $ne: orderId }, is_draft_order: false },
        pagination: { skip: 0, take: 1 },
      });
      return metadata?.count ?? null;
    },
  };
}

export async function findOrder({ query }: Services, orderId: string): Promise<Row | null> {
  const { data } = await query.graph({
    entity: "order",
    fields: [...ORDER_FIELDS],
    filters: { id: orderId },
  });
  return data[0] ?? null;
}

/**
 * In one statement, because Medusa's own services write all of the metadata: whatever the shop writes to it between our read
 * and our write would be lost.
 */
const ADD_MARKS = `
  update "order" set updated_at = now(), metadata =
    case jsonb_typeof(metadata) when 'object' then metadata else '{}' end || jsonb_build_object('${KEY}',
      case jsonb_typeof(metadata -> '${KEY}') when 'object' then metadata -> '${KEY}' else '{}' end || cast(? as jsonb))
  where id = ?`;

/** Write marks to the order's metadata, and keep everything else in it. */
export async function writeMarks({ connection }: Services, orderId: string, marks: Partial<ShopMarks>) {
  await connection.raw(ADD_MARKS, [JSON.stringify(marks), orderId]);
}

export function readMarks(metadata: unknown): ShopMarks {
  const marks = ((metadata ?? {}) as Row)[KEY];
  if (typeof marks !== "object" || marks === null) return NO_MARKS;
  const { riskLevel, action, checkId, hold, tags } = marks as Partial<ShopMarks>;
  return {
    riskLevel: riskLevel ?? null,
    action: action ?? null,
    checkId: checkId ?? null,
    hold: SHOP_HOLDS.find((one) => one === hold) ?? null,
    tags: tags ?? [],
  };
}

export function toShopOrder(order: Row): ShopOrder {
  const items = ((order["items"] ?? []) as readonly Row[]).map((item) => (item["detail"] ?? {}) as Row);
  const shipped = items.map(({ quantity, shipped_quantity: gone }) => [
    Number(gone ?? 0),
    Number(quantity ?? 0),
  ]);
  const isAll = shipped.length > 0 && shipped.every(([gone = 0, quantity = 0]) => gone >= quantity);
  return {
    orderId: String(order["id"]),
    content: toContent(order),
    cancelled: order["status"] === "canceled",
    fulfilled: isAll,
    partlyFulfilled: !isAll && shipped.some(([gone = 0]) => gone > 0),
    marks: readMarks(order["metadata"]),
  };
}

function isBeingFulfilled(order: Row): boolean {
  const fulfillments = (order["fulfillments"] ?? []) as readonly (Row | null)[];
  return fulfillments.some((one) => one !== null && (one["canceled_at"] ?? null) === null);
}

function listPayments(order: Row): readonly Row[] {
  const collections = (order["payment_collections"] ?? []) as readonly Row[];
  return collections.flatMap(({ payments }) => (payments ?? []) as readonly Row[]);
}

function isOpen({ canceled_at: canceledAt, captures }: Row): boolean {
  return (canceledAt ?? null) === null && ((captures ?? []) as readonly Row[]).length === 0;
}
