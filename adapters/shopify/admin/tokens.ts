import type { Dispatcher } from "undici";
import { z } from "zod";
import { refused, throttled, unavailable, unauthorized } from "./admin-answer.ts";
import { postJson, type JsonReply } from "./post-json.ts";
import {
  isHoldfastError,
  type AccessEnd,
  type AccessState,
  type CredentialStore,
  type Logger,
  type HoldfastError,
} from "../../../src/index.ts";
import { LRUCache } from "lru-cache";
import type { AccessTokens } from "./admin-client.ts";
import { toTenantId } from "../intake/shop-domain.ts";

/** Options of {@link createTokens}. */
interface TokensOptions {
  readonly apiKey: string;
  /** The current client secret: tokens are pinned to the secret that made them. */
  readonly apiSecret: string;
  readonly credentials: CredentialStore;
  /** @default undici's global dispatcher */
  readonly dispatcher?: Dispatcher | undefined;
  /** @default Date.now */
  readonly now?: (() => number) | undefined;
  /** @default silent */
  readonly logger?: Logger | undefined;
  /** Limit for one exchange, in milliseconds. @default 10000 */
  readonly timeoutMs?: number | undefined;
}

/** Every shop's offline access, kept fresh. Tokens live in the credential store alone. */
export interface ShopTokens extends AccessTokens {
  /**
   * Set up a shop's access with a session token, unless it has some. `false`: Shopify did not take the session token.
   *
   * @throws {HoldfastError} `PLATFORM_*`.
   */
  install(shop: string, sessionToken: string, signal?: AbortSignal): Promise<boolean>;
  /** Whether the shop's access works, by `probe` and by refreshing it. Forgets nothing. */
  confirm(shop: string, probe: (accessToken: string) => Promise<AccessState>): Promise<AccessState>;
}

/** A token is replaced this long before it ends, in milliseconds: longer than any call it is given to. */
const MARGIN_MS = 5 * 60_000;
/** After a refresh that failed while the old token still works, in milliseconds. */
const REFRESH_PAUSE_MS = 30_000;
const SHOPS_KEPT = 5_000;
const DEFAULT_TIMEOUT_MS = 10_000;

/** Create {@link ShopTokens}. */
export function createTokens(options: TokensOptions): ShopTokens {
  const { credentials, now = Date.now, logger, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const endpoint = createTokenEndpoint({ ...options, now, timeoutMs });
  const keeper = createCredentialKeeper({ credentials, endpoint, logger, now });
  const work = createSharedWork();
  /** Shops whose refresh just failed, and when to try again. */
  const refreshPauses = new LRUCache<string, number>({ max: SHOPS_KEPT });

  /** Access that does not expire is used until it is refused. */
  const isFresh = (kept: Credential) =>
    kept.refreshToken === undefined || kept.expiresAtMs - MARGIN_MS > now();

  async function replaceEarly(
    shop: string,
    kept: Credential,
    signal: AbortSignal | undefined,
  ): Promise<Credential> {
    const stillWorks = kept.expiresAtMs > now();
    if (stillWorks && (refreshPauses.get(shop) ?? 0) > now()) return kept;
    try {
      return await work.join(`refresh:${shop}`, signal, () => keeper.refreshUnless(shop, isFresh));
    } catch (error) {
      const passing = isHoldfastError(error, "PLATFORM_UNAVAILABLE", "PLATFORM_THROTTLED");
      if (!passing || !stillWorks) throw error;
      refreshPauses.set(shop, now() + REFRESH_PAUSE_MS);
      logger?.warn({ shop, code: error.code }, "couldn't refresh access to the shop; retrying later");
      return kept;
    }
  }

  return {
    async access(shop, signal) {
      const kept = await keeper.load(shop);
      if (kept === null) throw noAccess();
      return (isFresh(kept) ? kept : await replaceEarly(shop, kept, signal)).accessToken;
    },
    async renew(shop, rejected, signal) {
      const isOther = (kept: Credential) => kept.accessToken !== rejected;
      const key = `renew:${shop}:${rejected}`;
      return (await work.join(key, signal, () => keeper.refreshUnless(shop, isOther))).accessToken;
    },
    discard: (shop, rejected) => keeper.discard(shop, rejected),
    confirm: (shop, probe) => keeper.confirm(shop, probe),
    async install(shop, sessionToken, signal) {
      if ((await keeper.load(shop)) !== null) return true;
      const kept = await work.join(`install:${shop}`, signal, () => keeper.install(shop, sessionToken));
      return kept !== null;
    },
  };
}

/** Parts of {@link createCredentialKeeper}. */
interface CredentialKeeperOptions {
  readonly credentials: CredentialStore;
  readonly endpoint: TokenEndpoint;
  readonly logger: Logger | undefined;
  readonly now: () => number;
}

/** Reads and replaces kept credentials, one process at a time per shop. */
function createCredentialKeeper(options: CredentialKeeperOptions) {
  const { credentials, endpoint } = options;
  const { load, keep, discard, refresh, refreshKept } = createKeeping(options);

  return {
    load,
    /**
     * The stored credential if it `isUsable`, else a refreshed one. Discards a credential that Shopify no longer refreshes.
     *
     * @throws {HoldfastError} `PLATFORM_*`; `PLATFORM_UNAUTHORIZED` when the shop has no access.
     */
    refreshUnless: (shop: string, isUsable: (kept: Credential) => boolean) =>
      credentials.exclusively(toTenantId(shop), async () => {
        // Read again: another process may have refreshed it before it released the lock.
        const kept = await load(shop);
        if (kept === null) throw noAccess();
        return isUsable(kept) ? kept : refresh(shop, kept);
      }),
    /** Obtain a credential with a session token unless one is kept; null when Shopify did not take the session token. */
    install: (shop: string, sessionToken: string) =>
      credentials.exclusively(toTenantId(shop), async () => {
        const kept = await load(shop);
        if (kept !== null) return kept;
        const grant = await endpoint.exchange(shop, sessionToken);
        return grant.outcome === "granted" ? keep(shop, grant.credential, "installed") : null;
      }),
    /** Discard the kept credential if its access token is the `rejected` one. */
    discard: (shop: string, rejected: string) =>
      credentials.exclusively(toTenantId(shop), async () => {
        if ((await load(shop))?.accessToken === rejected) await discard(shop, "refused");
      }),
    /** Whether Shopify still takes the kept credential, by `probe` and by a refresh. Discards nothing. */
    confirm: (shop: string, probe: (accessToken: string) => Promise<AccessState>): Promise<AccessState> =>
      credentials.exclusively(toTenantId(shop), async () => {
        const kept = await load(shop);
        if (kept === null) return "unknown";
        const isLive = kept.refreshToken === undefined || kept.expiresAtMs > options.now();
        const answer = isLive ? await probe(kept.accessToken) : "refused";
        if (answer !== "refused") return answer;
        if ((await refreshKept(shop, kept)) !== null) return "works";
        return toAccessEnd(kept, options.now()) === "refused" ? "refused" : "unknown";
      }),
  };
}

/** Operations on a credential. The caller holds the shop's lock. */
function createKeeping({ credentials, endpoint, logger, now }: CredentialKeeperOptions) {
  async function load(shop: string): Promise<Credential | null> {
    return parseCredential(await credentials.load(toTenantId(shop)));
  }

  async function keep(
    shop: string,
    credential: Credential,
    occasion: "installed" | "refreshed",
  ): Promise<Credential> {
    await credentials.save(toTenantId(shop), JSON.stringify(credential), occasion);
    logger?.info({ shop, occasion }, "saved access to the shop");
    return credential;
  }

  async function refresh(shop: string, kept: Credential): Promise<Credential> {
    const refreshed = await refreshKept(shop, kept);
    if (refreshed !== null) return refreshed;
    await discard(shop, toAccessEnd(kept, now()));
    throw noAccess();
  }

  /** Null: Shopify does not refresh it. */
  async function refreshKept(shop: string, kept: Credential): Promise<Credential | null> {
    if (kept.refreshToken === undefined) return null;
    // A lost response does no harm: the old refresh token stays valid until the new one is first used.
    const grant = await endpoint.refresh(shop, kept.refreshToken);
    return grant.outcome === "granted" ? keep(shop, grant.credential, "refreshed") : null;
  }

  async function discard(shop: string, why: AccessEnd): Promise<void> {
    await credentials.discard(toTenantId(shop), why);
    logger?.error(
      { alert: "shop_access_lost", shop },
      "lost access to the shop. Open the app in Shopify to restore it",
    );
  }

  return { load, keep, discard, refresh, refreshKept };
}

/** The error for a shop whose access is missing until somebody opens the app. */
function noAccess(): HoldfastError {
  return unauthorized("Holdfast has no access to this shop. Open the app in Shopify to restore it");
}

/** Lets callers who want the same thing at the same time share one piece of work. */
export function createSharedWork() {
  const underWay = new Map<string, Promise<unknown>>();
  return {
    /**
     * Join the work under `key`, or start it. A caller that gives up leaves; the work goes on for the others.
     *
     * @throws {HoldfastError} `PLATFORM_UNAVAILABLE` when `signal` aborts first; otherwise what `work` throws.
     */
    join<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
      const running = underWay.get(key) as Promise<T> | undefined;
      const shared = running ?? work().finally(() => underWay.delete(key));
      if (running === undefined) underWay.set(key, shared);
      return signal === undefined ? shared : untilAborted(shared, signal);
    },
  };
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(unavailable("The caller stopped waiting"));
    const leave = () => signal.removeEventListener("abort", giveUp);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    work.then(resolve, reject).then(leave, leave);
  });
}

/** Options of {@link createTokenEndpoint}. */
interface TokenEndpointOptions {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly dispatcher?: Dispatcher | undefined;
  readonly now: () => number;
  /** Limit for one exchange, in milliseconds. */
  readonly timeoutMs: number;
}

/** Outcome of asking for tokens. Everything that may pass is thrown as `PLATFORM_*` instead. */
type Grant =
  | { readonly outcome: "granted"; readonly credential: Credential }
  /** What was presented is no longer accepted, and will not be. */
  | { readonly outcome: "rejected" };

/** A shop's token endpoint. */
interface TokenEndpoint {
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

/** A shop's access, as stored encrypted. */
interface Credential {
  readonly accessToken: string;
  /** When the access token ends, milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** Absent for access that does not expire: it is used until Shopify refuses it. */
  readonly refreshToken?: string | undefined;
  /** When the refresh token ends, milliseconds since the epoch. Absent: not known. */
  readonly refreshUntilMs?: number | undefined;
}

const credentialSchema = z.object({
  accessToken: z.string().min(1),
  expiresAtMs: z.number(),
  refreshToken: z.string().min(1).optional(),
  refreshUntilMs: z.number().optional(),
});

/** Lifetime of a token whose answer names none, in milliseconds; Shopify's own is an hour. */
const DEFAULT_LIFE_MS = 3_600_000;

const grantSchema = z.object({
  access_token: z.string().min(1),
  // A response without it must not make the token permanent, or it is never refreshed again (shopify-app-js issue 3400).
  expires_in: z.coerce.number().positive().optional().catch(undefined),
  refresh_token: z.string().min(1).optional().catch(undefined),
  refresh_token_expires_in: z.coerce.number().positive().optional().catch(undefined),
});

/** Read a kept credential; null when there is none or it is not one of ours. */
function parseCredential(secret: string | null): Credential | null {
  if (secret === null) return null;
  try {
    return credentialSchema.parse(JSON.parse(secret));
  } catch {
    return null;
  }
}

/**
 * Read a token endpoint's answer; null when it holds no access token. A refresh that gives no new refresh token
 * leaves the `previous` one in place.
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
function toAccessEnd({ refreshToken, refreshUntilMs }: Credential, nowMs: number): AccessEnd {
  return refreshToken === undefined || (refreshUntilMs ?? 0) > nowMs ? "refused" : "expired";
}
