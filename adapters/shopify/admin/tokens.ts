import { addAbortListener } from "node:events";
import { LRUCache } from "lru-cache";
import { raiseAlert, type AccessState, type AccessEnd } from "../../../src/adapter-kit.ts";
import { isHoldfastError, type HoldfastError } from "../../../src/index.ts";
import { DEFAULT_TIMEOUT_MS } from "./post-json.ts";
import { type Credential, parseCredential, toAccessEnd, createTokenEndpoint } from "./token-endpoint.ts";
import { unauthorized, unavailable } from "../base/failures.ts";
import { toTenantId } from "../base/shop-domain.ts";
import type { ShopifyOptions } from "../base/options.ts";

interface TokensOptions extends Pick<
  ShopifyOptions,
  "apiKey" | "apiSecret" | "credentials" | "dispatcher" | "now" | "logger"
> {
  /** Limit for one exchange, in milliseconds. @default 10000 */
  readonly timeoutMs?: number | undefined;
}

/** Whether Shopify granted a shop's access just now, or it was stored before. */
export type AccessOrigin = "granted" | "stored";

/** Asks Shopify whether it accepts an access token. */
export type AccessProbe = (accessToken: string) => Promise<AccessState>;

/** A token is replaced this long before it expires: longer than any call that uses it. */
const MARGIN_MS = 5 * 60_000;
/** The pause after a failed refresh while the old token still works. */
const REFRESH_PAUSE_MS = 30_000;
const SHOPS_KEPT = 5_000;

export type ShopTokens = ReturnType<typeof createTokens>;

/** Tokens are stored only in the credential store. Every method may throw {@link HoldfastError} `PLATFORM_*`. */
export function createTokens(options: TokensOptions) {
  const { now = Date.now, logger } = options;
  const keeper = createCredentialKeeper({ ...options, now });
  const { load, exclusively, refreshUnless, ask, exchange } = keeper;
  const work = createSharedWork();
  const refreshIfDue = createRefresher({ refreshUnless, work, now, logger });

  return {
    /** A token that should be accepted now. @throws {HoldfastError} `PLATFORM_UNAUTHORIZED` if the shop has none. */
    async access(shop: string, signal?: AbortSignal): Promise<string> {
      const kept = await load(shop);
      if (kept === null) throw noAccess();
      return (await refreshIfDue(shop, kept, signal)).accessToken;
    },
    /** A token other than `rejected`, which Shopify didn't accept. */
    async renew(shop: string, rejected: string, signal?: AbortSignal): Promise<string> {
      const isOther = (kept: Credential) => kept.accessToken !== rejected;
      const key = `renew:${shop}:${rejected}`;
      return (await work.join(key, signal, () => refreshUnless(shop, isOther))).accessToken;
    },
    /** Delete the shop's access, if it is still the `rejected` one. */
    discard: (shop: string, rejected: string): Promise<void> =>
      exclusively(shop, async (kept) => {
        if (kept?.accessToken === rejected) await keeper.discard(shop, "refused");
      }),
    /** Set up a shop's access with a session token, unless it has access. Null: Shopify didn't accept the session token. */
    async install(shop: string, sessionToken: string, signal?: AbortSignal): Promise<AccessOrigin | null> {
      if ((await load(shop)) !== null) return "stored";
      return work.join(`install:${shop}`, signal, () =>
        exclusively(shop, async (kept) => {
          if (kept !== null) return "stored";
          return (await exchange(shop, sessionToken)) ? "granted" : null;
        }),
      );
    },
    /** The staff member behind a session token; null if Shopify doesn't say. */
    readUser: (shop: string, sessionToken: string, signal?: AbortSignal) =>
      work.join(`user:${shop}:${sessionToken}`, signal, () => keeper.readUser(shop, sessionToken)),
    /**
     * Replace access that Shopify no longer accepts, by `probe` and by refreshing it, with a session token that was just
     * verified: the shop uninstalled the app and installed it again before Holdfast noticed.
     */
    replaceRefused: (shop: string, sessionToken: string, probe: AccessProbe): Promise<void> =>
      exclusively(shop, async (kept) => {
        if (kept !== null && (await ask(shop, kept, probe)) === "refused") await exchange(shop, sessionToken);
      }),
    /** Whether the shop's access works, by `probe` and by refreshing it. Deletes nothing. */
    confirm: (shop: string, probe: AccessProbe): Promise<AccessState> =>
      exclusively(shop, async (kept) => {
        if (kept === null) return "unknown";
        const answer = await ask(shop, kept, probe);
        return answer === "refused" && toAccessEnd(kept, now()) !== "refused" ? "unknown" : answer;
      }),
  };
}

interface RefresherParts extends Pick<ReturnType<typeof createCredentialKeeper>, "refreshUnless"> {
  readonly work: ReturnType<typeof createSharedWork>;
  readonly now: () => number;
  readonly logger: TokensOptions["logger"];
}

/** Create the function that replaces a credential before it expires. */
function createRefresher({ refreshUnless, work, now, logger }: RefresherParts) {
  /** Shops whose refresh just failed, and when to try again. */
  const refreshPauses = new LRUCache<string, number>({ max: SHOPS_KEPT });

  /** Access that doesn't expire is used until Shopify refuses it. */
  const isFresh = (kept: Credential) =>
    kept.refreshToken === undefined || kept.expiresAtMs - MARGIN_MS > now();

  return async (shop: string, kept: Credential, signal: AbortSignal | undefined): Promise<Credential> => {
    if (isFresh(kept)) return kept;
    const stillWorks = kept.expiresAtMs > now();
    if (stillWorks && (refreshPauses.get(shop) ?? 0) > now()) return kept;
    try {
      return await work.join(`refresh:${shop}`, signal, () => refreshUnless(shop, isFresh));
    } catch (error) {
      // A refused refresh leaves the old token as good as it was, too.
      const leavesToken = isHoldfastError(
        error,
        "PLATFORM_UNAVAILABLE",
        "PLATFORM_THROTTLED",
        "PLATFORM_REFUSED",
      );
      if (!leavesToken || !stillWorks) throw error;
      refreshPauses.set(shop, now() + REFRESH_PAUSE_MS);
      logger?.warn({ shop, code: error.code }, "couldn't refresh access to the shop; retrying later");
      return kept;
    }
  };
}

/** Reads and replaces stored credentials, one process at a time per shop. */
function createCredentialKeeper(options: TokensOptions & { readonly now: () => number }) {
  const { credentials, logger, now, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const endpoint = createTokenEndpoint({ ...options, timeoutMs });

  async function load(shop: string): Promise<Credential | null> {
    return parseCredential(await credentials.load(toTenantId(shop)));
  }

  /** Reads again under the lock: another process may have refreshed it before it released the lock. */
  const exclusively = <T>(shop: string, work: (kept: Credential | null) => Promise<T>): Promise<T> =>
    credentials.exclusively(toTenantId(shop), async () => work(await load(shop)));

  async function save(
    shop: string,
    credential: Credential | null,
    occasion: "installed" | "refreshed",
  ): Promise<Credential | null> {
    if (credential === null) return null;
    await credentials.save(toTenantId(shop), JSON.stringify(credential), occasion);
    logger?.info({ shop, occasion }, "saved access to the shop");
    return credential;
  }

  const exchange = async (shop: string, sessionToken: string): Promise<Credential | null> =>
    save(shop, await endpoint.exchange(shop, sessionToken), "installed");

  /** Null: Shopify no longer refreshes it. */
  async function refresh(shop: string, { refreshToken }: Credential): Promise<Credential | null> {
    if (refreshToken === undefined) return null;
    // A lost response does no harm: the old refresh token stays valid until the new one is first used.
    return save(shop, await endpoint.refresh(shop, refreshToken), "refreshed");
  }

  async function discard(shop: string, why: AccessEnd): Promise<void> {
    await credentials.discard(toTenantId(shop), why);
    const message = "lost access to the shop. Open the app in Shopify to restore it";
    if (logger !== undefined) raiseAlert(logger, "shop_access_lost", { shop }, message);
  }

  return {
    load,
    exclusively,
    exchange,
    discard,
    readUser: (shop: string, sessionToken: string) => endpoint.readUser(shop, sessionToken),
    /** The stored credential if it `isUsable`, else a refreshed one. Discards a credential that Shopify no longer refreshes. */
    refreshUnless: (shop: string, isUsable: (kept: Credential) => boolean): Promise<Credential> =>
      exclusively(shop, async (kept) => {
        if (kept === null) throw noAccess();
        const usable = isUsable(kept) ? kept : await refresh(shop, kept);
        if (usable !== null) return usable;
        await discard(shop, toAccessEnd(kept, now()));
        throw noAccess();
      }),
    /** Whether Shopify still accepts a credential, by `probe` and by a refresh. */
    ask: async (shop: string, kept: Credential, probe: AccessProbe): Promise<AccessState> => {
      const isLive = kept.refreshToken === undefined || kept.expiresAtMs > now();
      const answer = isLive ? await probe(kept.accessToken) : "refused";
      if (answer !== "refused") return answer;
      return (await refresh(shop, kept)) === null ? "refused" : "works";
    },
  };
}

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
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const listener = addAbortListener(signal, () => reject(unavailable("The caller stopped waiting")));
  return Promise.race([work, givenUp]).finally(() => listener[Symbol.dispose]());
}
