import type { FastifyReply, FastifyRequest, RawServerBase, RouteGenericInterface } from "fastify";
import {
  continueAfter,
  createOrderGuard,
  guardUntilClosed,
  PROBLEM_MEDIA_TYPE,
  type AbandonedOrder,
  type GuardedOrder,
  type HoldfastError,
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
  const guard = createOrderGuard(options);
  // Takes `done` and is not async: a hook whose promise resolves always goes on, even after the client hung up.
  return (anyRequest, anyReply, done) => {
    // The host's functions are typed for HTTP/1 requests. Over HTTP/2 only `raw` differs.
    const [request, reply] = [anyRequest as FastifyRequest, anyReply as FastifyReply];
    const next = createNext(request, done);
    const handle = async (): Promise<boolean> => {
      // Watches the response and not `request.signal`: Node ends that one when the body was read, before this hook runs.
      const order = await guardUntilClosed(guard, request, reply.raw);
      if ("check" in order && order.check !== undefined) request.orderCheck = order.check;
      // The host goes on without an error, whatever it passes to its `next`.
      return await respond(options, request, reply, () => next(), order);
    };
    void continueAfter(handle, next);
  };
}

type Next = (error?: Error) => void;

/** Calls `done` at most once: a second call would run the route's handler again. */
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

/** Resolves to whether the route's handler runs. */
async function respond(
  options: VerifyOrderOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  next: () => void,
  order: GuardedOrder | AbandonedOrder,
): Promise<boolean> {
  switch (order.outcome) {
    case "accepted":
      return true;
    case "held":
      if (options.onHold === undefined) return true;
      await sendReturned(reply, options.onHold(request, reply, order.check, next));
      return false;
    case "refused":
      if (options.onCancel === undefined) sendProblem(reply, order.problem);
      else await sendReturned(reply, options.onCancel(request, reply, order.check, next));
      return false;
    case "invalid":
      if (options.onInvalid === undefined) sendProblem(reply, order.problem);
      else await sendReturned(reply, options.onInvalid(request, reply, order.error, next));
      return false;
    case "abandoned":
      return false;
  }
}

async function sendReturned(reply: FastifyReply, returned: unknown): Promise<void> {
  const payload = await returned;
  if (payload !== undefined && !reply.sent) reply.send(payload);
}

/** Sends text, so that a response schema of the route does not drop fields. */
function sendProblem(reply: FastifyReply, problem: Problem): void {
  reply
    .code(problem.status)
    .header("content-type", PROBLEM_MEDIA_TYPE)
    .header("cache-control", "no-store")
    .send(JSON.stringify(problem));
}
