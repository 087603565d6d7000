import type { FastifyReply, FastifyRequest, RawServerBase, RouteGenericInterface } from "fastify";
import {
  assertDeadline,
  HoldfastError,
  isHoldfastError,
  PROBLEM_MEDIA_TYPE,
  toInvalidOrderProblem,
  toRefusalProblem,
  withIpAddress,
  type OrderCheck,
  type Problem,
  type Screener,
} from "../../src/index.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What {@link verifyOrder} found out about this request's order. */
    orderCheck?: OrderCheck | undefined;
  }
}

/**
 * Answers a request in place of its handler, or calls `next` to go on after all. As in any Fastify handler, what it returns is
 * sent unless it has replied itself.
 */
export type CheckHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  check: OrderCheck,
  next: () => void,
) => unknown;

/** Answers a request whose order cannot be checked. `error` carries the fields at fault. */
export type InvalidOrderHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: HoldfastError,
  next: () => void,
) => unknown;

/** Options of {@link verifyOrder}. */
export interface VerifyOrderOptions {
  /** Who checks: made by `createScreener`, shared between routes. */
  readonly screener: Pick<Screener, "check">;
  /** Reads the order out of the request, in the verification service's shape and in major units. May throw `ORDER_INVALID`. */
  readonly order: (request: FastifyRequest) => unknown;
  /** Answer within this many milliseconds, from the service or without it. Default: as long as the service takes. */
  readonly deadlineMs?: number | undefined;
  /**
   * The customer's IP address, in place of any that the order carries. Default: the order's own, since only the host knows its proxies;
   * `(request) => request.ip` is right once `trustProxy` names their addresses (Fastify ignores a number there).
   */
  readonly ip?: ((request: FastifyRequest) => string | undefined) | undefined;
  /** Default: the handler runs and finds `hold` in `request.orderCheck.action`. */
  readonly onHold?: CheckHandler | undefined;
  /** Default: 403 with a problem document that does not say why. */
  readonly onCancel?: CheckHandler | undefined;
  /** Default: 422 with a problem document that names the fields at fault. */
  readonly onInvalid?: InvalidOrderHandler | undefined;
}

/** A `preHandler` hook of Fastify 5, over HTTP/1 and 2: for one route, or with `addHook` for a whole plugin. */
export type OrderHook = (
  request: FastifyRequest<RouteGenericInterface, RawServerBase>,
  reply: FastifyReply<RouteGenericInterface, RawServerBase>,
  done: (error?: Error) => void,
) => void;

/**
 * Create a `preHandler` hook for Fastify 5 that checks an order before the handler runs, and leaves the outcome in
 * `request.orderCheck`. Nothing has to be registered.
 *
 * `allow`, `tag` and `hold` go on; `cancel` is answered. Whatever else goes wrong reaches the error handler of the
 * route's own context. When the client hangs up during the check, nothing after it runs: nobody would learn of the
 * order, and the same request sent again finds the answer kept.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a `deadlineMs` that is not a positive number.
 */
export function verifyOrder(options: VerifyOrderOptions): OrderHook {
  assertDeadline(options.deadlineMs);
  // With `done` and not async: a hook whose promise resolves always goes on, also after the client is gone.
  return (request, reply, done) => {
    // The host's functions are written for plain requests; over HTTP/2 only `raw` is another.
    void run(options, request as FastifyRequest, reply as FastifyReply, createNext(request, done));
  };
}

type Next = (error?: Error) => void;

// Never rejects: nobody would hear of it.
async function run(
  options: VerifyOrderOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  next: Next,
): Promise<void> {
  let goesOn: boolean;
  try {
    goesOn = await handle(options, request, reply, next);
  } catch (error) {
    next(toError(error));
    return;
  }
  if (goesOn) next();
}

/** `done` at most once: a second call would run the route's handler a second time. */
function createNext({ log }: Pick<FastifyRequest, "log">, done: Next): Next {
  let called = false;
  return (error) => {
    if (called) {
      if (error !== undefined) log.error({ err: error }, "the order's handler failed after next()");
      return;
    }
    called = true;
    done(error);
  };
}

/** Resolves to whether the route's handler is to run. */
async function handle(
  options: VerifyOrderOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  next: Next,
): Promise<boolean> {
  const connection = watchConnection(reply);
  try {
    request.orderCheck = await check(options, request, connection.signal);
  } catch (error) {
    if (connection.signal.aborted) return false;
    if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
    if (options.onInvalid === undefined) sendProblem(reply, toInvalidOrderProblem(error));
    else await sendReturned(reply, options.onInvalid(request, reply, error, toOpening(next)));
    return false;
  } finally {
    connection.unwatch();
  }
  return !connection.signal.aborted && (await follow(options, request, reply, next, request.orderCheck));
}

async function check(
  options: VerifyOrderOptions,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<OrderCheck> {
  const read = await options.order(request);
  const order = options.ip === undefined ? read : withIpAddress(read, options.ip(request));
  return await options.screener.check(order, { deadlineMs: options.deadlineMs, signal, placedNow: true });
}

async function follow(
  options: VerifyOrderOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  next: Next,
  orderCheck: OrderCheck,
): Promise<boolean> {
  if (orderCheck.action === "cancel") {
    if (options.onCancel === undefined) sendProblem(reply, toRefusalProblem());
    else await sendReturned(reply, options.onCancel(request, reply, orderCheck, toOpening(next)));
    return false;
  }
  if (orderCheck.action === "hold" && options.onHold !== undefined) {
    await sendReturned(reply, options.onHold(request, reply, orderCheck, toOpening(next)));
    return false;
  }
  return true;
}

/** What the host is given to go on with: whatever it passes along is no error. */
function toOpening(next: Next): () => void {
  return () => next();
}

async function sendReturned(reply: FastifyReply, returned: unknown): Promise<void> {
  const payload = await returned;
  if (payload !== undefined && !reply.sent) reply.send(payload);
}

/**
 * A signal that aborts when the response is over, however it ended. Not when the request is, as `request.signal` does: Node closes
 * that one as soon as its body has been read, which is before this hook.
 */
function watchConnection({ raw }: FastifyReply): {
  readonly signal: AbortSignal;
  readonly unwatch: () => void;
} {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (raw.closed) abort();
  raw.once("close", abort);
  return { signal: controller.signal, unwatch: () => void raw.off("close", abort) };
}

/** As text, so that no response schema of the route takes fields out of it. */
function sendProblem(reply: FastifyReply, problem: Problem): void {
  reply
    .code(problem.status)
    .header("content-type", PROBLEM_MEDIA_TYPE)
    .header("cache-control", "no-store")
    .send(JSON.stringify(problem));
}

/** Fastify takes a falsy error for none: a rejection with one must not open the shop. */
function toError(error: unknown): Error {
  if (error instanceof Error) return error;
  return new HoldfastError(
    "INTERNAL",
    "reading or checking the order failed with something that is no error",
    { retryable: false, cause: error },
  );
}
