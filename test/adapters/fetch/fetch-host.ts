import type { VerificationOrder } from "../../../src/index.ts";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { verifyOrder, type VerifyOrderOptions } from "../../../adapters/fetch/index.ts";
import type { OrderCheck } from "../../../src/index.ts";
import {
  whenReplied,
  type Answer,
  type GuardHost,
  type GuardOptions,
  type RunningApp,
} from "../guard-host.ts";

/** The guard of Web-standard requests behind a plain Node server, which turns its requests into `Request`s. */
export const FETCH_HOST: GuardHost = {
  name: "a fetch handler",
  mount: (options) => verifyOrder(toFetchOptions(options)),
  start,
};

/** Where a request came from, which a `Request` does not say. The guard's copy of a request is not in here. */
const addresses = new WeakMap<Request, string>();

function toFetchOptions(options: GuardOptions): VerifyOrderOptions {
  const { screener, deadlineMs, order = (body: unknown) => body, ip, onHold, onCancel, onInvalid } = options;
  return {
    screener,
    deadlineMs,
    order: async (request) => order(await request.json()) as VerificationOrder,
    ip: ip === undefined ? undefined : (request) => ip(addresses.get(request)),
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

async function start(options: GuardOptions): Promise<RunningApp> {
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
      // As frameworks do: the rejection of a request that was aborted is no fault.
      if (!request.signal.aborted) errors.push(error);
      return toResponse(500, { failed: true });
    }
  }

  const server = createServer((incoming, outgoing) => {
    void toRequest(incoming, outgoing)
      .then(answer)
      .then((response) => send(outgoing, response));
  }).listen(0, "127.0.0.1");
  onTestFinished(async () => await server[Symbol.asyncDispose]());
  await once(server, "listening");
  return { fulfilled, errors, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders` };
}

async function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Request> {
  const client = new AbortController();
  outgoing.once("close", () => client.abort());
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: "POST",
    headers: new Headers(incoming.headers as Record<string, string>),
    body: await buffer(incoming),
    signal: client.signal,
  });
  // As a dual-stack socket reports an IPv4 client.
  addresses.set(request, `::ffff:${incoming.socket.remoteAddress}`);
  return request;
}

async function send(outgoing: ServerResponse, response: Response): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}
