import type { StepOutcome } from "../../../src/index.ts";
import { CAPTURE_PAYMENT, ORDER_PAYMENT } from "../admin/payment-operations.ts";
import {
  CANCELED_BEFORE,
  ORDER_NOT_FOUND,
  requirePayload,
  waitAgain,
  type Step,
  type StepContext,
} from "./step.ts";

interface Transaction {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly authorizationExpiresAt: string | null;
  readonly parentTransaction: { readonly id: string } | null;
  readonly totalUnsettledSet: {
    readonly presentmentMoney: { readonly amount: string; readonly currencyCode: string };
  } | null;
}

interface PaymentAnswer {
  readonly order: {
    readonly cancelledAt: string | null;
    readonly capturable: boolean;
    readonly transactions: readonly Transaction[];
  } | null;
}

interface CaptureAnswer {
  readonly orderCapture: {
    readonly transaction: { readonly status: string } | null;
    readonly userErrors: readonly unknown[];
  } | null;
}

const AUTHORIZATIONS: ReadonlySet<string> = new Set(["AUTHORIZATION", "EMV_AUTHORIZATION"]);
const RUNNING: ReadonlySet<string> = new Set(["PENDING", "AWAITING_RESPONSE", "UNKNOWN"]);
const PAUSES_MS = [5_000, 15_000, 60_000, 300_000];

/** What an order's transactions say about its payment. */
type Payment =
  | { readonly state: "open"; readonly authorizations: readonly Transaction[] }
  | { readonly state: "capturing" | "captured" | "expired" | "none" };

/**
 * Capture what is authorized. A capture has no idempotency key, so the order is read before each try: what was captured
 * before, by this app, a person or a process that died, is not captured again. Shopify refuses more than was authorized.
 */
export const capture: Step = async (context) => {
  const order = await readOrder(context);
  if (order === null) return ORDER_NOT_FOUND;
  if (order.cancelledAt !== null) return CANCELED_BEFORE;
  const payment = toPayment(order, context.now());
  if (payment.state !== "open") return toOutcome(context, payment.state);
  for (const authorization of payment.authorizations) {
    const ended = await captureOne(context, authorization);
    if (ended !== null) return ended;
  }
  return { outcome: "done", detail: "payment captured" };
};

async function readOrder({ ask, orderGid }: StepContext): Promise<PaymentAnswer["order"]> {
  return (await ask<PaymentAnswer>(ORDER_PAYMENT, { id: orderGid })).data.order;
}

function toPayment(
  { capturable, transactions }: NonNullable<PaymentAnswer["order"]>,
  nowMs: number,
): Payment {
  const captures = transactions.filter(({ kind }) => kind === "CAPTURE");
  // One that runs may still fail: until then nothing says what is left.
  if (captures.some(({ status }) => RUNNING.has(status))) return { state: "capturing" };
  const isDone = (id: string) =>
    captures.some(({ status, parentTransaction }) => status === "SUCCESS" && parentTransaction?.id === id);
  const all = transactions.filter(({ kind, status }) => AUTHORIZATIONS.has(kind) && status === "SUCCESS");
  const left = all.filter(({ id }) => !isDone(id));
  const valid = left.filter(({ authorizationExpiresAt: at }) => at === null || Date.parse(at) > nowMs);
  const open = capturable ? valid.filter(({ totalUnsettledSet }) => totalUnsettledSet !== null) : [];
  if (open.length > 0) return { state: "open", authorizations: open };
  if (left.length > valid.length) return { state: "expired" };
  return { state: all.length > 0 && left.length === 0 ? "captured" : "none" };
}

function toOutcome(context: StepContext, state: Exclude<Payment["state"], "open">): StepOutcome {
  switch (state) {
    case "capturing":
      return waitAgain(context, {
        pausesMs: PAUSES_MS,
        reason: "capturing",
        giveUp: "capture-never-ended",
      });
    case "captured":
      return { outcome: "done", detail: "payment captured before" };
    case "expired":
      return { outcome: "impossible", reason: "authorization-expired" };
    case "none":
      return { outcome: "moot", reason: "nothing-to-capture" };
  }
}

/** Null when it is captured. */
async function captureOne(context: StepContext, authorization: Transaction): Promise<StepOutcome | null> {
  const { ask, orderGid } = context;
  const money = authorization.totalUnsettledSet?.presentmentMoney;
  const input = {
    id: orderGid,
    parentTransactionId: authorization.id,
    amount: money?.amount,
    currency: money?.currencyCode,
  };
  const { orderCapture } = (await ask<CaptureAnswer>(CAPTURE_PAYMENT, { input })).data;
  const { transaction, userErrors } = requirePayload(orderCapture);
  if (userErrors.length > 0) return explainRefusal(context);
  if (transaction === null || RUNNING.has(transaction.status)) return toOutcome(context, "capturing");
  return transaction.status === "SUCCESS" ? null : { outcome: "impossible", reason: "capture-refused" };
}

/** Errors have no code, so the order says whether somebody else was faster. */
async function explainRefusal(context: StepContext): Promise<StepOutcome> {
  const order = await readOrder(context);
  if (order === null) return ORDER_NOT_FOUND;
  if (order.cancelledAt !== null) return CANCELED_BEFORE;
  const { state } = toPayment(order, context.now());
  return state === "open" || state === "none"
    ? { outcome: "impossible", reason: "capture-refused" }
    : toOutcome(context, state);
}
