import type { JwtPayload } from "@shopify/shopify-api";
import { throwMissingPackage, type Platform } from "../../../src/adapter-kit.ts";
import { isHoldfastError } from "../../../src/index.ts";
import { joinText } from "../../../src/mapping.ts";
import { toShopDomain, toTenantId } from "../base/shop-domain.ts";
import type { ShopifyOptions } from "../base/options.ts";
import type { AccessOrigin, ShopTokens } from "../admin/tokens.ts";

interface SessionsOptions extends Pick<
  ShopifyOptions,
  "apiKey" | "apiSecret" | "apiSecretPrevious" | "appUrl"
> {
  readonly tokens: Pick<ShopTokens, "install" | "readUser">;
  /** Called with the session token of each session that was opened. Default: nothing. */
  readonly onOpened?: ((shop: string, sessionToken: string, access: AccessOrigin) => void) | undefined;
}

/** Longest token accepted. Session tokens have about 700 characters. */
const LONGEST_TOKEN = 4_096;
const NAME_LENGTH = 100;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Create the platform's `openSession` and `readUserName`, for the embedded page's calls. */
export function createSessions(
  options: SessionsOptions,
): Required<Pick<Platform, "openSession" | "readUserName">> {
  const secrets = [options.apiSecret, options.apiSecretPrevious].filter((secret) => secret !== undefined);
  const verifiers = secrets.map((secret) => createVerifier(options, secret));

  async function verify(token: string): Promise<JwtPayload | null> {
    for (const decode of verifiers) {
      try {
        return await decode(token);
      } catch (error) {
        if (isHoldfastError(error)) throw error;
        // Not stored or logged: the library's message contains the whole token.
      }
    }
    return null;
  }

  async function identify(bearer: string) {
    if (bearer.length > LONGEST_TOKEN || !JWT.test(bearer)) return null;
    const claims = await verify(bearer);
    const shop = claims === null ? undefined : toShop(claims);
    if (claims === null || shop === undefined) return null;
    return { shop, userId: typeof claims.sub === "string" ? claims.sub : undefined };
  }

  return {
    /**
     * The session of a session token; also sets up the shop's own access. Null if the token isn't one of ours, has
     * expired, or is refused by Shopify.
     *
     * @throws {HoldfastError} `PLATFORM_*` if the shop's access can't be set up now.
     */
    async openSession(bearer, { signal } = {}) {
      const caller = await identify(bearer);
      if (caller === null) return null;
      const { shop, userId } = caller;
      const access = await options.tokens.install(shop, bearer, signal);
      if (access === null) return null;
      options.onOpened?.(shop, bearer, access);
      return { tenant: toTenantId(shop), userId };
    },
    /** The name of the staff member, as Shopify has it. */
    async readUserName(bearer, { signal } = {}) {
      const caller = await identify(bearer);
      if (caller?.userId === undefined) return null;
      const user = await options.tokens.readUser(caller.shop, bearer, signal);
      if (user?.id !== caller.userId) return null;
      return joinText(NAME_LENGTH, " ", user.first_name, user.last_name) ?? null;
    },
  };
}

/**
 * Shopify's library is loaded with the first token: it is the largest package of all, and a storefront doesn't need it.
 */
function createVerifier(options: SessionsOptions, secret: string): (token: string) => Promise<JwtPayload> {
  async function load() {
    await import("@shopify/shopify-api/adapters/node");
    const { ApiVersion, shopifyApi } = await import("@shopify/shopify-api");
    return shopifyApi({
      apiKey: options.apiKey,
      apiSecretKey: secret,
      apiVersion: ApiVersion.October26,
      hostName: new URL(options.appUrl).host,
      isEmbeddedApp: true,
      logger: { log() {} },
    });
  }
  let loaded: ReturnType<typeof load> | undefined;
  return async (token) => {
    const shopify = await (loaded ??= load().catch(throwMissingPackage));
    return shopify.session.decodeSessionToken(token);
  };
}

/** The shop of verified claims; undefined if they don't agree or never expire. */
function toShop({ dest, iss, exp }: JwtPayload): string | undefined {
  // The library checks `exp` only if the token has one.
  if (typeof exp !== "number") return undefined;
  const shop = toShopDomain(toHost(dest));
  return shop !== undefined && toHost(iss) === shop ? shop : undefined;
}

function toHost(url: unknown): string | undefined {
  return typeof url === "string" && URL.canParse(url) ? new URL(url).host : undefined;
}
