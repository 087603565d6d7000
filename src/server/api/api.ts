import { Router, type RequestHandler } from "express";
import { createAccessLogRoutes } from "./access-log-routes.ts";
import type { ApiMethod, ApiOperation, ApiRoute } from "./api-route.ts";
import { createAuthenticator, sendNoAccess, type Authenticator } from "../sign-in/auth.ts";
import { createCoverageRoutes } from "./coverage-routes.ts";
import { createCreditRoutes } from "./credit-routes.ts";
import { createCrossOrigin } from "../http/cross-origin.ts";
import { createDataRequestRoutes } from "./data-request-routes.ts";
import { createDecisionRoutes } from "./decision-routes.ts";
import { createOrderRoutes } from "./order-routes.ts";
import { createOverviewRoutes } from "./overview-routes.ts";
import { createPeopleRoutes } from "./people-routes.ts";
import { createPolicyRoutes } from "./policy-routes.ts";
import { createPolicyVersionRoutes } from "./policy-version-routes.ts";
import { createOpenApi } from "./openapi.ts";
import { sendMethodNotAllowed, sendProblem } from "../http/responses.ts";
import { createReplayRoutes } from "./replay-routes.ts";
import { createReportRoutes } from "./report-routes.ts";
import { discardRest } from "../http/request-body.ts";
import { isAtLeast } from "../../store/people/roles.ts";
import type { ServerParts } from "../server-parts.ts";
import { createSessionRoutes } from "./session-routes.ts";
import { createSettingsRoutes } from "./settings-routes.ts";
import { createSetupRoutes } from "./setup-routes.ts";

/** The JSON API below `/api`: a table of routes, each behind the same sign-in. */
export function createApi(parts: ServerParts): RequestHandler {
  const authenticator = createAuthenticator(parts);
  const router = Router({ caseSensitive: true });
  const crossOrigin = createCrossOrigin(parts.platforms);

  function serve(route: ApiRoute): RequestHandler {
    return async (req, res) => {
      const operation = toOperation(route, req.method);
      if (operation?.role === null) return operation.handle({ req, res });
      const access = await authenticator.authenticate(req);
      if (access.outcome !== "granted") {
        sendNoAccess(res, access, parts.now());
        return discardRest(req);
      }
      if (operation === undefined) {
        sendMethodNotAllowed(res, toAllowed(route));
        return discardRest(req);
      }
      if (!isAtLeast(access.session.role, operation.role)) {
        sendProblem(res, {
          status: 403,
          detail: `Requires the ${operation.role} role. Ask an owner for access.`,
        });
        return discardRest(req);
      }
      return operation.handle({ session: access.session, req, res });
    };
  }

  const routes = createApiRoutes(parts, authenticator);
  router.get("/api/openapi.json", createOpenApi(routes, parts.about.version));
  // Whole paths, not a mount: the error log names the route that failed.
  for (const route of routes) router.all(`/api${route.path}`, crossOrigin(route), serve(route));
  return router;
}

/**
 * Every address of the API.
 *
 * @param authenticator - Signs people in. Default: a new one.
 */
export function createApiRoutes(
  parts: ServerParts,
  authenticator: Authenticator = createAuthenticator(parts),
): readonly ApiRoute[] {
  return [
    ...createSessionRoutes(parts, authenticator),
    ...createOrderRoutes(parts),
    ...createDecisionRoutes(parts),
    ...createPolicyRoutes(parts),
    ...createPolicyVersionRoutes(parts),
    ...createReplayRoutes(parts),
    ...createReportRoutes(parts),
    ...createCreditRoutes(parts),
    ...createDataRequestRoutes(parts),
    ...createAccessLogRoutes(parts),
    ...createPeopleRoutes(parts),
    ...createCoverageRoutes(parts),
    ...createSettingsRoutes(parts),
    ...createSetupRoutes(parts),
    ...createOverviewRoutes(parts),
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
