import { createHash } from "node:crypto";
import { z } from "zod";
import type { CurrentPolicy } from "../../pipeline/decide/order-decision.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { OrderKey, OrderRecord } from "../../store/store.ts";
import type { ApiSession } from "./api-route.ts";
import { orderActionsJson, toOrderActionsJson } from "./describe-actions.ts";
import { orderContentJson, toOrderContentJson } from "./order-content-json.ts";
import { orderDetailJson, toOrderDetailJson } from "./order-json.ts";
import type { ServerParts } from "../server-parts.ts";

/** Everything the API shows of one order. */
export const fullOrderJson = orderDetailJson.extend({
  ...orderContentJson.shape,
  actions: orderActionsJson,
  version: z.string().describe("changes whenever the order's content changes; same as the ETag"),
});
/** Everything the API shows of one order. */
export type FullOrderJson = z.infer<typeof fullOrderJson>;

/** Parts of {@link readFullOrder}. */
export interface OrderDetailParts extends Pick<ServerParts, "store" | "now" | "accesses"> {
  readonly policyOf: (tenant: TenantId) => Promise<CurrentPolicy>;
}

/** Read everything about an order for display; null when there is none. */
export async function readFullOrder(
  parts: OrderDetailParts,
  session: Pick<ApiSession, "actor">,
  order: OrderRecord,
): Promise<FullOrderJson> {
  const { store, now } = parts;
  const key: OrderKey = order;
  const [timeline, steps, changes, calls, { policy, version: policyVersion }, access] = await Promise.all([
    store.listTimeline(key),
    store.listSteps(key),
    store.listChanges(key),
    store.listCalls(key),
    parts.policyOf(order.tenant),
    parts.accesses.of(order.tenant),
  ]);
  const shown = {
    ...toOrderDetailJson(order, timeline, steps, changes),
    ...toOrderContentJson(order, calls, timeline),
    actions: toOrderActionsJson(
      { order, steps, timeline },
      { policy, policyVersion, actor: session.actor, hasService: access !== null, nowMs: now() },
    ),
  };
  return { ...shown, version: toVersion(shown) };
}

function toVersion(shown: Omit<FullOrderJson, "version">): string {
  return createHash("sha256").update(JSON.stringify(shown)).digest("base64url").slice(0, 22);
}
