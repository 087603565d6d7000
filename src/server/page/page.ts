import type { RequestHandler } from "express";
import type { PlatformPage } from "../../platform/platform.ts";
import { ASSET_PATHS } from "./assets.ts";
import { CONSOLE_VIEWS } from "./views.ts";
import { findEntrance, findPlatformPage, sendPage, toPageQuery } from "./platform-page.ts";
import type { ServerParts } from "../parts/server-parts.ts";

/** The paths of the console's page: every view has an address, and so has each opened item (`/orders/4711`). */
export const PAGE_PATHS: readonly string[] = [
  "/",
  ...CONSOLE_VIEWS.flatMap(({ view }) => [`/${view}`, `/${view}/:id`]),
];

/**
 * `GET` of a {@link PAGE_PATHS | page path}: the console's page, the same on all of them, without tenant data. Its script
 * fetches everything else once a person is signed in: with the platform's session when embedded, with a cookie otherwise.
 */
export function createPage(parts: Pick<ServerParts, "platforms">): RequestHandler {
  return (req, res) => {
    const query = toPageQuery(req);
    const entrance = findEntrance(parts.platforms, query, req.path);
    if (entrance !== null) {
      res.writeHead(302, { Location: entrance, "Cache-Control": "no-store" }).end();
      return;
    }
    const page = findPlatformPage(parts.platforms, query);
    sendPage(res, page, renderPage(page));
  };
}

/**
 * The page until its script runs. It looks like the script's first rendering, so that nothing moves. The sign-in form needs
 * the script: without it, a form could only put the token in the address. Nothing is escaped, because it only inserts our own
 * or the platform's HTML, never data of a request.
 */
function renderPage(page: PlatformPage | null): string {
  // A platform's script (Shopify's App Bridge) must load first.
  return `<!doctype html>
    <html lang="en" data-embedded="${page === null ? "false" : "true"}">
      <head>
        <meta charset="utf-8" />
        ${page?.head ?? ""}
        <title>Holdfast</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="${page === null ? "light dark" : "light"}" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="${ASSET_PATHS.icon}" type="image/svg+xml" />
        <link rel="stylesheet" href="${ASSET_PATHS.style}" />
        <script src="${ASSET_PATHS.script}" defer></script>
      </head>
      <body>
        ${page?.bodyStart ?? ""}
        <div id="app">
          ${page === null ? BRAND : ""}
          <main id="main">
            <div class="page stack">
              <noscript><p>Turn on JavaScript to use Holdfast.</p></noscript>
              <div class="skeleton stack" role="status" aria-label="Loading">
                ${'<span class="bar"></span>'.repeat(8)}
              </div>
            </div>
          </main>
        </div>
        <footer class="page-foot">
          Networks of IP addresses, for the local engine:
          <a href="https://db-ip.com" rel="noreferrer">IP Geolocation by DB-IP</a>
        </footer>
      </body>
    </html> `;
}

/** A platform's admin has its own top bar. */
const BRAND = `<header class="top-bar line">
  <span class="brand"><img src="${ASSET_PATHS.icon}" alt="" width="22" height="22" />Holdfast</span>
</header>`;
