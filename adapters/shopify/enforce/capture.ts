import type { StepOutcome } from "../../../src/adapter-kit.ts";
import type { OrderPayment, Transaction } from "../operations/generated/operations.ts";
import { mutate } from "../admin/ask.ts";
import { CANCELED_BEFORE, ORDER_NOT_FOUND, toCount, waitAgain, type Step, type StepContext } from "./step.ts";

const AUTHORIZATIONS: ReadonlySet<string> = new Set(["AUTHORIZATION", "EMV_AUTHORIZATION"]);
const RUNNING: ReadonlySet<string> = new Set(["PENDING", "AWAITING_RESPONSE", "UNKNOWN"]);
const PAUSES_MS = [5_000, 15_000, 60_000, 300_000];
/**
 * Shopify writes an order's first transaction a moment after the order. An order without one for longer isn't paid by
 * card.
 */
const FIRST_TRANSACTION_MS = 10 * 60_000;

/** An authorization with the money that isn't captured. */
type Authorization = Pick<Transaction, "id"> &
  NonNullable<Transaction["totalUnsettledSet"]>["presentmentMoney"];

type Payment =
  | { readonly state: "open"; readonly authorizations: readonly Authorization[] }
  /** `empty`: no transaction yet. */
  | { readonly state: "empty" | "authorizing" | "capturing" | "captured" | "expired" | "none" };

/**
 * Capture the authorized amount, but never more than the customer still owes. A capture has no idempotency key, so each
 * attempt reads the order first: amounts that this app, a person or a process that died captured before aren't captured
 * again.
 */
export const capture: Step = async (context) => {
  const order = await readOrder(context);
  if (order === null) return ORDER_NOT_FOUND;
  if (order.cancelledAt !== null) return CANCELED_BEFORE;
  const payment = toPayment(order, context.now());
  if (payment.state !== "open") return toOutcome(context, payment.state);
  let owed = Number(order.totalOutstandingSet.presentmentMoney.amount);
  for (const authorization of payment.authorizations) {
    const amount = toAmount(authorization, owed);
    if (amount === null) break;
    const ended = await captureOne(context, authorization, amount);
    if (ended !== null) return ended;
    owed -= Number(amount);
  }
  return { outcome: "done", detail: "payment captured" };
};

async function readOrder({ ask, orderGid }: StepContext): Promise<OrderPayment | null> {
  return (await ask("OrderPayment", { id: orderGid })).data.order;
}

function toPayment({ capturable, transactions, totalOutstandingSet }: OrderPayment, nowMs: number): Payment {
  const isPaid = Number(totalOutstandingSet.presentmentMoney.amount) <= 0;
  const captures = transactions.filter(({ kind }) => kind === "CAPTURE");
  // A running capture may still fail, so until it ends it isn't known what is left.
  if (captures.some(({ status }) => RUNNING.has(status))) return { state: "capturing" };
  const isDone = (id: string) =>
    captures.some(({ status, parentTransaction }) => status === "SUCCESS" && parentTransaction?.id === id);
  const authorizations = transactions.filter(({ kind }) => AUTHORIZATIONS.has(kind));
  const all = authorizations.filter(({ status }) => status === "SUCCESS");
  // The order is paid, by whatever means: a remaining authorization isn't needed.
  if (isPaid) return { state: all.length > 0 ? "captured" : "none" };
  if (transactions.length === 0) return { state: "empty" };
  if (authorizations.some(({ status }) => RUNNING.has(status))) return { state: "authorizing" };
  const left = all.filter(({ id }) => !isDone(id));
  const valid = left.filter(({ authorizationExpiresAt: at }) => at === null || Date.parse(at) > nowMs);
  const open = (capturable ? valid : []).flatMap(({ id, totalUnsettledSet: money }) =>
    money === null ? [] : [{ id, ...money.presentmentMoney }],
  );
  if (open.length > 0) return { state: "open", authorizations: open };
  if (left.length > valid.length) return { state: "expired" };
  return { state: all.length > 0 && left.length === 0 ? "captured" : "none" };
}

function toOutcome(context: StepContext, state: Exclude<Payment["state"], "open">): StepOutcome {
  if (state === "empty") return waitForPayment(context);
  if (state === "authorizing" || state === "capturing")
    return waitAgain(context, { pausesMs: PAUSES_MS, reason: state, giveUp: "capture-never-ended" });
  return ENDS[state];
}

const ENDS: Readonly<Record<"captured" | "expired" | "none", StepOutcome>> = {
  captured: { outcome: "done", detail: "payment captured before" },
  expired: { outcome: "impossible", reason: "authorization-expired" },
  none: { outcome: "moot", reason: "nothing-to-capture" },
};

function waitForPayment(context: StepContext): StepOutcome {
  const sinceMs = toCount(context.target.memory["sinceMs"]) || context.now();
  if (context.now() - sinceMs >= FIRST_TRANSACTION_MS) return ENDS.none;
  return waitAgain(context, { pausesMs: PAUSES_MS, reason: "no-payment-yet" });
}

/** What to capture of an authorization, as Shopify writes amounts; null for nothing. */
function toAmount({ amount }: Authorization, owed: number): string | null {
  if (Number(amount) <= owed) return amount;
  const text = owed.toFixed(amount.split(".")[1]?.length ?? 0);
  return Number(text) > 0 ? text : null;
}

/** Null when it is captured. */
async function captureOne(
  context: StepContext,
  { id, currencyCode: currency }: Authorization,
  amount: string,
): Promise<StepOutcome | null> {
  const { ask, orderGid } = context;
  const input = { id: orderGid, parentTransactionId: id, amount, currency };
  const { transaction, userErrors } = await mutate(ask, "CapturePayment", { input });
  if (userErrors.length > 0) return explainRefusal(context);
  if (transaction === null || RUNNING.has(transaction.status)) return toOutcome(context, "capturing");
  return transaction.status === "SUCCESS" ? null : { outcome: "impossible", reason: "capture-refused" };
}

/** Errors have no code, so read the order to see whether somebody else was faster. */
async function explainRefusal(context: StepContext): Promise<StepOutcome> {
  const order = await readOrder(context);
  if (order === null) return ORDER_NOT_FOUND;
  if (order.cancelledAt !== null) return CANCELED_BEFORE;
  const { state } = toPayment(order, context.now());
  return state === "open" || state === "none"
    ? { outcome: "impossible", reason: "capture-refused" }
    : toOutcome(context, state);
}
