import type { AccessEnd, AccessState, CredentialStore, HoldfastError, Logger } from "../../../src/index.ts";
import { parseCredential, toAccessEnd, type Credential } from "./credential.ts";
import { unauthorized } from "./platform-errors.ts";
import { toTenantId } from "../intake/shop-domain.ts";
import type { TokenEndpoint } from "./token-endpoint.ts";

/** Parts of {@link createCredentialKeeper}. */
export interface CredentialKeeperOptions {
  readonly credentials: CredentialStore;
  readonly endpoint: TokenEndpoint;
  readonly logger: Logger | undefined;
  readonly now: () => number;
}

/** Reads and replaces kept credentials, one process at a time per shop. */
export interface CredentialKeeper {
  load(shop: string): Promise<Credential | null>;
  /**
   * The stored credential if it `isUsable`, else a refreshed one. Discards a credential that Shopify no longer refreshes.
   *
   * @throws {HoldfastError} `PLATFORM_*`; `PLATFORM_UNAUTHORIZED` when the shop has no access.
   */
  refreshUnless(shop: string, isUsable: (kept: Credential) => boolean): Promise<Credential>;
  /** Obtain a credential with a session token unless one is kept; null when Shopify did not take the session token. */
  install(shop: string, sessionToken: string): Promise<Credential | null>;
  /** Discard the kept credential if its access token is the `rejected` one. */
  discard(shop: string, rejected: string): Promise<void>;
  /** Whether Shopify still takes the kept credential, by `probe` and by a refresh. Discards nothing. */
  confirm(shop: string, probe: (accessToken: string) => Promise<AccessState>): Promise<AccessState>;
}

/** Create a {@link CredentialKeeper}. */
export function createCredentialKeeper(options: CredentialKeeperOptions): CredentialKeeper {
  const { credentials, endpoint } = options;
  const { load, keep, discard, refresh, refreshKept } = createKeeping(options);

  return {
    load,
    refreshUnless: (shop, isUsable) =>
      credentials.exclusively(toTenantId(shop), async () => {
        // Read again: another process may have refreshed it before it released the lock.
        const kept = await load(shop);
        if (kept === null) throw noAccess();
        return isUsable(kept) ? kept : refresh(shop, kept);
      }),
    install: (shop, sessionToken) =>
      credentials.exclusively(toTenantId(shop), async () => {
        const kept = await load(shop);
        if (kept !== null) return kept;
        const grant = await endpoint.exchange(shop, sessionToken);
        return grant.outcome === "granted" ? keep(shop, grant.credential, "installed") : null;
      }),
    discard: (shop, rejected) =>
      credentials.exclusively(toTenantId(shop), async () => {
        if ((await load(shop))?.accessToken === rejected) await discard(shop, "refused");
      }),
    confirm: (shop, probe) =>
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
export function noAccess(): HoldfastError {
  return unauthorized("Holdfast has no access to this shop. Open the app in Shopify to restore it");
}
