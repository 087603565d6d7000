import { HELD_MESSAGE } from "../../src/in-host.ts";
import type { Context, Id, Order, Services } from "./core.ts";
import { readMarks } from "./marks.ts";

/** States in which an order's goods are being packed, or have left. */
const LEAVING: ReadonlySet<string> = new Set(["Pending", "Shipped", "Delivered"]);

/** The common parts of Vendure's fulfillment handlers. */
interface Handler {
  createFulfillment(ctx: Context, orders: readonly Order[], ...rest: readonly unknown[]): Promise<unknown>;
}

/** A held order's goods don't ship, not even those of a fulfillment that was created before the hold. */
export function createFulfillmentGuard(services: () => Services) {
  return {
    async onTransitionStart(
      _from: string,
      to: string,
      { ctx, orders }: { readonly ctx: Context; readonly orders: readonly Order[] },
    ) {
      return LEAVING.has(to) && (await isAnyHeld(services(), ctx, orders)) ? HELD_MESSAGE : undefined;
    },
  };
}

/**
 * A fulfillment handler that refuses held orders. If only the transition were refused, Vendure would keep the
 * fulfillment and its goods, so this refuses before a fulfillment is created.
 */
export function guardHandler(handler: object, services: () => Services): object {
  const guarded = Object.create(handler) as Handler;
  guarded.createFulfillment = async (ctx, orders, ...rest) => {
    if (await isAnyHeld(services(), ctx, orders)) throw new Error(HELD_MESSAGE);
    return (handler as Handler).createFulfillment(ctx, orders, ...rest);
  };
  return guarded;
}

async function isAnyHeld(services: Services, ctx: Context, orders: readonly Order[]): Promise<boolean> {
  for (const { id } of orders) if (await isHeld(services.repository(ctx), id)) return true;
  return false;
}

/**
 * Read the order now: the one that was passed in may have been loaded before its hold. The hold of a whole order counts
 * for its sellers' parts.
 */
async function isHeld(repository: ReturnType<Services["repository"]>, id: Id): Promise<boolean> {
  const [order] = await repository.find({ where: { id } });
  const whole = order?.aggregateOrderId ?? null;
  return (
    readMarks(order?.customFields).hold !== null || (whole !== null && (await isHeld(repository, whole)))
  );
}
