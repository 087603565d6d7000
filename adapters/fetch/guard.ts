import {
  createOrderGuard,
  PROBLEM_MEDIA_TYPE,
  type GuardedOrder,
  type HoldfastError,
  type OrderCheck,
  type Problem,
  type Screener,
} from "../../src/index.ts";

/** Handles a request whose order was checked; the body is still unread. */
export type CheckedHandler<R extends Request = Request> = (
  request: R,
  check: OrderCheck,
) => Response | Promise<Response>;

/** Answers a request in place of its handler; `next` runs the handler after all. */
export type CheckHandler = (
  request: Request,
  check: OrderCheck,
  next: () => Promise<Response>,
) => Response | Promise<Response>;

/** Answers a request whose order cannot be checked. `error` carries the fields at fault. */
export type InvalidOrderHandler = (request: Request, error: HoldfastError) => Response | Promise<Response>;

/** Options of {@link verifyOrder}. */
export interface VerifyOrderOptions {
  /** Who checks: made by `createScreener`, shared between routes. */
  readonly screener: Pick<Screener, "check">;
  /** Reads the order out of a copy of the request, in the verification service's shape and in major units. May throw `ORDER_INVALID`. */
  readonly order: (request: Request) => unknown;
  /** Answer within this many milliseconds, from the service or without it. Default: as long as the service takes. */
  readonly deadlineMs?: number | undefined;
  /**
   * The customer's IP address, in place of any that the order carries. Default: the order's own, since a request does not say and a
   * forwarded header read as it comes lets anybody choose. Given the request itself, not the copy.
   */
  readonly ip?: ((request: Request) => string | undefined) | undefined;
  /** Default: the handler runs and finds `hold` in its check's action. */
  readonly onHold?: CheckHandler | undefined;
  /** Default: 403 with a problem document that does not say why. */
  readonly onCancel?: CheckHandler | undefined;
  /** Default: 422 with a problem document that names the fields at fault. */
  readonly onInvalid?: InvalidOrderHandler | undefined;
}

/** Checks a request's order, then runs its handler or answers in its place. */
export type OrderGuard = <R extends Request>(request: R, next: CheckedHandler<R>) => Promise<Response>;

/**
 * Create a guard for handlers that take a Web-standard `Request`: Next route handlers, Hono, and whatever else speaks it.
 *
 * `allow`, `tag` and `hold` run the handler with the check; `cancel` is answered. Whatever else goes wrong, and the
 * request's own abort, rejects: the framework's error handling takes it from there. The body must not have been
 * read before.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a `deadlineMs` that is not a positive number.
 */
export function verifyOrder(options: VerifyOrderOptions): OrderGuard {
  const guard = createOrderGuard(options);
  return async (request, next) => {
    const order = await guard(request, request.signal, request.clone());
    return await respond(options, request, next, order);
  };
}

async function respond<R extends Request>(
  options: VerifyOrderOptions,
  request: R,
  handler: CheckedHandler<R>,
  order: GuardedOrder,
): Promise<Response> {
  if (order.outcome === "invalid") {
    return options.onInvalid === undefined
      ? toResponse(order.problem)
      : await options.onInvalid(request, order.error);
  }
  const { check } = order;
  const next = async (): Promise<Response> => await handler(request, check);
  if (order.outcome === "refused") {
    return options.onCancel === undefined
      ? toResponse(order.problem)
      : await options.onCancel(request, check, next);
  }
  return order.outcome === "held" && options.onHold !== undefined
    ? await options.onHold(request, check, next)
    : await next();
}

function toResponse(problem: Problem): Response {
  const headers = { "Content-Type": PROBLEM_MEDIA_TYPE, "Cache-Control": "no-store" };
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}
