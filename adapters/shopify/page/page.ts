import { CONSOLE_VIEWS, type PlatformPage } from "../../../src/index.ts";
import { toShopDomain } from "../intake/shop-domain.ts";

/** Query of a page that Shopify opened. */
export type ShopifyQuery = Readonly<Record<string, string | undefined>>;

/** Where Shopify's own scripts are. Merchants' files are elsewhere on the same host, and the page doesn't load them. */
const SCRIPTS = "https://cdn.shopify.com/shopifycloud/";

/** Where App Bridge reports how fast the page was. Shopify judges apps by it (Built for Shopify, web vitals). */
const VITALS = ["https://monorail-edge.shopifysvc.com", "https://otlp-http-production.shopifysvc.com"];

/**
 * What the console page needs inside Shopify's admin: the shop that may frame it, App Bridge, which must come from
 * Shopify's CDN and before any other script, and the views for the admin's menu. Null unless the request names a shop
 * and the admin's `host`: that is how Shopify opens an embedded page.
 */
export function toPage(apiKey: string, query: ShopifyQuery): PlatformPage | null {
  const shop = toShopDomain(query["shop"]);
  if (shop === undefined || (query["host"] ?? "") === "") return null;
  // Deferred: only the menu's links need it, and the page must not wait for a second file from the CDN.
  const polaris = `<script src="${SCRIPTS}polaris-1.js" defer></script>`;
  return { ...toFrame(shop), connectSources: VITALS, head: toBridge(apiKey) + polaris, bodyStart: MENU };
}

/** Who may frame a page of `shop`, and where its scripts come from. */
export function toFrame(shop: string): Pick<PlatformPage, "frameAncestors" | "scriptSources"> {
  return { frameAncestors: [`https://${shop}`, "https://admin.shopify.com"], scriptSources: [SCRIPTS] };
}

/** The elements that load App Bridge, for the very start of `<head>`. */
export function toBridge(apiKey: string): string {
  return (
    `<meta name="shopify-api-key" content="${escapeAttribute(apiKey)}">` +
    `<script src="${SCRIPTS}app-bridge.js"></script>`
  );
}

const LINKS = CONSOLE_VIEWS.slice(1).map(({ view, title }) => `<s-link href="/${view}">${title}</s-link>`);
/** The app's entries in the admin's menu. Its name there already leads to the first view. App Bridge draws them outside the page. Hidden in case App Bridge didn't load. */
const MENU = `<s-app-nav hidden>${LINKS.join("")}</s-app-nav>`;

function escapeAttribute(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
