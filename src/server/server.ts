import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { refusalOf } from "../base/refusals.ts";
import { createBuyerPageRoutes } from "./buyer/buyer-page-routes.ts";
import { createApi } from "./api/api.ts";
import { getAssets } from "./page/assets.ts";
import { createErrorHandler, forwardFailure, serveGet } from "./http/error-response.ts";
import { createDurabilityWatch, createHealthRoutes } from "./intake/health.ts";
import { createPage, PAGE_PATHS } from "./page/page.ts";
import { createSignInPages } from "./page/platform-page.ts";
import { sendProblem } from "./http/responses.ts";
import { createSecurityHeaders, type SecurityHeaders } from "./http/security-headers.ts";
import type { ServerParts } from "./parts/server-parts.ts";
import { createWebhookRoutes } from "./intake/webhooks.ts";

import express, { type Express } from "express";

/** The app's HTTP side: webhooks, health, metrics, the console and its API. Role `worker` has health and metrics only. */
export function createServer(parts: ServerParts): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.disable("query parser");
  app.enable("case sensitive routing");
  // The caller's address is read from the right, past the trusted proxies. Anything further left can be forged.
  app.set("trust proxy", toTrustSetting(parts.trustProxy));

  const isPublic = parts.role !== "worker";
  const durability = createDurabilityWatch(parts.now);
  const secure = createSecurityHeaders({ https: parts.https });
  // First, because this path has to be fast.
  if (isPublic) app.use(forwardFailure(createWebhookRoutes({ ...parts, durability, secure })));
  app.use((_req, res, next) => {
    secure(res);
    next();
  });

  const health = createHealthRoutes({ ...parts, durability });
  serveGet(app, "/healthz", health.alive);
  serveGet(app, "/readyz", health.ready);
  serveGet(app, "/metrics", health.metrics);
  if (isPublic) {
    const page = createPage(parts);
    for (const path of PAGE_PATHS) serveGet(app, path, page);
    for (const [path, handler] of getAssets()) serveGet(app, path, handler);
    for (const [path, handler] of createSignInPages(parts.platforms)) serveGet(app, path, handler);
    app.use(createBuyerPageRoutes(parts));
    app.use(createApi(parts));
  }
  app.use((_req, res) => sendProblem(res, refusalOf(404, "not-found")));
  app.use(createErrorHandler(parts));
  return answerFirst(app, { ...parts, secure });
}

function toTrustSetting(trustProxy: ServerParts["trustProxy"]): boolean | number | string[] {
  if (trustProxy === undefined) return false;
  return typeof trustProxy === "number" ? trustProxy : [...trustProxy];
}

/** The server itself cuts off slow senders, so that they can't occupy connections for long. */
const SERVER_LIMITS = {
  /** Above the time for a buyer's file and above `bodyTimeoutMs`, so that a slow body gets its own answer first. */
  requestTimeout: 75_000,
  headersTimeout: 10_000,
  /** Longer than the idle limits of common load balancers (60 s), which must be the side that closes. */
  keepAliveTimeout: 65_000,
} as const;

/** Set the time limits of the `node:http` server that carries {@link createServer}'s app. */
export function limitServer(server: Server): void {
  Object.assign(server, SERVER_LIMITS);
}

type Handle = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void;

/**
 * Answer a request target that can't be parsed (`GET http://[::1`). The router would answer with the framework's own page,
 * and Node would print a warning. While the process stops, end connections that are reused, so that a proxy's next request
 * reaches another process.
 */
function answerFirst(
  app: Express,
  { draining, secure }: Pick<ServerParts, "draining"> & { readonly secure: SecurityHeaders },
): Express {
  const { handle } = app as Express & { handle: Handle };
  return Object.assign(app, {
    handle(this: Express, req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) {
      if (draining()) res.setHeader("Connection", "close");
      if (isRoutable(req.url ?? "")) return handle.call(this, req, res, next);
      secure(res);
      sendProblem(res, refusalOf(400, "url-invalid"));
    },
  });
}

/** A path, the whole server, or the address a proxy would be asked for (RFC 9112, 3.2). */
function isRoutable(target: string): boolean {
  return target.startsWith("/") || target === "*" || URL.canParse(target);
}
