import type { Answer, Id, Order, Payment, Services } from "../../../adapters/vendure/core.ts";

interface KeptPayment extends Payment {
  state: string;
  refunds: { state: string; total: number }[];
}

/** A payment of an {@link aShop}. */
export type PaymentState = Omit<KeptPayment, "refunds"> & { refunds?: KeptPayment["refunds"] };

/** One order's money, by the rules of Vendure 3.7's `OrderService` and `PaymentService`. */
export interface VendureMoney {
  readonly services: Services;
  readonly order: Order;
  readonly payments: readonly KeptPayment[];
  /** The calls to the payment's providers, in order. */
  readonly calls: readonly string[];
}

/** A call that this fake doesn't support fails the test. */
function refuse(name: string): never {
  throw new Error(`not expected: ${name}`);
}

function strict<T extends object>(members: Partial<T>): T {
  return new Proxy(members, {
    get: (target, name) => Reflect.get(target, name) ?? refuse(String(name)),
  }) as T;
}

/** Create a shop with one order. Its providers refuse the payments in `refusing`. */
export function aShop(
  state: string,
  paid: readonly PaymentState[],
  { refusing = [], total = 6_000 }: { readonly refusing?: readonly Id[]; readonly total?: number } = {},
): VendureMoney {
  const payments = paid.map((payment) => ({ refunds: [], ...payment }));
  const calls: string[] = [];
  const customer = { id: 3, emailAddress: "buyer@example.com", firstName: "Ada", lastName: "Byron" };
  const shown = { code: "A1", currencyCode: "GBP", customer, lines: [] };
  const order = { ...shown, id: 1, state, totalWithTax: total, payments };
  const find = (id: Id) => payments.find((payment) => payment.id === id) ?? refuse(`payment ${id}`);
  const ask = (what: string, id: Id) => {
    calls.push(`${what} ${id}`);
    return !refusing.includes(id);
  };
  const turn = (what: string, id: Id, to: string, errorCode: string): Answer => {
    const payment = find(id);
    if (payment.state !== "Authorized") return { errorCode: "PAYMENT_STATE_TRANSITION_ERROR" };
    if (!ask(what, id)) return { errorCode };
    payment.state = to;
    return { state: to };
  };
  const refund = (input: object): Answer => {
    const { paymentId, amount } = input as { readonly paymentId: Id; readonly amount: number };
    const made = { state: ask("refund", paymentId) ? "Settled" : "Failed", total: amount };
    find(paymentId).refunds.push(made);
    return made;
  };
  const orders = strict<Services["orders"]>({
    findOne: async () => order,
    getOrderPayments: async () => payments,
    settlePayment: async (_ctx, id) => turn("settle", id, "Settled", "SETTLE_PAYMENT_ERROR"),
    cancelPayment: async (_ctx, id) => turn("void", id, "Cancelled", "CANCEL_PAYMENT_ERROR"),
    refundOrder: async (_ctx, input) =>
      ["AddingItems", "ArrangingPayment", "PaymentAuthorized"].includes(order.state)
        ? { errorCode: "REFUND_ORDER_STATE_ERROR" }
        : refund(input),
    async cancelOrder() {
      calls.push("cancel order");
      order.state = "Cancelled";
      return { state: "Cancelled" };
    },
  });
  const services = strict<Services>({
    orders,
    payments: { createRefund: async (_ctx, input) => refund(input) },
    newContext: async () => ({}),
  });
  return { services, order, payments, calls };
}
