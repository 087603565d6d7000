import { once } from "node:events";
import { Agent, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Moment } from "./request-faults.ts";

/** Options of {@link createFaultProxy}. */
export interface FaultProxyOptions {
  /** Key and certificate in PEM. */
  readonly tls: { readonly key: string; readonly cert: string };
  /** The plain server behind it, on the loopback interface. */
  readonly port: number;
  /** Returns the name of a request. */
  readonly toName: (request: { readonly path: string; readonly body: string }) => string;
  /** Called twice for each request; returns whether it continues. If not, it is dropped without an answer. */
  readonly onMoment: (moment: Moment, name: string) => Promise<boolean>;
}

/** Ends TLS in front of a plain server, and can cut a request off on either side of its effect. */
export interface FaultProxy {
  readonly port: number;
  close(): Promise<void>;
}

/** Start a {@link FaultProxy} on the loopback interface. */
export async function createFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(incoming);
    const name = options.toName({ path: incoming.url ?? "", body: body.toString("utf8") });
    if (!(await options.onMoment("arrived", name))) return void response.destroy();
    const { method, url: path, headers } = incoming;
    const outgoing = forward({ agent, host: "127.0.0.1", port: options.port, method, path, headers });
    outgoing.end(body);
    const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
    const content = await readAll(answer);
    if (!(await options.onMoment("handled", name))) return void response.destroy();
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.end(content);
  }

  const server = createServer(options.tls, (incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, "close");
    },
  };
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
