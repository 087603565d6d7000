import type { NextFunction, Request, RequestHandler, Response } from "express";
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
  assertDeadline(options.deadlineMs);
  return (req, res, next) => {
    void run(options, req, res, next);
  };
}

// Never rejects: Express 4 does not look at what a middleware returns, so an error has to be handed on by hand.
async function run(
  options: VerifyOrderOptions,
  req: Request,
  res: Response,
  next: NextFunction,
): Promise<void> {
  let goesOn: boolean;
  try {
    goesOn = await handle(options, req, res, next);
  } catch (error) {
    next(toError(error));
    return;
  }
  // Outside the try, so that no error of the handlers after this one is reported twice.
  if (goesOn) next();
}

/** Resolves to whether the next handler is to run. */
async function handle(
  options: VerifyOrderOptions,
  req: Request,
  res: Response,
  next: NextFunction,
): Promise<boolean> {
  const connection = watchConnection(res);
  try {
    req.orderCheck = await check(options, req, connection.signal);
  } catch (error) {
    if (connection.signal.aborted) return false;
    if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
    if (options.onInvalid === undefined) sendProblem(res, toInvalidOrderProblem(error));
    else await options.onInvalid(req, res, error, next);
    return false;
  } finally {
    connection.unwatch();
  }
  return !connection.signal.aborted && (await follow(options, req, res, next, req.orderCheck));
}

async function check(options: VerifyOrderOptions, req: Request, signal: AbortSignal): Promise<OrderCheck> {
  const read = await options.order(req);
  const order = options.ip === undefined ? read : withIpAddress(read, options.ip(req));
  return await options.screener.check(order, { deadlineMs: options.deadlineMs, signal, placedNow: true });
}

async function follow(
  options: VerifyOrderOptions,
  req: Request,
  res: Response,
  next: NextFunction,
  orderCheck: OrderCheck,
): Promise<boolean> {
  if (orderCheck.action === "cancel") {
    if (options.onCancel === undefined) sendProblem(res, toRefusalProblem());
    else await options.onCancel(req, res, orderCheck, next);
    return false;
  }
  if (orderCheck.action === "hold" && options.onHold !== undefined) {
    await options.onHold(req, res, orderCheck, next);
    return false;
  }
  return true;
}

/** A signal that aborts when the response is over, however it ended. */
function watchConnection(res: Response): { readonly signal: AbortSignal; readonly unwatch: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (res.closed) abort();
  res.once("close", abort);
  return { signal: controller.signal, unwatch: () => void res.off("close", abort) };
}

function sendProblem(res: Response, problem: Problem): void {
  res.statusCode = problem.status;
  res.setHeader("Content-Type", PROBLEM_MEDIA_TYPE);
  res.setHeader("Cache-Control", "no-store");
  res.end(JSON.stringify(problem));
}

/** Express reads `next()` with nothing, `"route"` or `"router"` as "go on": a rejection with one of them must not open the shop. */
function toError(error: unknown): Error {
  if (error instanceof Error) return error;
  return new HoldfastError(
    "INTERNAL",
    "reading or checking the order failed with something that is no error",
    {
      retryable: false,
      cause: error,
    },
  );
}
