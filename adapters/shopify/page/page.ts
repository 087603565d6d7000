import { CONSOLE_VIEWS, type PlatformPage, type TenantId } from "../../../src/adapter-kit.ts";
import { toShopDomain, findShop } from "../base/shop-domain.ts";
import { toOrderGid } from "../base/payload.ts";
import type { ShopifyOptions } from "../base/options.ts";

type ShopifyQuery = Readonly<Record<string, string | undefined>>;

/** Where Shopify's own scripts are. Merchants' files are elsewhere on the same host, and the page doesn't load them. */
const SCRIPTS = "https://cdn.shopify.com/shopifycloud/";

/** Where App Bridge reports the page's speed, by which Shopify judges apps (Built for Shopify, web vitals). */
const VITALS = ["https://monorail-edge.shopifysvc.com", "https://otlp-http-production.shopifysvc.com"];

/**
 * What the console page needs inside Shopify's admin: the shop that may frame it, App Bridge, which must come from
 * Shopify's CDN and before any other script, and the views for the admin's menu. Null unless the request has a shop and
 * the admin's `host`, as when Shopify opens an embedded page.
 */
export function toPage(apiKey: string, query: ShopifyQuery): PlatformPage | null {
  const shop = toShopDomain(query["shop"]);
  if (shop === undefined || (query["host"] ?? "") === "") return null;
  // Deferred: only the menu's links need it, and the page must not wait for a second file from the CDN.
  const polaris = `<script src="${SCRIPTS}polaris-1.js" defer></script>`;
  return { ...toFrame(shop), connectSources: VITALS, head: toBridge(apiKey) + polaris, bodyStart: MENU };
}

function toFrame(shop: string): Pick<PlatformPage, "frameAncestors" | "scriptSources"> {
  return { frameAncestors: [`https://${shop}`, "https://admin.shopify.com"], scriptSources: [SCRIPTS] };
}

/** The elements that load App Bridge, for the very start of `<head>`. */
function toBridge(apiKey: string): string {
  return (
    `<meta name="shopify-api-key" content="${escapeAttribute(apiKey)}">` +
    `<script src="${SCRIPTS}app-bridge.js"></script>`
  );
}

const LINKS = CONSOLE_VIEWS.slice(1).map(({ view, title }) => `<s-link href="/${view}">${title}</s-link>`);
/**
 * The app's entries in the admin's menu. The app's name in the menu already leads to the first view. App Bridge draws
 * the entries outside the page. They are hidden in case App Bridge didn't load.
 */
const MENU = `<s-app-nav hidden>${LINKS.join("")}</s-app-nav>`;

function escapeAttribute(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

/** The path that Shopify's libraries use for this page. */
export const BOUNCE_PATH = "/session-token-bounce";

/** Longest address accepted; longer than any address of the console. */
const LONGEST_ADDRESS = 2_048;

/**
 * The page that fetches a fresh session token: App Bridge finds `shopify-reload` in its address and goes there with the
 * token. Null unless the request has a shop, and the address to continue to is in this app.
 */
export function toBouncePage(
  { apiKey, appUrl }: Pick<ShopifyOptions, "apiKey" | "appUrl">,
  query: ShopifyQuery,
): PlatformPage | null {
  const shop = toShopDomain(query["shop"]);
  if (shop === undefined || !isOwnAddress(query["shopify-reload"] ?? "", appUrl)) return null;
  return { ...toFrame(shop), head: toBridge(apiKey) };
}

/** Whether an address is in this app. App Bridge reads it from the address bar, so a wrong one can only be refused. */
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

/** The page of an order in the shop's admin. Null if the tenant isn't a shop, or the id isn't an order's. */
export function toAdminUrl(tenant: TenantId, orderId: string): string | null {
  const shop = findShop(tenant);
  if (shop === undefined || toOrderGid(orderId) === undefined) return null;
  // The admin's addresses have the shop's permanent domain without the part that all shops share.
  const store = shop.slice(0, -".myshopify.com".length);
  return `https://admin.shopify.com/store/${store}/orders/${orderId}`;
}

/** A page of the app in a shop's admin. `path`: its own, `/` for the first. */
export function toAppUrl(shop: string, apiKey: string, path: string): string {
  return `https://${shop}/admin/apps/${encodeURIComponent(apiKey)}${path === "/" ? "" : path}`;
}

/**
 * The app's page in a shop's admin, for somebody who opened the app outside the admin's frame, where it gets no session
 * token. Null unless the request names a shop and doesn't come from the admin.
 */
export function toEntrance(apiKey: string, query: ShopifyQuery, path: string): string | null {
  const shop = toShopDomain(query["shop"]);
  // With `host`, App Bridge detects that it is outside the frame and redirects by itself.
  if (shop === undefined || query["embedded"] === "1" || (query["host"] ?? "") !== "") return null;
  return toAppUrl(shop, apiKey, path);
}
