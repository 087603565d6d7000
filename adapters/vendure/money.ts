import type { StepOutcome } from "../../src/index.ts";
import { findRefusal, type Answer, type Context, type Order, type Payment, type Services } from "./core.ts";

const REASON = "Holdfast";
const DONE: StepOutcome = { outcome: "done", detail: "done in Vendure" };

/** Cancel an order; its money first, so that a canceled order is one whose money is on its way back. */
export async function cancelOrder(
  { orders }: Services,
  ctx: Context,
  order: Order,
  { refund }: { readonly refund: boolean },
): Promise<StepOutcome> {
  for (const payment of refund ? (order.payments ?? []) : []) {
    const answer =
      payment.state === "Authorized"
        ? await orders.cancelPayment(ctx, payment.id)
        : await refundRest(payment, (input) => orders.refundOrder(ctx, input));
    const refusal = answer === undefined ? undefined : findRefusal(answer);
    if (refusal !== undefined) return { outcome: "impossible", reason: refusal };
  }
  const input = { orderId: order.id, reason: REASON, cancelShipping: true };
  const refusal = findRefusal(await orders.cancelOrder(ctx, input));
  return refusal === undefined ? DONE : { outcome: "impossible", reason: refusal };
}

/** Take the money that is authorized. */
export async function capturePayments(
  { orders }: Services,
  ctx: Context,
  order: Order,
): Promise<StepOutcome> {
  const authorized = (order.payments ?? []).filter(({ state }) => state === "Authorized");
  if (authorized.length === 0) return { outcome: "moot", reason: "nothing-to-capture" };
  for (const { id } of authorized) {
    const refusal = findRefusal(await orders.settlePayment(ctx, id));
    if (refusal !== undefined) return { outcome: "impossible", reason: refusal };
  }
  return DONE;
}

/** Give back the money of an order that isn't placed: its payment was taken while the check refused it. */
export async function voidPayments(
  { orders, payments }: Services,
  ctx: Context,
  order: Order,
): Promise<void> {
  for (const payment of await orders.getOrderPayments(ctx, order.id)) {
    if (payment.state === "Authorized") await orders.cancelPayment(ctx, payment.id);
    else await refundRest(payment, (input) => payments.createRefund(ctx, input, order, payment));
  }
}

/** Refund what is settled and not refunded yet; nothing when there is nothing. */
async function refundRest(
  payment: Payment,
  refund: (input: object) => Promise<Answer>,
): Promise<Answer | undefined> {
  if (payment.state !== "Settled") return undefined;
  const refunded = (payment.refunds ?? [])
    .filter(({ state }) => state !== "Failed")
    .reduce((sum, { total }) => sum + total, 0);
  const amount = payment.amount - refunded;
  if (amount <= 0) return undefined;
  return refund({ paymentId: payment.id, amount, lines: [], shipping: 0, adjustment: 0, reason: REASON });
}
