import type { Dispatcher } from "undici";
import { z } from "zod";
import { parseGrant, type Credential } from "./credential.ts";
import { refused, throttled, unavailable } from "./platform-errors.ts";
import { postJson, type JsonReply } from "./post-json.ts";

/** Options of {@link createTokenEndpoint}. */
export interface TokenEndpointOptions {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly dispatcher?: Dispatcher | undefined;
  readonly now: () => number;
  /** Limit for one exchange, in milliseconds. */
  readonly timeoutMs: number;
}

/** Outcome of asking for tokens. Everything that may pass is thrown as `PLATFORM_*` instead. */
export type Grant =
  | { readonly outcome: "granted"; readonly credential: Credential }
  /** What was presented is no longer accepted, and will not be. */
  | { readonly outcome: "rejected" };

/** A shop's token endpoint. */
export interface TokenEndpoint {
  /** Exchange a session token for an expiring offline token. */
  exchange(shop: string, sessionToken: string): Promise<Grant>;
  /** Exchange a refresh token for a new pair. */
  refresh(shop: string, refreshToken: string): Promise<Grant>;
}

const errorSchema = z.object({ error: z.string().regex(/^\w{1,64}$/) }).catch({ error: "" });
const DEFAULT_PAUSE_MS = 2_000;

/** Create a {@link TokenEndpoint}. */
export function createTokenEndpoint(options: TokenEndpointOptions): TokenEndpoint {
  const { apiKey, apiSecret, dispatcher, now, timeoutMs } = options;

  async function post(shop: string, form: Readonly<Record<string, string>>): Promise<JsonReply> {
    const reply = await postJson(
      `https://${shop}/admin/oauth/access_token`,
      { client_id: apiKey, client_secret: apiSecret, ...form },
      { dispatcher, timeoutMs },
    );
    if (reply.status === 429) {
      const retryAtMs = now() + (reply.retryAfterMs ?? DEFAULT_PAUSE_MS);
      throw throttled("Shopify rate limit reached for this shop's token endpoint (429)", retryAtMs);
    }
    if (reply.status >= 500) throw unavailable(`Shopify's token endpoint returned ${reply.status}`);
    return reply;
  }

  function toGrant(reply: JsonReply, previous?: string): Grant {
    if (reply.status !== 200) {
      const code = errorSchema.parse(reply.body).error;
      throw refused(`Shopify's token endpoint returned ${reply.status} ${code}`.trim());
    }
    const credential = parseGrant(reply.body, now(), previous);
    if (credential === null) throw unavailable("Shopify's token endpoint returned 200 without a token");
    return { outcome: "granted", credential };
  }

  return {
    async exchange(shop, sessionToken) {
      const reply = await post(shop, {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        subject_token: sessionToken,
        subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
        requested_token_type: "urn:shopify:params:oauth:token-type:offline-access-token",
        expiring: "1",
      });
      const invalid = reply.status !== 200 && errorSchema.parse(reply.body).error === "invalid_subject_token";
      return invalid ? { outcome: "rejected" } : toGrant(reply);
    },
    async refresh(shop, refreshToken) {
      const reply = await post(shop, { grant_type: "refresh_token", refresh_token: refreshToken });
      return isRefreshRejected(reply) ? { outcome: "rejected" } : toGrant(reply, refreshToken);
    },
  };
}

/**
 * Whether a refresh token is dead. Shopify says so with 401 `invalid_request` ("requires an active refresh_token") as
 * well as with OAuth's own `invalid_grant`. Other refusals, such as a wrong client secret, concern the app and not
 * the shop: they must not cost every shop its access.
 */
function isRefreshRejected({ status, body }: JsonReply): boolean {
  if (status !== 400 && status !== 401) return false;
  const code = errorSchema.parse(body).error;
  return code === "invalid_grant" || (status === 401 && code === "invalid_request");
}
