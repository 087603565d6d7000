import type { VerificationOrder } from "../../../src/index.ts";
import fastify, {
  type FastifyInstance,
  type FastifyServerOptions,
  type RouteHandlerMethod,
  type RouteShorthandOptions,
} from "fastify";
import { verifyOrder, type VerifyOrderOptions } from "../../../adapters/fastify/index.ts";
import type { OrderCheck } from "../../../src/index.ts";
import type { ScriptedScreener } from "../../support/screener.ts";
import type { ResponseProbes, RunningApp, Timeout } from "../guard-host.ts";

const open: { close(): Promise<unknown> }[] = [];

/** Close what a test opened, the latest first. */
export async function closeAll(): Promise<void> {
  for (const part of open.splice(0).toReversed()) await part.close();
}

/** An app that accepts orders. */
export interface StartedApp extends RunningApp {
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

interface Surroundings {
  readonly probes?: ResponseProbes | undefined;
  readonly fulfil?: (() => void) | undefined;
  readonly timeout?: Timeout | undefined;
}

/** What a shop does with an order, in a real app on a real port. `fulfil` runs before the handler answers. */
export async function start(
  options: VerifyOrderOptions,
  { probes, fulfil, timeout }: Surroundings = {},
): Promise<StartedApp> {
  const fulfilled: (OrderCheck | undefined)[] = [];
  const errors: unknown[] = [];
  const app = createApp();
  app.setErrorHandler(async (error, _request, reply) => {
    errors.push(error);
    return reply.code(500).send({ failed: true });
  });
  app.addHook("preHandler", (_request, reply, done) => {
    void timeout?.().then(() => reply.code(504).send({}));
    if (probes === undefined) done();
    else probes.before(reply.raw, done);
  });
  serve(app, "/orders", { preHandler: verifyOrder(options) }, async (request, reply) => {
    fulfil?.();
    probes?.after?.(reply.raw);
    fulfilled.push(request.orderCheck);
    return reply.code(201).send({ action: request.orderCheck?.action });
  });
  return { fulfilled, errors, app, url: `${await listen(app)}/orders` };
}

/** Options that use the body as the order. */
export function optionsOf(
  screener: Pick<ScriptedScreener, "check">,
  changes: Partial<VerifyOrderOptions> = {},
): VerifyOrderOptions {
  return { screener, order: (request) => request.body as VerificationOrder, ...changes };
}
