import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";

/** A proxy that tunnels https calls, as hosts without a fixed address use one. */
export interface EgressProxy {
  /** Its address, with a user and a password. */
  readonly url: string;
  /** `HOST:PORT` of each tunnel, in order. */
  readonly tunnels: readonly string[];
  close(): Promise<void>;
}

const AUTHORIZATION = `Basic ${Buffer.from("egress:pass word").toString("base64")}`;

/** Start an {@link EgressProxy} that connects to a port of this machine for each host. Others are refused with 403. */
export async function startEgressProxy(toPort: (host: string) => number | undefined): Promise<EgressProxy> {
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on("connection", (socket: Socket) => void sockets.add(socket));
  server.on("connect", (request, client: Socket, head: Buffer) => {
    client.on("error", () => {});
    if (request.headers["proxy-authorization"] !== AUTHORIZATION) {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const [host = ""] = String(request.url).split(":");
    const port = toPort(host);
    if (port === undefined) {
      client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    tunnels.push(String(request.url));
    const target = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.write(head);
      target.pipe(client).pipe(target);
    });
    target.on("error", () => client.destroy());
    client.on("close", () => target.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://egress:pass%20word@127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
