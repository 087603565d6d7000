import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** Where a request came from, because a `Request` doesn't say. A copy of a request isn't in here. */
const addresses = new WeakMap<Request, string>();

/** The address of the client that sent `request`. */
export function findAddress(request: Request): string | undefined {
  return addresses.get(request);
}

/** Serve `/orders` with a Web-standard handler on a plain Node server, until the running test ends; returns its URL. */
export async function serveWeb(answer: (request: Request) => Promise<Response>): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    void toRequest(incoming, outgoing)
      .then(answer)
      .then((response) => send(outgoing, response));
  }).listen(0, "127.0.0.1");
  onTestFinished(async () => await server[Symbol.asyncDispose]());
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`;
}

/**
 * Answer a request, or 504 when `timeout` resolves: `answer` gets a request whose signal is aborted then. This is how a
 * handler of Web requests learns that a layer around it has answered.
 */
export async function answerInTime(
  request: Request,
  answer: (request: Request) => Promise<Response>,
  timeout?: () => Promise<void>,
): Promise<Response> {
  if (timeout === undefined) return await answer(request);
  const timer = new AbortController();
  const late = timeout().then(() => {
    timer.abort();
    return new Response(null, { status: 504 });
  });
  const timed = new Request(request, { signal: AbortSignal.any([request.signal, timer.signal]) });
  return await Promise.race([answer(timed), late]);
}

async function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Request> {
  const client = new AbortController();
  // As servers do it: a response that was sent completely aborts nothing.
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) client.abort();
  });
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
