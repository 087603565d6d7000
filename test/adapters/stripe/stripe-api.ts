import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Stripe } from "stripe";
import { onTestFinished } from "vitest";
import { readHostPayload } from "../../support/host-orders.ts";

/** Parameters that the published API accepts; another one is refused, as Stripe does (`parameter_unknown`). */
const PARAMETERS: Readonly<Record<string, RegExp>> = {
  retrieve: /^expand\[\d+\]$/,
  capture: /^(?:amount_to_capture|final_capture|expand\[\d+\])$/,
  cancel: /^(?:cancellation_reason|expand\[\d+\])$/,
};
/** What the published API can expand of an intent, as far as it is used here. It refuses another path. */
const EXPANDABLE = new Set(["latest_charge", "customer", "review", "latest_charge.review"]);
const REASONS = new Set(["abandoned", "duplicate", "fraudulent", "requested_by_customer"]);

/** One call of the API that changes a payment. */
export interface StripeCall {
  readonly action: string;
  readonly id: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly key: string | undefined;
}

/**
 * Stripe's payment intents and their reviews, which can't run here: retrieve, capture, cancel and approve with the statuses,
 * idempotency keys and errors of the published API. As there, an open review doesn't refuse a capture. The real `stripe` package calls it.
 */
export interface StripeApi {
  readonly port: number;
  readonly calls: readonly StripeCall[];
  readonly retrieved: number;
  status(id: string): string;
  /** Authorize a payment of 17.50 USD. */
  authorize(id: string, changes?: Readonly<Record<string, unknown>>): void;
  /** Place an authorized payment in review, as a Radar rule does. `of`: which object names the review. */
  openReview(id: string, of?: "review" | "latest_charge.review"): void;
  closeReview(id: string, reason: Stripe.Review.ClosedReason): void;
  /** Answer the next call that changes a payment with this status. */
  failNext(status: number): void;
}

class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

/** Start the API for the running test. */
export async function startStripeApi(): Promise<StripeApi> {
  const intents = new Map<string, Record<string, unknown>>();
  const reviews = new Map<string, StripeReviewOf>();
  const answered = new Map<string, { readonly request: string; readonly answer: unknown }>();
  const calls: StripeCall[] = [];
  let retrieved = 0;
  let failure: number | undefined;

  const find = (id: string): Record<string, unknown> => {
    const intent = intents.get(id);
    if (intent === undefined) throw new ApiError(404, "resource_missing");
    return intent;
  };

  function closeReview(id: string, reason: Stripe.Review.ClosedReason): Stripe.Review | undefined {
    const { review } = reviews.get(id) ?? {};
    if (review?.open === true) Object.assign(review, { open: false, reason, closed_reason: reason });
    return review;
  }

  function change({ action, id, parameters }: StripeCall): unknown {
    const intent = find(id);
    if (intent["status"] !== "requires_capture") throw new ApiError(400, "payment_intent_unexpected_state");
    if (action === "cancel") {
      if (!REASONS.has(parameters["cancellation_reason"] ?? "abandoned"))
        throw new ApiError(400, "parameter_invalid");
      Object.assign(intent, { status: "canceled", amount_capturable: 0 });
      closeReview(id, "canceled");
      return intent;
    }
    const amount = Number(parameters["amount_to_capture"] ?? intent["amount_capturable"]);
    if (!Number.isInteger(amount) || amount < 1 || amount > (intent["amount_capturable"] as number)) {
      throw new ApiError(400, "amount_too_large");
    }
    Object.assign(intent, { status: "succeeded", amount_capturable: 0, amount_received: amount });
    return intent;
  }

  function changeOnce(call: StripeCall): unknown {
    calls.push(call);
    const request = JSON.stringify([call.action, call.id, call.parameters]);
    const kept = call.key === undefined ? undefined : answered.get(call.key);
    if (kept !== undefined && kept.request !== request) throw new ApiError(400, "idempotency_key_in_use");
    const answer = kept?.answer ?? takeFailure() ?? structuredClone(change(call));
    // Stripe repeats its answer to a key for a day, even a 500.
    if (call.key !== undefined) answered.set(call.key, { request, answer });
    if (answer instanceof ApiError) throw answer;
    return answer;
  }

  function takeFailure(): ApiError | undefined {
    const taken = failure === undefined ? undefined : new ApiError(failure, "api_error");
    failure = undefined;
    return taken;
  }

  async function answer(request: IncomingMessage): Promise<unknown> {
    if (request.headers.authorization !== "Bearer sk_test_1") throw new ApiError(401, "api_key_invalid");
    const url = new URL(request.url ?? "", "http://localhost");
    const approved = /^\/v1\/reviews\/prv_(\w+)\/approve$/.exec(url.pathname)?.[1];
    if (approved !== undefined) return closeReview(approved, "approved");
    const [, id = "", action = "retrieve"] =
      /^\/v1\/payment_intents\/(\w+)(?:\/(capture|cancel))?$/.exec(url.pathname) ?? [];
    const form = request.method === "POST" ? new URLSearchParams(await text(request)) : url.searchParams;
    const parameters = Object.fromEntries(form);
    if (Object.keys(parameters).some((name) => PARAMETERS[action]?.test(name) !== true)) {
      throw new ApiError(400, "parameter_unknown");
    }
    if (request.method === "POST") {
      const key = request.headers["idempotency-key"];
      return changeOnce({ action, id, parameters, key: typeof key === "string" ? key : undefined });
    }
    retrieved += 1;
    return expand(find(id), new Set(Object.values(parameters)), reviews.get(id));
  }

  const server = createServer((request, response) => void respond(answer(request), response));
  server.listen(0, "127.0.0.1");
  onTestFinished(async () => await server[Symbol.asyncDispose]());
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    calls,
    get retrieved() {
      return retrieved;
    },
    status: (id) => String(find(id)["status"]),
    authorize: (id, changes = {}) =>
      void intents.set(id, { ...readHostPayload("stripe-payment-intent"), id, ...changes }),
    openReview: (id, of = "review") => void reviews.set(id, { review: openReview(id), of }),
    closeReview: (id, reason) => void closeReview(id, reason),
    failNext: (status) => void (failure = status),
  };
}

/** A review, and the object of the payment that names it. */
interface StripeReviewOf {
  readonly review: Stripe.Review;
  readonly of: "review" | "latest_charge.review";
}

function openReview(id: string): Stripe.Review {
  return {
    id: `prv_${id}`,
    object: "review",
    billing_zip: null,
    charge: "ch_3Q1",
    closed_reason: null,
    created: 1795159714,
    ip_address: null,
    ip_address_location: null,
    livemode: false,
    open: true,
    opened_reason: "rule",
    payment_intent: id,
    reason: "rule",
    session: null,
  };
}

/** A copy of the intent in which only the objects at the paths `expanded` are more than their ids. */
function expand(
  intent: Readonly<Record<string, unknown>>,
  expanded: ReadonlySet<string>,
  reviewed?: StripeReviewOf,
): Record<string, unknown> {
  const unknown = [...expanded].find((path) => !EXPANDABLE.has(path));
  if (unknown !== undefined) throw new ApiError(400, "property_not_expandable");
  const at = (path: string, object: unknown, id: string): unknown => (expanded.has(path) ? object : id);
  const reviewAt = (path: StripeReviewOf["of"]): unknown =>
    reviewed?.of === path ? at(path, reviewed.review, reviewed.review.id) : null;
  const { latest_charge: charge } = intent;
  // A path expands its parents.
  const isCharge = [...expanded].some((path) => path.startsWith("latest_charge"));
  const openCharge =
    charge === null ? null : { ...(charge as object), review: reviewAt("latest_charge.review") };
  return {
    ...structuredClone(intent),
    latest_charge: isCharge ? structuredClone(openCharge) : "ch_3Q1",
    customer: at("customer", intent["customer"], "cus_1"),
    review: reviewAt("review"),
  };
}

async function respond(answering: Promise<unknown>, response: ServerResponse): Promise<void> {
  response.setHeader("content-type", "application/json");
  try {
    response.end(JSON.stringify(await answering));
  } catch (error) {
    const { status = 500, code = "api_error" } = error as { status?: number; code?: string };
    const type = status >= 500 ? "api_error" : "invalid_request_error";
    response.statusCode = status;
    response.end(JSON.stringify({ error: { type, code, message: code } }));
  }
}
