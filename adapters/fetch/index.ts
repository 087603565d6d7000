import {
  answerGuarded,
  copyForOrder,
  createOrderGuard,
  guardUntilAborted,
  toClientSignal,
  toProblemResponse,
  type OrderGuardOptions,
} from "../../src/adapter-kit.ts";
import type { HoldfastError, OrderCheck } from "../../src/index.ts";

/** Handles a request whose order was checked; the body is still unread. */
export type CheckedHandler<R extends Request = Request> = (
  request: R,
  check: OrderCheck,
) => Response | Promise<Response>;

/** Answers the request instead of its handler. `next` runs the handler. */
export type CheckHandler = (
  request: Request,
  check: OrderCheck,
  next: () => Promise<Response>,
) => Response | Promise<Response>;

/** Answers a request whose order can't be checked. `error` lists the invalid fields. */
export type InvalidOrderHandler = (request: Request, error: HoldfastError) => Response | Promise<Response>;

/** Options of {@link verifyOrder}. */
export interface VerifyOrderOptions extends OrderGuardOptions<Request, CheckHandler, InvalidOrderHandler> {
  /**
   * The customer's IP address. Replaces the one in the order. Default: the order's own, since a `Request` has no
   * address. Don't read a forwarded header yourself: anybody can set it. Gets the request itself, not the copy.
   */
  readonly ip?: ((request: Request) => string | undefined) | undefined;
}

/** Checks a request's order, then runs its handler or answers in its place. */
export type OrderGuard = <R extends Request>(request: R, next: CheckedHandler<R>) => Promise<Response>;

/**
 * Create a guard for handlers that take a Web-standard `Request`: Next route handlers, Hono, and others.
 *
 * `allow`, `tag` and `hold` run the handler with the check; `cancel` gets a 403. For other errors, and when the request
 * is aborted, the promise rejects and the framework's error handling takes over. The request's signal is all that is
 * known about a client: if a timeout of yours answers first, it has to abort that signal, or the handler still runs. If the body was read before, `order`
 * gets the request itself: use the parsed body from its closure.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a `deadlineMs` that is not a positive number.
 */
export function verifyOrder(options: VerifyOrderOptions): OrderGuard {
  const guard = createOrderGuard(options);
  return async (request, next) => {
    const signal = toClientSignal(request);
    const order = await guardUntilAborted(guard, request, signal, copyForOrder(request));
    const { onHold, onCancel, onInvalid } = options;
    const goOn = (check: OrderCheck) => async () => {
      signal.throwIfAborted();
      return await next(request, check);
    };
    return await answerGuarded<Response>(order, {
      next: (check) => next(request, check),
      onHold: onHold && ((check) => onHold(request, check, goOn(check))),
      onCancel: onCancel && ((check) => onCancel(request, check, goOn(check))),
      onInvalid: onInvalid && ((error) => onInvalid(request, error)),
      toProblem: toProblemResponse,
    });
  };
}
