import type { PlatformPage } from "../../../src/index.ts";
import { toBridge, toFrame, type ShopifyQuery } from "./page.ts";
import { toShopDomain } from "../intake/shop-domain.ts";

/** The path that Shopify's libraries use for this page. */
export const BOUNCE_PATH = "/session-token-bounce";

/** Longer than any address of the console. */
const LONGEST_ADDRESS = 2_048;

/** Options of {@link toBouncePage}. */
export interface BouncePageOptions {
  readonly apiKey: string;
  /** Where the app is served. */
  readonly appUrl: string;
}

/**
 * The page that fetches a fresh session token: App Bridge finds `shopify-reload` in its address and goes there with the
 * token. Null unless the request names a shop, and an address of this app to go on to.
 */
export function toBouncePage(
  { apiKey, appUrl }: BouncePageOptions,
  query: ShopifyQuery,
): PlatformPage | null {
  const shop = toShopDomain(query["shop"]);
  if (shop === undefined || !isOwnAddress(query["shopify-reload"] ?? "", appUrl)) return null;
  return { ...toFrame(shop), head: toBridge(apiKey) };
}

/** Whether an address stays within the app. App Bridge reads it from the address bar, so a wrong one can only be refused. */
function isOwnAddress(address: string, appUrl: string): boolean {
  // Browsers drop control characters and read a backslash as a slash.
  if (address.length > LONGEST_ADDRESS || !/^[\x21-\x5b\x5d-\x7e]+$/.test(address)) return false;
  const { origin } = new URL(appUrl);
  if (!address.startsWith("/") && !address.startsWith(`${origin}/`)) return false;
  if (!URL.canParse(address, origin)) return false;
  const target = new URL(address, origin);
  // A redirect to itself would never end.
  return target.origin === origin && target.pathname !== BOUNCE_PATH;
}
