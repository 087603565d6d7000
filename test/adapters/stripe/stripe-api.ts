import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { readHostPayload } from "../../support/host-orders.ts";

/** Parameters that the published API accepts; another one is refused, as Stripe does (`parameter_unknown`). */
const PARAMETERS: Readonly<Record<string, RegExp>> = {
  retrieve: /^expand\[\d+\]$/,
  capture: /^(?:amount_to_capture|final_capture|expand\[\d+\])$/,
  cancel: /^(?:cancellation_reason|expand\[\d+\])$/,
};
const REASONS = new Set(["abandoned", "duplicate", "fraudulent", "requested_by_customer"]);

/** One call of the API that changes a payment. */
export interface StripeCall {
  readonly action: string;
  readonly id: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly key: string | undefined;
}

/**
 * Stripe's payment intents, which can't run here: retrieve, capture and cancel with the statuses, idempotency keys and errors of the
 * published API. The real `stripe` package calls it.
 */
export interface StripeApi {
  readonly port: number;
  readonly calls: readonly StripeCall[];
  readonly retrieved: number;
  status(id: string): string;
  /** Authorize a payment of 17.50 USD. */
  authorize(id: string, changes?: Readonly<Record<string, unknown>>): void;
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
  const answered = new Map<string, { readonly request: string; readonly answer: unknown }>();
  const calls: StripeCall[] = [];
  let retrieved = 0;
  let failure: number | undefined;

  const find = (id: string): Record<string, unknown> => {
    const intent = intents.get(id);
    if (intent === undefined) throw new ApiError(404, "resource_missing");
    return intent;
  };

  function change({ action, id, parameters }: StripeCall): unknown {
    const intent = find(id);
    if (intent["status"] !== "requires_capture") throw new ApiError(400, "payment_intent_unexpected_state");
    if (action === "cancel") {
      if (!REASONS.has(parameters["cancellation_reason"] ?? "abandoned"))
        throw new ApiError(400, "parameter_invalid");
      Object.assign(intent, { status: "canceled", amount_capturable: 0 });
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
    const intent = structuredClone(find(id));
    const expanded = Object.values(parameters);
    for (const [name, plain] of [
      ["latest_charge", "ch_3Q1"],
      ["customer", "cus_1"],
    ] as const)
      if (!expanded.includes(name)) intent[name] = plain;
    return intent;
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
    failNext: (status) => void (failure = status),
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
