import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";

/** A keep-alive connection that sends the same request again and again, each time with a new id. */
export interface Connection {
  /** Send the request as number `number` of the load. Call it only after the previous answer has arrived. */
  send(number: number): void;
  close(): void;
}

/** The request to send. */
export interface RepeatedRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The header that gets a new UUID in each request. */
  readonly idHeader: string;
  readonly body: Buffer;
}

/** What a connection reports. */
export interface ConnectionEvents {
  /** The whole answer to request number `number` has arrived. */
  onAnswer(connection: Connection, number: number, status: number): void;
  /** The connection can't read the answer, or it is closed. */
  onFailure(error: Error): void;
}

const UUID_LENGTH = 36;
const HEAD_END = "\r\n\r\n";
const HEAD = /^HTTP\/1\.1 (\d{3}) [^]*?\r\ncontent-length: (\d+)\r\n/i;

/** Open a connection. It reads only answers that state their length. */
export async function openConnection(
  request: RepeatedRequest,
  events: ConnectionEvents,
): Promise<Connection> {
  const { hostname, port } = request.url;
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  const { bytes, idAt } = toBytes(request);
  let received = "";
  let sent = 0;

  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    received += text;
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const [, status, length] = HEAD.exec(received) ?? [];
    if (status === undefined) return events.onFailure(new Error("the answer gives no length"));
    if (received.length < headEnd + HEAD_END.length + Number(length)) return;
    received = "";
    events.onAnswer(connection, sent, Number(status));
  });
  socket.on("error", (error) => events.onFailure(error));
  socket.on("close", () => events.onFailure(new Error("the server closed the connection")));
  const connection: Connection = {
    send(number) {
      sent = number;
      bytes.write(randomUUID(), idAt, "latin1");
      socket.write(bytes);
    },
    close() {
      socket.destroy();
    },
  };
  return connection;
}

/** The whole request as it is sent, with room for the id. */
function toBytes({ url, headers, idHeader, body }: RepeatedRequest): { bytes: Buffer; idAt: number } {
  const start = [
    `POST ${url.pathname} HTTP/1.1`,
    `host: ${url.host}`,
    `content-length: ${body.length}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `${idHeader}: `,
  ].join("\r\n");
  const bytes = Buffer.concat([Buffer.from(start), Buffer.alloc(UUID_LENGTH), Buffer.from(HEAD_END), body]);
  return { bytes, idAt: Buffer.byteLength(start) };
}
