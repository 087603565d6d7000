import type { Action, ShopNetwork } from "../../src/adapter-kit.ts";
import {
  toCheckoutMarks,
  UNCHECKED,
  type CheckMemory,
  type CheckoutCheck,
  type InHost,
} from "../../src/in-host.ts";
import type { Context, Order, Services } from "./core.ts";
import type { VendureOptions } from "./from-vendure.ts";
import { toFields } from "./marks.ts";
import { voidPayments } from "./money.ts";
import { isPart, mapOrder, toContent } from "./order.ts";

/** What the checks at checkout need, once the shop runs. */
export interface Checkout {
  readonly services: Services;
  readonly holdfast: InHost;
  /** The result of the payment's check, kept for the order's own check: they share one deadline. */
  readonly earlier: CheckMemory;
}

/** How orders are checked before they're placed. */
export interface CheckoutOptions extends VendureOptions {
  /**
   * How long a check may take, in milliseconds. After that, the local engine decides, and a late answer is applied
   * later.
   *
   * @default 2500
   */
  readonly deadlineMs?: number | undefined;
  /**
   * Refuse the payment of an order that your policy cancels. With `false` it's placed, and then canceled and refunded.
   *
   * @default true
   */
  readonly refuse?: boolean | undefined;
  /** The text that a refused customer sees. @default "We can't accept this payment. Please contact us." */
  readonly refusal?: string | undefined;
}

const DEADLINE_MS = 2_500;
const REFUSAL = "We can't accept this payment. Please contact us.";

/**
 * The payment's last check: before the payment handler runs, so nothing is charged for a refused order. Vendure also runs
 * it for every list of payment methods; only an order that is about to be paid is checked.
 */
export function createEligibilityCheck(ready: () => Checkout, options: CheckoutOptions) {
  return async (ctx: Context, order: Order): Promise<true | string> => {
    if (order.state !== "ArrangingPayment" || isPart(order)) return true;
    const checkout = ready();
    const checked = await check(checkout, options, ctx, order);
    checkout.earlier.keep(String(order.id), checked);
    const { action } = checked;
    return isRefused(action, options) ? (options.refusal ?? REFUSAL) : true;
  };
}

/** The states that an order enters when it's placed. */
const PLACED: ReadonlySet<string> = new Set(["PaymentAuthorized", "PaymentSettled"]);
const CHECKED_FROM: ReadonlySet<string> = new Set(["AddingItems", "ArrangingPayment"]);

/**
 * The order's last check: as it's placed, inside the same transaction. The customer can change address and email until the
 * payment handler has run, so a change after the payment's check is checked here, and the payment is given back.
 */
export function createOrderProcess(ready: () => Checkout, options: CheckoutOptions) {
  return async (from: string, to: string, data: { readonly ctx: Context; readonly order: Order }) => {
    const { ctx, order } = data;
    if (!PLACED.has(to) || !CHECKED_FROM.has(from) || isPart(order)) return undefined;
    const checkout = ready();
    const checked = await check(checkout, options, ctx, order, checkout.earlier.take(String(order.id)));
    if (isRefused(checked.action, options)) {
      await giveBack(checkout, ctx, order);
      return options.refusal ?? REFUSAL;
    }
    // Vendure saves this object with the transition, so changes written elsewhere would be lost.
    order.customFields = { ...order.customFields, ...toFields(toCheckoutMarks(checked)) };
    return undefined;
  };
}

/** If the payment can't be given back now, the order still isn't placed: staff see both. */
async function giveBack({ services, holdfast }: Checkout, ctx: Context, order: Order) {
  try {
    await voidPayments(services, ctx, order);
  } catch (error) {
    holdfast.logger.error(
      { err: error, orderId: String(order.id) },
      "couldn't void or refund the payment of a refused order: do it by hand",
    );
  }
}

async function check(
  { services, holdfast }: Checkout,
  options: CheckoutOptions,
  ctx: Context,
  { id }: Order,
  earlier?: CheckoutCheck,
): Promise<CheckoutCheck> {
  try {
    const order = await services.orders.findOne(ctx, id);
    if (order === undefined) throw new TypeError("the order no longer exists");
    const { deadlineMs = DEADLINE_MS } = options;
    const network = toNetwork(ctx);
    return await holdfast.check(mapOrder(toContent(order), options), { deadlineMs, network, earlier });
  } catch (error) {
    const fields = { err: error, orderId: String(id) };
    holdfast.logger.error(fields, "an order couldn't be checked; it stays on hold until it is");
    return UNCHECKED;
  }
}

function isRefused(action: Action, { refuse = true }: CheckoutOptions): boolean {
  return refuse && action === "cancel";
}

/** The origin of a buyer's request. Vendure's own `trust proxy` decides whose `X-Forwarded-For` counts. */
export function toNetwork({ req, apiType }: Context): ShopNetwork {
  // If staff place an order, the request isn't the buyer's.
  if (apiType !== "shop") return {};
  const userAgent = req?.headers?.["user-agent"];
  return { ipAddress: req?.ip, userAgent: typeof userAgent === "string" ? userAgent : undefined };
}
