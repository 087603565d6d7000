import type { EmulatedOrder, EmulatedTransaction } from "./emulated-order.ts";
import type { GraphNode } from "./graph-node.ts";

/** The request of a capture. */
export interface CaptureInput {
  readonly id: string;
  readonly parentTransactionId: string;
  readonly amount: string;
  readonly currency?: string | null;
}

interface Authorization {
  readonly id: string;
  /** The part of it that is neither captured nor being captured. */
  readonly left: number;
  readonly isExpired: boolean;
}

/** The order's transactions as in the schema. */
export function toTransactionNodes(order: EmulatedOrder): readonly GraphNode[] {
  return order.transactions.map((transaction, index) => {
    const id = toId(order, index);
    const unsettled = isAuthorization(transaction) ? toUnsettled(order, transaction, id) : 0;
    return {
      __typename: "OrderTransaction",
      id,
      kind: transaction.kind ?? "AUTHORIZATION",
      status: transaction.status ?? "SUCCESS",
      authorizationExpiresAt: transaction.authorizationExpiresAt ?? null,
      parentTransaction: transaction.parentId === undefined ? null : { id: transaction.parentId },
      totalUnsettledSet: unsettled === 0 ? null : toMoney(order, unsettled),
      paymentDetails:
        transaction.card === null ? null : { __typename: "CardPaymentDetails", ...transaction.card },
    };
  });
}

/** Whether part of the order is authorized and not captured. */
export function isCapturable(order: EmulatedOrder, nowMs: number): boolean {
  return order.cancelledAt === null && listOpen(order, nowMs).some(({ isExpired }) => !isExpired);
}

/** What the customer still owes. */
export function toOutstanding(order: EmulatedOrder): GraphNode {
  const { transactions, financialStatus, payload } = order;
  const total = Number(payload["current_total_price"] ?? payload["total_price"] ?? "0");
  const isSettled = financialStatus === "PAID" && !transactions.some((one) => isAuthorization(one));
  const paid = transactions
    .filter(({ kind, status = "SUCCESS" }) => (kind === "SALE" || kind === "CAPTURE") && status === "SUCCESS")
    .reduce((sum, { amount }) => sum + Number(amount ?? total), 0);
  return toMoney(order, isSettled ? 0 : Math.max(0, total - paid));
}

/** As strict as the platform: never more than is authorized, in the order's currency, before it expires. */
export function capturePayment(
  order: EmulatedOrder | undefined,
  input: CaptureInput,
  nowMs: number,
): GraphNode {
  const refuse = (field: string) => ({ transaction: null, userErrors: [{ field: ["input", field] }] });
  if (order === undefined || order.cancelledAt !== null) return refuse("id");
  if (order.captureResult === "REFUSED") return refuse("parentTransactionId");
  const authorization = listOpen(order, nowMs).find(({ id }) => id === input.parentTransactionId);
  if (authorization === undefined || authorization.isExpired) return refuse("parentTransactionId");
  const amount = Number(input.amount);
  if (!(amount > 0) || amount > authorization.left) return refuse("amount");
  if (input.currency !== toCurrency(order)) return refuse("currency");
  const capture = {
    kind: "CAPTURE",
    status: order.captureResult,
    parentId: authorization.id,
    amount: input.amount,
    card: null,
  };
  order.transactions.push(capture);
  if (capture.status === "SUCCESS") order.financialStatus = "PAID";
  return { transaction: toTransactionNodes(order).at(-1), userErrors: [] };
}

function listOpen(order: EmulatedOrder, nowMs: number): readonly Authorization[] {
  return order.transactions.flatMap((transaction, index) => {
    const id = toId(order, index);
    if (!isAuthorization(transaction)) return [];
    const left = toUnsettled(order, transaction, id) - sumOf(order, id, "PENDING");
    const { authorizationExpiresAt: at } = transaction;
    return left > 0 ? [{ id, left, isExpired: at != null && Date.parse(at) <= nowMs }] : [];
  });
}

function isAuthorization({ kind = "AUTHORIZATION", status = "SUCCESS" }: EmulatedTransaction): boolean {
  return kind === "AUTHORIZATION" && status === "SUCCESS";
}

/** A pending capture still counts as unsettled. */
function toUnsettled(order: EmulatedOrder, transaction: EmulatedTransaction, id: string): number {
  return Number(transaction.amount ?? order.payload["total_price"] ?? "0") - sumOf(order, id, "SUCCESS");
}

function sumOf({ transactions }: EmulatedOrder, parentId: string, status: string): number {
  return transactions
    .filter((one) => one.kind === "CAPTURE" && one.parentId === parentId && one.status === status)
    .reduce((sum, { amount }) => sum + Number(amount), 0);
}

function toId(order: EmulatedOrder, index: number): string {
  return `gid://shopify/OrderTransaction/${order.id.slice(order.id.lastIndexOf("/") + 1)}${index}`;
}

function toCurrency({ payload }: EmulatedOrder): string {
  return typeof payload["currency"] === "string" ? payload["currency"] : "USD";
}

function toMoney(order: EmulatedOrder, amount: number): GraphNode {
  return { presentmentMoney: { amount: amount.toFixed(2), currencyCode: toCurrency(order) } };
}
