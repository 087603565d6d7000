import { toOwnFields } from "../order/own-fields.ts";
import type { VerificationOrder } from "./read-order.ts";
import type { ServerResponse } from "node:http";
import { assertDeadline } from "../base/waiting.ts";
import { HoldfastError, isHoldfastError, toConfigError, toFieldsError } from "../base/errors.ts";
import { toInvalidOrderProblem, toRefusalProblem, type Problem } from "../base/problem.ts";
import { withIpAddress } from "../order/ip-address.ts";
import { checkOptions, type OptionRules } from "../base/options.ts";
import { withWaitUntil, type OrderCheck, type Screener } from "./order-check.ts";

/**
 * The options of a host adapter's `verifyOrder`. `R` is the host's request; `OnCheck` and `OnInvalid` are the host's handlers.
 */
export interface OrderGuardOptions<R, OnCheck = unknown, OnInvalid = unknown> {
  /** The screener, from `createScreener`. Routes can share one. */
  readonly screener: Pick<Screener, "check"> & Partial<Pick<Screener, "on">>;
  /**
   * Reads the order from a request, in the verification service's format and in major currency units. May throw
   * `ORDER_INVALID`. A Web request is a copy, so that its body can be read again.
   */
  readonly order: (request: R) => VerificationOrder | Promise<VerificationOrder>;
  /** Time limit in milliseconds. After it, the check answers without the service. Default: no limit. */
  readonly deadlineMs?: number | undefined;
  /** The customer's IP address. Replaces the order's own. Default: the order's own. */
  readonly ip?: ((request: R) => string | undefined) | undefined;
  /** Keeps a serverless function alive for an answer that comes after the deadline. Needs the screener's `on`. */
  readonly waitUntil?: ((promise: Promise<unknown>, request: R) => void) | undefined;
  /** Default: the handler runs and finds `hold` in its check's action. */
  readonly onHold?: OnCheck | undefined;
  /** Default: 403 with a problem document that doesn't say why. */
  readonly onCancel?: OnCheck | undefined;
  /** Default: 422 with a problem document that lists the invalid fields, or 400 for a body that isn't JSON. */
  readonly onInvalid?: OnInvalid | undefined;
}

/** The outcome of a guarded order. A host adapter turns it into its host's response. */
export type GuardedOrder =
  /** Run the next handler. */
  | { readonly outcome: "accepted"; readonly check: OrderCheck }
  /** Run the next handler, unless the host handles held orders itself. */
  | { readonly outcome: "held"; readonly check: OrderCheck }
  /** Answer with `problem` (403), unless the host handles canceled orders itself. */
  | { readonly outcome: "refused"; readonly check: OrderCheck; readonly problem: Problem }
  /** Answer with `problem` (422), unless the host handles invalid orders itself. */
  | { readonly outcome: "invalid"; readonly error: HoldfastError; readonly problem: Problem };

/** What a host does for each outcome of a guarded order. `T` is its response, or the value that it continues with. */
export interface GuardAnswers<T> {
  /** Run the next handler. */
  readonly next: (check: OrderCheck) => T | Promise<T>;
  readonly onHold?: ((check: OrderCheck) => T | Promise<T>) | undefined;
  readonly onCancel?: ((check: OrderCheck) => T | Promise<T>) | undefined;
  readonly onInvalid?: ((error: HoldfastError) => T | Promise<T>) | undefined;
  /** The answer for anything the host doesn't handle itself. */
  readonly toProblem: (problem: Problem) => T;
}

/** Answer a guarded order, with the host's own handler if there is one. */
export async function answerGuarded<T>(order: GuardedOrder, answers: GuardAnswers<T>): Promise<T> {
  const { next, onHold = next, onCancel, onInvalid, toProblem } = answers;
  switch (order.outcome) {
    case "accepted":
      return await next(order.check);
    case "held":
      return await onHold(order.check);
    case "refused":
      return onCancel === undefined ? toProblem(order.problem) : await onCancel(order.check);
    case "invalid":
      return onInvalid === undefined ? toProblem(order.problem) : await onInvalid(order.error);
  }
}

/**
 * The client hung up during the check, or another layer of the app has answered it. Nothing is left to answer. `check` is
 * present when the check still finished.
 */
export interface AbandonedOrder {
  readonly outcome: "abandoned";
  readonly check?: OrderCheck | undefined;
}

/**
 * Checks the order of one request. `source` is what `order` reads from: a copy of the request where a body can be read only
 * once. Default: the request itself.
 *
 * Rejects with whatever fails other than an invalid order.
 */
export type RequestGuard<R> = (
  request: R,
  signal: AbortSignal | undefined,
  source?: R,
) => Promise<GuardedOrder>;

/**
 * Create the guard that every host adapter shares: it reads the order, checks it, and says what the host does next.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a `deadlineMs` that is not a positive number, and without a screener or `order`.
 */
export function createOrderGuard<R>(options: OrderGuardOptions<R>): RequestGuard<R> {
  const { screener, order: readFrom, deadlineMs, ip, waitUntil } = checkGuardOptions(options);
  if (screener === undefined || (waitUntil !== undefined && screener.on === undefined)) {
    throw toConfigError(`"screener": expected ${OPTIONS.screener.expected}`);
  }
  const screenerFor = (request: R): Pick<Screener, "check"> =>
    waitUntil === undefined
      ? screener
      : withWaitUntil(screener as Screener, (promise) => waitUntil(promise, request));
  return async (request, signal, source = request) => {
    try {
      const read = await readFrom(source);
      const order = ip === undefined ? read : withIpAddress(toOwnFields(read), ip(request));
      return toGuarded(await screenerFor(request).check(order, { deadlineMs, signal, placedNow: true }));
    } catch (error) {
      if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
      return { outcome: "invalid", error, problem: toInvalidOrderProblem(error) };
    }
  };
}

const OPTIONS = {
  screener: {
    expected: "the result of createScreener",
    is: ["check"],
  },
  order: { is: "function", expected: "a function that returns the order of a request", isRequired: true },
  deadlineMs: true,
  ip: "function",
  waitUntil: "function",
  onHold: "function",
  onCancel: "function",
  onInvalid: "function",
} as const satisfies OptionRules<OrderGuardOptions<never>>;

/**
 * Check the options of a `verifyOrder`, whose host may give it the screener later. Returns them.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the option at fault.
 */
export function checkGuardOptions<T extends object>(given: T): T {
  const options = checkOptions<Partial<OrderGuardOptions<never>>>("verifyOrder", given, OPTIONS);
  assertDeadline(options.deadlineMs);
  return options as T;
}

function toGuarded(check: OrderCheck): GuardedOrder {
  if (check.action === "cancel") return { outcome: "refused", check, problem: toRefusalProblem() };
  return { outcome: check.action === "hold" ? "held" : "accepted", check };
}

/**
 * Guard a request of a host with Web requests. Rejects with the signal's reason once the client has hung up, also if the
 * check still finished: nobody would see what the handler answers. Not every host's request has a signal. A layer that
 * answers in the handler's place, such as a timeout, has to abort the signal to be noticed.
 */
export async function guardUntilAborted<R>(
  guard: RequestGuard<R>,
  request: R,
  signal: AbortSignal | undefined,
  source?: R,
): Promise<GuardedOrder> {
  const guarded = await guard(request, signal, source);
  signal?.throwIfAborted();
  return guarded;
}

/**
 * The signal that aborts once nobody waits for the answer of a Web request: its own, unless it carries Node's response, as
 * requests of srvx do, the server of Nitro 3. Nitro 3.0.0 aborts a request's own signal as soon as its body was read,
 * while the customer waits. Then the response's end counts.
 */
export function toClientSignal(request: Request): AbortSignal {
  const { runtime } = request as { runtime?: { node?: { res?: WatchedResponse } } };
  const response = runtime?.node?.res;
  if (response === undefined) return request.signal;
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (isAnswered(response)) abort();
  response.once("close", abort);
  return controller.signal;
}

/**
 * A copy of a Web request for `order`, because a body can be read only once. If the body isn't JSON, the copy's `json()`
 * rejects with `ORDER_INVALID`, which is answered with a 400. If the body was read before, `order` gets the request
 * itself, and uses what the caller parsed.
 */
export function copyForOrder<R extends Request>(request: R): R {
  if (request.bodyUsed) return request;
  const copy = request.clone() as R;
  const json = copy.json.bind(copy);
  return Object.assign(copy, { json: async () => await readJson(json) });
}

/**
 * Read a request's body with `json`, the host's own function. If the body isn't JSON, this rejects with `ORDER_INVALID`,
 * which is answered with a 400.
 */
export async function readJson(json: () => Promise<unknown>): Promise<unknown> {
  try {
    return await json();
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const fields = [{ path: "", message: "expected JSON" }];
    throw toFieldsError("ORDER_INVALID", "the request's body isn't JSON", fields, cause);
  }
}

/** The part of a Node response that shows whether the client still waits for an answer. */
export type WatchedResponse = Pick<
  ServerResponse,
  "closed" | "headersSent" | "writableEnded" | "once" | "off"
>;

/** Whether nobody waits for an answer any more: the client is gone, or another layer, such as a timeout, has answered. */
export function isAnswered(response: Pick<WatchedResponse, "closed" | "writableEnded">): boolean {
  return response.closed || response.writableEnded;
}

/**
 * Guard a request of a Node server. If the response ends or begins during the check for any reason, the order is
 * `abandoned`, and no failure is reported. If it ends, the check is aborted.
 */
export async function guardUntilClosed<R>(
  guard: RequestGuard<R>,
  request: R,
  response: WatchedResponse,
): Promise<GuardedOrder | AbandonedOrder> {
  const controller = new AbortController();
  const { signal } = controller;
  const abort = (): void => controller.abort();
  // A response that has begun before the check is a stream that the next handler continues.
  const isStream = response.headersSent;
  const isAbandoned = (): boolean => isAnswered(response) || response.headersSent !== isStream;
  if (isAnswered(response)) abort();
  response.once("close", abort);
  try {
    const guarded = await guard(request, signal);
    if (!isAbandoned()) return guarded;
    return { outcome: "abandoned", check: "check" in guarded ? guarded.check : undefined };
  } catch (error) {
    if (isAbandoned()) return { outcome: "abandoned" };
    throw error;
  } finally {
    response.off("close", abort);
  }
}

/**
 * Run `handle` and call `next` if it resolves to true, or with the error if it fails. Never rejects because of `handle`: a
 * host with callbacks ignores promises.
 *
 * `next` gets a real error even if something else was thrown. Express reads `"route"` as "go on" and Fastify reads a falsy
 * value as success, so such a value would let an unchecked order through.
 */
export async function continueAfter(
  handle: () => Promise<boolean>,
  next: (error?: Error) => void,
): Promise<void> {
  let goesOn: boolean;
  try {
    goesOn = await handle();
  } catch (error) {
    next(toError(error));
    return;
  }
  // Outside the try: an error of the next handler must not be reported twice.
  if (goesOn) next();
}

/** What was thrown, as an error: hosts read other values as "go on". */
export function toError(error: unknown): Error {
  if (error instanceof Error) return error;
  return new HoldfastError(
    "INTERNAL",
    "The order couldn't be read or checked: the code that failed threw a value that isn't an Error",
    { retryable: false, cause: error },
  );
}
