import type { VerificationOrder } from "../../../src/index.ts";
import { Hono, type Context } from "hono";
import { HTTPException } from "hono/http-exception";
import {
  verifyOrder,
  type OrderCheckVariables,
  type VerifyOrderOptions,
} from "../../../adapters/hono/index.ts";
import type { OrderCheck } from "../../../src/index.ts";
import {
  whenReplied,
  type Answer,
  type GuardHost,
  type GuardOptions,
  type ResponseProbes,
  type RunningApp,
  type Timeout,
} from "../guard-host.ts";
import { findAddress, serveWeb } from "../web-server.ts";

interface Env {
  Variables: OrderCheckVariables;
}

/** The middleware in an app of Hono 4. */
export const HONO_HOST: GuardHost = {
  name: "Hono 4",
  mount: (options) => verifyOrder(toHonoOptions(options)),
  start,
};

function toHonoOptions(options: GuardOptions): VerifyOrderOptions<Context<Env>> {
  const { screener, deadlineMs, order = (body: unknown) => body, ip, onHold, onCancel, onInvalid } = options;
  return {
    screener: { check: screener.check.bind(screener), on: () => () => undefined },
    deadlineMs,
    order: async (c) => order(await c.req.json()) as VerificationOrder,
    ip: ip === undefined ? undefined : (c) => ip(findAddress(c.req.raw)),
    onHold: onHold === undefined ? undefined : toHandler(onHold),
    onCancel: onCancel === undefined ? undefined : toHandler(onCancel),
    onInvalid:
      onInvalid === undefined
        ? undefined
        : (c, error) =>
            whenReplied(onInvalid(error.fields.length), (reply) => {
              if (reply === "go on") throw new Error("an invalid order cannot go on");
              return c.json(reply.body as object, reply.status as 400);
            }),
  };
}

function toHandler(answer: Answer): VerifyOrderOptions<Context<Env>>["onHold"] {
  return (c, check, next) =>
    whenReplied<Response | void | Promise<Response | void>>(
      answer({ check, kept: c.get("orderCheck") }),
      (reply) => (reply === "go on" ? next() : c.json(reply.body as object, reply.status as 202)),
    );
}

async function start(
  options: GuardOptions,
  _probes?: ResponseProbes,
  timeout?: Timeout,
): Promise<RunningApp> {
  const fulfilled: (OrderCheck | undefined)[] = [];
  const errors: unknown[] = [];
  const app = new Hono<Env>();
  // As Hono's own timeout does it.
  app.use(async (_c, next) => {
    const late = timeout?.().then(() => {
      throw new HTTPException(504);
    });
    await Promise.race(late === undefined ? [next()] : [next(), late]);
  });
  app.post("/orders", verifyOrder(toHonoOptions(options)), (c) => {
    options.fulfil?.();
    const check = c.get("orderCheck");
    fulfilled.push(check);
    return c.json({ action: check.action }, 201);
  });
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    if (!c.req.raw.signal.aborted) errors.push(error);
    return c.json({ failed: true }, 500);
  });
  const url = await serveWeb(async (request) => await app.fetch(request));
  return { fulfilled, errors, url };
}
