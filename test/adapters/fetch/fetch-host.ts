import type { VerificationOrder } from "../../../src/index.ts";
import { verifyOrder, type VerifyOrderOptions } from "../../../adapters/fetch/index.ts";
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
import { answerInTime, findAddress, serveWeb } from "../web-server.ts";

/** The guard of Web-standard requests behind a plain Node server, which turns its requests into `Request`s. */
export const FETCH_HOST: GuardHost = {
  name: "a fetch handler",
  mount: (options) => verifyOrder(toFetchOptions(options)),
  start,
};

function toFetchOptions(options: GuardOptions): VerifyOrderOptions {
  const { screener, deadlineMs, order = (body: unknown) => body, ip, onHold, onCancel, onInvalid } = options;
  return {
    screener,
    deadlineMs,
    order: async (request) => order(await request.json()) as VerificationOrder,
    ip: ip === undefined ? undefined : (request) => ip(findAddress(request)),
    onHold: onHold === undefined ? undefined : toHandler(onHold),
    onCancel: onCancel === undefined ? undefined : toHandler(onCancel),
    onInvalid:
      onInvalid === undefined
        ? undefined
        : (_request, error) =>
            whenReplied(onInvalid(error.fields.length), (reply) => {
              if (reply === "go on") throw new Error("an invalid order cannot go on");
              return toResponse(reply.status, reply.body);
            }),
  };
}

function toHandler(answer: Answer): VerifyOrderOptions["onHold"] {
  return (_request, check, next) =>
    whenReplied<Response | Promise<Response>>(answer({ check, kept: check }), (reply) =>
      reply === "go on" ? next() : toResponse(reply.status, reply.body),
    );
}

function toResponse(status: number, body: unknown): Response {
  return Response.json(body, { status });
}

async function start(
  options: GuardOptions,
  _probes?: ResponseProbes,
  timeout?: Timeout,
): Promise<RunningApp> {
  const fulfilled: (OrderCheck | undefined)[] = [];
  const errors: unknown[] = [];
  const guard = verifyOrder(toFetchOptions(options));

  async function answer(request: Request): Promise<Response> {
    try {
      return await guard(request, (_request, check) => {
        options.fulfil?.();
        fulfilled.push(check);
        return toResponse(201, { action: check.action });
      });
    } catch (error) {
      // As in frameworks: the rejection of an aborted request isn't an error.
      if (!request.signal.aborted) errors.push(error);
      return toResponse(500, { failed: true });
    }
  }

  return {
    fulfilled,
    errors,
    url: await serveWeb(async (request) => await answerInTime(request, answer, timeout)),
  };
}
