import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSandboxService, type SandboxKey } from "../../src/sandbox/sandbox-service.ts";

/** The sandbox service behind a proxy that records keys and can refuse some. */
export interface ServiceFront {
  readonly url: URL;
  /** Every call, oldest first: `KEY order-verification` or `KEY organizations`. */
  readonly calls: readonly string[];
  /** Keys that are refused with 401. */
  readonly revoked: Set<string>;
  close(): Promise<void>;
}

/** A key that reaches one organization of each of these names. */
export function toKey(...slugs: readonly string[]): SandboxKey {
  return { organizations: slugs.map((slug) => ({ id: `org_${slug}`, slug, name: slug, role: "owner" })) };
}

/** Start a {@link ServiceFront} on the loopback. */
export async function startServiceFront(
  apiKeys: Readonly<Record<string, SandboxKey>>,
): Promise<ServiceFront> {
  const service = createSandboxService({ apiKeys });
  const behind = await service.listen();
  const calls: string[] = [];
  const revoked = new Set<string>();
  const server = createServer((req, res) => {
    const key = String(req.headers["x-api-key"]);
    calls.push(`${key} ${req.method === "GET" ? "organizations" : "order-verification"}`);
    if (revoked.has(key)) {
      res.writeHead(401, { "content-type": "application/json" });
      res.end('{"success":false,"message":"Missing API Key"}');
      return;
    }
    void forward(behind, req.url ?? "/", { method: req.method ?? "GET", key, req }).then(
      ({ status, text }) => {
        res.writeHead(status, { "content-type": "application/json" });
        res.end(text);
      },
      () => res.destroy(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    calls,
    revoked,
    async close() {
      server.closeAllConnections();
      server.close();
      await service.close();
    },
  };
}

async function forward(
  behind: URL,
  path: string,
  { method, key, req }: { method: string; key: string; req: AsyncIterable<Buffer> },
): Promise<{ status: number; text: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const init = method === "GET" ? { method, headers } : { method, headers, body: Buffer.concat(chunks) };
  const answer = await fetch(new URL(path, behind), init);
  return { status: answer.status, text: await answer.text() };
}
