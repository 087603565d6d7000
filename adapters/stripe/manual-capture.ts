import { assertDeadline, checkOptions, type OptionRules } from "../../src/adapter-kit.ts";
import type { DecisionEvent, OrderCheck, Screener } from "../../src/index.ts";
import type { HostOrder } from "../../src/mapping.ts";
import { fromStripePaymentIntent } from "./from-stripe.ts";
import { isMarked } from "./card-code-client.ts";
import { findReview, REVIEW_FIELDS, type ReviewedIntent } from "./radar-review.ts";

/** The parts of a payment intent that are used. */
export interface StripePaymentIntent extends ReviewedIntent {
  readonly id: string;
  readonly status: string;
  /** In minor units. */
  readonly amount_capturable: number;
  readonly metadata?: Readonly<Record<string, string>> | null;
}

/** The parts of the `stripe` package's client that are used. */
export interface StripeClient {
  readonly paymentIntents: {
    retrieve(id: string, params: { expand: string[] }): Promise<StripePaymentIntent>;
    capture(id: string, params: { amount_to_capture: number }): Promise<unknown>;
    cancel(id: string, params: { cancellation_reason: "fraudulent" }): Promise<unknown>;
  };
}

/**
 * What happened to an authorized payment.
 *
 * - `captured`, `canceled`: just now.
 * - `held`: nothing was done, because a person decides. Call `capture` or `cancel` before the authorization ends (7
 *   days for most cards).
 * - `in-review`: the order is accepted, but Stripe's own review (Radar) isn't finished, so nothing was captured. Call
 *   `settle` again when it is: at `review.closed`.
 * - `waiting`: the deadline passed. The decision is carried out when it comes, and `onLate` is called.
 * - `ended`: somebody captured or canceled it before.
 * - `not-authorized`: there is nothing to capture yet.
 */
export type CaptureOutcome =
  | "captured"
  | "canceled"
  | "held"
  | "in-review"
  | "waiting"
  | "ended"
  | "not-authorized";

/** How a payment was settled. */
export interface Settlement {
  readonly paymentIntent: string;
  readonly outcome: CaptureOutcome;
  /** Absent if the order wasn't checked because there was nothing to capture. */
  readonly check?: OrderCheck | undefined;
}

/** How a payment was settled after the deadline. `failed`: Stripe refused or didn't answer; settle the payment again. */
export type LateSettlement =
  | Settlement
  | { readonly paymentIntent: string; readonly outcome: "failed"; readonly error: unknown };

/** Options of {@link createManualCapture}. */
export interface ManualCaptureOptions {
  readonly stripe: StripeClient;
  readonly screener: Pick<Screener, "check" | "on">;
  /** Time limit of the check in milliseconds. Default: no limit. */
  readonly deadlineMs?: number | undefined;
  /** Called when a payment that was `waiting` is settled. */
  readonly onLate?: ((settlement: LateSettlement) => void) | undefined;
}

/** An order for a payment, or a function that reads it. Of several simultaneous calls, only one reads it. */
export type PaymentOrder = HostOrder | (() => HostOrder | Promise<HostOrder>);

/** Captures and cancels authorized payments as their orders are decided. */
export type ManualCapture = ReturnType<typeof createManualCapture>;

/** Who wants a payment captured: a decision, or a person. Stripe's review is only ever closed by a person. */
type Captor = "decision" | "person";

/** Stripe's code for a capture or cancellation that came too late. */
const ENDED_BEFORE = "payment_intent_unexpected_state";

const OPTIONS: OptionRules<ManualCaptureOptions> = {
  stripe: {
    expected: "a client of the package stripe",
    is: (stripe) => typeof (stripe as Partial<StripeClient> | undefined)?.paymentIntents === "object",
    isRequired: true,
  },
  screener: {
    expected: "the result of createScreener",
    is: ["check", "on"],
    isRequired: true,
  },
  deadlineMs: true,
  onLate: "function",
};

function readOptions(given: ManualCaptureOptions): ManualCaptureOptions {
  const options = checkOptions("createManualCapture", given, OPTIONS);
  assertDeadline(options.deadlineMs);
  return options;
}

/** A payment whose order is being checked, or waits for its late decision. */
interface Watched {
  /** The latest check, if it was pending. Only a decision about the same content settles the payment. */
  pending: { readonly fingerprint: string; readonly amount: number } | undefined;
  /** Decisions that arrived since then, by the fingerprint of the order that they're about. */
  readonly late: Map<string, OrderCheck>;
}

type UnderWay = Map<string, Promise<Settlement>>;

/** Calls with one key at the same time share one run. */
async function shareCall(
  underWay: UnderWay,
  key: string,
  run: () => Promise<Settlement>,
): Promise<Settlement> {
  const running = underWay.get(key) ?? run().finally(() => underWay.delete(key));
  underWay.set(key, running);
  return await running;
}

/** A call that joined another one runs again if Stripe's review was open: it may have been closed since it was read. */
async function settleOnce(
  underWay: UnderWay,
  id: string,
  settle: () => Promise<Settlement>,
): Promise<Settlement> {
  const isJoining = underWay.has(id);
  const settled = await shareCall(underWay, id, settle);
  return isJoining && settled.outcome === "in-review" ? await shareCall(underWay, id, settle) : settled;
}

/**
 * Carry out decisions about payments that were authorized with `capture_method: "manual"`.
 *
 * Each payment is captured at most once: calls at the same time share one, later ones see its status, and Stripe refuses
 * the second of two processes. The amount is the one that could be captured when the order was checked. A payment that
 * was checked again with other content follows only the decision about the latest content. While Stripe's own review of
 * a payment is open, nothing captures it.
 *
 * Late decisions are carried out by the process that made the check. If it ends first, call `settle` again: a store
 * keeps the answer.
 */
export function createManualCapture(options: ManualCaptureOptions) {
  const { stripe, screener, deadlineMs, onLate } = readOptions(options);
  const underWay: UnderWay = new Map();
  const watched = new Map<string, Watched>();
  const stop = screener.on("decision", followLate);

  async function settle(id: string, order?: PaymentOrder): Promise<Settlement> {
    const intent = await stripe.paymentIntents.retrieve(id, { expand: ["latest_charge", "customer"] });
    if (!canBeCaptured(intent)) return { paymentIntent: id, outcome: toUntouched(intent) };
    const read = typeof order === "function" ? await order() : (order ?? fromStripePaymentIntent(intent));
    const amount = intent.amount_capturable;
    const payment: Watched = watched.get(id) ?? { pending: undefined, late: new Map() };
    // Registered before the check, since its late decision could arrive before the check is known to be pending.
    watched.set(id, payment);
    try {
      // The payment's id is also the order's id, so that a late decision can be matched to it.
      const check = await screener.check({ ...read, orderId: id }, { deadlineMs });
      const decided = check.status === "pending" ? payment.late.get(check.fingerprint) : check;
      payment.pending = decided === undefined ? { fingerprint: check.fingerprint, amount } : undefined;
      if (decided === undefined) return { paymentIntent: id, outcome: "waiting", check };
      return await carryOut(stripe, id, amount, decided);
    } finally {
      if (payment.pending === undefined) watched.delete(id);
    }
  }

  async function followLate({ orderId: id, check, late }: DecisionEvent): Promise<void> {
    const payment = late && id !== undefined ? watched.get(id) : undefined;
    if (payment === undefined || id === undefined) return;
    payment.late.set(check.fingerprint, check);
    // A webhook that was redelivered meanwhile may settle it first, or check its current content.
    if (payment.pending !== undefined) await underWay.get(id)?.catch(() => undefined);
    const { pending } = payment;
    if (watched.get(id) !== payment || pending?.fingerprint !== check.fingerprint) return;
    watched.delete(id);
    const settlement = await shareCall(
      underWay,
      id,
      async () => await carryOut(stripe, id, pending.amount, check),
    ).catch((error: unknown) => ({ paymentIntent: id, outcome: "failed", error }) as const);
    onLate?.(settlement);
  }

  /** A decision that comes after a person's changes nothing. */
  async function decideByHand(
    action: "capture" | "cancel",
    id: string,
    act: () => Promise<CaptureOutcome>,
  ): Promise<Settlement> {
    return await shareCall(underWay, `${action} ${id}`, async () => {
      watched.delete(id);
      return { paymentIntent: id, outcome: await act() };
    });
  }

  return {
    /**
     * Check the order of an authorized payment and carry out the decision: capture on `allow` and `tag`, cancel on
     * `cancel`, leave a `hold` alone. If Stripe reviews the payment too, it is captured only after the review was
     * approved: it is `in-review` until then, and `held` if the review ended otherwise.
     *
     * Calls for one payment at the same time share one check and one capture, so that webhooks may be redelivered.
     *
     * A payment without an email address can't be sent to the service: the local engine or the policy's `whenUnavailable`
     * decides.
     *
     * @param order Default: what the payment intent itself says, which has no goods.
     * @throws what Stripe or the check throws. Then answer the webhook with an error, so that Stripe delivers it again.
     */
    settle: async (paymentIntent: string, order?: PaymentOrder): Promise<Settlement> =>
      await settleOnce(underWay, paymentIntent, async () => await settle(paymentIntent, order)),
    /** Capture what was authorized: after a person has approved a held order. `in-review` while Stripe's review is open. */
    capture: async (id: string): Promise<Settlement> =>
      await decideByHand("capture", id, async () => await capturePayment(stripe, id, "person")),
    /** Cancel the authorization: after a person has declined a held order. */
    cancel: async (id: string): Promise<Settlement> =>
      await decideByHand("cancel", id, async () => await cancelAuthorized(stripe, id)),
    /** Stop following late decisions. */
    close: (): void => stop(),
  };
}

async function carryOut(
  stripe: StripeClient,
  id: string,
  amount: number,
  check: OrderCheck,
): Promise<Settlement> {
  if (check.action === "hold") return { paymentIntent: id, outcome: "held", check };
  const isRefused = check.action === "cancel";
  const outcome = isRefused
    ? await cancelPayment(stripe, id)
    : await capturePayment(stripe, id, "decision", amount);
  return { paymentIntent: id, outcome, check };
}

/** Never an amount that shows a code to a card's holder. */
const canBeCaptured = (intent: StripePaymentIntent): boolean =>
  intent.status === "requires_capture" && !isMarked(intent);

function toUntouched({ status }: StripePaymentIntent): "ended" | "not-authorized" {
  return status === "succeeded" || status === "canceled" ? "ended" : "not-authorized";
}

/** Default amount: all that can be captured. */
async function capturePayment(
  stripe: StripeClient,
  id: string,
  captor: Captor,
  amount?: number,
): Promise<CaptureOutcome> {
  // Read again right before: Stripe captures a payment that is in review, and the review may be newer than the check.
  const intent = await stripe.paymentIntents.retrieve(id, { expand: [...REVIEW_FIELDS] });
  if (!canBeCaptured(intent)) return toUntouched(intent);
  const review = findReview(intent);
  if (review === "open") return "in-review";
  if (review === "closed" && captor === "decision") return "held";
  const params = { amount_to_capture: amount ?? intent.amount_capturable };
  // Without an idempotency key of our own: Stripe would repeat a 500 to it for a day. It refuses a second capture anyway.
  return await unlessEnded("captured", stripe.paymentIntents.capture(id, params));
}

/** A payment that isn't authorized yet stays as it is. */
async function cancelAuthorized(stripe: StripeClient, id: string): Promise<CaptureOutcome> {
  const intent = await stripe.paymentIntents.retrieve(id, { expand: [] });
  return canBeCaptured(intent) ? await cancelPayment(stripe, id) : toUntouched(intent);
}

async function cancelPayment(stripe: StripeClient, id: string): Promise<CaptureOutcome> {
  return await unlessEnded(
    "canceled",
    stripe.paymentIntents.cancel(id, { cancellation_reason: "fraudulent" }),
  );
}

async function unlessEnded(outcome: CaptureOutcome, acting: Promise<unknown>): Promise<CaptureOutcome> {
  try {
    await acting;
    return outcome;
  } catch (error) {
    if ((error as { readonly code?: unknown } | null)?.code === ENDED_BEFORE) return "ended";
    throw error;
  }
}
