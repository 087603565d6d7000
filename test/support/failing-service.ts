import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createLocalEngine } from "../../src/engine/engine.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import { findForcedOutcome } from "../../src/sandbox/sandbox-scenarios.ts";
import { judge } from "../../src/sandbox/scorer.ts";
import { readTlsFixture } from "./tls.ts";

/** The behaviors of a {@link FailingService}, by the rows of the failure table. */
export type Behaviour =
  | "answer"
  | "unauthorized"
  | "forbidden"
  | "no-credits"
  | "refuse-content"
  | "server-error"
  | "unavailable-page"
  | "reset"
  | "silence"
  | "truncated"
  | "oversized"
  | "page"
  | "wrong-shape"
  | "unknown-level"
  | { readonly rateLimitedUntilMs: number; readonly unit: "s" | "ms" };

/** One order-verification call that reached the service. */
export interface ServiceCall {
  readonly orderId: string | undefined;
  readonly orderAmount: number;
  /** Whether the service's interface bills it. */
  readonly paid: boolean;
}

/** The verification service over TLS, which fails as configured. */
export interface FailingService {
  readonly url: URL;
  readonly calls: readonly ServiceCall[];
  /** Free calls for the organizations of the key. */
  readonly probes: number;
  behave(behaviour: Behaviour): void;
  /** Stop listening: connections are refused. */
  goDown(): Promise<void>;
  /** Listen again, at the same address. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

const UNPAID: ReadonlySet<Behaviour> = new Set(["unauthorized", "forbidden", "no-credits"]);
const FAILURES = {
  unauthorized: [401, "Missing API Key"],
  forbidden: [403, "Invalid API Key"],
  "no-credits": [402, "Insufficient credits"],
  "refuse-content": [400, "currency: Invalid"],
  "server-error": [500, "Internal Server Error"],
} as const;

/** Start a {@link FailingService} that answers. */
export async function startFailingService(): Promise<FailingService> {
  const engine = createLocalEngine({ sandbox: true });
  const calls: ServiceCall[] = [];
  let probes = 0;
  let behaviour: Behaviour = "answer";

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === "GET") {
      probes += 1;
      if (isKeyRefused(behaviour)) return refuse(response, behaviour);
      const organizations = [{ id: "org_1", slug: "shop", name: "Shop", role: "owner" }];
      return send(response, 200, { success: true, data: { organizations } });
    }
    const order = JSON.parse(Buffer.concat(chunks).toString()) as VerificationRequest;
    const { orderId, orderAmount } = order;
    calls.push({ orderId, orderAmount, paid: typeof behaviour === "string" && !UNPAID.has(behaviour) });
    misbehave(response, behaviour, () => judge(engine, order, findForcedOutcome(order)));
  }

  let server: Server;
  let port = 0;
  async function listen(): Promise<void> {
    server = createServer(readTlsFixture("service"), (request, response) => {
      handle(request, response).catch(() => response.destroy());
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
  }
  async function stop(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }

  await listen();
  return {
    url: new URL(`https://localhost:${port}/`),
    calls,
    get probes() {
      return probes;
    },
    behave: (next) => (behaviour = next),
    goDown: stop,
    comeBack: listen,
    close: stop,
  };
}

function isKeyRefused(behaviour: Behaviour): behaviour is "unauthorized" | "forbidden" {
  return behaviour === "unauthorized" || behaviour === "forbidden";
}

function misbehave(response: ServerResponse, behaviour: Behaviour, answer: () => object): void {
  if (typeof behaviour === "object") return limitRate(response, behaviour);
  if (behaviour in FAILURES) return refuse(response, behaviour as keyof typeof FAILURES);
  ODDITIES[behaviour as keyof typeof ODDITIES](response, answer);
}

const PAGE = "<html><body>Be right back</body></html>";

/** Bodies that aren't valid answers. */
const ODDITIES = {
  answer: (response, answer) => send(response, 200, { success: true, data: answer() }),
  reset: (response) => void response.destroy(),
  silence: () => {},
  truncated(response) {
    response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
    response.write('{"success":true,"data":{"riskScore":');
    setImmediate(() => response.destroy());
  },
  oversized: (response, answer) =>
    send(response, 200, { success: true, data: { ...answer(), reasoning: "x".repeat(8_000_000) } }),
  page: (response) => void response.writeHead(200, { "content-type": "text/html" }).end(PAGE),
  "unavailable-page": (response) => void response.writeHead(503, { "content-type": "text/html" }).end(PAGE),
  "wrong-shape": (response) =>
    send(response, 200, { success: true, data: { riskScore: "93", riskLevel: "critical" } }),
  "unknown-level": (response, answer) =>
    send(response, 200, { success: true, data: { ...answer(), riskLevel: "severe" } }),
} as const satisfies Readonly<Record<string, (response: ServerResponse, answer: () => object) => void>>;

function limitRate(
  response: ServerResponse,
  { rateLimitedUntilMs, unit }: Extract<Behaviour, { readonly unit: string }>,
): void {
  const reset = unit === "ms" ? rateLimitedUntilMs : Math.ceil(rateLimitedUntilMs / 1000);
  response.setHeader("X-RateLimit-Limit", "60");
  response.setHeader("X-RateLimit-Remaining", "0");
  response.setHeader("X-RateLimit-Reset", String(reset));
  send(response, 429, { success: false, message: "Rate limit exceeded" });
}

function refuse(response: ServerResponse, behaviour: keyof typeof FAILURES): void {
  const [status, message] = FAILURES[behaviour];
  send(response, status, { success: false, message });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
