import type { IncomingMessage, ServerResponse } from "node:http";
import { answerAdmin, nameOperation, throttledAnswer, type AdminRequest } from "./execute-operation.ts";
import type { EmulatedShop } from "./emulated-shop.ts";
import type { Faults, Fault } from "./faults.ts";
import type { PointBucket } from "./query-cost.ts";
import type { TokenMode } from "./token-endpoint.ts";

const GRAPHQL_PATH = "/admin/api/2026-10/graphql.json";
const TOKEN_PATH = "/admin/oauth/access_token";

/** A GraphQL operation that the emulator received. */
export interface RecordedOperation {
  readonly shop: string;
  readonly name: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly atMs: number;
  /** Top-level errors of the answer. */
  readonly errors: readonly unknown[];
}

/** A request that the emulator received, whatever the result. */
export interface RecordedRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly atMs: number;
  /** The token that was asked for, at the token endpoint: the shop's own, or one that only names a staff member. */
  readonly tokenMode?: TokenMode;
}

/** The data that answers come from. */
export interface ShopRequestsParts {
  readonly apiKey: string;
  readonly now: () => number;
  readonly cancelDelayMs: number;
  readonly faults: Faults;
  readonly findShop: (domain: string) => EmulatedShop | undefined;
  readonly bucketOf: (domain: string) => PointBucket;
  readonly operations: RecordedOperation[];
  readonly requests: RecordedRequest[];
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Drop the connection instead of answering. */
  readonly drop?: boolean;
}

/** Create the handler of every request to the emulator: GraphQL, tokens, and 404 for anything else. */
export function createShopRequests(parts: ShopRequestsParts) {
  const { apiKey, now, cancelDelayMs, faults, bucketOf } = parts;

  async function answerGraphql(shop: EmulatedShop, token: string, body: string): Promise<Reply | null> {
    const mode = shop.tokens.identify(token);
    if (mode === null) return { status: 401, body: { errors: "[API] Invalid API key or access token" } };
    const { query, variables = {} } = JSON.parse(body) as Partial<AdminRequest> & { query: string };
    const name = nameOperation(query);
    const bucket = bucketOf(shop.domain);
    const fault = faults.next("graphql", name);
    const early = replyEarly(fault, bucket);
    const record = (errors: readonly unknown[]) =>
      void parts.operations.push({ shop: shop.domain, name, variables, atMs: now(), errors });
    if (early !== undefined) {
      record([{ fault: fault?.kind }]);
      return early;
    }
    const call = { shop, apiKey, mode, now, cancelDelayMs };
    const answer = await answerAdmin({ query, variables }, call, bucket);
    record(answer.errors ?? []);
    return { status: 200, body: answer, drop: fault?.kind === "reset-after-effect" };
  }

  function answerToken(shop: EmulatedShop, body: string): Reply | null {
    const fault = faults.next("token", "");
    const early = replyEarly(fault, bucketOf(shop.domain));
    if (early !== undefined) return early;
    const isJson = body.startsWith("{");
    const form = isJson ? (JSON.parse(body) as object) : Object.fromEntries(new URLSearchParams(body));
    return { ...shop.tokens.answer({ ...form }), drop: fault?.kind === "reset-after-effect" };
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url: path = "", headers } = request;
    const host = (headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
    const record: { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] } = {
      method,
      host,
      path,
      atMs: now(),
    };
    parts.requests.push(record);
    const body = await readBody(request);
    if (path === TOKEN_PATH) record.tokenMode = body.includes("online-access-token") ? "online" : "offline";
    const shop = method === "POST" ? parts.findShop(host) : undefined;
    if (shop !== undefined && path === GRAPHQL_PATH) {
      send(response, await answerGraphql(shop, String(headers["x-shopify-access-token"]), body));
    } else if (shop !== undefined && path === TOKEN_PATH) send(response, answerToken(shop, body));
    else send(response, { status: 404, body: { errors: "Not Found" } });
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** The response to a fault that happens before any work. Null: never responds. Undefined: no such fault. */
function replyEarly(fault: Fault | undefined, bucket: PointBucket): Reply | null | undefined {
  switch (fault?.kind) {
    case undefined:
    case "reset-after-effect":
      return undefined;
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
    default:
      return { status: Number(fault?.kind), body: { errors: "refused" } };
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
