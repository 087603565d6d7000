import { describe, expect, it } from "vitest";
import { createFakePlatform, keepOrder, startConsole, type ConsoleApp } from "../console-app.ts";

const EMBEDDED = "/?shop=a.example&host=aG9zdA&embedded=1";
const policyOf = ({ headers }: Response) => headers.get("content-security-policy") ?? "";

async function open(
  app: ConsoleApp,
  path = "/",
): Promise<{ readonly response: Response; readonly text: string }> {
  const response = await app.get(path);
  expect(response.status).toBe(200);
  // White space between tags is up to the formatter.
  return { response, text: (await response.text()).replaceAll(/\s*\n\s*/g, "") };
}

describe("createPage", () => {
  it("isn't cached", async () => {
    const { response } = await open(await startConsole());

    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("looks like the script's first render, so that nothing moves when the script starts", async () => {
    const { text } = await open(await startConsole());
    expect(text).toMatch(
      /<div id="app"><header class="top-bar line">.*<main id="main"><div class="page stack">/,
    );
    expect(text).toContain('content="light dark"');
    expect(text).toContain('<div class="skeleton stack" role="status" aria-label="Loading">');
  });

  it("shows no tenant's data without a sign-in, embedded or not", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "4711", { name: "#ORDER-NAME", decided: { level: "high", action: "hold" } });

    for (const path of ["/", EMBEDDED]) {
      const { text } = await open(app, path);
      expect(text).not.toMatch(/4711|ORDER-NAME|jane|holdfast-high|Main Street/i);
    }
  });

  it("can't be embedded when it is standalone", async () => {
    const app = await startConsole();

    const { response, text } = await open(app, "/?shop=a.example");

    expect(policyOf(response)).toMatch(/frame-ancestors 'none'$/);
    expect(response.headers.get("x-frame-options")).toBe("DENY");
    expect(text).toContain('data-embedded="false"');
    expect(text).not.toContain("cdn.fake.example");
  });

  it("can be embedded only by the platform that recognizes the request", async () => {
    const app = await startConsole();

    const { response, text } = await open(app, EMBEDDED);

    expect(policyOf(response)).toContain("script-src 'self' https://cdn.fake.example;");
    expect(policyOf(response)).toMatch(
      /frame-ancestors https:\/\/a\.example https:\/\/admin\.fake\.example$/,
    );
    expect(response.headers.get("x-frame-options")).toBeNull();
    expect(text).toContain('data-embedded="true"');
  });

  it("leaves the bar, the menu and the dark scheme to the platform's admin", async () => {
    const { text } = await open(await startConsole(), EMBEDDED);
    expect(text).toMatch(/<div id="app"><main id="main">/);
    expect(text).toContain('<meta name="color-scheme" content="light" />');
  });

  it("loads the platform's script before its own", async () => {
    const app = await startConsole();
    const { text } = await open(app, EMBEDDED);
    const sources = [...text.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, source]) => source);
    expect(sources).toEqual(["https://cdn.fake.example/bridge.js", "/assets/console.js"]);
  });

  it("has no inline script, style or handler, and allows none", async () => {
    const app = await startConsole();
    for (const path of ["/", EMBEDDED]) {
      const { response, text } = await open(app, path);
      expect(policyOf(response)).not.toContain("unsafe");
      expect(policyOf(response)).toMatch(/^default-src 'none'; script-src 'self'/);
      expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/i);
      expect(text).not.toMatch(/<script(?![^>]* src=)/);
    }
  });

  it.each([
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a.example; script-src *",
    "a.example https://evil.example",
    "a.example\r\nSet-Cookie: x=1",
    "a.example' 'unsafe-inline",
  ])("keeps a forged query out of page and policy: %j", async (evil) => {
    const forged = encodeURIComponent(evil);
    const app = await startConsole();

    const { response, text } = await open(
      app,
      `/?shop=${forged}&host=${forged}&id_token=${forged}&${forged}=1`,
    );

    expect(text).not.toContain("alert(1)");
    expect(text).not.toContain("onerror");
    expect(text).not.toContain("evil");
    expect(policyOf(response)).not.toMatch(/evil|unsafe|script-src \*|[<>]/);
    expect(policyOf(response).split(";")).toHaveLength(9);
    expect(response.headers.get("set-cookie")).toBeNull();
  });

  it("is standalone if no safe ancestor is left", async () => {
    const platform = createFakePlatform({
      page: () => ({
        frameAncestors: ["https://a.example; script-src *"],
        scriptSources: [],
        head: "<meta>",
      }),
    });
    const app = await startConsole({ platforms: [platform] });
    const { response, text } = await open(app, EMBEDDED);
    expect(policyOf(response)).toMatch(/frame-ancestors 'none'$/);
    expect(text).toContain('data-embedded="false"');
  });

  it("ignores a parameter that is given twice", async () => {
    const app = await startConsole();
    const { response } = await open(app, "/?shop=a.example&shop=b.example&host=x");
    expect(policyOf(response)).toMatch(/frame-ancestors 'none'$/);
  });

  it("has no form: without the script, it could only put the token in an address", async () => {
    const { text } = await open(await startConsole());
    expect(text).not.toMatch(/<form|<input/);
    expect(text).toContain("<noscript>");
  });

  it("supports screen readers and small screens", async () => {
    const app = await startConsole();
    const { text } = await open(app);
    expect(text).toMatch(/^<!doctype html><html lang="en" data-embedded="false">/);
    expect(text).toContain('<meta name="viewport" content="width=device-width, initial-scale=1"');
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("getAssets", () => {
  it.each([
    ["/assets/console.js", "text/javascript; charset=utf-8"],
    ["/assets/console.css", "text/css; charset=utf-8"],
    ["/assets/favicon.svg", "image/svg+xml"],
    ["/favicon.ico", "image/svg+xml"],
  ])("serves %s, once per version", async (path, type) => {
    const app = await startConsole();

    const response = await app.get(path);
    const etag = response.headers.get("etag") ?? "";
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(type);
    expect((await response.text()).length).toBeGreaterThan(100);

    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      expect((await app.get(path, { "if-none-match": known })).status).toBe(304);
    }
    expect((await app.get(path, { "if-none-match": '"other"' })).status).toBe(200);
    expect((await app.send("DELETE", path)).status).toBe(405);
  });

  it.each([
    ["gzip", "gzip"],
    ["br;q=1, GZIP;q=0.8", "br"],
    ["gzip, deflate, br", "br"],
    ["br;q=0, gzip", "gzip"],
    ["gzip;q=0, identity", null],
    ["gzip; q=0.000", null],
    ["identity", null],
    ["*", null],
  ])("are compressed for a browser that accepts %s: %s", async (accepted, coding) => {
    const app = await startConsole();
    const plain = await app.get("/assets/console.js", { "accept-encoding": "identity" });
    const text = await plain.text();

    const response = await app.get("/assets/console.js", { "accept-encoding": accepted });
    const etag = response.headers.get("etag") ?? "";

    expect(response.headers.get("content-encoding")).toBe(coding);
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
    expect(await response.text()).toBe(text);
    // Two bodies are two versions.
    expect(etag === plain.headers.get("etag")).toBe(coding === null);
    if (coding !== null) expect(Number(response.headers.get("content-length"))).toBeLessThan(text.length / 2);
    const again = { "accept-encoding": accepted, "if-none-match": etag };
    expect((await app.get("/assets/console.js", again)).status).toBe(304);
  });

  it("returns the files that the page requests", async () => {
    const app = await startConsole();
    const { text } = await open(app);
    const files = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) => path);
    expect(files.length).toBeGreaterThan(2);
    for (const path of files) expect((await app.get(path)).status).toBe(200);
  });
});
