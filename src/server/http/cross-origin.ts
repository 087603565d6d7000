import type { RequestHandler } from "express";
import type { Platform } from "../../platform/platform.ts";
import { toMethods, type ApiRoute } from "./api-route.ts";
import { discardRest } from "./request-body.ts";
import { toSafeSources } from "./security-headers.ts";

/** How long a browser may remember that it may ask, in seconds. */
const MAX_AGE_SECONDS = 600;

/**
 * Create the middleware that lets a platform's own pages use the few operations meant for them ({@link ApiOperation} with
 * `crossOrigin`). No cookies are sent. Callers sign in with a session token, as everyone else does.
 */
export function createCrossOrigin(platforms: readonly Platform[]): (route: ApiRoute) => RequestHandler {
  const origins: ReadonlySet<string | undefined> = new Set(
    platforms.flatMap(({ apiOrigins }) => toSafeSources(apiOrigins ?? [])),
  );
  return (route) => {
    const methods = toMethods(route, ({ crossOrigin }) => crossOrigin === true);
    return (req, res, next) => {
      if (methods.length === 0) return next();
      res.vary("Origin");
      const { origin } = req.headers;
      if (origin === undefined || !origins.has(origin)) return next();
      const asked = req.headers["access-control-request-method"];
      if (!methods.includes(req.method === "OPTIONS" ? (asked ?? "") : req.method)) return next();
      res.setHeader("Access-Control-Allow-Origin", origin);
      if (req.method !== "OPTIONS") return next();
      res.setHeader("Access-Control-Allow-Methods", methods.join(", "));
      res.setHeader("Access-Control-Allow-Headers", "authorization, content-type, if-match");
      res.setHeader("Access-Control-Max-Age", MAX_AGE_SECONDS);
      res.writeHead(204).end();
      discardRest(req);
    };
  };
}
