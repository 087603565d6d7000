import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import type { ChildMessage, ParentMessage } from "./child.ts";

/** Tell the parent where this process listens, answer its questions, and stop when the parent says so or has ended. */
export function serveParent(url: URL, stop: () => Promise<void>): void {
  let cpu = process.cpuUsage();
  let loop = performance.eventLoopUtilization();

  async function end(): Promise<void> {
    await stop();
    process.exit();
  }

  process.on("message", (message: ParentMessage) => {
    if (message === "stop") return void end();
    const used = process.cpuUsage(cpu);
    const { utilization: busy } = performance.eventLoopUtilization(loop);
    cpu = process.cpuUsage();
    loop = performance.eventLoopUtilization();
    return tell({ kind: "usage", cpuMs: (used.user + used.system) / 1_000, busy });
  });
  process.once("disconnect", () => void end());
  // Ctrl-C reaches the whole group. The parent ends too, and its end tells this process to stop.
  process.on("SIGINT", () => {});
  tell({ kind: "listening", url: url.href });
}

/** Listen on a free port of this machine. */
export async function listen(server: Server, protocol: "http" | "https" = "http"): Promise<URL> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return new URL(`${protocol}://127.0.0.1:${port}/`);
}

/** Serve an app to the parent, at `path`, until the parent stops it. */
export async function serveApp(
  app: RequestListener,
  path: string,
  release: () => Promise<void>,
): Promise<void> {
  const server = createServer(app);
  const url = await listen(server);
  serveParent(new URL(path, url), async () => {
    server.close();
    server.closeAllConnections();
    await release();
  });
}

function tell(message: ChildMessage): void {
  process.send?.(message);
}
