import { randomUUID } from "node:crypto";
import type { ErrorRequestHandler, IRouter, Request, RequestHandler } from "express";
import { refusalOf } from "../../base/refusals.ts";
import { isHoldfastError } from "../../base/errors.ts";
import { sendMethodNotAllowed, sendProblem, toRetryAfter } from "./responses.ts";
import type { Logger } from "../../base/logger.ts";

const RETRY_AFTER_SECONDS = 5;

/** Hand a handler's failure on, as Express 5 does by itself: Express 4, which a shop may have, leaves the request unanswered. */
export function forwardFailure(handler: RequestHandler): RequestHandler {
  return async (req, res, next) => {
    try {
      await handler(req, res, next);
    } catch (error) {
      next(error);
    }
  };
}

/** Serve an address for reading. Other methods are answered with 405. */
export function serveGet(app: Pick<IRouter, "route">, path: string, handler: RequestHandler): void {
  app
    .route(path)
    .get(forwardFailure(handler))
    .all((_req, res) => sendMethodNotAllowed(res, ["GET", "HEAD"]));
}

/**
 * The last resort of every route: 503 for temporary failures, 400 for a URL that can't be decoded, and 500 with a random error
 * ID for the rest. The reason goes to the log, never to the caller.
 */
export function createErrorHandler(parts: {
  readonly logger: Logger;
  readonly now: () => number;
}): ErrorRequestHandler {
  // Express recognizes error handlers by their four parameters.
  return (error: unknown, req, res, _next) => {
    if (res.headersSent) {
      parts.logger.error({ err: error, ...toPlace(req) }, "a response was interrupted");
      req.destroy();
      return;
    }
    if (isHoldfastError(error, ...PASSING)) {
      parts.logger.warn({ err: error, ...toPlace(req) }, "a request couldn't be served for now");
      const { code, retryAtMs } = error;
      const retryAfter = toRetryAfter(retryAtMs, parts.now(), RETRY_AFTER_SECONDS);
      sendProblem(res, { ...refusalOf(503, "unavailable"), code }, { "Retry-After": retryAfter });
    } else if (isUnreadable(error)) {
      sendProblem(res, refusalOf(400, "url-encoding"));
    } else {
      const errorId = randomUUID();
      parts.logger.error({ err: error, errorId, ...toPlace(req) }, "a request failed");
      sendProblem(res, { ...refusalOf(500, "failed"), errorId });
    }
  };
}

const PASSING = ["STORE_UNAVAILABLE", "SHUTTING_DOWN", "PLATFORM_THROTTLED", "PLATFORM_UNAVAILABLE"] as const;

/** The router's own error for a parameter that can't be decoded. */
function isUnreadable(error: unknown): boolean {
  return error instanceof URIError && "status" in error && error.status === 400;
}

/** The route's pattern, not the address: addresses carry order ids and session tokens. */
function toPlace(req: Request): { readonly method: string; readonly route: string } {
  const route: unknown = req.route;
  const isNamed = typeof route === "object" && route !== null && "path" in route;
  return { method: req.method, route: isNamed ? String(route.path) : "none" };
}
