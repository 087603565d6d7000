import { LRUCache } from "lru-cache";
import {
  isHoldfastError,
  type AccessState,
  type CredentialStore,
  type Logger,
  type AccessEnd,
  type HoldfastError,
} from "../../../src/index.ts";
import { DEFAULT_TIMEOUT_MS, type AccessTokens } from "./admin-client.ts";
import {
  type Credential,
  parseCredential,
  toAccessEnd,
  createTokenEndpoint,
  type TokenEndpoint,
} from "./token-endpoint.ts";
import { unauthorized, unavailable } from "./admin-answer.ts";
import { toTenantId } from "../intake/shop-domain.ts";
import type { ShopifyOptions } from "../options.ts";

/** Options of {@link createTokens}. */
interface TokensOptions extends Pick<
  ShopifyOptions,
  "apiKey" | "apiSecret" | "credentials" | "dispatcher" | "now" | "logger"
> {
  /** Limit for one exchange, in milliseconds. @default 10000 */
  readonly timeoutMs?: number | undefined;
}

/** Whether Shopify granted a shop's access just now, or it was stored before. */
export type AccessOrigin = "granted" | "stored";

/** Every shop's offline access, refreshed in time. Tokens are stored only in the credential store. */
export interface ShopTokens extends AccessTokens {
  /**
   * Set up a shop's access with a session token, unless it has access. Null: Shopify didn't accept the session token.
   *
   * @throws {HoldfastError} `PLATFORM_*`.
   */
  install(shop: string, sessionToken: string, signal?: AbortSignal): Promise<AccessOrigin | null>;
  /**
   * Replace access that Shopify no longer accepts, by `probe` and by refreshing it, with a session token that was just
   * verified: the shop uninstalled the app and installed it again before Holdfast noticed.
   *
   * @throws {HoldfastError} `PLATFORM_*`.
   */
  replaceRefused(shop: string, sessionToken: string, probe: AccessProbe): Promise<void>;
  /** Whether the shop's access works, by `probe` and by refreshing it. Deletes nothing. */
  confirm(shop: string, probe: AccessProbe): Promise<AccessState>;
}

/** Asks Shopify whether it accepts an access token. */
export type AccessProbe = (accessToken: string) => Promise<AccessState>;

/** A token is replaced this long before it expires, in milliseconds: longer than any call that uses it. */
const MARGIN_MS = 5 * 60_000;
/** The pause after a failed refresh while the old token still works, in milliseconds. */
const REFRESH_PAUSE_MS = 30_000;
const SHOPS_KEPT = 5_000;

/** Create {@link ShopTokens}. */
export function createTokens(options: TokensOptions): ShopTokens {
  const { credentials, now = Date.now, logger, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const endpoint = createTokenEndpoint({ ...options, now, timeoutMs });
  const keeper = createCredentialKeeper({ credentials, endpoint, logger, now });
  const work = createSharedWork();
  /** Shops whose refresh just failed, and when to try again. */
  const refreshPauses = new LRUCache<string, number>({ max: SHOPS_KEPT });

  /** Access that doesn't expire is used until Shopify refuses it. */
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
    replaceRefused: (shop, sessionToken, probe) => keeper.replaceRefused(shop, sessionToken, probe),
    confirm: (shop, probe) => keeper.confirm(shop, probe),
    async install(shop, sessionToken, signal) {
      if ((await keeper.load(shop)) !== null) return "stored";
      return work.join(`install:${shop}`, signal, () => keeper.install(shop, sessionToken));
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

/** Reads and replaces stored credentials, one process at a time per shop. */
function createCredentialKeeper(options: CredentialKeeperOptions) {
  const { credentials, endpoint } = options;
  const { load, keep, discard, refresh, refreshKept } = createKeeping(options);

  /** Whether Shopify still accepts a credential, by `probe` and by a refresh. */
  async function ask(shop: string, kept: Credential, probe: AccessProbe): Promise<AccessState> {
    const isLive = kept.refreshToken === undefined || kept.expiresAtMs > options.now();
    const answer = isLive ? await probe(kept.accessToken) : "refused";
    if (answer !== "refused") return answer;
    return (await refreshKept(shop, kept)) === null ? "refused" : "works";
  }

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
    /** Obtain a credential with a session token unless one is stored. */
    install: (shop: string, sessionToken: string) =>
      credentials.exclusively(toTenantId(shop), async (): Promise<AccessOrigin | null> => {
        if ((await load(shop)) !== null) return "stored";
        const grant = await endpoint.exchange(shop, sessionToken);
        if (grant.outcome !== "granted") return null;
        await keep(shop, grant.credential, "installed");
        return "granted";
      }),
    /** Discard the stored credential if its access token is the `rejected` one. */
    discard: (shop: string, rejected: string) =>
      credentials.exclusively(toTenantId(shop), async () => {
        if ((await load(shop))?.accessToken === rejected) await discard(shop, "refused");
      }),
    /** Replace the stored credential with the help of a session token, if Shopify no longer accepts it. */
    replaceRefused: (shop: string, sessionToken: string, probe: AccessProbe): Promise<void> =>
      credentials.exclusively(toTenantId(shop), async () => {
        const kept = await load(shop);
        if (kept === null || (await ask(shop, kept, probe)) !== "refused") return;
        const grant = await endpoint.exchange(shop, sessionToken);
        if (grant.outcome === "granted") await keep(shop, grant.credential, "installed");
      }),
    /** Whether Shopify still accepts the stored credential. Discards nothing. */
    confirm: (shop: string, probe: AccessProbe): Promise<AccessState> =>
      credentials.exclusively(toTenantId(shop), async () => {
        const kept = await load(shop);
        if (kept === null) return "unknown";
        const answer = await ask(shop, kept, probe);
        return answer === "refused" && toAccessEnd(kept, options.now()) !== "refused" ? "unknown" : answer;
      }),
  };
}

/** Operations on a stored credential. The caller holds the shop's lock. */
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

  /** Null: Shopify no longer refreshes it. */
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

/** Lets simultaneous callers with the same key share one piece of work. */
export function createSharedWork() {
  const underWay = new Map<string, Promise<unknown>>();
  return {
    /**
     * Join the work under `key`, or start it. If a caller gives up, the work continues for the others.
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
