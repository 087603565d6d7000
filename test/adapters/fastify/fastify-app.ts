import fastify, {
  type FastifyInstance,
  type FastifyServerOptions,
  type RouteHandlerMethod,
  type RouteShorthandOptions,
} from "fastify";
import { verifyOrder, type VerifyOrderOptions } from "../../../adapters/fastify/index.ts";
import type { OrderCheck } from "../../../src/index.ts";
import type { ScriptedScreener } from "../../support/screener.ts";

const open: { close(): Promise<unknown> }[] = [];

/** Close what a test opened, the latest first. */
export async function closeAll(): Promise<void> {
  for (const part of open.splice(0).toReversed()) await part.close();
}

/** What reached the handlers of an app. */
interface Seen {
  /** Checks seen by the handler after the hook. */
  readonly fulfilled: (OrderCheck | undefined)[];
  /** Errors that reached the app's error handler. */
  readonly errors: unknown[];
}

/** An app that takes orders. */
export interface RunningApp extends Seen {
  readonly url: string;
  readonly app: FastifyInstance;
}

/** Close this after the test. */
export function closeLater(part: { close(): Promise<unknown> }): void {
  open.push(part);
}

/** A host's app, closed after the test. */
export function createApp(options: FastifyServerOptions = {}): FastifyInstance {
  const app = fastify({ forceCloseConnections: true, ...options });
  open.push(app);
  return app;
}

/** Listen on a free port of this machine. */
export async function listen(app: FastifyInstance): Promise<string> {
  return await app.listen({ port: 0, host: "127.0.0.1" });
}

type RouteHooks = Pick<RouteShorthandOptions, "preHandler" | "schema">;

/** Serve POST at `url`. */
export function serve(
  app: FastifyInstance,
  url: string,
  hooks: RouteHooks,
  handler: RouteHandlerMethod,
): void {
  app.route({ method: "POST", url, ...hooks, handler });
}

/** What a shop does with an order, as a real app on a real port. */
export async function start(options: VerifyOrderOptions): Promise<RunningApp> {
  const seen: Seen = { fulfilled: [], errors: [] };
  const app = createApp();
  app.setErrorHandler(async (error, _request, reply) => {
    seen.errors.push(error);
    return reply.code(500).send({ failed: true });
  });
  serve(app, "/orders", { preHandler: verifyOrder(options) }, async (request, reply) => {
    seen.fulfilled.push(request.orderCheck);
    return reply.code(201).send({ action: request.orderCheck?.action });
  });
  return { ...seen, app, url: `${await listen(app)}/orders` };
}

/** Send `body` as JSON. */
export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** Options that take the body for the order. */
export function optionsOf(
  screener: Pick<ScriptedScreener, "check">,
  changes: Partial<VerifyOrderOptions> = {},
): VerifyOrderOptions {
  return { screener, order: (request): unknown => request.body, ...changes };
}
