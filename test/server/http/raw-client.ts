import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A connection on which a test writes raw bytes. */
export interface RawClient {
  write(text: string | Buffer): void;
  /** Everything received so far, once it contains `text`. */
  until(text: string): Promise<string>;
  /** Everything received, once the server has closed the connection. */
  closed(): Promise<string>;
  /** Breaks the connection. */
  abort(): void;
}

/** Connects to a loopback port. The connection is broken when the test ends. */
export async function connectRaw(port: number): Promise<RawClient> {
  const socket: Socket = connect(port, "127.0.0.1");
  let received = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    received += chunk;
  });
  // A reset is one of the ways in which a server closes.
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
  });
  await new Promise((resolve) => {
    socket.once("connect", resolve);
  });
  onTestFinished(() => void socket.destroy());
  return {
    write: (text) => void socket.write(text),
    async until(text) {
      while (!received.includes(text)) {
        await Promise.race([new Promise((resolve) => socket.once("data", resolve)), closed]);
        if (socket.destroyed && !received.includes(text)) throw new Error(`closed after: ${received}`);
      }
      return received;
    },
    async closed() {
      await closed;
      return received;
    },
    abort: () => void socket.resetAndDestroy(),
  };
}
