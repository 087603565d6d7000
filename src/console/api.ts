import { Router, type RequestHandler } from "express";
import { createAccessLogRoutes } from "./access-log-routes.ts";
import type { ApiMethod, ApiOperation, ApiRoute } from "./api-route.ts";
import { createAuthenticator, sendNoAccess } from "./auth.ts";
import { createCoverageRoutes } from "./coverage-routes.ts";
import { createCreditRoutes } from "./credit-routes.ts";
import { createDataRequestRoutes } from "./data-request-routes.ts";
import { createOrderRoutes } from "./order-routes.ts";
import { createPolicyRoutes } from "./policy-routes.ts";
import { createOpenApi } from "./openapi.ts";
import { sendMethodNotAllowed, sendProblem } from "./problem-response.ts";
import { discardRest } from "./request-body.ts";
import { isAtLeast } from "./roles.ts";
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
      const operation = toOperation(route, req.method);
      if (operation === undefined) {
        sendMethodNotAllowed(res, toAllowed(route));
        return discardRest(req);
      }
      if (!isAtLeast(access.session.role, operation.role)) {
        sendProblem(res, { status: 403, detail: `this takes the role ${operation.role}` });
        return discardRest(req);
      }
      return operation.handle({ session: access.session, req, res });
    };
  }

  const routes = createApiRoutes(parts);
  router.get("/api/openapi.json", createOpenApi(routes, parts.about.version));
  // Whole paths, not a mount: the error log names the route that failed.
  for (const route of routes) router.all(`/api${route.path}`, serve(route));
  return router;
}

/** Every address of the API. */
export function createApiRoutes(parts: ServerParts): readonly ApiRoute[] {
  return [
    ...createOrderRoutes(parts),
    ...createPolicyRoutes(parts),
    ...createCreditRoutes(parts),
    ...createDataRequestRoutes(parts),
    ...createAccessLogRoutes(parts),
    ...createCoverageRoutes(parts),
  ];
}

function toOperation({ operations }: ApiRoute, method: string): ApiOperation | undefined {
  const name = method === "HEAD" ? "GET" : method;
  return isMethod(operations, name) ? operations[name] : undefined;
}

function isMethod(operations: ApiRoute["operations"], name: string): name is ApiMethod {
  return Object.hasOwn(operations, name);
}

function toAllowed({ operations }: ApiRoute): readonly string[] {
  return Object.keys(operations).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}
