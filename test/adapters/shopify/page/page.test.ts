import { describe, expect, it } from "vitest";
import { BOUNCE_PATH, toBouncePage, toEntrance, toPage } from "../../../../adapters/shopify/page/page.ts";
import { CONSOLE_VIEWS } from "../../../../src/adapter-kit.ts";

const API_KEY = "client-id";
const APP_URL = "https://app.example.com";
const SHOP = "demo.myshopify.com";
const HOST = "YWRtaW4uc2hvcGlmeS5jb20vc3RvcmUvZGVtbw";

/** Values that somebody may send instead of a shop's domain. */
const HOSTILE_SHOPS = [
  "",
  "demo",
  "evil.example",
  "demo.myshopify.com.evil.example",
  "evil.example/demo.myshopify.com",
  "evil.example#.myshopify.com",
  "evil.example?.myshopify.com",
  "demo.myshopify.com@evil.example",
  "demo.myshopify.com:8080",
  "demo.myshopify.com/",
  "demo.myshopify.com\n",
  "demo.myshopify.com; script-src *",
  "*.myshopify.com",
  "a.b.myshopify.com",
  "-demo.myshopify.com",
  "démo.myshopify.com",
  `${"a".repeat(64)}.myshopify.com`,
  "https://demo.myshopify.com",
  "demo.myshopify.com 'unsafe-inline'",
];

describe("toPage", () => {
  it("allows the shop and the admin to frame it, and loads App Bridge before everything else", () => {
    const page = toPage(API_KEY, { shop: SHOP, host: HOST });

    expect(page).toMatchObject({
      frameAncestors: [`https://${SHOP}`, "https://admin.shopify.com"],
      scriptSources: ["https://cdn.shopify.com/shopifycloud/"],
    });
    const sources = [...(page?.head ?? "").matchAll(/<script src="([^"]+)"( defer)?>/g)];
    expect(
      sources.map(([, source, deferred]) => [source, deferred === undefined ? "at once" : "later"]),
    ).toEqual([
      ["https://cdn.shopify.com/shopifycloud/app-bridge.js", "at once"],
      ["https://cdn.shopify.com/shopifycloud/polaris-1.js", "later"],
    ]);
    expect(page?.head).toMatch(/^<meta name="shopify-api-key" content="client-id">/);
  });

  it("adds a link per view except the first to the admin's menu, and shows none in the page", () => {
    const page = toPage(API_KEY, { shop: SHOP, host: HOST });
    const links = [...(page?.bodyStart ?? "").matchAll(/<s-link href="([^"]+)">([^<]+)<\/s-link>/g)];

    expect(links.map(([, href, title]) => [href, title])).toEqual(
      CONSOLE_VIEWS.slice(1).map(({ view, title }) => [`/${view}`, title]),
    );
    expect(page?.bodyStart).toMatch(/^<s-app-nav hidden>.*<\/s-app-nav>$/);
  });

  it("accepts a shop domain in capital letters", () => {
    expect(toPage(API_KEY, { shop: "DEMO.MyShopify.com", host: HOST })?.frameAncestors).toContain(
      `https://${SHOP}`,
    );
  });

  it("writes no key that could end its attribute", () => {
    expect(toPage('"><script>', { shop: SHOP, host: HOST })?.head).toContain(
      'content="&quot;&gt;&lt;script&gt;"',
    );
  });

  it("returns no page without a shop", () => {
    expect(toPage(API_KEY, { shop: undefined, host: HOST })).toBeNull();
  });

  it.each([undefined, ""])("returns no page without the admin's host: %j", (host) => {
    expect(toPage(API_KEY, { shop: SHOP, host })).toBeNull();
  });
});

describe("toEntrance", () => {
  it("redirects a visitor with a shop from outside its admin into the admin", () => {
    expect(toEntrance(API_KEY, { shop: SHOP }, "/")).toBe("https://demo.myshopify.com/admin/apps/client-id");
    expect(toEntrance("a/../b?c", { shop: SHOP }, "/")).toBe(
      "https://demo.myshopify.com/admin/apps/a%2F..%2Fb%3Fc",
    );
  });

  it.each([{}, { shop: SHOP, host: HOST }, { shop: SHOP, embedded: "1" }])("doesn't redirect %j", (query) => {
    expect(toEntrance(API_KEY, query, "/")).toBeNull();
  });
});

describe("toBouncePage", () => {
  const bounce = (query: Readonly<Record<string, string | undefined>>) =>
    toBouncePage({ apiKey: API_KEY, appUrl: `${APP_URL}/` }, query);

  it.each(["/", "/?view=policy&shop=demo.myshopify.com&host=x", `${APP_URL}/?shop=demo.myshopify.com`])(
    "loads App Bridge and nothing else, on the way back to %s",
    (reload) => {
      expect(bounce({ shop: SHOP, "shopify-reload": reload })).toEqual({
        frameAncestors: [`https://${SHOP}`, "https://admin.shopify.com"],
        scriptSources: ["https://cdn.shopify.com/shopifycloud/"],
        head:
          '<meta name="shopify-api-key" content="client-id">' +
          '<script src="https://cdn.shopify.com/shopifycloud/app-bridge.js"></script>',
      });
    },
  );

  it.each([
    undefined,
    "",
    "policy",
    "?view=policy",
    "https://evil.example/",
    "//evil.example/",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "\t//evil.example",
    " //evil.example",
    "/%0d%0aSet-Cookie:x\r\n",
    "javascript:alert(1)",
    "data:text/html,x",
    `${APP_URL}.evil.example/`,
    `${APP_URL}@evil.example/`,
    "https://user:word@app.example.com/",
    "http://app.example.com/",
    "https://app.example.com:8443/",
    `/${"a".repeat(2_048)}`,
    "/é",
    BOUNCE_PATH,
    `${BOUNCE_PATH}?shopify-reload=/`,
    `/x/..${BOUNCE_PATH}`,
    `${APP_URL}${BOUNCE_PATH}`,
  ])("continues only to the app's own pages: %j", (reload) => {
    expect(bounce({ shop: SHOP, "shopify-reload": reload })).toBeNull();
  });
});

describe("an invalid shop domain", () => {
  it.each(HOSTILE_SHOPS)("gets no page, no way into the admin and no bounce page: %j", (shop) => {
    expect(toPage(API_KEY, { shop, host: HOST })).toBeNull();
    expect(toEntrance(API_KEY, { shop }, "/")).toBeNull();
    const parts = { apiKey: API_KEY, appUrl: `${APP_URL}/` };
    expect(toBouncePage(parts, { shop, "shopify-reload": "/" })).toBeNull();
  });
});
