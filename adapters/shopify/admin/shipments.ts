import type { Platform } from "../../../src/adapter-kit.ts";
import { toOrderGid, toTimestamp } from "../base/payload.ts";
import { toUnsentUnits } from "../base/unsent-units.ts";
import { requireWhole } from "./admin-answer.ts";
import type { AdminClient } from "./admin-client.ts";
import { askShop } from "./ask.ts";

/** Fulfillments that didn't happen. */
const NOT_SENT: ReadonlySet<string> = new Set(["CANCELLED", "ERROR", "FAILURE"]);

/** As many as the query reads. */
const MOST_FULFILLMENTS = 20;

/** How an order was sent, from its fulfillments. */
export function createReadShipments(client: AdminClient): NonNullable<Platform["readShipments"]> {
  return async (tenant, orderId, { signal } = {}) => {
    const id = toOrderGid(orderId);
    if (id === undefined) return null;
    const { order } = requireWhole(await askShop(client, tenant, signal)("OrderShipments", { id })).data;
    if (order === null) return null;
    const { nodes: lines, pageInfo } = order.lineItems;
    const unsentUnits = lines.reduce((sum, line) => sum + toUnsentUnits(line), 0);
    const shipments = order.fulfillments
      .filter(({ status }) => !NOT_SENT.has(status))
      .map(({ createdAt, deliveredAt, trackingInfo }) => ({
        sentAtMs: toTimestamp(createdAt)?.ms ?? null,
        deliveredAtMs: toTimestamp(deliveredAt)?.ms ?? null,
        carrier: trackingInfo.map(({ company }) => company).find((name) => name !== null) ?? null,
        trackingNumbers: trackingInfo.flatMap(({ number }) => number ?? []),
      }));
    return {
      shipments,
      hasMore: order.fulfillments.length >= MOST_FULFILLMENTS,
      unsentUnits: pageInfo.hasNextPage ? null : unsentUnits,
    };
  };
}
