import { LRUCache } from "lru-cache";
import type { Dispatcher } from "undici";
import { isHoldfastError, type AccessState, type CredentialStore, type Logger } from "../../../src/index.ts";
import type { AccessTokens } from "./admin-client.ts";
import type { Credential } from "./credential.ts";
import { createCredentialKeeper, noAccess } from "./credential-keeper.ts";
import { createSharedWork } from "./shared-work.ts";
import { createTokenEndpoint } from "./token-endpoint.ts";

/** Options of {@link createTokens}. */
export interface TokensOptions {
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
