import type { Dispatcher } from "undici";
import { parseAdminAnswer } from "./admin-answer.ts";
import { postJson, type JsonReply } from "./post-json.ts";
import { createShopThrottle } from "./shop-throttle.ts";

/** Parts of {@link createAdminTransport}. */
export interface AdminTransportOptions {
  readonly apiVersion: string;
  readonly dispatcher?: Dispatcher | undefined;
  readonly now: () => number;
  /** Limit for one exchange, and again for waiting for the shop's turn, in milliseconds. */
  readonly timeoutMs: number;
}

/** A document with its variables. */
export interface AdminDocument {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Sends one document to a shop, once, when the shop's bucket has room for it. */
export type AdminTransport = (
  shop: string,
  token: string,
  document: AdminDocument,
  signal: AbortSignal | undefined,
) => Promise<JsonReply>;

/** The assumed cost of a document until Shopify reports it. */
const FIRST_COST = 100;
/** When the platform gives no hint, in milliseconds. */
const DEFAULT_PAUSE_MS = 2_000;

/** Create an {@link AdminTransport}. */
export function createAdminTransport(options: AdminTransportOptions): AdminTransport {
  const { apiVersion, dispatcher, now, timeoutMs } = options;
  const throttle = createShopThrottle(now);
  /** The last requested cost of each document. Documents are constants, so there are few. */
  const costs = new Map<string, number>();

  function learn(shop: string, query: string, reply: JsonReply): void {
    if (reply.status === 429) throttle.pause(shop, now() + (reply.retryAfterMs ?? DEFAULT_PAUSE_MS));
    const cost = parseAdminAnswer(reply.body)?.cost;
    if (cost === undefined) return;
    costs.set(query, cost.requestedQueryCost);
    throttle.report(shop, cost.throttleStatus);
  }

  return (shop, token, document, signal) => {
    const url = `https://${shop}/admin/api/${apiVersion}/graphql.json`;
    const headers = { "x-shopify-access-token": token, "user-agent": "holdfast" };
    const turn = { cost: costs.get(document.query) ?? FIRST_COST, signal, deadlineMs: now() + timeoutMs };
    return throttle.run(shop, turn, async () => {
      const reply = await postJson(url, document, { headers, dispatcher, timeoutMs, signal });
      // Before the turn ends, so that the next call uses it.
      learn(shop, document.query, reply);
      return reply;
    });
  };
}
