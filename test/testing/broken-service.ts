import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A request on its way to the service. */
export interface PassingRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer on its way back. */
export interface PassingAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A fault that makes a service break its contract. */
export interface PlantedFault {
  readonly request?: (request: PassingRequest) => PassingRequest;
  readonly answer?: (answer: PassingAnswer, request: PassingRequest) => PassingAnswer;
}

/** A service with a fault between it and its callers. */
export interface BrokenService {
  readonly url: URL;
  close(): Promise<void>;
}

const HOP_BY_HOP = new Set(["host", "connection", "content-length", "keep-alive", "transfer-encoding"]);

/** Put a fault in front of the service at `target`. */
export async function startBrokenService(target: URL, fault: PlantedFault): Promise<BrokenService> {
  const { request: change = (same) => same, answer: spoil = (same) => same } = fault;

  async function pass(incoming: IncomingMessage): Promise<PassingAnswer> {
    const { method, path, headers, body } = change(await read(incoming));
    const response = await fetch(new URL(path, target), {
      method,
      headers,
      ...(method === "GET" ? {} : { body }),
    });
    const passed = {
      status: response.status,
      headers: toPlain(response.headers),
      body: await response.text(),
    };
    return spoil(passed, { method, path, headers, body });
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming).then(
      ({ status, headers, body }) => outgoing.writeHead(status, headers).end(body),
      () => outgoing.destroy(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function read(incoming: IncomingMessage): Promise<PassingRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = "", url: path = "" } = incoming;
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    typeof value === "string" && !HOP_BY_HOP.has(name) ? [[name, value] as const] : [],
  );
  return { method, path, headers: Object.fromEntries(headers), body: Buffer.concat(chunks).toString() };
}

function toPlain(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !HOP_BY_HOP.has(name)));
}
