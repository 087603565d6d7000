import { MockAgent } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { createShopifyPlatform } from "../../../adapters/shopify/index.ts";
import { keepOrder, startConsole, type ConsoleApp } from "../../server/console-app.ts";
import { createMemoryCredentials } from "./admin-fixture.ts";

const SHOP = "demo.myshopify.com";
const HOST = "YWRtaW4uc2hvcGlmeS5jb20vc3RvcmUvZGVtbw";
const EMBEDDED = `/?shop=${SHOP}&host=${HOST}&embedded=1`;

/** The real server with the real platform; nothing here reaches Shopify. */
async function startEmbedded(): Promise<ConsoleApp> {
  const dispatcher = new MockAgent();
  dispatcher.disableNetConnect();
  onTestFinished(() => dispatcher.close());
  const platform = createShopifyPlatform({
    apiKey: "client-id",
    apiSecret: "client-secret",
    appUrl: "https://app.example.com",
    credentials: createMemoryCredentials(),
    dispatcher,
  });
  return await startConsole({ platforms: [platform] });
}

/** Doesn't follow redirects. */
async function visit(app: ConsoleApp, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(`${app.origin}${path}`, { redirect: "manual", headers });
}

const policyOf = ({ headers }: Response): string => headers.get("content-security-policy") ?? "";

describe("the console in Shopify's admin", () => {
  it.each(["", "&view=policy", "&id_token=forged&hmac=x&timestamp=1&locale=de"])(
    "may be framed only by its shop's admin, without a cookie, whatever else is requested: %s",
    async (more) => {
      const app = await startEmbedded();

      const response = await visit(app, `${EMBEDDED}${more}`);
      const text = await response.text();

      expect(response.status).toBe(200);
      expect(policyOf(response)).toMatch(
        /frame-ancestors https:\/\/demo\.myshopify\.com https:\/\/admin\.shopify\.com$/,
      );
      expect(policyOf(response)).toContain("connect-src 'self' https://monorail-edge.shopifysvc.com ");
      expect(response.headers.get("x-frame-options")).toBeNull();
      expect(response.headers.get("set-cookie")).toBeNull();
      expect(response.headers.get("cache-control")).toBe("no-store");
      const scripts = [...text.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, source]) => source);
      expect(scripts.slice(0, 2)).toEqual([
        "https://cdn.shopify.com/shopifycloud/app-bridge.js",
        "https://cdn.shopify.com/shopifycloud/polaris-1.js",
      ]);
      expect(scripts.slice(2).every((source) => source?.startsWith("/assets/"))).toBe(true);
      expect(text.indexOf("<s-app-nav hidden>")).toBeLessThan(text.indexOf('id="app"'));
    },
  );

  it("serves the same page at the address of every view", async () => {
    const app = await startEmbedded();
    const [first, ...others] = await Promise.all(
      ["/", "/settings/people", "/orders/4711"].map(async (path) => {
        const page = await visit(app, EMBEDDED.replace("/", path));
        expect(policyOf(page)).toMatch(/frame-ancestors https:\/\/demo\.myshopify\.com https:/);
        return await page.text();
      }),
    );
    expect(new Set(others)).toEqual(new Set([first]));
  });

  it("shows nothing of a shop before a session token names it", async () => {
    const app = await startEmbedded();
    await keepOrder(app.store, "4711", { name: "#ORDER-NAME" });

    expect(await (await visit(app, EMBEDDED)).text()).not.toMatch(/4711|ORDER-NAME/);
    const refused = await visit(app, "/api/orders", { authorization: "Bearer a.forged.token" });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("x-shopify-retry-invalid-session-request")).toBe("1");
  });

  it("sends a visitor from outside the admin into it", async () => {
    const app = await startEmbedded();

    const response = await visit(app, `/policy/versions?shop=${SHOP}`);

    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(
      "https://demo.myshopify.com/admin/apps/client-id/policy/versions",
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("set-cookie")).toBeNull();
  });

  it.each([
    "shop=evil.example",
    "shop=demo.myshopify.com.evil.example",
    "shop=evil.example%23.myshopify.com",
    "shop=demo.myshopify.com%40evil.example",
    "shop=demo.myshopify.com%0d%0aLocation:%20https://evil.example",
    `shop=${SHOP}&shop=evil.example`,
    `shop=evil.example&host=${HOST}&embedded=1`,
    `shop=*.myshopify.com&host=${HOST}&embedded=1`,
    `shop=${SHOP}&shop=${SHOP}&host=${HOST}`,
    `host=${HOST}&embedded=1`,
  ])("neither redirects nor may be framed for %s", async (query) => {
    const app = await startEmbedded();

    const response = await visit(app, `/?${query}`);

    expect(response.status).toBe(200);
    expect(response.headers.get("location")).toBeNull();
    expect(policyOf(response)).toMatch(/frame-ancestors 'none'$/);
    expect(response.headers.get("x-frame-options")).toBe("DENY");
    expect(await response.text()).not.toMatch(/evil|cdn\.shopify/);
  });

  it("answers only GET and HEAD, and has no page at another address", async () => {
    const app = await startEmbedded();
    const response = await app.send("POST", EMBEDDED);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await visit(app, "/nowhere")).status).toBe(404);
  });
});

describe("/session-token-bounce", () => {
  const reload = encodeURIComponent(EMBEDDED);

  it("is App Bridge on an empty page, only for the shop's admin", async () => {
    const app = await startEmbedded();

    const response = await visit(
      app,
      `/session-token-bounce?shop=${SHOP}&host=${HOST}&shopify-reload=${reload}`,
    );
    const text = await response.text();

    expect(response.status).toBe(200);
    expect(policyOf(response)).toMatch(
      /frame-ancestors https:\/\/demo\.myshopify\.com https:\/\/admin\.shopify\.com$/,
    );
    expect(response.headers.get("x-frame-options")).toBeNull();
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect([...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<script src="https://cdn.shopify.com/shopifycloud/app-bridge.js">',
    ]);
    expect(text).toContain('<meta name="shopify-api-key" content="client-id">');
    expect(text).not.toContain(SHOP);
  });

  it.each([
    "",
    `shop=${SHOP}`,
    `shopify-reload=${reload}`,
    `shop=evil.example&shopify-reload=${reload}`,
    `shop=${SHOP}&shopify-reload=https://evil.example/`,
    `shop=${SHOP}&shopify-reload=//evil.example/`,
    `shop=${SHOP}&shopify-reload=/%5Cevil.example`,
    `shop=${SHOP}&shopify-reload=javascript:alert(1)`,
    `shop=${SHOP}&shopify-reload=/&shopify-reload=https://evil.example`,
    `shop=${SHOP}&shop=evil.example&shopify-reload=/`,
    `shop=${SHOP}&shopify-reload=/session-token-bounce`,
  ])("is refused, with no script to follow it, for %s", async (query) => {
    const app = await startEmbedded();

    const response = await visit(app, `/session-token-bounce?${query}`);

    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toContain("application/problem+json");
    expect(policyOf(response)).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(await response.text()).not.toContain("evil");
  });
});
