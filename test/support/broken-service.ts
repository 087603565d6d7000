import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { readTlsFixture } from "./tls.ts";

/** Replaces the verification service. */
export type BrokenService = "refused" | "slow-loris" | "failing";

const DRIP_MS = 50;

/** Put something broken on a port over TLS; resolves to a count of its calls so far, and a way to remove it. */
export async function startBrokenService(
  kind: BrokenService,
  port: number,
): Promise<{ readonly calls: () => number; close(): Promise<void> }> {
  let calls = 0;
  if (kind === "refused") return { calls: () => 0, close: async () => {} };
  const server = createTlsServer(readTlsFixture("service"), (request, response) => {
    if (request.method === "POST") calls += 1;
    request.resume();
    if (kind === "failing")
      response.writeHead(500).end('{"success":false,"message":"Internal Server Error"}');
    else drip(response);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    calls: () => calls,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** An answer that starts at once and never ends, a byte at a time. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), DRIP_MS);
  response.once("close", () => clearInterval(timer));
}
