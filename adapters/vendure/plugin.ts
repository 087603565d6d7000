import { createCheckMemory, startInHost, type InHostOptions } from "../../src/in-host.ts";
import { assertDeadline, checkOptions, type CardCodes, type OptionRules } from "../../src/adapter-kit.ts";
import {
  createEligibilityCheck,
  createOrderProcess,
  toNetwork,
  type Checkout,
  type CheckoutOptions,
} from "./checkout.ts";
import {
  CORE,
  findServices,
  type Context,
  type Injector,
  type Order,
  type Services,
  type VendureCore,
} from "./core.ts";
import { createFulfillmentGuard, guardHandler } from "./fulfillment.ts";
import { ORDER_FIELDS } from "./marks.ts";
import { isPart } from "./order.ts";
import { toShop, toShopOrder } from "./shop.ts";

/** Options of {@link createHoldfastPlugin}. */
export interface HoldfastPluginOptions extends CheckoutOptions, Pick<InHostOptions, "settings" | "logger"> {
  /** Shows codes to the holders of cards: `createStripeCardCodes` of `holdfast/stripe`. @default none are shown */
  readonly cardCodes?: CardCodes | undefined;
}

/** Holdfast for a Vendure shop. */
export interface HoldfastPlugin {
  /** Add it to `plugins` in your `VendureConfig`. */
  readonly plugin: new () => object;
  /** Where the console is served; null until the server has started, and in the worker. */
  consoleUrl(): URL | null;
}

const OPTIONS: OptionRules<HoldfastPluginOptions> = {
  settings: { is: "object", isRequired: true },
  logger: "logger",
  precision: true,
  deadlineMs: true,
  refuse: true,
  refusal: true,
  cardCodes: { is: ["find", "prepare", "show", "end"], expected: "the result of createStripeCardCodes" },
};

/** The code of the eligibility checker, as payment methods name it. */
export const CHECKER_CODE = "holdfast";

/**
 * Create the Vendure plugin. It checks orders as they're paid, refuses to fulfill held ones, and runs Holdfast's
 * pipeline and console in Vendure's server process.
 *
 * @param core `import * as core from "@vendure/core"`: your own, of Vendure 3.
 */
export function createHoldfastPlugin(core: VendureCore, given: HoldfastPluginOptions): HoldfastPlugin {
  const options = checkOptions("createHoldfastPlugin", given, OPTIONS);
  assertDeadline(options.deadlineMs);
  checkOptions("createHoldfastPlugin", { core }, { core: CORE });
  let services: Services | undefined;
  let checkout: Checkout | undefined;
  let end: (() => Promise<void>) | undefined;
  const ready = (): Checkout => {
    if (checkout === undefined) throw new TypeError("Holdfast runs in Vendure's server process only");
    return checkout;
  };

  const open = (): Services => {
    if (services === undefined) throw new TypeError("Vendure hasn't started");
    return services;
  };

  const orderProcess = {
    async init(injector: Injector) {
      services = findServices(core, injector);
      // The worker places no orders.
      if (!services.isServer) return;
      const { settings, logger, cardCodes } = options;
      const shop = { ...toShop(services, options), cardCodes };
      const holdfast = await startInHost({ shop, settings, logger });
      checkout = { services, holdfast, earlier: createCheckMemory() };
      const unfollow = follow(core, checkout);
      end = async () => {
        unfollow();
        await holdfast.stop();
      };
    },
    async destroy() {
      await end?.();
      end = undefined;
    },
    onTransitionStart: createOrderProcess(ready, options),
  };
  return {
    plugin: toPlugin(core, { orderProcess, checker: toChecker(core, ready, options), services: open }),
    consoleUrl: () => checkout?.holdfast.url ?? null,
  };
}

function toChecker(core: VendureCore, ready: () => Checkout, options: CheckoutOptions): object {
  const config = {
    code: CHECKER_CODE,
    description: [{ languageCode: "en", value: "Holdfast: refuse orders that your policy cancels" }],
    args: {},
    check: createEligibilityCheck(ready, options),
  };
  return new core.PaymentMethodEligibilityChecker(config as never);
}

/** Report every placed order, and its later changes. */
function follow(core: VendureCore, { services, holdfast }: Checkout) {
  const { events, orders, newContext } = services;
  const report = async (topic: "order" | "order-changed", id: Order["id"], ctx?: Context) => {
    try {
      const order = await orders.findOne(await newContext(), id);
      const network = ctx === undefined ? undefined : toNetwork(ctx);
      if (order !== undefined && !isPart(order)) await holdfast.report(topic, toShopOrder(order), network);
    } catch (error) {
      // The search for missed orders or the next start finds it.
      const fields = { err: error, orderId: String(id) };
      holdfast.logger.error(fields, "an order couldn't be reported to Holdfast");
    }
  };
  const subscriptions = [
    events.ofType(core.OrderPlacedEvent).subscribe(({ order, ctx }) => void report("order", order.id, ctx)),
    events.ofType(core.OrderStateTransitionEvent).subscribe(({ order, fromState }) => {
      if (!BEFORE_PLACED.has(fromState)) void report("order-changed", order.id);
    }),
  ];
  return () => {
    for (const subscription of subscriptions) subscription.unsubscribe();
  };
}

const BEFORE_PLACED: ReadonlySet<string> = new Set(["Created", "Draft", "AddingItems", "ArrangingPayment"]);

interface Parts {
  readonly orderProcess: object;
  readonly checker: object;
  readonly services: () => Services;
}

/** The part of a `VendureConfig` that the plugin adds to. */
interface Config {
  customFields: { Order?: object[] };
  orderOptions: { process?: object[] };
  shippingOptions: { process?: object[]; fulfillmentHandlers?: object[] };
  paymentOptions: { paymentMethodEligibilityCheckers?: object[] };
}

function toPlugin(core: VendureCore, { orderProcess, checker, services }: Parts): new () => object {
  // Vendure adds its own properties to it.
  const plugin = function HoldfastPlugin() {} as unknown as new () => object;
  core.VendurePlugin({
    imports: [core.PluginCommonModule],
    compatibility: "^3.0.0",
    configuration(config: Config) {
      const { customFields, orderOptions, shippingOptions, paymentOptions } = config;
      customFields.Order = [...(customFields.Order ?? []), ...ORDER_FIELDS];
      orderOptions.process = [...(orderOptions.process ?? []), orderProcess];
      shippingOptions.process = [...(shippingOptions.process ?? []), createFulfillmentGuard(services)];
      const handlers = shippingOptions.fulfillmentHandlers ?? [];
      shippingOptions.fulfillmentHandlers = handlers.map((handler) => guardHandler(handler, services));
      const checkers = paymentOptions.paymentMethodEligibilityCheckers ?? [];
      paymentOptions.paymentMethodEligibilityCheckers = [...checkers, checker];
      return config;
    },
  })(plugin);
  return plugin;
}
