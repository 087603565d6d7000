import type { IRouter, RequestHandler } from "express";
import { forwardFailure } from "./error-response.ts";
import { discardRest } from "./request-body.ts";
import { sendMethodNotAllowed } from "./responses.ts";

/** Serve an address that can only be read; other methods are answered with 405. */
export function serveGet(app: Pick<IRouter, "route">, path: string, handler: RequestHandler): void {
  app
    .route(path)
    .get(forwardFailure(handler))
    .all((req, res) => {
      sendMethodNotAllowed(res, ["GET", "HEAD"]);
      discardRest(req);
    });
}
