import { Router, type Request, type RequestHandler, type Response } from "express";
import { refusalOf } from "../../base/refusals.ts";
import { createAccessLogRoutes } from "./people/access-log-routes.ts";
import {
  toMethods,
  type ApiCall,
  type ApiMethod,
  type ApiOperation,
  type ApiRoute,
  type ApiSession,
} from "../http/api-route.ts";
import { createAuthenticator, sendNoAccess, type Authenticator } from "../sign-in/auth.ts";
import { createCrossOrigin } from "../http/cross-origin.ts";
import { createDataRequestRoutes } from "./people/data-request-routes.ts";
import { createCalibrationRoutes } from "./reports/calibration-routes.ts";
import { createDisputeMonthRoutes } from "./reports/dispute-month-routes.ts";
import { createBuyerRoutes } from "./orders/buyer-routes.ts";
import { createBuyerCheckRoutes } from "./orders/buyer-check-routes.ts";
import { createLinkedOrderRoutes } from "./orders/linked-order-routes.ts";
import { createListRoutes } from "./orders/list-routes.ts";
import { createOrderActRoutes } from "./orders/order-act-routes.ts";
import { createOrderNoteRoutes } from "./orders/order-note-routes.ts";
import { createEvidenceRoutes } from "./evidence/evidence-routes.ts";
import { createEventRoutes } from "./orders/event-routes.ts";
import { createOrderListRoutes } from "./orders/order-list-routes.ts";
import { createOrderRoutes } from "./orders/order-routes.ts";
import { createSavedViewRoutes } from "./orders/saved-view-routes.ts";
import { createNoticeRoutes } from "./people/notice-routes.ts";
import { createOverviewRoutes } from "./reports/overview-routes.ts";
import { createPeopleRoutes } from "./people/people-routes.ts";
import { createPhantomRoutes } from "./policy/phantom-routes.ts";
import { createFraudFilterRoutes } from "./policy/fraud-filter-routes.ts";
import { createPolicyRoutes } from "./policy/policy-routes.ts";
import { createOpenApi } from "./base/openapi.ts";
import { forwardFailure, serveGet } from "../http/error-response.ts";
import { readValidBody } from "../http/json-body.ts";
import {
  ProblemError,
  sendJson,
  sendMethodNotAllowed,
  sendProblem,
  whileConnected,
} from "../http/responses.ts";
import { parseQuery, toQuery, toQueryProblem } from "../http/query.ts";
import { createReplayRoutes } from "./policy/replay-routes.ts";
import { createReportRoutes } from "./reports/report-routes.ts";
import { isAtLeast } from "../../store/people/person.ts";
import { createPacer } from "../../store/engines/pacing.ts";
import type { ServerParts } from "../parts/server-parts.ts";
import { createSessionRoutes } from "./people/session-routes.ts";
import { createSettingsRoutes } from "./settings/settings-routes.ts";
import { createShopLocales } from "../parts/shop-locales.ts";
import { createSetupRoutes } from "./settings/setup-routes.ts";
import { findOriginObjection } from "../sign-in/cross-site.ts";

const BODY_TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 8 * 1024;

/** Definitions of every route. */
export type Api = ReturnType<typeof createOperations>;

/** The JSON API below `/api`: a table of routes, each behind the same sign-in. */
export function createApi(parts: ServerParts): RequestHandler {
  const authenticator = createAuthenticator(parts);
  const router = Router({ caseSensitive: true });
  const crossOrigin = createCrossOrigin(parts.platforms);

  const answerInTurn = createTurns(parts);

  function serve(route: ApiRoute): RequestHandler {
    return async (req, res) => {
      const operation = route.operations[(req.method === "HEAD" ? "GET" : req.method) as ApiMethod];
      if (operation?.role === null) return serveOpen(parts, operation, req, res);
      const access = await authenticator.authenticate(req);
      if (access.outcome !== "granted") return sendNoAccess(res, access, parts.now());
      if (operation === undefined)
        return sendMethodNotAllowed(
          res,
          toMethods(route, () => true),
        );
      if (!isAtLeast(access.session.role, operation.role)) {
        return sendProblem(res, refusalOf(403, `${operation.role}-required`));
      }
      return answerInTurn(operation, { req, res, session: access.session });
    };
  }

  const routes = createApiRoutes(parts, authenticator);
  serveGet(router, "/api/openapi.json", createOpenApi(routes, parts.about.version));
  // Whole paths instead of a mount, so that the error log names the route that failed.
  for (const route of routes)
    router.all(`/api${route.path}`, crossOrigin(route), forwardFailure(serve(route)));
  return router;
}

/** @param authenticator - Signs people in. Default: a new one. */
export function createApiRoutes(
  parts: ServerParts,
  authenticator: Authenticator = createAuthenticator(parts),
): readonly ApiRoute[] {
  const operations = Object.entries<ApiOperation>(createOperations(parts, authenticator));
  const byPath = Map.groupBy(operations, ([route]) => route.slice(route.indexOf("/")));
  return [...byPath].map(([path, own]) => {
    return {
      path,
      operations: Object.fromEntries(
        own.map(([route, operation]) => [route.slice(0, route.indexOf(" ")), operation]),
      ),
    };
  });
}

function createOperations(parts: ServerParts, authenticator: Authenticator) {
  const localeOf = createShopLocales(parts);
  return {
    ...createSessionRoutes({ ...parts, localeOf }, authenticator),
    ...createEventRoutes(parts),
    ...createOrderListRoutes({ ...parts, localeOf }),
    ...createSavedViewRoutes(parts),
    ...createOrderRoutes(parts),
    ...createLinkedOrderRoutes(parts),
    ...createBuyerRoutes(parts),
    ...createBuyerCheckRoutes(parts),
    ...createListRoutes(parts),
    ...createOrderActRoutes(parts),
    ...createOrderNoteRoutes(parts),
    ...createEvidenceRoutes(parts),
    ...createPolicyRoutes(parts),
    ...createFraudFilterRoutes({ ...parts, localeOf }),
    ...createReplayRoutes(parts),
    ...createPhantomRoutes(parts),
    ...createReportRoutes({ ...parts, localeOf }),
    ...createDisputeMonthRoutes({ ...parts, localeOf }),
    ...createCalibrationRoutes(parts),
    ...createDataRequestRoutes(parts),
    ...createAccessLogRoutes(parts),
    ...createPeopleRoutes(parts),
    ...createNoticeRoutes(parts),
    ...createSettingsRoutes({ ...parts, localeOf }),
    ...createSetupRoutes(parts),
    ...createOverviewRoutes({ ...parts, localeOf }),
  };
}

/** Turns of the event loop between two calls, in which connections are accepted and closed ones are noticed. */
const TURNS_PER_CALL = 4;

/**
 * Starts one call at a time, in turns between tenants, with other requests in between: a flood of calls delays webhooks
 * and other shops' calls only by a few calls. A read is skipped if its caller has disconnected by then. A write is
 * still done.
 */
function createTurns(parts: ServerParts) {
  const turn = createPacer(TURNS_PER_CALL);

  return async (
    operation: ApiOperation,
    call: Pick<ApiCall, "req" | "res"> & { readonly session: ApiSession },
  ): Promise<void> => {
    const { tenant } = call.session;
    const { isRead = call.req.method === "GET" || call.req.method === "HEAD" } = operation;
    if (!isRead) {
      await turn(tenant);
      return handle(parts, operation, call, NEVER);
    }
    await whileConnected(call.res, async (signal) => {
      await turn(tenant, signal);
      await handle(parts, operation, call, signal);
    });
  };
}

/** Another site's page can't sign anyone in, not even as another user. Browsers wouldn't let it send JSON anyway. */
function serveOpen(parts: ServerParts, operation: ApiOperation, req: Request, res: Response) {
  const objection = findOriginObjection(req);
  if (objection === null) return handle(parts, operation, { req, res, session: undefined }, NEVER);
  return sendProblem(res, refusalOf(403, objection));
}

const NEVER = new AbortController().signal;

/** Check what the caller wrote against the route's definition, then answer. */
async function handle(
  { bodyTimeoutMs = BODY_TIMEOUT_MS }: ServerParts,
  operation: ApiOperation,
  { req, res, session }: Pick<ApiCall, "req" | "res"> & { readonly session: ApiSession | undefined },
  signal: AbortSignal,
): Promise<void> {
  const params = operation.params?.safeParse(req.params) ?? { success: true, data: req.params };
  if (!params.success) return sendProblem(res, refusalOf(404, "not-found"));
  const query =
    operation.query === undefined ? { values: undefined } : parseQuery(operation.query, toQuery(req));
  if ("errors" in query) return sendProblem(res, toQueryProblem(query.errors));
  const limits = { maxBytes: operation.maxBodyBytes ?? MAX_BODY_BYTES, timeoutMs: bodyTimeoutMs };
  const answer: ApiCall["answer"] = (status, body, headers) => sendJson(res, status, body, headers);
  try {
    const { body: schema } = operation;
    const read = schema === undefined ? { body: undefined } : await readValidBody(req, schema, limits);
    if (read === undefined) return;
    const given = { params: params.data, query: query.values, body: read.body };
    // They were checked against the definition, so the handler takes them.
    await operation.handle({ req, res, session, signal, answer, ...given } as never);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    sendProblem(res, error.answer, error.headers);
  }
}
