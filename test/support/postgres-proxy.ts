import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";

/** A proxy between an app and its Postgres, on the loopback interface, that can cut the app off. */
export interface PostgresProxy {
  /** Address of the same database through the proxy. */
  readonly url: string;
  /** End every connection; new ones are let through. */
  cut(): void;
  /** End every connection, and each new one at once, until {@link PostgresProxy.open}. */
  shut(): void;
  open(): void;
  /** Keep every connection and accept new ones, but forward nothing, until {@link PostgresProxy.thaw}. */
  freeze(): void;
  /** Forward what was held back, and everything after it. */
  thaw(): void;
  /** Forward nothing more on the present connections, without ending them. New ones work. */
  strand(): void;
  /** How many connections were let through so far. */
  accepted(): number;
  close(): Promise<void>;
}

/** Start a {@link PostgresProxy} in front of a database. */
export async function createPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const behind = new URL(databaseUrl);
  const sockets = new Map<Socket, Socket>();
  let isShut = false;
  let isFrozen = false;
  let accepted = 0;

  function keep(socket: Socket, other: Socket): void {
    sockets.set(socket, other);
    if (!isFrozen) socket.pipe(other);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
  }

  const server = createServer((front) => {
    if (isShut) return void front.destroy();
    accepted += 1;
    const back = connectTo(behind);
    keep(front, back);
    keep(back, front);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl.replace(/@[^/]*/, "@localhost"));
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);

  function cut(): void {
    for (const socket of sockets.keys()) socket.destroy();
  }

  return {
    url: url.href,
    cut,
    shut() {
      isShut = true;
      cut();
    },
    open: () => void (isShut = false),
    freeze() {
      isFrozen = true;
      for (const socket of sockets.keys()) socket.unpipe();
    },
    thaw() {
      isFrozen = false;
      for (const [socket, other] of sockets) socket.pipe(other);
    },
    strand() {
      for (const socket of sockets.keys()) socket.unpipe().pause();
    },
    accepted: () => accepted,
    async close() {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}

/** The tests' server listens on a socket in a folder, which then is the host of its address. */
function connectTo({ hostname, port }: URL): Socket {
  const host = decodeURIComponent(hostname);
  if (host.startsWith("/")) return connect({ path: join(host, `.s.PGSQL.${port === "" ? "5432" : port}`) });
  return connect({ host, port: port === "" ? 5432 : Number(port) });
}
