import type { VerificationOrder } from "../../../src/index.ts";
import { verifyOrder, type CheckedHandler, type VerifyOrderOptions } from "../../../adapters/next/index.ts";
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

/** A route handler as Next calls it. The real Next runs in test/hosts. */
export const NEXT_HOST: GuardHost = {
  name: "a route handler of Next",
  mount: (options) => verifyOrder(toNextOptions(options), () => Response.json({})),
  start,
};

function toNextOptions(options: GuardOptions): VerifyOrderOptions<Request> {
  const { screener, deadlineMs, order = (body: unknown) => body, ip, onHold, onCancel, onInvalid } = options;
  return {
    screener: { check: screener.check.bind(screener), on: () => () => undefined },
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
              return Response.json(reply.body, { status: reply.status });
            }),
  };
}

function toHandler(answer: Answer): VerifyOrderOptions<Request>["onHold"] {
  return (_request, check, next) =>
    whenReplied<Response | Promise<Response>>(answer({ check, kept: check }), (reply) =>
      reply === "go on" ? next() : Response.json(reply.body, { status: reply.status }),
    );
}

async function start(
  options: GuardOptions,
  _probes?: ResponseProbes,
  timeout?: Timeout,
): Promise<RunningApp> {
  const fulfilled: (OrderCheck | undefined)[] = [];
  const errors: unknown[] = [];
  const handler: CheckedHandler<Request, unknown> = async (request, check) => {
    options.fulfil?.();
    // The handler can still read the body.
    await request.json();
    fulfilled.push(check);
    return Response.json({ action: check.action }, { status: 201 });
  };
  const POST = verifyOrder(toNextOptions(options), handler);
  const answer = async (request: Request): Promise<Response> => {
    try {
      return await POST(request, { params: Promise.resolve({}) });
    } catch (error) {
      if (!request.signal.aborted) errors.push(error);
      return Response.json({ failed: true }, { status: 500 });
    }
  };
  const url = await serveWeb(async (request) => await answerInTime(request, answer, timeout));
  return { fulfilled, errors, url };
}
