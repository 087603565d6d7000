import type { VerificationOrder } from "../../../src/index.ts";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express5, { type NextFunction, type Request, type Response } from "express";
import { onTestFinished } from "vitest";
import { verifyOrder, type VerifyOrderOptions } from "../../../adapters/express/index.ts";
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

/** A version of Express as a host of the guard. */
export function createExpressHost(name: string, express: typeof express5): GuardHost {
  return {
    name,
    mount: (options) => verifyOrder(toExpressOptions(options)),
    start: async (options, probes, timeout) => await start(express, options, probes, timeout),
  };
}

function toExpressOptions(options: GuardOptions): VerifyOrderOptions {
  const { screener, deadlineMs, order = (body: unknown) => body, ip, onHold, onCancel, onInvalid } = options;
  return {
    screener,
    deadlineMs,
    order: (req) => order(req.body) as VerificationOrder,
    ip: ip === undefined ? undefined : (req) => ip(req.socket.remoteAddress),
    onHold: onHold === undefined ? undefined : toHandler(onHold),
    onCancel: onCancel === undefined ? undefined : toHandler(onCancel),
    onInvalid:
      onInvalid === undefined
        ? undefined
        : (_req, res, error, next) =>
            whenReplied(onInvalid(error.fields.length), (reply) => send(res, reply, next)),
  };
}

function toHandler(answer: Answer): VerifyOrderOptions["onHold"] {
  return (req, res, check, next) =>
    whenReplied(answer({ check, kept: req.orderCheck }), (reply) => send(res, reply, next));
}

function send(res: Response, reply: Awaited<ReturnType<Answer>>, next: NextFunction): void {
  if (reply === "go on") next();
  else res.status(reply.status).json(reply.body);
}

async function start(
  express: typeof express5,
  options: GuardOptions,
  probes?: ResponseProbes,
  timeout?: Timeout,
): Promise<RunningApp> {
  const fulfilled: (OrderCheck | undefined)[] = [];
  const errors: unknown[] = [];
  const app = express();
  app.use((_req: Request, res: Response, next: NextFunction) => {
    void timeout?.().then(() => res.status(504).json({}));
    if (probes === undefined) next();
    else probes.before(res, next);
  });
  app.post(
    "/orders",
    express.json(),
    verifyOrder(toExpressOptions(options)),
    (req: Request, res: Response) => {
      options.fulfil?.();
      probes?.after?.(res);
      fulfilled.push(req.orderCheck);
      res.status(201).json({ action: req.orderCheck?.action });
    },
  );
  // Express recognizes an error handler by its four parameters.
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    errors.push(error);
    res.status(500).json({ failed: true });
  });
  const server = app.listen(0, "127.0.0.1");
  onTestFinished(async () => await server[Symbol.asyncDispose]());
  await once(server, "listening");
  return { fulfilled, errors, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders` };
}
