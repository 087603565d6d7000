import type { FastifyReply, FastifyRequest, RawServerBase, RouteGenericInterface } from "fastify";
import {
  answerGuarded,
  continueAfter,
  createOrderGuard,
  guardUntilClosed,
  isAnswered,
  PROBLEM_MEDIA_TYPE,
  type GuardedOrder,
  type OrderGuardOptions,
  type Problem,
} from "../../src/adapter-kit.ts";
import type { HoldfastError, OrderCheck } from "../../src/index.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The result of {@link verifyOrder} for this request's order. */
    orderCheck?: OrderCheck | undefined;
  }
}

/**
 * Answers the request instead of its handler, or calls `next` to continue. As in any Fastify handler, what it returns is
 * sent unless it has replied itself.
 */
export type CheckHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  check: OrderCheck,
  next: () => void,
) => unknown;

/** Answers a request whose order can't be checked. `error` lists the invalid fields. */
export type InvalidOrderHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: HoldfastError,
  next: () => void,
) => unknown;

/** Options of {@link verifyOrder}. */
export interface VerifyOrderOptions extends OrderGuardOptions<
  FastifyRequest,
  CheckHandler,
  InvalidOrderHandler
> {
  /**
   * The customer's IP address. Replaces the one in the order. Default: the order's own, since only the host knows its
   * proxies. Use `(request) => request.ip` once `trustProxy` lists their addresses (Fastify ignores a number there).
   */
  readonly ip?: ((request: FastifyRequest) => string | undefined) | undefined;
}

/** A `preHandler` hook of Fastify 5, over HTTP/1 and 2: for one route, or with `addHook` for a whole plugin. */
export type OrderHook = (
  request: FastifyRequest<RouteGenericInterface, RawServerBase>,
  reply: FastifyReply<RouteGenericInterface, RawServerBase>,
  done: (error?: Error) => void,
) => void;

/**
 * Create a `preHandler` hook for Fastify 5 that checks an order before the handler runs, and puts the result in
 * `request.orderCheck`. You don't have to register anything.
 *
 * `allow`, `tag` and `hold` continue; `cancel` gets a 403. Other errors go to the error handler of the route's own
 * context. If the client disconnects during the check, or another hook has answered (a timeout), no later
 * handler runs: nobody would see the response, and the same request sent again gets the stored result.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a `deadlineMs` that is not a positive number.
 */
export function verifyOrder(options: VerifyOrderOptions): OrderHook {
  const guard = createOrderGuard(options);
  // Takes `done` and isn't async: after an async hook, Fastify always continues, even if the client has disconnected.
  return (anyRequest, anyReply, done) => {
    // The host's functions are typed for HTTP/1 requests. Over HTTP/2 only `raw` differs.
    const [request, reply] = [anyRequest as FastifyRequest, anyReply as FastifyReply];
    const next = createNext(request, done);
    const handle = async (): Promise<boolean> => {
      // Watches the response instead of `request.signal`, which Node aborts once the body was read, before this hook
      // runs.
      const order = await guardUntilClosed(guard, request, reply.raw);
      if ("check" in order && order.check !== undefined) request.orderCheck = order.check;
      // Fastify continues without an error, whatever the host passes to its `next`.
      const goOn = (): void => {
        if (!isAnswered(reply.raw)) next();
      };
      return order.outcome !== "abandoned" && (await respond(options, request, reply, goOn, order));
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
      if (error !== undefined) log.error({ err: error }, "the order's handler failed after it called next()");
      return;
    }
    called = true;
    done(error);
  };
}

/** Resolves to whether the route's handler runs. */
async function respond(
  { onHold, onCancel, onInvalid }: VerifyOrderOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  next: () => void,
  order: GuardedOrder,
): Promise<boolean> {
  const sent = async (returned: unknown): Promise<boolean> => {
    const payload = await returned;
    if (payload !== undefined && !reply.sent) reply.send(payload);
    return false;
  };
  return answerGuarded<boolean>(order, {
    next: () => true,
    onHold: onHold && ((check) => sent(onHold(request, reply, check, next))),
    onCancel: onCancel && ((check) => sent(onCancel(request, reply, check, next))),
    onInvalid: onInvalid && ((error) => sent(onInvalid(request, reply, error, next))),
    toProblem: (problem) => {
      sendProblem(reply, problem);
      return false;
    },
  });
}

/** Sends text, so that a response schema of the route does not drop fields. */
function sendProblem(reply: FastifyReply, problem: Problem): void {
  reply
    .code(problem.status)
    .header("content-type", PROBLEM_MEDIA_TYPE)
    .header("cache-control", "no-store")
    .send(JSON.stringify(problem));
}
