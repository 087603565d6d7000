import type { StepOutcome } from "../../src/adapter-kit.ts";
import type { Context, Order, Payment, Services } from "./core.ts";

const REASON = "Holdfast";
const DONE: StepOutcome = { outcome: "done", detail: "done in Vendure" };

/** Cancel an order. Its money is given back first, so that a canceled order never keeps it. */
export async function cancelOrder(
  services: Services,
  ctx: Context,
  order: Order,
  { refund }: { readonly refund: boolean },
): Promise<StepOutcome> {
  for (const payment of refund ? sortRefundsFirst(order.payments ?? []) : []) {
    const refusal = await giveBack(services, ctx, order, payment);
    if (refusal !== undefined) return { outcome: "impossible", reason: refusal };
  }
  const input = { orderId: order.id, reason: REASON, cancelShipping: true };
  const { errorCode } = await services.orders.cancelOrder(ctx, input);
  return errorCode === undefined ? DONE : { outcome: "impossible", reason: errorCode };
}

/** Capture the authorized money, if it covers the order together with what was captured before. */
export async function capturePayments(
  { orders }: Services,
  ctx: Context,
  order: Order,
): Promise<StepOutcome> {
  const payments = order.payments ?? [];
  const authorized = payments.filter(({ state }) => state === "Authorized");
  const payable = payments.filter(({ state }) => state === "Authorized" || state === "Settled");
  const covered = payable.reduce((sum, payment) => sum + toUnrefunded(payment), 0);
  // A part was voided or refunded, for example by a cancel that failed halfway: the order would ship without being
  // paid.
  if (covered < order.totalWithTax) return { outcome: "impossible", reason: "payments-below-total" };
  if (authorized.length === 0) return { outcome: "moot", reason: "nothing-to-capture" };
  for (const { id } of authorized) {
    const { errorCode } = await orders.settlePayment(ctx, id);
    if (errorCode !== undefined) return { outcome: "impossible", reason: errorCode };
  }
  return DONE;
}

/**
 * Give back the money of an order that isn't placed, because the check refused it after its payment was taken.
 *
 * @throws an error that names each payment that wasn't given back. Every payment is tried.
 */
export async function voidPayments(services: Services, ctx: Context, order: Order): Promise<void> {
  const problems: string[] = [];
  const causes: unknown[] = [];
  for (const payment of sortRefundsFirst(await services.orders.getOrderPayments(ctx, order.id))) {
    try {
      const refusal = await giveBack(services, ctx, order, payment);
      if (refusal !== undefined) problems.push(`${payment.id} (${refusal})`);
    } catch (error) {
      problems.push(`${payment.id} (failed)`);
      causes.push(error);
    }
  }
  if (problems.length > 0)
    throw new AggregateError(causes, `not voided or refunded: payment ${problems.join(", ")}`);
}

/** A refund fails more often than a void. If it comes first and fails, nothing has been given back yet. */
function sortRefundsFirst(payments: readonly Payment[]): readonly Payment[] {
  return payments.toSorted((a, b) => Number(a.state === "Authorized") - Number(b.state === "Authorized"));
}

/**
 * Void an authorized payment, or refund what is settled and not refunded yet. Resolves to the refusal, if there is one.
 */
async function giveBack({ orders, payments }: Services, ctx: Context, order: Order, payment: Payment) {
  if (payment.state === "Authorized") return (await orders.cancelPayment(ctx, payment.id)).errorCode;
  const amount = toUnrefunded(payment);
  if (payment.state !== "Settled" || amount <= 0) return undefined;
  const input = { paymentId: payment.id, amount, lines: [], shipping: 0, adjustment: 0, reason: REASON };
  // Vendure's order service doesn't refund an order that isn't settled yet, although some of its payments can be.
  const refund = UNSETTLED.has(order.state)
    ? await payments.createRefund(ctx, input, order, payment)
    : await orders.refundOrder(ctx, input);
  // If the provider refused, Vendure stores a failed refund and returns no error.
  return refund.errorCode ?? (refund.state === "Failed" ? "refund-failed" : undefined);
}

/** States in which Vendure's `refundOrder` returns an error. */
const UNSETTLED: ReadonlySet<string> = new Set(["AddingItems", "ArrangingPayment", "PaymentAuthorized"]);

/** The amount of a payment that wasn't refunded. */
function toUnrefunded({ amount, refunds }: Payment): number {
  const standing = (refunds ?? []).filter(({ state }) => state !== "Failed");
  return amount - standing.reduce((sum, { total }) => sum + total, 0);
}
