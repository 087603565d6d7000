import type { NextFunction, Request, RequestHandler, Response } from "express";
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

declare global {
  // The namespace that Express's types reserve for additions to its request.
  namespace Express {
    interface Request {
      /** What {@link verifyOrder} found out about this request's order. */
      orderCheck?: OrderCheck | undefined;
    }
  }
}

/** Answers a request in place of the next handler, or calls `next` to go on after all. */
export type CheckHandler = (
  req: Request,
  res: Response,
  check: OrderCheck,
  next: NextFunction,
) => void | Promise<void>;

/** Answers a request whose order cannot be checked. `error` carries the fields at fault. */
export type InvalidOrderHandler = (
  req: Request,
  res: Response,
  error: HoldfastError,
  next: NextFunction,
) => void | Promise<void>;

/** Options of {@link verifyOrder}. */
export interface VerifyOrderOptions {
  /** Who checks: made by `createScreener`, shared between routes. */
  readonly screener: Pick<Screener, "check">;
  /** Reads the order out of the request, in the verification service's shape and in major units. May throw `ORDER_INVALID`. */
  readonly order: (req: Request) => unknown;
  /** Answer within this many milliseconds, from the service or without it. Default: as long as the service takes. */
  readonly deadlineMs?: number | undefined;
  /**
   * The customer's IP address, in place of any that the order carries. Default: the order's own, since only the host knows its proxies;
   * `(req) => req.ip` is right once `trust proxy` is, and a forwarded header read as it comes lets anybody choose.
   */
  readonly ip?: ((req: Request) => string | undefined) | undefined;
  /** Default: the next handler runs and finds `hold` in `req.orderCheck.action`. */
  readonly onHold?: CheckHandler | undefined;
  /** Default: 403 with a problem document that does not say why. */
  readonly onCancel?: CheckHandler | undefined;
  /** Default: 422 with a problem document that names the fields at fault. */
  readonly onInvalid?: InvalidOrderHandler | undefined;
}

/**
 * Create a middleware for Express 4 and 5 that checks an order before the handlers after it run, and leaves the outcome
 * in `req.orderCheck`.
 *
 * `allow`, `tag` and `hold` go on; `cancel` is answered. Whatever else goes wrong reaches the app's error handler. When
 * the client hangs up during the check, nothing after it runs: nobody would learn of the order, and the same
 * request sent again finds the answer kept.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a `deadlineMs` that is not a positive number.
 */
export function verifyOrder(options: VerifyOrderOptions): RequestHandler {
  const guard = createOrderGuard(options);
  return (req, res, next) => {
    const handle = async (): Promise<boolean> => {
      const order = await guardUntilClosed(guard, req, res);
      if ("check" in order && order.check !== undefined) req.orderCheck = order.check;
      return await respond(options, req, res, next, order);
    };
    // Express 4 ignores what a middleware returns, so a failure goes to `next`.
    void continueAfter(handle, next);
  };
}

/** Resolves to whether the next handler runs. */
async function respond(
  options: VerifyOrderOptions,
  req: Request,
  res: Response,
  next: NextFunction,
  order: GuardedOrder | AbandonedOrder,
): Promise<boolean> {
  switch (order.outcome) {
    case "accepted":
      return true;
    case "held":
      if (options.onHold === undefined) return true;
      await options.onHold(req, res, order.check, next);
      return false;
    case "refused":
      if (options.onCancel === undefined) sendProblem(res, order.problem);
      else await options.onCancel(req, res, order.check, next);
      return false;
    case "invalid":
      if (options.onInvalid === undefined) sendProblem(res, order.problem);
      else await options.onInvalid(req, res, order.error, next);
      return false;
    case "abandoned":
      return false;
  }
}

function sendProblem(res: Response, problem: Problem): void {
  res.statusCode = problem.status;
  res.setHeader("Content-Type", PROBLEM_MEDIA_TYPE);
  res.setHeader("Cache-Control", "no-store");
  res.end(JSON.stringify(problem));
}
