import type { PlatformPage } from "../../src/index.ts";
import { toShopDomain } from "./shop-domain.ts";

const CDN = "https://cdn.shopify.com";

/**
 * What the console page needs inside Shopify's admin: the shop that may frame it, and App Bridge, which must come from
 * Shopify's CDN and before any other script. Null unless the request names a shop and
 * the admin's `host`: that is how Shopify opens an embedded page.
 */
export function toPage(
  apiKey: string,
  query: Readonly<Record<string, string | undefined>>,
): PlatformPage | null {
  const shop = toShopDomain(query["shop"]);
  if (shop === undefined || (query["host"] ?? "") === "") return null;
  return {
    frameAncestors: [`https://${shop}`, "https://admin.shopify.com"],
    scriptSources: [CDN],
    head:
      `<meta name="shopify-api-key" content="${escapeAttribute(apiKey)}">` +
      `<script src="${CDN}/shopifycloud/app-bridge.js"></script>`,
  };
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
