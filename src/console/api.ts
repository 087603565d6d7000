import { Router, type RequestHandler } from "express";
import { createAccessLogRoutes } from "./access-log-routes.ts";
import type { ApiHandler, ApiMethod, ApiRoute } from "./api-route.ts";
import { createAuthenticator, sendNoAccess } from "./auth.ts";
import { createCoverageRoutes } from "./coverage-routes.ts";
import { createCreditRoutes } from "./credit-routes.ts";
import { createDataRequestRoutes } from "./data-request-routes.ts";
import { createOrderRoutes } from "./order-routes.ts";
import { createPolicyRoutes } from "./policy-routes.ts";
import { sendMethodNotAllowed } from "./problem-response.ts";
import { discardRest } from "./request-body.ts";
import type { ServerParts } from "./server-parts.ts";

/** The JSON API below `/api`: a table of routes, each behind the same sign-in. */
export function createApi(parts: ServerParts): RequestHandler {
  const authenticate = createAuthenticator(parts);
  const router = Router({ caseSensitive: true });

  function serve(route: ApiRoute): RequestHandler {
    return async (req, res) => {
      const access = await authenticate(req);
      if (access.outcome !== "granted") {
        sendNoAccess(res, access, parts.now());
        return discardRest(req);
      }
      const handler = toHandler(route, req.method);
      if (handler === undefined) {
        sendMethodNotAllowed(res, toAllowed(route));
        return discardRest(req);
      }
      return handler({ session: access.session, req, res });
    };
  }

  const routes = [
    ...createOrderRoutes(parts),
    ...createPolicyRoutes(parts),
    ...createCreditRoutes(parts),
    ...createDataRequestRoutes(parts),
    ...createAccessLogRoutes(parts),
    ...createCoverageRoutes(parts),
  ];
  // Whole paths, not a mount: the error log names the route that failed.
  for (const route of routes) router.all(`/api${route.path}`, serve(route));
  return router;
}

function toHandler({ handlers }: ApiRoute, method: string): ApiHandler | undefined {
  const name = method === "HEAD" ? "GET" : method;
  return isMethod(handlers, name) ? handlers[name] : undefined;
}

function isMethod(handlers: ApiRoute["handlers"], name: string): name is ApiMethod {
  return Object.hasOwn(handlers, name);
}

function toAllowed({ handlers }: ApiRoute): readonly string[] {
  return Object.keys(handlers).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}
