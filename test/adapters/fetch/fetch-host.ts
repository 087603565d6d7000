import type { VerificationOrder } from "../../../src/index.ts";
import { verifyOrder, type CheckedHandler, type VerifyOrderOptions } from "../../../adapters/fetch/index.ts";
import type { OrderCheck } from "../../../src/index.ts";
import { whenReplied, type Answer, type GuardHost, type GuardOptions } from "../guard-host.ts";
import { answerInTime, findAddress, serveWeb } from "../web-server.ts";

/** The guard of Web-standard requests behind a plain Node server, which turns its requests into `Request`s. */
export const FETCH_HOST = createWebHost("a fetch handler", (options, handler) => {
  const guard = verifyOrder(options);
  return (request) => guard(request, handler);
});

/** A guard of `Request`s, as a server of a host calls it. */
export function createWebHost(
  name: string,
  guard: (options: VerifyOrderOptions, handler: CheckedHandler) => (request: Request) => Promise<Response>,
): GuardHost {
  return {
    name,
    mount: (options) => guard(toFetchOptions(options), () => Response.json({})),
    start: async (options, _probes, timeout) => {
      const fulfilled: (OrderCheck | undefined)[] = [];
      const errors: unknown[] = [];
      const guarded = guard(toFetchOptions(options), async (request, check) => {
        options.fulfil?.();
        // The handler can still read the body.
        await request.json();
        fulfilled.push(check);
        return toResponse(201, { action: check.action });
      });
      const answer = async (request: Request): Promise<Response> => {
        try {
          return await guarded(request);
        } catch (error) {
          // As in frameworks: the rejection of an aborted request isn't an error.
          if (!request.signal.aborted) errors.push(error);
          return toResponse(500, { failed: true });
        }
      };
      const url = await serveWeb(async (request) => await answerInTime(request, answer, timeout));
      return { fulfilled, errors, url };
    },
  };
}

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
