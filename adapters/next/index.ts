import {
  answerGuarded,
  checkOptions,
  copyForOrder,
  createOrderGuard,
  guardUntilAborted,
  toProblemResponse,
  type OrderGuardOptions,
} from "../../src/adapter-kit.ts";
import type { HoldfastError, OrderCheck, Screener } from "../../src/index.ts";

/** A handler of a checked order. `context` is what Next gives a route handler: its `params`. */
export type CheckedHandler<R extends Request, C> = (
  request: R,
  check: OrderCheck,
  context: C,
) => Response | Promise<Response>;

/** Answers the request instead of its handler. `next` runs the handler. */
export type CheckHandler<R extends Request> = (
  request: R,
  check: OrderCheck,
  next: () => Promise<Response>,
) => Response | Promise<Response>;

/** Answers a request whose order can't be checked. `error` lists the invalid fields. */
export type InvalidOrderHandler<R extends Request> = (
  request: R,
  error: HoldfastError,
) => Response | Promise<Response>;

/** Options of {@link verifyOrder}. */
export interface VerifyOrderOptions<R extends Request> extends OrderGuardOptions<
  R,
  CheckHandler<R>,
  InvalidOrderHandler<R>
> {
  /** The screener, from `createScreener`, created once in its own module. Routes can share it. */
  readonly screener: Pick<Screener, "check" | "on">;
  /** `after` from `next/server`: keeps a serverless function alive for an answer that comes after the deadline. */
  readonly waitUntil?: ((promise: Promise<unknown>) => void) | undefined;
}

/**
 * Create a route handler for Next's app router on the Node runtime: it checks the order, then runs `handler` with the
 * check. The handler can still read the body. If the body was read before, `order` gets the request itself: use the
 * parsed body from its closure.
 *
 * `allow`, `tag` and `hold` run the handler; `cancel` gets a 403. For other errors the promise rejects, and Next answers 500.
 *
 * Don't read `x-forwarded-for` in `ip` without a proxy of your own in front: Next passes on what the client sent.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a `deadlineMs` that is not a positive number.
 */
export function verifyOrder<R extends Request = Request, C = unknown>(
  options: VerifyOrderOptions<R>,
  handler: CheckedHandler<R, C>,
): (request: R, context: C) => Promise<Response> {
  const guard = createOrderGuard(options);
  checkOptions("verifyOrder's arguments", { handler }, { handler: { is: "function", isRequired: true } });
  const { onHold, onCancel, onInvalid } = options;
  return async (request, context) => {
    const order = await guardUntilAborted(guard, request, request.signal, copyForOrder(request));
    const run = async (check: OrderCheck): Promise<Response> => {
      request.signal.throwIfAborted();
      return await handler(request, check, context);
    };
    return await answerGuarded<Response>(order, {
      next: run,
      onHold: onHold && (async (check) => await onHold(request, check, async () => await run(check))),
      onCancel: onCancel && (async (check) => await onCancel(request, check, async () => await run(check))),
      onInvalid: onInvalid && (async (error) => await onInvalid(request, error)),
      toProblem: toProblemResponse,
    });
  };
}
