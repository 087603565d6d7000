import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { createVerificationClient, type VerificationClient } from "../../src/service/client.ts";
import type { VerificationClientOptions } from "../../src/service/client-options.ts";
import { API_KEY } from "./samples.ts";

const read = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));
/** The certificate of the loopback https servers, which is also its own authority. */
export const TEST_CERTIFICATE = read("cert.pem");

/** A request as a loopback server received it. */
export interface SeenRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers a request; `count` is 1 for the server's first. */
export type Responder = (response: ServerResponse, seen: SeenRequest, count: number) => void;

/** A running loopback server. */
export interface Loopback {
  readonly port: number;
  readonly url: string;
  /** Requests whose body arrived completely. */
  readonly seen: SeenRequest[];
  /** Connections opened so far. */
  connections(): number;
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

async function collect(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Starts a loopback server that records what it receives. It stops with the test. */
export async function startServer(respond: Responder, scheme: "http" | "https" = "http"): Promise<Loopback> {
  const seen: SeenRequest[] = [];
  let connections = 0;
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body: await collect(request) });
      respond(response, seen.at(-1) as SeenRequest, seen.length);
    } catch {
      request.destroy();
    }
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => void onRequest(request, response);
  const server =
    scheme === "http"
      ? createServer(listener)
      : createTlsServer({ cert: TEST_CERTIFICATE, key: read("key.pem") }, listener);
  server.on("connection", () => (connections += 1));
  const port = await listen(server);
  return { port, url: `${scheme}://127.0.0.1:${port}`, seen, connections: () => connections };
}

/** Starts a loopback server that writes raw bytes. It stops with the test. */
export async function startTcp(
  onSocket: (socket: Socket, count: number) => void,
): Promise<{ port: number; url: string }> {
  let count = 0;
  const port = await listen(createTcpServer((socket) => onSocket(socket, (count += 1))));
  return { port, url: `http://127.0.0.1:${port}` };
}

/** Starts a loopback server that offers HTTP/2 before HTTP/1.1. It stops with the test. */
export async function startHttp2(
  respond: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): Promise<{ port: number }> {
  const options = { cert: TEST_CERTIFICATE, key: read("key.pem"), allowHTTP1: true };
  return { port: await listen(createSecureServer(options, respond)) };
}

/** A loopback port without a listener. */
export async function findClosedPort(): Promise<number> {
  const server = createTcpServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A client that is closed with the test. The organization is given, so a test gets a single call. */
export function clientOf(url: string, options: Partial<VerificationClientOptions> = {}): VerificationClient {
  const client = createVerificationClient({ url, apiKey: API_KEY, organization: "acme", ...options });
  onTestFinished(() => client.close());
  return client;
}

/** Answers with a JSON document. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
