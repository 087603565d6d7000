import type { NextFunction, Request, RequestHandler, Response } from "express";
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

declare global {
  // The namespace that Express's types reserve for additions to its request.
  namespace Express {
    interface Request {
      /** The result of {@link verifyOrder} for this request's order. */
      orderCheck?: OrderCheck | undefined;
    }
  }
}

/** Answers the request instead of the next handler, or calls `next` to continue. */
export type CheckHandler = (
  req: Request,
  res: Response,
  check: OrderCheck,
  next: NextFunction,
) => void | Promise<void>;

/** Answers a request whose order can't be checked. `error` lists the invalid fields. */
export type InvalidOrderHandler = (
  req: Request,
  res: Response,
  error: HoldfastError,
  next: NextFunction,
) => void | Promise<void>;

/** Options of {@link verifyOrder}. */
export interface VerifyOrderOptions extends OrderGuardOptions<Request, CheckHandler, InvalidOrderHandler> {
  /**
   * The customer's IP address. Replaces the one in the order. Default: the order's own, since only the host knows its
   * proxies. Use `(req) => req.ip` once `trust proxy` is set. Don't read a forwarded header yourself: anybody can set
   * it.
   */
  readonly ip?: ((req: Request) => string | undefined) | undefined;
}

/**
 * Create a middleware for Express 4 and 5 that checks an order before the next handlers run, and puts the result in
 * `req.orderCheck`.
 *
 * `allow`, `tag` and `hold` continue; `cancel` gets a 403. Other errors go to the app's error handler. If the client
 * disconnects during the check, or another middleware has answered it (a timeout), no later handler runs: nobody would
 * see the response, and the same request sent again gets the stored result.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a `deadlineMs` that is not a positive number.
 */
export function verifyOrder(options: VerifyOrderOptions): RequestHandler {
  const guard = createOrderGuard(options);
  return (req, res, next) => {
    const handle = async (): Promise<boolean> => {
      const order = await guardUntilClosed(guard, req, res);
      if ("check" in order && order.check !== undefined) req.orderCheck = order.check;
      return (
        order.outcome !== "abandoned" && (await respond(options, req, res, unlessAnswered(res, next), order))
      );
    };
    // Express 4 ignores what a middleware returns, so a failure goes to `next`.
    void continueAfter(handle, next);
  };
}

/** Continues only while somebody waits for the answer. Errors are still reported. */
function unlessAnswered(res: Response, next: NextFunction): NextFunction {
  return (error?: unknown) => {
    if (error instanceof Error || !isAnswered(res)) next(error);
  };
}

/** Resolves to whether the next handler runs. */
async function respond(
  { onHold, onCancel, onInvalid }: VerifyOrderOptions,
  req: Request,
  res: Response,
  next: NextFunction,
  order: GuardedOrder,
): Promise<boolean> {
  const ended = async (handled: void | Promise<void>): Promise<boolean> => {
    await handled;
    return false;
  };
  return answerGuarded<boolean>(order, {
    next: () => true,
    onHold: onHold && ((check) => ended(onHold(req, res, check, next))),
    onCancel: onCancel && ((check) => ended(onCancel(req, res, check, next))),
    onInvalid: onInvalid && ((error) => ended(onInvalid(req, res, error, next))),
    toProblem: (problem) => {
      sendProblem(res, problem);
      return false;
    },
  });
}

function sendProblem(res: Response, problem: Problem): void {
  res.statusCode = problem.status;
  res.setHeader("Content-Type", PROBLEM_MEDIA_TYPE);
  res.setHeader("Cache-Control", "no-store");
  res.end(JSON.stringify(problem));
}
