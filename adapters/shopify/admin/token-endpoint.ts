import { z } from "zod";
import { refused, unavailable } from "../base/failures.ts";
import { toStatusError, toStatusMeaning } from "./http-status.ts";
import { postJson, type JsonReply } from "./post-json.ts";
import type { AccessEnd } from "../../../src/adapter-kit.ts";
import type { ShopifyOptions } from "../base/options.ts";

interface TokenEndpointOptions extends Pick<ShopifyOptions, "apiKey" | "apiSecret" | "dispatcher"> {
  readonly now: () => number;
  readonly timeoutMs: number;
}

const errorSchema = z.object({ error: z.string().regex(/^\w{1,64}$/) }).catch({ error: "" });

/** Create the client of the shops' token endpoints. Temporary failures are thrown as `PLATFORM_*`. */
export function createTokenEndpoint(options: TokenEndpointOptions) {
  const { apiKey, apiSecret, dispatcher, now, timeoutMs } = options;

  const exchangeFor = (shop: string, sessionToken: string, type: "offline" | "online") =>
    post(shop, {
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      subject_token: sessionToken,
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
      requested_token_type: `urn:shopify:params:oauth:token-type:${type}-access-token`,
      ...(type === "offline" ? { expiring: "1" } : {}),
    });

  async function post(shop: string, form: Readonly<Record<string, string>>): Promise<JsonReply> {
    const reply = await postJson(
      `https://${shop}/admin/oauth/access_token`,
      { client_id: apiKey, client_secret: apiSecret, ...form },
      { dispatcher, timeoutMs },
    );
    const meaning = reply.status === 200 ? undefined : toStatusMeaning(reply.status);
    if (meaning === "throttled" || meaning === "soon")
      throw toStatusError(reply, now(), "Shopify's token endpoint");
    return reply;
  }

  function toCredential({ status, body }: JsonReply, previous?: string): Credential {
    if (status !== 200) {
      const code = errorSchema.parse(body).error;
      throw refused(`Shopify's token endpoint returned ${status} ${code}`.trim());
    }
    const credential = parseGrant(body, now(), previous);
    if (credential === null) throw unavailable("Shopify's token endpoint returned 200 without a token");
    return credential;
  }

  return {
    /** Exchange a session token for an expiring offline token. Null: Shopify doesn't accept the session token. */
    async exchange(shop: string, sessionToken: string): Promise<Credential | null> {
      const reply = await exchangeFor(shop, sessionToken, "offline");
      const invalid = reply.status !== 200 && errorSchema.parse(reply.body).error === "invalid_subject_token";
      return invalid ? null : toCredential(reply);
    },
    /**
     * The staff member behind a session token; null if Shopify doesn't say. Shopify names them only beside an access
     * token of their own, which isn't kept.
     */
    async readUser(shop: string, sessionToken: string): Promise<StaffMember | null> {
      const { status, body } = await exchangeFor(shop, sessionToken, "online");
      return status === 200 ? (userSchema.parse(body).associated_user ?? null) : null;
    },
    /** Exchange a refresh token for a new pair. Null: Shopify no longer accepts it, and never will. */
    async refresh(shop: string, refreshToken: string): Promise<Credential | null> {
      const reply = await post(shop, { grant_type: "refresh_token", refresh_token: refreshToken });
      return isRefreshRejected(reply) ? null : toCredential(reply, refreshToken);
    },
  };
}

const nameSchema = z.string().optional().catch(undefined);
const userSchema = z
  .object({
    associated_user: z
      .object({ id: z.coerce.string(), first_name: nameSchema, last_name: nameSchema })
      .optional()
      .catch(undefined),
  })
  .catch({ associated_user: undefined });
type StaffMember = NonNullable<z.infer<typeof userSchema>["associated_user"]>;

/**
 * Whether a refresh token is no longer valid. Shopify says so with 401 `invalid_request` ("requires an active
 * refresh_token") as well as with OAuth's own `invalid_grant`. Other refusals, such as a wrong client secret, concern
 * the app and not the shop, and must not delete every shop's access.
 */
function isRefreshRejected({ status, body }: JsonReply): boolean {
  if (status !== 400 && status !== 401) return false;
  const code = errorSchema.parse(body).error;
  return code === "invalid_grant" || (status === 401 && code === "invalid_request");
}

const credentialSchema = z.object({
  accessToken: z.string().min(1),
  /** When the access token expires, milliseconds since the epoch. */
  expiresAtMs: z.number(),
  /** Absent for access that doesn't expire, which is used until Shopify refuses it. */
  refreshToken: z.string().min(1).optional(),
  /** When the refresh token expires, milliseconds since the epoch. Absent: not known. */
  refreshUntilMs: z.number().optional(),
});

/** A shop's access, as stored encrypted. */
export type Credential = Readonly<z.infer<typeof credentialSchema>>;

/** Lifetime of a token whose answer doesn't say; Shopify's own is an hour. */
const DEFAULT_LIFE_MS = 3_600_000;

const grantSchema = z.object({
  access_token: z.string().min(1),
  // A response without it must not make the token permanent, or it is never refreshed again (shopify-app-js issue 3400).
  expires_in: z.coerce.number().positive().optional().catch(undefined),
  refresh_token: z.string().min(1).optional().catch(undefined),
  refresh_token_expires_in: z.coerce.number().positive().optional().catch(undefined),
});

/** Read a stored credential; null if there is none, or if it isn't one of ours. */
export function parseCredential(secret: string | null): Credential | null {
  if (secret === null) return null;
  try {
    return credentialSchema.parse(JSON.parse(secret));
  } catch {
    return null;
  }
}

/**
 * Read a token endpoint's answer; null if it has no access token. If a refresh returns no new refresh token, the
 * `previous` one stays.
 */
function parseGrant(body: unknown, nowMs: number, previous?: string): Credential | null {
  const parsed = grantSchema.safeParse(body);
  if (!parsed.success) return null;
  const {
    access_token: accessToken,
    expires_in: seconds,
    refresh_token: refreshToken = previous,
    refresh_token_expires_in: refreshSeconds,
  } = parsed.data;
  const expiresAtMs = nowMs + (seconds === undefined ? DEFAULT_LIFE_MS : seconds * 1000);
  return {
    accessToken,
    expiresAtMs,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(refreshSeconds === undefined ? {} : { refreshUntilMs: nowMs + refreshSeconds * 1000 }),
  };
}

/**
 * Why Shopify accepted neither the access token nor the refresh token: `refused` if they should still work, as after an
 * uninstall; `expired` if they may have expired.
 */
export function toAccessEnd({ refreshToken, refreshUntilMs }: Credential, nowMs: number): AccessEnd {
  return refreshToken === undefined || (refreshUntilMs ?? 0) > nowMs ? "refused" : "expired";
}
