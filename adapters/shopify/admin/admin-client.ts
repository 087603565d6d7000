import type { PlatformCallOptions } from "../../../src/adapter-kit.ts";
import type { ShopifyOptions } from "../base/options.ts";
import { DEFAULT_PAUSE_MS, parseAdminAnswer, toFailure, type AdminAnswer } from "./admin-answer.ts";
import { refused, unauthorized, unavailable } from "../base/failures.ts";
import { OPERATIONS, type Operations } from "../operations/generated/operations.ts";
import { toStatusError } from "./http-status.ts";
import { DEFAULT_TIMEOUT_MS, type JsonReply, postJson } from "./post-json.ts";
import { toShopDomain } from "../base/shop-domain.ts";
import { createShopThrottle } from "./shop-throttle.ts";
import type { ShopTokens } from "./tokens.ts";

export interface AdminClientOptions extends Pick<ShopifyOptions, "dispatcher" | "now" | "logger"> {
  readonly tokens: Pick<ShopTokens, "access" | "renew" | "discard">;
  /**
   * Limit for one exchange, and again for waiting for the shop's turn, in milliseconds.
   *
   * @default 10000
   */
  readonly timeoutMs?: number | undefined;
}

/** Sends GraphQL documents to any shop's Admin API. */
export type AdminClient = ReturnType<typeof createAdminClient>;

/** The version of the Admin API that every document is written for. */
export const ADMIN_API_VERSION = "2026-10";
/** The assumed cost of a document until Shopify reports it. */
const FIRST_COST = 100;

export function createAdminClient(options: AdminClientOptions) {
  const { tokens, now = Date.now, logger } = options;
  const send = createAdminTransport(options);

  async function sendAuthorized<K extends keyof Operations>(
    shop: string,
    operation: K,
    variables: Operations[K]["variables"],
    signal: AbortSignal | undefined,
  ): Promise<JsonReply> {
    const token = await tokens.access(shop, signal);
    const reply = await send(shop, token, operation, variables, signal);
    if (reply.status !== 401) return reply;
    // A 401 means that nothing was done, so send the same document again: clocks differ, and another process may have
    // refreshed the token.
    const renewed = await tokens.renew(shop, token, signal);
    const again = await send(shop, renewed, operation, variables, signal);
    if (again.status !== 401) return again;
    await tokens.discard(shop, renewed);
    throw unauthorized(
      "Shopify rejected the access token for this shop (401). Open the app in Shopify to restore access",
    );
  }

  return {
    /**
     * Send the document of an operation, once. Resolves to `data` and `errors` together: a field without permission is null
     * and named in `errors`, and the other fields have their values.
     *
     * @throws {HoldfastError} `PLATFORM_*` if there is no data at all, or no answer.
     */
    async request<K extends keyof Operations>(
      shop: string,
      operation: K,
      variables: Operations[K]["variables"],
      { signal }: PlatformCallOptions = {},
    ): Promise<AdminAnswer<Operations[K]["data"]>> {
      if (toShopDomain(shop) !== shop) throw refused("Not a Shopify shop domain");
      const startedAtMs = now();
      const reply = await sendAuthorized(shop, operation, variables, signal);
      if (reply.status !== 200) throw toStatusError(reply, now());
      const answer = parseAdminAnswer(reply.body);
      if (answer === undefined) throw unavailable("Shopify returned 200 without a GraphQL response");
      const { data, errors, cost } = answer;
      logger?.debug(
        {
          shop,
          operation,
          durationMs: now() - startedAtMs,
          cost: cost?.requestedQueryCost,
          errors: errors.map((error) => error.code),
        },
        "Admin API call finished",
      );
      const isEmpty = Object.values(data ?? {}).every((value) => value === null);
      if (errors.length > 0 && isEmpty) throw toFailure(answer, now());
      return { data: data as Operations[K]["data"], errors };
    },
  };
}

/** Create the function that sends one document to a shop, once, when the shop's bucket has room for it. */
export function createAdminTransport(options: Omit<AdminClientOptions, "tokens" | "logger">) {
  const { dispatcher, now = Date.now, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const throttle = createShopThrottle(now);
  /** The points that Shopify last reserved for each document. */
  const costs = new Map<keyof Operations, number>();

  function learn(shop: string, operation: keyof Operations, reply: JsonReply): void {
    if (reply.status === 429) throttle.pause(shop, now() + (reply.retryAfterMs ?? DEFAULT_PAUSE_MS));
    const cost = parseAdminAnswer(reply.body)?.cost;
    if (cost === undefined) return;
    costs.set(operation, cost.requestedQueryCost);
    throttle.report(shop, cost.throttleStatus);
  }

  return <K extends keyof Operations>(
    shop: string,
    token: string,
    operation: K,
    variables: Operations[K]["variables"],
    signal: AbortSignal | undefined,
  ): Promise<JsonReply> => {
    const document = { query: OPERATIONS[operation], variables };
    const url = `https://${shop}/admin/api/${ADMIN_API_VERSION}/graphql.json`;
    const headers = { "x-shopify-access-token": token, "user-agent": "holdfast" };
    const turn = { cost: costs.get(operation) ?? FIRST_COST, signal, deadlineMs: now() + timeoutMs };
    return throttle.run(shop, turn, async () => {
      const reply = await postJson(url, document, { headers, dispatcher, timeoutMs, signal });
      // Before the turn ends, so that the next call uses it.
      learn(shop, operation, reply);
      return reply;
    });
  };
}
