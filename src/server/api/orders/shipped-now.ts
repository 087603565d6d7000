import type { PersonAct } from "../../../order/decision.ts";
import { toOrderEnd } from "../../../pipeline/order-life/order-end.ts";
import type { ObservedOrder } from "../../../platform/platform.ts";
import type { OrderRecord, Store } from "../../../store/store.ts";
import type { ServerParts } from "../../parts/server-parts.ts";

type Parts = Pick<ServerParts, "platforms" | "logger"> & { readonly store: Pick<Store, "orders"> };

/** Somebody is waiting for the response. */
const LOOK_MS = 5_000;

/**
 * Whether the platform says that the order has shipped, if that matters: a webhook may be on its way, and a shipment that
 * is recorded may have been canceled since. Undefined if the platform doesn't say.
 */
export async function hasShippedNow(
  parts: Parts,
  act: PersonAct,
  order: OrderRecord,
): Promise<boolean | undefined> {
  const matters = act === "handle" || (act === "decline" && (await isRecorded(parts, order)));
  return matters ? look(parts, order) : undefined;
}

async function isRecorded({ store }: Parts, order: OrderRecord): Promise<boolean> {
  const steps = await store.orders.listSteps(order);
  return toOrderEnd({ order, steps, timeline: await store.orders.listTimeline(order) }) === "shipped";
}

async function look(
  { platforms, logger }: Parts,
  { tenant, platform: name, orderId }: OrderRecord,
): Promise<boolean | undefined> {
  const platform = platforms.find((one) => one.name === name);
  try {
    const seen = await platform?.observe(tenant, orderId, { signal: AbortSignal.timeout(LOOK_MS) });
    return seen === undefined || seen === null || seen === "hidden" ? undefined : toShipped(seen);
  } catch (error) {
    // What is recorded counts then.
    logger.warn(
      { err: error, tenant, orderId },
      "the platform couldn't be asked whether an order has shipped",
    );
    return undefined;
  }
}

function toShipped({ fulfilled, partlyFulfilled, cancelled, hidden }: ObservedOrder): boolean | undefined {
  if (fulfilled) return true;
  return partlyFulfilled || cancelled || hidden === true ? undefined : false;
}
