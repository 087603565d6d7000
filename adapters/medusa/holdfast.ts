import { resolve, sep } from "node:path";
import {
  createCheckMemory,
  HELD_MESSAGE,
  startDeadline,
  startInHost,
  toCheckoutMarks,
  UNCHECKED,
  type CheckoutCheck,
  type InHost,
  type InHostOptions,
} from "../../src/in-host.ts";
import {
  assertDeadline,
  checkOptions,
  toConfigError,
  type OptionRules,
  type PlatformOrder,
} from "../../src/adapter-kit.ts";
import { mapCart, mapOrder, toContent } from "./order.ts";
import { findServices, type Container, type Row, type Services } from "./services.ts";
import { findOrder, readMarks, toShop, toShopOrder, writeMarks } from "./shop.ts";

/** Options of {@link createHoldfast}. */
export interface MedusaHoldfastOptions extends Pick<InHostOptions, "settings" | "logger"> {
  /**
   * How long a check may take, in milliseconds. After that, the local engine decides, and a late answer is applied
   * later.
   *
   * @default 2500
   */
  readonly deadlineMs?: number | undefined;
  /**
   * Refuse the cart that your policy cancels. With `false` the order is placed, and then canceled and refunded.
   *
   * @default true
   */
  readonly refuse?: boolean | undefined;
  /** The text that a refused customer sees. @default "We can't accept this order. Please contact us." */
  readonly refusal?: string | undefined;
}

/** Holdfast for a Medusa shop: functions to call from the shop's own hooks, subscriber and job. */
export type MedusaHoldfast = ReturnType<typeof createHoldfast>;

/** Medusa's events that Holdfast follows. */
export const ORDER_EVENTS = [
  "order.placed",
  "order.updated",
  "order.canceled",
  "order.completed",
  "order.fulfillment_created",
  "order-edit.confirmed",
] as const;

interface Identified {
  readonly id: string;
}

interface CreatedOrder {
  readonly order_id: string;
  readonly cart_id?: string | undefined;
}

const OPTIONS: OptionRules<MedusaHoldfastOptions> = {
  settings: { is: "object", isRequired: true },
  logger: "logger",
  deadlineMs: true,
  refuse: true,
  refusal: true,
};
const DEADLINE_MS = 2_500;
const REFUSAL = "We can't accept this order. Please contact us.";

/**
 * Create {@link MedusaHoldfast}. It starts nothing until you call one of its functions.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a wrong option, or a database in `.medusa`.
 */
export function createHoldfast(given: MedusaHoldfastOptions) {
  const options = checkOptions("createHoldfast", given, OPTIONS);
  assertOutsideBuild(options.settings);
  const { logger, deadlineMs = DEADLINE_MS, refuse = true, refusal = REFUSAL } = options;
  assertDeadline(deadlineMs);
  const { open, current } = createStarter(options);

  const memory = createCheckMemory();

  async function check(
    services: Services,
    map: () => PlatformOrder,
    earlier?: CheckoutCheck,
  ): Promise<CheckoutCheck> {
    try {
      // The first check starts Holdfast, and that time counts too.
      const deadline = startDeadline(deadlineMs);
      const holdfast = await deadline.within(open(services));
      return await holdfast.check(map(), { deadlineMs: deadline.restMs(), earlier });
    } catch (error) {
      // Without a logger here, Holdfast hasn't started, and the job says why.
      (current()?.logger ?? logger)?.error(
        { err: error },
        "an order couldn't be checked; it stays on hold until it is",
      );
      return UNCHECKED;
    }
  }

  return {
    /** Call it from a job that runs every minute: starts Holdfast in this process, once. */
    async start(container: Container) {
      await open(findServices(container));
    },
    /** Call it from `completeCartWorkflow.hooks.validate`: throws `not_allowed` for a cart that your policy cancels. */
    async validateCart({ cart }: { readonly cart: unknown }, container: Container) {
      // Medusa answers a repeated request with the existing order.
      if (((cart as Row)["completed_at"] ?? null) !== null) return;
      const checked = await check(findServices(container), () => mapCart(cart));
      memory.keep((cart as { readonly id: string }).id, checked);
      const { action } = checked;
      if (refuse && action === "cancel") throw notAllowed(refusal);
    },
    /**
     * Call it from `completeCartWorkflow.hooks.orderCreated`: writes the check to the order, and holds the order if
     * necessary.
     */
    async orderCreated({ order_id: orderId, cart_id: cartId = "" }: CreatedOrder, container: Container) {
      const services = findServices(container);
      const order = await findOrder(services, orderId);
      if (order === null) throw new TypeError("the order no longer exists");
      const checked = await check(services, () => mapOrder(toContent(order)), memory.take(cartId));
      // All of them, to replace whatever a customer wrote to the cart's metadata.
      await writeMarks(services, orderId, { ...toCheckoutMarks(checked), tags: [] });
    },
    /** Call it from `createOrderFulfillmentWorkflow.hooks.fulfillmentCreated`: throws `not_allowed` for a held order. */
    assertNotHeld: ({ fulfillment }: { readonly fulfillment: Identified }, container: Container) =>
      assertFulfillable(fulfillment.id, container),
    /**
     * Call it from `createOrderShipmentWorkflow.hooks.shipmentCreated`: throws `not_allowed` for a held order whose fulfillment
     * was made before the hold. In Medusa, a shipment is a fulfillment marked as shipped.
     */
    assertNotHeldShipment: ({ shipment }: { readonly shipment: Identified }, container: Container) =>
      assertFulfillable(shipment.id, container),
    /** Call it from a subscriber to {@link ORDER_EVENTS}. */
    async follow({ name, data }: { readonly name: string; readonly data: object }, container: Container) {
      const services = findServices(container);
      const { id, order_id: orderId = id } = data as { id?: string; order_id?: string };
      const order = orderId === undefined ? null : await findOrder(services, orderId);
      if (order === null) return;
      const topic = name === "order.placed" ? "order" : "order-changed";
      await (await open(services)).report(topic, toShopOrder(order));
    },
    /** Where the console is served; null before `start`. */
    consoleUrl: () => current()?.url ?? null,
    /** Finish or release running work. */
    async stop() {
      await current()?.stop();
    },
  };
}

async function assertFulfillable(fulfillmentId: string, container: Container): Promise<void> {
  const { data } = await findServices(container).query.graph({
    entity: "fulfillment",
    fields: ["order.id", "order.metadata"],
    filters: { id: fulfillmentId },
  });
  const order = data[0]?.["order"] as Row | null | undefined;
  // It isn't known whether the order is held, so the shipment is refused.
  if (order === null || order === undefined) throw new TypeError("the fulfillment's order wasn't found");
  if (readMarks(order["metadata"]).hold !== null) throw notAllowed(HELD_MESSAGE);
}

/** A built shop runs in `.medusa/server`, which `medusa build` deletes: a database there would go with its key. */
function assertOutsideBuild({
  DATABASE_URL = "sqlite:./data/holdfast.db",
}: MedusaHoldfastOptions["settings"]): void {
  const path = /^sqlite:(?!:memory:)(.+)$/s.exec(DATABASE_URL)?.[1];
  if (path === undefined || !resolve(path).split(sep).includes(".medusa")) return;
  const message =
    "settings.DATABASE_URL: the database would be in .medusa, which `medusa build` deletes. Give an absolute path outside of it, such as sqlite:/srv/shop/holdfast.db";
  throw toConfigError(message);
}

/** Starts Holdfast with the first call that passes the shop's services. */
function createStarter({ settings, logger }: MedusaHoldfastOptions) {
  let starting: Promise<InHost> | undefined;
  let started: InHost | undefined;
  return {
    current: () => started,
    open: async (services: Services): Promise<InHost> => {
      starting ??= startInHost({ shop: toShop(services), settings, logger });
      try {
        return (started = await starting);
      } catch (error) {
        // The next call tries again.
        starting = undefined;
        throw error;
      }
    },
  };
}

/** An error that Medusa answers with 400, because of these properties. */
function notAllowed(message: string): Error {
  return Object.assign(new Error(message), { type: "not_allowed", __isMedusaError: true });
}
