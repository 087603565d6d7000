import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { answerAdmin, nameOperation, throttledAnswer, type AdminRequest } from "./admin-answer.ts";
import { createEmulatedShop, type EmulatedShop } from "./emulated-shop.ts";
import { createFaults, type Fault, type FaultKind, type FaultScope } from "./faults.ts";
import { createSessionToken, type EmulatedApp, type SessionTokenOptions } from "./oauth.ts";
import { createPointBucket, type PointBucket } from "./query-cost.ts";

const GRAPHQL_PATH = "/admin/api/2026-10/graphql.json";
const TOKEN_PATH = "/admin/oauth/access_token";
/** What a Standard shop has. */
const STANDARD_LIMITS = { maximumAvailable: 2000, restoreRate: 100 };
/** Long enough to be seen as STARTED once, short enough for a demo. */
const CANCEL_DELAY_MS = 20;

/** Options of {@link createAdminEmulator}. */
export interface AdminEmulatorOptions {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** A secret that is being rotated out. */
  readonly apiSecretPrevious?: string | undefined;
  /** Key and certificate in PEM; plain HTTP without them. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  /** @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Points per shop. @default 2000 and 100 a second, as a Standard shop has */
  readonly throttle?: { readonly maximumAvailable: number; readonly restoreRate: number } | undefined;
  /** How long a cancellation runs. @default 20 */
  readonly cancelDelayMs?: number | undefined;
}

/** A GraphQL operation the emulator was asked for. */
export interface RecordedOperation {
  readonly shop: string;
  readonly name: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly atMs: number;
  /** Top-level errors of the answer. */
  readonly errors: readonly unknown[];
}

/** A request the emulator received, whatever became of it. */
export interface RecordedRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly atMs: number;
}

/** A local stand-in for the Admin API and the token endpoint of any number of shops. */
export interface AdminEmulator {
  /** Start on the loopback interface. @default any free port */
  listen(port?: number): Promise<number>;
  close(): Promise<void>;
  /** Port it listens on; 0 before. */
  readonly port: number;
  /** The shop of that domain, made on first use. Requests to any other host get 404. */
  shop(domain: string): EmulatedShop;
  /** A token as App Bridge would send it. */
  createSessionToken(shop: string, options?: SessionTokenOptions): string;
  /** Make the next `count` matching requests fail. */
  fail(count: number, kind: FaultKind, scope?: FaultScope): void;
  readonly operations: readonly RecordedOperation[];
  readonly requests: readonly RecordedRequest[];
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Drop the connection in place of answering. */
  readonly drop?: boolean;
}

/** Create an {@link AdminEmulator}. It answers nothing before `listen`. */
export function createAdminEmulator(options: AdminEmulatorOptions): AdminEmulator {
  const now = options.now ?? Date.now;
  const app: EmulatedApp = { ...options, now };
  const shops = new Map<string, EmulatedShop>();
  const buckets = new Map<string, PointBucket>();
  const operations: RecordedOperation[] = [];
  const requests: RecordedRequest[] = [];
  const faults = createFaults();

  function bucketOf(domain: string): PointBucket {
    const bucket = buckets.get(domain) ?? createPointBucket(options.throttle ?? STANDARD_LIMITS, now);
    buckets.set(domain, bucket);
    return bucket;
  }

  async function answerGraphql(
    shop: EmulatedShop,
    request: IncomingMessage,
    body: string,
  ): Promise<Reply | null> {
    const mode = shop.tokens.identify(String(request.headers["x-shopify-access-token"]));
    if (mode === null) return { status: 401, body: { errors: "[API] Invalid API key or access token" } };
    const asked = JSON.parse(body) as AdminRequest;
    const name = nameOperation(asked.query);
    const variables = asked.variables ?? {};
    const fault = faults.next("graphql", name);
    const record = (errors: readonly unknown[]) =>
      void operations.push({ shop: shop.domain, name, variables, atMs: now(), errors });
    const early = fault === undefined ? undefined : replyEarly(fault, bucketOf(shop.domain));
    if (early !== undefined) {
      record([{ fault: fault?.kind }]);
      return early;
    }
    const call = { shop, apiKey: app.apiKey, mode, now, cancelDelayMs: options.cancelDelayMs ?? CANCEL_DELAY_MS };
    const answer = await answerAdmin({ query: asked.query, variables }, call, bucketOf(shop.domain));
    record(answer.errors ?? []);
    return { status: 200, body: answer, drop: fault?.kind === "reset-after-effect" };
  }

  function answerToken(shop: EmulatedShop, body: string): Reply | null {
    const fault = faults.next("token", "");
    const early = fault === undefined ? undefined : replyEarly(fault, bucketOf(shop.domain));
    if (early !== undefined) return early;
    const form = body.startsWith("{") ? (JSON.parse(body) as object) : Object.fromEntries(new URLSearchParams(body));
    const answer = shop.tokens.answer(shop.domain, { ...form });
    return { ...answer, drop: fault?.kind === "reset-after-effect" };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = (request.headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
    const path = request.url ?? "";
    requests.push({ method: request.method ?? "", host, path, atMs: now() });
    const body = await readBody(request);
    const shop = shops.get(host);
    let reply: Reply | null = { status: 404, body: { errors: "Not Found" } };
    if (shop !== undefined && request.method === "POST") {
      if (path === GRAPHQL_PATH) reply = await answerGraphql(shop, request, body);
      if (path === TOKEN_PATH) reply = answerToken(shop, body);
    }
    send(response, reply);
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch(() => response.destroy());
  };
  const server = options.tls === undefined ? createServer(onRequest) : createTlsServer(options.tls, onRequest);
  const portOf = () => (server.address() as AddressInfo | null)?.port ?? 0;

  return {
    async listen(port = 0) {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      return portOf();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
    get port() {
      return portOf();
    },
    shop(domain) {
      const shop = shops.get(domain) ?? createEmulatedShop(domain, app);
      shops.set(domain, shop);
      return shop;
    },
    createSessionToken: (shop, tokenOptions) => createSessionToken(app, shop, tokenOptions),
    fail: faults.add,
    operations,
    requests,
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** The answer of faults that strike before anything was done; null never answers. */
function replyEarly(fault: Fault, bucket: PointBucket): Reply | null | undefined {
  switch (fault.kind) {
    case "throttled": {
      const throttleStatus = { ...bucket.status(), currentlyAvailable: 0 };
      const cost = { requestedQueryCost: 100, actualQueryCost: null, throttleStatus };
      return { status: 200, body: throttledAnswer({ cost }) };
    }
    case "429":
      return { status: 429, body: { errors: "Too many requests" }, headers: { "retry-after": "2.0" } };
    case "reset":
      return { status: 0, body: null, drop: true };
    case "hang":
      return null;
    case "malformed":
      return { status: 200, body: "<html>" };
    case "oversized":
      return { status: 200, body: { data: "x".repeat(6 * 1024 * 1024) } };
    case "reset-after-effect":
      return undefined;
    default:
      return { status: Number(fault.kind), body: { errors: "refused" } };
  }
}

function send(response: ServerResponse, reply: Reply | null): void {
  if (reply === null) return;
  if (reply.drop === true) {
    response.destroy();
    return;
  }
  response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
  response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
}
